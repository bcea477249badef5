//! The content of a kubeconfig.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use client_rs_machinery::collections::VecMap;
use serde_json::{Map, Value};

use super::{KubeconfigError, decode, encode};
use crate::{
    Secret,
    auth::{AuthProviderConfig, exec::ExecConfig},
    config::without_user_info,
    yaml,
};

/// The content of a kubeconfig file: clusters, users, and contexts that combine them, each by name.
///
/// An empty string, list or map is the same as a missing one. Unknown fields are kept and written back. `Debug` shows no
/// secret.
///
/// ```
/// use client_rs_transport::kubeconfig::{KubeCluster, KubeContext, Kubeconfig};
///
/// let mut kubeconfig = Kubeconfig::default();
/// let cluster = KubeCluster { server: "https://dev.example".to_owned(), ..KubeCluster::default() };
/// kubeconfig.clusters.insert("dev".to_owned(), cluster);
/// let context = KubeContext { cluster: "dev".to_owned(), ..KubeContext::default() };
/// kubeconfig.contexts.insert("dev".to_owned(), context);
/// kubeconfig.current_context = "dev".to_owned();
///
/// let yaml = kubeconfig.to_yaml()?;
/// assert_eq!(Kubeconfig::parse(yaml.as_bytes())?, kubeconfig);
/// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct Kubeconfig {
    /// Settings of kubectl, which no program uses any more.
    pub preferences: Preferences,
    /// The clusters.
    pub clusters: VecMap<String, KubeCluster>,
    /// The users.
    pub users: VecMap<String, AuthInfo>,
    /// The contexts: pairs of a cluster and a user.
    pub contexts: VecMap<String, KubeContext>,
    /// The context to use if no other is selected.
    pub current_context: String,
    /// The data of other programs.
    pub extensions: VecMap<String, Value>,
    /// Unknown fields.
    pub unknown: Map<String, Value>,
}

/// Settings of kubectl.
#[derive(Clone, Default, PartialEq)]
pub struct Preferences {
    /// Whether the output is colored.
    pub colors: bool,
    /// The data of other programs.
    pub extensions: VecMap<String, Value>,
    /// Unknown fields.
    pub unknown: Map<String, Value>,
}

/// A server, and how to verify it.
#[derive(Clone, Default, PartialEq)]
pub struct KubeCluster {
    /// The file of this entry. It is not part of the file's content.
    pub origin: Option<PathBuf>,
    /// The server's URL.
    pub server: String,
    /// The name to expect in the server's certificate, if it is not the host name.
    pub tls_server_name: String,
    /// Accept any certificate.
    pub insecure_skip_tls_verify: bool,
    /// A file with the authorities that may sign the server's certificate.
    pub certificate_authority: String,
    /// Inline PEM data instead of a file.
    pub certificate_authority_data: Bytes,
    /// The proxy to the server: `http`, `https` or `socks5`.
    pub proxy_url: String,
    /// Request uncompressed responses.
    pub disable_compression: bool,
    /// The data of other programs.
    pub extensions: VecMap<String, Value>,
    /// Unknown fields.
    pub unknown: Unknown,
}

/// A user and their credentials.
#[derive(Clone, Default, PartialEq)]
pub struct AuthInfo {
    /// The file of this entry. It is not part of the file's content.
    pub origin: Option<PathBuf>,
    /// A file with the client certificate.
    pub client_certificate: String,
    /// Inline PEM data instead of a file.
    pub client_certificate_data: Bytes,
    /// A file with the key of the client certificate.
    pub client_key: String,
    /// Inline PEM data instead of a file.
    pub client_key_data: Bytes,
    /// A bearer token.
    pub token: Secret,
    /// A file with a bearer token.
    pub token_file: String,
    /// The user to impersonate (`as`).
    pub impersonate: String,
    /// The unique identifier of the impersonated user.
    pub impersonate_uid: String,
    /// The groups of the impersonated user.
    pub impersonate_groups: Vec<String>,
    /// Other attributes of the impersonated user.
    pub impersonate_user_extra: VecMap<String, Vec<String>>,
    /// The user for basic authentication.
    pub username: String,
    /// The password for basic authentication.
    pub password: Secret,
    /// A named provider of credentials.
    pub auth_provider: Option<AuthProviderConfig>,
    /// A program that prints credentials.
    pub exec: Option<ExecConfig>,
    /// The data of other programs.
    pub extensions: VecMap<String, Value>,
    /// Unknown fields.
    pub unknown: Unknown,
}

/// A pair of a cluster and a user, with a default namespace.
#[derive(Clone, Default, PartialEq)]
pub struct KubeContext {
    /// The file of this entry. It is not part of the file's content.
    pub origin: Option<PathBuf>,
    /// The name of the cluster.
    pub cluster: String,
    /// The name of the user.
    pub user: String,
    /// The namespace of requests that do not name one.
    pub namespace: String,
    /// The data of other programs.
    pub extensions: VecMap<String, Value>,
    /// Unknown fields.
    pub unknown: Unknown,
}

/// Unknown fields of a named entry. `Debug` shows only their names.
#[derive(Clone, Default, PartialEq)]
pub struct Unknown {
    /// Fields inside the entry.
    pub inside: Map<String, Value>,
    /// Fields next to the entry, on the level of its name.
    pub beside: Map<String, Value>,
}

