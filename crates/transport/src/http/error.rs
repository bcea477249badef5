//! What goes wrong between a request and its response.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::ErrorChain;

/// Any error.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// A connection that did not come about. The request has certainly not been sent.
///
/// Cheap to clone: all requests that wait for the connection get it.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// No byte stream to the server, or to the proxy.
    #[error("can't connect to {target}: {error}")]
    Unreachable {
        /// Host and port.
        target: String,
        /// Why not.
        error: Arc<io::Error>,
    },
    /// The proxy does not let us through.
    #[error("the proxy {proxy} does not connect us to {target}: {why}")]
    Proxy {
        /// The proxy, without its password.
        proxy: String,
        /// Host and port.
        target: String,
        /// What it said.
        why: String,
    },
    /// The other side's certificate, or ours, was refused, or it does not speak TLS.
    #[error("no TLS with {target}: {error}{}", advice(.error))]
    Tls {
        /// Host and port.
        target: String,
        /// Why not.
        error: Arc<io::Error>,
    },
    /// There are no certificates to begin a handshake with.
    #[error("no TLS with {target}: {}", ErrorChain(&**error))]
    Certificates {
        /// Host and port.
        target: String,
        /// Why not.
        error: Arc<dyn Error + Send + Sync>,
    },
    /// Something took too long.
    #[error("{what} {target} took longer than {limit:?}")]
    Timeout {
        /// What.
        what: &'static str,
        /// Host and port.
        target: String,
        /// How long it may take.
        limit: Duration,
    },
    /// An HTTP/1.1 connection could not begin.
    #[error("no HTTP/1.1 with {target}: {why}")]
    Http1 {
        /// Host and port.
        target: String,
        /// What happened.
        why: String,
    },
    /// The server began no HTTP/2 connection though it had agreed to.
    #[error("no HTTP/2 with {target}: {why}")]
    Http2 {
        /// Host and port.
        target: String,
        /// What happened.
        why: String,
    },
    /// Nobody works on it any more: the runtime is shutting down.
    #[error("the connection to {target} was given up")]
    GivenUp {
        /// Host and port.
        target: String,
    },
}

/// A request that got no response, or a response whose body broke off.
///
/// The texts name hosts, never headers or bodies: no secret gets out this way.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// There is no connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The connection failed after the request, or a part of it, had been sent: the server may have acted.
    #[error("the connection to {target} failed: {}", deepest(.error))]
    Connection {
        /// Host and port.
        target: String,
        /// How.
        error: hyper::Error,
    },
    /// The body is not what its `Content-Encoding` says.
    #[error("the response can't be decompressed: {0}")]
    Decompress(io::Error),
    /// The body is larger than the most that is collected in memory.
    #[error(
        "the response is larger than {limit} bytes: read it as a stream, ask for less, or raise HttpOptions::max_collected"
    )]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// There is no credential to send.
    #[error("no credential for the request: {}", ErrorChain(&**.0))]
    Credentials(BoxError),
    /// The configuration makes no sense.
    #[error("the transport can't be built: {0}")]
    Config(String),
    /// From a layer, or a body, of the caller's own.
    #[error(transparent)]
    Other(BoxError),
}

impl TransportError {
    /// From a layer's error, which may be one of ours already.
    pub fn from_box(error: BoxError) -> Self {
        match error.downcast::<Self>() {
            Ok(error) => *error,
            Err(error) => Self::Other(error),
        }
    }

