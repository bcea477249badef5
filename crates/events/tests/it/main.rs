//! Events, from the recorder to the server. One program for all tests, so that the crate is linked once.

#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod common;
mod correlator;
mod events_v1;
mod record;
mod traces;
