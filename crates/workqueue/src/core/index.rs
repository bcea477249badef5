//! A hash index: from a hash to the slot numbers that have it. An open-addressed table of 8-byte entries.
//!
//! A table of a million keys does not fit into a core's cache, and then each access costs more than the rest of
//! an operation. So an entry holds the whole hash: lookups, the moves of a removal, and growing all stay inside
//! the table, usually on one cache line. [`Index::warm`] lets the caller request many lines at once before it
//! uses them one by one.
//!
//! Probing is linear and a removal shifts entries back, so there are no tombstones to collect. Only chosen
//! hashes could make long runs, and these hashes come from a keyed hash function.

/// The smallest size of a table that is not empty.
const LEAST: usize = 16;

/// Slot numbers by hash. It never reads a key.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Zero is a free entry. Others have the hash in the upper half and the slot number plus one in the lower. The length is a power of two, or zero.
    table: Vec<u64>,
    len: usize,
}

impl Index {
    /// Returns the first slot with this hash for which `is` returns true.
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut place = self.home(hash)?;
        loop {
            let entry = self.table[place];
            if entry == 0 {
                return None;
            }
            if entry_hash(entry) == hash && is(entry_slot(entry)) {
                return Some(entry_slot(entry));
            }
            place = self.after(place);
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, slot: u32) {
        // At most five eighths full.
        if (self.len + 1) * 8 > self.table.len() * 5 {
            self.grow();
        }
        self.len += 1;
        self.put((u64::from(hash) << 32) | (u64::from(slot) + 1));
    }

    #[inline]
    pub(crate) fn remove(&mut self, hash: u32, slot: u32) {
        let Some(mut place) = self.home(hash) else { return };
        let wanted = (u64::from(hash) << 32) | (u64::from(slot) + 1);
        while self.table[place] != wanted {
            if self.table[place] == 0 {
                return;
            }
            place = self.after(place);
        }
        self.len -= 1;
        let mut hole = place;
        let mut next = self.after(hole);
        while self.table[next] != 0 {
            // The entry may fill the hole unless its own place lies behind the hole.
            let wanted = entry_hash(self.table[next]) as usize & self.mask();
            if next.wrapping_sub(wanted) & self.mask() >= next.wrapping_sub(hole) & self.mask() {
                self.table[hole] = self.table[next];
                hole = next;
            }
            next = self.after(next);
        }
        self.table[hole] = 0;
    }

    /// Reads the entries of these hashes, so that the processor fetches their cache lines together.
    #[inline]
    pub(crate) fn warm(&self, hashes: impl Iterator<Item = u32>) {
        let touched =
            hashes.fold(0, |touched, hash| self.home(hash).map_or(0, |home| touched ^ self.table[home]));
        std::hint::black_box(touched);
    }

    #[inline]
    fn mask(&self) -> usize {
        self.table.len() - 1
    }

    #[inline]
    fn home(&self, hash: u32) -> Option<usize> {
        (!self.table.is_empty()).then(|| hash as usize & self.mask())
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        (place + 1) & self.mask()
    }

    #[inline]
    fn put(&mut self, entry: u64) {
        let mut place = entry_hash(entry) as usize & self.mask();
        while self.table[place] != 0 {
            place = self.after(place);
        }
        self.table[place] = entry;
    }

    fn grow(&mut self) {
        let larger = vec![0; (self.table.len() * 2).max(LEAST)];
        for entry in std::mem::replace(&mut self.table, larger) {
            if entry != 0 {
                self.put(entry);
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the upper half")]
#[inline]
fn entry_hash(entry: u64) -> u32 {
    (entry >> 32) as u32
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half, which is not zero")]
#[inline]
fn entry_slot(entry: u64) -> u32 {
    (entry as u32).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compared with a set, with hashes that collide often.
        #[test]
        fn agrees_with_a_set(operations in proptest::collection::vec((any::<bool>(), 0_u32..60), 0..400)) {
            let hash = |slot: u32| (slot % 7).wrapping_mul(0x4000_0001);
            let mut index = Index::default();
            let mut plain = BTreeSet::new();
            for (insert, slot) in operations {
                if insert && plain.insert(slot) {
                    index.insert(hash(slot), slot);
                } else if !insert {
                    plain.remove(&slot);
                    index.remove(hash(slot), slot);
                }
                prop_assert_eq!(index.len, plain.len());
            }
            for slot in 0..60 {
                let found = index.find(hash(slot), |other| other == slot);
                prop_assert_eq!(found, plain.contains(&slot).then_some(slot));
            }
        }
    }

    #[test]
    fn the_extreme_slots_and_hashes_fit() {
        let mut index = Index::default();
        assert_eq!(index.find(0, |_| true), None);
        index.remove(0, 0);
        for (hash, slot) in [(u32::MAX, u32::MAX - 1), (0, 0), (u32::MAX, 0)] {
            index.insert(hash, slot);
            assert_eq!(index.find(hash, |other| other == slot), Some(slot));
        }
        index.remove(u32::MAX, u32::MAX - 1);
        assert_eq!(index.find(u32::MAX, |_| true), Some(0));
    }
}
