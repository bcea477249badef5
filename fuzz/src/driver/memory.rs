//! A limit to the memory that an input may take.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The exit code of a run whose input took more memory than it may.
pub const EXIT_MEMORY: i32 = 77;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
static OVER: AtomicBool = AtomicBool::new(false);

/// The system's allocator, and a count of the bytes that are in use.
pub struct Counted;

/// From now on, at most so many bytes more than are in use.
pub fn limit(bytes: usize) {
    LIMIT.store(LIVE.load(Ordering::Relaxed).saturating_add(bytes), Ordering::Relaxed);
}

fn add(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    // The input is in its file already: ending the process is all there is to do, once.
    if live > LIMIT.load(Ordering::Relaxed) && !OVER.swap(true, Ordering::Relaxed) {
        std::process::exit(EXIT_MEMORY);
    }
}

fn remove(bytes: usize) {
    LIVE.fetch_sub(bytes, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator with unchanged arguments.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        remove(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        remove(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
