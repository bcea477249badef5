//! Byte streams to a host.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, sleep, timeout_at};

/// The time after which the system checks whether the other side of an idle connection is still reachable.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// The head start of the addresses in the family that comes first in a name's result, before the other family is tried too
/// (RFC 6555).
const HEAD_START: Duration = Duration::from_millis(300);

/// A bidirectional byte stream.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin + 'static {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin + 'static> Io for T {}

/// A boxed byte stream of any kind.
pub type Stream = Box<dyn Io>;

/// Opens byte streams. The default is TCP ([`TcpDialer`]). Implement it for a tunnel, a Unix socket, or a server in memory.
///
/// The transport calls it for the server, or for the proxy in front of it, and adds TLS. Dropping the future cancels the
/// attempt.
///
/// ```
/// use std::{future::Future, io, pin::Pin, sync::Arc};
/// use client_rs_transport::Config;
/// use client_rs_transport::http::{Body, Dial, Stream, Transport, TransportOptions};
/// use tower::ServiceExt as _;
/// # use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
///
/// /// A server in memory that answers every connection with `ok`.
/// #[derive(Debug)]
/// struct InMemory;
///
/// impl Dial for InMemory {
///     fn dial<'a>(&'a self, _: &'a str, _: u16) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
///         Box::pin(async {
///             let (near, far) = tokio::io::duplex(4096);
///             tokio::spawn(serve(far));
///             Ok(Box::new(near) as Stream)
///         })
///     }
/// }
/// # async fn serve(mut stream: tokio::io::DuplexStream) {
/// #     let mut request = [0; 4096];
/// #     let _ = stream.read(&mut request).await;
/// #     let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await;
/// # }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let config = Config::new("http://in-memory".parse()?);
/// let transport = Transport::from_config_with(&config, TransportOptions::default().with_dial(Arc::new(InMemory)))?;
/// let response = transport.oneshot(http::Request::get("/").body(Body::empty())?).await?;
/// assert_eq!(response.into_body().bytes().await?, "ok");
/// # Ok(())
/// # }
/// ```
pub trait Dial: Send + Sync + fmt::Debug + 'static {
    /// Opens a stream to a port of a host. The host is a name, or an address without brackets.
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>>;
}

/// Opens TCP connections, to the first address of a name that accepts one.
///
/// If a name has addresses of both families, the addresses of the family that comes first are tried one by one. After 300 ms,
/// those of the other family are tried concurrently. The time limit of an attempt is divided among the addresses of a family.
#[derive(Clone)]
pub struct TcpDialer {
    timeout: Duration,
    metrics: Option<Arc<dyn ResolverMetrics>>,
}

/// Receives metrics of name resolution: client-go's `rest_client_dns_resolution_duration_seconds{host}`.
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicU32, Ordering}};
/// use std::time::Duration;
/// use client_rs_transport::http::{ResolverMetrics, TcpDialer, TransportOptions};
///
/// #[derive(Default)]
/// struct Lookups(AtomicU32);
///
/// impl ResolverMetrics for Lookups {
///     fn resolved(&self, host: &str, took: Duration) {
///         println!("{host}: {took:?}");
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// let dialer = TcpDialer::new(Duration::from_secs(30)).with_metrics(Arc::new(Lookups::default()));
/// let options = TransportOptions::default().with_dial(Arc::new(dialer));
/// # drop(options);
/// ```
pub trait ResolverMetrics: Send + Sync + 'static {
    /// A name was resolved, or could not be, in this time. It is not called for an IP address. It must not block.
    fn resolved(&self, host: &str, took: Duration);
}

impl TcpDialer {
    /// A dialer whose attempts fail after `timeout`.
    pub fn new(timeout: Duration) -> Self {
        Self { timeout, metrics: None }
    }

    /// Reports the time of each name resolution.
    #[must_use]
    pub fn with_metrics(self, metrics: Arc<dyn ResolverMetrics>) -> Self {
        Self { metrics: Some(metrics), ..self }
    }

    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let started = Instant::now();
        let resolved = lookup_host((host, port)).await.map(Iterator::collect);
        if let Some(metrics) = self.metrics.as_ref().filter(|_| host.parse::<IpAddr>().is_err()) {
            metrics.resolved(host, started.elapsed());
        }
        resolved
    }

    async fn connect(&self, host: &str, port: u16) -> io::Result<TcpStream> {
        let addresses = self.resolve(host, port).await?;
        let is_first = |address: &SocketAddr| address.is_ipv6() == addresses[0].is_ipv6();
        if addresses.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
        }
        let (first, second): (Vec<_>, Vec<_>) = addresses.iter().copied().partition(is_first);
        let mut first = pin!(self.first_of(&first));
        if second.is_empty() {
            return first.await;
        }
        let mut second = pin!(self.first_of(&second));
        tokio::select! {
            biased;
            connected = &mut first => match connected {
                Ok(stream) => return Ok(stream),
                // The error of the first family is more useful than that of the second.
                Err(error) => return second.await.map_err(|_| error),
            },
            () = sleep(HEAD_START) => {}
        }
        tokio::select! {
            biased;
            connected = &mut first => match connected {
                Ok(stream) => Ok(stream),
                Err(error) => second.await.map_err(|_| error),
            },
            connected = &mut second => match connected {
                Ok(stream) => Ok(stream),
                Err(_) => first.await,
            },
        }
    }

    /// A connection to the first of these addresses that accepts one. There is at least one address.
    async fn first_of(&self, addresses: &[SocketAddr]) -> io::Result<TcpStream> {
        let each = self.timeout / u32::try_from(addresses.len()).unwrap_or(u32::MAX).max(1);
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for address in addresses {
            match timeout_at(Instant::now() + each, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => failed = error,
                Err(late) => failed = io::Error::new(io::ErrorKind::TimedOut, late),
            }
        }
        Err(failed)
    }
}

impl Dial for TcpDialer {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(async move {
            let stream = self.connect(host, port).await?;
            stream.set_nodelay(true)?;
            // A connection without keepalive is better than none.
            if let Err(error) =
                SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE))
            {
                tracing::debug!(%error, "no keepalive");
            }
            Ok(Box::new(stream) as Stream)
        })
    }
}

impl fmt::Debug for TcpDialer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpDialer").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Lookups(Mutex<Vec<String>>);

    impl ResolverMetrics for Lookups {
        fn resolved(&self, host: &str, took: Duration) {
            assert!(took < Duration::from_hours(1));
            self.0.lock().unwrap().push(host.to_owned());
        }
    }

    #[tokio::test]
    async fn the_next_address_is_tried_when_one_refuses() {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let open = listener.local_addr().unwrap();
        let closed = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap().local_addr().unwrap();
        let dialer = TcpDialer::new(Duration::from_secs(5));
        let stream = dialer.first_of(&[closed, open]).await.unwrap();
        assert_eq!(stream.peer_addr().unwrap(), open);
        let error = dialer.first_of(&[closed]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused, "{error}");
    }

    #[tokio::test]
    async fn names_and_addresses_are_dialed() {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let lookups = Arc::new(Lookups::default());
        let dialer = TcpDialer::new(Duration::from_secs(5)).with_metrics(lookups.clone());
        for host in ["127.0.0.1", "localhost"] {
            assert!(dialer.dial(host, port).await.is_ok(), "{host}");
        }
        assert_eq!(*lookups.0.lock().unwrap(), ["localhost"], "an address needs no lookup");
    }
}
