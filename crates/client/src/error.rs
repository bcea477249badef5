//! [`Error`]: the failures of a call to an API server.

use std::fmt;
use std::time::Duration;

use client_rs_machinery::wire::DecodeError;
use client_rs_machinery::{ApiError, ServerAnswer};
#[cfg(feature = "streams")]
use client_rs_streams::upgrade::HandshakeError;
use client_rs_transport::http::TransportError;

use crate::request::{RequestError, ShownUrl};
use crate::write_gate::WriteRefused;

/// A call failed.
///
/// The methods classify the error: use them instead of matching on the variants or on texts.
///
/// ```
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::{Api, testing::Canned};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// # let server = Canned::new().fail("GET /api/v1/namespaces/default/pods/web", 404, "NotFound");
/// # let pods = Api::<Pod>::namespaced(&server.client(), "default");
/// let phase = match pods.get("web").await {
///     Ok(pod) => pod.status.phase.to_string(),
///     Err(error) if error.is_not_found() => "missing".to_owned(),
///     Err(error) => return Err(error),
/// };
/// assert_eq!(phase, "missing");
/// # Ok(())
/// # }
/// ```
///
/// The text contains the method and the path of the request, the names of its parameters, the cause, and advice if there is
/// any ([`ApiError::hint`]). It contains no header, and no part of a body except the server's own message. [`Call::url`] has
/// the whole URL.
///
/// The text already contains the cause, so [`source`](std::error::Error::source) does not repeat it. Only [`Api`](Self::Api)
/// has a source: the [`ServerAnswer`], so that [`ApiError::find`] finds the [`ApiError`] inside any error that wraps this one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is not valid; nothing was sent.
    #[error("the request can't be sent: {0}")]
    Request(RequestError),
    /// The server refused the request.
    #[error("{} ({call}){}", error.0, Hint(&error.0))]
    Api {
        /// The request.
        call: Call,
        /// The error of the server.
        #[source]
        error: ServerAnswer,
    },
    /// There was no response, or it broke off.
    #[error("{call} failed: {error}{}{}", Refused(.error), Previous(.previous))]
    Transport {
        /// The request.
        call: Call,
        /// The cause.
        error: TransportError,
        /// The error of the previous attempt, if it was a different one.
        previous: Option<String>,
    },
    /// The call took too long. The server may have processed it.
    #[error("{call} took longer than {limit:?}{}", Previous(.previous))]
    Timeout {
        /// The request.
        call: Call,
        /// The time limit.
        limit: Duration,
        /// The error of the previous attempt.
        previous: Option<String>,
    },
    /// The client's own rate limit does not permit the request within its time limit; nothing was sent.
    #[error("{call} was not sent: the client's rate limit does not permit it within its time limit")]
    Throttled {
        /// The request.
        call: Call,
    },
    /// The client's [write gate](crate::RestClient::with_write_gate) is closed: this process must not write now. Do not retry:
    /// stop the work that this write belongs to.
    #[error("{call} {}: {refused}", GivenUp(*.sent))]
    WriteRefused {
        /// The request.
        call: Call,
        /// The reason why the gate is closed.
        refused: WriteRefused,
        /// Whether the gate closed while the request was in flight. If so, the server may have processed it; if not, nothing
        /// was sent.
        sent: bool,
    },
    /// The response can't be decoded.
    #[error("the response to {call} can't be decoded: {error}")]
    Decode {
        /// The request.
        call: Call,
        /// The cause.
        error: DecodeError,
    },
    /// The response has an unknown format.
    #[error("the response to {call} has an unknown format: {content_type:?}")]
    ContentType {
        /// The request.
        call: Call,
        /// The `Content-Type` of the response.
        content_type: String,
    },
    /// The server agreed to another protocol than the requested one.
    #[cfg(feature = "streams")]
    #[error("{call}: {error}")]
    Upgrade {
        /// The request.
        call: Call,
        /// The cause.
        error: HandshakeError,
    },
    /// The response is larger than the limit for responses in memory.
    #[error(
        "the response to {call} has more than {limit} bytes: raise `RestClientOptions::max_answer_bytes`, or ask for less"
    )]
    TooLarge {
        /// The request.
        call: Call,
        /// The limit in bytes.
        limit: usize,
    },
    /// The response is empty, although an object was expected.
    #[error("the response to {call} is empty")]
    Empty {
        /// The request.
        call: Call,
    },
}

