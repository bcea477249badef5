//! New keys that the core has not seen yet.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lock::lock;
use crate::sync::Mutex;

/// Hashes and keys, in the order added.
pub(super) type Batch<K> = VecDeque<(u32, K)>;

/// A list of adds under a lock of its own. A thread holds the lock only to append one add or to take them all.
/// When the inbox is open, it takes adds; when it is closed, they go to the core.
pub(super) struct Inbox<K> {
    adds: Mutex<Adds<K>>,
    /// Whether the list has adds. Written under the lock and read without it. That is enough: an add that must
    /// be seen happened before, and so did its write.
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

    /// Appends an add and returns the number of adds; a closed inbox returns the key.
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

    /// Returns whether there are adds to take.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// Notes that some of the adds that were taken have not reached the core.
    pub(super) fn set_any(&self) {
        self.any.store(true, Ordering::Relaxed);
    }

    /// Takes the adds, in exchange for `batch`, which is empty.
    #[inline]
    pub(super) fn take(&self, batch: &mut Batch<K>) {
        let mut adds = lock(&self.adds);
        std::mem::swap(batch, &mut adds.added);
        self.any.store(false, Ordering::Relaxed);
    }

    pub(super) fn open(&self) {
        lock(&self.adds).open = true;
    }

    /// Closes the inbox if it is empty; returns whether it was.
    pub(super) fn close_if_empty(&self) -> bool {
        let mut adds = lock(&self.adds);
        let empty = adds.added.is_empty();
        adds.open &= !empty;
        empty
    }

    /// Closes the inbox and takes the adds, in one step.
    pub(super) fn close(&self, batch: &mut Batch<K>) {
        let mut adds = lock(&self.adds);
        adds.open = false;
        std::mem::swap(batch, &mut adds.added);
        self.any.store(false, Ordering::Relaxed);
    }
}
