//! Credentials: what a request carries to say who asks, kept fresh.

mod client_certificates;
pub(crate) mod config;
mod credentials;
pub mod exec;
#[cfg(feature = "oidc")]
pub mod oidc;
mod provider;
mod refresh;
mod single_flight;
mod token_file;

pub use crate::metrics::{CredentialMetrics, ExecCall, NoCredentialMetrics};
pub use client_certificates::ClientCertificates;
pub(crate) use config::impersonate;
pub use config::{AuthError, AuthOptions, AuthProviderConfig, BasicAuth, Impersonate, Persist, Persister};
pub use credentials::{Credentials, CredentialsOptions, Stamp};
pub use provider::{ProviderSettings, Providers, Token, TokenProvider};
pub(crate) use token_file::read_token;
