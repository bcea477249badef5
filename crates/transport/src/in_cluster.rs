//! The config of a program that runs in a pod.

use std::{env, fs, path::PathBuf, sync::Arc};

use crate::{
    Config, ConfigError, Material,
    auth::{AuthError, read_token},
    config::parse_server,
};

/// What a pod knows of its cluster. Plain data: it can be made up for tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InCluster {
    /// The server's host: `KUBERNETES_SERVICE_HOST`.
    pub host: String,
    /// The server's port: `KUBERNETES_SERVICE_PORT`.
    pub port: String,
    /// The pod's namespace, if it was told of it: `POD_NAMESPACE`.
    pub pod_namespace: String,
    /// Where the service account's files are: `token`, `ca.crt`, `namespace`.
    pub directory: PathBuf,
}

/// Why there is no config of a pod.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InClusterError {
    /// The program doesn't run in a pod.
    #[error(
        "unable to load in-cluster configuration: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined"
    )]
    NotInCluster,
    /// The pod has no service account token.
    #[error("in-cluster configuration: {0}; is automountServiceAccountToken off?")]
    Token(Arc<AuthError>),
    /// Host and port make no URL.
    #[error("in-cluster configuration: {0}")]
    Server(ConfigError),
}

// Not a source: the text has it.
impl From<ConfigError> for InClusterError {
    fn from(error: ConfigError) -> Self {
        Self::Server(error)
    }
}

impl InCluster {
    /// Where Kubernetes puts the service account's files.
    pub const DIRECTORY: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

    /// What the environment says.
    pub fn from_env() -> Self {
        let variable = |name| env::var(name).unwrap_or_default();
        Self {
            host: variable("KUBERNETES_SERVICE_HOST"),
            port: variable("KUBERNETES_SERVICE_PORT"),
            pod_namespace: variable("POD_NAMESPACE"),
            directory: Self::DIRECTORY.into(),
        }
    }

    /// Does the program run in a pod, and with a service account?
    pub fn possible(&self) -> bool {
        let token = fs::metadata(self.directory.join("token"));
        !self.host.is_empty() && !self.port.is_empty() && token.is_ok_and(|token| !token.is_dir())
    }

    /// The config of the pod's service account. The token file is read again while the client runs.
    ///
    /// A CA file that is missing is only logged: the server may have a certificate that everyone trusts.
    pub fn config(&self) -> Result<Config, InClusterError> {
        if self.host.is_empty() || self.port.is_empty() {
            return Err(InClusterError::NotInCluster);
        }
        let token_file = self.directory.join("token");
        let token = read_token(&token_file).map_err(|error| InClusterError::Token(Arc::new(error)))?;
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let mut config = Config::new(parse_server(&format!("https://{host}:{}", self.port), true)?);
        config.auth.token = Some(token);
        config.auth.token_file = Some(token_file);
        let ca = self.directory.join("ca.crt");
        match fs::read(&ca) {
            Ok(pem) if !pem.is_empty() => config.tls.ca = Some(Material::File(ca)),
            Ok(_) => {
                tracing::error!(file = ?ca, "the cluster's CA file is empty: expecting a public certificate");
            }
            Err(error) => {
                tracing::error!(file = ?ca, %error, "cannot read the cluster's CA file: expecting a public certificate");
            }
        }
        config.default_namespace = self.namespace();
        Ok(config)
    }

    /// The pod's namespace: what it was told, else its service account's, else `default`.
    pub fn namespace(&self) -> String {
        if !self.pod_namespace.is_empty() {
            return self.pod_namespace.clone();
        }
        let file = fs::read_to_string(self.directory.join("namespace")).unwrap_or_default();
        match file.trim() {
            "" => "default".to_owned(),
            namespace => namespace.to_owned(),
        }
    }
}
