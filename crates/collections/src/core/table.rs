//! [`Table`]: interned keys with values and readers.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use client_rs_machinery::hash::RandomState;
use hashbrown::HashTable;

use super::cow_vec::CowVec;
use super::reader::{Reader, Readers};
use super::scratch::emptied;

const SHARDS: usize = 64;

/// Keys by dense numbers ("slots"), each with a value or none. A slot exists while it has a value or a reader:
/// the reader of an absent key is noted like any other.
pub(crate) struct Table<K, X> {
    frozen: Frozen<K, X>,
    readers: Vec<Readers>,
    free: Vec<u32>,
    /// Slots that may have neither value nor readers any more.
    idle: Vec<u32>,
    edges: usize,
}

/// The part of a table that snapshots share. Sharing copies pointers; later writes copy what they touch.
pub(crate) struct Frozen<K, X> {
    slots: CowVec<Slot<K, X>>,
    shards: Arc<[Shard; SHARDS]>,
    hasher: RandomState,
    /// The number of slots with a value.
    values: usize,
}

/// The hash of a key, and its slot.
type Shard = Arc<HashTable<(u32, u32)>>;

struct Slot<K, X> {
    key: Option<K>,
    value: Option<Arc<X>>,
}

impl<K: Eq + Hash + Clone, X> Frozen<K, X> {
    pub(crate) fn find(&self, key: &K) -> Option<u32> {
        let (shard, hash) = self.place(key);
        let found = self.shards[shard].find(spread(hash), |(its, slot)| *its == hash && self.is(*slot, key));
        found.map(|(_, slot)| *slot)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&Arc<X>> {
        self.value(self.find(key)?)
    }

    fn place(&self, key: &K) -> (usize, u32) {
        let hash = self.hasher.hash_one(key);
        ((hash >> 58) as usize, low(hash))
    }
}

impl<K, X> Frozen<K, X> {
    /// Returns the key of a slot in use.
    pub(crate) fn key(&self, slot: u32) -> &K {
        self.slots.get(slot).and_then(|slot| slot.key.as_ref()).expect("the slot is in use")
    }

    /// Whether a slot has this key.
    pub(crate) fn is(&self, slot: u32, key: &K) -> bool
    where
        K: PartialEq,
    {
        self.slots.get(slot).is_some_and(|slot| slot.key.as_ref() == Some(key))
    }

    pub(crate) fn value(&self, slot: u32) -> Option<&Arc<X>> {
        self.slots.get(slot)?.value.as_ref()
    }

    /// Returns the number of keys with a value.
    pub(crate) fn len(&self) -> usize {
        self.values
    }

    /// Iterates over the slots with a value, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &K, &Arc<X>)> {
        self.slots.iter().filter_map(|(slot, entry)| Some((slot, entry.key.as_ref()?, entry.value.as_ref()?)))
    }
}

impl<K: Eq + Hash + Clone, X> Table<K, X> {
    /// Returns the slot of a key, which has no value if it is new.
    pub(crate) fn intern(&mut self, key: &K) -> u32 {
        let (shard, hash) = self.frozen.place(key);
        let slots = &self.frozen.slots;
        let found = self.frozen.shards[shard].find(spread(hash), |(its, slot)| {
            *its == hash && slots.get(*slot).is_some_and(|slot| slot.key.as_ref() == Some(key))
        });
        if let Some((_, slot)) = found {
            return *slot;
        }
        let entry = Slot { key: Some(key.clone()), value: None };
        let slot = if let Some(slot) = self.free.pop() {
            *self.frozen.slots.get_mut(slot) = entry;
            slot
        } else {
            self.readers.push(Readers::default());
            self.frozen.slots.push(entry)
        };
        let shards = Arc::make_mut(&mut self.frozen.shards);
        Arc::make_mut(&mut shards[shard])
            .insert_unique(spread(hash), (hash, slot), |(hash, _)| spread(*hash));
        self.idle.push(slot);
        slot
    }

    /// Sets the value of a slot and returns the previous one.
    pub(crate) fn set(&mut self, slot: u32, value: Option<Arc<X>>) -> Option<Arc<X>> {
        let entry = self.frozen.slots.get_mut(slot);
        let (has, had) = (value.is_some(), entry.value.is_some());
        let old = std::mem::replace(&mut entry.value, value);
        self.frozen.values = self.frozen.values + usize::from(has) - usize::from(had);
        if !has {
            self.idle.push(slot);
        }
        old
    }

    /// Returns the value of a slot for a write; a new one if there is none.
    pub(crate) fn value_mut(&mut self, slot: u32) -> &mut X
    where
        X: Clone + Default,
    {
        let entry = self.frozen.slots.get_mut(slot);
        if entry.value.is_none() {
            self.frozen.values += 1;
        }
        Arc::make_mut(entry.value.get_or_insert_with(Arc::default))
    }

