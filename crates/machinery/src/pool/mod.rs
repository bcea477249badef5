//! Less memory for many similar objects: decoded objects share their equal parts.
//!
//! Pods of one ReplicaSet differ in a few hundred bytes out of several thousand. With a [`Pool`], a decode shares the
//! rest: a string, list, map or sub-message whose wire bytes occurred before is the same memory, and an update that
//! changes only an object's status reuses its spec.
//!
//! ```
//! use client_rs_machinery::meta::v1::PartialObjectMetadata;
//! use client_rs_machinery::pool::Pool;
//! use client_rs_machinery::wire::{DecodeError, Decoding, Message};
//!
//! let pool = Pool::new();
//! let mut nodes = Vec::new();
//! for name in ["a", "b", "c"] {
//!     let text = format!(r#"{{"metadata": {{"name": "{name}", "labels": {{"zone": "europe-west-1"}}}}}}"#);
//!     // One `Decoding` per object: it holds the lock of the pool.
//!     let node = PartialObjectMetadata::from_json_with(text.as_bytes(), &mut Decoding::with_pool(&pool))?;
//!     nodes.push(node.metadata.labels["zone"].clone());
//! }
//! // The pool keeps a string when it occurs for the second time, and shares it from then on.
//! assert!(nodes[1].ptr_eq(&nodes[2]));
//! assert!(pool.stats().hits > 0);
//! # Ok::<(), DecodeError>(())
//! ```
//!
//! - **No collision shares the wrong spec.** Tenants choose the content. A hash finds a candidate, and then the bytes
//!   are compared. For parts whose bytes are not kept (those that wait for an object's next update), a fingerprint is
//!   compared. Its module proves that nobody can choose two contents with the same fingerprint.
//! - **It keeps only parts that occur twice**, and an object's own fields, such as its spec, for the object's next
//!   update. It does not keep metadata and status, because they change. A filter of bounded size remembers hashes of
//!   parts that occurred once, so unique content (names, UIDs, addresses) costs the pool nothing.
//! - **Live objects bound its size.** A sweep drops parts that are no longer shared, at the latest when the pool has
//!   doubled since the last sweep or has served as many decodes as it has entries. After any churn it therefore holds
//!   at most twice the content that was live at the last sweep.
//!
//! JSON shares only strings: many different texts have the same meaning.
//!
//! A pool is safe across threads. A decode holds its lock from start to end, so give each informer its own pool.

mod fingerprint;

use std::any::TypeId;
use std::fmt;
use std::hash::{BuildHasher, Hasher as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::hash::RandomState;
use hashbrown::HashTable;

use self::fingerprint::{Fingerprint, Secret};
use crate::collections::Handle;
use crate::{Str, utf8};

/// Shares equal parts of the objects that are decoded with it.
///
/// Pass it to a decode with [`Decoding::with_pool`](crate::wire::Decoding::with_pool). The [module](self) explains
/// what is shared, and when.
#[derive(Default)]
pub struct Pool {
    shelves: Mutex<Shelves>,
}

/// The size and the use of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStats {
    /// Distinct strings and parts in the pool.
    pub entries: usize,
    /// Parts of decoded objects that were shared instead of built.
    pub hits: u64,
    /// Sweeps so far.
    pub sweeps: u64,
}

impl Pool {
    /// Creates an empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the size and the use of the pool.
    pub fn stats(&self) -> PoolStats {
        let shelves = self.lock();
        PoolStats { entries: shelves.entries(), hits: shelves.hits, sweeps: shelves.sweeps }
    }

    /// Drops everything that objects no longer share.
    ///
    /// Decodes do this automatically; call it after you drop many objects at once.
    pub fn sweep(&self) {
        self.lock().sweep();
    }

    /// Returns the content, for decodes.
    pub(crate) fn open(&self) -> MutexGuard<'_, Shelves> {
        self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Shelves> {
        // The content is consistent between any two statements, so a panic of another thread does no harm.
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The content may be secret: print only numbers.
        f.debug_struct("Pool").field("stats", &self.stats()).finish()
    }
}

