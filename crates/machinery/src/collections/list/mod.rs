//! [`List`], its builder and its iterators.

mod build;
mod iter;
mod serde;
#[cfg(test)]
mod tests;

use super::raw::{Erase, Filling, Handle, Slot, SlotMut, SlotRef};
pub use build::ListBuilder;
pub use iter::IntoIter;
pub(super) use serde::cautious;
use std::{
    borrow::Borrow,
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    mem,
    ops::{Deref, DerefMut},
};

/// A vector, one word wide, copied on write.
///
/// Clones share one heap block of 8 bytes (rounded up to the alignment of `T`) and exactly the elements; an empty
/// list has no block. `Option<List<T>>` is also one word. It derefs to `&[T]`. Every edit, and `DerefMut`, first
/// makes this handle the only owner of the block. This is free if it already is, else it clones each element once.
/// `&mut [T]` provides sorting and similar methods.
///
/// **Cost of growing.** The list keeps no spare capacity: each [`push`](Self::push), [`insert`](Self::insert),
/// [`pop`](Self::pop) and [`remove`](Self::remove) resizes the block. That is cheap for the short lists of an object,
/// because allocators round up to size classes and mostly resize in place. But `n` pushes may copy O(n²) elements.
/// Build longer lists with [`ListBuilder`], `collect`, `extend` or from a `Vec`: each resizes O(log n) times at most.
///
/// **Equality.** Two handles on one block are equal without a comparison of the elements, also for a `T` with values
/// that do not equal themselves, such as NaN.
///
/// **Panics.** If the list would be longer than `u32::MAX` elements, as `Vec` does at its own limit.
/// ```
/// use client_rs_machinery::List;
///
/// let args: List<&str> = ["run", "--verbose"].into();
/// let mut edited = args.clone();
/// edited.push("--once");
/// edited[0] = "test";
/// assert_eq!(args, ["run", "--verbose"]);
/// assert_eq!(edited, ["test", "--verbose", "--once"]);
/// ```
pub struct List<T>(Slot<T>);

impl<T> List<T> {
    /// No elements, and no heap.
    pub const EMPTY: Self = Self(Slot::NONE);

    /// Creates an empty list.
    #[inline]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Returns the elements.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        self.0.as_slice()
    }

    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether the list is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        // An empty list has no block.
        self.0.is_immediate()
    }

    /// Whether both share one heap block, or are empty. Equal lists may lie in different blocks.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    /// Whether no other handle shares the heap block, so that an edit would copy nothing. An empty list is not
    /// shared.
    ///
    /// This is only a hint, unless nothing can clone this handle meanwhile: another thread with a reference to it may
    /// do so.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// Returns the elements for editing, if no other handle shares them; never copies.
    #[inline]
    pub fn get_unique_mut(&mut self) -> Option<&mut [T]> {
        self.0.get_mut()
    }

    /// Returns how many handles share the heap block; 1 without a block. Outdated at once if other threads have some
    /// of them.
    #[inline]
    pub fn holders(&self) -> usize {
        self.0.holders()
    }

    /// Bytes that the block itself takes on the heap, shared or not. Memory that the elements own is not counted.
    pub fn heap_size(&self) -> usize {
        self.0.heap_size()
    }

    /// Removes all elements. Those that no other handle shares are dropped.
    pub fn clear(&mut self) {
        *self = Self::EMPTY;
    }
}

impl<T> List<T> {
    /// Returns the elements, viewed as `V`s.
    #[inline]
    pub(crate) fn erased<V: ?Sized + 'static>(&self) -> SlotRef<'_, V>
    where
        T: Erase<V>,
    {
        self.0.erased()
    }

    /// Returns the elements for editing as `V`s.
    #[inline]
    pub(crate) fn erased_mut<V: ?Sized + 'static>(&mut self) -> SlotMut<'_, V>
    where
        T: Erase<V>,
    {
        self.0.erased_mut()
    }
}

