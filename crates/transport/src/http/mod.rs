//! HTTP to one API server: HTTP/2 if the server supports it, HTTP/1.1 otherwise and for upgrades.
//!
//! [`Transport`] is a tower service. Create one with [`Transport::from_config`], which adds credentials, TLS and the proxy of a
//! [`Config`](crate::Config). Use [`TransportBuilder`] for a server without a config, and [`Transport::from_service`] in tests.
//!
//! The layers below it, from the network upward: a [`Dial`] opens a byte stream, directly or through a [`Proxy`]. TLS with ALPN
//! selects the protocol. A pool shares connections, so that requests and watches use as few as the server allows, and no request
//! waits for a stream that a watch occupies.

mod admission;
mod body;
mod closable;
mod connection;
mod connector;
mod debug;
mod dial;
mod error;
mod forward;
mod from_config;
mod gzip;
mod http2;
mod in_process;
#[cfg(feature = "oidc")]
mod open_id;
mod options;
mod pool;
mod preface;
mod proxy;
mod proxy_env;
#[cfg(test)]
mod testing;
mod transport;

pub use body::Body;
pub use connector::TlsProvider;
pub use debug::{Debugged, RequestDebug};
pub use dial::{Dial, Io, ResolverMetrics, Stream, TcpDialer};
pub use error::{BoxError, ConnectError, TransportError};
pub use from_config::{Explanation, TransportOptions};
pub use in_process::InProcess;
#[cfg(feature = "oidc")]
pub use open_id::OpenIdHttp;
pub use options::HttpOptions;
pub use proxy::Proxy;
pub use proxy_env::ProxyEnv;
pub use transport::{Target, Transport, TransportBuilder, upgraded};
