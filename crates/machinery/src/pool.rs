//! Sharing what decoded objects have in common.
//!
//! Pods of one ReplicaSet differ in a few hundred bytes out of several thousand. A [`Pool`] makes a decode
//! share the rest: a string, list, map or sub-message whose wire bytes were seen before is the same
//! memory, and an update that touches only an object's status re-uses its spec.
//!
//! - **What decides is equality.** A hash finds a candidate; the candidate is then encoded and compared with
//!   the bytes at hand. Content belongs to tenants, and a collision must never share the wrong spec.
//! - **Only what comes twice is kept.** A filter of fixed size remembers hashes seen once, so that what is
//!   unique (names, UIDs, addresses) costs the pool nothing.
//! - **It is bounded by what is live.** Whatever only the pool still holds is swept, at the latest when the
//!   pool has doubled since the last sweep or has served as many decodes as it has entries. After any churn
//!   it therefore holds at most twice what was live at the last sweep.
//!
//! A pool is safe across threads. A decode holds its lock from start to end, so informers that decode at the
//! same time want a pool each.

use std::any::{Any, TypeId};
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use crate::wire::protobuf::{Reader, Writer};
use crate::wire::{Item, Message, Value, put_protobuf};
use crate::{List, Map, Shared, Str};

/// Shares equal parts of the objects that are decoded with it.
#[derive(Default)]
pub struct Pool {
    shelves: Mutex<Shelves>,
}

/// How full a pool is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolStats {
    /// Distinct strings and parts held.
    pub entries: usize,
    /// Parts of decoded objects that were shared instead of built.
    pub hits: u64,
    /// Sweeps so far.
    pub sweeps: u64,
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// How full the pool is.
    pub fn stats(&self) -> PoolStats {
        let shelves = self.lock();
        PoolStats { entries: shelves.entries, hits: shelves.hits, sweeps: shelves.sweeps }
    }

    /// Lets go of everything that no object uses any more.
    ///
    /// Decodes do this by themselves as they go; call it after dropping many objects at once.
    pub fn sweep(&self) {
        self.lock().sweep();
    }

    /// The shelves for one decode.
    pub(crate) fn open(&self) -> MutexGuard<'_, Shelves> {
        let mut shelves = self.lock();
        shelves.decodes += 1;
        if shelves.decodes > shelves.entries.max(SMALLEST_SWEEP) {
            shelves.sweep();
        }
        shelves
    }

    fn lock(&self) -> MutexGuard<'_, Shelves> {
        // What is inside is consistent between any two statements: a panic elsewhere spoils nothing.
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What it holds may be anyone's secret: numbers only.
        f.debug_struct("Pool").field("stats", &self.stats()).finish()
    }
}

/// A value that a pool can hold and knows when to let go.
pub(crate) trait Pooled: Clone + Send + Sync + 'static {
    /// Whether nobody else holds it.
    fn is_unique(&self) -> bool;
    /// Whether these are the wire bytes of the value; of a list or a map, with the tags of its records.
    fn encodes_to(&self, bytes: &[u8], scratch: &mut Writer) -> bool;
}

impl<M: Message> Pooled for Shared<M> {
    fn is_unique(&self) -> bool {
        Shared::is_unique(self)
    }

    fn encodes_to(&self, bytes: &[u8], scratch: &mut Writer) -> bool {
        scratch.clear();
        put_protobuf(&**self, M::DESCRIPTOR.wire, scratch);
        scratch.as_slice() == bytes
    }
}

impl<T: Item> Pooled for List<T> {
    fn is_unique(&self) -> bool {
        List::is_unique(self)
    }

    fn encodes_to(&self, bytes: &[u8], scratch: &mut Writer) -> bool {
        records_encode_to(self, bytes, scratch)
    }
}

impl<V: Item> Pooled for Map<V> {
    fn is_unique(&self) -> bool {
        Map::is_unique(self)
    }

    fn encodes_to(&self, bytes: &[u8], scratch: &mut Writer) -> bool {
        records_encode_to(self, bytes, scratch)
    }
}

fn records_encode_to(records: &dyn Value, bytes: &[u8], scratch: &mut Writer) -> bool {
    // The number is the bytes' own: the same list may stand in fields of different numbers.
    let Ok(Some((number, _))) = Reader::new(bytes).next_field() else { return false };
    scratch.clear();
    records.put_protobuf(number, scratch);
    scratch.as_slice() == bytes
}