impl<T: Send + Sync + 'static> List<T> {
    /// Returns another handle on the block, with its type erased.
    pub(crate) fn handle(&self) -> Handle {
        self.0.handle()
    }

    /// Shares the block of the handle instead, if it has the same type.
    pub(crate) fn share(&mut self, other: &Handle) -> bool {
        self.0.share(other)
    }
}

impl<T: Copy> List<T> {
    /// Copies `slice` into a list: one allocation, one `memcpy`.
    #[inline]
    pub fn copy_of(slice: &[T]) -> Self {
        let mut filling = Filling::with_capacity(slice.len());
        filling.append_copy(slice);
        Self(filling.finish())
    }
}

impl<T: Clone> List<T> {
    /// Returns the elements for editing. Copies them first if another handle shares them.
    #[inline]
    pub fn make_mut(&mut self) -> &mut [T] {
        if !self.0.is_unique() {
            self.0 = copy(self, 0).finish();
        }
        self.0.get_mut().expect("the only handle: just made so, and borrowed mutably since")
    }

    /// Adds an element at the end.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.edit(1).filling.push(value);
    }

    /// Removes and returns the last element.
    pub fn pop(&mut self) -> Option<T> {
        if self.is_empty() { None } else { self.edit(0).filling.pop() }
    }

    /// Inserts an element before the one at `index`, or at the end.
    ///
    /// # Panics
    ///
    /// If `index` is greater than the length.
    pub fn insert(&mut self, index: usize, value: T) {
        assert!(index <= self.len(), "insert at {index} into a list of {}", self.len());
        let mut edit = self.edit(1);
        edit.filling.push(value);
        edit.filling.as_mut_slice()[index..].rotate_right(1);
    }

    /// Removes and returns the element at `index`; later elements move up.
    ///
    /// # Panics
    ///
    /// If `index` is out of range.
    pub fn remove(&mut self, index: usize) -> T {
        assert!(index < self.len(), "remove at {index} from a list of {}", self.len());
        let mut edit = self.edit(0);
        edit.filling.as_mut_slice()[index..].rotate_left(1);
        edit.filling.pop().expect("has an element at the index")
    }

    /// Removes and returns the element at `index`; the last one takes its place.
    ///
    /// # Panics
    ///
    /// If `index` is out of range.
    pub fn swap_remove(&mut self, index: usize) -> T {
        let last = self.len().wrapping_sub(1);
        assert!(index < self.len(), "remove at {index} from a list of {}", self.len());
        let mut edit = self.edit(0);
        edit.filling.as_mut_slice().swap(index, last);
        edit.filling.pop().expect("has an element at the index")
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        if len == 0 {
            self.clear();
        } else if len < self.len() {
            if self.is_unique() {
                self.edit(0).filling.truncate(len);
            } else {
                *self = Self::from(&self[..len]);
            }
        }
    }

    /// Keeps the elements for which `keep` is true, in order; calls it once for each. Copies nothing if it keeps all.
    ///
    /// If `keep` panics, all elements stay, in any order.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        if let Some(first) = self.iter().position(|value| !keep(value)) {
            self.edit(0).retain_from(first, first + 1, |value| keep(value));
        }
    }

    /// Like [`retain`](Self::retain), but `keep` may edit the elements; so a shared list is always copied.
    pub fn retain_mut(&mut self, keep: impl FnMut(&mut T) -> bool) {
        if !self.is_empty() {
            self.edit(0).retain_from(0, 0, keep);
        }
    }

    /// Adds a clone of each element of `slice` at the end.
    pub fn extend_from_slice(&mut self, slice: &[T]) {
        self.extend(slice.iter().cloned());
    }

    /// Returns the elements as a `Vec`: moved if no other handle shares them, else cloned.
    pub fn into_vec(self) -> Vec<T> {
        self.into_iter().collect()
    }

    /// Takes the elements out for an edit that changes their number, with room for `extra` more.
    #[inline]
    fn edit(&mut self, extra: usize) -> Edit<'_, T> {
        let filling = match mem::replace(&mut self.0, Slot::NONE).into_filling() {
            Ok(alone) => alone,
            Err(shared) => {
                self.0 = shared;
                copy(self, extra)
            }
        };
        // The guard comes before the allocation: if that fails, the elements go back.
        let mut edit = Edit { list: self, filling };
        edit.filling.reserve_exact(extra);
        edit
    }
}

