//! A mapper that runs discovery on demand.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_machinery::{GroupKind, GroupVersionKind, GroupVersionResource};
use tokio::time::Instant;

use super::super::Discovery;
use super::{MapError, RestMapper, RestMapping};
use crate::warning::{NoWarnings, WarningHandler};

client_rs_machinery::options! {
    /// The options of a [`DeferredRestMapper`].
    #[derive(Clone, Debug)]
    pub struct MapperOptions {
        /// After a miss in a fresh cache, discovery runs again if the cached data is at least this old. Default: 10 s. `None`:
        /// never, like client-go.
        pub look_again_after: Option<Duration> => with_look_again_after,
        /// Receives a warning if a short name is ambiguous. Default: no handler.
        pub warnings: Arc<dyn WarningHandler> => with_warnings,
    }
}

impl Default for MapperOptions {
    fn default() -> Self {
        Self { look_again_after: Some(Duration::from_secs(10)), warnings: Arc::new(NoWarnings) }
    }
}

/// A [`RestMapper`] that is built at the first lookup, and again after a miss.
///
/// After a miss, discovery runs again at once if the cache is [not fresh](Discovery::is_fresh), because its files come from another
/// process. Otherwise it runs at most once per [`look_again_after`](MapperOptions::look_again_after). So a custom resource that is
/// installed later is found, and repeated lookups of a missing name do not flood the server.
///
/// Clones share the data. Dropping a future cancels the lookup.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use std::sync::Arc;
/// use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
///
/// # let server = Canned::new().with_discovery();
/// # let rest = server.client();
/// let discovery = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(rest)));
/// let mapper = DeferredRestMapper::new(Arc::new(discovery));
/// assert!(server.calls().is_empty());
/// assert_eq!(mapper.find("po").await?.resource.resource, "pods");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DeferredRestMapper {
    discovery: Arc<dyn Discovery>,
    options: MapperOptions,
    built: Arc<Mutex<Option<Built>>>,
}

#[derive(Clone, Debug)]
struct Built {
    mapper: Arc<RestMapper>,
    at: Instant,
}

impl DeferredRestMapper {
    /// Uses a cache. Without one, each build of the mapper requests everything from the server.
    pub fn new(discovery: Arc<dyn Discovery>) -> Self {
        Self::with_options(discovery, MapperOptions::default())
    }

