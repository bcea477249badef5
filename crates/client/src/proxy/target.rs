//! What is to be reached.

use std::fmt;

/// A pod, service or node, with the port and the scheme at which it is reached: `web`, `web:http`, `https:web:8443`.
///
/// Where no port is said, the server takes the first port of a pod's first container that has one, the port without a name of a
/// service, and the kubelet's of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ProxyTarget {
    /// The object's name.
    pub name: String,
    /// Number, or name, of a port; empty: the server's choice.
    pub port: String,
    /// Whether the backend speaks TLS; its certificate is not checked by API servers, a node's apart.
    pub https: bool,
}

impl ProxyTarget {
    /// An object by its name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), port: String::new(), https: false }
    }

    /// Number, or name, of the port.
    #[must_use]
    pub fn port(mut self, port: impl fmt::Display) -> Self {
        self.port = port.to_string();
        self
    }

    /// Over TLS.
    #[must_use]
    pub fn https(mut self) -> Self {
        self.https = true;
        self
    }
}

impl From<&str> for ProxyTarget {
    /// As it stands in a path: `name`, `name:port` or `scheme:name:port`. Anything else is a name, which is refused when it
    /// is sent.
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
    fn targets_are_read_and_written_as_paths_have_them() {
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
