//! Arguments of every command.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use client_rs_client::discovery::{
    Discovery, DiscoveryClient, DiscoveryOptions, DiskCache, DiskCacheOptions, HttpCache, MemoryCache,
};
use client_rs_client::{RestClient, RestClientOptions};
use client_rs_transport::Config;
use client_rs_transport::args::KubeArgs;
use client_rs_transport::auth::exec::PluginPolicy;
use client_rs_transport::http::{RequestDebug, Transport};

use crate::Printable;

/// The cluster and user to use, and the discovery cache.
#[derive(Args, Clone, Debug)]
pub struct GlobalArgs {
    /// The cluster, the user and the connection.
    #[command(flatten)]
    pub kube: KubeArgs,
    /// Discovery cache directory, shared with kubectl [default: KUBECACHEDIR, else ~/.kube/cache]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Cluster")]
    pub cache_dir: Option<PathBuf>,
    /// Report requests on standard error: 6 for URLs, 7 with headers, 8 with bodies, 9 with curl commands, 10 with whole bodies
    #[arg(
        short,
        long,
        global = true,
        value_name = "LEVEL",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Cluster"
    )]
    pub v: u8,
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

    /// A client of the cluster, which reports its requests if the arguments ask for it.
    pub(crate) fn connect(&self, config: &Config, options: RestClientOptions) -> Result<RestClient> {
        let mut transport = Transport::from_config(config).context("can't connect")?;
        if self.v > 0 {
            transport = transport.layer(RequestDebug::new(self.v, |text| {
                let mut stderr = Printable::new(std::io::stderr().lock());
                let _ = writeln!(stderr, "{text}"); // A report that can't be printed is not worth a failure.
            }));
        }
        Ok(RestClient::with_options(&config.server, transport, options)?)
    }

    /// A client for discovery and `OpenAPI` documents.
    pub(crate) fn discovery_client(&self, options: DiscoveryOptions) -> Result<DiscoveryClient> {
        let config = self.config()?;
        if self.v == 0 {
            return Ok(DiscoveryClient::from_config_with(&config, options)?);
        }
        let timeout = config.timeout.unwrap_or(DiscoveryClient::DEFAULT_TIMEOUT);
        let config = config.with_timeout(timeout).with_burst(DiscoveryClient::DEFAULT_BURST);
        let rest = self.connect(&config, RestClientOptions::from_config(&config))?;
        Ok(DiscoveryClient::with_options(rest, options))
    }

    /// The cluster's discovery data, from the cache that krs shares with kubectl.
    pub(crate) fn discovery(&self) -> Result<Arc<dyn Discovery>> {
        let Some(dir) = self.cache_dir() else {
            let client = self.discovery_client(DiscoveryOptions::default())?;
            return Ok(Arc::new(MemoryCache::new(Arc::new(client))));
        };
        let server = DiskCache::dir_for_server(&dir.join("discovery"), &self.config()?.server_url());
        let options = DiskCacheOptions::new(server).with_ttl(Duration::from_hours(6));
        let http = DiscoveryOptions::default().with_http_cache(HttpCache::new(dir.join("http")));
        let client = MemoryCache::new(Arc::new(self.discovery_client(http)?));
        Ok(Arc::new(DiskCache::new(Arc::new(client), options)))
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
