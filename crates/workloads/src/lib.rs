//! The controllers of a small cluster, and simulated nodes.
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
//!
//! # How a controller is made
//!
//! Each controller is a file with a pure function from the objects that it sees to a plan: objects to create, update and delete, and
//! events to record. The tests of that function need no server and no clock. One shell, which all share, reads the
//! caches, asks for the plan, and follows it.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod claim;
mod clock;
mod command;
mod cron_job;
mod daemon_set;
mod deployment;
mod disruption;
mod hash;
mod job;
mod kind;
mod mirroring;
#[cfg(test)]
mod model;
mod node;
mod placement;
mod plan;
mod pod_status;
mod pods;
mod replica_set;
mod replication_controller;
mod revisions;
mod rollout;
mod runner;
mod schedule;
mod selection;
mod service_endpoints;
mod shell;
mod slices;
mod stateful_set;
mod volumes;
mod zone;

pub use runner::{Workloads, WorkloadsOptions};
pub use selection::{Selection, UnknownController};
