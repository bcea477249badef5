//! The errors between a request and its response.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::ErrorChain;

/// Any error.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// A connection could not be opened. The request was certainly not sent.
///
/// Cloning is cheap: all requests that wait for the connection get the error.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The server, or the proxy, can't be reached.
    #[error("can't connect to {target}: {error}")]
    Unreachable {
        /// Host and port.
        target: String,
        /// The cause.
        error: Arc<io::Error>,
    },
    /// The proxy did not open a connection to the server.
    #[error("the proxy {proxy} did not connect to {target}: {why}")]
    Proxy {
        /// The proxy, without its password.
        proxy: String,
        /// Host and port.
        target: String,
        /// The proxy's response.
        why: String,
    },
    /// One side rejected the certificate of the other, or the server does not use TLS.
    #[error("the TLS handshake with {target} failed: {error}{}", advice(.error))]
    Tls {
        /// Host and port.
        target: String,
        /// The cause.
        error: Arc<io::Error>,
    },
    /// The certificates for a handshake could not be loaded.
    #[error("the TLS handshake with {target} failed: {}", ErrorChain(&**error))]
    Certificates {
        /// Host and port.
        target: String,
        /// The cause.
        error: Arc<dyn Error + Send + Sync>,
    },
    /// A step took too long.
    #[error("{what} {target} took longer than {limit:?}")]
    Timeout {
        /// The step.
        what: &'static str,
        /// Host and port.
        target: String,
        /// The time limit.
        limit: Duration,
    },
    /// An HTTP/1.1 connection could not be established.
    #[error("the HTTP/1.1 connection to {target} failed: {why}")]
    Http1 {
        /// Host and port.
        target: String,
        /// The cause.
        why: String,
    },
    /// An HTTP/2 connection could not be established, although the server had agreed to it.
    #[error("the HTTP/2 connection to {target} failed: {why}")]
    Http2 {
        /// Host and port.
        target: String,
        /// The cause.
        why: String,
    },
    /// The attempt was abandoned: the runtime is shutting down.
    #[error("the attempt to connect to {target} was abandoned")]
    GivenUp {
        /// Host and port.
        target: String,
    },
}

/// A request got no response, or the body of a response broke off.
///
/// The messages name hosts, never headers or bodies, so they contain no secret. Use the methods to decide about a retry: after
/// [`is_unprocessed`](Self::is_unprocessed), every request can be sent again.
///
/// ```
/// use client_rs_transport::Config;
/// use client_rs_transport::http::{Body, Transport};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // No process listens on this port.
/// # let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
/// let transport = Transport::from_config(&Config::new(format!("http://127.0.0.1:{port}").parse()?))?;
/// let error = transport.oneshot(http::Request::get("/").body(Body::empty())?).await.unwrap_err();
/// assert!(error.is_connection_refused());
/// assert!(error.is_unprocessed(), "safe to send again");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// No connection could be opened.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The connection failed after the request, or a part of it, was sent. The server may have processed it.
    #[error("the connection to {target} failed: {}", deepest(.error))]
    Connection {
        /// Host and port.
        target: String,
        /// The cause.
        error: BoxError,
    },
    /// The body does not match its `Content-Encoding`.
    #[error("the response can't be decompressed: {0}")]
    Decompress(io::Error),
    /// The body is larger than the limit for bodies in memory.
    #[error(
        "the response is larger than {limit} bytes: read it as a stream, ask for less, or raise HttpOptions::max_collected"
    )]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The credential for the request could not be obtained.
    #[error("can't get the credential for the request: {}", ErrorChain(&**.0))]
    Credentials(BoxError),
    /// The configuration is not valid.
    #[error("the transport can't be built: {0}")]
    Config(String),
    /// An error of a layer or body that the caller added.
    #[error(transparent)]
    Other(BoxError),
}

impl TransportError {
    /// Converts the error of a layer, which may already be a `TransportError`.
    pub fn from_box(error: BoxError) -> Self {
        match error.downcast::<Self>() {
            Ok(error) => *error,
            Err(error) => Self::Other(error),
        }
    }

    /// Returns `true` if a time limit was exceeded.
    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Connect(ConnectError::Timeout { .. }) => true,
            Self::Connect(ConnectError::Unreachable { error, .. } | ConnectError::Tls { error, .. }) => {
                error.kind() == io::ErrorKind::TimedOut
            }
            Self::Connection { error, .. } => {
                hyper_error(error).is_some_and(hyper::Error::is_timeout)
                    || io_kind(error) == Some(io::ErrorKind::TimedOut)
            }
            Self::Other(error) => {
                error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::TimedOut)
            }
            _ => false,
        }
    }

    /// Returns `true` if no process listens at the address of the server or the proxy.
    pub fn is_connection_refused(&self) -> bool {
        matches!(self, Self::Connect(ConnectError::Unreachable { error, .. })
            if error.kind() == io::ErrorKind::ConnectionRefused)
    }

    /// Returns `true` if an existing connection was lost: closed, reset, or broken off in the middle.
    ///
    /// It is unknown whether the server has processed the request.
    pub fn is_connection_lost(&self) -> bool {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
        let lost = |kind| {
            matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof)
        };
        match self {
            Self::Connection { error, .. } => {
                let lost_by_hyper = |error: &hyper::Error| {
                    error.is_incomplete_message() || error.is_closed() || error.is_canceled()
                };
                hyper_error(error).is_some_and(lost_by_hyper)
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

    /// Returns `true` if the server has certainly not processed the request. Then it is safe to send any request again.
    pub fn is_unprocessed(&self) -> bool {
        match self {
            Self::Connect(_) => true,
            Self::Connection { error, .. } => h2_error(error).is_some_and(unprocessed),
            _ => false,
        }
    }

    /// Returns `true` if the server ended this one stream of an HTTP/2 connection.
    pub fn is_stream_error(&self) -> bool {
        let Self::Connection { error, .. } = self else { return false };
        h2_error(error).is_some_and(h2::Error::is_reset)
    }
}

/// Returns `true` if the server reports that it has not processed the stream.
fn unprocessed(error: &h2::Error) -> bool {
    let refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
    // A GOAWAY ends only the streams above the last one that the server accepted.
    let left_out = error.is_go_away() && error.is_remote() && error.reason() == Some(h2::Reason::NO_ERROR);
    refused || left_out
}

fn io_kind(error: &BoxError) -> Option<io::ErrorKind> {
    sources(&**error).find_map(|source| {
        let io = source.downcast_ref::<io::Error>().map(io::Error::kind);
        io.or_else(|| source.downcast_ref::<h2::Error>()?.get_io().map(io::Error::kind))
    })
}

fn hyper_error(error: &BoxError) -> Option<&hyper::Error> {
    sources(&**error).find_map(|source| source.downcast_ref())
}

fn h2_error(error: &BoxError) -> Option<&h2::Error> {
    sources(&**error).find_map(|source| source.downcast_ref())
}

fn sources<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// Advice for the user, to append to the TLS library's message.
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
        )) => ": the server does not accept the client's certificate",
        Some(Tls::InvalidMessage(InvalidMessage::InvalidContentType)) => {
            ": the server does not speak TLS; is its address http://?"
        }
        _ => "",
    }
}

/// The innermost error of a library, which contains the actual cause.
fn deepest(error: &BoxError) -> String {
    let mut text = error.to_string();
    for source in sources(&**error).skip(1) {
        let inner = source.to_string();
        if !text.contains(&inner) {
            text = format!("{text}: {inner}");
        }
    }
    text
}
