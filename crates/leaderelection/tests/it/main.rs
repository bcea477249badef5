//! Electors, their locks and shares, through the public API. One program for all: each would link the whole crate again.

#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod common;
mod elector;
mod lease;
mod sharding;
