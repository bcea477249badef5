//! A real Kubernetes control plane for tests: etcd, kube-apiserver and kube-controller-manager, from the folder that
//! `KUBEBUILDER_ASSETS` names, or built once from the Go module that this crate carries.
//!
//! ```no_run
//! use client_rs_testkit::Cluster;
//!
//! # fn main() -> client_rs_testkit::Result<()> {
//! let cluster = Cluster::real()?;
//! let namespace = cluster.namespace("shop")?;
//! println!("KUBECONFIG={} namespace {}", cluster.kubeconfig().display(), namespace.name());
//! # Ok(())
//! # }
//! ```
//!
//! - [`Cluster::real`] is what a test calls: the cluster that `CLIENT_RS_KUBECONFIG` names, or a new one, which the
//!   tests of the process share and which ends with the process, however that ends.
//! - [`Cluster::namespace`] creates a namespace for one test, removed on drop.
//! - [`Ensemble`] is a control plane of several programs of each kind, which can be killed, paused and restored.
//! - [`Clusters`] keeps named clusters that outlive the process: `cargo xtask cluster` is a thin wrapper around it.
//!
//! Nothing here is asynchronous: starting a cluster blocks the calling thread for seconds (the very first time for
//! minutes, while the programs are built) and reports to [`Progress`] meanwhile.
//!
//! There is no kubelet and no scheduler: pods are created and stay `Pending`. Everything listens on loopback or on a
//! unix socket in a folder that only its owner can enter.
//!
//! Unix only: on other systems the crate is empty.
#![cfg(unix)]

mod binaries;
mod cluster;
mod clusters;
mod ensemble;
mod error;
mod flags;
mod folders;
mod go;
mod identity;
mod kubeconfig;
mod launch;
mod layout;
mod lock;
mod namespace;
mod options;
mod pki;
mod port;
mod probe;
mod progress;
mod watchdog;

pub use binaries::Binaries;
pub use cluster::{Cluster, KUBECONFIG_VARIABLE};
pub use clusters::{Clusters, Record, Up};
pub use ensemble::{Ensemble, Part};
pub use error::{Error, Result};
pub use folders::Folders;
pub use identity::ProcessIdentity;
pub use kubeconfig::{Access, Kubeconfig};
pub use namespace::Namespace;
pub use options::Options;
pub use probe::{Answer, Probe};
pub use progress::Progress;
