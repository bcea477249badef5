//! Asks the server.

use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::meta::v1::{
    APIGroup, APIGroupList, APIResourceList, APIVersions, GroupVersionForDiscovery,
};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{GroupVersion, Str};
use client_rs_transport::Config;
use http::header::ACCEPT;

use super::BoxFuture;
#[cfg(feature = "disk-cache")]
use super::HttpCache;
use super::source::gather;
use super::{
    Discovery, DiscoveryError, OpenApiClient, ServerGroups, ServerResources, VersionInfo, aggregated,
};
use crate::{Error, Request, RestClient};

/// How a [`DiscoveryClient`] asks.
#[derive(Clone, Debug)]
pub struct DiscoveryOptions {
    /// Ask for each version by itself even where the server has one document for all. Default: false.
    pub legacy: bool,
    /// Ask what this one API server serves, not what its peers do. Default: false.
    pub no_peer: bool,
    /// How often everything is asked for as long as a version fails. Default: 2.
    pub attempts: u32,
    /// Keeps answers, and asks the server only whether they still hold. Default: none.
    #[cfg(feature = "disk-cache")]
    pub http_cache: Option<HttpCache>,
}

impl Default for DiscoveryOptions {
    fn default() -> Self {
        Self {
            legacy: false,
            no_peer: false,
            attempts: 2,
            #[cfg(feature = "disk-cache")]
            http_cache: None,
        }
    }
}

/// Asks the server what it serves, each time anew.
///
/// A server since 1.26 tells all of it in two answers; an older one is asked for each version by itself, many at a time.
#[derive(Clone, Debug)]
pub struct DiscoveryClient {
    rest: RestClient,
    options: DiscoveryOptions,
}

impl DiscoveryClient {
    /// How long a question may take, where the config does not say.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(32);
    /// How many questions may be asked at once, where the config does not say: a cluster has many groups.
    pub const DEFAULT_BURST: u32 = 300;

    /// Asks through this client.
    pub fn new(rest: RestClient, options: DiscoveryOptions) -> Self {
        Self { rest, options }
    }

    /// To a config's server. A config that says neither gets a time limit of 32 s and, where its rate is
    /// limited, a burst of 300.
    pub fn from_config(config: &Config, options: DiscoveryOptions) -> Result<Self, Error> {
        Ok(Self::new(RestClient::from_config(&discovery_config(config))?, options))
    }

    /// The client under it.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// Which server this is.
    pub async fn server_version(&self) -> Result<VersionInfo, DiscoveryError> {
        let answer = self.rest.send_raw(Request::get().abs_path(["/version"])).await?;
        serde_json::from_slice(&answer.body).map_err(|why| document("/version", why))
    }

    /// The schemas that the server publishes.
    pub fn openapi(&self) -> OpenApiClient {
        let client = OpenApiClient::new(self.rest.clone());
        #[cfg(feature = "disk-cache")]
        if let Some(cache) = self.options.http_cache.clone() {
            return client.with_http_cache(cache);
        }
        client
    }

    /// The `OpenAPI` v2 document of everything, as protobuf (`openapi.v2.Document`).
    pub async fn openapi_v2(&self) -> Result<Bytes, DiscoveryError> {
        const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
        let (_, body) = self.get("/openapi/v2", PROTOBUF).await?;
        Ok(body)
    }

