//! A discovery cache in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use client_rs_machinery::GroupVersion;
use client_rs_machinery::meta::v1::{APIGroup, APIResourceList};
use tokio::sync::OnceCell;

use super::BoxFuture;
use super::source::fetch_each;
use super::{Discovery, DiscoveryError, FailedGroups, ServerGroups};

/// Requests discovery data once, and answers from memory until it is [invalidated](Discovery::invalidate).
///
/// - The first call fetches everything. Concurrent calls wait for that fetch. If it fails or is cancelled, nothing is cached and the
///   next call tries again.
/// - A version that failed stays failed. If the failure was [transient](DiscoveryError::is_transient), the next call for that
///   version sends a request again.
/// - A response without any group is not cached.
/// - `invalidate` during a fetch: callers that were already waiting get the fetched data, later callers do not.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::sync::Arc;
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::{Discovery, DiscoveryClient, MemoryCache};
///
/// # let server = Canned::new().with_discovery();
/// let cache = MemoryCache::new(Arc::new(DiscoveryClient::from_rest(server.client())));
/// cache.server_resources().await?;
/// let requests = server.calls().len();
/// cache.server_resources().await?;
/// assert_eq!(server.calls().len(), requests);
/// cache.invalidate();
/// cache.server_resources().await?;
/// assert!(server.calls().len() > requests);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MemoryCache {
    delegate: Arc<dyn Discovery>,
    /// Replaced as a whole, so that a fetch for an older generation never appears in a newer one.
    generation: Mutex<Arc<Generation>>,
}

type Entry = Result<APIResourceList, DiscoveryError>;

#[derive(Debug, Default)]
struct Generation(OnceCell<Filled>);

#[derive(Debug)]
struct Filled {
    groups: Vec<APIGroup>,
    /// Whether one response had groups and resources.
    aggregated: bool,
    /// In the server's order.
    order: Vec<GroupVersion>,
    entries: Mutex<HashMap<GroupVersion, Entry>>,
}

enum Unfilled {
    Failed(DiscoveryError),
    /// The response has no groups.
    Nothing(ServerGroups),
}

impl MemoryCache {
    /// Puts the cache in front of another source.
    pub fn new(delegate: Arc<dyn Discovery>) -> Self {
        Self { delegate, generation: Mutex::default() }
    }

    fn generation(&self) -> Arc<Generation> {
        self.generation.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn fill(&self) -> Result<Filled, Unfilled> {
        let mut groups = self.delegate.groups().await.map_err(Unfilled::Failed)?;
        if groups.groups.is_empty() {
            return Err(Unfilled::Nothing(groups));
        }
        let (mut order, mut entries) = (Vec::new(), HashMap::new());
        let aggregated = groups.resources.is_some();
        if let Some(lists) = groups.resources.take() {
            for list in lists {
                let Ok(version) = GroupVersion::parse(&list.group_version) else { continue };
                order.push(version.clone());
                entries.insert(version, Ok(list));
            }
            for (version, error) in std::mem::take(&mut groups.failed) {
                order.push(version.clone());
                entries.insert(version, Err(error));
            }
        } else {
            for (version, answer) in fetch_each(&*self.delegate, &groups.groups).await {
                order.push(version.clone());
                entries.insert(version.clone(), not_empty(&version, answer));
            }
        }
        Ok(Filled { groups: groups.groups, aggregated, order, entries: Mutex::new(entries) })
    }

    async fn groups(&self) -> Result<ServerGroups, DiscoveryError> {
        let generation = self.generation();
        let filled = match generation.0.get_or_try_init(|| self.fill()).await {
            Ok(filled) => filled,
            Err(Unfilled::Nothing(groups)) => return Ok(groups),
            Err(Unfilled::Failed(error)) => return Err(error),
        };
        let (mut resources, mut failed) = (None, FailedGroups::new());
        if filled.aggregated {
            let entries = filled.entries.lock().unwrap_or_else(PoisonError::into_inner);
            let mut lists = Vec::new();
            for version in &filled.order {
                match &entries[version] {
                    Ok(list) => lists.push(list.clone()),
                    Err(error) => {
                        failed.insert(version.clone(), error.clone());
                    }
                }
            }
            resources = Some(lists);
        }
        Ok(ServerGroups { groups: filled.groups.clone(), resources, failed })
    }

    async fn resources_for(&self, version: &GroupVersion) -> Entry {
        let generation = self.generation();
        let filled = match generation.0.get_or_try_init(|| self.fill()).await {
            Ok(filled) => filled,
            Err(Unfilled::Nothing(_)) => return Err(DiscoveryError::NotFound(version.clone())),
            Err(Unfilled::Failed(error)) => return Err(error),
        };
        let kept = filled.entries.lock().unwrap_or_else(PoisonError::into_inner).get(version).cloned();
        match kept {
            None => Err(DiscoveryError::NotFound(version.clone())),
            Some(Err(error)) if error.is_transient() => {
                let answer = not_empty(version, self.delegate.resources_for(version).await);
                let mut entries = filled.entries.lock().unwrap_or_else(PoisonError::into_inner);
                entries.insert(version.clone(), answer.clone());
                answer
            }
            Some(entry) => entry,
        }
    }
}

/// Treats an empty version as a failure: servers report it if the backend is unavailable.
fn not_empty(version: &GroupVersion, answer: Entry) -> Entry {
    match answer {
        Ok(list) if list.resources.is_empty() => Err(DiscoveryError::Empty(version.clone())),
        answer => answer,
    }
}

impl Discovery for MemoryCache {
    fn groups(&self) -> BoxFuture<'_, Result<ServerGroups, DiscoveryError>> {
        Box::pin(self.groups())
    }

    fn resources_for<'a>(&'a self, version: &'a GroupVersion) -> BoxFuture<'a, Entry> {
        Box::pin(self.resources_for(version))
    }

    /// Whether the cache is filled.
    fn is_fresh(&self) -> bool {
        self.generation().0.initialized()
    }

    fn invalidate(&self) {
        *self.generation.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
        self.delegate.invalidate();
    }
}

#[cfg(test)]
mod tests;
