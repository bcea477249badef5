//! A small hash table of slot numbers.

use std::sync::Arc;

/// Slots by 32-bit hash, in one array: an entry and its neighbours share a cache line, so that a search costs
/// one miss.
///
/// A clone shares the array until one of the two changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Shard {
    /// The length is a power of two; at least one entry in eight is empty.
    entries: Arc<[Entry]>,
    len: usize,
}

/// A slot and its hash. It is at the position of the hash, or behind it without an empty entry in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) hash: u32,
    pub(super) slot: u32,
}

/// Marks an empty entry: no slot has this number.
const EMPTY: Entry = Entry { hash: 0, slot: u32::MAX };

impl Shard {
    pub(super) fn with_capacity(entries: usize) -> Self {
        let size = (entries + entries / 7 + 1).next_power_of_two().max(8);
        Self { entries: vec![EMPTY; size].into(), len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of heap.
    pub(super) fn heap_size(&self) -> usize {
        2 * size_of::<usize>() + size_of_val(&*self.entries)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Entry> {
        self.entries.iter().copied().filter(|entry| *entry != EMPTY)
    }

    /// Returns the first result of `look` for the slots of this hash.
    #[inline]
    pub(super) fn find<R>(&self, hash: u32, look: impl Fn(u32) -> Option<R>) -> Option<R> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut place = home(hash, mask);
        loop {
            match self.entries[place] {
                EMPTY => return None,
                entry if entry.hash == hash => {
                    if let Some(found) = look(entry.slot) {
                        return Some(found);
                    }
                }
                _ => {}
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a new slot.
    pub(super) fn insert(&mut self, entry: Entry) {
        if self.len + self.len / 7 + 1 >= self.entries.len() {
            let mut larger = Self::with_capacity(self.len * 2);
            self.iter().for_each(|entry| larger.put(entry));
            *self = larger;
        }
        self.put(entry);
    }

    pub(super) fn remove(&mut self, hash: u32, slot: u32) {
        let Some(mut hole) = self.place(hash, slot) else { return };
        let entries = Arc::make_mut(&mut self.entries);
        let mask = entries.len() - 1;
        let mut next = hole;
        // Move entries behind it closer to their position, so that searches never stop too early.
        loop {
            next = (next + 1) & mask;
            let entry = entries[next];
            if entry == EMPTY {
                break;
            }
            if next.wrapping_sub(home(entry.hash, mask)) & mask >= next.wrapping_sub(hole) & mask {
                entries[hole] = entry;
                hole = next;
            }
        }
        entries[hole] = EMPTY;
        self.len -= 1;
    }

    fn place(&self, hash: u32, slot: u32) -> Option<usize> {
        let mask = self.entries.len().checked_sub(1)?;
        let mut place = home(hash, mask);
        loop {
            match self.entries[place] {
                EMPTY => return None,
                entry if entry == (Entry { hash, slot }) => return Some(place),
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn put(&mut self, entry: Entry) {
        let entries = Arc::make_mut(&mut self.entries);
        let mask = entries.len() - 1;
        let mut place = home(entry.hash, mask);
        while entries[place] != EMPTY {
            place = (place + 1) & mask;
        }
        entries[place] = entry;
        self.len += 1;
    }
}

fn home(hash: u32, mask: usize) -> usize {
    hash as usize & mask
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_as_a_set(
            hashes in prop_oneof![Just(1_u32), Just(7), Just(u32::MAX)],
            ops in prop::collection::vec((any::<bool>(), 0..200_u32), 0..400),
        ) {
            let hash = |slot: u32| slot.wrapping_mul(0x9e37_79b9) % hashes;
            let (mut shard, mut model) = (Shard::default(), BTreeSet::new());
            for (insert, slot) in ops {
                if insert && model.insert(slot) {
                    shard.insert(Entry { hash: hash(slot), slot });
                } else if !insert {
                    model.remove(&slot);
                    shard.remove(hash(slot), slot);
                }
                prop_assert_eq!(shard.len(), model.len());
            }
            for slot in 0..200 {
                let found = shard.find(hash(slot), |found| (found == slot).then_some(found));
                prop_assert_eq!(found, model.contains(&slot).then_some(slot));
            }
            let content: BTreeSet<u32> = shard.iter().map(|entry| entry.slot).collect();
            prop_assert_eq!(content, model);
        }
    }
}
