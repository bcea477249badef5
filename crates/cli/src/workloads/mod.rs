//! The controllers of a small cluster: deployments, replica sets, and simulated nodes.
//!
//! They bring an API server without a controller manager, such as the embedded one, to life; and they are an example of
//! what controllers made with these crates look like. Never run them where a controller manager runs: both would answer
//! the same objects.

mod deployment;
mod node;
mod pod_status;
mod replica_set;
mod rollout;
mod runner;

pub use deployment::DeploymentController;
pub use node::NodeController;
pub use replica_set::ReplicaSetController;
pub use runner::{Workloads, WorkloadsOptions};
