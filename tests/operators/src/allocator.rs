//! The memory of workers: blocks of a few sizes that are used again, from one region.
//!
//! A history allocates and frees many small blocks, and its process ends soon afterwards. So nothing is merged, nothing is
//! returned to the system, and no block has a header: a block that is freed is the first one of its size that is used again. New
//! blocks come from pages that the process has not shared with the original since the `fork`, so no page is copied for them.
//!
//! Until [`enable`] is called, and for everything that is large or has an unusual alignment, it is the allocator of the system.
//!
//! # Safety
//!
//! - The region is one block of the system's allocator that is never freed. A *slice* of it belongs to one thread: [`Local::refill`] takes it
//!   with one atomic addition, so two threads never have the same slice. Blocks are cut from the thread's slice in order, so two blocks
//!   never overlap.
//! - A block has the size of its class, which is at least that of its layout. All sizes of classes are multiples of 16, and the region
//!   begins at a multiple of 16, so each block has the alignment 16, the largest that [`class`] accepts.
//! - The class is a function of the layout alone. The contract of `GlobalAlloc` is that a block is freed with the layout that it was allocated
//!   with, so a block in the list of a class has the size of that class.
//! - Whether a block is of the region is decided by its address. The bounds are set once, before the region has given out a block, and
//!   the region is never freed, so no block of the system's allocator lies between them.
//! - The lists belong to a thread, and are read and written by that thread alone. A block is in one list at most, because it is freed
//!   once, and leaves the list when it is allocated. While it is in a list nobody else uses it, so its first word holds the next one.
//! - The thread's lists have no destructor and a constant beginning, so their use neither allocates nor fails. The lists of a thread that ends are
//!   lost, which leaks memory and nothing else.
//! - A `fork` copies the region with all lists, so each process has its own.

#![allow(unsafe_code, reason = "an allocator: see the header")]
#![allow(clippy::cast_ptr_alignment, reason = "blocks have the alignment 16: see the header")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The size of the region. Pages that are not used cost nothing.
const REGION: usize = 512 * 1024 * 1024;
/// The size of a slice.
const SLICE: usize = 1024 * 1024;
/// The alignment of all blocks.
const ALIGN: usize = 16;
/// Sizes up to this one are rounded up to multiples of 16.
const SMALL: usize = 1024;
/// The largest size of a block. Above [`SMALL`], there are four sizes between a power of two and the next one.
const LARGE: usize = 32 * 1024;
/// The number of classes: one of size 0, which is not used, the small ones, and four for each of five powers of two.
const CLASSES: usize = 1 + SMALL / ALIGN + 4 * 5;

/// The bounds of the region: 0 until it exists.
static BEGIN: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
/// The part of the region that was given out in slices.
static USED: AtomicUsize = AtomicUsize::new(0);

struct Local {
    /// The rest of the thread's slice.
    next: Cell<*mut u8>,
    left: Cell<usize>,
    /// The freed blocks of each class: the first word of each is the next one.
    free: [Cell<*mut u8>; CLASSES],
}

thread_local! {
    static LOCAL: Local = const {
        Local { next: Cell::new(null_mut()), left: Cell::new(0), free: [const { Cell::new(null_mut()) }; CLASSES] }
    };
}

/// The allocator of the program: that of the system, or the region after [`enable`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Blocks;

/// Makes the region, for the processes of workers. Call it once, before there are other threads.
pub fn enable() {
    let Ok(layout) = Layout::from_size_align(REGION, ALIGN) else { return };
    if BEGIN.load(Ordering::Relaxed) != 0 {
        return;
    }
    // SAFETY: the layout has a size.
    let region = unsafe { System.alloc(layout) };
    if region.is_null() {
        return;
    }
    // Expose its address: whether a block is of the region is decided by that.
    let begin = region.expose_provenance();
    END.store(begin + REGION, Ordering::Relaxed);
    BEGIN.store(begin, Ordering::Release);
}

/// Returns the class of a layout, and the size of its blocks. `None` if the system's allocator has to serve it.
fn class(layout: Layout) -> Option<(usize, usize)> {
    let size = layout.size();
    if layout.align() > ALIGN || size > LARGE {
        return None;
    }
    if size <= SMALL {
        let class = size.max(1).div_ceil(ALIGN);
        return Some((class, class * ALIGN));
    }
    // The power of two below the size, and the quarter above it.
    let power = (size - 1).ilog2() as usize;
    let quarter = ((size - 1) >> (power - 2)) & 3;
    let class = SMALL / ALIGN + 1 + (power - 10) * 4 + quarter;
    Some((class, (quarter + 5) << (power - 2)))
}

fn is_ours(block: *mut u8) -> bool {
    let begin = BEGIN.load(Ordering::Relaxed);
    begin != 0 && (begin..END.load(Ordering::Relaxed)).contains(&block.addr())
}

impl Local {
    /// Returns a block of a class with this size, or null if the region is used up or does not exist.
    fn take(&self, class: usize, size: usize) -> *mut u8 {
        let first = self.free[class].get();
        if !first.is_null() {
            // SAFETY: a freed block of at least 16 bytes, whose first word is the next one.
            self.free[class].set(unsafe { first.cast::<*mut u8>().read() });
            return first;
        }
        if self.left.get() < size && !self.refill() {
            return null_mut();
        }
        let block = self.next.get();
        // SAFETY: the slice has at least this many bytes left.
        self.next.set(unsafe { block.add(size) });
        self.left.set(self.left.get() - size);
        block
    }