/// Below this many bytes a part costs less than its entry here.
const SMALLEST_PART: usize = 24;
/// Up to this many bytes a string sits inside its own word.
const INLINE_STRING: usize = 7;
/// Hashes that the filter can remember; a power of two.
const FILTER: usize = 1 << 16;
/// A pool smaller than this is not worth a sweep.
const SMALLEST_SWEEP: usize = 64;

/// What a pool holds; one decode has it at a time.
#[derive(Default)]
pub(crate) struct Shelves {
    strings: HashTable<Str>,
    parts: HashMap<TypeId, Box<dyn Shelf>>,
    hasher: DefaultHashBuilder,
    /// A fingerprint a slot: what has been seen once. Empty until the first use.
    seen: Vec<u32>,
    scratch: Writer,
    entries: usize,
    sweep_at: usize,
    decodes: usize,
    hits: u64,
    sweeps: u64,
}

impl Shelves {
    /// The string, shared with an equal one where there is one.
    pub(crate) fn text(&mut self, text: &str) -> Str {
        if text.len() <= INLINE_STRING {
            return Str::new(text);
        }
        let hash = self.hasher.hash_one(text);
        if let Some(found) = self.strings.find(hash, |held| held.as_str() == text) {
            self.hits += 1;
            return found.clone();
        }
        let string = Str::new(text);
        if self.seen_before(hash) {
            let hasher = &self.hasher;
            self.strings.insert_unique(hash, string.clone(), |held| hasher.hash_one(held.as_str()));
            self.entry_added();
        }
        string
    }

    /// The hash under which a part is kept; `None` where it is not worth keeping.
    pub(crate) fn hash_of(&self, bytes: &[u8]) -> Option<u64> {
        (bytes.len() >= SMALLEST_PART).then(|| self.hasher.hash_one(bytes))
    }

    /// The part whose wire bytes these are.
    pub(crate) fn find<T: Pooled>(&mut self, hash: u64, bytes: &[u8]) -> Option<T> {
        let shelf = self.parts.get(&TypeId::of::<T>())?.as_any().downcast_ref::<HashTable<(u64, T)>>()?;
        let scratch = &mut self.scratch;
        let (_, found) = shelf.find(hash, |(held, part)| {
            *held == hash && part.encodes_to(bytes, scratch)
        })?;
        self.hits += 1;
        Some(found.clone())
    }

    /// Keeps a part, if its like has been seen before.
    pub(crate) fn offer<T: Pooled>(&mut self, hash: u64, part: &T) {
        if !self.seen_before(hash) {
            return;
        }
        let shelf = self.parts.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(HashTable::<(u64, T)>::new()));
        if let Some(shelf) = shelf.as_any_mut().downcast_mut::<HashTable<(u64, T)>>() {
            shelf.insert_unique(hash, (hash, part.clone()), |(hash, _)| *hash);
            self.entry_added();
        }
    }

    fn seen_before(&mut self, hash: u64) -> bool {
        if self.seen.is_empty() {
            self.seen = vec![0; FILTER];
        }
        #[allow(clippy::cast_possible_truncation)] // The low half chooses the slot, the high half fills it.
        let (slot, print) = (hash as usize % FILTER, (hash >> 32) as u32 | 1);
        std::mem::replace(&mut self.seen[slot], print) == print
    }

    fn entry_added(&mut self) {
        self.entries += 1;
        if self.entries > self.sweep_at.max(SMALLEST_SWEEP) {
            self.sweep();
        }
    }

    fn sweep(&mut self) {
        // A part holds its own parts: letting go of one may free the next.
        loop {
            let before = self.entries;
            for shelf in self.parts.values_mut() {
                shelf.sweep();
            }
            self.parts.retain(|_, shelf| shelf.len() > 0);
            self.strings.retain(|held| !held.is_unique());
            self.entries = self.strings.len() + self.parts.values().map(|shelf| shelf.len()).sum::<usize>();
            if self.entries == before {
                break;
            }
        }
        let hasher = &self.hasher;
        self.strings.shrink_to(self.strings.len(), |held| hasher.hash_one(held.as_str()));
        self.sweep_at = self.entries * 2;
        self.decodes = 0;
        self.sweeps += 1;
    }
}

/// The parts of one type.
trait Shelf: Send {
    fn len(&self) -> usize;
    fn sweep(&mut self);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Pooled> Shelf for HashTable<(u64, T)> {
    fn len(&self) -> usize {
        HashTable::len(self)
    }

    fn sweep(&mut self) {
        self.retain(|(_, part)| !part.is_unique());
        if self.capacity() > self.len() * 4 {
            self.shrink_to(HashTable::len(self), |(hash, _)| *hash);
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
