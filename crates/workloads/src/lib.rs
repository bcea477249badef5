//! The controllers of a small cluster: deployments, replica sets, and simulated nodes.
//!
//! They do the work of a controller manager and of kubelets for an API server that has neither, such as the embedded one. They are
//! also examples of controllers made with these crates. Never run them where a controller manager runs: both would change the
//! same objects.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use client_rs_apiserver::Server;
//! use client_rs_kubernetes::Clientset;
//! use client_rs_workloads::{Workloads, WorkloadsOptions};
//!
//! let server = Server::start().await?;
//! let rest = server.rest_client()?;
//! let workloads = Workloads::start(rest.clone(), WorkloadsOptions::default().with_nodes(2)).await?;
//! let nodes = Clientset::from_rest(rest).core_v1().nodes().list().await?;
//! assert_eq!(nodes.items.len(), 2);
//! workloads.shutdown().await?;
//! # Ok(())
//! # }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

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
