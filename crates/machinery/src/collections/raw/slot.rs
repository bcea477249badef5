//! One word that owns a share of a block, or a few bits and no block.

use super::{
    Filling,
    erased::{self, Glue},
    memory::{Header, Memory, Shape},
};
use std::{
    marker::PhantomData,
    mem,
    num::NonZero,
    ptr::{self, NonNull},
    slice,
};

/// A share of a finished block, or an immediate value: an odd word. Clones share; drop releases the share.
#[repr(transparent)]
pub(in super::super) struct Slot<T> {
    pub(super) word: Word,
    owns: PhantomData<T>,
}

/// The word of a slot, which is the same for every element type. It has no drop: the slot releases its share.
#[repr(transparent)]
pub(super) struct Word(NonNull<Header>);

// SAFETY: a share gives `&T` to its thread, and `T` itself to the last one; as for `Arc<T>`.
unsafe impl<T: Send + Sync> Send for Slot<T> {}
// SAFETY: `&Slot<T>` can be cloned to a `Slot<T>`; as for `Arc<T>`.
unsafe impl<T: Send + Sync> Sync for Slot<T> {}

const TAG: usize = 1;

impl<T> Slot<T> {
    /// No block.
    pub(in super::super) const NONE: Self = Self { word: Word::NONE, owns: PhantomData };

    const SHAPE: Shape = Shape::of::<T>();

    /// No block, and these bits. The low one is the tag: always set.
    #[inline]
    pub(in super::super) const fn immediate(bits: usize) -> Self {
        Self { word: Word::immediate(bits), owns: PhantomData }
    }

    /// Takes over one count of a block.
    ///
    /// # Safety
    ///
    /// (I2) holds for `block`, and the caller gives up a count that it owns.
    #[inline]
    pub(super) unsafe fn from_raw(block: NonNull<Header>) -> Self {
        Self { word: Word(block), owns: PhantomData }
    }

    #[inline]
    pub(in super::super) fn is_immediate(&self) -> bool {
        self.word.is_immediate()
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
        let (first, len) = self.word.elements(Self::SHAPE);
        // SAFETY: `len` initialised elements (I2), which live while the count that we hold does; or none.
        unsafe { slice::from_raw_parts(first as *const T, len) }
    }

    /// The first element: `None` means no block.
    #[inline]
    pub(in super::super) fn first(&self) -> Option<&T> {
        let first = self.word.first(Self::SHAPE)?;
        // SAFETY: a block has an element (I2), and lives as long as our count.
        Some(unsafe { &*(first.as_ptr() as *const T) })
    }

    /// The first element, if there is a block and nobody else shares it.
    #[inline]
    pub(in super::super) fn first_mut(&mut self) -> Option<&mut T> {
        if !self.word.is_unique() {
            return None;
        }
        let first = self.word.first(Self::SHAPE)?;
        // SAFETY: as in `first`; exclusive, as ours is the only count and `self` is borrowed mutably.
        Some(unsafe { &mut *(first.as_ptr() as *mut T) })
    }

    /// The elements, if nobody else shares them.
    #[inline]
    pub(in super::super) fn get_mut(&mut self) -> Option<&mut [T]> {
        if !self.word.is_unique() {
            return None;
        }
        let (first, len) = self.word.elements(Self::SHAPE);
        // SAFETY: as in `as_slice`; exclusive, as ours is the only count and `self` is borrowed mutably.
        Some(unsafe { slice::from_raw_parts_mut(first as *mut T, len) })
    }

    /// Takes the block back for editing, if nobody else shares it.
    #[inline]
    pub(in super::super) fn into_filling(mut self) -> Result<Filling<T>, Self> {
        if !self.word.is_unique() {
            return Err(self);
        }
        let Some(header) = self.word.header() else { return Ok(Filling::new()) };
        let len = header.len as usize;
        // `self` is dropped as a word without a block.
        let block = mem::replace(&mut self.word, Word::NONE).0;
        // SAFETY: allocated for `cap == len` with all elements initialised (I2); ours alone, as ours is the only count
        // and `self` has forgotten it.
        Ok(unsafe { Filling::from_raw(Memory::from_raw(block, len), len) })
    }

