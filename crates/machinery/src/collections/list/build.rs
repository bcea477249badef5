use super::{Filling, List, copy};
use std::fmt;

/// Elements of a [`List`] to be.
///
/// It fills the list's final block: [`finish`](Self::finish) copies nothing if as many elements came as it had room for, and
/// gives the rest of the room back otherwise. Pushing past the room at least doubles it, so `n` pushes cost O(n) in all.
/// Dropped unfinished, it drops its elements.
pub struct ListBuilder<T>(Filling<T>);

impl<T> ListBuilder<T> {
    /// No room yet.
    #[inline]
    pub const fn new() -> Self {
        Self(Filling::new())
    }

    /// Room for exactly `capacity` elements, in one allocation (none for 0).
    ///
    /// # Panics
    ///
    /// If that is more than `u32::MAX`. Don't pass a number from outside without a bound: the memory is reserved.
    #[inline]
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Filling::with_capacity(capacity))
    }

    /// Makes room for exactly `additional` more elements, if there isn't yet.
    ///
    /// # Panics
    ///
    /// As [`with_capacity`](Self::with_capacity).
    #[inline]
    pub fn reserve_exact(&mut self, additional: usize) {
        self.0.reserve_exact(additional);
    }

    /// Adds an element.
    ///
    /// # Panics
    ///
    /// If there are `u32::MAX` already.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.0.push(value);
    }

    /// Takes back the last element.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The number of elements so far.
    #[inline]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// True without elements.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of elements that fit before the next allocation.
    #[inline]
    pub const fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// The elements so far.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        self.0.as_slice()
    }

    /// The elements so far, for editing.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.0.as_mut_slice()
    }

    /// The list.
    #[inline]
    pub fn finish(self) -> List<T> {
        List(self.0.finish())
    }
}

/// Goes on with a list's elements: moved if no other handle shares them, else cloned.
impl<T: Clone> From<List<T>> for ListBuilder<T> {
    fn from(list: List<T>) -> Self {
        Self(list.0.into_filling().unwrap_or_else(|shared| copy(shared.as_slice(), 0)))
    }
}

impl<T> Default for ListBuilder<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Extend<T> for ListBuilder<T> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        let values = values.into_iter();
        self.0.reserve_exact(values.size_hint().0);
        values.for_each(|value| self.0.push(value));
    }
}

impl<T: fmt::Debug> fmt::Debug for ListBuilder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}