/// Clones of all elements, with room for `extra` more.
fn copy<T: Clone>(elements: &[T], extra: usize) -> Filling<T> {
    let mut filling = Filling::with_capacity(elements.len().saturating_add(extra));
    for value in elements {
        filling.push(value.clone());
    }
    filling
}

/// Elements on loan from a list; drop puts them back, also when the edit panics.
struct Edit<'a, T> {
    list: &'a mut List<T>,
    filling: Filling<T>,
}

impl<T> Edit<'_, T> {
    /// Drops the elements from `kept` to before `next`, and those at `next` and after it for which `keep` is false.
    fn retain_from(&mut self, mut kept: usize, next: usize, mut keep: impl FnMut(&mut T) -> bool) {
        let elements = self.filling.as_mut_slice();
        for at in next..elements.len() {
            if keep(&mut elements[at]) {
                elements.swap(kept, at);
                kept += 1;
            }
        }
        self.filling.truncate(kept);
    }
}

impl<T> Drop for Edit<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.list.0 = mem::replace(&mut self.filling, Filling::new()).finish();
    }
}

impl<T> Clone for List<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for List<T> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Clone> DerefMut for List<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.make_mut()
    }
}

impl<T> AsRef<[T]> for List<T> {
    #[inline]
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> Borrow<[T]> for List<T> {
    #[inline]
    fn borrow(&self) -> &[T] {
        self
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(mut vec: Vec<T>) -> Self {
        let mut filling = Filling::new();
        filling.append(&mut vec);
        Self(filling.finish())
    }
}

impl<T, const N: usize> From<[T; N]> for List<T> {
    fn from(array: [T; N]) -> Self {
        array.into_iter().collect()
    }
}

impl<T: Clone> From<&[T]> for List<T> {
    fn from(slice: &[T]) -> Self {
        Self(copy(slice, 0).finish())
    }
}

impl<T> From<Box<[T]>> for List<T> {
    fn from(slice: Box<[T]>) -> Self {
        slice.into_vec().into()
    }
}

impl<T: Clone> From<List<T>> for Vec<T> {
    fn from(list: List<T>) -> Self {
        list.into_vec()
    }
}

impl<T> FromIterator<T> for List<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut builder = ListBuilder::new();
        builder.extend(values);
        builder.finish()
    }
}

impl<T: Clone> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        let mut values = values.into_iter();
        // Without a first value there is no reason to copy.
        if let Some(first) = values.next() {
            let mut edit = self.edit(values.size_hint().0.saturating_add(1));
            edit.filling.push(first);
            values.for_each(|value| edit.filling.push(value));
        }
    }
}

impl<'a, T: Clone + 'a> Extend<&'a T> for List<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().cloned());
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(other) || self.as_slice() == other.as_slice()
    }
}

impl<T: Eq> Eq for List<T> {}

impl<T: PartialOrd> PartialOrd for List<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.as_slice().partial_cmp(other.as_slice())
    }
}

impl<T: Ord> Ord for List<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_slice().cmp(other.as_slice())
    }
}

impl<T: Hash> Hash for List<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

macro_rules! compare {
    ($([$($param:tt)*] $other:ty),*) => {$(
        impl<T: PartialEq<U>, U, $($param)*> PartialEq<$other> for List<T> {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                self.as_slice() == &other[..]
            }
        }

        impl<T, U: PartialEq<T>, $($param)*> PartialEq<List<T>> for $other {
            #[inline]
            fn eq(&self, other: &List<T>) -> bool {
                &self[..] == other.as_slice()
            }
        }
    )*};
}

compare!([] [U], [] &[U], [const N: usize] [U; N], [const N: usize] &[U; N], [] Vec<U>);

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}
