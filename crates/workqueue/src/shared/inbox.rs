//! Keys just added that the core has not seen.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lock::lock;
use crate::sync::Mutex;

/// Hashes and keys, in the order added.
pub(super) type Batch<K> = VecDeque<(u32, K)>;

/// A list of adds under a lock of its own, which nobody holds for longer than it takes to append one or to
/// take them all. Open, it takes adds; closed, they go to the core.
pub(super) struct Inbox<K> {
    adds: Mutex<Adds<K>>,
    /// Whether there are any. Written under the lock; read without it, which is enough: an add that must be
    /// seen happened before, and so did its write.
    any: AtomicBool,
}

struct Adds<K> {
    added: Batch<K>,
    open: bool,
}

impl<K> Inbox<K> {
    pub(super) fn new(open: bool) -> Self {
        Self { adds: Mutex::new(Adds { added: VecDeque::new(), open }), any: AtomicBool::new(false) }
    }

    /// Appends an add and says how many there are; gives the key back if closed.
    #[inline]
    pub(super) fn push(&self, hash: u32, key: K) -> Result<usize, K> {
        let mut adds = lock(&self.adds);
        if !adds.open {
            return Err(key);
        }
        adds.added.push_back((hash, key));
        let count = adds.added.len();
        if count == 1 {
            self.any.store(true, Ordering::Relaxed);
        }
        Ok(count)
    }

    /// Whether there is anything to take.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// Not all that was taken has reached the core.
    pub(super) fn set_any(&self) {
        self.any.store(true, Ordering::Relaxed);
    }

    /// Swaps what was added for `batch`, which is empty.
    #[inline]
    pub(super) fn take(&self, batch: &mut Batch<K>) {
        let mut adds = lock(&self.adds);
        std::mem::swap(batch, &mut adds.added);
        self.any.store(false, Ordering::Relaxed);
    }

    pub(super) fn open(&self) {
        lock(&self.adds).open = true;
    }

    /// Closes it if it is empty, and says so.
    pub(super) fn close_if_empty(&self) -> bool {
        let mut adds = lock(&self.adds);
        let empty = adds.added.is_empty();
        adds.open &= !empty;
        empty
    }

    /// Closes it, and takes what was added, in one step.
    pub(super) fn close(&self, batch: &mut Batch<K>) {
        let mut adds = lock(&self.adds);
        adds.open = false;
        std::mem::swap(batch, &mut adds.added);
        self.any.store(false, Ordering::Relaxed);
    }
}
