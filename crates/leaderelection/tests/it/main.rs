//! Electors, their locks and shares, through the public API. One program for all: each would link the whole crate again.

mod common;
mod elector;
mod lease;
mod sharding;
