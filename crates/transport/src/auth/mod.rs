//! Credentials: what a request carries to say who asks, kept fresh.

mod credentials;
mod error;
pub mod exec;
mod impersonate;
mod metrics;
pub mod oidc;
mod options;
mod provider;
mod refresh;
mod single_flight;
mod token_file;

pub use credentials::{Credentials, CredentialsOptions, Stamp};
pub use error::AuthError;
pub use impersonate::Impersonate;
pub use metrics::{CredentialMetrics, ExecCall, NoMetrics};
pub use options::{AuthOptions, AuthProviderConfig, BasicAuth, Persist, Persister};
pub use provider::{ProviderSettings, Providers, Token, TokenProvider};
pub(crate) use token_file::read_token;