    /// Like [`new`](Self::new), with options.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MapperOptions};
    /// # use client_rs_client::testing::Canned;
    /// # let server = Canned::new().with_discovery();
    /// # let discovery = Arc::new(DiscoveryClient::from_rest(server.client()));
    /// let options = MapperOptions::default().with_look_again_after(None);
    /// let mapper = DeferredRestMapper::with_options(discovery, options);
    /// mapper.find("pods").await?;
    /// let requests = server.calls().len();
    /// assert!(mapper.find("unicorns").await.unwrap_err().is_no_match());
    /// assert_eq!(server.calls().len(), requests);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_options(discovery: Arc<dyn Discovery>, options: MapperOptions) -> Self {
        Self { discovery, options, built: Arc::default() }
    }

    /// Returns the current mapper, and builds it if needed: for several lookups over the same data.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
    /// # use client_rs_client::testing::Canned;
    /// # let server = Canned::new().with_discovery();
    /// # let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(server.client())));
    /// # let mapper = DeferredRestMapper::new(Arc::new(cache));
    /// let now = mapper.mapper().await?;
    /// assert_eq!(now.mappings().count(), 6);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mapper(&self) -> Result<Arc<RestMapper>, MapError> {
        Ok(self.built().await?.mapper)
    }

    /// Drops the mapper and invalidates the cache. The next lookup runs discovery.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
    /// # use client_rs_client::testing::Canned;
    /// # let server = Canned::new().with_discovery();
    /// # let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(server.client())));
    /// # let mapper = DeferredRestMapper::new(Arc::new(cache));
    /// mapper.find("svc").await?;
    /// let requests = server.calls().len();
    /// mapper.reset();
    /// mapper.find("svc").await?;
    /// assert_eq!(server.calls().len(), 2 * requests);
    /// # Ok(())
    /// # }
    /// ```
    pub fn reset(&self) {
        tracing::debug!("running discovery again");
        self.discovery.invalidate();
        *self.built.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The preferred resource with this name, which may be a short name. An empty group or version matches any.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
    /// # use client_rs_client::testing::Canned;
    /// # let server = Canned::new().with_discovery();
    /// # let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(server.client())));
    /// # let mapper = DeferredRestMapper::new(Arc::new(cache));
    /// use client_rs_machinery::GroupVersionResource;
    ///
    /// let found = mapper.resource_for(&GroupVersionResource::new("", "", "svc")).await?;
    /// assert_eq!(found.kind.kind, "Service");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn resource_for(&self, partial: &GroupVersionResource) -> Result<Arc<RestMapping>, MapError> {
        self.ask(|mapper| mapper.resource_for(&self.expanded(mapper, partial))).await
    }

    /// Every resource with this name, which may be a short name, in order of preference.
    pub async fn resources_for(
        &self,
        partial: &GroupVersionResource,
    ) -> Result<Vec<Arc<RestMapping>>, MapError> {
        self.ask(|mapper| mapper.resources_for(&self.expanded(mapper, partial))).await
    }

    /// The preferred kind of a resource with this name, which may be a short name.
    pub async fn kind_for(&self, partial: &GroupVersionResource) -> Result<GroupVersionKind, MapError> {
        self.ask(|mapper| mapper.kind_for(&self.expanded(mapper, partial))).await
    }

    /// The resource of a kind, in the first of these versions that has it. Without versions: in the preferred one.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
    /// # use client_rs_client::testing::Canned;
    /// # let server = Canned::new().with_discovery();
    /// # let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(server.client())));
    /// # let mapper = DeferredRestMapper::new(Arc::new(cache));
    /// use client_rs_machinery::GroupKind;
    ///
    /// let found = mapper.mapping(&GroupKind::new("", "ConfigMap"), &[]).await?;
    /// assert_eq!(found.resource.to_string(), "/v1, Resource=configmaps");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<Arc<RestMapping>, MapError> {
        self.ask(|mapper| mapper.mapping(kind, versions)).await
    }

    /// The resource of exactly this kind.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # use client_rs_client::discovery::{DeferredRestMapper, DiscoveryClient, MemoryCache};
    /// # use client_rs_client::testing::Canned;
    /// # let server = Canned::new().with_discovery();
    /// # let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(server.client())));
    /// # let mapper = DeferredRestMapper::new(Arc::new(cache));
    /// use client_rs_machinery::GroupVersionKind;
    ///
    /// let mapping = mapper.mapping_of(&GroupVersionKind::new("", "v1", "Node")).await?;
    /// assert_eq!(mapping.resource.resource, "nodes");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mapping_of(&self, kind: &GroupVersionKind) -> Result<Arc<RestMapping>, MapError> {
        self.mapping(&kind.group_kind(), &[&kind.version]).await
    }

    /// Finds a resource by the text that a user types: see [`RestMapper::find`].
    pub async fn find(&self, text: &str) -> Result<Arc<RestMapping>, MapError> {
        self.ask(|mapper| {
            let found = mapper.find(text);
            if found.is_ok() {
                let (_, any) = client_rs_machinery::parse_resource_arg(text);
                self.expanded(mapper, &any.with_version(""));
            }
            found
        })
        .await
    }

    /// Looks up, and after a miss runs discovery and looks up again.
    async fn ask<T>(
        &self,
        mut question: impl FnMut(&RestMapper) -> Result<T, MapError>,
    ) -> Result<T, MapError> {
        let built = self.built().await?;
        match question(&built.mapper) {
            Err(error) if error.is_no_match() && self.worth_another_look(&built) => {
                self.reset();
                question(&self.built().await?.mapper)
            }
            answer => answer,
        }
    }

    fn worth_another_look(&self, built: &Built) -> bool {
        let old_enough = self.options.look_again_after.is_some_and(|age| built.at.elapsed() >= age);
        !self.discovery.is_fresh() || old_enough
    }

    async fn built(&self) -> Result<Built, MapError> {
        let kept = self.built.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(built) = kept {
            return Ok(built);
        }
        // The time of the request, not of the response: a resource that is installed in between may be missing.
        let at = Instant::now();
        let served = self.discovery.server_resources().await?;
        if !served.failed.is_empty() {
            tracing::debug!(failed = ?served.failed.keys().collect::<Vec<_>>(), "discovery is partial");
        }
        let built = Built { mapper: Arc::new(RestMapper::new(&served)), at };
        *self.built.lock().unwrap_or_else(PoisonError::into_inner) = Some(built.clone());
        Ok(built)
    }

    fn expanded(&self, mapper: &RestMapper, partial: &GroupVersionResource) -> GroupVersionResource {
        let expansion = mapper.expand(partial);
        for other in &expansion.also {
            let text = format!(
                "short name {:?} could also match lower priority resource {other}",
                partial.resource.as_str()
            );
            self.options.warnings.handle(299, "-", &text);
        }
        expansion.resource
    }
}

#[cfg(test)]
mod tests;
