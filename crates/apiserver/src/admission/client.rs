//! Calls webhooks over HTTPS. Errors have the texts of the real server's client.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::{ApiError, Json, ServerResponse};
use client_rs_transport::Config;
use client_rs_transport::http::{
    Body, ConnectError, Dial, ProxyEnv, Stream, Transport, TransportError, TransportOptions,
};
use client_rs_transport::tls_source::Material;
use http::{Method, Request, header};
use http_body_util::{BodyExt, Limited};
use rustls::CertificateError;
use tower::ServiceExt;

use crate::object::{ClientConfig, ServiceRef};
use crate::outbound::{Named, Outbound};
use crate::registry::Registry;

/// The largest response that is read: the largest object, plus room for the review around it.
const ANSWER_MAX: usize = 16 * 1024 * 1024;
/// The number of clients that are kept.
const CLIENTS_MAX: usize = 200;
/// The real server's `User-Agent` for webhooks.
const USER_AGENT: &str = "kube-apiserver-admission";

/// The clients of a server: one per [`ClientConfig`], each with its own connections.
#[derive(Debug, Default)]
pub(crate) struct Clients {
    outbound: Outbound,
    /// Least recently used first.
    open: Mutex<Vec<(Arc<ClientConfig>, Transport)>>,
}

impl Clients {
    pub(crate) fn new(outbound: Outbound) -> Self {
        Self { outbound, ..Self::default() }
    }

    /// Posts a document and reads the response. Dropping the future cancels the call. The error text is the real
    /// server's.
    pub(crate) async fn post(
        &self,
        registry: &Arc<Registry>,
        config: &Arc<ClientConfig>,
        limit: Duration,
        body: &Json,
    ) -> Result<Json, String> {
        let (origin, path) = config.place();
        let uri = format!("{origin}{path}?timeout={}s", limit.as_secs());
        let broken = |why: &dyn fmt::Display| format!("Post {uri:?}: {why}");
        let transport = self.transport(registry, config).map_err(|error| broken(&error))?;
        let mut request = Request::new(Body::from(Bytes::from(body.to_vec())));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri.parse().map_err(|error| broken(&error))?;
        for (name, value) in [
            (header::CONTENT_TYPE, "application/json"),
            (header::ACCEPT, "application/json, */*"),
            (header::USER_AGENT, USER_AGENT),
        ] {
            request.headers_mut().insert(name, http::HeaderValue::from_static(value));
        }
        let exchange = async {
            let answer = transport.oneshot(request).await.map_err(|error| broken(&in_go(&error)))?;
            let code = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), ANSWER_MAX).collect().await;
            let body =
                body.map_err(|error| format!("unexpected error when reading response body: {error}"))?;
            Ok((code, body.to_bytes()))
        };
        match tokio::time::timeout(limit, exchange).await {
            Err(_) => Err(broken(&"context deadline exceeded")),
            Ok(Err(why)) => Err(why),
            Ok(Ok((code, body))) => read(code, &body),
        }
    }

    fn transport(&self, registry: &Arc<Registry>, config: &Arc<ClientConfig>) -> io::Result<Transport> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|(known, _)| known == config) {
            let found = open.remove(at);
            let transport = found.1.clone();
            open.push(found);
            return Ok(transport);
        }
        let (origin, _) = config.place();
        let mut settings = Config::new(origin.parse().map_err(io::Error::other)?);
        let server_name = config.service.as_ref().map(|of| format!("{}.{}.svc", of.name, of.namespace));
        let ca = (!config.authorities.is_empty()).then(|| Material::Data(config.authorities.clone().into()));
        (settings.tls.ca, settings.tls.server_name) = (ca, server_name);
        settings.disable_compression = true;
        let dialer = Dialer {
            registry: Arc::downgrade(registry),
            service: config.service.clone(),
            outbound: self.outbound.clone(),
        };
        let options =
            TransportOptions::default().with_proxies(ProxyEnv::default()).with_dial(Arc::new(dialer));
        let transport = Transport::from_config_with(&settings, options).map_err(io::Error::other)?;
        if open.len() >= CLIENTS_MAX {
            open.remove(0);
        }
        open.push((Arc::clone(config), transport.clone()));
        Ok(transport)
    }
}

/// Opens connections, with Go's error texts. A service is resolved to one of its endpoints, or to its external
/// name.
struct Dialer {
    registry: Weak<Registry>,
    service: Option<ServiceRef>,
    outbound: Outbound,
}

impl fmt::Debug for Dialer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialer").field("service", &self.service).finish_non_exhaustive()
    }
}

impl Dial for Dialer {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(async move {
            let named = match &self.service {
                Some(service) => self.external(service).map(|name| (name, service.port)),
                None => Some((host.to_owned(), port)),
            };
            let (addresses, by) = match (named, &self.service) {
                (Some((name, port)), _) => (self.looked_up(&name, port).await?, Named::ByConfiguration),
                (None, Some(service)) => (vec![self.endpoint(service)?], Named::ByObject),
                (None, None) => (Vec::new(), Named::ByObject),
            };
            let mut first = None;
            for address in addresses {
                match self.outbound.connect(address, by).await {
                    Ok(stream) => return Ok(stream),
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        first.get_or_insert(error);
                    }
                    Err(error) => {
                        let why = refusal(error.kind());
                        let text = format!("dial tcp {address}: connect: {why}");
                        first.get_or_insert_with(|| io::Error::new(error.kind(), text));
                    }
                }
            }
            Err(first.unwrap_or_else(|| io::Error::other(format!("dial tcp: lookup {host}: no such host"))))
        })
    }
}

