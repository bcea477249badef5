//! kubeconfig files: load, merge, edit and write them.
//!
//! [`Config::infer`](crate::Config::infer) is all that most programs need. Use this module to choose the files, override settings,
//! or edit the files.
//!
//! - [`Kubeconfig`] is the content of the files, and [`LoadingRules`] select them.
//! - [`DirectConfig`] selects a context and applies [`Overrides`]. [`DeferredConfig`] does all of that on first use, and falls back
//!   to the pod's service account. Both result in a [`Config`](crate::Config).
//! - [`modify`] writes changes back to the file of each entry, and locks the files as kubectl does.
//!
//! ```
//! use client_rs_transport::kubeconfig::{DirectConfig, Kubeconfig, Overrides};
//!
//! let kubeconfig = Kubeconfig::parse(b"
//! clusters: [{name: dev, cluster: {server: 'https://dev.example'}}]
//! contexts:
//! - {name: default, context: {cluster: dev}}
//! - {name: web, context: {cluster: dev, namespace: web}}
//! current-context: default")?;
//!
//! let mut direct = DirectConfig::new(kubeconfig);
//! assert_eq!(direct.client_config()?.default_namespace, "default");
//! direct.overrides = Overrides::default().with_current_context("web");
//! assert_eq!(direct.client_config()?.default_namespace, "web");
//! # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
//! ```

mod access;
mod decode;
mod deferred;
mod direct;
mod encode;
mod error;
mod infer;
mod loading;
mod merge;
mod model;
mod modify;
mod overrides;
mod prompt;
#[cfg(all(unix, feature = "terminal"))]
mod terminal;
mod validate;
mod view;

pub use access::{ConfigAccess, PathOptions};
pub use deferred::{DeferredConfig, InClusterSource, Loader};
pub use direct::DirectConfig;
pub use error::{KubeconfigError, Problem};
pub use loading::LoadingRules;
pub use model::{AuthInfo, KubeCluster, KubeContext, Kubeconfig, Preferences, Unknown};
pub use modify::{modify, persister_for_user};
pub use overrides::{Overrides, remove_namespaces_prefix};
pub use prompt::Prompt;
#[cfg(all(unix, feature = "terminal"))]
pub use terminal::TerminalPrompt;
