//! What was learned, kept in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use client_rs_machinery::GroupVersion;
use client_rs_machinery::meta::v1::{APIGroup, APIResourceList};
use tokio::sync::OnceCell;

use super::BoxFuture;
use super::source::fetch_each;
use super::{Discovery, DiscoveryError, FailedGroups, ServerGroups};

/// Asks once, and answers from memory until it is [invalidated](Discovery::invalidate).
///
/// - The first question fetches everything; whoever asks meanwhile waits for that same fetch. If it fails, nothing is
///   kept and the next question tries again; so does one that is cancelled.
/// - A version that failed is kept as failed; if that was for the moment only
///   ([`is_transient`](DiscoveryError::is_transient)), the next question about it asks the server again.
/// - A server without any group is not believed: nothing is kept.
/// - An `invalidate` while a fetch runs: those who waited before it get what was fetched, those who come after do not.
#[derive(Debug)]
pub struct MemoryCache {
    delegate: Arc<dyn Discovery>,
    /// Replaced as a whole, so that what is fetched for an older one never shows up in a newer one.
    generation: Mutex<Arc<Generation>>,
}

type Entry = Result<APIResourceList, DiscoveryError>;

#[derive(Debug, Default)]
struct Generation(OnceCell<Filled>);

#[derive(Debug)]
struct Filled {
    groups: Vec<APIGroup>,
    /// Whether groups and resources came in one answer.
    aggregated: bool,
    /// In the server's order.
    order: Vec<GroupVersion>,
    entries: Mutex<HashMap<GroupVersion, Entry>>,
}

enum Unfilled {
    Failed(DiscoveryError),
    /// There is no group; whatever else was said.
    Nothing(ServerGroups),
}

impl MemoryCache {
    /// Before another.
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

/// A version with nothing in it is what a server says whose backend is not there.
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

    /// Whether there is something in it at all.
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
