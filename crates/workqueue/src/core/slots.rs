//! The storage of keys: a slab of slots, a hash index over it, and lists threaded through the slots.
//!
//! A key is stored once, in all of its states. Everything else (the index, the order, the delays) refers to it
//! by its slot number. No user code runs while the structure is half changed: the caller computes the hashes
//! and the slots store them, so growing the index calls no user code, and all comparisons come before the first
//! write.

use super::index::Index;

/// The largest number of dead slots that the index still refers to. They are removed together, so that the
/// processor fetches their index lines together.
const SWEEP: usize = 64;

/// No slot.
pub(crate) const NIL: u32 = u32::MAX;

/// The state of a key. Flags combine: a key may be in progress, wanted again and waiting for a retry at once.
pub(crate) mod flag {
    /// In the order, to be handed out.
    pub(crate) const QUEUED: u32 = 1;
    /// Handed out and not done.
    pub(crate) const PROCESSING: u32 = 1 << 1;
    /// Added again while in progress: joins the order when the run ends.
    pub(crate) const DIRTY: u32 = 1 << 2;
    /// In the delays.
    pub(crate) const WAITING: u32 = 1 << 3;
    /// The pending delay is a backoff for a failure that the limiter has counted.
    pub(crate) const BACKOFF: u32 = 1 << 4;
    /// Handed out while its backoff was still pending.
    pub(crate) const EARLY: u32 = 1 << 5;

    /// In the list of dead slots.
    pub(super) const SWEPT: u32 = 1 << 6;

    /// All flags; the bits above hold the number of the run.
    pub(super) const ALL: u32 = (1 << BITS) - 1;
    pub(super) const BITS: u32 = 7;
}

/// The slot of one key: 16 bytes in addition to the key.
struct Slot<K> {
    /// Empty in a free slot.
    key: Option<K>,
    hash: u32,
    next: u32,
    prev: u32,
    /// Flags in the low bits, the number of the current run above them.
    state: u32,
}

/// A first-in first-out list threaded through the slots. A slot is in at most one list at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    head: u32,
    tail: u32,
}

impl List {
    pub(crate) const fn new() -> Self {
        Self { head: NIL, tail: NIL }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.head == NIL
    }

    pub(crate) fn head(self) -> Option<u32> {
        (self.head != NIL).then_some(self.head)
    }
}

/// The slots and their index.
pub(crate) struct Slots<K> {
    table: Vec<Slot<K>>,
    index: Index,
    /// First free slot, linked through `next`.
    free: u32,
    /// Slots that have lost their key and that the index still refers to. Some may have a new key.
    dead: Vec<u32>,
    live: usize,
}

impl<K> Slots<K> {
    pub(crate) fn new() -> Self {
        Self { table: Vec::new(), index: Index::default(), free: NIL, dead: Vec::new(), live: 0 }
    }