    /// Did it take too long?
    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Connect(ConnectError::Timeout { .. }) => true,
            Self::Connect(ConnectError::Unreachable { error, .. } | ConnectError::Tls { error, .. }) => {
                error.kind() == io::ErrorKind::TimedOut
            }
            Self::Connection { error, .. } => {
                error.is_timeout() || io_kind(error) == Some(io::ErrorKind::TimedOut)
            }
            Self::Other(error) => {
                error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::TimedOut)
            }
            _ => false,
        }
    }

    /// Does nobody listen at the server's, or the proxy's, address?
    pub fn is_connection_refused(&self) -> bool {
        matches!(self, Self::Connect(ConnectError::Unreachable { error, .. })
            if error.kind() == io::ErrorKind::ConnectionRefused)
    }

    /// Was a connection lost that had been there: closed, reset, or broken off in the middle?
    ///
    /// Whether the server has acted is not known then.
    pub fn is_connection_lost(&self) -> bool {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
        let lost = |kind| {
            matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
        };
        match self {
            Self::Connection { error, .. } => {
                error.is_incomplete_message()
                    || error.is_closed()
                    || error.is_canceled()
                    || io_kind(error).is_some_and(lost)
                    || h2_error(error).is_some_and(h2::Error::is_go_away)
                    || h2_error(error).is_some_and(|error| error.reason() == Some(h2::Reason::REFUSED_STREAM))
            }
            Self::Connect(ConnectError::Unreachable { error, .. } | ConnectError::Tls { error, .. }) => {
                lost(error.kind())
            }
            Self::Decompress(error) => error.kind() == UnexpectedEof,
            _ => false,
        }
    }

    /// Has the server certainly not acted on the request? Then it can be sent again whatever it is.
    pub fn is_unprocessed(&self) -> bool {
        match self {
            Self::Connect(_) => true,
            Self::Connection { error, .. } => h2_error(error).is_some_and(unprocessed),
            _ => false,
        }
    }

    /// Did the server end this one stream of an HTTP/2 connection?
    pub fn is_stream_error(&self) -> bool {
        let Self::Connection { error, .. } = self else { return false };
        h2_error(error).is_some_and(h2::Error::is_reset)
    }
}

/// The server says of these streams that it has not looked at them.
fn unprocessed(error: &h2::Error) -> bool {
    let refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
    // Only streams above the last one that the server took end with its GOAWAY.
    let left_out = error.is_go_away() && error.is_remote() && error.reason() == Some(h2::Reason::NO_ERROR);
    refused || left_out
}

fn io_kind(error: &hyper::Error) -> Option<io::ErrorKind> {
    sources(error).find_map(|source| {
        let io = source.downcast_ref::<io::Error>().map(io::Error::kind);
        io.or_else(|| source.downcast_ref::<h2::Error>()?.get_io().map(io::Error::kind))
    })
}

fn h2_error(error: &hyper::Error) -> Option<&h2::Error> {
    sources(error).find_map(|source| source.downcast_ref())
}

fn sources<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// What a person can do about a handshake that failed, behind what the library says.
fn advice(error: &io::Error) -> &'static str {
    use rustls::{AlertDescription as Alert, CertificateError as Bad, Error as Tls, InvalidMessage};
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(Tls::InvalidCertificate(Bad::UnknownIssuer | Bad::BadSignature)) => {
            ": the server's certificate comes from an authority that is not trusted; check certificate-authority"
        }
        Some(Tls::InvalidCertificate(Bad::NotValidForName | Bad::NotValidForNameContext { .. })) => {
            ": check the server's address, or set tls-server-name"
        }
        Some(Tls::InvalidCertificate(Bad::Expired | Bad::ExpiredContext { .. })) => {
            ": the server's certificate has expired"
        }
        Some(Tls::InvalidCertificate(Bad::NotValidYet | Bad::NotValidYetContext { .. })) => {
            ": check the clocks of client and server"
        }
        Some(Tls::AlertReceived(
            Alert::BadCertificate
            | Alert::CertificateExpired
            | Alert::CertificateRequired
            | Alert::CertificateRevoked
            | Alert::CertificateUnknown
            | Alert::UnknownCA
            | Alert::UnsupportedCertificate,
        )) => ": the server does not take the client's certificate",
        Some(Tls::InvalidMessage(InvalidMessage::InvalidContentType)) => {
            ": the server does not speak TLS; is its address http://?"
        }
        _ => "",
    }
}

/// Libraries say little on the outside; what happened is in the middle.
fn deepest(error: &hyper::Error) -> String {
    let mut text = error.to_string();
    for source in sources(error).skip(1) {
        let inner = source.to_string();
        if !text.contains(&inner) {
            text = format!("{text}: {inner}");
        }
    }
    text
}
