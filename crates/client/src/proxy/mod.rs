//! HTTP to what listens at a pod, a service or a node, through the API server.
//!
//! [`Api::http`](crate::Api::http) gives a [`HttpProxy`]: a client whose URLs are the backend's, and whose connections and
//! credentials are the API server's.

mod answer;
mod client;
mod handles;
mod request;
mod target;

pub use client::{HttpProxy, ProxyUpgrade, Upgraded};
pub use request::HttpProxyRequest;
pub use target::ProxyTarget;

#[cfg(test)]
mod tests;
