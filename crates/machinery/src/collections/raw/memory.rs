//! Room for one block: allocated, resized and freed, never read.

use super::count::Count;
use std::{
    alloc::{self, Layout},
    mem,
    num::NonZero,
    ptr::{self, NonNull},
};

/// More elements (or bytes of text) than a block can count: `u32::MAX`, or `isize::MAX` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("longer than a collection can be (2^32 - 1 elements)")]
pub struct TooLong;

impl TooLong {
    /// The reaction of the infallible constructors: the same panic as that of `Vec`.
    #[cold]
    pub(in super::super) fn panic(self) -> ! {
        panic!("capacity overflow: {self}")
    }
}

/// The header that precedes the elements of a block.
#[repr(C)]
pub(super) struct Header {
    pub(super) count: Count,
    pub(super) len: u32,
}

// The tag bit of a word needs blocks at even addresses; the promised size of a block needs an 8-byte header.
const _: () = assert!(align_of::<Header>() >= 2 && size_of::<Header>() == 8);

/// The layout of the elements of a block: their size, and where they start.
///
/// It is a value, not a type parameter: a thousand element types share one copy of the code below.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    size: usize,
    align: usize,
    /// From the block to its first element.
    offset: usize,
}

impl Shape {
    pub(super) const fn of<T>() -> Self {
        let (own, header) = (align_of::<T>(), align_of::<Header>());
        Self {
            size: size_of::<T>(),
            align: if own > header { own } else { header },
            offset: size_of::<Header>().next_multiple_of(own),
        }
    }

    /// From one element to the next.
    #[inline]
    pub(super) const fn size(self) -> usize {
        self.size
    }

    /// The layout of a block of `cap` elements.
    #[inline]
    pub(super) const fn layout(self, cap: usize) -> Result<Layout, TooLong> {
        if cap > u32::MAX as usize {
            return Err(TooLong);
        }
        let Some(bytes) = cap.checked_mul(self.size) else { return Err(TooLong) };
        let Some(size) = bytes.checked_add(self.offset) else { return Err(TooLong) };
        match Layout::from_size_align(size, self.align) {
            Ok(layout) => Ok(layout),
            Err(_) => Err(TooLong),
        }
    }

    /// The same for a block that was allocated.
    ///
    /// # Safety
    ///
    /// `layout(cap)` is `Ok`.
    #[inline]
    const unsafe fn layout_unchecked(self, cap: usize) -> Layout {
        // SAFETY: promised by the caller.
        unsafe { Layout::from_size_align_unchecked(self.offset + cap * self.size, self.align) }
    }

    /// The place of element `at` of a block: within it if it has more than `at` elements.
    #[inline]
    pub(super) const fn place(self, block: NonNull<Header>, at: usize) -> *mut u8 {
        block.as_ptr().cast::<u8>().wrapping_add(self.offset + at * self.size)
    }

    /// A place for no elements.
    #[inline]
    pub(super) const fn nowhere(self) -> *mut u8 {
        ptr::without_provenance_mut(self.align)
    }
}

/// Uninitialised room for a header and `cap` elements of one shape, which the owner brings along: the same each time.
///
/// It has no drop: the owner frees it, by [`Freeing`].
pub(super) struct Memory {
    // Dangling while `cap` is 0: aligned for a header and for the elements, so that `place` needs no branch.
    block: NonNull<Header>,
    cap: usize,
}

// SAFETY: owned alone, like the buffer of a `Vec` (I3); whether its elements may be sent is the owner's business.
unsafe impl Send for Memory {}
// SAFETY: a shared reference only returns its address.
unsafe impl Sync for Memory {}

impl Memory {
    /// No room.
    #[inline]
    pub(super) const fn none(shape: Shape) -> Self {
        let Some(address) = NonZero::new(shape.align) else { unreachable!() };
        Self { block: NonNull::without_provenance(address), cap: 0 }
    }

