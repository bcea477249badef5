//! Credentials from a program: client-go's exec plugins, `client.authentication.k8s.io` v1 and v1beta1.

mod authenticator;
mod config;
mod error;
mod expiry;
mod hint;
mod kuberc;
mod policy;
mod process;
mod protocol;
#[cfg(test)]
mod tests;

pub(crate) use authenticator::{ExecAuthenticator, ExecCredential};
pub use config::{ExecConfig, ExecEnv, InteractiveMode};
pub use error::ExecError;
pub use policy::PluginPolicy;
pub use protocol::ExecCluster;
