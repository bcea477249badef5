//! The discovery client.

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

client_rs_machinery::options! {
    /// The options of a [`DiscoveryClient`].
    #[derive(Clone, Debug)]
    pub struct DiscoveryOptions {
        /// Send one request per version, even if the server supports aggregated discovery. Default: false.
        pub legacy: bool => with_legacy,
        /// Read the resources of this API server only, without those of its peers. Default: false.
        pub no_peer: bool => with_no_peer,
        /// The number of attempts to read everything while a version fails. Default: 2.
        pub attempts: u32 => with_attempts,
        /// A cache of responses, which are revalidated with the server. Default: none.
        #[cfg(feature = "disk-cache")]
        pub http_cache: Option<HttpCache> => with_http_cache,
    }
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

/// Reads the groups, versions and resources of a server. It sends requests each time; put a [`MemoryCache`](super::MemoryCache) in
/// front of it if you read more than once.
///
/// Servers since 1.26 need two requests (aggregated discovery). Older ones need one request per version, and up to 32 run
/// concurrently.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::{Discovery, DiscoveryClient};
/// use client_rs_machinery::GroupVersion;
///
/// # let server = Canned::new().with_discovery();
/// # let rest = server.client();
/// let discovery = DiscoveryClient::from_rest(rest);
/// let apps = discovery.resources_for(&GroupVersion::new("apps", "v1")).await?;
/// assert_eq!(apps.resources[0].kind, "Deployment");
/// # Ok(())
/// # }
/// ```
///
/// Cancellation: dropping a future cancels its requests. Next: [`RestMapper`](super::RestMapper) finds resources by name.
#[derive(Clone, Debug)]
pub struct DiscoveryClient {
    rest: RestClient,
    options: DiscoveryOptions,
}

impl DiscoveryClient {
    /// The timeout of a request, unless the config sets one.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(32);
    /// The burst of the rate limit, unless the config sets one: a cluster has many groups.
    pub const DEFAULT_BURST: u32 = 300;

    /// Uses an existing client.
    pub fn from_rest(rest: RestClient) -> Self {
        Self::with_options(rest, DiscoveryOptions::default())
    }

    /// Like [`from_rest`](Self::from_rest), with options.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::testing::Canned;
    /// use client_rs_client::discovery::{Discovery, DiscoveryClient, DiscoveryOptions};
    ///
    /// # let server = Canned::new().with_discovery();
    /// let options = DiscoveryOptions::default().with_legacy(true);
    /// let discovery = DiscoveryClient::with_options(server.client(), options);
    /// discovery.groups().await?;
    /// assert_eq!(server.received()[0].headers()["accept"], "application/json");
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_options(rest: RestClient, options: DiscoveryOptions) -> Self {
        Self { rest, options }
    }

    /// Connects to the server of a config. If the config does not set them, the timeout is 32 s and the burst of a rate limit is 300.
    ///
    /// # Errors
    ///
    /// If the credentials or the certificates of the config can't be used. No request is sent.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        Self::from_config_with(config, DiscoveryOptions::default())
    }

    /// Like [`from_config`](Self::from_config), with options.
    pub fn from_config_with(config: &Config, options: DiscoveryOptions) -> Result<Self, Error> {
        Ok(Self::with_options(RestClient::from_config(&discovery_config(config))?, options))
    }

    /// The client that sends the requests.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// Reads the version of the server.
    pub async fn server_version(&self) -> Result<VersionInfo, DiscoveryError> {
        let answer = self.rest.send_raw(Request::get().abs_path(["/version"])).await?;
        serde_json::from_slice(&answer.body).map_err(|why| document("/version", why))
    }

    /// Returns a client for the `OpenAPI` v3 schemas of the server. It uses the response cache of this client.
    pub fn openapi(&self) -> OpenApiClient {
        let client = OpenApiClient::new(self.rest.clone());
        #[cfg(feature = "disk-cache")]
        if let Some(cache) = self.options.http_cache.clone() {
            return client.with_http_cache(cache);
        }
        client
    }

    /// Reads the `OpenAPI` v2 document of all groups, as protobuf (`openapi.v2.Document`).
    pub async fn openapi_v2(&self) -> Result<Bytes, DiscoveryError> {
        const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
        let (_, body) = self.get("/openapi/v2", PROTOBUF).await?;
        Ok(body)
    }

    /// Whether the server serves this resource.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::testing::Canned;
    /// # use client_rs_client::discovery::DiscoveryClient;
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// # let discovery = DiscoveryClient::from_rest(Canned::new().with_discovery().client());
    /// assert!(discovery.is_resource_enabled(&GroupVersionResource::new("apps", "v1", "deployments")).await?);
    /// assert!(!discovery.is_resource_enabled(&GroupVersionResource::new("batch", "v1", "jobs")).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If discovery fails for another reason than a version that is not found.
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

    /// Reads `/api`: the core group. If the path is not found, there is no core group.
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

    /// Reads `/apis`: all other groups.
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
        // If only one of the two has resources, they would look complete.
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
        // Checks that neither part changes the path.
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

/// Sets the timeout and burst of discovery, unless the config sets them.
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
