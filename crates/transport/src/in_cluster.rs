//! The config of a program that runs in a pod: its service account.

use std::{env, fs, path::PathBuf, sync::Arc};

use crate::{
    Config, ConfigError, Material,
    auth::{AuthError, read_token},
    config::parse_server,
};

client_rs_machinery::options! {
    /// The environment and files that Kubernetes gives to a pod.
    ///
    /// [`Config::infer`] uses this when there is no kubeconfig. Use it directly if your program runs only in pods. The struct is
    /// plain data, so a test can build one with its own files.
    ///
    /// ```
    /// use client_rs_transport::in_cluster::InCluster;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// // In a pod: `InCluster::from_env()`.
    /// let pod = InCluster::new("10.96.0.1", "443").with_directory(folder.path());
    /// std::fs::write(folder.path().join("token"), "the service account's token")?;
    /// std::fs::write(folder.path().join("namespace"), "web")?;
    ///
    /// let config = pod.config()?;
    /// assert_eq!(config.server_url(), "https://10.96.0.1:443");
    /// assert_eq!(config.default_namespace, "web");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct InCluster {
        /// The server's host: `KUBERNETES_SERVICE_HOST`.
        pub host: String => with_host,
        /// The server's port: `KUBERNETES_SERVICE_PORT`.
        pub port: String => with_port,
        /// The pod's namespace from the downward API, if the pod sets `POD_NAMESPACE`.
        pub pod_namespace: String => with_pod_namespace,
        /// The directory of the service account's files: `token`, `ca.crt`, `namespace`.
        pub directory: PathBuf => with_directory,
    }
}

/// A pod's config could not be built.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InClusterError {
    /// The program does not run in a pod.
    #[error(
        "unable to load in-cluster configuration: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined"
    )]
    NotInCluster,
    /// The pod has no service account token.
    #[error("in-cluster configuration: {0}; is automountServiceAccountToken off?")]
    Token(Arc<AuthError>),
    /// Host and port do not form a URL.
    #[error("in-cluster configuration: {0}")]
    Server(ConfigError),
}

// Not a source: the message contains its text.
impl From<ConfigError> for InClusterError {
    fn from(error: ConfigError) -> Self {
        Self::Server(error)
    }
}

impl InCluster {
    /// The directory in which Kubernetes mounts the service account's files.
    pub const DIRECTORY: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

    /// A server at this host and port, with the service account's files in the default directory.
    pub fn new(host: impl Into<String>, port: impl Into<String>) -> Self {
        Self {
            host: host.into(),
            port: port.into(),
            pod_namespace: String::new(),
            directory: Self::DIRECTORY.into(),
        }
    }

    /// Reads the environment variables of the process.
    pub fn from_env() -> Self {
        let variable = |name| env::var(name).unwrap_or_default();
        Self {
            host: variable("KUBERNETES_SERVICE_HOST"),
            port: variable("KUBERNETES_SERVICE_PORT"),
            pod_namespace: variable("POD_NAMESPACE"),
            directory: Self::DIRECTORY.into(),
        }
    }

    /// Returns `true` if the program runs in a pod with a service account.
    pub fn possible(&self) -> bool {
        let token = fs::metadata(self.directory.join("token"));
        !self.host.is_empty() && !self.port.is_empty() && token.is_ok_and(|token| !token.is_dir())
    }

    /// Builds the config of the pod's service account. The client reads the token file again while it runs. Blocks on files.
    ///
    /// If the CA file is missing or empty, this logs an error and the client trusts the authorities of the operating system: the
    /// server may have a public certificate.
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
                tracing::error!(file = ?ca, "the CA file of the cluster is empty: trusting the system's authorities instead");
            }
            Err(error) => {
                tracing::error!(file = ?ca, %error, "cannot read the CA file of the cluster: trusting the system's authorities instead");
            }
        }
        config.default_namespace = self.namespace();
        Ok(config)
    }

    /// The pod's namespace: `POD_NAMESPACE`, else the namespace of the service account, else `default`.
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
