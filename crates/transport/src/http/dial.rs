//! Byte streams to a host.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::Service;

/// A byte stream, both ways.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin + 'static {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin + 'static> Io for T {}

/// A byte stream, whatever it runs on.
pub type Stream = Box<dyn Io>;

/// Who opens byte streams: TCP unless a caller brings their own, such as a tunnel or a test's memory.
///
/// Called for the server, or for the proxy in front of it; TLS comes on top. Dropping the future gives up.
pub trait Dial: Send + Sync + fmt::Debug + 'static {
    /// Opens a stream to a host, which is a name or an address (without brackets), at a port.
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>>;
}

/// TCP, with the first address of a name that answers.
#[derive(Clone, Debug)]
pub struct TcpDialer {
    connector: HttpConnector,
}

impl TcpDialer {
    /// Gives up after `timeout`.
    pub fn new(timeout: Duration) -> Self {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_keepalive(Some(Duration::from_secs(30)));
        connector.set_connect_timeout(Some(timeout));
        Self { connector }
    }
}

impl Dial for TcpDialer {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        let mut connector = self.connector.clone();
        Box::pin(async move {
            let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
            let uri = format!("http://{host}:{port}/").parse::<http::Uri>().map_err(io::Error::other)?;
            match connector.call(uri).await {
                Ok(stream) => Ok(Box::new(stream.into_inner()) as Stream),
                Err(error) => Err(plain(&error)),
            }
        })
    }
}

/// The error under the connector's own, whose kind says what happened.
fn plain(error: &(dyn std::error::Error + 'static)) -> io::Error {
    let innermost = std::iter::successors(Some(error), |&error| error.source()).last().unwrap_or(error);
    match innermost.downcast_ref::<io::Error>() {
        Some(inner) => io::Error::new(inner.kind(), inner.to_string()),
        None => io::Error::other(innermost.to_string()),
    }
}
