//! Who asks, as configured: plain data, which a [`Config`](crate::Config) holds, and what can be wrong with it.

mod error;
mod exec;
mod exec_error;
pub(crate) mod impersonate;
mod kuberc;
#[cfg(feature = "oidc")]
mod oidc_error;
mod policy;

use std::{
    collections::BTreeMap,
    fmt,
    hash::{Hash, Hasher},
    path::PathBuf,
    sync::Arc,
};

use serde_json::{Map, Value};

use crate::Secret;

pub use error::AuthError;
pub use exec::{ExecConfig, ExecEnv, InteractiveMode};
pub use exec_error::ExecError;
pub use impersonate::Impersonate;
#[cfg(feature = "oidc")]
pub use oidc_error::OidcError;
pub use policy::PluginPolicy;

/// Who asks. At most one of token, basic, exec and provider may be set, save that a token or basic user makes the
/// client ignore `exec`; a client certificate ([`TlsOptions`](crate::TlsOptions)) may come on top of token or basic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AuthOptions {
    /// A bearer token. Default: none.
    pub token: Option<Secret>,
    /// A file with a bearer token, read again about every 50 seconds. While it can be read it counts more than
    /// [`token`](Self::token). Default: none.
    pub token_file: Option<PathBuf>,
    /// User name and password. Default: none.
    pub basic: Option<BasicAuth>,
    /// A program that hands out credentials. Default: none.
    pub exec: Option<ExecConfig>,
    /// A named provider, of which only `oidc` is left. Default: none.
    pub provider: Option<AuthProviderConfig>,
    /// Where changed settings of the provider (new tokens) are kept. Default: nowhere.
    pub persist: Option<Persister>,
}

/// A user name and a password.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BasicAuth {
    /// The user; must not hold a colon.
    pub username: String,
    /// The password.
    pub password: Secret,
}

/// A named provider of credentials and its settings. `Debug` hides the settings.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct AuthProviderConfig {
    /// Which provider.
    pub name: String,
    /// Its settings, among them tokens.
    pub config: BTreeMap<String, String>,
    /// Fields of the kubeconfig that we don't know; written back as they were.
    pub unknown: Map<String, Value>,
}

/// Keeps a provider's settings for the next run of the program.
pub trait Persist: Send + Sync {
    /// Stores the settings. Called off the async workers, so it may block on files.
    fn persist(&self, config: &BTreeMap<String, String>) -> Result<(), AuthError>;
}

/// A shared [`Persist`]. Two are equal if they are the same one.
#[derive(Clone)]
pub struct Persister(pub Arc<dyn Persist>);

impl AuthOptions {
    /// Is there nothing that says who asks?
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
