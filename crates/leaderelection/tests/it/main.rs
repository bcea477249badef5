//! Electors, locks and sharding, through the public API. One program for all tests, so that the crate is linked once.

#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod common;
mod elector;
mod lease;
mod sharding;