    /// Is there such a resource? Fails where that can't be told.
    pub async fn is_resource_enabled(
        &self,
        resource: &client_rs_machinery::GroupVersionResource,
    ) -> Result<bool, DiscoveryError> {
        match self.resources_for(&resource.group_version()).await {
            Ok(list) => Ok(list.resources.iter().any(|has| has.name == resource.resource)),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn get(&self, path: &str, accept: &str) -> Result<(String, Bytes), Error> {
        let request = Request::get().abs_path([path]).header(ACCEPT, accept);
        #[cfg(feature = "disk-cache")]
        if let Some(cache) = &self.options.http_cache {
            return cache.get(&self.rest, request).await;
        }
        let answer = self.rest.send_raw(request).await?;
        Ok((answer.content_type().to_owned(), answer.body))
    }

    /// `/api`: the core group. No such path is no core group.
    async fn core(&self, accept: &str) -> Result<ServerGroups, DiscoveryError> {
        let (content_type, body) = match self.get("/api", accept).await {
            Ok(answer) => answer,
            Err(error) if error.is_not_found() => {
                return Ok(ServerGroups { resources: Some(Vec::new()), ..ServerGroups::default() });
            }
            Err(error) => return Err(error.into()),
        };
        if aggregated::is_aggregated(&content_type) {
            return aggregated::parse(&body).map_err(|why| document("/api", why));
        }
        let answer = APIVersions::from_json(&body).map_err(|why| document("/api", why))?;
        let version = |version: &Str| GroupVersionForDiscovery {
            group_version: version.clone(),
            version: version.clone(),
        };
        let versions: Vec<_> = answer.versions.iter().map(version).collect();
        let preferred_version = versions.first().cloned().unwrap_or_default();
        let group = APIGroup { versions: versions.into(), preferred_version, ..APIGroup::EMPTY };
        Ok(ServerGroups { groups: vec![group], ..ServerGroups::default() })
    }

    /// `/apis`: every other group.
    async fn others(&self, accept: &str) -> Result<ServerGroups, DiscoveryError> {
        let (content_type, body) = self.get("/apis", accept).await?;
        if aggregated::is_aggregated(&content_type) {
            return aggregated::parse(&body).map_err(|why| document("/apis", why));
        }
        let list = APIGroupList::from_json(&body).map_err(|why| document("/apis", why))?;
        Ok(ServerGroups { groups: list.groups.into_vec(), ..ServerGroups::default() })
    }

    async fn groups(&self) -> Result<ServerGroups, DiscoveryError> {
        let accept = aggregated::accept(self.options.legacy, self.options.no_peer);
        let (core, others) = tokio::try_join!(self.core(&accept), self.others(&accept))?;
        let mut all = core;
        all.groups.extend(others.groups);
        all.failed.extend(others.failed);
        // Where one of the two did not tell its resources, those of the other would look like all there are.
        all.resources = all.resources.zip(others.resources).map(|(mut core, others)| {
            core.extend(others);
            core
        });
        Ok(all)
    }

    async fn resources_for(&self, version: &GroupVersion) -> Result<APIResourceList, DiscoveryError> {
        if version.version.is_empty() {
            return Err(DiscoveryError::NoVersion);
        }
        let is_core = version.group.is_empty() && version.version == "v1";
        let root = if version.group.is_empty() { "api" } else { "apis" };
        let path = format!("/{root}/{version}");
        // Checks the parts: neither may change the path.
        let request = Request::get().api(&version.group, &version.version);
        let request = request.header(ACCEPT, "application/json");
        let body = match self.rest.send_raw(request).await {
            Ok(answer) => answer.body,
            Err(error) if is_core && error.is_not_found() => {
                return Ok(APIResourceList { group_version: "v1".into(), ..APIResourceList::EMPTY });
            }
            Err(error) => return Err(error.into()),
        };
        let list = APIResourceList::from_json(&body).map_err(|why| document(&path, why))?;
        Ok(APIResourceList { group_version: version.to_string().into(), ..list })
    }
}

impl Discovery for DiscoveryClient {
    fn groups(&self) -> BoxFuture<'_, Result<ServerGroups, DiscoveryError>> {
        Box::pin(self.groups())
    }

    fn resources_for<'a>(
        &'a self,
        version: &'a GroupVersion,
    ) -> BoxFuture<'a, Result<APIResourceList, DiscoveryError>> {
        Box::pin(self.resources_for(version))
    }

    fn server_resources(&self) -> BoxFuture<'_, Result<ServerResources, DiscoveryError>> {
        Box::pin(async {
            let mut attempt = 1;
            loop {
                let found = gather(self).await?;
                if found.failed.is_empty() || attempt >= self.options.attempts {
                    return Ok(found);
                }
                attempt += 1;
            }
        })
    }
}

/// A config with the manners of discovery, where it has none of its own.
fn discovery_config(config: &Config) -> Config {
    let mut config = config.clone();
    config.timeout = config.timeout.or(Some(DiscoveryClient::DEFAULT_TIMEOUT));
    if config.burst == 0 {
        config.burst = DiscoveryClient::DEFAULT_BURST;
    }
    config
}

pub(super) fn document(path: &str, why: impl std::fmt::Display) -> DiscoveryError {
    DiscoveryError::Document { path: path.to_owned(), why: why.to_string() }
}

#[cfg(test)]
mod tests;
