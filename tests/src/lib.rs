//! Helpers of the suites: a server to talk to, and scenarios that run on it.
//!
//! [`Cluster::embedded`] and [`Cluster::real`] return the same type, so a test is written once and runs on both. A
//! [`Scenario`] is such a test with a name and a deadline; it gets a [`Stage`]; [`run`] runs a [`Suite`] of them.
//!
//! For faults there are a [`Proxy`] that breaks connections, [`Faults`] that requests meet, and a [`Canned`] server
//! that sends any response; an [`Authority`] creates users. A [`Kubelet`] is the end of every stream into a pod.

mod canned;
mod cluster;
mod faults;
mod harsh;
mod identities;
mod proxy;
mod runner;
mod scenario;
mod stage;

pub use canned::Canned;
pub use client_rs_tests_kubelet::{Kubelet, KubeletOptions};
pub use cluster::{Backend, Cluster};
pub use faults::Faults;
pub use identities::{Authority, Identity};
pub use proxy::{Proxy, Weather};
pub use runner::{Tally, run};
pub use scenario::{Play, Scenario, Suite};
pub use stage::{Stage, build_binaries, eventually};
