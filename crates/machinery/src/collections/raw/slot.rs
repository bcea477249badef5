//! One word that owns a share of a block, or a few bits and no block.

use super::{
    Filling,
    memory::{Header, Memory},
};
use std::{
    marker::PhantomData,
    mem::ManuallyDrop,
    num::NonZero,
    ptr::{self, NonNull},
    slice,
};

/// A share of a finished block, or an immediate value: an odd word. Clones share; drop gives the share back.
#[repr(transparent)]
pub(in super::super) struct Slot<T> {
    word: NonNull<Header>,
    owns: PhantomData<T>,
}

// SAFETY: a share gives `&T` to its thread, and `T` itself to the last one; as for `Arc<T>`.
unsafe impl<T: Send + Sync> Send for Slot<T> {}
// SAFETY: `&Slot<T>` can be cloned to a `Slot<T>`; as for `Arc<T>`.
unsafe impl<T: Send + Sync> Sync for Slot<T> {}

const TAG: usize = 1;

impl<T> Slot<T> {
    /// No block.
    pub(in super::super) const NONE: Self = Self::immediate(TAG);

    /// No block, and these bits. The low one is the tag: always set.
    #[inline]
    pub(in super::super) const fn immediate(bits: usize) -> Self {
        let Some(bits) = NonZero::new(bits | TAG) else { unreachable!() };
        Self { word: NonNull::without_provenance(bits), owns: PhantomData }
    }

    /// Takes over one count of a block.
    ///
    /// # Safety
    ///
    /// (I2) holds for `block`, and the caller gives up a count that it owns.
    #[inline]
    pub(super) unsafe fn from_raw(block: NonNull<Header>) -> Self {
        Self { word: block, owns: PhantomData }
    }

    #[inline]
    pub(in super::super) fn is_immediate(&self) -> bool {
        self.word.addr().get() & TAG != 0
    }

    /// The bytes of the word as they lie in memory, if it is immediate.
    #[inline]
    pub(in super::super) fn immediate_bytes(&self) -> Option<&[u8; size_of::<usize>()]> {
        if !self.is_immediate() {
            return None;
        }
        // SAFETY: a word without provenance is plain initialised bytes; borrowed with `self`.
        Some(unsafe { &*ptr::from_ref(&self.word).cast() })
    }

    #[inline]
    pub(in super::super) fn as_slice(&self) -> &[T] {
        match self.header() {
            // SAFETY: `len` initialised elements (I2), which live while the count that we hold does.
            Some(header) => unsafe { slice::from_raw_parts(self.elements().as_ptr(), header.len as usize) },
            None => &[],
        }
    }

    /// The first element: `None` means no block.
    #[inline]
    pub(in super::super) fn first(&self) -> Option<&T> {
        if self.is_immediate() {
            return None;
        }
        // SAFETY: a block has an element (I2), and lives as long as our count.
        Some(unsafe { self.elements().as_ref() })
    }

    /// The elements, if nobody else shares them.
    #[inline]
    pub(in super::super) fn get_mut(&mut self) -> Option<&mut [T]> {
        let Some(header) = self.header() else { return Some(&mut []) };
        if !header.count.is_unique() {
            return None;
        }
        let len = header.len as usize;
        // SAFETY: as in `as_slice`; exclusive, as ours is the only count and `self` is borrowed mutably.
        Some(unsafe { slice::from_raw_parts_mut(self.elements().as_ptr(), len) })
    }

    /// Takes the block back for editing, if nobody else shares it.
    #[inline]
    pub(in super::super) fn into_filling(self) -> Result<Filling<T>, Self> {
        let Some(header) = self.header() else { return Ok(Filling::new()) };
        if !header.count.is_unique() {
            return Err(self);
        }
        let len = header.len as usize;
        let slot = ManuallyDrop::new(self);
        // SAFETY: allocated for `cap == len` with all elements initialised (I2); ours alone, as ours is the only count
        // and `slot` does not give it back.
        Ok(unsafe { Filling::from_raw(Memory::from_raw(slot.word, len), len) })
    }

    /// True if nobody else shares the block. Also true without one.
    #[inline]
    pub(in super::super) fn is_unique(&self) -> bool {
        self.header().is_none_or(|header| header.count.is_unique())
    }

    /// How many handles share the block, as of a moment ago; 1 without one.
    #[inline]
    pub(in super::super) fn holders(&self) -> usize {
        self.header().map_or(1, |header| header.count.get() as usize)
    }

    /// The same block, or the same immediate value.
    #[inline]
    pub(in super::super) fn same(&self, other: &Self) -> bool {
        self.word == other.word
    }

    /// Bytes that the block was allocated with; 0 without one.
    pub(in super::super) fn heap_size(&self) -> usize {
        self.header()
            .map_or(0, |header| Memory::<T>::layout(header.len as usize).map_or(0, |layout| layout.size()))
    }

    #[inline]
    fn header(&self) -> Option<&Header> {
        if self.is_immediate() {
            return None;
        }
        // SAFETY: a written header (I2), which lives while the count that we hold does. No `&mut Header` is ever made.
        Some(unsafe { self.word.as_ref() })
    }

    /// The first element's place.
    ///
    /// # Safety
    ///
    /// There is a block.
    #[inline]
    unsafe fn elements(&self) -> NonNull<T> {
        // SAFETY: `OFFSET` is within the allocation, or one past it if T is zero-sized.
        unsafe { self.word.byte_add(Memory::<T>::OFFSET).cast() }
    }
}

impl<T> Clone for Slot<T> {
    #[inline]
    fn clone(&self) -> Self {
        if let Some(header) = self.header() {
            header.count.retain();
        }
        Self { word: self.word, owns: PhantomData }
    }
}

impl<T> Drop for Slot<T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(header) = self.header()
            && header.count.release()
        {
            let len = header.len as usize;
            // SAFETY: (I2), and ours was the last count, so the block is ours alone. `self.word` is not used after.
            unsafe { free::<T>(self.word, len) };
        }
    }
}

/// Out of line, so that dropping a handle in generated code stays a few instructions.
///
/// # Safety
///
/// The block was allocated for `len >= 1` elements, all initialised, and is the caller's alone.
#[inline(never)]
unsafe fn free<T>(block: NonNull<Header>, len: usize) {
    // SAFETY: promised by the caller.
    drop(unsafe { Filling::<T>::from_raw(Memory::from_raw(block, len), len) });
}
