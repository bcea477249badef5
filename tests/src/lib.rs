//! What the suites share: a server to talk to, and scenarios that run on it.
//!
//! [`Cluster::embedded`] and [`Cluster::real`] give the same handle, so a test is written once and runs on both. A
//! [`Scenario`] is such a test with a name and a deadline; it gets a [`Stage`]; [`run`] runs a [`Suite`] of them.

mod cluster;
mod runner;
mod scenario;
mod stage;

pub use cluster::{Backend, Cluster};
pub use runner::{Tally, run};
pub use scenario::{Play, Scenario, Suite};
pub use stage::{Stage, eventually};
