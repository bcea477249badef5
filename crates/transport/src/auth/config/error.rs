//! Why there are no credentials.

use std::{io, path::PathBuf, sync::Arc};

/// Why credentials could not be had. No message holds a secret or what a plugin printed on its standard output.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuthError {
    /// Two ways to say who asks, of which only one can be meant.
    #[error("{0}: keep only one of them")]
    Conflict(&'static str),
    /// A value that can't be sent as a header.
    #[error("the {what} holds characters that an HTTP header can't carry")]
    NotAHeader {
        /// Which value.
        what: &'static str,
    },
    /// The token file can't be read, and there was no token before.
    #[error("cannot read token file {}: {error}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: Arc<io::Error>,
    },
    /// The token file holds nothing but white space.
    #[error("token file {} is empty", path.display())]
    EmptyTokenFile {
        /// The file.
        path: PathBuf,
    },
    /// The client certificate can't be used.
    #[error("client certificate: {0}")]
    Certificate(String),
    /// The exec plugin failed.
    #[error("getting credentials: {0}")]
    Exec(super::ExecError),
    /// The OIDC provider failed.
    #[cfg(feature = "oidc")]
    #[error("getting credentials from the OpenID provider: {0}")]
    Oidc(super::OidcError),
    /// The `oidc` auth provider, in a program that was built without it.
    #[error(
        "the oidc auth provider is not in this program: build it with the feature `oidc`, or use an exec plugin"
    )]
    OidcNotBuilt,
    /// An `auth-provider` that client-go once had.
    #[error(
        "the {name} auth provider has been removed from Kubernetes clients; use the exec plugin {plugin} instead: {help}"
    )]
    RemovedProvider {
        /// The provider.
        name: &'static str,
        /// The plugin that took its place.
        plugin: &'static str,
        /// Where to read how.
        help: &'static str,
    },
    /// An `auth-provider` that nobody knows.
    #[error("no auth provider of the name {0:?}; use an exec plugin instead")]
    UnknownProvider(String),
    /// A provider that the program brought along failed.
    #[error("auth provider {name:?}: {reason}")]
    Provider {
        /// The provider.
        name: String,
        /// What it said.
        reason: String,
    },
    /// Two providers of the same name.
    #[error("there is an auth provider of the name {0:?} already")]
    DuplicateProvider(String),
    /// New settings could not be kept.
    #[error("cannot store the new credentials: {0}")]
    Persist(String),
    /// The task that fetched the credentials is gone: the runtime shuts down, or it panicked.
    #[error("the task that fetches credentials ended without a result")]
    Aborted,
}

// Not a source: the text has it.
impl From<super::ExecError> for AuthError {
    fn from(error: super::ExecError) -> Self {
        Self::Exec(error)
    }
}

// Not a source: the text has it.
#[cfg(feature = "oidc")]
impl From<super::OidcError> for AuthError {
    fn from(error: super::OidcError) -> Self {
        Self::Oidc(error)
    }
}
