//! HTTPS requests to an API server, as plain as they come.

use std::time::Duration;

use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

use crate::error::{Error, Result};
use crate::kubeconfig::Access;

/// A server's response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body as text.
    pub body: String,
    /// The `Warning` headers, unchanged.
    pub warnings: Vec<String>,
}

/// Sends requests to an API server over TLS, and always verifies its certificate against the given authority alone.
///
/// Each request has its own connection and a timeout of 10 seconds. Proxies of the environment are not used: the
/// server is on this machine, or its kubeconfig would name a proxy.
#[derive(Debug)]
pub struct Probe {
    agent: Agent,
    server: String,
    token: Option<String>,
}

impl Probe {
    /// A probe with the credentials of `access`.
    pub fn new(access: &Access) -> Result<Self> {
        let unusable = |reason: String| Error::Request { url: access.server.clone(), reason };
        let mut tls = TlsConfig::builder();
        if let Some(pem) = &access.certificate_authority {
            let roots =
                certificates(pem).map_err(|error| unusable(format!("the certificate authority: {error}")))?;
            tls = tls.root_certs(RootCerts::new_with_certs(&roots));
        }
        if let Some((certificate, key)) = &access.client_certificate {
            let chain = certificates(certificate)
                .map_err(|error| unusable(format!("the client certificate: {error}")))?;
            let key =
                PrivateKey::from_pem(key).map_err(|error| unusable(format!("the client key: {error}")))?;
            tls = tls.client_cert(Some(ClientCert::new_with_certs(&chain, key)));
        }
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .proxy(None)
            .http_status_as_error(false)
            .max_idle_connections(0)
            .timeout_global(Some(Duration::from_secs(10)))
            .build();
        Ok(Self { agent: config.into(), server: access.server.clone(), token: access.token.clone() })
    }

    /// Sends a GET of `path` and returns the response, of any status; an error if there is no response.
    pub fn get(&self, path: &str) -> Result<Answer> {
        self.send("GET", path, &[], &[])
    }

    /// Sends a request and returns the response, of any status; an error if there is no response.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Result<Answer> {
        let url = format!("{}{path}", self.server.trim_end_matches('/'));
        let failed = |error: ureq::Error| Error::Request { url: url.clone(), reason: error.to_string() };
        let mut request = ureq::http::Request::builder().method(method).uri(&url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let request = request.body(body).map_err(|error| failed(error.into()))?;
        let mut response = self.agent.run(request).map_err(failed)?;
        let body = response.body_mut().read_to_string().map_err(failed)?;
        let warnings = response.headers().get_all("warning").iter();
        let warnings = warnings.filter_map(|value| value.to_str().ok()).map(str::to_owned).collect();
        Ok(Answer { status: response.status().as_u16(), body, warnings })
    }
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>, String> {
    let mut found = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| error.to_string())? {
            found.push(certificate);
        }
    }
    if found.is_empty() { Err("no certificate in it".into()) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_certificate_is_refused() {
        let mut access = Access { server: "https://127.0.0.1:1".into(), ..Access::default() };
        access.certificate_authority = Some(b"not PEM".to_vec());
        let error = Probe::new(&access).unwrap_err().to_string();
        assert!(error.contains("certificate authority: no certificate in it"), "{error}");
    }

    #[test]
    fn an_unreachable_server_is_an_error_with_the_address() {
        let access = Access { server: "https://127.0.0.1:1/".into(), ..Access::default() };
        let error = Probe::new(&access).unwrap().get("/version").unwrap_err().to_string();
        assert!(error.starts_with("GET https://127.0.0.1:1/version: "), "{error}");
    }
}
