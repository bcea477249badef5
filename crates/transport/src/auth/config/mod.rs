//! The settings of credentials, which are plain data and part of a [`Config`](crate::Config), and their errors.

mod error;
mod exec;
mod exec_error;
pub(crate) mod impersonate;
mod kuberc;
#[cfg(feature = "oidc")]
mod oidc_error;
mod policy;

use std::{
    fmt,
    hash::{Hash, Hasher},
    path::PathBuf,
    sync::Arc,
};

use client_rs_machinery::collections::VecMap;
use serde_json::{Map, Value};

use crate::Secret;

pub use error::AuthError;
pub use exec::{ExecConfig, ExecEnv, InteractiveMode};
pub use exec_error::ExecError;
pub use impersonate::Impersonate;
#[cfg(feature = "oidc")]
pub use oidc_error::OidcError;
pub use policy::PluginPolicy;

client_rs_machinery::options! {
    /// The credentials of a user.
    ///
    /// Set at most one of token, basic, exec and provider. There is one exception: with a token or a basic user, the client
    /// ignores `exec`. A client certificate ([`TlsOptions`](crate::TlsOptions)) may be combined with a token or a basic user.
    ///
    /// ```
    /// use client_rs_transport::auth::{AuthOptions, BasicAuth};
    ///
    /// assert!(AuthOptions::default().is_anonymous());
    /// let auth = AuthOptions::default().with_token_file("/var/run/secrets/tokens/my-token");
    /// assert!(!auth.is_anonymous());
    /// let auth = AuthOptions::default().with_basic(BasicAuth::new("jane", "hunter2"));
    /// assert!(!format!("{auth:?}").contains("hunter2"));
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct AuthOptions {
        /// A bearer token. Default: none.
        pub token: Option<Secret> => with_token,
        /// A file with a bearer token, read again about every 50 seconds. It takes precedence over [`token`](Self::token) while
        /// it can be read. Default: none.
        pub token_file: Option<PathBuf> => with_token_file,
        /// User name and password. Default: none.
        pub basic: Option<BasicAuth> => with_basic,
        /// A program that prints credentials. Default: none.
        pub exec: Option<ExecConfig> => with_exec,
        /// A named provider: `oidc`, or one that the program registers in [`Providers`](super::Providers). Default: none.
        pub provider: Option<AuthProviderConfig> => with_provider,
        /// The place to store changed settings of the provider, such as new tokens. Default: they are not stored.
        pub persist: Option<Persister> => with_persist,
    }
}

client_rs_machinery::options! {
    /// A user name and a password.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct BasicAuth {
        /// The user; must not contain a colon.
        pub username: String => with_username,
        /// The password.
        pub password: Secret => with_password,
    }
}

client_rs_machinery::options! {
    /// A named provider of credentials and its settings. `Debug` hides the settings.
    #[derive(Clone, Default, PartialEq, Eq, Hash)]
    pub struct AuthProviderConfig {
        /// The name of the provider.
        pub name: String => with_name,
        /// Its settings, including tokens.
        pub config: VecMap<String, String> => with_config,
        /// Unknown fields of the kubeconfig; written back unchanged.
        pub unknown: Map<String, Value> => with_unknown,
    }
}

/// Stores the settings of a provider for the next run of the program.
pub trait Persist: Send + Sync {
    /// Stores the settings. It is not called on an async worker thread, so it may block on files.
    fn persist(&self, config: &VecMap<String, String>) -> Result<(), AuthError>;
}

/// A shared [`Persist`]. Two values are equal if they share the same one.
#[derive(Clone)]
pub struct Persister(pub Arc<dyn Persist>);

impl BasicAuth {
    /// This user, with this password.
    pub fn new(username: impl Into<String>, password: impl Into<Secret>) -> Self {
        Self { username: username.into(), password: password.into() }
    }
}

impl AuthOptions {
    /// Returns `true` if there are no credentials at all.
    pub fn is_anonymous(&self) -> bool {
        *self == Self { persist: self.persist.clone(), ..Self::default() }
    }
}

impl fmt::Debug for AuthProviderConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthProviderConfig").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Persister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Persister")
    }
}

impl PartialEq for Persister {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Persister {}

impl Hash for Persister {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).cast::<()>().hash(state);
    }
}
