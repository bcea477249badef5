//! The campaign itself: it repeats histories, it finds what it should, and every history that once failed holds.

#![allow(clippy::unwrap_used, reason = "tests")]

mod corpus;
mod determinism;
mod server;
mod sharding;
