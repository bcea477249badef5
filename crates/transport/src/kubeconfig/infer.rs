//! Shortcuts to a config.

use super::{
    DeferredConfig, DirectConfig, KubeCluster, Kubeconfig, KubeconfigError, LoadingRules, Overrides,
};
use crate::{Config, in_cluster::InCluster};

impl Config {
    /// Loads the config that a user expects: from the files in `KUBECONFIG`, else from `~/.kube/config`, else from the service
    /// account of the pod that the program runs in. Blocks on files.
    ///
    /// This is the right start for most programs. A command-line tool should use `args::KubeArgs` (feature `clap`) instead, so that
    /// users can select a context.
    ///
    /// ```no_run
    /// use client_rs_transport::Config;
    ///
    /// let config = Config::infer()?;
    /// println!("using {} as {}", config.server_url(), config.user_agent);
    /// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that can't be read or is not valid, or no configuration at all
    /// ([`is_empty_config`](KubeconfigError::is_empty_config)).
    pub fn infer() -> Result<Self, KubeconfigError> {
        DeferredConfig::new(LoadingRules::from_env(), Overrides::default()).client_config()
    }

    /// Loads the config for the flags `--master` and `--kubeconfig` of a cluster component. If both are empty, it uses the pod's
    /// service account. It ignores `KUBECONFIG` and the home directory. Blocks on files.
    ///
    /// ```
    /// use client_rs_transport::Config;
    ///
    /// let config = Config::from_flags("https://k8s.example:6443", "")?;
    /// assert_eq!(config.server_url(), "https://k8s.example:6443");
    /// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
    /// ```
    pub fn from_flags(master: &str, kubeconfig: &str) -> Result<Self, KubeconfigError> {
        Self::from_flags_in(master, kubeconfig, InCluster::from_env())
    }

    fn from_flags_in(master: &str, kubeconfig: &str, in_cluster: InCluster) -> Result<Self, KubeconfigError> {
        if master.is_empty() && kubeconfig.is_empty() {
            tracing::warn!("neither a kubeconfig nor a master was given: using the pod's service account");
            match in_cluster.config() {
                Ok(config) => return Ok(config),
                Err(error) => {
                    tracing::warn!(%error, "in-cluster config not available: falling back to the default");
                }
            }
        }
        let explicit_path = (!kubeconfig.is_empty()).then(|| kubeconfig.into());
        let rules = LoadingRules { explicit_path, ..LoadingRules::default() };
        let cluster = KubeCluster { server: master.to_owned(), ..KubeCluster::default() };
        let overrides = Overrides { cluster, ..Overrides::default() };
        DeferredConfig::with_in_cluster(rules, overrides, in_cluster).client_config()
    }

    /// Parses the text of a kubeconfig and uses its current context. Relative paths in it are resolved against the current
    /// directory.
    ///
    /// ```
    /// use client_rs_transport::Config;
    ///
    /// let config = Config::from_kubeconfig(br#"
    /// clusters: [{name: dev, cluster: {server: "https://dev.example"}}]
    /// users: [{name: jane, user: {token: s3cret}}]
    /// contexts: [{name: dev, context: {cluster: dev, user: jane, namespace: web}}]
    /// current-context: dev"#)?;
    /// assert_eq!(config.default_namespace, "web");
    /// assert_eq!(config.auth.token.unwrap().expose(), "s3cret");
    /// # Ok::<(), client_rs_transport::kubeconfig::KubeconfigError>(())
    /// ```
    pub fn from_kubeconfig(text: &[u8]) -> Result<Self, KubeconfigError> {
        DirectConfig::new(Kubeconfig::parse(text)?).client_config()
    }
}
