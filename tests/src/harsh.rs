//! A control plane with every API, which sends GOAWAY and compacts early.

use std::sync::Arc;

use anyhow::Result;
use client_rs_testkit::Options;
use tokio::sync::OnceCell;

use crate::{Backend, Cluster};

/// The part of the requests that is answered with GOAWAY: the maximum that kube-apiserver accepts.
const GOAWAY: &str = "--goaway-chance=0.02";
/// Old versions go after two of these.
const COMPACTION: &str = "--etcd-compaction-interval=3s";
/// Watches of secrets are served by etcd itself: the cache in front would remember for a minute or more.
const UNCACHED: &str = "--watch-cache-sizes=secrets#0";

impl Cluster {
    /// Returns the harsh control plane of this process, which the first scenario starts that needs it; or a new
    /// embedded server that is equally harsh.
    pub async fn harsh(backend: Backend) -> Result<Arc<Self>> {
        static CLUSTER: OnceCell<Arc<Cluster>> = OnceCell::const_new();
        if backend == Backend::Embedded {
            let options = Self::like_real().with_goaway_chance(0.02);
            return Ok(Arc::new(Self::embedded_with(options).await?));
        }
        let start = || async {
            let apiserver_args = [GOAWAY, COMPACTION, UNCACHED].map(str::to_owned).to_vec();
            let options = Options::default().with_all_apis(true).with_apiserver_args(apiserver_args);
            Ok::<_, anyhow::Error>(Arc::new(Self::real_with(options).await?))
        };
        CLUSTER.get_or_try_init(start).await.cloned()
    }
}
