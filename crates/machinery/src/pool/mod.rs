//! Sharing what decoded objects have in common.
//!
//! Pods of one ReplicaSet differ in a few hundred bytes out of several thousand. A [`Pool`] makes a decode
//! share the rest: a string, list, map or sub-message whose wire bytes were seen before is the same
//! memory, and an update that touches only an object's status re-uses its spec.
//!
//! - **No collision shares the wrong spec.** Content belongs to tenants. A hash finds a candidate; what decides is the
//!   equality of the bytes, or, of what an object's next update looks for and whose bytes are not kept, a fingerprint whose
//!   module proves that nobody can choose two contents of one.
//! - **Only what comes twice is kept**, and what is in an object's own fields, such as its spec, for the object's
//!   next update. Its metadata and status are not: they are what changes. A filter of bounded size remembers hashes
//!   seen once, so that what is unique (names, UIDs, addresses) costs the pool nothing.
//! - **It is bounded by what is live.** Whatever is not shared any more is swept, at the latest when the
//!   pool has doubled since the last sweep or has served as many decodes as it has entries. After any churn
//!   it therefore holds at most twice what was live at the last sweep.
//!
//! JSON shares strings alone: its bytes can say the same thing in many ways.
//!
//! A pool is safe across threads. A decode holds its lock from start to end, so informers that decode at the
//! same time want a pool each.

mod fingerprint;

use std::any::TypeId;
use std::fmt;
use std::hash::{BuildHasher, Hasher as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::{DefaultHashBuilder, HashTable};

use self::fingerprint::{Fingerprint, Secret};
use crate::collections::Handle;
use crate::{Str, utf8};

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

    /// Lets go of everything that objects do not share any more.
    ///
    /// Decodes do this by themselves as they go; call it after dropping many objects at once.
    pub fn sweep(&self) {
        self.lock().sweep();
    }

    /// The shelves, for decodes.
    pub(crate) fn open(&self) -> MutexGuard<'_, Shelves> {
        self.lock()
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

/// Below this many bytes a part costs less than its entry here.
const SMALLEST_PART: usize = 24;
/// Hashes that the filter can remember: at first, and at most.
const FILTER: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 16;
/// A pool of fewer entries and bytes than this is not worth a sweep.
const SMALLEST_SWEEP: (usize, usize) = (64, 1 << 14);

/// What a pool holds; one decode has it at a time.
#[derive(Default)]
pub(crate) struct Shelves {
    strings: HashTable<Str>,
    parts: HashTable<Held>,
    latest: HashTable<Latest>,
    hasher: PoolHasher,
    secret: Secret,
    /// A part of a hash a slot: what has been seen once. Its length is a power of two, or 0 until the first use.
    seen: Vec<u32>,
    /// Hashes that the filter has taken since it grew.
    filtered: usize,
    /// Of wire bytes of the strings and parts held.
    bytes: usize,
    /// The entries and bytes at which to sweep.
    sweep_at: (usize, usize),
    decodes: usize,
    hits: u64,
    sweeps: u64,
}

/// A part that a decode has come to.
pub(crate) struct Wanted<'a> {
    /// Of its bytes.
    pub(crate) hash: u64,
    /// Of the part of the object, for one that an object's next update looks for.
    pub(crate) key: Option<u64>,
    /// What it is decoded to.
    pub(crate) of: PartType,
    pub(crate) bytes: &'a [u8],
    /// Whether the decode leaves out managedFields: the same bytes are not the same part then.
    pub(crate) stripped: bool,
}

/// What a part is: a message, or a list or map of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartType {
    /// Of the message, or of the elements.
    pub(crate) element: TypeId,
    /// The bytes are records with their tags, and not those of one message.
    pub(crate) list: bool,
}

/// Where a part is kept.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// With those that any object may share.
    Parts,
    /// As an object's latest, under its key.
    Latest(u64),
}

/// A part that came twice.
struct Held {
    hash: u64,
    part: Handle,
    list: bool,
    /// What it was decoded from. Few parts make most of all objects, so that this costs little, and saves every
    /// hit a walk through the part.
    bytes: Box<[u8]>,
    /// Whether the decode left something out.
    stripped: bool,
}

/// A part of an object as it was last decoded, for the object's next update.
///
/// It is nowhere else in the pool: then only live objects hold it as well, and a sweep sees when none does.
struct Latest {
    /// Which part of which object.
    key: u64,
    /// Of its bytes.
    print: Fingerprint,
    part: Handle,
    list: bool,
    /// Whether the decode left something out.
    stripped: bool,
}

impl Shelves {
    /// An object's decode begins.
    pub(crate) fn begin(&mut self) {
        self.decodes += 1;
        self.sweep_if_due();
    }

    /// The string, shared with an equal one where there is one; `None` for bytes that are not UTF-8.
    pub(crate) fn text(&mut self, bytes: &[u8]) -> Option<Str> {
        if bytes.len() <= Str::INLINE {
            return utf8::text(bytes).ok().map(Str::new);
        }
        let hash = self.hasher.hash(bytes);
        // Equal to bytes that are UTF-8: no need to look again.
        if let Some(found) = self.strings.find(hash, |held| held.as_bytes() == bytes) {
            self.hits += 1;
            return Some(found.clone());
        }
        let string = Str::new(utf8::text(bytes).ok()?);
        if self.seen_before(hash) {
            let hasher = &self.hasher;
            self.strings.insert_unique(hash, string.clone(), |held| hasher.hash(held.as_bytes()));
            self.bytes += bytes.len();
            self.sweep_if_due();
        }
        Some(string)
    }

