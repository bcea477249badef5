//! A mapper that asks when it has to.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_machinery::{GroupKind, GroupVersionKind, GroupVersionResource};
use tokio::time::Instant;

use super::super::Discovery;
use super::{MapError, RestMapper, RestMapping};
use crate::warning::{NoWarnings, WarningHandler};

client_rs_machinery::options! {
    /// How a [`DeferredRestMapper`] looks again for what it does not find.
    #[derive(Clone, Debug)]
    pub struct MapperOptions {
        /// What is not found in a cache that is fresh is looked for again if what the cache has is at least so old. Default:
        /// 10 s; `None`: never, as client-go's.
        pub look_again_after: Option<Duration> => with_look_again_after,
        /// Who hears that a short name could stand for something else too. Default: nobody.
        pub warnings: Arc<dyn WarningHandler> => with_warnings,
    }
}

impl Default for MapperOptions {
    fn default() -> Self {
        Self { look_again_after: Some(Duration::from_secs(10)), warnings: Arc::new(NoWarnings) }
    }
}

/// A [`RestMapper`] that is built when it is first asked, and again when something is not found.
///
/// A miss is looked for again at once where the cache says that it is [not fresh](Discovery::is_fresh) (files of another
/// process), and otherwise at most once in [`look_again_after`](MapperOptions::look_again_after): a custom resource
/// that is installed later is found, and a name that never comes to be does not make every caller ask for everything.
///
/// Clones share what was learned. Cancelled by drop.
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
    /// Over a cache. Without one, each build asks the server for everything.
    pub fn new(discovery: Arc<dyn Discovery>) -> Self {
        Self::with_options(discovery, MapperOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(discovery: Arc<dyn Discovery>, options: MapperOptions) -> Self {
        Self { discovery, options, built: Arc::default() }
    }

    /// The mapper as it is now; built if there is none.
    pub async fn mapper(&self) -> Result<Arc<RestMapper>, MapError> {
        Ok(self.built().await?.mapper)
    }

    /// Forgets everything; the next question asks the server.
    pub fn reset(&self) {
        tracing::debug!("discovery is looked at anew");
        self.discovery.invalidate();
        *self.built.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The one resource of this name; short names count. An empty group or version is any.
    pub async fn resource_for(&self, partial: &GroupVersionResource) -> Result<Arc<RestMapping>, MapError> {
        self.ask(|mapper| mapper.resource_for(&self.expanded(mapper, partial))).await
    }

    /// Every resource of this name, in order of preference; short names count.
    pub async fn resources_for(
        &self,
        partial: &GroupVersionResource,
    ) -> Result<Vec<Arc<RestMapping>>, MapError> {
        self.ask(|mapper| mapper.resources_for(&self.expanded(mapper, partial))).await
    }

    /// The one kind that a resource of this name has; short names count.
    pub async fn kind_for(&self, partial: &GroupVersionResource) -> Result<GroupVersionKind, MapError> {
        self.ask(|mapper| mapper.kind_for(&self.expanded(mapper, partial))).await
    }

    /// The resource of a kind, in the first of these versions that has it; with none named, in the preferred one.
    pub async fn mapping(&self, kind: &GroupKind, versions: &[&str]) -> Result<Arc<RestMapping>, MapError> {
        self.ask(|mapper| mapper.mapping(kind, versions)).await
    }

    /// The resource of exactly this kind.
    pub async fn mapping_of(&self, kind: &GroupVersionKind) -> Result<Arc<RestMapping>, MapError> {
        self.mapping(&kind.group_kind(), &[&kind.version]).await
    }

    /// What someone means who types this: see [`RestMapper::find`].
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

    /// Asks, and where there is no match asks again over a new look.
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
        // When it is asked, not when it answers: what is installed in between may be missing.
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
