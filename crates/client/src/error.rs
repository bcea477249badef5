//! What a call to an API server can end with.

use std::fmt;
use std::time::Duration;

use client_rs_machinery::wire::DecodeError;
use client_rs_machinery::{ApiError, ServerAnswer};
#[cfg(feature = "streams")]
use client_rs_streams::upgrade::HandshakeError;
use client_rs_transport::http::TransportError;

use crate::request::{RequestError, ShownUrl};
use crate::write_gate::WriteRefused;

/// A call that failed.
///
/// The text says what was asked of which path, with the names of its parameters, why it failed, and what to do about it
/// where that is known ([`ApiError::hint`]). It holds no header and
/// nothing of a body beyond what the server's own message says. [`Call::url`] has the whole URL.
///
/// Since the text has the cause, [`source`](std::error::Error::source) does not repeat it. Only [`Api`](Self::Api) has one:
/// the [`ServerAnswer`], in which [`ApiError::find`] finds the [`ApiError`] under any error of one's own.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request makes no sense; nothing was sent.
    #[error("the request can't be sent: {0}")]
    Request(RequestError),
    /// The server said no.
    #[error("{} ({call}){}", error.0, Hint(&error.0))]
    Api {
        /// What was asked.
        call: Call,
        /// What the server said.
        #[source]
        error: ServerAnswer,
    },
    /// There was no answer, or it broke off.
    #[error("{call} failed: {error}{}{}", Refused(.error), Previous(.previous))]
    Transport {
        /// What was asked.
        call: Call,
        /// What happened.
        error: TransportError,
        /// What had happened the time before, if that was something else.
        previous: Option<String>,
    },
    /// It took too long. The server may have acted.
    #[error("{call} took longer than {limit:?}{}", Previous(.previous))]
    Timeout {
        /// What was asked.
        call: Call,
        /// How long it might take.
        limit: Duration,
        /// What had happened the time before.
        previous: Option<String>,
    },
    /// The client's own limit on requests leaves no room in the time given; nothing was sent.
    #[error("{call} was not sent: the client's rate limit leaves no room in time")]
    Throttled {
        /// What was asked.
        call: Call,
    },
    /// The client's [write gate](crate::RestClient::with_write_gate) is closed: this process must not write now. Asking
    /// again is of no use: stop the work that this write belongs to.
    #[error("{call} {}: {refused}", GivenUp(*.sent))]
    WriteRefused {
        /// What was asked.
        call: Call,
        /// Why the gate is closed.
        refused: WriteRefused,
        /// Whether the gate closed while the request was under way. If so, the server may have acted; if not, nothing
        /// was sent.
        sent: bool,
    },
    /// The answer is not what it should be.
    #[error("the answer to {call} can't be read: {error}")]
    Decode {
        /// What was asked.
        call: Call,
        /// What is wrong with it.
        error: DecodeError,
    },
    /// The answer is in no format that we know.
    #[error("the answer to {call} is in a format that is not known: {content_type:?}")]
    ContentType {
        /// What was asked.
        call: Call,
        /// What the server says that it is.
        content_type: String,
    },
    /// The server agreed to another protocol than was asked for.
    #[cfg(feature = "streams")]
    #[error("{call}: {error}")]
    Upgrade {
        /// What was asked.
        call: Call,
        /// What it agreed to.
        error: HandshakeError,
    },
    /// The answer is larger than what is held in memory.
    #[error(
        "the answer to {call} has more than {limit} bytes; `RestClientOptions::max_answer_bytes` says how many it may have"
    )]
    TooLarge {
        /// What was asked.
        call: Call,
        /// How many bytes it might have.
        limit: usize,
    },
    /// An object was to come, and nothing did.
    #[error("the answer to {call} is empty")]
    Empty {
        /// What was asked.
        call: Call,
    },
}

