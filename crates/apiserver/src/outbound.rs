//! Connections that the server opens: to kubelets, pods, services and webhooks.
//!
//! All of them are opened here, and the check is on the address, not on the name: a name is resolved once, each
//! address is checked, and a checked address is dialled. So a name that later resolves to another address can't
//! bypass the check (DNS rebinding).

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use client_rs_transport::http::{Dial, Stream, TcpDialer};

/// The timeout for opening a connection.
const CONNECT_MAX: Duration = Duration::from_secs(30);

/// Opens connections for the server.
#[derive(Clone, Debug)]
pub(crate) struct Outbound {
    dial: Arc<dyn Dial>,
    loopback: bool,
}

/// The source of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The status of a node or a pod, or an endpoint of a service: every client that may write one of these.
    ByObject,
    /// The configuration of a webhook, with a URL or the external name of a service. It may name this machine.
    ByConfiguration,
}

/// The reason why an address is not dialled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotAllowed {
    Loopback,
    LinkLocal,
    Multicast,
    Unspecified,
    Reserved,
}

impl Outbound {
    /// Dials over TCP or with the given dialer. `loopback` allows addresses of this machine in objects.
    pub(crate) fn new(dial: Option<Arc<dyn Dial>>, loopback: bool) -> Self {
        Self { dial: dial.unwrap_or_else(|| Arc::new(TcpDialer::new(CONNECT_MAX))), loopback }
    }

    /// Refuses an address that must not be dialled.
    pub(crate) fn check(&self, address: IpAddr, named: Named) -> Result<(), NotAllowed> {
        match refusal(address) {
            Some(NotAllowed::Loopback) if self.loopback || named == Named::ByConfiguration => Ok(()),
            // A reserved address may belong to this machine: sandboxes and test networks do that.
            Some(NotAllowed::Reserved) if self.loopback && is_own(address) => Ok(()),
            Some(why) => Err(why),
            None => Ok(()),
        }
    }

    /// As [`check`](Self::check), for a host in an object. A name is checked when it is dialled.
    pub(crate) fn check_host(&self, host: &str, named: Named) -> Result<(), String> {
        let Ok(address) = unbracketed(host).parse() else { return Ok(()) };
        self.check(address, named).map_err(|why| why.told(address))
    }

    /// Resolves a host to the addresses that may be dialled. Fails if there are none.
    pub(crate) async fn resolve(&self, host: &str, port: u16, named: Named) -> io::Result<Vec<SocketAddr>> {
        let host = unbracketed(host);
        let found: Vec<SocketAddr> = match host.parse() {
            Ok(address) => vec![SocketAddr::new(address, port)],
            Err(_) => tokio::net::lookup_host((host, port)).await?.collect(),
        };
        let (mut allowed, mut refused) = (Vec::new(), None);
        for address in found {
            match self.check(address.ip(), named) {
                Ok(()) => allowed.push(address),
                Err(why) => refused = Some(why.told(address.ip())),
            }
        }
        match refused {
            Some(why) if allowed.is_empty() => Err(io::Error::new(io::ErrorKind::PermissionDenied, why)),
            _ => Ok(allowed),
        }
    }

    /// Opens a connection to an address.
    pub(crate) async fn connect(&self, address: SocketAddr, named: Named) -> io::Result<Stream> {
        self.check(address.ip(), named)
            .map_err(|why| io::Error::new(io::ErrorKind::PermissionDenied, why.told(address.ip())))?;
        self.dial.dial(&address.ip().to_string(), address.port()).await
    }

    /// A dialer for nodes, pods and endpoints.
    pub(crate) fn to_objects(&self) -> Arc<dyn Dial> {
        Arc::new(ToObjects(self.clone()))
    }
}

impl Default for Outbound {
    fn default() -> Self {
        Self::new(None, false)
    }
}

impl NotAllowed {
    fn told(self, address: IpAddr) -> String {
        let why = match self {
            Self::Loopback => {
                "objects may name this machine only with ServerOptions::dial_loopback \
                 (krs serve --dial-loopback)"
            }
            Self::LinkLocal => "link-local addresses are never dialled",
            Self::Multicast => "multicast addresses are never dialled",
            Self::Unspecified => "it is not the address of a host",
            Self::Reserved => {
                "it is reserved for documentation and tests; simulated nodes and pods have such addresses"
            }
        };
        format!("address not allowed: {address}: {why}")
    }
}

/// Dials addresses that come from objects.
struct ToObjects(Outbound);

impl Dial for ToObjects {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(async move {
            let mut first = None;
            for address in self.0.resolve(host, port, Named::ByObject).await? {
                match self.0.connect(address, Named::ByObject).await {
                    Ok(stream) => return Ok(stream),
                    Err(error) => {
                        first.get_or_insert(error);
                    }
                }
            }
            Err(first
                .unwrap_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{host}: no address"))))
        })
    }
}

impl fmt::Debug for ToObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToObjects").finish_non_exhaustive()
    }
}

/// Whether an interface of this machine has the address. It sends nothing.
fn is_own(address: IpAddr) -> bool {
    std::net::UdpSocket::bind((address, 0)).is_ok()
}

