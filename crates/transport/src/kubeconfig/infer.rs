//! The short ways to a config.

use super::{
    DeferredConfig, DirectConfig, KubeCluster, Kubeconfig, KubeconfigError, LoadingRules, Overrides,
};
use crate::{Config, in_cluster::InCluster};

impl Config {
    /// The config that a user expects: of the files in `KUBECONFIG` or of `~/.kube/config`; if there are none, of the pod
    /// that the program runs in. Blocks on files.
    pub fn infer() -> Result<Self, KubeconfigError> {
        DeferredConfig::new(LoadingRules::from_env(), Overrides::default()).client_config()
    }

    /// The config that a cluster component's flags `--master` and `--kubeconfig` name. If both are empty, it is that of
    /// the pod. Neither `KUBECONFIG` nor the home directory is looked at. Blocks on files.
    pub fn from_flags(master: &str, kubeconfig: &str) -> Result<Self, KubeconfigError> {
        Self::from_flags_in(master, kubeconfig, InCluster::from_env())
    }

    fn from_flags_in(master: &str, kubeconfig: &str, in_cluster: InCluster) -> Result<Self, KubeconfigError> {
        if master.is_empty() && kubeconfig.is_empty() {
            tracing::warn!("neither a kubeconfig nor a master was named: using the pod's own configuration");
            match in_cluster.config() {
                Ok(config) => return Ok(config),
                Err(error) => tracing::warn!(%error, "there is no such thing: falling back to the default"),
            }
        }
        let explicit_path = (!kubeconfig.is_empty()).then(|| kubeconfig.into());
        let rules = LoadingRules { explicit_path, ..LoadingRules::default() };
        let cluster = KubeCluster { server: master.to_owned(), ..KubeCluster::default() };
        let overrides = Overrides { cluster, ..Overrides::default() };
        DeferredConfig::with_in_cluster(rules, overrides, in_cluster).client_config()
    }

    /// The config of a kubeconfig's text and its current context. Relative paths in it are relative to where the program
    /// runs.
    pub fn from_kubeconfig(text: &[u8]) -> Result<Self, KubeconfigError> {
        DirectConfig::new(Kubeconfig::parse(text)?).client_config()
    }
}