// Not a source: the text has it.
impl From<RequestError> for Error {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl Error {
    /// What the server said, if it said no.
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Api { error, .. } => Some(error),
            _ => None,
        }
    }

    /// No such object or resource.
    pub fn is_not_found(&self) -> bool {
        self.api().is_some_and(ApiError::is_not_found)
    }

    /// An object of this name is there already.
    pub fn is_already_exists(&self) -> bool {
        self.api().is_some_and(ApiError::is_already_exists)
    }

    /// The server does not know who asks.
    pub fn is_unauthorized(&self) -> bool {
        self.api().is_some_and(ApiError::is_unauthorized)
    }

    /// The one who asks may not do this.
    pub fn is_forbidden(&self) -> bool {
        self.api().is_some_and(ApiError::is_forbidden)
    }

    /// The object breaks a rule of its kind: [`ApiError::causes`] names the fields.
    pub fn is_invalid(&self) -> bool {
        self.api().is_some_and(ApiError::is_invalid)
    }

    /// The request makes no sense to the server.
    pub fn is_bad_request(&self) -> bool {
        self.api().is_some_and(ApiError::is_bad_request)
    }

    /// What was asked for is gone for good, such as a version that is no longer kept; see also
    /// [`is_resource_expired`](Self::is_resource_expired).
    pub fn is_gone(&self) -> bool {
        self.api().is_some_and(ApiError::is_gone)
    }

    /// The server has too many requests; [`retry_after`](Self::retry_after) says how long to wait.
    pub fn is_too_many_requests(&self) -> bool {
        self.api().is_some_and(ApiError::is_too_many_requests)
    }

    /// The server does not know this method on the resource.
    pub fn is_method_not_supported(&self) -> bool {
        self.api().is_some_and(ApiError::is_method_not_supported)
    }

    /// The server can't serve it now.
    pub fn is_service_unavailable(&self) -> bool {
        self.api().is_some_and(ApiError::is_service_unavailable)
    }

    /// Something broke on the server.
    pub fn is_internal_error(&self) -> bool {
        self.api().is_some_and(ApiError::is_internal_error)
    }

    /// The object has changed since it was read.
    pub fn is_conflict(&self) -> bool {
        self.api().is_some_and(ApiError::is_conflict)
    }

    /// The version asked for, or the list to be continued, is no longer kept.
    pub fn is_resource_expired(&self) -> bool {
        self.api().is_some_and(ApiError::is_resource_expired)
    }

    /// It took too long: here, on the way, or on the server.
    pub fn is_timeout(&self) -> bool {
        match self {
            Self::Timeout { .. } => true,
            Self::Transport { error, .. } => error.is_timeout(),
            Self::Api { error, .. } => error.is_timeout() || error.is_server_timeout(),
            _ => false,
        }
    }

    /// The client's write gate is closed: this process must not write now.
    pub fn is_write_refused(&self) -> bool {
        matches!(self, Self::WriteRefused { .. })
    }

    /// Nobody listens at the server's address.
    pub fn is_connection_refused(&self) -> bool {
        matches!(self, Self::Transport { error, .. } if error.is_connection_refused())
    }

    /// Would it make sense to ask again? Yes for lost connections, for time that ran out, and for a server that is
    /// overloaded (429) or fails (5xx). Whether the server has acted is another question.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Throttled { .. } => true,
            Self::Transport { error, .. } => error.is_timeout() || error.is_connection_lost(),
            Self::Api { error, .. } => error.code() >= 500 || error.is_too_many_requests(),
            _ => false,
        }
    }

    /// How long the server asks to wait before the next try, if it asks: 5 minutes at most, whatever it says.
    pub fn retry_after(&self) -> Option<Duration> {
        Some(self.api()?.suggests_client_delay()?.min(MAX_RETRY_AFTER))
    }
}

/// A server that asks for more patience than this is asked again all the same: one header parks no program.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_mins(5);

/// What was asked: the verb and the URL.
///
/// `Display` and `Debug` leave out what parameters say, but for those that can't hold anything secret: a command that is to
/// be run in a container is among them.
#[derive(Clone, PartialEq, Eq)]
pub struct Call(Box<(&'static str, String)>);

impl Call {
    /// A verb and a URL.
    pub fn new(verb: &'static str, url: impl Into<String>) -> Self {
        Self(Box::new((verb, url.into())))
    }

    /// The HTTP method.
    pub fn verb(&self) -> &'static str {
        self.0.0
    }

    /// The URL, with all its parameters.
    pub fn url(&self) -> &str {
        &self.0.1
    }

    /// The URL as far as anybody may see it.
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
        f.write_str(if self.0 { "was given up, and the server may have acted" } else { "was not sent" })
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
    fn a_cause_is_said_once() {
        let call = || Call::new("GET", "https://k8s.example");
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let error = TransportError::Other(refused.into());
        let transport = Error::Transport { call: call(), error, previous: None };
        for error in [transport, Error::from(RequestError::Empty(PathPart::Name))] {
            assert!(error.source().is_none(), "{error}");
        }
        // But what the server said is found under whatever wraps it.
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
