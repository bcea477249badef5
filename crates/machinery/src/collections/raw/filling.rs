//! A block that its one owner still edits: a `Vec` whose buffer has room for the header in front.

use super::{
    Draining, Slot,
    erased::{Glue, drop_elements},
    memory::{Freeing, Memory, Shape, TooLong},
};
use std::{marker::PhantomData, mem, ptr, slice};

/// Elements under construction. The first `len` places of the memory are initialised; drop drops those.
pub(in super::super) struct Filling<T> {
    memory: Memory,
    len: usize,
    owns: PhantomData<T>,
}

impl<T> Filling<T> {
    const SHAPE: Shape = Shape::of::<T>();

    #[inline]
    pub(in super::super) const fn new() -> Self {
        Self { memory: Memory::none(Self::SHAPE), len: 0, owns: PhantomData }
    }

    #[inline]
    pub(in super::super) fn with_capacity(cap: usize) -> Self {
        Self { memory: Memory::with_capacity(Self::SHAPE, cap), len: 0, owns: PhantomData }
    }

    #[inline]
    pub(in super::super) fn try_with_capacity(cap: usize) -> Result<Self, TooLong> {
        match Memory::allocate(Self::SHAPE, cap) {
            Ok(memory) => Ok(Self { memory, len: 0, owns: PhantomData }),
            Err(too_long) => Err(too_long),
        }
    }

    /// Takes over a block with its elements.
    ///
    /// # Safety
    ///
    /// `memory` is of T's shape; its first `len` places are initialised and the caller does not use them again.
    #[inline]
    pub(super) unsafe fn from_raw(memory: Memory, len: usize) -> Self {
        Self { memory, len, owns: PhantomData }
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
        unsafe { slice::from_raw_parts(self.place(0), self.len) }
    }

    #[inline]
    pub(in super::super) fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above, and exclusive: the memory is owned alone (I3) and `self` is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.place(0), self.len) }
    }

    /// Makes room for `extra` more elements, and none beyond.
    #[inline]
    pub(in super::super) fn reserve_exact(&mut self, extra: usize) {
        self.memory.reserve_exact(Self::SHAPE, self.len, extra);
    }

    #[inline]
    pub(in super::super) fn push(&mut self, value: T) {
        if self.len == self.memory.cap() {
            self.memory.grow(Self::SHAPE);
        }
        // SAFETY: `len < cap`, and that place is not initialised, so nothing is overwritten.
        unsafe { ptr::write(self.place(self.len), value) };
        self.len += 1;
    }

    #[inline]
    pub(in super::super) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: initialised until now, and no longer counted: read once.
        Some(unsafe { ptr::read(self.place(self.len)) })
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
            ptr::copy_nonoverlapping(vec.as_ptr(), self.place(self.len), moved);
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
        // SAFETY: `Copy` elements, to room that was just reserved; `slice` can't be in it, as it isn't initialised.
        unsafe { ptr::copy_nonoverlapping(slice.as_ptr(), self.place(self.len), slice.len()) };
        self.len += slice.len();
    }

    /// Frees unused room and makes the block shareable. Without elements there is no block.
    #[inline]
    pub(in super::super) fn finish(mut self) -> Slot<T> {
        if self.len == 0 {
            return Slot::NONE;
        }
        let (memory, len) = self.take();
        // SAFETY: `len >= 1` elements are initialised, and `self` has forgotten them together with the memory. The slot
        // takes them over; `cap == len` holds, so does (I2).
        unsafe { Slot::from_raw(memory.finish(Self::SHAPE, len)) }
    }

    /// The elements, to be moved out one by one.
    #[inline]
    pub(in super::super) fn drain(mut self) -> Draining<T> {
        let (memory, len) = self.take();
        // SAFETY: these elements are initialised, and `self` has forgotten them together with the memory.
        unsafe { Draining::from_raw(memory, 0..len) }
    }

    /// Forgets the memory and its elements.
    #[inline]
    fn take(&mut self) -> (Memory, usize) {
        let memory = mem::replace(&mut self.memory, Memory::none(Self::SHAPE));
        (memory, mem::replace(&mut self.len, 0))
    }

    #[inline]
    fn place(&self, at: usize) -> *mut T {
        self.memory.place(Self::SHAPE, at) as *mut T
    }
}

impl<T> Drop for Filling<T> {
    #[inline]
    fn drop(&mut self) {
        let first = self.memory.place(Self::SHAPE, 0);
        let (memory, len) = self.take();
        let _free = Freeing { memory, shape: Self::SHAPE };
        if const { mem::needs_drop::<T>() } {
            // SAFETY: initialised, and dropped once: `self` has forgotten them. A panic still frees the memory, after this.
            unsafe { drop_elements(first, len, Glue::of::<T>()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::Lab;
    use super::*;

    /// A finished block that had room to spare is shrunk in place, moved, or resized by the allocator. Whichever it was: it
    /// fits, all is in it, and it can be taken back, grown and finished again.
    fn shrinks<T>(make: impl Fn(u32) -> T, value: impl Fn(&T) -> u32) {
        let size = size_of::<T>().max(1);
        // To both sides of the sizes at which the ways change.
        for len in [1, 2, 3, 16 / size + 1, 4096 / size, 4096 / size + 1, 3 * 4096 / size + 1] {
            for spare in [0, 1, 2, 15 / size, 16 / size + 1, 5000 / size + 1] {
                let mut filling = Filling::with_capacity(len + spare);
                (0..len).for_each(|at| filling.push(make(u32::try_from(at).unwrap())));
                assert_eq!((filling.len(), filling.capacity()), (len, len + spare));
                let slot = filling.finish();
                assert_eq!(slot.heap_size(), Filling::<T>::SHAPE.layout(len).unwrap().size());
                let shared = slot.clone();
                let Err(slot) = slot.into_filling() else { panic!("another shares it") };
                drop(shared);
                let Ok(mut filling) = slot.into_filling() else { panic!("nobody shares it") };
                assert_eq!((filling.len(), filling.capacity()), (len, len));
                filling.push(make(u32::try_from(len).unwrap()));
                let slot = filling.finish();
                assert!(slot.as_slice().iter().map(&value).eq(0..=u32::try_from(len).unwrap()));
            }
        }
    }

    #[test]
    fn a_finished_block_fits_and_keeps_its_elements() {
        #[repr(align(32))]
        struct Wide(u32);
        let lab = Lab::default();
        shrinks(|value| lab.probe(value), |probe| *probe.value);
        assert_eq!(lab.live(), 0);
        shrinks(Wide, |wide| wide.0);
        shrinks(|value| value, |value| *value);
        shrinks(|value| [value; 700], |values| values[699]);
        shrinks(|value| u128::from(value) << 64, |value| u32::try_from(value >> 64).unwrap());
    }

    #[test]
    fn blocks_of_nothing_are_counted() {
        for (len, spare) in [(1, 0), (1, 5), (1000, 1), (3, 100_000)] {
            let mut filling = Filling::with_capacity(len + spare);
            (0..len).for_each(|_| filling.push(()));
            let slot = filling.finish();
            assert_eq!((slot.as_slice().len(), slot.heap_size()), (len, 8));
            let Ok(filling) = slot.into_filling() else { panic!("nobody shares it") };
            let mut draining = filling.drain();
            assert!(draining.next_back().is_some());
            assert_eq!(draining.len(), len - 1);
        }
    }
}