    /// Takes over a block from its owner.
    ///
    /// # Safety
    ///
    /// `block` was allocated with the `layout(cap)` of the owner's shape, `cap >= 1`, and nobody else will use or free it.
    #[inline]
    pub(super) unsafe fn from_raw(block: NonNull<Header>, cap: usize) -> Self {
        Self { block, cap }
    }

    #[inline]
    pub(super) const fn cap(&self) -> usize {
        self.cap
    }

    /// The place of element `at`: valid for writes if `at < cap`, and aligned.
    #[inline]
    pub(super) const fn place(&self, shape: Shape, at: usize) -> *mut u8 {
        shape.place(self.block, at)
    }

    /// Room for exactly `cap` elements.
    pub(super) fn allocate(shape: Shape, cap: usize) -> Result<Self, TooLong> {
        if cap == 0 {
            return Ok(Self::none(shape));
        }
        // SAFETY: there is always a header.
        let block = unsafe { allocate(shape.layout(cap)?) };
        Ok(Self { block, cap })
    }

    /// The same, for callers who would panic anyway.
    pub(super) fn with_capacity(shape: Shape, cap: usize) -> Self {
        Self::allocate(shape, cap).unwrap_or_else(|too_long| too_long.panic())
    }

    /// Makes room for `extra` more than `len` elements, and none beyond. Panics past the limit.
    #[inline]
    pub(super) fn reserve_exact(&mut self, shape: Shape, len: usize, extra: usize) {
        if extra > self.cap - len {
            self.resize(shape, len.saturating_add(extra));
        }
    }

    /// Makes room for one more than `cap` elements, doubling it so that a row of pushes costs linear time.
    #[cold]
    pub(super) fn grow(&mut self, shape: Shape) {
        let first = if shape.size <= 1024 { 4 } else { 1 };
        let doubled = self.cap.saturating_mul(2).max(first).min(u32::MAX as usize);
        self.resize(shape, self.cap.saturating_add(1).max(doubled));
    }

    /// Makes the room exactly `cap`, at least 1; what is in the first `min(old, new)` places is kept. Panics past the limit.
    fn resize(&mut self, shape: Shape, cap: usize) {
        debug_assert_ne!(cap, 0);
        let layout = shape.layout(cap).unwrap_or_else(|too_long| too_long.panic());
        self.block = if self.cap == 0 {
            // SAFETY: there is always a header.
            unsafe { allocate(layout) }
        } else {
            // SAFETY: allocated with this layout (I1), ours alone (I3), and not used after. Same alignment.
            unsafe { reallocate(self.block, shape.layout_unchecked(self.cap), layout) }
        };
        self.cap = cap;
    }

    /// Makes the room fit `len` elements. A small block with unused room moves: if it were shrunk in place, some
    /// allocators would keep it in its size class, and with it the unused room.
    #[cold]
    fn shrink(&mut self, shape: Shape, len: usize) {
        const SMALL: usize = 4096;
        const CLASS: usize = 16;
        let unused = (self.cap - len).saturating_mul(shape.size);
        let used = len.saturating_mul(shape.size);
        if unused < CLASS || used > SMALL {
            return self.resize(shape, len);
        }
        let memory = Self::with_capacity(shape, len);
        // SAFETY: room for `len` elements in a block of its own, to which they move as bytes; the old block is only freed.
        unsafe { ptr::copy_nonoverlapping(self.place(shape, 0), memory.place(shape, 0), used) };
        drop(Freeing { memory: mem::replace(self, memory), shape });
    }

    /// Makes it a finished block with one reference: its room fits, and it has a header.
    ///
    /// # Safety
    ///
    /// The first `len >= 1` places are initialised, with elements of this shape, and `len <= cap`.
    pub(super) unsafe fn finish(mut self, shape: Shape, len: usize) -> NonNull<Header> {
        if len < self.cap {
            self.shrink(shape, len);
        }
        // `len <= cap`, and `layout` allows no `cap` past `u32::MAX`.
        #[allow(clippy::cast_possible_truncation)]
        let header = Header { count: Count::one(), len: len as u32 };
        // SAFETY: valid for the write of a header since `cap >= 1`, and owned alone (I3).
        unsafe { self.block.write(header) };
        self.block
    }
}

