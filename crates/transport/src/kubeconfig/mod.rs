//! kubeconfig files: read, merged, edited, written.
//!
//! [`Kubeconfig`] is what the files hold. [`LoadingRules`] say which files those are; [`DirectConfig`] picks a context and
//! applies [`Overrides`], and [`DeferredConfig`] does all of that on first use and falls back to the pod's own config. What comes
//! out is a [`Config`](crate::Config). [`modify`] writes changes back to the files they belong in.

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
