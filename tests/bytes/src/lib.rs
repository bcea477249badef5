//! Deterministic simulation of bytes: the client's HTTP/2 over pipes in memory, on a paused clock.
//!
//! Requests, a server and the pipes between them run in one thread. Pipes are cut at any byte, trickle and stall; the server
//! ends streams and connections at any point. `docs/design/simulation.md` explains it.

pub mod check;
pub mod client;
pub mod history;
pub mod plan;
pub mod server;
pub mod wire;
pub mod world;
