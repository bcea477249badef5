//! A block whose elements move out.

use super::memory::Memory;
use std::{iter::FusedIterator, ops::Range, ptr, slice};

/// The elements of a block, by value. Drop drops those that are left.
pub(in super::super) struct Draining<T> {
    memory: Memory<T>,
    // The places that are still initialised.
    rest: Range<usize>,
}

impl<T> Draining<T> {
    /// Takes over a block with its elements.
    ///
    /// # Safety
    ///
    /// The places `rest` of `memory` are initialised and the caller does not use them again.
    #[inline]
    pub(super) unsafe fn from_raw(memory: Memory<T>, rest: Range<usize>) -> Self {
        Self { memory, rest }
    }

    #[inline]
    pub(in super::super) fn as_slice(&self) -> &[T] {
        // SAFETY: the places `rest` are initialised, and borrowed with `self`.
        unsafe {
            slice::from_raw_parts(self.memory.elements().add(self.rest.start).as_ptr(), self.rest.len())
        }
    }
}

impl<T> Iterator for Draining<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let at = self.rest.next()?;
        // SAFETY: initialised until now, and no longer in `rest`: read once.
        Some(unsafe { self.memory.elements().add(at).read() })
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
        Some(unsafe { self.memory.elements().add(at).read() })
    }
}

impl<T> ExactSizeIterator for Draining<T> {}
impl<T> FusedIterator for Draining<T> {}

impl<T> Drop for Draining<T> {
    fn drop(&mut self) {
        let rest = ptr::slice_from_raw_parts_mut(
            // SAFETY: `rest` is within the memory.
            unsafe { self.memory.elements().add(self.rest.start).as_ptr() },
            self.rest.len(),
        );
        // SAFETY: initialised, and dropped once: `self` is not used after. A panic still frees the memory, a field.
        unsafe { ptr::drop_in_place(rest) };
    }
}
