//! From a host's name to a connection that speaks HTTP.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio_rustls::TlsConnector;

use super::proxy::ProxyKind;
use super::{BoxError, ConnectError, Dial, HttpOptions, Proxy, Stream, Target};

/// Where TLS configurations come from: certificates change while a transport lives.
///
/// Asked before every handshake, so it answers quickly, and keeps what has not changed.
pub trait TlsProvider: Send + Sync + fmt::Debug + 'static {
    /// The configuration of the next handshake, offering these protocols (ALPN).
    fn config<'a>(
        &'a self,
        protocols: &'a [&'static [u8]],
    ) -> Pin<Box<dyn Future<Output = Result<Arc<ClientConfig>, BoxError>> + Send + 'a>>;
}

/// A configuration that never changes, but for the protocols.
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
    /// For the handshake with a proxy that is itself behind TLS.
    pub(super) options: HttpOptions,
}

/// What a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
}

const H2: &[u8] = b"h2";
const HTTP11: &[u8] = b"http/1.1";

impl Connector {
    /// A stream to the server, with TLS if it wants that. `upgrade`: only HTTP/1.1 will do.
    pub(super) async fn connect(&self, upgrade: bool) -> Result<(Stream, Protocol), ConnectError> {
        let Target { host, port, .. } = &self.target;
        let mut stream = match &self.proxy {
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
        let (secured, protocol) = self.secure(stream, name, config).await?;
        stream = secured;
        Ok((stream, protocol))
    }

    /// Whether requests name the whole URL, as an HTTP proxy wants them that is not asked for a tunnel.
    pub(super) fn absolute_form(&self) -> Option<&Proxy> {
        let proxy = self.proxy.as_ref()?;
        (self.tls.is_none() && proxy.kind != ProxyKind::Socks5).then_some(proxy)
    }

    async fn through(&self, proxy: &Proxy) -> Result<Stream, ConnectError> {
        let mut stream = self.dial(&proxy.host, proxy.port).await?;
        if proxy.kind == ProxyKind::Https {
            let target = format!("{}:{}", proxy.host, proxy.port);
            let certificates = |error: BoxError| ConnectError::Certificates { target, error: error.into() };
            let config = match &self.tls {
                Some(tls) => tls.config(&[HTTP11]).await.map_err(certificates)?,
                None => Arc::new(
                    crate::tls::client_config(&crate::tls::Trust::System, None, &[HTTP11])
                        .map_err(|error| certificates(error.into()))?,
                ),
            };
            stream = self.secure(stream, &proxy.host, config).await?.0;
        }
        if self.absolute_form().is_some() {
            return Ok(stream);
        }
        let Target { host, port, .. } = &self.target;
        let failed = |why: String| {
            let (proxy, target) = (proxy.to_string(), self.target.to_string());
            ConnectError::Proxy { proxy, target, why }
        };
        let limit = self.options.connect_timeout;
        match tokio::time::timeout(limit, proxy.tunnel(&mut stream, host, *port)).await {
            Ok(opened) => opened.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed(format!("no answer within {limit:?}"))),
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

    async fn secure(
        &self,
        stream: Stream,
        name: &str,
        config: Arc<ClientConfig>,
    ) -> Result<(Stream, Protocol), ConnectError> {
        let refused = |error: std::io::Error| ConnectError::Tls {
            target: self.target.to_string(),
            error: Arc::new(error),
        };
        let name =
            ServerName::try_from(name.to_owned()).map_err(|error| refused(std::io::Error::other(error)))?;
        let handshake = TlsConnector::from(config).connect(name, stream);
        let secured =
            self.within("the TLS handshake with", self.options.handshake_timeout, handshake).await?;
        let secured = secured.map_err(refused)?;
        let protocol = match secured.get_ref().1.alpn_protocol() {
            Some(H2) => Protocol::Http2,
            _ => Protocol::Http1,
        };
        Ok((Box::new(secured), protocol))
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
