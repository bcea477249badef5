//! Errors of discovery.

use std::sync::Arc;

use client_rs_machinery::GroupVersion;

use crate::Error;

/// Discovery failed. Cheap to clone, because caches keep it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::{Discovery, DiscoveryClient};
///
/// # let server = Canned::new().fail("GET /api", 503, "ServiceUnavailable").on("GET /apis", r#"{"groups": []}"#);
/// let error = DiscoveryClient::from_rest(server.client()).groups().await.unwrap_err();
/// assert!(error.is_transient() && !error.is_not_found());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// The request failed.
    #[error(transparent)]
    Request(Arc<Error>),
    /// The server's data of this version is stale, because the aggregated API server behind it does not respond.
    #[error("stale GroupVersion discovery: {0}")]
    Stale(GroupVersion),
    /// The version has no resources.
    #[error("received empty response for: {0}")]
    Empty(GroupVersion),
    /// The version was not served when the cache was filled. After `invalidate` the cache requests it again.
    #[error("{0} is not among the API versions that the server serves")]
    NotFound(GroupVersion),
    /// The requested version is empty.
    #[error("the requested group and version are empty")]
    NoVersion,
    /// The response is not a discovery document.
    #[error("the response of {path} is not a discovery document: {why}")]
    Document {
        /// The requested path.
        path: String,
        /// The reason.
        why: String,
    },
}

impl DiscoveryError {
    /// Whether a retry may help.
    ///
    /// True for lost connections, timeouts, an overloaded server (429) and a failing server (5xx). False for other connection
    /// failures, such as an invalid certificate.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Request(error) if error.is_transient())
    }

    /// Whether the server does not serve the version.
    pub fn is_not_found(&self) -> bool {
        match self {
            Self::Request(error) => error.is_not_found(),
            Self::NotFound(_) => true,
            _ => false,
        }
    }

    /// The failed request, if that is the reason.
    pub fn request(&self) -> Option<&Error> {
        match self {
            Self::Request(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for DiscoveryError {
    fn from(error: Error) -> Self {
        Self::Request(Arc::new(error))
    }
}
