//! Deterministic simulation of whole replicas: managers with sharded controllers over embedded servers.
//!
//! Each replica has a tokio runtime of its own on a paused clock, all in one thread. `docs/design/simulation.md` explains it.

pub mod cancel;
pub mod op;
pub mod replica;
pub mod subject;
pub mod vault;
pub mod world;
