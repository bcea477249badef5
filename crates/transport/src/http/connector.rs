//! From a host name to an HTTP connection.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio_rustls::TlsConnector;

use super::proxy::ProxyKind;
use super::{BoxError, ConnectError, Dial, HttpOptions, Proxy, Stream, Target};

/// A source of TLS configurations, because certificates change during the life of a transport.
///
/// The transport calls it before every handshake. An implementation must return quickly and cache the parts that have not
/// changed.
pub trait TlsProvider: Send + Sync + fmt::Debug + 'static {
    /// The configuration of the next handshake, offering these protocols (ALPN).
    fn config<'a>(
        &'a self,
        protocols: &'a [&'static [u8]],
    ) -> Pin<Box<dyn Future<Output = Result<Arc<ClientConfig>, BoxError>> + Send + 'a>>;
}

/// A configuration that never changes, except for the protocols.
impl TlsProvider for ClientConfig {
    fn config<'a>(
        &'a self,
        protocols: &'a [&'static [u8]],
    ) -> Pin<Box<dyn Future<Output = Result<Arc<ClientConfig>, BoxError>> + Send + 'a>> {
        let mut config = self.clone();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        Box::pin(std::future::ready(Ok(Arc::new(config))))
    }
}

/// Opens connections to one server.
#[derive(Debug)]
pub(super) struct Connector {
    pub(super) target: Target,
    pub(super) dial: Arc<dyn Dial>,
    pub(super) proxy: Option<Proxy>,
    pub(super) tls: Option<Arc<dyn TlsProvider>>,
    /// For the handshake with a proxy whose URL is https. Never the server's: a proxy must not see the client's certificate, and
    /// is verified even if the server is not.
    pub(super) proxy_tls: Arc<dyn TlsProvider>,
    pub(super) options: HttpOptions,
}

/// The protocol of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
}

const H2: &[u8] = b"h2";
const HTTP11: &[u8] = b"http/1.1";

impl Connector {
    /// Opens a stream to the server, with TLS if necessary. `upgrade`: allow only HTTP/1.1.
    pub(super) async fn connect(&self, upgrade: bool) -> Result<(Stream, Protocol), ConnectError> {
        let Target { host, port, .. } = &self.target;
        let stream = match &self.proxy {
            None => self.dial(host, *port).await?,
            Some(proxy) => self.through(proxy).await?,
        };
        let Some(tls) = &self.tls else {
            let http2 = self.options.http2_without_tls && !upgrade;
            return Ok((stream, if http2 { Protocol::Http2 } else { Protocol::Http1 }));
        };
        let protocols: &[&[u8]] = if self.options.http2 && !upgrade { &[H2, HTTP11] } else { &[HTTP11] };
        let certificates = |error: BoxError| ConnectError::Certificates {
            target: self.target.to_string(),
            error: error.into(),
        };
        let config = tls.config(protocols).await.map_err(certificates)?;
        let name = self.target.server_name.as_deref().unwrap_or(host);
        let refused = |error| ConnectError::Tls { target: self.target.to_string(), error: Arc::new(error) };
        self.secure(stream, name, config).await?.map_err(refused)
    }

    /// The HTTP proxy that expects the whole URL in requests, because it does not open a tunnel.
    pub(super) fn absolute_form(&self) -> Option<&Proxy> {
        let proxy = self.proxy.as_ref()?;
        (self.tls.is_none() && proxy.kind != ProxyKind::Socks5).then_some(proxy)
    }

    async fn through(&self, proxy: &Proxy) -> Result<Stream, ConnectError> {
        let mut stream = self.dial(&proxy.host, proxy.port).await?;
        let failed = |why: String| {
            let (proxy, target) = (proxy.to_string(), self.target.to_string());
            ConnectError::Proxy { proxy, target, why }
        };
        if proxy.kind == ProxyKind::Https {
            let certificates = |error: BoxError| failed(format!("the TLS handshake with it failed: {error}"));
            let config = self.proxy_tls.config(&[HTTP11]).await.map_err(certificates)?;
            let refused = |error| {
                failed(format!(
                    "the TLS handshake with it failed: {error}: its certificate must come from an authority of the system, or of the \
                     config's proxy_ca"
                ))
            };
            stream = self.secure(stream, &proxy.host, config).await?.map_err(refused)?.0;
        }
        if self.absolute_form().is_some() {
            return Ok(stream);
        }
        let Target { host, port, .. } = &self.target;
        let limit = self.options.connect_timeout;
        match tokio::time::timeout(limit, proxy.tunnel(&mut stream, host, *port)).await {
            Ok(opened) => opened.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed(format!("no response within {limit:?}"))),
        }
        Ok(stream)
    }

    async fn dial(&self, host: &str, port: u16) -> Result<Stream, ConnectError> {
        let opened =
            self.within("connecting to", self.options.connect_timeout, self.dial.dial(host, port)).await?;
        opened.map_err(|error| ConnectError::Unreachable {
            target: super::transport::host_port(host, port),
            error: Arc::new(error),
        })
    }

    /// The outer error is a timeout, the inner one a rejection by either side.
    async fn secure(
        &self,
        stream: Stream,
        name: &str,
        config: Arc<ClientConfig>,
    ) -> Result<io::Result<(Stream, Protocol)>, ConnectError> {
        let name = match ServerName::try_from(name.to_owned()) {
            Ok(name) => name,
            Err(error) => return Ok(Err(io::Error::other(error))),
        };
        let handshake = TlsConnector::from(config).connect(name, stream);
        let secured =
            self.within("the TLS handshake with", self.options.handshake_timeout, handshake).await?;
        Ok(secured.map(|secured| {
            let protocol = match secured.get_ref().1.alpn_protocol() {
                Some(H2) => Protocol::Http2,
                _ => Protocol::Http1,
            };
            (Box::new(secured) as Stream, protocol)
        }))
    }

    async fn within<T>(
        &self,
        what: &'static str,
        limit: Duration,
        work: impl Future<Output = T>,
    ) -> Result<T, ConnectError> {
        let target = || self.target.to_string();
        tokio::time::timeout(limit, work).await.map_err(|_| ConnectError::Timeout {
            what,
            target: target(),
            limit,
        })
    }
}