// Not a source: the message contains its text.
impl From<RequestError> for Error {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl Error {
    /// The error of the server, if the server refused the request.
    ///
    /// ```
    /// # use client_rs_client::{Request, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let client = Canned::new().fail("GET /api/v1/nodes", 403, "Forbidden").client();
    /// let error = client.send_raw(Request::get().api("", "v1").resource("nodes")).await.unwrap_err();
    /// let api = error.api().expect("a response of the server");
    /// assert_eq!(api.code(), 403);
    /// # }
    /// ```
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Api { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Returns `true` if the object or the resource was not found (404).
    pub fn is_not_found(&self) -> bool {
        self.api().is_some_and(ApiError::is_not_found)
    }

    /// Returns `true` if an object with this name already exists.
    pub fn is_already_exists(&self) -> bool {
        self.api().is_some_and(ApiError::is_already_exists)
    }

    /// Returns `true` if the server does not accept the credentials (401).
    pub fn is_unauthorized(&self) -> bool {
        self.api().is_some_and(ApiError::is_unauthorized)
    }

    /// Returns `true` if the user is not permitted to do this (403).
    pub fn is_forbidden(&self) -> bool {
        self.api().is_some_and(ApiError::is_forbidden)
    }

    /// Returns `true` if the object is not valid (422); [`ApiError::causes`] names the fields.
    pub fn is_invalid(&self) -> bool {
        self.api().is_some_and(ApiError::is_invalid)
    }

    /// Returns `true` if the request is malformed (400).
    pub fn is_bad_request(&self) -> bool {
        self.api().is_some_and(ApiError::is_bad_request)
    }

    /// Returns `true` if the requested state is permanently gone, such as a version that the server no longer keeps (410); see
    /// also [`is_resource_expired`](Self::is_resource_expired).
    pub fn is_gone(&self) -> bool {
        self.api().is_some_and(ApiError::is_gone)
    }

    /// Returns `true` if the server has too many requests (429); [`retry_after`](Self::retry_after) returns the time to wait.
    pub fn is_too_many_requests(&self) -> bool {
        self.api().is_some_and(ApiError::is_too_many_requests)
    }

    /// Returns `true` if the resource does not support this method (405).
    pub fn is_method_not_supported(&self) -> bool {
        self.api().is_some_and(ApiError::is_method_not_supported)
    }

    /// Returns `true` if the server can't process the request now (503).
    pub fn is_service_unavailable(&self) -> bool {
        self.api().is_some_and(ApiError::is_service_unavailable)
    }

    /// Returns `true` if the server failed internally (500).
    pub fn is_internal_error(&self) -> bool {
        self.api().is_some_and(ApiError::is_internal_error)
    }

    /// Returns `true` if the object has changed since it was read. See [`retry_on_conflict`](crate::retry_on_conflict).
    pub fn is_conflict(&self) -> bool {
        self.api().is_some_and(ApiError::is_conflict)
    }

    /// Returns `true` if the server no longer keeps the requested version, or the state that a `continue` token refers to.
    pub fn is_resource_expired(&self) -> bool {
        self.api().is_some_and(ApiError::is_resource_expired)
    }

    /// Returns `true` if the call took too long: in the client, on the network, or on the server.
    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Timeout { .. } => true,
            Self::Transport { error, .. } => error.is_timeout(),
            Self::Api { error, .. } => error.is_timeout() || error.is_server_timeout(),
            _ => false,
        }
    }

    /// Returns `true` if the client's write gate is closed: this process must not write now.
    pub fn is_write_refused(&self) -> bool {
        matches!(self, Self::WriteRefused { .. })
    }

    /// Returns `true` if no process listens at the server's address.
    pub fn is_connection_refused(&self) -> bool {
        matches!(self, Self::Transport { error, .. } if error.is_connection_refused())
    }

    /// Returns `true` if a retry may succeed: after a lost connection or a timeout, or if the server is overloaded (429) or fails
    /// (5xx). This does not imply that the server has not processed the request.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_client::{Api, Backoff, Error, retry, testing::Canned};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Error> {
    /// let server = Canned::new()
    ///     .fail("GET /api/v1/namespaces/default/pods/web", 503, "ServiceUnavailable")
    ///     .on("GET /api/v1/namespaces/default/pods/web", "{}");
    /// let pods = Api::<Pod>::namespaced(&server.client(), "default");
    /// retry::on_error(Backoff::DEFAULT_RETRY, Error::is_transient, async || pods.get("web").await).await?;
    /// assert_eq!(server.calls().len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Throttled { .. } => true,
            Self::Transport { error, .. } => error.is_timeout() || error.is_connection_lost(),
            Self::Api { error, .. } => error.code() >= 500 || error.is_too_many_requests(),
            _ => false,
        }
    }

    /// The time that the server requests before the next attempt, at most 5 minutes; `None` if it requests none.
    ///
    /// ```
    /// use std::time::Duration;
    /// # use client_rs_client::{Request, testing::Canned};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let status = r#"{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "TooManyRequests",
    /// #     "code": 429, "details": {"retryAfterSeconds": 7}}"#;
    /// # let busy = http::Response::builder().status(429).header("content-type", "application/json").body(status).unwrap();
    /// # let client = Canned::new().respond("POST /api/v1/nodes", busy).client();
    /// let error = client.send_raw(Request::post().api("", "v1").resource("nodes")).await.unwrap_err();
    /// assert!(error.is_too_many_requests());
    /// assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    /// # }
    /// ```
    pub fn retry_after(&self) -> Option<Duration> {
        Some(self.api()?.suggests_client_delay()?.min(MAX_RETRY_AFTER))
    }
}

