//! The locks of a store. Writers change the content in place while no snapshot shares it. Readers hold a lock
//! only to find one object or to take a snapshot.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError};

use client_rs_machinery::{Object, ObjectKey, Str, canary};
use tokio::sync::watch;

use super::change::Change;
use super::content::{Content, Ledger, Packing, Values};
use super::index::{IndexError, IndexFunction};
use super::layout::Layout;
use super::packed::gauge::Gauge;
use super::packed::{Packer, Unpacker};
use super::packing;
use super::stored::Stored;
use super::waiters::Waiters;
use crate::read_scope::FirstList;
use crate::sync::{Mutex, RwLock};
use crate::{Bookmark, Coverage, Deleted, Delta, Replacement, Tombstone};

/// The state that the handles of one store share.
///
/// Lock order: `ledger`, then `content`. No user code runs under `content`, except an object's own accessors.
/// Index functions run under `ledger`, which readers take only for [`footprint`](Self::footprint).
pub(crate) struct Shared<K> {
    pub(super) content: RwLock<Arc<Content<K>>>,
    pub(super) ledger: Mutex<Ledger<K>>,
    /// The index functions and their number of panics: those of the ledger, for readers.
    functions: RwLock<Vec<IndexFunction<K>>>,
    panics: Arc<AtomicU64>,
    pub(super) waiters: Waiters,
    pub(super) first_list: FirstList,
    /// The number of lists so far.
    pub(super) lists: watch::Sender<u64>,
    /// Whether the version of the store is meaningful: only if deltas arrive in the order of the server.
    pub(super) in_order: bool,
    pub(super) layout: Layout<K>,
    /// Called when all objects of a list have been packed.
    pub(super) on_packed: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl<K: Object> Shared<K> {
    pub(crate) fn new(in_order: bool, layout: Layout<K>) -> Self {
        let packing = layout.packing().map(|(codec, enabled)| Packing {
            packer: Packer::new(codec, None, enabled),
            gauge: Gauge::default(),
            running: false,
            wants_training: false,
            lists: 0,
        });
        let ledger = Ledger::new(packing);
        let unpacker = layout.packing().map(|(codec, enabled)| Arc::new(Unpacker::new(codec, enabled)));
        Self {
            content: RwLock::new(Arc::new(Content::new(unpacker))),
            functions: RwLock::new(Vec::new()),
            panics: ledger.panics.clone(),
            ledger: Mutex::new(ledger),
            waiters: Waiters::default(),
            first_list: FirstList::default(),
            lists: watch::Sender::new(0),
            in_order,
            layout,
            on_packed: OnceLock::new(),
        }
    }

    /// Runs a function on the newest content, under a lock: only for work as short as one lookup.
    pub(super) fn peek<R>(&self, read: impl FnOnce(&Content<K>) -> R) -> R {
        read(&self.content.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the newest content, which no later write changes.
    pub(super) fn snapshot(&self) -> Arc<Content<K>> {
        self.content.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn panics(&self) -> u64 {
        self.panics.load(Ordering::Relaxed)
    }

    /// Returns the values of an object in an index.
    pub(super) fn values_of(&self, index: &str, object: &K) -> Result<Vec<Str>, IndexError> {
        let functions = self.functions.read().unwrap_or_else(PoisonError::into_inner);
        let function = functions.iter().find(|function| function.name == index).cloned();
        // Outside the lock: the function may read the store, and may be slow.
        drop(functions);
        let mut values = Vec::new();
        function.ok_or_else(|| IndexError::Unknown(index.into()))?.call(object, &mut values);
        Ok(values)
    }

    pub(super) fn add_indexes(&self, functions: Vec<IndexFunction<K>>) -> Result<(), IndexError> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, new) in functions.iter().enumerate() {
            let known = ledger.functions.iter().chain(&functions[..at]);
            if known.into_iter().any(|known| known.name == new.name) {
                return Err(IndexError::Duplicate(new.name.clone()));
            }
        }
        let mut next = Content::clone(&self.snapshot());
        for function in &functions {
            next.add_index(function.clone(), &mut ledger);
        }
        self.publish(next);
        self.functions.write().unwrap_or_else(PoisonError::into_inner).extend(functions);
        Ok(())
    }

    /// Applies deltas of single objects, and bookmarks, in one step. Objects that no change has, and that may be dropped, are added to
    /// `ended`.
    pub(super) fn apply(
        self: &Arc<Self>,
        deltas: &mut Vec<Delta<K>>,
        changes: &mut Vec<Change<K>>,
        ended: &mut Vec<Stored<K>>,
    ) {
        if deltas.is_empty() {
            return;
        }
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let mut values = std::mem::take(&mut ledger.values);
        for delta in deltas.iter() {
            if let (Some(object), false) = (delta.object(), matches!(delta, Delta::Deleted(_))) {
                ledger.compute(object, &mut values);
            }
        }
        let mut number = 0;
        let mut content = self.content.write().unwrap_or_else(PoisonError::into_inner);
        let edited = Arc::make_mut(&mut content);
        for delta in deltas.drain(..) {
            match delta {
                Delta::Added(new) | Delta::Updated(new) => {
                    edited.versions.seen(new.namespace(), new.resource_version());
                    changes.push(put(edited, new, &mut values, &mut number, &mut ledger));
                }
                // The objects of a list are not ordered by version, and those of a resync are old.
                Delta::Replaced(new) | Delta::Sync(new) => {
                    changes.push(put(edited, new, &mut values, &mut number, &mut ledger));
                }
                Delta::Deleted(Deleted::Object(last)) => {
                    let meta = last.meta();
                    edited.versions.seen(meta.namespace(), meta.resource_version());
                    let was_stale = !edited.stale.is_empty() && edited.stale.contains_key(&last.key());
                    if let Some(old) = edited.remove(meta.namespace(), meta.name(), &mut ledger) {
                        if was_stale && !canary!(12) {
                            // Versions between the two could not be read. The old state may pass a filter that the
                            // last one does not pass, so handlers are also notified of the change.
                            changes.push(Change::Updated { old, new: last.clone().into() });
                        } else {
                            ended.push(old);
                        }
                        changes.push(Change::Deleted(Deleted::Object(last)));
                    } else {
                        ended.push(last.into());
                    }
                }
                Delta::Deleted(Deleted::FinalStateUnknown(Tombstone { key, object, resource_version })) => {
                    edited.versions.seen(&key.namespace, &resource_version);
                    if let Some(old) = edited.remove(&key.namespace, &key.name, &mut ledger) {
                        changes.push(match object {
                            None => Change::Vanished(old),
                            object => {
                                ended.push(old);
                                Change::Deleted(Deleted::FinalStateUnknown(Tombstone {
                                    key,
                                    object,
                                    resource_version,
                                }))
                            }
                        });
                    } else {
                        ended.extend(object.map(Stored::from));
                    }
                }
                Delta::Stale { key, resource_version } => {
                    edited.versions.advance(&key.namespace, &resource_version);
                    edited.mark_stale(key, resource_version);
                }
                Delta::Bookmark(Bookmark { coverage, resource_version }) => {
                    if !canary!(22) {
                        edited.versions.mark(&coverage, resource_version);
                    }
                }
                Delta::ReplacedAll(_) | Delta::SyncAll(_) => {
                    debug_assert!(false, "the writer handles deltas of all objects");
                }
            }
        }
        let sparse = edited.is_sparse();
        drop(content);
        values.clear();
        ledger.values = values;
        if sparse {
            self.publish(self.snapshot().compacted(&mut ledger));
        }
        packing::look(self, &mut ledger);
        drop(ledger);
        self.wake();
    }

    /// Applies a list in one step: readers see all of it or none of it.
    pub(super) fn replace(self: &Arc<Self>, list: Replacement<K>) -> Vec<Change<K>> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = Content::clone(&self.snapshot());
        let changes = next.replace(list, &mut ledger);
        if next.is_sparse() {
            next = next.compacted(&mut ledger);
        }
        self.publish(next);
        packing::listed(self, &mut ledger);
        drop(ledger);
        self.wake();
        self.lists.send_modify(|lists| *lists += 1);
        changes
    }

    pub(super) fn resource_version(&self, coverage: &Coverage) -> Str {
        if !self.in_order {
            return Str::EMPTY;
        }
        self.peek(|content| match coverage {
            Coverage::All => content.versions.all().clone(),
            Coverage::Namespace(namespace) => content.versions.of(namespace).clone(),
        })
    }

    /// Returns the version of the newest list or change of each part that has one.
    pub(super) fn changed_versions(&self) -> Vec<(Coverage, Str)> {
        if !self.in_order {
            return Vec::new();
        }
        self.peek(|content| {
            let parts = content.versions.parts().map(|(part, _)| {
                let version = content.versions.changed(&part).clone();
                (part, version)
            });
            parts.filter(|(_, version)| !version.is_empty()).collect()
        })
    }

    pub(super) fn stale_version(&self, key: &ObjectKey) -> Option<Str> {
        self.peek(|content| content.stale.get(key).cloned())
    }

    pub(super) fn publish(&self, next: Content<K>) {
        let next = Arc::new(next);
        let old = std::mem::replace(&mut *self.content.write().unwrap_or_else(PoisonError::into_inner), next);
        // Objects of the old content alone are dropped here, after the lock is released.
        drop(old);
    }

    fn wake(&self) {
        if self.in_order && self.waiters.any() {
            self.waiters.wake(&self.peek(|content| content.versions.clone()));
        } else {
            self.waiters.wake_all();
        }
    }
}

fn put<K: Object>(
    content: &mut Content<K>,
    new: Arc<K>,
    values: &mut Values,
    number: &mut usize,
    ledger: &mut Ledger<K>,
) -> Change<K> {
    let old = content.upsert(new.clone(), values, *number, ledger);
    *number += 1;
    match old {
        Some(old) => Change::Updated { old, new: new.into() },
        None => Change::Added { object: new.into(), is_initial: false },
    }
}
