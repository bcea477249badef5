//! Byte streams to a host.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, sleep, timeout_at};

/// How long a silent connection waits before the system asks whether the other side is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// How long the addresses of the family that a name lists first have for themselves, before those of the other one are tried
/// too (RFC 6555).
const HEAD_START: Duration = Duration::from_millis(300);

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
///
/// Where a name has addresses of both families, those of the one that it lists first are tried one by one; after 300 ms
/// those of the other are tried alongside. The time that an attempt may take is divided among the addresses of a family.
#[derive(Clone, Debug)]
pub struct TcpDialer {
    timeout: Duration,
}

impl TcpDialer {
    /// Gives up after `timeout`.
    pub fn new(timeout: Duration) -> Self {
        Self { timeout }
    }

    async fn connect(&self, host: &str, port: u16) -> io::Result<TcpStream> {
        let addresses: Vec<SocketAddr> = lookup_host((host, port)).await?.collect();
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
                // What the first family failed with says more than that a spare one failed too.
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

    /// A connection to the first of these addresses that takes one; there is at least one.
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
            // A system that can't is no reason to do without a connection.
            if let Err(error) =
                SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE))
            {
                tracing::debug!(%error, "no keepalive");
            }
            Ok(Box::new(stream) as Stream)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let dialer = TcpDialer::new(Duration::from_secs(5));
        for host in ["127.0.0.1", "localhost"] {
            assert!(dialer.dial(host, port).await.is_ok(), "{host}");
        }
    }
}
