//! The content of a store at one moment, and its changes. No locks here.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use client_rs_machinery::hash::{HashMap, RandomState};
use client_rs_machinery::{Object, ObjectKey, Str, canary};

use super::change::Change;
use super::index::{IndexError, IndexFunction};
use super::objects::Objects;
use super::packed::gauge::Gauge;
use super::packed::{Block, Packer, Unpacker};
use super::postings::{Holdings, Postings};
use super::slot_set::SlotSet;
use super::stored::{Held, Stored};
use super::table::Free;
use super::versions::Versions;
use crate::Replacement;

/// Everything that a reader can see. A clone is cheap and shares unchanged parts.
pub(super) struct Content<K> {
    pub(super) objects: Objects<K>,
    indexes: Vec<Postings>,
    pub(super) versions: Versions,
    /// Objects whose newest version could not be read, with that version. Nearly always empty.
    pub(super) stale: Arc<HashMap<ObjectKey, Str>>,
    /// How many objects were ever marked as stale.
    pub(super) marks: u64,
    hasher: RandomState,
}

/// State that only the writer needs, and that is not part of snapshots.
pub(super) struct Ledger<K> {
    pub(super) functions: Vec<IndexFunction<K>>,
    holdings: Vec<Holdings>,
    free: Free,
    /// The number of panics of index functions; also read without the lock.
    pub(super) panics: Arc<AtomicU64>,
    /// Kept between calls only to reuse its memory.
    pub(super) values: Values,
    /// Only in a packed store.
    pub(super) packing: Option<Packing<K>>,
}

/// State of the writer of a packed store.
pub(super) struct Packing<K> {
    pub(super) packer: Packer<K>,
    pub(super) gauge: Gauge,
    /// Whether a thread is training or packing.
    pub(super) running: bool,
    /// Whether the gauge found that a dictionary should be trained.
    pub(super) wants_training: bool,
    /// The number of lists with objects that are not packed.
    pub(super) lists: u64,
}

/// The values of some objects in every index, computed before a lock is taken; in a packed store also their blocks.
#[derive(Default)]
pub(super) struct Values {
    texts: Vec<Str>,
    /// The end of the values of each object and index, ordered by object, then index.
    ends: Vec<usize>,
    blocks: Vec<Option<Block>>,
}

/// Below this many slots, compaction is not worth the work.
const COMPACT_ABOVE: usize = 4096;