/// A part of fewer bytes costs less than its entry here.
const SMALLEST_PART: usize = 24;
/// The number of hashes that the filter can remember: at first, and at most.
const FILTER: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 16;
/// A pool of fewer entries and bytes than this is not worth a sweep.
const SMALLEST_SWEEP: (usize, usize) = (64, 1 << 14);

/// The content of a pool; one decode at a time has it.
#[derive(Default)]
pub(crate) struct Shelves {
    strings: HashTable<Str>,
    parts: HashTable<Held>,
    latest: HashTable<Latest>,
    hasher: PoolHasher,
    secret: Secret,
    /// One part of a hash per slot: contents that occurred once. Its length is a power of two, or 0 until the first
    /// use.
    seen: Vec<u32>,
    /// The number of hashes that the filter has taken since it grew.
    filtered: usize,
    /// The size of the wire bytes of the strings and parts in the pool.
    bytes: usize,
    /// The entries and bytes at which to sweep.
    sweep_at: (usize, usize),
    decodes: usize,
    hits: u64,
    sweeps: u64,
}

/// A part that a decode has reached.
pub(crate) struct Wanted<'a> {
    /// The hash of its bytes.
    pub(crate) hash: u64,
    /// The key of the part in its object, if the object's next update looks for it.
    pub(crate) key: Option<u64>,
    /// The type that it is decoded to.
    pub(crate) of: PartType,
    pub(crate) bytes: &'a [u8],
    /// Whether the decode leaves out managedFields: then the same bytes are not the same part.
    pub(crate) stripped: bool,
}

/// The type of a part: a message, or a list or map of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartType {
    /// The type of the message, or of the elements.
    pub(crate) element: TypeId,
    /// The bytes are records with their tags, and not those of one message.
    pub(crate) list: bool,
}

/// The place where a part is kept.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Among the parts that any object may share.
    Parts,
    /// As the latest part of an object, under its key.
    Latest(u64),
}

/// A part that occurred twice.
struct Held {
    hash: u64,
    part: Handle,
    list: bool,
    /// The bytes that it was decoded from. Few parts make up most of all objects, so that this costs little, and
    /// saves every hit a walk through the part.
    bytes: Box<[u8]>,
    /// Whether the decode left out managedFields.
    stripped: bool,
}

/// The last decoded version of a part of an object, for the object's next update.
///
/// The pool holds it only once, so if no live object holds it either, a sweep sees that.
struct Latest {
    /// The object and the part.
    key: u64,
    /// The fingerprint of its bytes.
    print: Fingerprint,
    part: Handle,
    list: bool,
    /// Whether the decode left out managedFields.
    stripped: bool,
}

impl Shelves {
    /// Called when the decode of an object begins.
    pub(crate) fn begin(&mut self) {
        self.decodes += 1;
        self.sweep_if_due();
    }

    /// Returns the string, shared with an equal one if the pool has it; `None` for bytes that are not UTF-8.
    pub(crate) fn text(&mut self, bytes: &[u8]) -> Option<Str> {
        if bytes.len() <= Str::INLINE {
            return utf8::text(bytes).ok().map(Str::new);
        }
        let hash = self.hasher.hash(bytes);
        // Equal to bytes that are UTF-8, so no second check is needed.
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

    /// Returns the hash under which a part is kept; `None` if the part is too small to keep.
    pub(crate) fn hash_of(&self, bytes: &[u8]) -> Option<u64> {
        (bytes.len() >= SMALLEST_PART).then(|| self.hasher.hash(bytes))
    }

    /// Returns a number for an object. Two objects with the same number share no wrong content: each drops the
    /// other's latest parts.
    pub(crate) fn key_of(&self, identity: &[u8]) -> u64 {
        self.hasher.hash(identity)
    }

    /// Returns the part with these bytes, if the pool holds an equal one.
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

    /// Returns where to keep a part that was not found: `None` unless an equal part occurred before or it is the part
    /// of an object.
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
        // A filter that is too small forgets hashes before they occur twice; one that is too large wastes memory for
        // few objects.
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
        // A part with only one other holder is not shared and only costs memory. A part holds its own parts: dropping
        // one may make the next one unshared.
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

/// Hashes bytes with the pool's own secret, so that nobody can choose content that collides.
#[derive(Default)]
struct PoolHasher {
    secret: RandomState,
    /// Bits that are removed from every hash, to force collisions.
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
