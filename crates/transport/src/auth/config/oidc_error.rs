//! Errors of OpenID Connect.

/// An OpenID provider returned no ID token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OidcError {
    /// A setting is missing.
    #[error("the oidc auth provider needs {0} in its config")]
    Missing(&'static str),
    /// A setting is not valid.
    #[error("{name} of the oidc auth provider: {reason}")]
    Invalid {
        /// The name of the setting.
        name: &'static str,
        /// The reason.
        reason: String,
    },
    /// The ID token has expired, and there is no refresh token.
    #[error(
        "the id-token is missing or has expired, and there is no refresh-token to get a new one: log in again"
    )]
    NoRefreshToken,
    /// The client was built without an HTTP client for the provider.
    #[error("the id-token has expired, and this client has no HTTP client to refresh it with")]
    NoHttp,
    /// The request to the provider failed.
    #[error("{url}: {reason}")]
    Http {
        /// The requested URL.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The response of the provider contains no ID token.
    #[error(
        "the token response did not contain an id_token: either the scope \"openid\" wasn't requested upon login, or \
         the provider doesn't return id_tokens when it refreshes"
    )]
    NoIdToken,
}
