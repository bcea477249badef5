use super::{Filling, List, copy};
use std::fmt;

/// Builds a [`List`].
///
/// ```
/// use client_rs_machinery::collections::ListBuilder;
///
/// let mut builder = ListBuilder::with_capacity(2);
/// builder.push("web-0");
/// builder.push("web-1");
/// assert_eq!(builder.finish(), ["web-0", "web-1"]);
/// ```
///
/// It fills the final block of the list. [`finish`](Self::finish) copies nothing if the block is full, and frees the
/// unused room otherwise. A push beyond the capacity at least doubles it, so `n` pushes cost O(n) in total. Dropping
/// the builder drops its elements.
pub struct ListBuilder<T>(Filling<T>);

impl<T> ListBuilder<T> {
    /// Creates a builder without capacity.
    #[inline]
    pub const fn new() -> Self {
        Self(Filling::new())
    }

    /// Creates a builder for exactly `capacity` elements, with one allocation (none for 0).
    ///
    /// # Panics
    ///
    /// If `capacity` is more than `u32::MAX`. Bound a number from outside before you pass it: the memory is reserved.
    #[inline]
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Filling::with_capacity(capacity))
    }

    /// Reserves room for exactly `additional` more elements, if there is less.
    ///
    /// # Panics
    ///
    /// Like [`with_capacity`](Self::with_capacity).
    #[inline]
    pub fn reserve_exact(&mut self, additional: usize) {
        self.0.reserve_exact(additional);
    }

    /// Adds an element.
    ///
    /// # Panics
    ///
    /// If the builder already has `u32::MAX` elements.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.0.push(value);
    }

    /// Removes and returns the last element.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Returns the number of elements so far.
    #[inline]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no elements yet.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of elements that fit before the next allocation.
    #[inline]
    pub const fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// Returns the elements so far.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        self.0.as_slice()
    }

    /// Returns the elements so far for editing.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.0.as_mut_slice()
    }

    /// Returns the list.
    #[inline]
    pub fn finish(self) -> List<T> {
        List(self.0.finish())
    }
}

/// Continues with the elements of a list. They are moved if no other handle shares them, else cloned.
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
