//! Items in numbered slots, found by the hash of a key that the items themselves hold.

use super::cow_vec::CowVec;
use super::shard::{Entry, Shard};

/// The average number of entries per shard. A shard that a clone shares is copied as a whole.
const SHARD_SIZE: usize = 200;

/// A hash table without keys: the caller decides whether an item matches. An item stays in its slot until it is
/// removed, so that others can refer to it with four bytes. Clones share unchanged parts.
///
/// It grows one shard at a time (linear hashing), so no single insertion moves all entries.
#[derive(Debug)]
pub(crate) struct Table<T> {
    slots: CowVec<T>,
    shards: CowVec<Shard>,
    len: usize,
}

/// Free slots. Separate from the table, so that its clones do not contain it.
#[derive(Debug, Default)]
pub(crate) struct Free(Vec<u32>);

impl Free {
    /// Bytes of heap.
    pub(crate) fn heap_size(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }
}

impl<T> Table<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns one more than the highest slot that was ever in use.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn get(&self, slot: u32) -> Option<&T> {
        self.slots.get(slot as usize)
    }

    /// Iterates over the items with their slots, by slot.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slots.iter().map(|(slot, item)| (number(slot), item))
    }

    /// Returns the slot and item of this hash for which `is` returns true.
    #[inline]
    pub(crate) fn find(&self, hash: u32, is: impl Fn(u32, &T) -> bool) -> Option<(u32, &T)> {
        let shard = self.shards.get(self.shard_of(hash))?;
        shard.find(hash, |slot| self.get(slot).filter(|item| is(slot, item)).map(|item| (slot, item)))
    }

    /// Returns the bytes of the table, without memory that its items own.
    pub(crate) fn heap_size(&self) -> usize {
        let shards: usize = self.shards.iter().map(|(_, shard)| shard.heap_size()).sum();
        self.slots.heap_size() + self.shards.heap_size() + shards
    }

    /// Returns the shard of a hash. The high bits choose it, so that the low bits spread the entries within.
    fn shard_of(&self, hash: u32) -> usize {
        let count = self.shards.len();
        if count < 2 {
            return 0;
        }
        let bits = hash.reverse_bits() as usize;
        let low = bits & (count.next_power_of_two() - 1);
        // Shards beyond the last one do not exist yet.
        if low < count { low } else { low & (count.next_power_of_two() / 2 - 1) }
    }
}

impl<T: Clone> Table<T> {
    pub(crate) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.slots.get_mut(slot as usize)
    }

    /// Replaces the item of a slot by another one with an equal key.
    pub(crate) fn replace(&mut self, slot: u32, item: T) -> Option<T> {
        self.slots.set(slot as usize, item)
    }

    /// Adds a new item.
    pub(crate) fn insert(&mut self, hash: u32, item: T, free: &mut Free) -> u32 {
        let slot = free.0.pop().unwrap_or_else(|| number(self.slots.len()));
        self.slots.set(slot as usize, item);
        self.len += 1;
        if self.shards.len() * SHARD_SIZE < self.len {
            self.grow();
        }
        let at = self.shard_of(hash);
        if let Some(shard) = self.shards.get_mut(at) {
            shard.insert(Entry { hash, slot });
        }
        slot
    }

    pub(crate) fn remove(&mut self, hash: u32, slot: u32, free: &mut Free) -> Option<T> {
        let item = self.slots.take(slot as usize)?;
        let at = self.shard_of(hash);
        if let Some(shard) = self.shards.get_mut(at) {
            shard.remove(hash, slot);
        }
        self.len -= 1;
        free.0.push(slot);
        Some(item)
    }

    /// Adds a shard with half of the entries of the next shard in turn.
    fn grow(&mut self) {
        let new = self.shards.len();
        if new == 0 {
            self.shards.set(0, Shard::default());
            return;
        }
        // With `new` shards the one to split is `new` without its highest bit.
        let old = new - (new + 1).next_power_of_two() / 2;
        let Some(shard) = self.shards.get(old).cloned() else { return };
        self.shards.set(new, Shard::default());
        let mut halves = [Shard::with_capacity(shard.len() / 2), Shard::with_capacity(shard.len() / 2)];
        for entry in shard.iter() {
            halves[usize::from(self.shard_of(entry.hash) == new)].insert(entry);
        }
        let [stay, go] = halves;
        self.shards.set(old, stay);
        self.shards.set(new, go);
    }
}

