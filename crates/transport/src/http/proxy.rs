//! Proxies: their URLs, and the handshakes that open a tunnel to the server.

use std::fmt;
use std::io;

use percent_encoding::percent_decode_str;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::printable::printable;

/// A proxy between client and server. `Debug` and `Display` show no password.
///
/// ```
/// use client_rs_transport::http::Proxy;
///
/// let proxy = Proxy::parse("socks5://me:hunter2@proxy.example")?;
/// assert_eq!(proxy.to_string(), "socks5://proxy.example:1080");
/// assert!(Proxy::parse("ftp://proxy.example").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Proxy {
    pub(super) kind: ProxyKind,
    pub(super) host: String,
    pub(super) port: u16,
    user: Option<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ProxyKind {
    Http,
    Https,
    Socks5,
}

/// The maximum length of a proxy's response.
const MAX_ANSWER: usize = 16 * 1024;

impl Proxy {
    /// Parses a URL with the scheme `http`, `https`, `socks5` or `socks5h`. It may contain a user name and a password.
    pub fn parse(url: &str) -> Result<Self, String> {
        let (scheme, rest) = url
            .split_once("://")
            .ok_or("the URL of a proxy must begin with http://, https:// or socks5://")?;
        let (kind, default_port) = match scheme.to_ascii_lowercase().as_str() {
            "http" => (ProxyKind::Http, 80),
            "https" => (ProxyKind::Https, 443),
            "socks5" | "socks5h" => (ProxyKind::Socks5, 1080),
            other => {
                return Err(format!(
                    "the scheme {other:?} of a proxy is not supported: use http, https or socks5"
                ));
            }
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, authority),
        };
        let place: http::uri::Authority = place.parse().map_err(|_| "the URL of a proxy has no host")?;
        let host = place.host().trim_matches(['[', ']']).to_owned();
        if host.is_empty() {
            return Err("the URL of a proxy has no host".to_owned());
        }
        let user = user.map(|user| {
            let (name, password) = user.split_once(':').unwrap_or((user, ""));
            let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
            (decoded(name), decoded(password))
        });
        Ok(Self { kind, host, port: place.port_u16().unwrap_or(default_port), user })
    }

    /// The `Proxy-Authorization` header for an HTTP proxy.
    pub(super) fn authorization(&self) -> Option<String> {
        use base64::Engine as _;
        let (name, password) = self.user.as_ref()?;
        Some(format!(
            "Basic {}",
            base64::engine::general_purpose::STANDARD.encode(format!("{name}:{password}"))
        ))
    }

    /// Asks the proxy to open a tunnel to the server. Reads no byte beyond the proxy's response.
    pub(super) async fn tunnel<S>(&self, stream: &mut S, host: &str, port: u16) -> Result<(), TunnelError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        match self.kind {
            ProxyKind::Http | ProxyKind::Https => self.http_tunnel(stream, host, port).await,
            ProxyKind::Socks5 => self.socks5_tunnel(stream, host, port).await,
        }
    }

    async fn http_tunnel<S>(&self, stream: &mut S, host: &str, port: u16) -> Result<(), TunnelError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let mut request = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n");
        if let Some(authorization) = self.authorization() {
            request.push_str("Proxy-Authorization: ");
            request.push_str(&authorization);
            request.push_str("\r\n");
        }
        request.push_str("\r\n");
        stream.write_all(request.as_bytes()).await?;
        stream.flush().await?;
        let mut answer = Vec::with_capacity(256);
        while !answer.ends_with(b"\r\n\r\n") {
            if answer.len() >= MAX_ANSWER {
                return Err(TunnelError::Refused("its response is too long".to_owned()));
            }
            // One byte at a time: the bytes after the response come from the server.
            answer.push(stream.read_u8().await?);
        }
        let line = answer.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
        // The proxy's response may be shown on a terminal.
        let line = printable(&String::from_utf8_lossy(line));
        let mut words = line.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            (Some(version), Some(code), _) if version.starts_with("HTTP/1.") && code.starts_with('2') => {
                Ok(())
            }
            (Some(version), Some(code), text) if version.starts_with("HTTP/1.") => {
                Err(TunnelError::Refused(format!("{code} {}", text.unwrap_or_default())))
            }
            _ => Err(TunnelError::Refused("it does not speak HTTP".to_owned())),
        }
    }

    async fn socks5_tunnel<S>(&self, stream: &mut S, host: &str, port: u16) -> Result<(), TunnelError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        const VERSION: u8 = 5;
        const NO_AUTH: u8 = 0;
        const PASSWORD: u8 = 2;
        let refused = |why: &str| TunnelError::Refused(why.to_owned());
        let methods: &[u8] =
            if self.user.is_some() { &[VERSION, 2, NO_AUTH, PASSWORD] } else { &[VERSION, 1, NO_AUTH] };
        stream.write_all(methods).await?;
        stream.flush().await?;
        match (stream.read_u8().await?, stream.read_u8().await?, &self.user) {
            (VERSION, NO_AUTH, _) => {}
            (VERSION, PASSWORD, Some((name, password))) => {
                let too_long = || refused("user and password may have 255 bytes each");
                let name_length = u8::try_from(name.len()).map_err(|_| too_long())?;
                let password_length = u8::try_from(password.len()).map_err(|_| too_long())?;
                let mut login = vec![1, name_length];
                login.extend_from_slice(name.as_bytes());
                login.push(password_length);
                login.extend_from_slice(password.as_bytes());
                stream.write_all(&login).await?;
                stream.flush().await?;
                if (stream.read_u8().await?, stream.read_u8().await?).1 != 0 {
                    return Err(refused("user or password is wrong"));
                }
            }
            (VERSION, ..) => return Err(refused("it requires a user and password, and none was given")),
            _ => return Err(refused("it does not speak SOCKS 5")),
        }
        let mut request = vec![VERSION, 1, 0];
        match host.parse::<std::net::IpAddr>() {
            Ok(std::net::IpAddr::V4(address)) => {
                request.push(1);
                request.extend_from_slice(&address.octets());
            }
            Ok(std::net::IpAddr::V6(address)) => {
                request.push(4);
                request.extend_from_slice(&address.octets());
            }
            Err(_) => {
                let length = u8::try_from(host.len()).map_err(|_| refused("the host's name is too long"))?;
                request.extend_from_slice(&[3, length]);
                request.extend_from_slice(host.as_bytes());
            }
        }
        request.extend_from_slice(&port.to_be_bytes());
        stream.write_all(&request).await?;
        stream.flush().await?;
        let mut head = [0; 4];
        stream.read_exact(&mut head).await?;
        if head[1] != 0 {
            return Err(refused(socks5_reply(head[1])));
        }
        let address = match head[3] {
            1 => 4,
            4 => 16,
            3 => usize::from(stream.read_u8().await?),
            _ => return Err(refused("it does not speak SOCKS 5")),
        };
        let mut bound = vec![0; address + 2];
        stream.read_exact(&mut bound).await?;
        Ok(())
    }
}

