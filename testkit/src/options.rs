//! Options of a cluster.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::folders::Folders;
use crate::progress::Progress;

/// How a control plane is started. [`Options::default`] is a plain cluster on a free port.
///
/// The serialized form holds what shapes the cluster, and leaves out how it is launched: two options that
/// serialize alike ask for the same cluster.
#[derive(Clone, Debug, Serialize)]
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
            start_timeout: Duration::from_mins(2),
            folders: Folders::of_user(),
            progress: Progress::default(),
        }
    }
}

impl Options {
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
