//! Why a list or a watch failed, as far as a reflector must tell reasons apart.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{ApiError, CauseType, StatusReason};

/// Why a list or a watch failed.
///
/// A reflector treats some failures differently from others; what it must tell apart has a variant or a
/// question here, all else is [`Other`](Self::Other). What the server answered is in [`api`](Self::api). Cheap to clone.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FetchError {
    /// The server answered with an error.
    Api(ApiError),
    /// Nobody listens at the server's address.
    ConnectionRefused(Arc<dyn Error + Send + Sync>),
    /// The connection ended where an answer or an event could have ended.
    Eof,
    /// The connection ended, broke or timed out in the middle of something.
    Disconnected(Arc<dyn Error + Send + Sync>),
    /// A watch ended in under a second and had said nothing.
    VeryShortWatch,
    /// The answer is a `Table`: what a server renders for people, not objects.
    Table,
    /// What was streamed is not what the server lists at the same version.
    Inconsistent(String),
    /// Anything else.
    Other(Arc<dyn Error + Send + Sync>),
}

impl FetchError {
    /// Any other error.
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(Arc::from(error.into()))
    }

    /// The server's answer, where it gave one.
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Api(error) => Some(error),
            _ => None,
        }
    }

    /// Does nobody listen at the server's address?
    pub fn is_connection_refused(&self) -> bool {
        matches!(self, Self::ConnectionRefused(_))
    }

    /// Is the version asked for no longer kept?
    pub fn is_expired(&self) -> bool {
        self.api().is_some_and(|error| error.is_resource_expired() || error.is_gone())
    }

    /// Is the version asked for ahead of what the server has seen?
    ///
    /// Servers of 1.17 and before say so in words only.
    pub fn is_too_large_resource_version(&self) -> bool {
        const WORDS: &str = "Too large resource version";
        self.api().is_some_and(|error| {
            error.has_cause(&CauseType::ResourceVersionTooLarge)
                || (error.reason() == &StatusReason::Timeout
                    && (error.causes().iter().any(|cause| cause.message == WORDS)
                        || error.message().contains(WORDS)))
        })
    }

    /// Are there too many requests?
    pub fn is_too_many_requests(&self) -> bool {
        self.api().is_some_and(ApiError::is_too_many_requests)
    }

    /// Did something break on the server?
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
            Self::Inconsistent(what) => write!(f, "stream and list differ at one version: {what}"),
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl Error for FetchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // The text has their own.
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
    fn too_large_by_cause_and_by_the_words_of_old_servers() {
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