    pub(crate) fn link(&mut self, slot: u32, reader: Reader) {
        self.readers[slot as usize].add(reader);
        self.edges += 1;
    }

    pub(crate) fn unlink(&mut self, slot: u32, reader: Reader) {
        let Some(readers) = self.readers.get_mut(slot as usize) else { return };
        self.edges -= usize::from(readers.remove(reader));
        if readers.is_empty() {
            self.idle.push(slot);
        }
    }

    pub(crate) fn readers(&self, slot: u32) -> &Readers {
        &self.readers[slot as usize]
    }

    /// Returns how many reads are noted.
    pub(crate) fn edges(&self) -> usize {
        self.edges
    }

    /// Whether [`sweep`](Self::sweep) has something to look at.
    pub(crate) fn is_idle(&self) -> bool {
        !self.idle.is_empty()
    }

    /// Frees the slots without value and readers. Their numbers may be used again.
    pub(crate) fn sweep(&mut self) {
        let mut idle = std::mem::take(&mut self.idle);
        for slot in idle.drain(..) {
            let unused = self.frozen.value(slot).is_none() && self.readers[slot as usize].is_empty();
            if !unused || self.frozen.slots.get(slot).is_none_or(|entry| entry.key.is_none()) {
                continue;
            }
            let key = self.frozen.slots.get_mut(slot).key.take().expect("it was checked");
            let (shard, hash) = self.frozen.place(&key);
            let shards = Arc::make_mut(&mut self.frozen.shards);
            let entry = Arc::make_mut(&mut shards[shard]).find_entry(spread(hash), |(_, its)| *its == slot);
            if let Ok(entry) = entry {
                entry.remove();
            }
            self.free.push(slot);
        }
        self.idle = emptied(idle);
    }

    /// Returns what a snapshot reads.
    pub(crate) fn freeze(&mut self) -> Frozen<K, X> {
        let Frozen { slots, shards, hasher, values } = &mut self.frozen;
        Frozen { slots: slots.share(), shards: shards.clone(), hasher: hasher.clone(), values: *values }
    }
}

impl<K, X> std::ops::Deref for Table<K, X> {
    type Target = Frozen<K, X>;

    fn deref(&self) -> &Frozen<K, X> {
        &self.frozen
    }
}

impl<K, X> Default for Table<K, X> {
    fn default() -> Self {
        // All shards are the same empty one until they are written.
        let empty = Shard::default();
        let frozen = Frozen {
            slots: CowVec::default(),
            shards: Arc::new(std::array::from_fn(|_| empty.clone())),
            hasher: RandomState::default(),
            values: 0,
        };
        Self { frozen, readers: Vec::new(), free: Vec::new(), idle: Vec::new(), edges: 0 }
    }
}

impl<K: Clone, X> Clone for Slot<K, X> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), value: self.value.clone() }
    }
}

impl<K, X> Default for Slot<K, X> {
    fn default() -> Self {
        Self { key: None, value: None }
    }
}

impl<K, X> fmt::Debug for Frozen<K, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frozen").field("len", &self.values).finish_non_exhaustive()
    }
}

/// Uses all bits of a hash that is only half as long.
pub(crate) fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[allow(clippy::cast_possible_truncation, reason = "half of the hash is enough to compare")]
pub(crate) fn low(hash: u64) -> u32 {
    hash as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_lives_while_it_has_a_value_or_a_reader() {
        let mut table = Table::<String, u32>::default();
        let slot = table.intern(&"a".to_owned());
        table.set(slot, Some(Arc::new(1)));
        table.link(slot, Reader::new(0, 0, false));
        table.set(slot, None);
        table.sweep();
        assert_eq!(table.find(&"a".to_owned()), Some(slot), "an absent key with a reader keeps its slot");
        table.unlink(slot, Reader::new(0, 0, false));
        table.sweep();
        assert_eq!(table.find(&"a".to_owned()), None);
        assert_eq!(table.intern(&"b".to_owned()), slot, "the number is used again");
        assert_eq!(table.edges(), 0);
    }

    #[test]
    fn a_frozen_table_does_not_change() {
        let mut table = Table::<u32, u32>::default();
        for key in 0..1000 {
            let slot = table.intern(&key);
            table.set(slot, Some(Arc::new(key)));
        }
        let frozen = table.freeze();
        for key in 0..500 {
            let slot = table.find(&key).unwrap();
            table.set(slot, None);
        }
        table.sweep();
        for key in 2000..2100 {
            let slot = table.intern(&key);
            table.set(slot, Some(Arc::new(key)));
        }
        assert_eq!((frozen.len(), table.len()), (1000, 600));
        for key in 0..1000 {
            assert_eq!(frozen.get(&key).map(|value| **value), Some(key));
        }
        assert_eq!(frozen.get(&2000), None);
        assert_eq!(table.get(&3), None);
        assert_eq!(table.get(&2000).map(|value| **value), Some(2000));
        assert_eq!(frozen.iter().count(), 1000);
    }
}
