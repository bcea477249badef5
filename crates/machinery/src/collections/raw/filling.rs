//! A block that its one owner still edits: a `Vec` whose buffer has room for the header in front.

use super::{
    Draining, Slot,
    count::Count,
    memory::{Header, Memory, TooLong},
};
use std::{mem, ptr, slice};

/// Elements under construction. The first `len` places of the memory are initialised; drop drops those.
pub(in super::super) struct Filling<T> {
    memory: Memory<T>,
    len: usize,
}

impl<T> Filling<T> {
    #[inline]
    pub(in super::super) const fn new() -> Self {
        Self { memory: Memory::NONE, len: 0 }
    }

    #[inline]
    pub(in super::super) fn with_capacity(cap: usize) -> Self {
        Self::try_with_capacity(cap).unwrap_or_else(|too_long| too_long.panic())
    }

    #[inline]
    pub(in super::super) fn try_with_capacity(cap: usize) -> Result<Self, TooLong> {
        Ok(Self { memory: Memory::allocate(cap)?, len: 0 })
    }

    /// Takes over a block with its elements.
    ///
    /// # Safety
    ///
    /// The first `len` places of `memory` are initialised and the caller does not use them again.
    #[inline]
    pub(super) unsafe fn from_raw(memory: Memory<T>, len: usize) -> Self {
        Self { memory, len }
    }

    #[inline]
    pub(in super::super) const fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(in super::super) const fn capacity(&self) -> usize {
        self.memory.cap()
    }

    #[inline]
    pub(in super::super) fn as_slice(&self) -> &[T] {
        // SAFETY: `len` elements are initialised, borrowed with `self`; dangling is fine for none.
        unsafe { slice::from_raw_parts(self.memory.elements().as_ptr(), self.len) }
    }

    #[inline]
    pub(in super::super) fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above, and exclusive: the memory is owned alone (I3) and `self` is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.memory.elements().as_ptr(), self.len) }
    }

    /// Makes room for `extra` more elements, and none beyond.
    #[inline]
    pub(in super::super) fn reserve_exact(&mut self, extra: usize) {
        let room = self.memory.cap() - self.len;
        if extra > room {
            let cap = self.len.saturating_add(extra);
            self.memory.resize(cap).unwrap_or_else(|too_long| too_long.panic());
        }
    }

    /// Makes room for `extra` more elements, at least doubling so that a row of pushes costs linear time.
    #[cold]
    fn reserve(&mut self, extra: usize) {
        let first = if size_of::<T>() <= 1024 { 4 } else { 1 };
        let doubled = self.memory.cap().saturating_mul(2).max(first).min(u32::MAX as usize);
        let cap = self.len.saturating_add(extra).max(doubled);
        self.memory.resize(cap).unwrap_or_else(|too_long| too_long.panic());
    }

    #[inline]
    pub(in super::super) fn push(&mut self, value: T) {
        if self.len == self.memory.cap() {
            self.reserve(1);
        }
        // SAFETY: `len < cap`, and that place is not initialised, so nothing is overwritten.
        unsafe { self.memory.elements().add(self.len).write(value) };
        self.len += 1;
    }

    #[inline]
    pub(in super::super) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: initialised until now, and no longer counted: read once.
        Some(unsafe { self.memory.elements().add(self.len).read() })
    }

    /// Drops all elements from `len` on.
    pub(in super::super) fn truncate(&mut self, len: usize) {
        if len < self.len {
            let tail: *mut [T] = &raw mut self.as_mut_slice()[len..];
            self.len = len;
            // SAFETY: initialised until now, and no longer counted: dropped once, even if a drop panics.
            unsafe { ptr::drop_in_place(tail) };
        }
    }

    /// Moves all elements of `vec` to the end.
    pub(in super::super) fn append(&mut self, vec: &mut Vec<T>) {
        let moved = vec.len();
        self.reserve_exact(moved);
        // SAFETY: the vector's elements are moved bitwise to room that was just reserved, and the vector forgets them
        // before we count them; nothing in between can panic. Two owned buffers never overlap.
        unsafe {
            ptr::copy_nonoverlapping(vec.as_ptr(), self.memory.elements().add(self.len).as_ptr(), moved);
            vec.set_len(0);
        }
        self.len += moved;
    }

    /// Copies all elements of `slice` to the end.
    #[inline]
    pub(in super::super) fn append_copy(&mut self, slice: &[T])
    where
        T: Copy,
    {
        self.reserve_exact(slice.len());
        let end = self.len;
        // SAFETY: `Copy` elements, to room that was just reserved; `slice` can't be in it, as it isn't initialised.
        unsafe {
            ptr::copy_nonoverlapping(slice.as_ptr(), self.memory.elements().add(end).as_ptr(), slice.len());
        }
        self.len += slice.len();
    }

    /// Gives back unused room and makes the block shareable. Without elements there is no block.
    #[inline]
    pub(in super::super) fn finish(mut self) -> Slot<T> {
        if self.len == 0 {
            return Slot::NONE;
        }
        if self.len < self.memory.cap() {
            self.shrink();
        }
        let done = mem::ManuallyDrop::new(self);
        let block = done.memory.block();
        // `len <= cap`, and `Memory::layout` allows no `cap` past `u32::MAX`.
        #[allow(clippy::cast_possible_truncation)]
        let header = Header { count: Count::one(), len: done.len as u32 };
        // SAFETY: valid for the write of a header since `cap >= len >= 1`, and owned alone (I3). The slot takes over the
        // memory and the elements, which `done` does not drop; `cap == len` holds, so does (I2).
        unsafe {
            block.write(header);
            Slot::from_raw(block)
        }
    }

    /// Makes the room fit the elements. A small block with room to give back moves: shrunk in place, it keeps its size
    /// class in some allocators, and so the room.
    #[cold]
    fn shrink(&mut self) {
        const SMALL: usize = 4096;
        const CLASS: usize = 16;
        let unused = (self.memory.cap() - self.len).saturating_mul(size_of::<T>());
        let used = self.len.saturating_mul(size_of::<T>());
        let resized = if unused >= CLASS && used <= SMALL {
            Memory::allocate(self.len).map(|memory| {
                // SAFETY: room for `len` elements in a block of its own; the old one forgets them as it is only freed.
                unsafe { self.memory.elements().copy_to_nonoverlapping(memory.elements(), self.len) };
                self.memory = memory;
            })
        } else {
            self.memory.resize(self.len)
        };
        resized.unwrap_or_else(|too_long| too_long.panic());
    }

    /// The elements, to be moved out one by one.
    #[inline]
    pub(in super::super) fn drain(mut self) -> Draining<T> {
        let elements = 0..mem::take(&mut self.len);
        let memory = mem::replace(&mut self.memory, Memory::NONE);
        // SAFETY: these elements are initialised, and `self` has forgotten them together with the memory.
        unsafe { Draining::from_raw(memory, elements) }
    }
}

impl<T> Drop for Filling<T> {
    #[inline]
    fn drop(&mut self) {
        if mem::needs_drop::<T>() {
            self.truncate(0);
        }
    }
}
