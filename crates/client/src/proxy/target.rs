//! The target of a proxied request.

use std::fmt;

/// A pod, service or node with a port and a scheme: `web`, `web:http`, `https:web:8443`.
///
/// Without a port, the API server uses the first port of a pod's first container that has one, the unnamed port of a service, or the
/// kubelet's port of a node.
///
/// ```
/// use client_rs_client::proxy::ProxyTarget;
///
/// let target = ProxyTarget::new("web").port(8443).https();
/// assert_eq!(target.to_string(), "https:web:8443");
/// assert_eq!(ProxyTarget::from("https:web:8443"), target);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ProxyTarget {
    /// The name of the object.
    pub name: String,
    /// The number or the name of a port. Empty: the server chooses.
    pub port: String,
    /// Whether to connect with TLS. API servers verify the certificate of a node, but not that of a pod or service.
    pub https: bool,
}

impl ProxyTarget {
    /// Selects an object by name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), port: String::new(), https: false }
    }

    /// Sets the port, by number or by name.
    ///
    /// ```
    /// use client_rs_client::proxy::ProxyTarget;
    ///
    /// assert_eq!(ProxyTarget::new("web").port("metrics").to_string(), "web:metrics");
    /// ```
    #[must_use]
    pub fn port(mut self, port: impl fmt::Display) -> Self {
        self.port = port.to_string();
        self
    }

    /// Connects to the backend with TLS.
    #[must_use]
    pub fn https(mut self) -> Self {
        self.https = true;
        self
    }
}

impl From<&str> for ProxyTarget {
    /// Parses `name`, `name:port` or `scheme:name:port`. Any other text is used as the name, and the request fails when it is sent.
    fn from(text: &str) -> Self {
        match *text.split(':').collect::<Vec<_>>().as_slice() {
            [name, port] => Self::new(name).port(port),
            [scheme @ ("" | "http" | "https"), name, port] => {
                Self { https: scheme == "https", ..Self::new(name).port(port) }
            }
            _ => Self::new(text),
        }
    }
}

impl fmt::Display for ProxyTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, port, https } = self;
        match (https, port.as_str()) {
            (true, port) => write!(f, "https:{name}:{port}"),
            (false, "") => f.write_str(name),
            (false, port) => write!(f, "{name}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_parsed_and_formatted_as_in_paths() {
        for (text, written) in [
            ("web", "web"),
            ("web:80", "web:80"),
            ("web:http", "web:http"),
            ("http:web:80", "web:80"),
            (":web:80", "web:80"),
            ("https:web:8443", "https:web:8443"),
            ("https:web:", "https:web:"),
            ("ftp:web:21", "ftp:web:21"),
            ("a:b:c:d", "a:b:c:d"),
        ] {
            assert_eq!(ProxyTarget::from(text).to_string(), written, "{text}");
        }
        assert_eq!(ProxyTarget::new("web").port(443).https(), ProxyTarget::from("https:web:443"));
    }
}
