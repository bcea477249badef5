//! Room for one block: allocated, resized and freed, never read.

use super::count::Count;
use std::{
    alloc::{self, Layout},
    marker::PhantomData,
    num::NonZero,
    ptr::NonNull,
};

/// More elements (or bytes of text) than a block can count: `u32::MAX`, or `isize::MAX` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("longer than a collection can be (2^32 - 1 elements)")]
pub struct TooLong;

impl TooLong {
    /// What the infallible constructors do about it: the same as `Vec`.
    #[cold]
    pub(in super::super) fn panic(self) -> ! {
        panic!("capacity overflow: {self}")
    }
}

/// What stands before the elements of a block.
#[repr(C)]
pub(super) struct Header {
    pub(super) count: Count,
    pub(super) len: u32,
}

// The tag bit of a word needs blocks at even addresses; the promised size of a block needs an 8-byte header.
const _: () = assert!(align_of::<Header>() >= 2 && size_of::<Header>() == 8);

/// Uninitialised room for a header and `cap` elements. Drop frees the room and drops no element.
pub(super) struct Memory<T> {
    // Dangling while `cap` is 0: aligned for a header and for T, so that `elements` needs no branch.
    block: NonNull<Header>,
    cap: usize,
    owns: PhantomData<T>,
}

// SAFETY: owned alone, like the buffer of a `Vec` (I3).
unsafe impl<T: Send> Send for Memory<T> {}
// SAFETY: gives nothing but its address by shared reference.
unsafe impl<T: Sync> Sync for Memory<T> {}

impl<T> Memory<T> {
    pub(super) const NONE: Self = {
        let Some(address) = NonZero::new(Self::ALIGN) else { unreachable!() };
        Self { block: NonNull::without_provenance(address), cap: 0, owns: PhantomData }
    };

    /// From the block to its first element.
    pub(super) const OFFSET: usize = size_of::<Header>().next_multiple_of(align_of::<T>());

    const ALIGN: usize =
        if align_of::<T>() > align_of::<Header>() { align_of::<T>() } else { align_of::<Header>() };

    /// The layout of a block of `cap` elements.
    #[inline]
    pub(super) const fn layout(cap: usize) -> Result<Layout, TooLong> {
        if cap > u32::MAX as usize {
            return Err(TooLong);
        }
        let Some(bytes) = cap.checked_mul(size_of::<T>()) else { return Err(TooLong) };
        let Some(size) = bytes.checked_add(Self::OFFSET) else { return Err(TooLong) };
        match Layout::from_size_align(size, Self::ALIGN) {
            Ok(layout) => Ok(layout),
            Err(_) => Err(TooLong),
        }
    }

    /// Takes over a block from its owner.
    ///
    /// # Safety
    ///
    /// `block` was allocated with `layout(cap)`, `cap >= 1`, and nobody else will use or free it.
    #[inline]
    pub(super) unsafe fn from_raw(block: NonNull<Header>, cap: usize) -> Self {
        Self { block, cap, owns: PhantomData }
    }

    #[inline]
    pub(super) const fn cap(&self) -> usize {
        self.cap
    }

    /// The block: valid for writes of a header if `cap >= 1`, dangling otherwise.
    #[inline]
    pub(super) const fn block(&self) -> NonNull<Header> {
        self.block
    }

    /// The first element's place: valid for writes of `cap` elements, and aligned.
    #[inline]
    pub(super) const fn elements(&self) -> NonNull<T> {
        let first = self.block.as_ptr().wrapping_byte_add(Self::OFFSET).cast();
        // SAFETY: a block has at least `OFFSET` bytes, so the sum does not wrap; nor does that of two small constants.
        unsafe { NonNull::new_unchecked(first) }
    }

    /// Room for exactly `cap` elements.
    #[inline]
    pub(super) fn allocate(cap: usize) -> Result<Self, TooLong> {
        if cap == 0 {
            return Ok(Self::NONE);
        }
        // SAFETY: there is always a header.
        let block = unsafe { allocate(Self::layout(cap)?) };
        Ok(Self { block, cap, owns: PhantomData })
    }

    /// Makes the room exactly `cap`, at least 1; what is in the first `min(old, new)` places is kept.
    #[inline]
    pub(super) fn resize(&mut self, cap: usize) -> Result<(), TooLong> {
        debug_assert_ne!(cap, 0);
        let layout = Self::layout(cap)?;
        self.block = if self.cap == 0 {
            // SAFETY: there is always a header.
            unsafe { allocate(layout) }
        } else {
            // SAFETY: allocated with `own_layout` (I1), ours alone (I3), and not used after. Same alignment.
            unsafe { reallocate(self.block, self.own_layout(), layout) }
        };
        self.cap = cap;
        Ok(())
    }

    #[inline]
    fn own_layout(&self) -> Layout {
        // SAFETY: `layout(cap)` was fine when the block was allocated with it (I1).
        unsafe { Layout::from_size_align_unchecked(Self::OFFSET + self.cap * size_of::<T>(), Self::ALIGN) }
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

/// The same block with another size, perhaps elsewhere. Not generic, so that there is one copy of it.
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

impl<T> Drop for Memory<T> {
    #[inline]
    fn drop(&mut self) {
        if self.cap != 0 {
            // SAFETY: allocated with this layout (I1), owned alone (I3).
            unsafe { alloc::dealloc(self.block.as_ptr().cast(), self.own_layout()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Wide(#[allow(dead_code)] u8);

    #[test]
    fn a_header_takes_eight_bytes_up_to_alignment_eight() {
        assert_eq!(Memory::<u8>::layout(5).unwrap(), Layout::from_size_align(13, 4).unwrap());
        assert_eq!(Memory::<u64>::layout(2).unwrap(), Layout::from_size_align(24, 8).unwrap());
        assert_eq!(Memory::<u128>::layout(2).unwrap(), Layout::from_size_align(48, 16).unwrap());
        assert_eq!(Memory::<()>::layout(7).unwrap(), Layout::from_size_align(8, 4).unwrap());
        assert_eq!(Memory::<Wide>::layout(1).unwrap(), Layout::from_size_align(128, 64).unwrap());
    }

    #[test]
    fn lengths_past_the_limits_are_errors() {
        let most = u32::MAX as usize;
        assert!(Memory::<u8>::layout(most).is_ok() && Memory::<()>::layout(most).is_ok());
        assert_eq!(Memory::<u8>::layout(most + 1), Err(TooLong));
        assert_eq!(Memory::<()>::layout(usize::MAX), Err(TooLong));
        assert_eq!(Memory::<[u64; 1 << 40]>::layout(1 << 30), Err(TooLong));
        assert_eq!(Memory::<[u64; 1 << 29]>::layout(u32::MAX as usize), Err(TooLong));
    }

    #[test]
    fn places_are_aligned_without_and_with_room() {
        fn check<T>() {
            let mut memory = Memory::<T>::NONE;
            assert!(memory.elements().is_aligned());
            for cap in [1, 3, 100, 2] {
                memory.resize(cap).unwrap();
                assert!(memory.elements().is_aligned() && memory.cap() == cap);
            }
        }
        check::<()>();
        check::<u8>();
        check::<u64>();
        check::<u128>();
        check::<Wide>();
    }
}