impl<K: Object> Content<K> {
    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }

    #[inline]
    pub(super) fn find(&self, namespace: &str, name: &str) -> Option<Held<'_, K>> {
        self.find_hashed(self.hash(namespace, name), namespace, name).map(|(_, held)| held)
    }

    /// Returns the hash of a key, which is the same for all contents of one store.
    pub(super) fn hash(&self, namespace: &str, name: &str) -> u32 {
        hash_key(&self.hasher, namespace, name)
    }

    /// Iterates over all objects, in the order of their slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = Held<'_, K>> {
        self.objects.iter().map(|(_, held)| held)
    }

    /// Iterates over all keys, in the same order.
    pub(super) fn keys(&self) -> impl Iterator<Item = ObjectKey> {
        self.objects.keys()
    }

    pub(super) fn index_names(&self) -> impl Iterator<Item = &Str> {
        self.indexes.iter().map(|index| &index.name)
    }

    pub(super) fn values<'a>(
        &'a self,
        index: &str,
    ) -> Result<impl Iterator<Item = &'a Str> + use<'a, K>, IndexError> {
        Ok(self.index(index)?.values())
    }

    /// Returns the objects that have this value.
    pub(super) fn by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
    ) -> Result<impl ExactSizeIterator<Item = Held<'a, K>> + use<'a, K>, IndexError> {
        static EMPTY: SlotSet = SlotSet::Empty;
        let slots = self.index(index)?.slots(value, &self.hasher).unwrap_or(&EMPTY);
        Ok(Sized { len: slots.len(), items: slots.iter().filter_map(|slot| self.objects.get(slot)) })
    }

    /// Returns the objects that have any of these values, each once.
    pub(super) fn by_values<'a>(
        &'a self,
        index: &str,
        values: &[Str],
    ) -> Result<impl Iterator<Item = Held<'a, K>> + use<'a, K>, IndexError> {
        let index = self.index(index)?;
        let sets = values.iter().filter_map(|value| index.slots(value, &self.hasher));
        let mut slots: Vec<u32> = sets.flat_map(SlotSet::iter).collect();
        slots.sort_unstable();
        slots.dedup();
        Ok(slots.into_iter().filter_map(|slot| self.objects.get(slot)))
    }

    fn index(&self, name: &str) -> Result<&Postings, IndexError> {
        let found = self.indexes.iter().find(|index| index.name == name);
        found.ok_or_else(|| IndexError::Unknown(name.into()))
    }

    #[inline]
    fn find_hashed(&self, hash: u32, namespace: &str, name: &str) -> Option<(u32, Held<'_, K>)> {
        self.objects.find(hash, namespace, name)
    }

    /// Stores an object and returns the one that it replaces.
    pub(super) fn upsert(
        &mut self,
        object: Arc<K>,
        values: &mut Values,
        number: usize,
        ledger: &mut Ledger<K>,
    ) -> Option<Stored<K>> {
        if !self.stale.is_empty() && !canary!(11) {
            self.unmark(&object.key());
        }
        let (namespace, name) = (object.namespace(), object.name());
        let hash = self.hash(namespace, name);
        let found = self.find_hashed(hash, namespace, name).map(|(slot, _)| slot);
        let block = values.blocks.get_mut(number).and_then(Option::take);
        let (slot, old) = match found {
            Some(slot) => (slot, self.objects.replace(slot, object, block)),
            None => (self.objects.insert(hash, object, block, &mut ledger.free), None),
        };
        if old.is_none() || !canary!(21) {
            self.assign(slot, values, number, ledger);
        }
        old
    }

    /// Removes an object, if it exists.
    pub(super) fn remove(
        &mut self,
        namespace: &str,
        name: &str,
        ledger: &mut Ledger<K>,
    ) -> Option<Stored<K>> {
        let hash = self.hash(namespace, name);
        if !self.stale.is_empty() {
            self.unmark(&ObjectKey::new(namespace, name));
        }
        let slot = self.find_hashed(hash, namespace, name)?.0;
        for (index, held) in self.indexes.iter_mut().zip(&mut ledger.holdings) {
            index.assign(slot, &[], held, &self.hasher);
        }
        self.objects.remove(hash, slot, &mut ledger.free)
    }

    /// Makes a part of the content equal to a list: objects that are missing in the list are removed. An object
    /// that is stored at its listed version stays, unless the versions cannot be compared. The changes are the
    /// deletions first, then those of the listed objects, in the order of the list.
    pub(super) fn replace(&mut self, list: Replacement<K>, ledger: &mut Ledger<K>) -> Vec<Change<K>> {
        let Replacement { coverage, objects, stale, resource_version, rewound } = list;
        let mut listed = Bits::default();
        let mut changes = Vec::with_capacity(objects.len());
        for (key, _) in stale.iter().filter(|_| !canary!(9)) {
            if let Some((slot, _)) =
                self.find_hashed(self.hash(&key.namespace, &key.name), &key.namespace, &key.name)
            {
                listed.set(slot);
            }
        }
        let before = self.objects.slots();
        let mut values = Values::default();
        for listed_object in objects {
            let (hash, found) = if let Some(object) = listed_object.decoded() {
                self.find_listed(object.namespace(), object.name())
            } else {
                let key = listed_object.key();
                self.find_listed(&key.namespace, &key.name)
            };
            if let Some((slot, known)) = &found
                && known.is_unchanged(&listed_object, rewound)
                && (self.stale.is_empty() || !self.stale.contains_key(&known.key()))
            {
                listed.set(*slot);
                let known = known.to_stored();
                changes.push(Change::Updated { old: known.clone(), new: known });
                continue;
            }
            let found = found.map(|(slot, _)| slot);
            let Some(new) = listed_object.object() else {
                // A listed object is not deleted, even if it could not be read.
                if let Some(slot) = found {
                    listed.set(slot);
                }
                continue;
            };
            values.clear();
            ledger.index(&new, &mut values);
            let slot = if let Some(slot) = found {
                let old = self.objects.replace(slot, new.clone(), None);
                changes.extend(old.map(|old| Change::Updated { old, new: new.into() }));
                slot
            } else {
                changes.push(Change::Added { object: new.clone().into(), is_initial: false });
                self.objects.insert(hash, new, None, &mut ledger.free)
            };
            listed.set(slot);
            self.assign(slot, &values, 0, ledger);
        }
        let slots = 0..u32::try_from(before).unwrap_or(u32::MAX);
        let gone: Vec<ObjectKey> = slots
            .filter(|slot| !listed.get(*slot) && !canary!(10))
            .filter_map(|slot| self.objects.get(slot))
            .filter(|held| coverage.contains(held.namespace()))
            .map(|held| held.key())
            .collect();
        let mut deletions = Vec::with_capacity(gone.len());
        for key in gone {
            let object = self.remove(&key.namespace, &key.name, ledger);
            deletions.extend(object.map(Change::Vanished));
        }
        if !(stale.is_empty() && self.stale.is_empty()) {
            let marks = Arc::make_mut(&mut self.stale);
            marks.retain(|key, _| !coverage.contains(&key.namespace));
            self.marks += stale.len() as u64;
            marks.extend(stale);
        }
        if !canary!(20) {
            self.versions.set(&coverage, resource_version);
        }
        if !deletions.is_empty() {
            deletions.append(&mut changes);
            changes = deletions;
        }
        changes
    }

    fn find_listed(&self, namespace: &str, name: &str) -> (u32, Option<(u32, Held<'_, K>)>) {
        let hash = self.hash(namespace, name);
        (hash, self.find_hashed(hash, namespace, name))
    }

    pub(super) fn mark_stale(&mut self, key: ObjectKey, resource_version: Str) {
        Arc::make_mut(&mut self.stale).insert(key, resource_version);
        self.marks += 1;
    }

    fn unmark(&mut self, key: &ObjectKey) {
        if self.stale.contains_key(key) {
            Arc::make_mut(&mut self.stale).remove(key);
        }
    }

    /// Adds an index over the existing objects. The caller has checked that its name is new.
    pub(super) fn add_index(&mut self, function: IndexFunction<K>, ledger: &mut Ledger<K>) {
        let (mut postings, mut holdings) = (Postings::new(function.name.clone()), Holdings::default());
        let mut values = Vec::new();
        for (slot, held) in self.objects.iter() {
            values.clear();
            if let Some(object) = held.object() {
                ledger.note(function.call(&object, &mut values));
            }
            postings.assign(slot, &values, &mut holdings, &self.hasher);
        }
        self.indexes.push(postings);
        ledger.holdings.push(holdings);
        ledger.functions.push(function);
    }

    fn assign(&mut self, slot: u32, values: &Values, number: usize, ledger: &mut Ledger<K>) {
        let count = self.indexes.len();
        for (at, (index, held)) in self.indexes.iter_mut().zip(&mut ledger.holdings).enumerate() {
            index.assign(slot, values.of(number * count + at), held, &self.hasher);
        }
    }

    /// Returns whether most slots are empty, so that compaction is worth it.
    pub(super) fn is_sparse(&self) -> bool {
        self.objects.slots() > COMPACT_ABOVE && self.objects.len() < self.objects.slots() / 4
    }

    /// Returns the same content in as few slots as possible.
    pub(super) fn compacted(&self, ledger: &mut Ledger<K>) -> Self {
        let held = std::mem::take(&mut ledger.holdings);
        ledger.free = Free::default();
        ledger.holdings = held.iter().map(|_| Holdings::default()).collect();
        let mut compact = Self {
            objects: self.objects.emptied(),
            indexes: self.index_names().cloned().map(Postings::new).collect(),
            versions: self.versions.clone(),
            stale: self.stale.clone(),
            marks: self.marks,
            hasher: self.hasher.clone(),
        };
        let mut values = Values::default();
        for (slot, object) in self.objects.iter() {
            values.clear();
            for (index, held) in self.indexes.iter().zip(&held) {
                index.collect(slot, held, &mut values.texts);
                values.ends.push(values.texts.len());
            }
            let key = object.key();
            let hash = self.hash(&key.namespace, &key.name);
            if let Some(slot) = compact.objects.copy(hash, &object, &mut ledger.free) {
                compact.assign(slot, &values, 0, ledger);
            }
        }
        compact
    }

    /// Returns the bytes of tables and indexes, without the objects.
    pub(super) fn table_bytes(&self, ledger: &Ledger<K>) -> usize {
        let indexes: usize = self.indexes.iter().map(Postings::heap_size).sum();
        let holdings: usize = ledger.holdings.iter().map(Holdings::heap_size).sum();
        self.objects.table_bytes() + indexes + holdings + ledger.free.heap_size()
    }
}

