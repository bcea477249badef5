//! The reference count and its memory ordering.

use std::sync::atomic::{AtomicU32, Ordering};

/// A count of references, at least 1 while anyone can reach it.
///
/// Generic over the atomic so that the loom test below checks this code, not a copy of it.
pub(super) struct Count<A = AtomicU32>(A);

impl<A: Atomic> Count<A> {
    /// A reference was made from one that the caller holds.
    #[inline]
    pub(super) fn retain(&self) {
        // As for `Arc`: past half the range no number of racing threads can wrap the count before one of them aborts.
        if self.0.add(1, Ordering::Relaxed) > i32::MAX.unsigned_abs() {
            std::process::abort();
        }
    }

    /// The caller gives up its reference. True if it was the last: then the caller owns what was counted, and everything
    /// that other threads did with it has happened before.
    #[inline]
    pub(super) fn release(&self) -> bool {
        // A count of 1 can't change under its only holder, so most drops need no read-modify-write.
        if self.is_unique() {
            return true;
        }
        if self.0.sub(1, Ordering::Release) != 1 {
            return false;
        }
        // Pairs with the `Release` of every earlier holder (a load and not a fence: thread sanitizers understand it).
        self.0.load(Ordering::Acquire);
        true
    }

    /// True if the caller's reference is the only one. With exclusive access to that reference it stays so.
    #[inline]
    pub(super) fn is_unique(&self) -> bool {
        self.0.load(Ordering::Acquire) == 1
    }
}

impl Count {
    #[inline]
    pub(super) const fn one() -> Self {
        Self(AtomicU32::new(1))
    }
}

pub(super) trait Atomic {
    fn load(&self, order: Ordering) -> u32;
    fn add(&self, n: u32, order: Ordering) -> u32;
    fn sub(&self, n: u32, order: Ordering) -> u32;
}

macro_rules! atomic {
    ($($atomic:ty),*) => {$(
        impl Atomic for $atomic {
            #[inline]
            fn load(&self, order: Ordering) -> u32 {
                self.load(order)
            }

            #[inline]
            fn add(&self, n: u32, order: Ordering) -> u32 {
                self.fetch_add(n, order)
            }

            #[inline]
            fn sub(&self, n: u32, order: Ordering) -> u32 {
                self.fetch_sub(n, order)
            }
        }
    )*};
}

atomic!(AtomicU32);
