//! The registry: create, read, update and delete of objects of all resources, on top of the store.

mod admission;
mod aggregation;
mod catalog;
mod compaction;
mod context;
mod create;
mod delete;
mod endpoints;
mod fixtures;
mod fork;
mod list;
mod metadata;
mod namespaces;
mod observer;
mod ownership;
mod prepare;
mod quota;
mod select;
#[cfg(test)]
mod tests;
mod update;
mod watch;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard};

use client_rs_machinery::{ApiError, CauseType, ErrorCause, ErrorDetails, ErrorStatus, StatusReason, Str};
use tokio::sync::watch as signal;

use crate::kinds::shared::addresses::AddressRange;
use crate::kinds::{AdmissionPlugin, Plugins};
use crate::object::Clock;
use crate::store::{Change, Expect, Mismatch, Range, Store, TableId, Write};

pub(crate) use crate::object::{Stored, SubInfo, internal, typed};
pub(crate) use admission::{Admission, Operation, Subject};
pub(crate) use aggregation::AggregatedVersion;
pub(crate) use catalog::{Catalog, Served, is_built_in};
use compaction::Compactions;
pub(crate) use create::{WriteOptions, new_uid};
pub(crate) use fork::Dumped;
pub(crate) use list::{At, ListError, ListRequest, Listing};
pub(crate) use metadata::{FOREGROUND, ORPHAN};
pub(crate) use observer::{Observer, Wrote};
pub(crate) use ownership::{Live, Ownership, merge_type};
pub(crate) use quota::is_outdated as quota_is_outdated;
use quota::{Charge, Charged};
pub(crate) use select::Selection;
pub(crate) use update::{Part, Precondition};
pub(crate) use watch::{Interrupted, Watch};

/// The objects of a server, and the rules by which they change.
///
/// Every method handles one request and is done when it returns. None of them waits.
#[derive(Debug)]
pub(crate) struct Registry {
    state: RwLock<State>,
    catalog: RwLock<Arc<Catalog>>,
    /// The revision of the latest write of each table.
    signals: RwLock<HashMap<TableId, signal::Sender<u64>>>,
    clock: Clock,
    /// The table of resource quotas.
    quotas: Option<TableId>,
    /// Held while unique values are allocated for an object.
    allocations: Mutex<()>,
    /// Follows the writes.
    observer: OnceLock<Arc<dyn Observer>>,
    /// The options of the registry.
    options: RegistryOptions,
}

/// The options of a registry.
// Each flag is an option of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegistryOptions {
    /// The number of changes that are kept.
    pub(crate) history: usize,
    /// Whether new namespaces get the default objects of a real cluster.
    pub(crate) populates: bool,
    /// Whether garbage is collected. If not, nothing waits for it.
    pub(crate) collects: bool,
    /// Whether the objects exist that a real API server creates for itself.
    pub(crate) bootstraps: bool,
    /// Whether only the controllers of the API server run, none of kube-controller-manager.
    pub(crate) alone: bool,
    /// The range of cluster IPs.
    pub(crate) service_range: AddressRange,
    /// The admission plugins that are off.
    pub(crate) plugins_off: Plugins,
    /// Whether lists and watches can have a shard.
    pub(crate) shards: bool,
}

impl RegistryOptions {
    /// A registry without controllers and default objects.
    pub(crate) const PLAIN: Self = Self {
        history: 32_768,
        populates: false,
        collects: false,
        bootstraps: false,
        alone: false,
        service_range: AddressRange::SERVICES,
        plugins_off: Plugins::NONE,
        shards: false,
    };

    /// Whether an admission plugin is on.
    pub(crate) fn runs(&self, plugin: AdmissionPlugin) -> bool {
        !self.plugins_off.contains(plugin)
    }
}

#[derive(Debug)]
struct State {
    store: Store<Arc<Stored>>,
    compactions: Compactions,
}

/// The reason why a write was not stored.
enum NotCommitted {
    /// Another write came first.
    Mismatch,
    /// A quota does not allow it.
    Refused(ApiError),
}

impl From<Mismatch> for NotCommitted {
    fn from(_: Mismatch) -> Self {
        Self::Mismatch
    }
}

impl From<ApiError> for NotCommitted {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

/// An object, and the revision at which it was read.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The revision of its latest write.
    pub(crate) revision: u64,
    pub(crate) stored: Arc<Stored>,
}

