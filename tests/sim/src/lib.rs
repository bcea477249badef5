//! Deterministic simulation of the library: histories with faults, and checkers over them.
//!
//! `docs/design/simulation.md` explains how it works, and how a history is repeated.

pub mod campaign;
pub mod canaries;
pub mod check;
pub mod content;
pub mod coverage;
pub mod derived;
pub mod election;
pub mod history;
pub mod informer;
pub mod replay;
pub mod schedule;
pub mod server;
pub mod sharding;
pub mod shrink;
pub mod subject;
