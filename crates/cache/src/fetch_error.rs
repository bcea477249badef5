//! [`FetchError`]: the error of a list or a watch.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{ApiError, CauseType, StatusReason};

/// The error of a list or a watch.
///
/// A reflector handles some errors differently from others: those have a variant or a method here, and all
/// others are [`Other`](Self::Other). [`api`](Self::api) returns the response of the server. Cheap to clone.
///
///
/// ```
/// use client_rs_cache::FetchError;
/// use client_rs_machinery::ApiError;
///
/// let error = FetchError::from(ApiError::resource_expired("too old resource version"));
/// assert!(error.is_expired(), "a reflector relists");
/// assert_eq!(error.api().unwrap().code(), 410);
/// assert!(FetchError::other("no route").api().is_none());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FetchError {
    /// The server responded with an error.
    Api(ApiError),
    /// The address of the server refuses connections.
    ConnectionRefused(Arc<dyn Error + Send + Sync>),
    /// The connection ended at the end of a response or of an event.
    Eof,
    /// The connection ended, broke or timed out within a response or an event.
    Disconnected(Arc<dyn Error + Send + Sync>),
    /// A watch ended in less than a second, without an event.
    VeryShortWatch,
    /// The response is a `Table`, which is a rendering for people and has no objects.
    Table,
    /// A streamed list differs from a plain list at the same version.
    Inconsistent(String),
    /// Anything else.
    Other(Arc<dyn Error + Send + Sync>),
}

impl FetchError {
    /// Makes any other error.
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(Arc::from(error.into()))
    }

    /// Returns the error response of the server, if there was one.
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Api(error) => Some(error),
            _ => None,
        }
    }

    /// Returns whether the address of the server refuses connections.
    pub fn is_connection_refused(&self) -> bool {
        matches!(self, Self::ConnectionRefused(_))
    }

    /// Returns whether the server no longer has the requested version.
    pub fn is_expired(&self) -> bool {
        self.api().is_some_and(|error| error.is_resource_expired() || error.is_gone())
    }

    /// Returns whether the requested version is ahead of the server.
    ///
    /// Servers of 1.17 and older report it only in the text of the message.
    pub fn is_too_large_resource_version(&self) -> bool {
        const WORDS: &str = "Too large resource version";
        self.api().is_some_and(|error| {
            error.has_cause(&CauseType::ResourceVersionTooLarge)
                || (error.reason() == &StatusReason::Timeout
                    && (error.causes().iter().any(|cause| cause.message == WORDS)
                        || error.message().contains(WORDS)))
        })
    }

    /// Returns whether the server reports too many requests.
    pub fn is_too_many_requests(&self) -> bool {
        self.api().is_some_and(ApiError::is_too_many_requests)
    }

    /// Returns whether the server reports an internal error.
    pub fn is_internal_error(&self) -> bool {
        self.api().is_some_and(ApiError::is_internal_error)
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Api(error) => error.explained().fmt(f),
            Self::ConnectionRefused(error) => write!(f, "connection refused: {error}"),
            Self::Eof => f.write_str("the connection ended"),
            Self::Disconnected(error) => write!(f, "the connection was lost: {error}"),
            Self::VeryShortWatch => f.write_str("very short watch: ended in under a second with no events"),
            Self::Table => f.write_str("the server sent a Table, which holds no objects"),
            Self::Inconsistent(what) => {
                write!(f, "streamed and plain list differ at the same version: {what}")
            }
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl Error for FetchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // The text already contains these errors.
            Self::ConnectionRefused(error) | Self::Disconnected(error) | Self::Other(error) => error.source(),
            Self::Api(_) | Self::Eof | Self::VeryShortWatch | Self::Table | Self::Inconsistent(_) => None,
        }
    }
}

impl From<ApiError> for FetchError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use client_rs_machinery::{ErrorCause, ErrorDetails, ErrorStatus};

    fn timeout(message: &str, cause: (&str, &str)) -> FetchError {
        ApiError::new(ErrorStatus {
            code: 504,
            reason: StatusReason::Timeout,
            message: message.into(),
            details: Some(ErrorDetails {
                causes: vec![ErrorCause {
                    cause_type: cause.0.into(),
                    message: cause.1.into(),
                    field: "".into(),
                }]
                .into(),
                ..ErrorDetails::default()
            }),
            unexpected_object: false,
        })
        .into()
    }

    #[test]
    fn too_large_by_cause_and_by_the_message_of_old_servers() {
        let words = "Too large resource version";
        for (error, expected) in [
            (timeout("x", ("ResourceVersionTooLarge", "")), true),
            (timeout("x", ("", words)), true),
            (timeout("Timeout: Too large resource version: 9, current: 8", ("", "")), true),
            (timeout("x", ("", "y")), false),
            (ApiError::bad_request(words).into(), false),
            (FetchError::Eof, false),
        ] {
            assert_eq!(error.is_too_large_resource_version(), expected, "{error}");
        }
    }
}
