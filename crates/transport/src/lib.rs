//! Configuration, credentials, TLS and HTTP for Kubernetes clients: everything below the REST client.
//!
//! Use this crate when you write your own HTTP code against a Kubernetes API server. If you want typed objects, watches and
//! retries, use the `client-rs` crate instead: it contains this one.
//!
//! # From a kubeconfig to a response
//!
//! A request passes through three values:
//!
//! 1. [`Config`]: the address of the server, the user, the certificates and the proxy. It is plain data. Create one with
//!    [`Config::infer`] (kubeconfig files, else the pod's service account), [`Config::from_kubeconfig`], [`in_cluster`],
//!    command-line flags (`args::KubeArgs`, feature `clap`), or [`Config::new`].
//! 2. [`auth::Credentials`]: the headers and the client certificate for each request. It refreshes tokens, runs exec plugins
//!    and reads changed files. A transport that is made from a config does this for you.
//! 3. [`Transport`](http::Transport): a [`tower`] service that sends an `http::Request` and returns an `http::Response`.
//!
//! ```
//! use client_rs_transport::http::{Body, Transport};
//! use client_rs_transport::Config;
//! use tower::ServiceExt as _;
//! # use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! # let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! # let address = listener.local_addr()?;
//! # let server = async {
//! #     let (mut stream, _) = listener.accept().await?;
//! #     let mut request = [0; 1024];
//! #     let _ = stream.read(&mut request).await?;
//! #     stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await
//! # };
//! # let client = async {
//! # let kubeconfig = format!("
//! # clusters: [{{name: dev, cluster: {{server: 'http://{address}'}}}}]
//! # contexts: [{{name: dev, context: {{cluster: dev}}}}]
//! # current-context: dev");
//! // `Config::infer()` reads the user's files; here, `kubeconfig` is the text of one.
//! let config = Config::from_kubeconfig(kubeconfig.as_bytes())?;
//! let transport = Transport::from_config(&config)?;
//!
//! // All requests go to the server of the config: a path is enough.
//! let request = http::Request::get("/readyz").body(Body::empty())?;
//! let response = transport.oneshot(request).await?;
//! assert_eq!(response.status(), 200);
//! assert_eq!(response.into_body().bytes().await?, "ok");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # };
//! # let (served, asked) = tokio::join!(server, client);
//! # served?;
//! # asked
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Credentials stay fresh, and secret
//!
//! - A token file is read again about every 50 seconds, a client certificate when a connection is made, and an exec plugin
//!   runs again when its credential expires. When the server answers 401, the transport fetches a new credential and sends the
//!   request once more, if its body is in memory.
//! - Many concurrent requests share one refresh. A request that is dropped while it waits does not stop the refresh.
//! - A replaced client certificate closes the connections that used the old one. New certificate authorities lead to new
//!   connections, and running requests finish on the old ones.
//! - No `Debug` and no error shows a [`Secret`]. Without `https`, no credential is sent.
//!
//! # Connections
//!
//! HTTP/2 where the server agrees to it, otherwise HTTP/1.1. The pool counts streams: when watches use all the streams of a
//! connection, the next request opens another connection and does not wait. See [`http`] for the parts and
//! [`HttpOptions`](http::HttpOptions) for timeouts and memory limits. Dropping a response, or the future of a request, cancels
//! the request.
//!
//! A transport resends only requests that certainly did not reach the server. Retries, rate limits and deadlines are the
//! task of the REST client above it.
//!
//! # Where to go next
//!
//! | Task | Start at |
//! |---|---|
//! | read, merge, edit or write kubeconfig files | [`kubeconfig`] |
//! | take kubectl's flags on the command line | `args` (feature `clap`) |
//! | tokens from your own source, exec plugins, OIDC | [`auth`] |
//! | a proxy, a tunnel, or a fake server in a test | [`http::TransportBuilder`], [`http::Dial`] |
//! | TLS for a server of your own, such as a webhook | [`serving`] |
//!
//! # Features
//!
//! - `ring` (default) or `aws-lc-rs`: the cryptography of TLS. With both, `aws-lc-rs` is used.
//! - `clap`: kubectl's flags as a struct. `oidc`: the `oidc` auth provider. `terminal`: a prompt for name and password.

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
mod task;
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
