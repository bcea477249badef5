//! HTTP to a pod, a service or a node, through the API server.
//!
//! [`Api::http`](crate::Api::http) returns an [`HttpProxy`]: a client whose URLs are those of the backend, and whose connections and
//! credentials are those of the API server. It needs no network route to the pod, but the API server forwards every byte: for bulk data
//! or for TCP use a port-forward (see [`streams`](crate::streams)).

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