/// A tunnel could not be opened.
#[derive(Debug)]
pub(super) enum TunnelError {
    Io(io::Error),
    Refused(String),
}

impl From<io::Error> for TunnelError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for TunnelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

fn socks5_reply(code: u8) -> &'static str {
    match code {
        1 => "general failure",
        2 => "its rules forbid the connection",
        3 => "the network is unreachable",
        4 => "the host is unreachable",
        5 => "the connection was refused",
        6 => "the packet's time to live has expired",
        7 => "it does not open connections",
        8 => "it does not know this type of address",
        _ => "unknown error",
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.kind {
            ProxyKind::Http => "http",
            ProxyKind::Https => "https",
            ProxyKind::Socks5 => "socks5",
        };
        let (open, close) = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{scheme}://{open}{}{close}:{}", self.host, self.port)
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy({self})")
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::duplex;

    use super::*;

    async fn through(proxy: &str, host: &str, script: &[(&[u8], &[u8])]) -> Result<(), String> {
        let proxy = Proxy::parse(proxy).unwrap();
        let (mut near, mut far) = duplex(1024);
        let server = async {
            for (expected, answer) in script {
                let mut heard = vec![0; expected.len()];
                far.read_exact(&mut heard).await.unwrap();
                assert_eq!(String::from_utf8_lossy(&heard), String::from_utf8_lossy(expected));
                far.write_all(answer).await.unwrap();
            }
            far
        };
        let (outcome, mut far) = tokio::join!(proxy.tunnel(&mut near, host, 6443), server);
        if outcome.is_ok() {
            // No byte of the server may be lost.
            far.write_all(b"!").await.unwrap();
            assert_eq!(near.read_u8().await.unwrap(), b'!');
        }
        outcome.map_err(|error| error.to_string())
    }

    #[test]
    fn urls_are_read_with_and_without_user_and_port() {
        for (url, shown, user) in [
            ("http://proxy", "http://proxy:80", None),
            ("https://proxy/", "https://proxy:443", None),
            ("socks5://10.0.0.1:9", "socks5://10.0.0.1:9", None),
            ("http://u:p%40ss@[::1]:3128", "http://[::1]:3128", Some(("u".to_owned(), "p@ss".to_owned()))),
        ] {
            let proxy = Proxy::parse(url).unwrap();
            assert_eq!((proxy.to_string().as_str(), &proxy.user), (shown, &user));
            assert!(!format!("{proxy:?}").contains("p@ss"));
        }
        for url in ["proxy:80", "ftp://proxy", "http://", "http://:80"] {
            assert!(Proxy::parse(url).is_err(), "{url}");
        }
    }

    #[tokio::test]
    async fn an_http_proxy_is_asked_to_connect() {
        let asked = b"CONNECT k8s.example:6443 HTTP/1.1\r\nHost: k8s.example:6443\r\n\r\n";
        let answer = b"HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n";
        assert_eq!(through("http://p:1", "k8s.example", &[(asked, answer)]).await, Ok(()));
        let asked = b"CONNECT [fd00::1]:6443 HTTP/1.1\r\nHost: [fd00::1]:6443\r\nProxy-Authorization: Basic dTpw\r\n\r\n";
        assert_eq!(through("http://u:p@p:1", "fd00::1", &[(asked, answer)]).await, Ok(()));
    }

    #[tokio::test]
    async fn a_refusal_by_an_http_proxy_is_reported() {
        let asked = b"CONNECT h:6443 HTTP/1.1\r\nHost: h:6443\r\n\r\n";
        for (answer, told) in [
            (
                b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n".as_slice(),
                "407 Proxy Authentication Required",
            ),
            (b"SSH-2.0-x\r\n\r\n", "it does not speak HTTP"),
            (b"HTTP/1.1 403 \x1b[2Jno\x08\nforged: line\r\n\r\n", "403 U+001B[2JnoU+0008"),
            ("HTTP/1.1 403 \u{9b}31m\u{202e}on\r\n\r\n".as_bytes(), "403 U+009B31mU+202Eon"),
        ] {
            assert_eq!(through("http://p:1", "h", &[(asked, answer)]).await, Err(told.to_owned()));
        }
    }

    #[tokio::test]
    async fn a_socks_proxy_is_asked_by_name_or_address() {
        let ok = b"\x05\0\0\x01\0\0\0\0\0\0";
        let by_name = b"\x05\x01\0\x03\x01h\x19\x2b";
        assert_eq!(through("socks5://p", "h", &[(b"\x05\x01\0", b"\x05\0"), (by_name, ok)]).await, Ok(()));
        let by_address = b"\x05\x01\0\x01\x0a\0\0\x01\x19\x2b";
        let login: &[(&[u8], &[u8])] = &[
            (b"\x05\x02\0\x02", b"\x05\x02"),
            (b"\x01\x01u\x01p", b"\x01\0"),
            (by_address, b"\x05\0\0\x03\x01x\0\0"),
        ];
        assert_eq!(through("socks5://u:p@p", "10.0.0.1", login).await, Ok(()));
    }

    #[tokio::test]
    async fn a_refusal_by_a_socks_proxy_is_reported() {
        let by_name = b"\x05\x01\0\x03\x01h\x19\x2b";
        let hello: (&[u8], &[u8]) = (b"\x05\x01\0", b"\x05\0");
        let refused = through("socks5://p", "h", &[hello, (by_name, b"\x05\x05\0\x01\0\0\0\0\0\0")]).await;
        assert_eq!(refused, Err("the connection was refused".to_owned()));
        let login = through("socks5://p", "h", &[(b"\x05\x01\0", b"\x05\xff")]).await;
        assert_eq!(login, Err("it requires a user and password, and none was given".to_owned()));
        let foreign = through("socks5://p", "h", &[(b"\x05\x01\0", b"HT")]).await;
        assert_eq!(foreign, Err("it does not speak SOCKS 5".to_owned()));
    }
}
