//! Events, from what is said to what a server gets. One program for all: each would link the whole crate again.

#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod common;
mod correlator;
mod events_v1;
mod record;
mod traces;