    /// Returns the number of keys.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Returns the largest number of slots in use at once since the last reset.
    pub(crate) fn high_water(&self) -> usize {
        self.table.len()
    }

    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is: impl FnMut(&K) -> bool) -> Option<u32> {
        self.index.find(hash, |slot| self.table[slot as usize].key.as_ref().is_some_and(&mut is))
    }

    /// Prepares for lookups of keys with these hashes.
    pub(crate) fn warm(&self, hashes: impl Iterator<Item = u32>) {
        self.index.warm(hashes);
    }

    /// Stores a key. The caller has checked that it is not stored yet.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, key: K) -> u32 {
        self.live += 1;
        // The index may still refer to a dead slot with this hash: that of the same key, if it comes back soon.
        let dead = self.index.find(hash, |slot| self.table[slot as usize].key.is_none());
        if let Some(number) = dead {
            self.table[number as usize].key = Some(key);
            return number;
        }
        let number = if self.free == NIL {
            let number = u32::try_from(self.table.len()).ok().filter(|&number| number != NIL);
            self.table.push(Slot { key: Some(key), hash, next: NIL, prev: NIL, state: 0 });
            number.expect("a queue holds fewer than 2^32 - 1 keys at once")
        } else {
            let number = self.free;
            let slot = &mut self.table[number as usize];
            self.free = slot.next;
            // Field by field: a whole slot would be built on the stack first.
            slot.key = Some(key);
            slot.hash = hash;
            slot.state = 0;
            number
        };
        self.index.insert(hash, number);
        number
    }

    /// Frees a slot that is in no list, and returns its key for the caller to drop.
    #[inline]
    pub(crate) fn remove(&mut self, number: u32) -> Option<K> {
        self.live -= 1;
        let slot = &mut self.table[number as usize];
        let key = slot.key.take();
        let listed = slot.state & flag::SWEPT != 0;
        slot.state = flag::SWEPT;
        if !listed {
            self.dead.push(number);
            if self.dead.len() >= SWEEP {
                self.sweep();
            }
        }
        key
    }

    #[cold]
    fn sweep(&mut self) {
        let Self { table, index, free, dead, .. } = self;
        index.warm(dead.iter().map(|&number| table[number as usize].hash));
        for number in dead.drain(..) {
            let slot = &mut table[number as usize];
            slot.state &= !flag::SWEPT;
            if slot.key.is_none() {
                index.remove(slot.hash, number);
                slot.next = *free;
                *free = number;
            }
        }
    }

    #[inline]
    pub(crate) fn key(&self, number: u32) -> Option<&K> {
        self.table[number as usize].key.as_ref()
    }

    #[inline]
    pub(crate) fn flags(&self, number: u32) -> u32 {
        self.table[number as usize].state & (flag::ALL & !flag::SWEPT)
    }

    #[inline]
    pub(crate) fn has(&self, number: u32, flags: u32) -> bool {
        self.table[number as usize].state & flags != 0
    }

    #[inline]
    pub(crate) fn set(&mut self, number: u32, flags: u32) {
        self.table[number as usize].state |= flags;
    }

    #[inline]
    pub(crate) fn clear(&mut self, number: u32, flags: u32) {
        self.table[number as usize].state &= !flags;
    }

    /// Starts the run `run` (its low 25 bits) of a key.
    #[inline]
    pub(crate) fn start_run(&mut self, number: u32, run: u32) {
        let slot = &mut self.table[number as usize];
        slot.state = (slot.state & flag::ALL) | (run << flag::BITS);
    }

    /// Returns whether this run of this slot is in progress.
    #[inline]
    pub(crate) fn is_run(&self, number: u32, run: u32) -> bool {
        self.table.get(number as usize).is_some_and(|slot| {
            slot.state & flag::PROCESSING != 0
                && slot.state >> flag::BITS == (run << flag::BITS) >> flag::BITS
        })
    }

    #[inline]
    pub(crate) fn push_back(&mut self, list: &mut List, number: u32) {
        let slot = &mut self.table[number as usize];
        slot.prev = list.tail;
        slot.next = NIL;
        if list.tail == NIL {
            list.head = number;
        } else {
            self.table[list.tail as usize].next = number;
        }
        list.tail = number;
    }

    #[inline]
    pub(crate) fn unlink(&mut self, list: &mut List, number: u32) {
        let slot = &mut self.table[number as usize];
        let (prev, next) = (slot.prev, slot.next);
        slot.prev = NIL;
        slot.next = NIL;
        if prev == NIL {
            list.head = next;
        } else {
            self.table[prev as usize].next = next;
        }
        if next == NIL {
            list.tail = prev;
        } else {
            self.table[next as usize].prev = prev;
        }
    }

    /// The slots of a list, in order.
    pub(crate) fn iter(&self, list: List) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(list.head(), |&number| {
            let next = self.table[number as usize].next;
            (next != NIL).then_some(next)
        })
    }
}