impl Registry {
    /// Creates an empty registry. In addition to the stable versions it serves those in `also`.
    pub(crate) fn new(options: RegistryOptions, also: &[String]) -> Self {
        let mut store = Store::new(options.history);
        let catalog = Catalog::built_in(&mut store, also);
        let tables = catalog.all().iter().filter_map(|served| served.table);
        let quotas = catalog.find("", "v1", "resourcequotas").and_then(|served| served.table);
        let signals = tables.map(|table| (table, signal::channel(store.revision()).0)).collect();
        Self {
            state: RwLock::new(State { store, compactions: Compactions::default() }),
            catalog: RwLock::new(Arc::new(catalog)),
            signals: RwLock::new(signals),
            clock: Clock::default(),
            quotas,
            allocations: Mutex::default(),
            observer: OnceLock::new(),
            options,
        }
    }

    /// Sets the observer of all writes from now on. It can be set once.
    pub(crate) fn set_observer(&self, observer: Arc<dyn Observer>) {
        let set = self.observer.set(observer);
        debug_assert!(set.is_ok(), "a registry has one observer");
    }

    /// The options of the registry.
    pub(crate) fn options(&self) -> RegistryOptions {
        self.options
    }

    /// The served resources.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// A receiver that is notified of the writes to a table.
    fn signal(&self, table: TableId) -> Option<signal::Receiver<u64>> {
        let signals = self.signals.read().unwrap_or_else(PoisonError::into_inner);
        signals.get(&table).map(signal::Sender::subscribe)
    }

    /// The revision of the latest write of a resource.
    pub(crate) fn latest(&self, group: &str, plural: &str) -> u64 {
        self.follow(group, plural).map_or(0, |latest| *latest.borrow())
    }

