//! Copies of a registry, and its objects as data.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use client_rs_machinery::{Str, Unstructured};
use tokio::sync::watch as signal;

use super::{Registry, Served, State, Stored};
use crate::store::{Change, Range};

/// The objects of one resource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dumped {
    pub(crate) group: Str,
    pub(crate) plural: Str,
    pub(crate) objects: Vec<Arc<Stored>>,
}

impl Registry {
    /// A registry with the same objects, history and resources, without an observer. Both share the objects until
    /// one of them writes.
    ///
    /// `more` is called while nothing is written, to copy what belongs to the same state.
    pub(crate) fn fork<T>(&self, more: impl FnOnce() -> T) -> (Self, T) {
        let state = self.read();
        let catalog = self.catalog().fork();
        let signals = self.signals.read().unwrap_or_else(PoisonError::into_inner);
        let signals = signals.iter().map(|(table, latest)| (*table, signal::channel(*latest.borrow()).0));
        let registry = Self {
            state: RwLock::new(State { store: state.store.clone(), compactions: state.compactions }),
            catalog: RwLock::new(Arc::new(catalog)),
            signals: RwLock::new(signals.collect()),
            clock: self.clock.clone(),
            quotas: self.quotas,
            allocations: Mutex::default(),
            observer: OnceLock::new(),
            options: self.options,
        };
        let more = more();
        (registry, more)
    }

    /// The revision, and all objects with their resources, as of one moment.
    pub(crate) fn dump(&self) -> (u64, Vec<Dumped>) {
        let state = self.read();
        let catalog = self.catalog();
        let mut seen = std::collections::HashSet::new();
        let mut all = Vec::new();
        for served in catalog.all() {
            let Some(table) = served.table.filter(|table| seen.insert(*table)) else { continue };
            let scanned = state.store.scan(table, Range { prefix: "", from: "" }, u64::MAX);
            let objects: Vec<_> =
                scanned.into_iter().flatten().map(|(_, _, stored)| Arc::clone(stored)).collect();
            if !objects.is_empty() {
                let (group, plural) = (served.info.group.clone(), served.info.plural.clone());
                all.push(Dumped { group, plural, objects });
            }
        }
        (state.store.revision(), all)
    }

    /// Puts an object of another registry with its resource version, unchanged. Watches are not notified.
    pub(crate) fn load(&self, served: &Served, object: Unstructured) -> Result<(), &'static str> {
        let table = served.table.ok_or("the resource is not stored")?;
        let revision = object.resource_version().parse().map_err(|_| "it has no resource version")?;
        let key = super::key(served, object.namespace(), object.name());
        let value = Arc::new(Stored::new(object));
        self.change(|state| {
            state.store.load(table, &key, revision, Arc::clone(&value));
            if let Some(observer) = self.observer.get() {
                let change = Change { revision, key, value, previous: None, deleted: false };
                observer.changed(table, &change, self.clock.now().seconds());
            }
        });
        Ok(())
    }

    /// Continues at the revision of another registry, whose objects were loaded.
    pub(crate) fn resume(&self, revision: u64) {
        let revision = self.change(|state| {
            state.store.resume(revision);
            state.store.revision()
        });
        let signals = self.signals.read().unwrap_or_else(PoisonError::into_inner);
        for latest in signals.values() {
            latest.send_replace(revision);
        }
    }
}
