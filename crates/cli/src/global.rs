//! Arguments of every command.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use client_rs_client::discovery::{
    Discovery, DiscoveryClient, DiskCache, DiskCacheOptions, HttpCache, MemoryCache,
};
use client_rs_transport::Config;
use client_rs_transport::args::KubeArgs;
use client_rs_transport::auth::exec::PluginPolicy;

/// The cluster and user to use, and the discovery cache.
#[derive(Args, Clone, Debug)]
pub struct GlobalArgs {
    /// The cluster, the user and the connection.
    #[command(flatten)]
    pub kube: KubeArgs,
    /// Discovery cache directory, shared with kubectl [default: KUBECACHEDIR, else ~/.kube/cache]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Cluster")]
    pub cache_dir: Option<PathBuf>,
}

impl GlobalArgs {
    /// The cluster's configuration. If the arguments don't configure credential plugins, the user's kuberc file does, as
    /// for kubectl.
    pub fn config(&self) -> Result<Config> {
        let mut config = self.kube.config().context("can't load the client configuration")?;
        if self.kube.plugin_policy().is_none()
            && let Some(exec) = &mut config.auth.exec
            && let Some(policy) = PluginPolicy::from_user_kuberc()?
        {
            exec.policy = policy;
        }
        Ok(config)
    }

    /// The cluster's discovery data, from the cache that krs shares with kubectl.
    pub(crate) fn discovery(&self) -> Result<Arc<dyn Discovery>> {
        let config = self.config()?;
        let Some(dir) = self.cache_dir() else {
            let client = DiscoveryClient::from_config(&config)?;
            return Ok(Arc::new(MemoryCache::new(Arc::new(client))));
        };
        let server = DiskCache::dir_for_server(&dir.join("discovery"), &config.server_url());
        let options = DiskCacheOptions::new(server).with_ttl(Duration::from_hours(6));
        let http = HttpCache::new(dir.join("http"));
        Ok(Arc::new(DiskCache::from_config(&config, options, Some(http))?))
    }

    /// `None` without a home folder: files in the current folder are not trusted.
    fn cache_dir(&self) -> Option<PathBuf> {
        let variable = std::env::var_os("KUBECACHEDIR").map(PathBuf::from);
        cache_dir(self.cache_dir.clone(), variable, std::env::home_dir())
    }
}

/// The first that is said, else the home's.
fn cache_dir(told: Option<PathBuf>, variable: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let said = |dir: &PathBuf| !dir.as_os_str().is_empty();
    let home = home.filter(said).map(|home| home.join(".kube").join("cache"));
    told.filter(said).or_else(|| variable.filter(said)).or(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_home_nothing_is_kept_in_the_current_directory() {
        let dir = |text: &str| Some(PathBuf::from(text));
        assert_eq!(cache_dir(dir("told"), dir("/variable"), dir("/home/me")), dir("told"));
        assert_eq!(cache_dir(dir(""), dir("/variable"), dir("/home/me")), dir("/variable"));
        assert_eq!(cache_dir(None, dir(""), dir("/home/me")), dir("/home/me/.kube/cache"));
        assert_eq!(cache_dir(None, None, dir("")), None);
        assert_eq!(cache_dir(None, None, None), None);
    }
}