    /// A receiver of the revision of the latest write of a built-in resource.
    pub(crate) fn follow(&self, group: &str, plural: &str) -> Option<signal::Receiver<u64>> {
        self.signal(self.catalog().find(group, "v1", plural)?.table?)
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The revision of the latest write.
    pub(crate) fn revision(&self) -> u64 {
        self.read().store.revision()
    }

    /// Discards all history. A watch from an older revision, or a list at one, fails with 410.
    pub(crate) fn compact(&self) {
        self.change(|state| state.store.compact(u64::MAX));
    }

    /// Returns an object, or a not-found error.
    pub(crate) fn get(&self, served: &Served, namespace: &str, name: &str) -> Result<Found, ApiError> {
        self.find(served, namespace, name).ok_or_else(|| ApiError::not_found(&served.group_resource(), name))
    }

    /// Returns an object, if it exists.
    pub(crate) fn find(&self, served: &Served, namespace: &str, name: &str) -> Option<Found> {
        self.find_key(served.table?, &key(served, namespace, name))
    }

    /// Returns the object of a key in a table, if it exists.
    pub(crate) fn find_key(&self, table: TableId, key: &str) -> Option<Found> {
        let state = self.read();
        let (revision, stored) = state.store.get(table, key)?;
        Some(Found { revision, stored: Arc::clone(stored) })
    }

    /// The number of objects per resource: group, plural name, count.
    pub(crate) fn counts(&self) -> Vec<(Str, Str, usize)> {
        let catalog = self.catalog();
        let state = self.read();
        let mut counts: Vec<(Str, Str, usize)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for served in catalog.all() {
            let Some(table) = served.table.filter(|table| seen.insert(*table)) else { continue };
            let range = Range { prefix: "", from: "" };
            let count = state.store.scan(table, range, u64::MAX).map_or(0, Iterator::count);
            counts.push((served.info.group.clone(), served.info.plural.clone(), count));
        }
        counts
    }

    /// Writes an object and notifies watches. The stored object contains its revision.
    pub(crate) fn commit(
        &self,
        table: TableId,
        key: &Str,
        expect: Expect,
        write: Write<client_rs_machinery::Unstructured>,
    ) -> Result<Arc<Change<Arc<Stored>>>, Mismatch> {
        let change = self.change(|state| self.write(state, table, key, expect, write))?;
        self.notify(table, &change);
        Ok(change)
    }

    /// Writes an object and charges it to the quotas of its namespace, as one step: nobody sees the one without the
    /// other.
    fn commit_charged(
        &self,
        table: TableId,
        key: &Str,
        expect: Expect,
        write: Write<client_rs_machinery::Unstructured>,
        counted: &Charge<'_>,
    ) -> Result<Arc<Change<Arc<Stored>>>, NotCommitted> {
        let (charged, change) = self.change(|state| {
            let charged = match &write {
                Write::Put(object) => self.charged(state, counted, object)?,
                Write::Delete(_) => Vec::new(),
            };
            if !state.store.holds(table, key, expect) {
                return Err(NotCommitted::Mismatch);
            }
            let mut changes = Vec::new();
            for Charged { key, revision, quota } in charged {
                let Some(quotas) = self.quotas else { break };
                changes.push(self.write(state, quotas, &key, Expect::At(revision), Write::Put(quota))?);
            }
            Ok((changes, self.write(state, table, key, expect, write)?))
        })?;
        for change in charged {
            if let Some(quotas) = self.quotas {
                self.notify(quotas, &change);
            }
        }
        self.notify(table, &change);
        Ok(change)
    }

    fn write(
        &self,
        state: &mut State,
        table: TableId,
        key: &Str,
        expect: Expect,
        write: Write<client_rs_machinery::Unstructured>,
    ) -> Result<Arc<Change<Arc<Stored>>>, Mismatch> {
        let now = self.clock.now().seconds();
        state.compactions.tick(now, state.store.revision());
        let change = state.store.write(table, key, expect, |revision| {
            let stamped = |mut object: client_rs_machinery::Unstructured| {
                object.set_resource_version(revision.to_string());
                Arc::new(Stored::new(object))
            };
            match write {
                Write::Put(object) => Write::Put(stamped(object)),
                Write::Delete(object) => Write::Delete(stamped(object)),
            }
        })?;
        if let Some(observer) = self.observer.get() {
            observer.changed(table, &change, now);
        }
        Ok(change)
    }

    /// Notifies watches and the observer of a change.
    fn notify(&self, table: TableId, change: &Arc<Change<Arc<Stored>>>) {
        if let Some(signal) = self.signals.read().unwrap_or_else(PoisonError::into_inner).get(&table) {
            // The maximum, because two writers may arrive here in another order than they wrote.
            signal.send_modify(|latest| *latest = (*latest).max(change.revision));
        }
        if let Some(observer) = self.observer.get() {
            observer.after_change(self, table, change);
        }
    }

    /// All objects of a resource, by key.
    pub(crate) fn all_objects(&self, served: &Served) -> Vec<client_rs_machinery::Unstructured> {
        let Some(table) = served.table else { return Vec::new() };
        let state = self.read();
        let scanned = state.store.scan(table, Range { prefix: "", from: "" }, u64::MAX);
        scanned.into_iter().flatten().map(|(_, _, stored)| stored.object.clone()).collect()
    }

    /// Creates a table for the objects of a custom resource.
    pub(crate) fn add_table(&self) -> TableId {
        let (table, revision) = self.change(|state| (state.store.add_table(), state.store.revision()));
        let mut signals = self.signals.write().unwrap_or_else(PoisonError::into_inner);
        signals.insert(table, signal::channel(revision).0);
        table
    }

    /// Replaces the resources of a definition. Watches of the old resources end.
    pub(crate) fn replace_resources(&self, definition: &str, resources: Vec<Arc<Served>>) {
        let before = self.catalog().of_definition(definition);
        if before.is_empty() && resources.is_empty() {
            return;
        }
        {
            let mut catalog = self.catalog.write().unwrap_or_else(PoisonError::into_inner);
            *catalog = Arc::new(catalog.with_definition(definition, resources));
        }
        for served in before {
            served.ended.send_replace(true);
        }
    }

    /// Runs the follow-up work of controllers before the response to a write.
    fn after_write(&self, served: &Served, stored: &Stored, wrote: Wrote) {
        if let (Some(_), Some(observer)) = (served.rules.follow_up, self.observer.get()) {
            observer.after_write(self, served, stored, wrote);
        }
    }

    /// The lock for unique values among the objects of a resource, if its kind has any.
    fn unique(&self, served: &Served) -> Option<MutexGuard<'_, ()>> {
        served.rules.allocate.map(|_| self.allocations.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        // A panic during a write leaves the store consistent: the last step of a write applies it.
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The key of an object in its table.
fn key(served: &Served, namespace: &str, name: &str) -> Str {
    if served.info.namespaced { format!("{namespace}/{name}").into() } else { name.into() }
}

/// 504: the requested resource version is in the future.
pub(crate) fn too_large_version(asked: u64, current: u64) -> ApiError {
    let cause = ErrorCause {
        cause_type: CauseType::ResourceVersionTooLarge,
        message: "Too large resource version".into(),
        field: Str::EMPTY,
    };
    ApiError::new(ErrorStatus {
        code: 504,
        reason: StatusReason::Timeout,
        message: format!("Timeout: Too large resource version: {asked}, current: {current}").into(),
        details: Some(ErrorDetails {
            causes: [cause].into(),
            retry_after_seconds: 1,
            ..ErrorDetails::default()
        }),
        ..ErrorStatus::default()
    })
}