fn number(slot: usize) -> u32 {
    u32::try_from(slot).expect("an object takes more than a byte, so that memory ends before the slots do")
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { slots: CowVec::default(), shards: CowVec::default(), len: 0 }
    }
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), shards: self.shards.clone(), len: self.len }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::hash::BuildHasher;

    use client_rs_machinery::hash::RandomState;
    use proptest::prelude::*;

    use super::*;

    struct Fixture {
        table: Table<(u32, u64)>,
        free: Free,
        hasher: RandomState,
        /// Keys share few hashes, so that there are collisions.
        hashes: u32,
    }

    impl Fixture {
        fn new(hashes: u32) -> Self {
            Self { table: Table::default(), free: Free::default(), hasher: RandomState::default(), hashes }
        }

        fn hash(&self, key: u32) -> u32 {
            #[allow(clippy::cast_possible_truncation)]
            let hash = self.hasher.hash_one(key) as u32;
            hash % self.hashes
        }

        fn put(&mut self, key: u32, value: u64) -> Option<u64> {
            let hash = self.hash(key);
            if let Some(slot) = self.table.find(hash, |_, item| item.0 == key).map(|(slot, _)| slot) {
                return self.table.replace(slot, (key, value)).map(|old| old.1);
            }
            let slot = self.table.insert(hash, (key, value), &mut self.free);
            assert_eq!(self.table.get(slot), Some(&(key, value)));
            None
        }

        fn remove(&mut self, key: u32) -> Option<u64> {
            let hash = self.hash(key);
            let slot = self.table.find(hash, |_, item| item.0 == key)?.0;
            self.table.remove(hash, slot, &mut self.free).map(|item| item.1)
        }
    }

    #[test]
    fn grows_one_shard_at_a_time_and_finds_all() {
        let mut fixture = Fixture::new(u32::MAX);
        for key in 0..20_000 {
            assert_eq!(fixture.put(key, u64::from(key)), None);
        }
        let shards: Vec<usize> = fixture.table.shards.iter().map(|(_, shard)| shard.len()).collect();
        assert_eq!((shards.len(), shards.iter().sum::<usize>()), (20_000 / SHARD_SIZE, 20_000));
        assert!(shards.iter().all(|len| *len < 3 * SHARD_SIZE), "{shards:?}");
        for key in 0..20_000 {
            let hash = fixture.hash(key);
            assert_eq!(fixture.table.find(hash, |_, item| item.0 == key).unwrap().1, &(key, u64::from(key)));
            assert!(fixture.table.find(hash, |_, item| item.0 == key + 20_000).is_none());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_as_a_map_and_clones_never_change(
            hashes in prop_oneof![Just(1_u32), Just(16), Just(u32::MAX)],
            filled in 0..1_500_u32,
            ops in prop::collection::vec((0..4_u8, 0..2_000_u32, any::<u64>()), 0..300),
        ) {
            let mut fixture = Fixture::new(hashes);
            let mut model = BTreeMap::new();
            for key in 0..filled.min(if hashes == 1 { 300 } else { filled }) {
                fixture.put(key, 0);
                model.insert(key, 0);
            }
            let mut clones = Vec::new();
            for (op, key, value) in ops {
                match op {
                    0 | 1 => prop_assert_eq!(fixture.put(key, value), model.insert(key, value)),
                    2 => prop_assert_eq!(fixture.remove(key), model.remove(&key)),
                    _ if clones.len() < 5 => clones.push((fixture.table.clone(), model.clone())),
                    _ => {}
                }
            }
            clones.push((fixture.table.clone(), model));
            for (table, model) in &clones {
                let content: BTreeMap<u32, u64> = table.iter().map(|(_, item)| *item).collect();
                prop_assert_eq!(&content, model);
                prop_assert_eq!(table.len(), model.len());
                for (key, value) in model {
                    let found = table.find(fixture.hash(*key), |_, item| item.0 == *key);
                    prop_assert_eq!(found.map(|(_, item)| item.1), Some(*value));
                }
            }
        }
    }
}