fn unbracketed(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// The reason why an address is refused; `None` if it is allowed. The addresses of this machine are refused here,
/// and the caller can allow them.
fn refusal(address: IpAddr) -> Option<NotAllowed> {
    // An IPv4 address in IPv6 form is the same place.
    match address.to_canonical() {
        IpAddr::V4(address) => refusal_v4(address),
        IpAddr::V6(address) => refusal_v6(address),
    }
}

fn refusal_v4(address: Ipv4Addr) -> Option<NotAllowed> {
    match address.octets() {
        [127, ..] => Some(NotAllowed::Loopback),
        [169, 254, ..] => Some(NotAllowed::LinkLocal),
        [224..=239, ..] => Some(NotAllowed::Multicast),
        [0, ..] | [255, 255, 255, 255] => Some(NotAllowed::Unspecified),
        // RFC 5737 and RFC 2544.
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] | [198, 18 | 19, ..] => {
            Some(NotAllowed::Reserved)
        }
        _ => None,
    }
}

fn refusal_v6(address: Ipv6Addr) -> Option<NotAllowed> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => Some(NotAllowed::Loopback),
        [0, 0, 0, 0, 0, 0, 0, 0] => Some(NotAllowed::Unspecified),
        [0xfe80..=0xfebf, ..] => Some(NotAllowed::LinkLocal),
        [0xff00..=0xffff, ..] => Some(NotAllowed::Multicast),
        // RFC 3849.
        [0x2001, 0x0db8, ..] => Some(NotAllowed::Reserved),
        // An IPv4 address behind a translator (RFC 6052) is that address.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            refusal_v4(Ipv4Addr::new(a, b, c, d))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Records the addresses, and opens no connection.
    #[derive(Debug, Default)]
    struct Recorder(Mutex<Vec<String>>);

    impl Dial for Recorder {
        fn dial<'a>(
            &'a self,
            host: &'a str,
            port: u16,
        ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
            self.0.lock().unwrap().push(format!("{host} {port}"));
            Box::pin(async { Err(io::Error::from(io::ErrorKind::ConnectionRefused)) })
        }
    }

    #[test]
    fn forbidden_addresses_are_refused_in_every_notation() {
        use NotAllowed::{LinkLocal, Loopback, Multicast, Reserved, Unspecified};
        for (address, expected) in [
            ("10.1.2.3", None),
            ("192.168.0.7", None),
            ("100.64.0.1", None),
            ("2001:4860::1", None),
            ("fd00::1", None),
            ("127.0.0.1", Some(Loopback)),
            ("127.8.9.1", Some(Loopback)),
            ("::1", Some(Loopback)),
            ("::ffff:127.0.0.1", Some(Loopback)),
            ("169.254.169.254", Some(LinkLocal)),
            ("::ffff:169.254.169.254", Some(LinkLocal)),
            ("64:ff9b::a9fe:a9fe", Some(LinkLocal)),
            ("fe80::1", Some(LinkLocal)),
            ("febf::1", Some(LinkLocal)),
            ("224.0.0.1", Some(Multicast)),
            ("239.255.255.250", Some(Multicast)),
            ("ff02::1", Some(Multicast)),
            ("0.0.0.0", Some(Unspecified)),
            ("0.1.2.3", Some(Unspecified)),
            ("255.255.255.255", Some(Unspecified)),
            ("::", Some(Unspecified)),
            ("192.0.2.1", Some(Reserved)),
            ("198.51.100.1", Some(Reserved)),
            ("203.0.113.1", Some(Reserved)),
            ("198.18.0.1", Some(Reserved)),
            ("198.19.255.254", Some(Reserved)),
            ("198.20.0.1", None),
            ("2001:db8::1", Some(Reserved)),
        ] {
            assert_eq!(refusal(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[tokio::test]
    async fn resolved_addresses_are_checked_and_only_those_are_dialled() {
        let recorder = Arc::new(Recorder::default());
        let dialled = || std::mem::take(&mut *recorder.0.lock().unwrap());
        let closed = Outbound::new(Some(Arc::clone(&recorder) as _), false);
        let refused = closed.to_objects().dial("localhost", 80).await.err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(refused.to_string().contains("address not allowed"), "{refused}");
        assert_eq!(dialled(), [""; 0]);
        // A configuration may name this machine, but no other refused address.
        assert!(!closed.resolve("localhost", 80, Named::ByConfiguration).await.unwrap().is_empty());
        closed.resolve("169.254.169.254", 80, Named::ByConfiguration).await.unwrap_err();
        let open = Outbound::new(Some(Arc::clone(&recorder) as _), true);
        drop(open.to_objects().dial("127.0.0.1", 81).await);
        drop(open.to_objects().dial("10.0.0.1", 82).await);
        drop(open.to_objects().dial("[fe80::1]", 83).await);
        // No machine has the address of a network.
        drop(open.to_objects().dial("203.0.113.0", 84).await);
        assert_eq!(dialled(), ["127.0.0.1 81", "10.0.0.1 82"]);
    }
}
