//! The proxies of the environment, by Go's rules.

use std::net::IpAddr;

/// The proxies of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case. Upper case wins.
///
/// `NO_PROXY` is a comma-separated list of: `*` (everything), an address, a network such as `10.0.0.0/8`, a domain (itself and
/// all its subdomains), or a domain with a leading dot or `*.` (only its subdomains). A domain or an address may have a port.
/// `localhost` and loopback addresses never use a proxy.
///
/// ```
/// use client_rs_transport::http::ProxyEnv;
///
/// let env = ProxyEnv::from_env(|name| match name {
///     "HTTPS_PROXY" => Some("proxy.example:3128".to_owned()),
///     "NO_PROXY" => Some(".internal,10.0.0.0/8".to_owned()),
///     _ => None,
/// });
/// assert_eq!(env.proxy_for(true, "k8s.example", 6443).as_deref(), Some("http://proxy.example:3128"));
/// assert_eq!(env.proxy_for(true, "api.internal", 6443), None);
/// assert_eq!(env.proxy_for(true, "10.0.0.1", 6443), None);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ProxyEnv {
    http: String,
    https: String,
    none: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Everything,
    Network { address: IpAddr, bits: u8 },
    Address { address: IpAddr, port: Option<u16> },
    Domain { suffix: String, itself: bool, port: Option<u16> },
}

impl ProxyEnv {
    /// The proxies in the environment of the process.
    pub fn from_process() -> Self {
        Self::from_env(|name| std::env::var(name).ok())
    }

    /// The proxies in this environment. Invalid rules in `NO_PROXY` are ignored.
    pub fn from_env(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let get = |upper: &str, lower: &str| {
            let set = |name: &str| lookup(name).filter(|text| !text.is_empty());
            set(upper).or_else(|| set(lower)).unwrap_or_default()
        };
        // In a CGI program, HTTP_PROXY comes from a header of the request, so the client could choose the proxy.
        let http = if lookup("REQUEST_METHOD").is_some_and(|text| !text.is_empty()) {
            String::new()
        } else {
            get("HTTP_PROXY", "http_proxy")
        };
        let none = get("NO_PROXY", "no_proxy").split(',').filter_map(Rule::parse).collect();
        Self { http, https: get("HTTPS_PROXY", "https_proxy"), none }
    }

    /// The URL of the proxy for a host and port; `None` means a direct connection.
    pub fn proxy_for(&self, tls: bool, host: &str, port: u16) -> Option<String> {
        let proxy = if tls { &self.https } else { &self.http };
        if proxy.is_empty() || self.is_direct(host, port) {
            return None;
        }
        // A value without a scheme is an HTTP proxy.
        Some(if proxy.contains("://") { proxy.clone() } else { format!("http://{proxy}") })
    }

    fn is_direct(&self, host: &str, port: u16) -> bool {
        let host = host.trim_end_matches('.').to_lowercase();
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>().ok();
        host == "localhost"
            || address.is_some_and(|address| address.to_canonical().is_loopback())
            || self.none.iter().any(|rule| rule.matches(&host, address, port))
    }
}

impl Rule {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        if text == "*" {
            return Some(Self::Everything);
        }
        if let Some((address, bits)) = text.split_once('/') {
            let (address, bits) = (address.parse::<IpAddr>().ok()?, bits.parse::<u8>().ok()?);
            let width = if address.is_ipv4() { 32 } else { 128 };
            return (bits <= width).then_some(Self::Network { address, bits });
        }
        if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Some(Self::Address { address, port: None });
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse::<u16>().ok()?)),
            None => (text.as_str(), None),
        };
        if let Ok(address) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Some(Self::Address { address, port });
        }
        let host = host.strip_prefix('*').unwrap_or(host);
        match host.strip_prefix('.') {
            Some(below) if !below.is_empty() => {
                Some(Self::Domain { suffix: below.to_owned(), itself: false, port })
            }
            None if !host.is_empty() => Some(Self::Domain { suffix: host.to_owned(), itself: true, port }),
            _ => None,
        }
    }

    fn matches(&self, host: &str, address: Option<IpAddr>, at: u16) -> bool {
        match self {
            Self::Everything => true,
            Self::Network { address: network, bits } => {
                address.is_some_and(|address| within(address, *network, *bits))
            }
            Self::Address { address: rule, port } => {
                address == Some(*rule) && port.is_none_or(|port| port == at)
            }
            Self::Domain { suffix, itself, port } => {
                let below = host.strip_suffix(suffix.as_str());
                let named =
                    below.is_some_and(|below| if below.is_empty() { *itself } else { below.ends_with('.') });
                named && port.is_none_or(|port| port == at)
            }
        }
    }
}

