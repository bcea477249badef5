//! What a kubeconfig holds.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use serde_json::{Map, Value};

use super::{KubeconfigError, decode, encode};
use crate::{
    Secret,
    auth::{AuthProviderConfig, exec::ExecConfig},
    config::without_user_info,
    yaml,
};

/// Clusters, users, and contexts that pair them, each by name.
///
/// An empty string, list or map is the same as an absent one. Fields that we don't know are kept and written back.
/// `Debug` shows no secret.
#[derive(Clone, Default, PartialEq)]
pub struct Kubeconfig {
    /// Settings of kubectl's; nobody uses them any more.
    pub preferences: Preferences,
    /// Servers.
    pub clusters: BTreeMap<String, KubeCluster>,
    /// Users.
    pub users: BTreeMap<String, AuthInfo>,
    /// Pairs of a server and a user.
    pub contexts: BTreeMap<String, KubeContext>,
    /// The context to use unless another is asked for.
    pub current_context: String,
    /// What other programs keep here.
    pub extensions: BTreeMap<String, Value>,
    /// What we don't know.
    pub unknown: Map<String, Value>,
}

/// Settings of kubectl's.
#[derive(Clone, Default, PartialEq)]
pub struct Preferences {
    /// Colours in the output?
    pub colors: bool,
    /// What other programs keep here.
    pub extensions: BTreeMap<String, Value>,
    /// What we don't know.
    pub unknown: Map<String, Value>,
}

/// A server, and how to be sure that it is the right one.
#[derive(Clone, Default, PartialEq)]
pub struct KubeCluster {
    /// The file this came from. Not in the file.
    pub origin: Option<PathBuf>,
    /// The server's URL.
    pub server: String,
    /// The name to expect in the server's certificate, if it isn't the host's.
    pub tls_server_name: String,
    /// Take any certificate.
    pub insecure_skip_tls_verify: bool,
    /// A file with the authorities that may sign the server's certificate.
    pub certificate_authority: String,
    /// The same, inline; PEM.
    pub certificate_authority_data: Bytes,
    /// The proxy on the way to the server: `http`, `https` or `socks5`.
    pub proxy_url: String,
    /// Ask for uncompressed answers.
    pub disable_compression: bool,
    /// What other programs keep here.
    pub extensions: BTreeMap<String, Value>,
    /// What we don't know.
    pub unknown: Unknown,
}

/// A user, and how they prove who they are.
#[derive(Clone, Default, PartialEq)]
pub struct AuthInfo {
    /// The file this came from. Not in the file.
    pub origin: Option<PathBuf>,
    /// A file with the client certificate.
    pub client_certificate: String,
    /// The same, inline; PEM.
    pub client_certificate_data: Bytes,
    /// A file with its key.
    pub client_key: String,
    /// The same, inline; PEM.
    pub client_key_data: Bytes,
    /// A bearer token.
    pub token: Secret,
    /// A file with one.
    pub token_file: String,
    /// In whose name to ask (`as`).
    pub impersonate: String,
    /// That user's unique identifier.
    pub impersonate_uid: String,
    /// That user's groups.
    pub impersonate_groups: Vec<String>,
    /// What else is to be known of that user.
    pub impersonate_user_extra: BTreeMap<String, Vec<String>>,
    /// For basic authentication.
    pub username: String,
    /// For basic authentication.
    pub password: Secret,
    /// A named provider of credentials.
    pub auth_provider: Option<AuthProviderConfig>,
    /// A program that hands out credentials.
    pub exec: Option<ExecConfig>,
    /// What other programs keep here.
    pub extensions: BTreeMap<String, Value>,
    /// What we don't know.
    pub unknown: Unknown,
}

/// Who asks which server, and about which namespace.
#[derive(Clone, Default, PartialEq)]
pub struct KubeContext {
    /// The file this came from. Not in the file.
    pub origin: Option<PathBuf>,
    /// The name of the cluster.
    pub cluster: String,
    /// The name of the user.
    pub user: String,
    /// The namespace to use where none is named.
    pub namespace: String,
    /// What other programs keep here.
    pub extensions: BTreeMap<String, Value>,
    /// What we don't know.
    pub unknown: Unknown,
}

/// Fields of a named entry that we don't know. `Debug` shows their names only.
#[derive(Clone, Default, PartialEq)]
pub struct Unknown {
    /// Inside the entry.
    pub inside: Map<String, Value>,
    /// Beside it, where its name is.
    pub beside: Map<String, Value>,
}

impl Kubeconfig {
    /// Reads YAML or JSON. No bytes at all make an empty config.
    pub fn parse(text: &[u8]) -> Result<Self, KubeconfigError> {
        parse(text).map_err(|reason| KubeconfigError::Parse { path: None, reason })
    }

    /// Reads a file, and notes in every entry where it came from. Blocks on the file.
    pub fn read(path: &Path) -> Result<Self, KubeconfigError> {
        let text = std::fs::read(path).map_err(|error| KubeconfigError::read(path, error))?;
        let mut config =
            parse(&text).map_err(|reason| KubeconfigError::Parse { path: Some(path.to_owned()), reason })?;
        config.clusters.values_mut().for_each(|cluster| cluster.origin = Some(path.to_owned()));
        config.users.values_mut().for_each(|user| user.origin = Some(path.to_owned()));
        config.contexts.values_mut().for_each(|context| context.origin = Some(path.to_owned()));
        Ok(config)
    }

    /// The YAML that a file of it holds, secrets and unknown fields included.
    pub fn to_yaml(&self) -> Result<String, KubeconfigError> {
        yaml::print(&encode::config(self, true))
            .map_err(|reason| KubeconfigError::Parse { path: None, reason })
    }

    /// As JSON, in the form that `kubectl config view --raw -o json` prints: with secrets, without unknown fields.
    pub fn to_json(&self) -> Value {
        encode::config(self, false)
    }

    /// Is there nothing in it?
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
    /// The fields that hold paths. A command without a separator is looked for in `PATH`, and is none.
    pub(super) fn paths(&mut self) -> impl Iterator<Item = &mut String> {
        let command = self.exec.as_mut().map(|exec| &mut exec.command);
        let command = command.filter(|command| command.contains(std::path::MAIN_SEPARATOR));
        [&mut self.client_certificate, &mut self.client_key, &mut self.token_file].into_iter().chain(command)
    }
}

// Of what we don't know, `Debug` shows the names: the values might be secrets.

impl fmt::Debug for Kubeconfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kubeconfig")
            .field("preferences", &self.preferences)
            .field("clusters", &self.clusters)
            .field("users", &self.users)
            .field("contexts", &self.contexts)
            .field("current_context", &self.current_context)
            .field("extensions", &self.extensions.keys())
            .field("unknown", &Names(&self.unknown))
            .finish()
    }
}

impl fmt::Debug for Preferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Preferences")
            .field("colors", &self.colors)
            .field("extensions", &self.extensions.keys())
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
            .field("extensions", &self.extensions.keys())
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
            .field("extensions", &self.extensions.keys())
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
            .field("extensions", &self.extensions.keys())
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