    #[cold]
    fn refill(&self) -> bool {
        let begin = BEGIN.load(Ordering::Acquire);
        if begin == 0 || USED.load(Ordering::Relaxed) + SLICE > REGION {
            return false;
        }
        let used = USED.fetch_add(SLICE, Ordering::Relaxed);
        if used + SLICE > REGION {
            return false;
        }
        self.next.set(std::ptr::with_exposed_provenance_mut(begin + used));
        self.left.set(SLICE);
        true
    }

    fn put(&self, class: usize, block: *mut u8) {
        // SAFETY: nobody uses the block any more, and it has at least 16 bytes with an alignment of 16.
        unsafe { block.cast::<*mut u8>().write(self.free[class].get()) };
        self.free[class].set(block);
    }
}

// SAFETY: see the header.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if BEGIN.load(Ordering::Relaxed) != 0
            && let Some((class, size)) = class(layout)
        {
            let block = LOCAL.with(|local| local.take(class, size));
            if !block.is_null() {
                return block;
            }
        }
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if BEGIN.load(Ordering::Relaxed) != 0
            && let Some((class, size)) = class(layout)
        {
            let block = LOCAL.with(|local| local.take(class, size));
            if !block.is_null() {
                // SAFETY: the block has at least the size of the layout.
                unsafe { block.write_bytes(0, layout.size()) };
                return block;
            }
        }
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_ours(block) {
            if let Some((class, _)) = class(layout) {
                LOCAL.with(|local| local.put(class, block));
            }
            return;
        }
        // SAFETY: the block is of the system's allocator, with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !is_ours(block) {
            // SAFETY: the block is of the system's allocator, with this layout; the caller's contract is the same.
            return unsafe { System.realloc(block, layout, new_size) };
        }
        // SAFETY: the caller guarantees that the size is valid for this alignment.
        let next = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        if class(next).is_some() && class(next) == class(layout) {
            return block;
        }
        // SAFETY: the caller guarantees that the new size is not 0. Both blocks have at least the smaller size, and the old one is freed
        // with its layout.
        unsafe {
            let moved = self.alloc(next);
            if !moved.is_null() {
                std::ptr::copy_nonoverlapping(block, moved, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 8).expect("a layout")
    }

    #[test]
    fn every_size_has_the_smallest_class_that_holds_it() {
        let mut last = (0, 0);
        for size in 1..=LARGE {
            let (class, bytes) = class(layout(size)).expect("a class");
            assert!(bytes >= size && bytes.is_multiple_of(ALIGN), "{size}: {bytes}");
            assert!(class < CLASSES);
            if class != last.0 {
                assert_eq!((class, size), (last.0 + 1, last.1 + 1), "one class after the other");
            }
            last = (class, bytes.max(last.1));
        }
        assert_eq!(last, (CLASSES - 1, LARGE));
        assert_eq!(class(layout(LARGE + 1)), None);
        assert_eq!(class(Layout::from_size_align(8, 32).expect("a layout")), None);
    }

    #[test]
    fn blocks_keep_their_bytes_and_are_used_again() {
        enable();
        let blocks = Blocks;
        let mut random = fastrand::Rng::with_seed(1);
        let mut held: Vec<(*mut u8, usize, u8)> = Vec::new();
        let check = |(block, size, byte): (*mut u8, usize, u8)| {
            // SAFETY: the block has this size, and all of its bytes were written.
            let bytes = unsafe { std::slice::from_raw_parts(block, size) };
            assert!(bytes.iter().all(|found| *found == byte));
        };
        for step in 0..20_000_u32 {
            let byte = u8::try_from(step % 251).expect("a byte");
            let largest = [40, 2_000, 40_000][random.usize(..3)];
            let size = random.usize(1..largest);
            match random.u8(..3) {
                0 if !held.is_empty() => {
                    let (block, size, byte) = held.swap_remove(random.usize(..held.len()));
                    check((block, size, byte));
                    // SAFETY: it was allocated with this layout.
                    unsafe { blocks.dealloc(block, layout(size)) };
                }
                1 if !held.is_empty() => {
                    let place = random.usize(..held.len());
                    let (block, before, old) = held[place];
                    // SAFETY: it was allocated with this layout, and the new size is valid.
                    let block = unsafe { blocks.realloc(block, layout(before), size) };
                    check((block, before.min(size), old));
                    // SAFETY: the block has this size.
                    unsafe { block.write_bytes(byte, size) };
                    held[place] = (block, size, byte);
                }
                _ => {
                    // SAFETY: the layout has a size.
                    let block = unsafe { blocks.alloc_zeroed(layout(size)) };
                    check((block, size, 0));
                    // SAFETY: the block has this size.
                    unsafe { block.write_bytes(byte, size) };
                    held.push((block, size, byte));
                }
            }
        }
        for block in held {
            check(block);
        }
        // SAFETY: the layouts are the same.
        unsafe {
            let one = blocks.alloc(layout(100));
            assert!(is_ours(one));
            blocks.dealloc(one, layout(100));
            assert_eq!(blocks.alloc(layout(97)), one);
        }
    }
}
