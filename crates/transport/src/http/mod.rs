//! HTTP to one API server: HTTP/2 where the server speaks it, HTTP/1.1 else and for upgrades.
//!
//! [`Transport`] is a tower service. Under it, from the wire outward: a [`Dial`] opens a byte stream, directly
//! or through a [`Proxy`]; TLS and its ALPN decide the protocol; a pool shares connections, so that requests
//! and watches share as few as the server allows and none waits for a stream that a watch holds.

mod admission;
mod body;
mod closable;
mod connection;
mod connector;
mod dial;
mod error;
mod forward;
mod from_config;
mod gzip;
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
pub use dial::{Dial, Io, Stream, TcpDialer};
pub use error::{BoxError, ConnectError, TransportError};
pub use from_config::{Explanation, TransportOptions};
#[cfg(feature = "oidc")]
pub use open_id::OpenIdHttp;
pub use options::HttpOptions;
pub use proxy::Proxy;
pub use proxy_env::ProxyEnv;
pub use transport::{Target, Transport, TransportBuilder, upgraded};
