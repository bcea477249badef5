//! A block whose elements move out.

use super::memory::{Freeing, Memory, Shape};
use std::{iter::FusedIterator, marker::PhantomData, mem, ops::Range, ptr, slice};

/// The elements of a block, by value. Drop drops those that are left.
pub(in super::super) struct Draining<T> {
    memory: Memory,
    // The places that are still initialised.
    rest: Range<usize>,
    owns: PhantomData<T>,
}

impl<T> Draining<T> {
    const SHAPE: Shape = Shape::of::<T>();

    /// Takes over a block with its elements.
    ///
    /// # Safety
    ///
    /// `memory` is of T's shape; its places `rest` are initialised and the caller does not use them again.
    #[inline]
    pub(super) unsafe fn from_raw(memory: Memory, rest: Range<usize>) -> Self {
        Self { memory, rest, owns: PhantomData }
    }

    #[inline]
    pub(in super::super) fn as_slice(&self) -> &[T] {
        // SAFETY: the places `rest` are initialised, and borrowed with `self`.
        unsafe { slice::from_raw_parts(self.place(self.rest.start), self.rest.len()) }
    }

    #[inline]
    fn place(&self, at: usize) -> *mut T {
        self.memory.place(Self::SHAPE, at) as *mut T
    }
}

impl<T> Iterator for Draining<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let at = self.rest.next()?;
        // SAFETY: initialised until now, and no longer in `rest`: read once.
        Some(unsafe { ptr::read(self.place(at)) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl<T> DoubleEndedIterator for Draining<T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        let at = self.rest.next_back()?;
        // SAFETY: initialised until now, and no longer in `rest`: read once.
        Some(unsafe { ptr::read(self.place(at)) })
    }
}

impl<T> ExactSizeIterator for Draining<T> {}
impl<T> FusedIterator for Draining<T> {}

impl<T> Drop for Draining<T> {
    fn drop(&mut self) {
        let rest = ptr::slice_from_raw_parts_mut(self.place(self.rest.start), self.rest.len());
        let memory = mem::replace(&mut self.memory, Memory::none(Self::SHAPE));
        let _free = Freeing { memory, shape: Self::SHAPE };
        // SAFETY: initialised, and dropped once: `self` is not used after. A panic still frees the memory, after this.
        unsafe { ptr::drop_in_place(rest) };
    }
}
