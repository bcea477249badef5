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

use hashbrown::{DefaultHashBuilder, HashTable};

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
        PoolStats { entries: shelves.entries(), hits: shelves.hits, sweeps: shelves.sweeps }
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
        shelves.sweep_if_due();
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

/// A part of an object that a pool can hold: a shared message, a list or a map.
///
/// A pool holds parts of many hundred types; it sees them through this trait so that its tables are built once.
pub(crate) trait Part: Any + Send + Sync {
    /// Whether nobody else holds it.
    fn is_unique(&self) -> bool;
    /// Whether these are the wire bytes of the value; of a list or a map, with the tags of its records.
    fn encodes_to(&self, bytes: &[u8], scratch: &mut Writer) -> bool;
}

impl<M: Message> Part for Shared<M> {
    fn is_unique(&self) -> bool {
        Shared::is_unique(self)
    }

    fn encodes_to(&self, bytes: &[u8], scratch: &mut Writer) -> bool {
        scratch.clear();
        put_protobuf(&**self, M::DESCRIPTOR.wire, scratch);
        scratch.as_slice() == bytes
    }
}

impl<T: Item> Part for List<T> {
    fn is_unique(&self) -> bool {
        List::is_unique(self)
    }

    fn encodes_to(&self, bytes: &[u8], scratch: &mut Writer) -> bool {
        records_encode_to(self, bytes, scratch)
    }
}

impl<V: Item> Part for Map<V> {
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
    parts: HashTable<(u64, Box<dyn Part>)>,
    hasher: DefaultHashBuilder,
    /// A fingerprint a slot: what has been seen once. Empty until the first use.
    seen: Vec<u32>,
    scratch: Writer,
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
            self.sweep_if_due();
        }
        string
    }

    /// The hash under which a part is kept; `None` where it is not worth keeping.
    pub(crate) fn hash_of(&self, bytes: &[u8]) -> Option<u64> {
        (bytes.len() >= SMALLEST_PART).then(|| self.hasher.hash_one(bytes))
    }

    /// The part of this type whose wire bytes these are.
    pub(crate) fn find(&mut self, hash: u64, of: TypeId, bytes: &[u8]) -> Option<&dyn Any> {
        let scratch = &mut self.scratch;
        let (_, found) = self.parts.find(hash, |(held, part)| {
            let any: &dyn Any = &**part;
            *held == hash && any.type_id() == of && part.encodes_to(bytes, scratch)
        })?;
        self.hits += 1;
        Some(&**found)
    }

    /// Whether a part that was not found is to be kept: its like has been seen before.
    pub(crate) fn wants(&mut self, hash: u64) -> bool {
        self.seen_before(hash)
    }

    /// Keeps a part.
    pub(crate) fn keep(&mut self, hash: u64, part: Box<dyn Part>) {
        self.parts.insert_unique(hash, (hash, part), |(hash, _)| *hash);
        self.sweep_if_due();
    }

    fn seen_before(&mut self, hash: u64) -> bool {
        if self.seen.is_empty() {
            self.seen = vec![0; FILTER];
        }
        #[allow(clippy::cast_possible_truncation)] // The low half chooses the slot, the high half fills it.
        let (slot, print) = (hash as usize % FILTER, (hash >> 32) as u32 | 1);
        std::mem::replace(&mut self.seen[slot], print) == print
    }

    fn entries(&self) -> usize {
        self.strings.len() + self.parts.len()
    }

    fn sweep_if_due(&mut self) {
        let entries = self.entries();
        if entries > self.sweep_at.max(SMALLEST_SWEEP) || self.decodes > entries.max(SMALLEST_SWEEP) {
            self.sweep();
        }
    }

    fn sweep(&mut self) {
        // A part holds its own parts: letting go of one may free the next.
        loop {
            let before = self.entries();
            self.parts.retain(|(_, part)| !part.is_unique());
            self.strings.retain(|held| !held.is_unique());
            if self.entries() == before {
                break;
            }
        }
        if self.parts.capacity() > self.parts.len() * 4 {
            self.parts.shrink_to_fit(|(hash, _)| *hash);
        }
        if self.strings.capacity() > self.strings.len() * 4 {
            let hasher = &self.hasher;
            self.strings.shrink_to_fit(|held| hasher.hash_one(held.as_str()));
        }
        self.sweep_at = self.entries() * 2;
        self.decodes = 0;
        self.sweeps += 1;
    }
}
