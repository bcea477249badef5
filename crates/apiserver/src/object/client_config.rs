//! The `clientConfig` of webhooks.

use client_rs_machinery::{Json, Str};

/// The address of a webhook and the authorities that it is verified with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ClientConfig {
    /// `https://host[:port]/path`; empty for a service.
    pub(crate) url: Str,
    pub(crate) service: Option<ServiceRef>,
    /// The authorities in PEM; empty for those of the operating system.
    pub(crate) authorities: Vec<u8>,
}

/// A service of the cluster as the address of a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ServiceRef {
    pub(crate) namespace: Str,
    pub(crate) name: Str,
    pub(crate) path: Str,
    pub(crate) port: u16,
}

impl ClientConfig {
    /// Reads a `clientConfig`.
    pub(crate) fn read(config: &Json) -> Self {
        use base64::Engine as _;
        let text = |value: &Json| value.as_shared_str().cloned().unwrap_or_default();
        let authorities = config["caBundle"].as_str().unwrap_or_default();
        let authorities = base64::engine::general_purpose::STANDARD.decode(authorities).unwrap_or_default();
        let blank = authorities.iter().all(u8::is_ascii_whitespace);
        let service = &config["service"];
        let service = (!service.is_null()).then(|| ServiceRef {
            namespace: text(&service["namespace"]),
            name: text(&service["name"]),
            path: text(&service["path"]),
            port: service["port"].as_i64().and_then(|port| u16::try_from(port).ok()).unwrap_or(443),
        });
        Self { url: text(&config["url"]), service, authorities: if blank { Vec::new() } else { authorities } }
    }

    /// The scheme with host and port, and the path.
    pub(crate) fn place(&self) -> (String, String) {
        let (origin, path) = if let Some(service) = &self.service {
            let origin = format!("https://{}.{}.svc:{}", service.name, service.namespace, service.port);
            (origin, service.path.as_str())
        } else {
            let host = self.url.find("://").map_or(0, |at| at + 3);
            let path = self.url[host..].find('/').map_or(self.url.len(), |at| host + at);
            (self.url[..path].to_owned(), &self.url[path..])
        };
        (origin, format!("/{}", path.trim_start_matches('/')))
    }
}
