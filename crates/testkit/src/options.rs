//! Options of a cluster.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::folders::Folders;
use crate::progress::Progress;

/// How a control plane is started. [`Options::default`] is a plain cluster on a free port.
///
/// The serialized form holds what shapes the cluster, and leaves out how it is launched: two options that
/// serialize alike ask for the same cluster.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Options {
    /// Feature gates of kube-apiserver and kube-controller-manager. Defaults to none: Kubernetes' own defaults.
    pub feature_gates: BTreeMap<String, bool>,
    /// Serves every API version, alpha ones too, with the alpha and beta feature gates on (those that
    /// `feature_gates` names keep their value). Defaults to false.
    pub all_apis: bool,
    /// The port of kube-apiserver on 127.0.0.1: [`Error::PortTaken`](crate::Error::PortTaken) if another process has
    /// it. Default: a free one, and another free one if a process takes it first.
    pub port: Option<u16>,
    /// More arguments for etcd, after ours: the last of a repeated flag wins. Defaults to none.
    pub etcd_args: Vec<String>,
    /// More arguments for kube-apiserver, after ours: the last of a repeated flag wins. Defaults to none.
    pub apiserver_args: Vec<String>,
    /// More arguments for kube-controller-manager, after ours: the last of a repeated flag wins. Defaults to none.
    pub controller_manager_args: Vec<String>,
    /// A folder with the programs, as setup-envtest installs them: etcd and kube-apiserver, and if they are there
    /// kube-controller-manager and kubectl. Defaults to none: the programs are built. [`Options::from_env`] takes it
    /// from `KUBEBUILDER_ASSETS`.
    pub assets: Option<PathBuf>,
    /// How long the cluster may take to get ready once its programs are built. Defaults to 2 minutes.
    #[serde(skip)]
    pub start_timeout: Duration,
    /// Where the programs, the records and the data are kept. Defaults to the user's folders.
    #[serde(skip)]
    pub folders: Folders,
    /// Receives progress of long work. Defaults to standard error.
    #[serde(skip)]
    pub progress: Progress,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            feature_gates: BTreeMap::new(),
            all_apis: false,
            port: None,
            etcd_args: Vec::new(),
            apiserver_args: Vec::new(),
            controller_manager_args: Vec::new(),
            assets: None,
            start_timeout: Duration::from_mins(2),
            folders: Folders::of_user(),
            progress: Progress::default(),
        }
    }
}

impl Options {
    /// The default options, with the folder of `KUBEBUILDER_ASSETS` if that is set.
    pub fn from_env() -> Self {
        let folder = std::env::var_os("KUBEBUILDER_ASSETS").filter(|folder| !folder.is_empty());
        Self::default().with_assets(folder.map(PathBuf::from))
    }

    /// Sets [`feature_gates`](Self::feature_gates).
    #[must_use]
    pub fn with_feature_gates(mut self, feature_gates: BTreeMap<String, bool>) -> Self {
        self.feature_gates = feature_gates;
        self
    }

    /// Sets [`all_apis`](Self::all_apis).
    #[must_use]
    pub fn with_all_apis(mut self, all_apis: bool) -> Self {
        self.all_apis = all_apis;
        self
    }

    /// Sets [`port`](Self::port).
    #[must_use]
    pub fn with_port(mut self, port: impl Into<Option<u16>>) -> Self {
        self.port = port.into();
        self
    }

    /// Sets [`etcd_args`](Self::etcd_args).
    #[must_use]
    pub fn with_etcd_args(mut self, etcd_args: Vec<String>) -> Self {
        self.etcd_args = etcd_args;
        self
    }

    /// Sets [`apiserver_args`](Self::apiserver_args).
    #[must_use]
    pub fn with_apiserver_args(mut self, apiserver_args: Vec<String>) -> Self {
        self.apiserver_args = apiserver_args;
        self
    }

    /// Sets [`controller_manager_args`](Self::controller_manager_args).
    #[must_use]
    pub fn with_controller_manager_args(mut self, controller_manager_args: Vec<String>) -> Self {
        self.controller_manager_args = controller_manager_args;
        self
    }

    /// Sets [`assets`](Self::assets).
    #[must_use]
    pub fn with_assets(mut self, assets: impl Into<Option<PathBuf>>) -> Self {
        self.assets = assets.into();
        self
    }

    /// Sets [`start_timeout`](Self::start_timeout).
    #[must_use]
    pub fn with_start_timeout(mut self, start_timeout: Duration) -> Self {
        self.start_timeout = start_timeout;
        self
    }

    /// Sets [`folders`](Self::folders).
    #[must_use]
    pub fn with_folders(mut self, folders: Folders) -> Self {
        self.folders = folders;
        self
    }

    /// Sets [`progress`](Self::progress).
    #[must_use]
    pub fn with_progress(mut self, progress: Progress) -> Self {
        self.progress = progress;
        self
    }

    /// The options that determine the cluster, as stored in its record.
    pub(crate) fn shape(&self) -> serde_json::Value {
        // Maps with text keys, booleans, numbers and lists of text: nothing here can fail to serialize.
        serde_json::to_value(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_tells_clusters_apart_but_not_launches() {
        let plain = Options::default();
        let patient =
            Options { start_timeout: Duration::from_mins(9), progress: Progress::silent(), ..plain.clone() };
        assert_eq!(plain.shape(), patient.shape());
        let gated = Options { feature_gates: BTreeMap::from([("A".into(), true)]), ..plain.clone() };
        assert_ne!(plain.shape(), gated.shape());
        assert_ne!(plain.shape(), Options { all_apis: true, ..plain.clone() }.shape());
    }
}
