//! Why an OpenID provider gave no token.

/// Why there is no ID token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OidcError {
    /// A setting is missing.
    #[error("the oidc auth provider needs {0} in its config")]
    Missing(&'static str),
    /// A setting makes no sense.
    #[error("{name} of the oidc auth provider: {reason}")]
    Invalid {
        /// Which.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The ID token has ended and there is nothing to get a new one with.
    #[error(
        "the id-token is missing or has expired, and there is no refresh-token to get a new one: log in again"
    )]
    NoRefreshToken,
    /// The client was built without a way to reach the provider.
    #[error("the id-token has expired, and this client has no HTTP to refresh it with")]
    NoHttp,
    /// The provider could not be asked.
    #[error("{url}: {reason}")]
    Http {
        /// What was asked.
        url: String,
        /// What went wrong.
        reason: String,
    },
    /// The provider answered, but with no ID token.
    #[error(
        "the token response did not contain an id_token: either the scope \"openid\" wasn't requested upon login, or \
         the provider doesn't return id_tokens when it refreshes"
    )]
    NoIdToken,
}
