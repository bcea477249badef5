//! Errors of credentials.

use std::{io, path::PathBuf, sync::Arc};

/// Credentials could not be obtained. No message contains a secret or the standard output of a plugin.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuthError {
    /// Two authentication methods are configured that exclude each other.
    #[error("{0}: keep only one of them")]
    Conflict(&'static str),
    /// A value that can't be sent as a header.
    #[error("the {what} holds characters that an HTTP header can't carry")]
    NotAHeader {
        /// The name of the value.
        what: &'static str,
    },
    /// The token file can't be read, and there is no earlier token.
    #[error("cannot read token file {}: {error}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: Arc<io::Error>,
    },
    /// The token file contains only white space.
    #[error("token file {} is empty", path.display())]
    EmptyTokenFile {
        /// The file.
        path: PathBuf,
    },
    /// The client certificate is not usable.
    #[error("client certificate: {0}")]
    Certificate(String),
    /// The exec plugin failed.
    #[error("getting credentials: {0}")]
    Exec(super::ExecError),
    /// The OIDC provider failed.
    #[cfg(feature = "oidc")]
    #[error("getting credentials from the OpenID provider: {0}")]
    Oidc(super::OidcError),
    /// The kubeconfig uses the `oidc` auth provider, and the program was built without it.
    #[error(
        "the oidc auth provider is not in this program: build it with the feature `oidc`, or use an exec plugin"
    )]
    OidcNotBuilt,
    /// An `auth-provider` that client-go has removed.
    #[error(
        "the {name} auth provider has been removed from Kubernetes clients; use the exec plugin {plugin} instead: {help}"
    )]
    RemovedProvider {
        /// The provider.
        name: &'static str,
        /// The plugin that replaces it.
        plugin: &'static str,
        /// The address of the instructions.
        help: &'static str,
    },
    /// An `auth-provider` that is not registered.
    #[error("no auth provider of the name {0:?}; use an exec plugin instead")]
    UnknownProvider(String),
    /// A registered provider failed.
    #[error("auth provider {name:?}: {reason}")]
    Provider {
        /// The provider.
        name: String,
        /// The provider's error message.
        reason: String,
    },
    /// Two providers with the same name.
    #[error("there is an auth provider of the name {0:?} already")]
    DuplicateProvider(String),
    /// New settings could not be stored.
    #[error("cannot store the new credentials: {0}")]
    Persist(String),
    /// The task that fetched the credentials ended without a result: the runtime shuts down, or the task panicked.
    #[error("the task that fetches credentials ended without a result")]
    Aborted,
}

// Not a source: the message contains its text.
impl From<super::ExecError> for AuthError {
    fn from(error: super::ExecError) -> Self {
        Self::Exec(error)
    }
}

// Not a source: the message contains its text.
#[cfg(feature = "oidc")]
impl From<super::OidcError> for AuthError {
    fn from(error: super::OidcError) -> Self {
        Self::Oidc(error)
    }
}
