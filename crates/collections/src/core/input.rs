//! [`InputNode`]: a collection that is written from outside.

use std::any::Any;
use std::sync::Arc;

use client_rs_cache::Collection;
use client_rs_machinery::Str;
use client_rs_machinery::hash::{HashSet, RandomState};

use super::node::{Failed, Identity, Node, Nodes, Origin, Work};
use super::scratch::emptied;
use super::store::{AnyStore, Store};
use crate::input::Versions;
use crate::{Incomplete, Key};

/// An input, and what is staged for its next epoch.
pub(crate) struct InputNode<K, V> {
    store: Store<K, V>,
    staged: Vec<Staged<K, V>>,
    /// How many of them came from the inbox.
    drained: usize,
    /// Ends with the node: the source that writes the input.
    source: Option<Box<dyn Any + Send + Sync>>,
    missing: Option<Missing<K, V>>,
    /// The versions that the informer has now.
    informer: Option<Box<dyn Fn() -> Versions + Send + Sync>>,
    /// Those with the changes that are here; empty if they are not noted.
    versions: Versions,
}

/// Returns why an input lacks entries that its source has.
pub(crate) type Missing<K, V> = Box<dyn Fn(&Store<K, V>) -> Option<Incomplete> + Send + Sync>;

enum Staged<K, V> {
    Set(K, Option<Arc<V>>),
    /// All entries: those that are not named are gone.
    Replace(Vec<(K, Arc<V>)>),
}

impl<K: Key, V: Send + Sync + 'static> InputNode<K, V> {
    pub(crate) fn new(name: String, same: fn(&V, &V) -> bool) -> Self {
        Self {
            store: Store::new(name, same),
            staged: Vec::new(),
            drained: 0,
            source: None,
            missing: None,
            informer: None,
            versions: Vec::new(),
        }
    }

    pub(crate) fn set(&mut self, key: K, value: Option<Arc<V>>) {
        self.staged.push(Staged::Set(key, value));
    }

    pub(crate) fn replace(&mut self, entries: Vec<(K, Arc<V>)>) {
        // Nothing that was staged before is left. What came from the inbox stays, because the others may be discarded.
        self.staged.truncate(self.drained);
        self.staged.push(Staged::Replace(entries));
    }

    /// All that is staged came from the inbox.
    pub(crate) fn drained(&mut self) {
        self.drained = self.staged.len();
    }

    /// Keeps the source that writes the input, until the node ends.
    pub(crate) fn keep(&mut self, source: Box<dyn Any + Send + Sync>) {
        self.source = Some(source);
    }

    /// Asks the source whether the input has all of its entries.
    pub(crate) fn ask(&mut self, missing: Missing<K, V>) {
        self.missing = Some(missing);
    }

    /// The informer that writes the input: the versions that it has.
    pub(crate) fn follow(&mut self, informer: Box<dyn Fn() -> Versions + Send + Sync>) {
        self.informer = Some(informer);
    }

    /// The next epoch has everything that the informer had with these versions.
    pub(crate) fn has(&mut self, versions: Versions) {
        self.versions = versions;
    }

    fn put(&mut self, key: &K, value: Option<Arc<V>>) -> Option<u32> {
        // A deletion of an unknown key needs no slot.
        let slot = if value.is_some() { self.store.table.intern(key) } else { self.store.table.find(key)? };
        self.store.put(slot, value);
        Some(slot)
    }
}

impl<K: Key, V: Send + Sync + 'static> Node for InputNode<K, V> {
    fn store(&self) -> &dyn AnyStore {
        &self.store
    }

    fn store_mut(&mut self) -> &mut dyn AnyStore {
        &mut self.store
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn mark(&mut self, _: u32) {}

    fn mark_guarded(&mut self, _: u32) {}

    fn mark_from(&mut self, _: u32, _: u32) {}

    fn advance(&mut self, _: &mut Nodes, _: Identity) {
        let mut staged = std::mem::take(&mut self.staged);
        self.drained = 0;
        for change in staged.drain(..) {
            match change {
                Staged::Set(key, value) => {
                    self.put(&key, value);
                }
                Staged::Replace(entries) => {
                    let mut kept = HashSet::with_capacity_and_hasher(entries.len(), RandomState::default());
                    for (key, value) in entries {
                        kept.extend(self.put(&key, Some(value)));
                    }
                    let gone =
                        self.store.table.iter().map(|(slot, ..)| slot).filter(|slot| !kept.contains(slot));
                    for slot in gone.collect::<Vec<_>>() {
                        self.store.put(slot, None);
                    }
                }
            }
        }
        self.staged = emptied(staged);
        self.store.merge();
    }

    fn attach(&mut self, _: &mut Nodes, _: u32) {}

    fn detach(&mut self, _: &mut Nodes, _: u32) {}

    fn work(&self) -> Work {
        Work::default()
    }

    fn failed(&self, _: &Nodes) -> Failed {
        Failed::default()
    }

    fn failure(&self, _: &Nodes, _: u32) -> Option<String> {
        None
    }

    fn missing(&self) -> Option<Incomplete> {
        self.missing.as_ref().and_then(|missing| missing(&self.store))
    }

    fn discard(&mut self) {
        self.staged.truncate(self.drained);
    }

    fn note_versions(&mut self) {
        if let Some(informer) = self.informer.as_ref().filter(|_| self.versions.is_empty()) {
            self.versions = informer();
        }
    }

    fn versions(&self) -> &[(Collection, Str)] {
        &self.versions
    }

    fn origins(&self, _: &Nodes, _: u32) -> Vec<Origin> {
        Vec::new()
    }
}
