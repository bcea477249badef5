//! The operator as a whole: on an API server in this process, with the rights of its account, under simulated faults, and recorded.

#![allow(clippy::unwrap_used, reason = "tests")]

mod cluster;
mod manifests;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod recorded;
mod server;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod simulation;