fn within(address: IpAddr, network: IpAddr, bits: u8) -> bool {
    match (address.to_canonical(), network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
            address.to_bits() & mask == network.to_bits() & mask
        }
        (IpAddr::V6(address), IpAddr::V6(network)) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
            address.to_bits() & mask == network.to_bits() & mask
        }
        _ => false,
    }
}

impl std::fmt::Debug for ProxyEnv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The URLs may contain passwords.
        f.debug_struct("ProxyEnv")
            .field("http", &!self.http.is_empty())
            .field("https", &!self.https.is_empty())
            .field("none", &self.none)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> ProxyEnv {
        ProxyEnv::from_env(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_scheme_decides_and_upper_case_wins() {
        let env = env(&[
            ("HTTPS_PROXY", "http://up:1"),
            ("https_proxy", "http://low:1"),
            ("http_proxy", "plain:3128"),
        ]);
        assert_eq!(env.proxy_for(true, "k8s.example", 6443).as_deref(), Some("http://up:1"));
        assert_eq!(env.proxy_for(false, "k8s.example", 80).as_deref(), Some("http://plain:3128"));
        assert_eq!(env.proxy_for(true, "localhost", 6443), None);
        assert_eq!(env.proxy_for(true, "127.0.0.53", 6443), None);
        assert_eq!(env.proxy_for(true, "::1", 6443), None);
    }

    #[test]
    fn no_proxy_is_read_as_go_reads_it() {
        for (rules, host, port, direct) in [
            ("example.com", "example.com", 443, true),
            ("example.com", "api.example.com", 443, true),
            ("example.com", "badexample.com", 443, false),
            (".example.com", "example.com", 443, false),
            (".example.com", "api.example.com", 443, true),
            ("*.example.com", "example.com", 443, false),
            ("*.example.com", "a.b.example.com", 443, true),
            ("EXAMPLE.com", "api.Example.COM.", 443, true),
            ("example.com:6443", "example.com", 6443, true),
            ("example.com:6443", "example.com", 443, false),
            ("10.0.0.0/8", "10.20.30.40", 443, true),
            ("10.0.0.0/8", "11.0.0.1", 443, false),
            ("0.0.0.0/0", "11.0.0.1", 443, true),
            ("10.0.0.0/33", "10.0.0.1", 443, false),
            ("10.1.2.3", "10.1.2.3", 443, true),
            ("10.1.2.3:80", "10.1.2.3", 443, false),
            ("fd00::/8", "fd12::1", 443, true),
            ("[fd12::1]:6443", "fd12::1", 6443, true),
            ("fd12::1", "fd12::2", 443, false),
            ("*", "anything.example", 1, true),
            ("a, b ,,example.com", "example.com", 1, true),
            ("nonsense:port,/,.", "example.com", 1, false),
            ("10.0.0.0/8", "example.com", 1, false),
        ] {
            let env = env(&[("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", rules)]);
            assert_eq!(env.proxy_for(true, host, port).is_none(), direct, "{rules} {host}:{port}");
        }
    }

    #[test]
    fn a_cgi_programs_callers_do_not_choose_its_proxy() {
        let env = env(&[("HTTP_PROXY", "http://evil:1"), ("REQUEST_METHOD", "GET")]);
        assert_eq!(env.proxy_for(false, "example.com", 80), None);
    }

    #[test]
    fn debug_shows_no_password() {
        let env = env(&[("HTTPS_PROXY", "http://user:hunter2@p:1")]);
        assert!(!format!("{env:?}").contains("hunter2"));
    }
}