    /// True if nobody else shares the block. Also true without one.
    #[inline]
    pub(in super::super) fn is_unique(&self) -> bool {
        self.word.is_unique()
    }

    /// How many handles share the block, as of a moment ago; 1 without one.
    #[inline]
    pub(in super::super) fn holders(&self) -> usize {
        self.word.holders()
    }

    /// The same block, or the same immediate value.
    #[inline]
    pub(in super::super) fn same(&self, other: &Self) -> bool {
        self.word.0 == other.word.0
    }

    /// Bytes that the block was allocated with; 0 without one.
    pub(in super::super) fn heap_size(&self) -> usize {
        let Some(header) = self.word.header() else { return 0 };
        Self::SHAPE.layout(header.len as usize).map_or(0, |layout| layout.size())
    }
}

impl Word {
    pub(super) const NONE: Self = Self::immediate(TAG);

    /// The word of a block. The caller gives up a count that it owns.
    #[inline]
    pub(super) const fn of_block(block: NonNull<Header>) -> Self {
        Self(block)
    }

    /// The block, unless the word is immediate.
    #[inline]
    pub(super) const fn block(&self) -> NonNull<Header> {
        self.0
    }

    #[inline]
    const fn immediate(bits: usize) -> Self {
        let Some(bits) = NonZero::new(bits | TAG) else { unreachable!() };
        Self(NonNull::without_provenance(bits))
    }

    #[inline]
    pub(super) fn is_immediate(&self) -> bool {
        self.0.addr().get() & TAG != 0
    }

    #[inline]
    fn header(&self) -> Option<&Header> {
        if self.is_immediate() {
            return None;
        }
        // SAFETY: a written header (I2), which lives while the count that we hold does. No `&mut Header` is ever made.
        Some(unsafe { self.0.as_ref() })
    }

    /// Where the elements of a block of this shape are, and how many.
    #[inline]
    pub(super) fn elements(&self, shape: Shape) -> (*mut u8, usize) {
        match self.header() {
            // From the allocator's pointer, not from the header's reference, which covers no element.
            Some(header) => (shape.place(self.0, 0), header.len as usize),
            None => (shape.nowhere(), 0),
        }
    }

    /// Where the first element of a block of this shape is.
    #[inline]
    fn first(&self, shape: Shape) -> Option<NonNull<u8>> {
        if self.is_immediate() { None } else { NonNull::new(shape.place(self.0, 0)) }
    }

    #[inline]
    pub(super) fn is_unique(&self) -> bool {
        match self.header() {
            Some(header) => header.count.is_unique(),
            None => true,
        }
    }

    #[inline]
    pub(super) fn holders(&self) -> usize {
        match self.header() {
            Some(header) => header.count.get() as usize,
            None => 1,
        }
    }

    /// Another share.
    #[inline]
    pub(super) fn retain(&self) -> Self {
        if let Some(header) = self.header() {
            header.count.retain();
        }
        Self(self.0)
    }

    /// Releases the share. If it was the last, returns the number of elements, which only the caller owns from then
    /// on.
    #[inline]
    pub(super) fn release(&self) -> Option<usize> {
        match self.header() {
            Some(header) if header.count.release() => Some(header.len as usize),
            _ => None,
        }
    }
}

impl<T> Clone for Slot<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self { word: self.word.retain(), owns: PhantomData }
    }
}

impl<T> Drop for Slot<T> {
    #[inline]
    fn drop(&mut self) {
        if !self.word.is_immediate() {
            // SAFETY: (I2), and the count of `self` is given up: its word is not used after.
            unsafe {
                if const { mem::needs_drop::<T>() } {
                    erased::release(self.word.0, Glue::of::<T>());
                } else {
                    release::<T>(self.word.0);
                }
            }
        }
    }
}

/// Releases a share of a block whose elements need no drop. Out of line, so that dropping a handle in generated code
/// stays a few instructions.
///
/// # Safety
///
/// (I2) holds for `block`, and the caller gives up a count that it owns.
#[inline(never)]
unsafe fn release<T>(block: NonNull<Header>) {
    if let Some(len) = Word(block).release() {
        // SAFETY: (I2), and ours was the last count, so the block is ours alone.
        let _elements = unsafe { Filling::<T>::from_raw(Memory::from_raw(block, len), len) };
    }
}
