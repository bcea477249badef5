//! Credentials: the headers and client certificates that authenticate requests.
//!
//! [`AuthOptions`] are the settings, as part of a [`Config`](crate::Config). [`Credentials`] apply them to requests and keep them
//! fresh. A [`Transport`](crate::http::Transport) that is made from a config creates its own: you need this module directly for
//! tokens from your own source ([`TokenProvider`]), to limit exec plugins ([`exec::PluginPolicy`]), or for another HTTP client.
//!
//! | Source | Setting | When it is refreshed |
//! |---|---|---|
//! | bearer token | [`AuthOptions::token`] | never |
//! | token file, such as a service account's | [`AuthOptions::token_file`] | about every 50 seconds, and after a 401 |
//! | basic authentication | [`AuthOptions::basic`] | never |
//! | program that prints a credential | [`AuthOptions::exec`] | when the credential expires, and after a 401 |
//! | OpenID Connect (feature `oidc`) | [`AuthOptions::provider`] named `oidc` | ten seconds before the token expires, and after a 401 |
//! | your own code | [`AuthOptions::provider`] and [`Providers`] | when the token expires, and after a 401 |
//! | client certificate | [`TlsOptions`](crate::TlsOptions) | at handshakes, and every five minutes |

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
