//! What every command takes.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use client_rs_client::discovery::{DiskCache, DiskCacheOptions, HttpCache};
use client_rs_transport::Config;
use client_rs_transport::args::KubeArgs;

/// Which cluster, as whom, and where to keep what was learned of it.
#[derive(Args, Clone, Debug)]
pub struct GlobalArgs {
    /// Which cluster, as whom, and how.
    #[command(flatten)]
    pub kube: KubeArgs,
    /// The folder to keep discovery in; kubectl's, which is shared with it [default: KUBECACHEDIR, else ~/.kube/cache]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Cluster")]
    pub cache_dir: Option<PathBuf>,
}

impl GlobalArgs {
    /// The cluster's configuration.
    pub fn config(&self) -> Result<Config> {
        self.kube.config().context("can't tell which cluster to talk to")
    }

    /// What the cluster serves, as this tool and kubectl have learned it lately.
    pub(crate) fn discovery(&self) -> Result<DiskCache> {
        let config = self.config()?;
        let dir = self.cache_dir();
        let server = DiskCache::dir_for_server(&dir.join("discovery"), &config.server_url());
        let options = DiskCacheOptions { ttl: Duration::from_hours(6), ..DiskCacheOptions::new(server) };
        let http = HttpCache::new(dir.join("http"));
        Ok(DiskCache::from_config(&config, options, Some(http))?)
    }

    fn cache_dir(&self) -> PathBuf {
        let told = self.cache_dir.clone().filter(|dir| !dir.as_os_str().is_empty());
        let told = told.or_else(|| std::env::var_os("KUBECACHEDIR").map(PathBuf::from));
        told.unwrap_or_else(|| {
            let home = std::env::home_dir().unwrap_or_default();
            home.join(".kube").join("cache")
        })
    }
}