impl Dialer {
    fn external(&self, service: &ServiceRef) -> Option<String> {
        self.registry.upgrade()?.external_name(&service.namespace, &service.name)
    }

    async fn looked_up(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let found = self.outbound.resolve(host, port, Named::ByConfiguration).await;
        found.map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => error,
            _ => io::Error::other(format!("dial tcp: lookup {host}: no such host")),
        })
    }

    fn endpoint(&self, service: &ServiceRef) -> io::Result<SocketAddr> {
        let missing = || io::Error::other(format!("service {:?} not found", service.name.as_str()));
        let registry = self.registry.upgrade().ok_or_else(missing)?;
        registry.endpoint(&service.namespace, &service.name, service.port).map_err(io::Error::other)
    }
}

fn refusal(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::ConnectionRefused => "connection refused",
        io::ErrorKind::TimedOut => "connection timed out",
        io::ErrorKind::HostUnreachable => "no route to host",
        io::ErrorKind::NetworkUnreachable => "network is unreachable",
        _ => "cannot assign requested address",
    }
}

/// Parses a response.
fn read(code: u16, body: &[u8]) -> Result<Json, String> {
    let text = String::from_utf8_lossy(body);
    if !(200..300).contains(&code) {
        if let Some(status) =
            Json::parse(body).ok().filter(|status| status["kind"].as_str() == Some("Status"))
            && let Some(message) = status["message"].as_str()
        {
            return Err(message.to_owned());
        }
        let response = ServerResponse { code, verb: "POST", body: text.trim(), ..ServerResponse::default() };
        return Err(ApiError::from_response(&response).message().to_owned());
    }
    Json::parse(body)
        .ok()
        .filter(|answer| answer.as_map().is_some())
        .ok_or_else(|| format!("couldn't get version/kind; json parse error: {}", not_json(body)))
}

/// Go's error for a document that is not an object.
fn not_json(body: &[u8]) -> String {
    let of = match Json::parse(body) {
        Ok(Json::List(_)) => "array",
        Ok(Json::Bool(_)) => "bool",
        Ok(Json::Int(_) | Json::Float(_)) => "number",
        // A document that is not JSON is parsed as YAML, in which a word is a string.
        _ => "string",
    };
    format!(
        "json: cannot unmarshal {of} into Go value of type struct {{ APIVersion string \
         \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}"
    )
}

/// The text of Go's HTTP client for an error.
fn in_go(error: &TransportError) -> String {
    match error {
        TransportError::Connect(ConnectError::Unreachable { error, .. }) => error.to_string(),
        TransportError::Connect(ConnectError::Tls { error, .. }) => tls_in_go(error),
        TransportError::Connect(ConnectError::Timeout { what, .. }) if what.contains("TLS") => {
            "net/http: TLS handshake timeout".to_owned()
        }
        TransportError::Connect(ConnectError::Timeout { target, .. }) => {
            format!("dial tcp {target}: i/o timeout")
        }
        error if error.is_connection_lost() => "EOF".to_owned(),
        error => error.to_string(),
    }
}

fn tls_in_go(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let Some(rustls::Error::InvalidCertificate(why)) = inner else {
        return match inner {
            Some(rustls::Error::InvalidMessage(_)) => {
                "http: server gave HTTP response to HTTPS client".to_owned()
            }
            _ if error.kind() == io::ErrorKind::UnexpectedEof => "EOF".to_owned(),
            _ => format!("remote error: tls: {error}"),
        };
    };
    let why = match why {
        CertificateError::NotValidForNameContext { expected, presented } => {
            let names: Vec<String> = presented.iter().map(|name| plain_name(name)).collect();
            let expected = expected.to_str();
            if names.is_empty() {
                format!("certificate is not valid for any names, but wanted to match {expected}")
            } else {
                format!("certificate is valid for {}, not {expected}", names.join(", "))
            }
        }
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => {
            "certificate has expired or is not yet valid".to_owned()
        }
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "certificate specifies an incompatible key usage".to_owned()
        }
        _ => "certificate signed by unknown authority".to_owned(),
    };
    format!("tls: failed to verify certificate: x509: {why}")
}

/// A certificate's name without its type: `localhost` for `DnsName("localhost")`.
fn plain_name(name: &str) -> String {
    let inner = name.split_once('(').map_or(name, |(_, inner)| inner.trim_end_matches(')'));
    inner.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn the_url_of_a_webhook_comes_from_its_config() {
        let place = |config: Json| ClientConfig::read(&config).place();
        let of = |origin: &str, path: &str| (origin.to_owned(), path.to_owned());
        assert_eq!(place(json!({"url": "https://a.b:1/c/d"})), of("https://a.b:1", "/c/d"));
        assert_eq!(place(json!({"url": "https://a"})), of("https://a", "/"));
        let service = json!({"service": {"name": "s", "namespace": "n", "path": "/p"}});
        assert_eq!(place(service), of("https://s.n.svc:443", "/p"));
    }

    #[test]
    fn malformed_responses_have_the_errors_of_go() {
        assert_eq!(
            read(404, b"not here\n"),
            Err("the server could not find the requested resource".to_owned())
        );
        let oops = r#"an error on the server ("oops") has prevented the request from succeeding"#;
        assert_eq!(read(500, b"oops\n"), Err(oops.to_owned()));
        assert_eq!(read(200, b"{}"), Ok(json!({})));
        let text = read(200, b"oops\n").unwrap_err();
        assert!(
            text.starts_with("couldn't get version/kind; json parse error: json: cannot unmarshal string")
        );
        assert_eq!(plain_name("DnsName(\"localhost\")"), "localhost");
        assert_eq!(plain_name("IpAddress(127.0.0.1)"), "127.0.0.1");
    }
}
