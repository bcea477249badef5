//! An allocator that counts allocated bytes, once counting is turned on.
//!
//! Soundness: every call goes unchanged to the system's allocator; only sizes are counted.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The system's allocator, counted on demand.
pub struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
/// Negative if memory from before the start of counting is freed.
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// Counts from now on.
pub(crate) fn begin() {
    ON.store(true, Ordering::Relaxed);
}

/// Bytes that live now.
pub(crate) fn live() -> i64 {
    LIVE.load(Ordering::Relaxed)
}

/// The most that have lived at once since [`forget_peak`].
pub(crate) fn peak() -> i64 {
    PEAK.load(Ordering::Relaxed)
}

pub(crate) fn forget_peak() {
    PEAK.store(live(), Ordering::Relaxed);
}

fn count(size: usize, sign: i64) {
    if ON.load(Ordering::Relaxed) {
        let change = sign * i64::try_from(size).unwrap_or(i64::MAX);
        let live = LIVE.fetch_add(change, Ordering::Relaxed) + change;
        if change > 0 {
            PEAK.fetch_max(live, Ordering::Relaxed);
        }
    }
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // The worst case: the new block exists before the old one is freed.
        count(new_size, 1);
        count(layout.size(), -1);
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