impl Kubeconfig {
    /// Parses YAML or JSON. Empty text results in an empty config.
    pub fn parse(text: &[u8]) -> Result<Self, KubeconfigError> {
        parse(text).map_err(|reason| KubeconfigError::Parse { path: None, reason })
    }

    /// Reads a file, and sets the origin of every entry. Blocks on the file.
    pub fn read(path: &Path) -> Result<Self, KubeconfigError> {
        let text = std::fs::read(path).map_err(|error| KubeconfigError::read(path, error))?;
        let mut config =
            parse(&text).map_err(|reason| KubeconfigError::Parse { path: Some(path.to_owned()), reason })?;
        config.clusters.values_mut().for_each(|cluster| cluster.origin = Some(path.to_owned()));
        config.users.values_mut().for_each(|user| user.origin = Some(path.to_owned()));
        config.contexts.values_mut().for_each(|context| context.origin = Some(path.to_owned()));
        Ok(config)
    }

    /// The content of a file in YAML, including secrets and unknown fields.
    pub fn to_yaml(&self) -> Result<String, KubeconfigError> {
        yaml::print(&encode::config(self, true))
            .map_err(|reason| KubeconfigError::Parse { path: None, reason })
    }

    /// JSON in the format of `kubectl config view --raw -o json`: with secrets, without unknown fields.
    pub fn to_json(&self) -> Value {
        encode::config(self, false)
    }

    /// Returns `true` if it contains nothing.
    pub fn is_empty(&self) -> bool {
        self.users.is_empty()
            && self.clusters.is_empty()
            && self.contexts.is_empty()
            && self.current_context.is_empty()
            && self.preferences.extensions.is_empty()
            && !self.preferences.colors
            && self.extensions.is_empty()
    }
}

fn parse(text: &[u8]) -> Result<Kubeconfig, String> {
    if text.is_empty() { Ok(Kubeconfig::default()) } else { decode::config(yaml::parse(text)?) }
}

impl KubeCluster {
    /// The fields that hold paths.
    pub(super) fn paths(&mut self) -> impl Iterator<Item = &mut String> {
        [&mut self.certificate_authority].into_iter()
    }
}

impl AuthInfo {
    /// The fields that contain paths. A command without a separator is looked up in `PATH` and is not a path.
    pub(super) fn paths(&mut self) -> impl Iterator<Item = &mut String> {
        let command = self.exec.as_mut().map(|exec| &mut exec.command);
        let command = command.filter(|command| command.contains(std::path::MAIN_SEPARATOR));
        [&mut self.client_certificate, &mut self.client_key, &mut self.token_file].into_iter().chain(command)
    }
}

// `Debug` shows only the names of unknown fields: their values may be secrets.

impl fmt::Debug for Kubeconfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kubeconfig")
            .field("preferences", &self.preferences)
            .field("clusters", &self.clusters)
            .field("users", &self.users)
            .field("contexts", &self.contexts)
            .field("current_context", &self.current_context)
            .field("extensions", &self.extensions.keys().collect::<Vec<_>>())
            .field("unknown", &Names(&self.unknown))
            .finish()
    }
}

impl fmt::Debug for Preferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Preferences")
            .field("colors", &self.colors)
            .field("extensions", &self.extensions.keys().collect::<Vec<_>>())
            .field("unknown", &Names(&self.unknown))
            .finish()
    }
}

impl fmt::Debug for KubeContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KubeContext")
            .field("origin", &self.origin)
            .field("cluster", &self.cluster)
            .field("user", &self.user)
            .field("namespace", &self.namespace)
            .field("extensions", &self.extensions.keys().collect::<Vec<_>>())
            .field("unknown", &self.unknown)
            .finish()
    }
}

impl fmt::Debug for KubeCluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KubeCluster")
            .field("origin", &self.origin)
            .field("server", &without_user_info(&self.server))
            .field("tls_server_name", &self.tls_server_name)
            .field("insecure_skip_tls_verify", &self.insecure_skip_tls_verify)
            .field("certificate_authority", &self.certificate_authority)
            .field("certificate_authority_data", &Length(&self.certificate_authority_data))
            .field("proxy_url", &without_user_info(&self.proxy_url))
            .field("disable_compression", &self.disable_compression)
            .field("extensions", &self.extensions.keys().collect::<Vec<_>>())
            .field("unknown", &self.unknown)
            .finish()
    }
}

impl fmt::Debug for AuthInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthInfo")
            .field("origin", &self.origin)
            .field("client_certificate", &self.client_certificate)
            .field("client_certificate_data", &Length(&self.client_certificate_data))
            .field("client_key", &self.client_key)
            .field("client_key_data", &Length(&self.client_key_data))
            .field("token", &self.token)
            .field("token_file", &self.token_file)
            .field("impersonate", &self.impersonate)
            .field("impersonate_uid", &self.impersonate_uid)
            .field("impersonate_groups", &self.impersonate_groups)
            .field("impersonate_user_extra", &self.impersonate_user_extra)
            .field("username", &self.username)
            .field("password", &self.password)
            .field("auth_provider", &self.auth_provider)
            .field("exec", &self.exec)
            .field("extensions", &self.extensions.keys().collect::<Vec<_>>())
            .field("unknown", &self.unknown)
            .finish()
    }
}

impl fmt::Debug for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.inside.keys()).entries(self.beside.keys()).finish()
    }
}

struct Names<'a>(&'a Map<String, Value>);

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

struct Length<'a>(&'a [u8]);

impl fmt::Debug for Length<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} bytes]", self.0.len())
    }
}