/// Frees the room when dropped, also while a panic passes; drops no element.
pub(super) struct Freeing {
    pub(super) memory: Memory,
    pub(super) shape: Shape,
}

impl Drop for Freeing {
    #[inline]
    fn drop(&mut self) {
        let Memory { block, cap } = self.memory;
        if cap != 0 {
            // SAFETY: allocated with this layout (I1), owned alone (I3).
            unsafe { alloc::dealloc(block.as_ptr().cast(), self.shape.layout_unchecked(cap)) }
        }
    }
}

/// A new block.
///
/// # Safety
///
/// The size is not 0.
#[inline]
unsafe fn allocate(layout: Layout) -> NonNull<Header> {
    // SAFETY: promised by the caller.
    let block = unsafe { alloc::alloc(layout) };
    NonNull::new(block.cast()).unwrap_or_else(|| alloc::handle_alloc_error(layout))
}

/// The same block with another size, perhaps elsewhere.
///
/// # Safety
///
/// `block` was allocated with layout `old`, is the caller's alone, and is not used after. `new` has the same alignment, and
/// its size is not 0.
unsafe fn reallocate(block: NonNull<Header>, old: Layout, new: Layout) -> NonNull<Header> {
    // SAFETY: promised by the caller; the new size is valid with this alignment, as it is a layout's.
    let block = unsafe { alloc::realloc(block.as_ptr().cast(), old, new.size()) };
    NonNull::new(block.cast()).unwrap_or_else(|| alloc::handle_alloc_error(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Wide(#[allow(dead_code)] u8);

    fn layout<T>(cap: usize) -> Result<Layout, TooLong> {
        Shape::of::<T>().layout(cap)
    }

    #[test]
    fn a_header_takes_eight_bytes_up_to_alignment_eight() {
        assert_eq!(layout::<u8>(5).unwrap(), Layout::from_size_align(13, 4).unwrap());
        assert_eq!(layout::<u64>(2).unwrap(), Layout::from_size_align(24, 8).unwrap());
        assert_eq!(layout::<u128>(2).unwrap(), Layout::from_size_align(48, 16).unwrap());
        assert_eq!(layout::<()>(7).unwrap(), Layout::from_size_align(8, 4).unwrap());
        assert_eq!(layout::<Wide>(1).unwrap(), Layout::from_size_align(128, 64).unwrap());
    }

    #[test]
    fn lengths_past_the_limits_are_errors() {
        let most = u32::MAX as usize;
        assert!(layout::<u8>(most).is_ok() && layout::<()>(most).is_ok());
        assert_eq!(layout::<u8>(most + 1), Err(TooLong));
        assert_eq!(layout::<()>(usize::MAX), Err(TooLong));
        assert_eq!(layout::<[u64; 1 << 40]>(1 << 30), Err(TooLong));
        assert_eq!(layout::<[u64; 1 << 29]>(u32::MAX as usize), Err(TooLong));
    }

    #[test]
    fn places_are_aligned_without_and_with_room() {
        fn check<T>() {
            let shape = Shape::of::<T>();
            let aligned = |place: *mut u8| place.cast::<T>().is_aligned();
            let mut memory = Memory::none(shape);
            assert!(aligned(memory.place(shape, 0)) && aligned(shape.nowhere()));
            for cap in [1, 3, 100, 2] {
                memory.resize(shape, cap);
                assert!(aligned(memory.place(shape, cap - 1)) && memory.cap() == cap);
            }
            drop(Freeing { memory, shape });
        }
        check::<()>();
        check::<u8>();
        check::<u64>();
        check::<u128>();
        check::<Wide>();
    }
}