#[allow(clippy::cast_possible_truncation)]
pub(super) fn hash_key(hasher: &RandomState, namespace: &str, name: &str) -> u32 {
    hasher.hash_one((namespace, name)) as u32
}

impl<K: Object> Ledger<K> {
    /// Computes the values of an object in every index, and its block.
    pub(super) fn compute(&mut self, object: &K, values: &mut Values) {
        self.index(object, values);
        if let Some(packing) = &mut self.packing {
            let packed = packing.packer.pack(object);
            if let Some(packed) = &packed {
                packing.gauge.note(packed.raw, packed.block.heap_size());
            }
            values.blocks.push(packed.map(|packed| packed.block));
        }
    }

    /// Counts a call of an index function that panicked.
    fn note(&self, went_well: bool) {
        if !went_well {
            self.panics.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Computes the values of an object in every index.
    fn index(&mut self, object: &K, values: &mut Values) {
        for function in &self.functions {
            self.note(function.call(object, &mut values.texts));
            values.ends.push(values.texts.len());
        }
    }
}

impl Values {
    pub(super) fn clear(&mut self) {
        self.texts.clear();
        self.ends.clear();
        self.blocks.clear();
    }

    fn of(&self, at: usize) -> &[Str] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.texts[start..self.ends[at]]
    }
}

/// An iterator whose length is known.
struct Sized<I> {
    len: usize,
    items: I,
}

impl<I: Iterator> Iterator for Sized<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next()?;
        self.len -= 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<I: Iterator> ExactSizeIterator for Sized<I> {}

/// A set of slots, one bit per slot.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, slot: u32) {
        let at = slot as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (slot % 64);
    }

    fn get(&self, slot: u32) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}

impl<K: Object> Content<K> {
    /// Makes an empty content; packed if there is an unpacker.
    pub(super) fn new(unpacker: Option<Arc<Unpacker<K>>>) -> Self {
        Self {
            objects: Objects::new(unpacker),
            indexes: Vec::new(),
            versions: Versions::default(),
            stale: Arc::default(),
            marks: 0,
            hasher: RandomState::default(),
        }
    }
}

impl<K> Clone for Content<K> {
    fn clone(&self) -> Self {
        Self {
            objects: self.objects.clone(),
            indexes: self.indexes.clone(),
            versions: self.versions.clone(),
            stale: self.stale.clone(),
            marks: self.marks,
            hasher: self.hasher.clone(),
        }
    }
}

impl<K> Ledger<K> {
    pub(super) fn new(packing: Option<Packing<K>>) -> Self {
        Self {
            functions: Vec::new(),
            holdings: Vec::new(),
            free: Free::default(),
            panics: Arc::default(),
            values: Values::default(),
            packing,
        }
    }
}
