//! Exec plugins: programs that print credentials, with client-go's protocol `client.authentication.k8s.io` v1 and v1beta1.
//!
//! [`ExecConfig`] are the settings of a plugin, [`PluginPolicy`] limits the programs that may run. With the feature `exec-plugin`, `plugin` has the other
//! side: what a program needs that is a plugin.

mod authenticator;
mod expiry;
mod hint;
#[cfg(feature = "exec-plugin")]
pub mod plugin;
mod process;
mod protocol;
#[cfg(test)]
mod tests;

pub use super::config::{ExecConfig, ExecEnv, ExecError, InteractiveMode, PluginPolicy};
pub(crate) use authenticator::{ExecAuthenticator, ExecCredential};
pub use protocol::ExecCluster;
#[doc(hidden)]
pub use protocol::check_answer;