    /// The hash under which a part is kept; `None` where it is not worth keeping.
    pub(crate) fn hash_of(&self, bytes: &[u8]) -> Option<u64> {
        (bytes.len() >= SMALLEST_PART).then(|| self.hasher.hash(bytes))
    }

    /// A number for an object. Two of the same number share nothing wrong: each forgets the other's latest parts.
    pub(crate) fn key_of(&self, identity: &[u8]) -> u64 {
        self.hasher.hash(identity)
    }

    /// The part that these bytes are, if an equal one is held.
    pub(crate) fn find(&mut self, wanted: &Wanted<'_>) -> Option<&Handle> {
        let of = |part: &Handle, list| PartType { element: part.element(), list } == wanted.of;
        let latest = wanted.key.and_then(|key| self.latest.find(key, |latest| latest.key == key));
        let found = match latest {
            Some(latest)
                if latest.stripped == wanted.stripped
                    && of(&latest.part, latest.list)
                    && latest.print == self.secret.fingerprint(wanted.bytes) =>
            {
                &latest.part
            }
            _ => {
                let held = self.parts.find(wanted.hash, |held| {
                    held.hash == wanted.hash
                        && held.stripped == wanted.stripped
                        && of(&held.part, held.list)
                        && *held.bytes == *wanted.bytes
                });
                &held?.part
            }
        };
        self.hits += 1;
        Some(found)
    }

    /// Where a part that was not found is to be kept: `None` unless its like has been seen before or it is the
    /// part of an object.
    pub(crate) fn place(&mut self, wanted: &Wanted<'_>) -> Option<Place> {
        if self.seen_before(wanted.hash) { Some(Place::Parts) } else { wanted.key.map(Place::Latest) }
    }

    /// Keeps a part.
    pub(crate) fn keep(&mut self, place: Place, wanted: &Wanted<'_>, part: Handle) {
        let (hash, list) = (wanted.hash, wanted.of.list);
        match place {
            Place::Parts => {
                let held = Held { hash, part, list, bytes: wanted.bytes.into(), stripped: wanted.stripped };
                self.parts.insert_unique(hash, held, |held| held.hash);
                self.bytes += wanted.bytes.len();
            }
            Place::Latest(key) => {
                let print = self.secret.fingerprint(wanted.bytes);
                let latest = Latest { key, print, part, list, stripped: wanted.stripped };
                match self.latest.find_mut(key, |latest| latest.key == key) {
                    Some(held) => *held = latest,
                    None => drop(self.latest.insert_unique(key, latest, |latest| latest.key)),
                }
            }
        }
        self.sweep_if_due();
    }

    fn seen_before(&mut self, hash: u64) -> bool {
        // A filter that is too small forgets before anything comes twice; one too large is a waste for few objects.
        if self.filtered >= self.seen.len() && self.seen.len() < *FILTER.end() {
            self.seen = vec![0; (self.seen.len() * 4).clamp(*FILTER.start(), *FILTER.end())];
            self.filtered = 0;
        }
        self.filtered += 1;
        #[allow(clippy::cast_possible_truncation)] // The low half chooses the slot, the high half fills it.
        let (slot, print) = (hash as usize & (self.seen.len() - 1), (hash >> 32) as u32 | 1);
        std::mem::replace(&mut self.seen[slot], print) == print
    }

    fn entries(&self) -> usize {
        self.strings.len() + self.parts.len() + self.latest.len()
    }

    fn sweep_if_due(&mut self) {
        let entries = self.entries();
        if entries > self.sweep_at.0.max(SMALLEST_SWEEP.0)
            || self.bytes > self.sweep_at.1.max(SMALLEST_SWEEP.1)
            || self.decodes > entries.max(SMALLEST_SWEEP.0)
        {
            self.sweep();
        }
    }

    fn sweep(&mut self) {
        self.latest.retain(|latest| latest.part.holders() > 1);
        // What one other holds is not shared, and only costs. A part holds its own parts: letting go of one may
        // be the end of the next.
        loop {
            let before = self.parts.len();
            self.parts.retain(|held| held.part.holders() > 2);
            if self.parts.len() == before {
                break;
            }
        }
        self.strings.retain(|held| held.holders() > 2);
        if self.latest.capacity() > self.latest.len() * 4 {
            self.latest.shrink_to_fit(|latest| latest.key);
        }
        if self.parts.capacity() > self.parts.len() * 4 {
            self.parts.shrink_to_fit(|held| held.hash);
        }
        if self.strings.capacity() > self.strings.len() * 4 {
            let hasher = &self.hasher;
            self.strings.shrink_to_fit(|held| hasher.hash(held.as_bytes()));
        }
        let parts = self.parts.iter().map(|held| held.bytes.len());
        self.bytes = parts.chain(self.strings.iter().map(|held| held.len())).sum();
        self.sweep_at = (self.entries() * 2, self.bytes * 2);
        self.decodes = 0;
        self.sweeps += 1;
    }
}

/// Hashes bytes with a secret of the pool's own, so that nobody can choose content that collides.
#[derive(Default)]
struct PoolHasher {
    secret: DefaultHashBuilder,
    /// Bits that every hash loses, to force collisions.
    #[cfg(test)]
    lost: u64,
}

impl PoolHasher {
    #[inline]
    fn hash(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.secret.build_hasher();
        hasher.write(bytes);
        let hash = hasher.finish();
        #[cfg(test)]
        let hash = hash & !self.lost;
        hash
    }
}

#[cfg(test)]
mod tests;