/// The longest `Retry-After` that the client follows, so that one header can't block a program.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_mins(5);

/// The method and the URL of a request.
///
/// `Display` and `Debug` leave out the values of parameters, except those that can't contain a secret: a command to run in a
/// container is a parameter.
///
/// ```
/// use client_rs_client::Call;
///
/// let call = Call::new("GET", "https://k8s.example/api/v1/pods?command=secret");
/// assert!(!call.to_string().contains("secret"));
/// assert!(call.url().contains("secret"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Call(Box<(&'static str, String)>);

impl Call {
    /// A call with this method and URL.
    pub fn new(verb: &'static str, url: impl Into<String>) -> Self {
        Self(Box::new((verb, url.into())))
    }

    /// The HTTP method.
    pub fn verb(&self) -> &'static str {
        self.0.0
    }

    /// The URL with all its parameters. It may contain secrets.
    pub fn url(&self) -> &str {
        &self.0.1
    }

    /// The URL without secrets.
    pub(crate) fn shown_url(&self) -> ShownUrl<'_> {
        ShownUrl(self.url())
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb(), self.shown_url())
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

struct Hint<'a>(&'a ApiError);

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hint().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

struct Refused<'a>(&'a TransportError);

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_connection_refused() {
            f.write_str(
                "; is the API server running, and is this its address? It comes from the kubeconfig",
            )?;
        }
        Ok(())
    }
}

struct GivenUp(bool);

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 {
            "was cancelled, and the server may have processed it"
        } else {
            "was not sent"
        })
    }
}

struct Previous<'a>(&'a Option<String>);

impl fmt::Display for Previous<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(previous) => write!(f, " - error from a previous attempt: {previous}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use client_rs_machinery::ServerResponse;

    use super::*;
    use crate::PathPart;

    #[test]
    fn a_cause_is_contained_once() {
        let call = || Call::new("GET", "https://k8s.example");
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let error = TransportError::Other(refused.into());
        let transport = Error::Transport { call: call(), error, previous: None };
        for error in [transport, Error::from(RequestError::Empty(PathPart::Name))] {
            assert!(error.source().is_none(), "{error}");
        }
        // The server's error is found inside any error that wraps it.
        let response = ServerResponse { code: 404, verb: "GET", ..ServerResponse::default() };
        let api = Error::Api { call: call(), error: ApiError::from_response(&response).into() };
        assert!(ApiError::find(&api).is_some_and(ApiError::is_not_found));
        assert_eq!(
            api.source().map(ToString::to_string).as_deref(),
            Some("the server answered 404 NotFound")
        );
    }

    #[test]
    fn a_call_shows_its_path_and_the_names_of_its_parameters() {
        for (url, shown) in [
            (
                "https://k8s.example/api/v1/pods?limit=5&watch=true",
                "https://k8s.example/api/v1/pods?limit=5&watch=true",
            ),
            (
                "https://k8s.example/api/v1/namespaces/n/pods/p/exec?command=login&command=--password%3Dhunter2&container=app",
                "https://k8s.example/api/v1/namespaces/n/pods/p/exec?command=...&command=...&container=app",
            ),
            (
                "https://me:hunter2@k8s.example:6443/api?labelSelector=a",
                "https://k8s.example:6443/api?labelSelector=...",
            ),
            ("https://me:hunter2@k8s.example", "https://k8s.example"),
            ("/a@b/c?hunter2", "/a@b/c?..."),
            ("", ""),
        ] {
            let call = Call::new("GET", url);
            assert_eq!((call.to_string(), call.url()), (format!("GET {shown}"), url));
            assert_eq!(format!("{call:?}"), call.to_string());
        }
    }
}
