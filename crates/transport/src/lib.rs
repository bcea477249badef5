//! From a kubeconfig to an authenticated connection, and over it.
//!
//! [`Config`] says where the server is and who asks: it comes from kubeconfig files ([`kubeconfig`]), from the pod that
//! the program runs in ([`in_cluster`]), or is filled by hand. [`auth::Credentials`] turns the "who" into headers and
//! client certificates and keeps them fresh. [`Transport`](http::Transport) sends requests with them.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "clap")]
pub mod args;
pub mod auth;
pub mod config;
pub mod http;
pub mod in_cluster;
pub mod kubeconfig;
mod metrics;
mod paths;
mod printable;
mod secret;
pub mod serving;
#[cfg(test)]
mod test_certificates;
pub mod tls;
pub mod tls_source;
mod yaml;

pub use config::{Config, ConfigError, ProxyUrl};
pub use secret::Secret;
pub use tls_source::{Material, TlsOptions};
#[doc(hidden)]
pub use yaml::budget as yaml_budget;
