use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::Arc,
};
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct List<T>(Option<Arc<Vec<T>>>);
impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
impl<T> List<T> {
    pub const EMPTY: Self = Self(None);
    pub const fn new() -> Self {
        Self(None)
    }
    pub fn as_slice(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |v| v.as_slice())
    }
    pub fn ptr_eq(&self, o: &Self) -> bool {
        self.as_slice().as_ptr() == o.as_slice().as_ptr()
    }
}
impl<T: Clone> List<T> {
    pub fn push(&mut self, t: T) {
        Arc::make_mut(self.0.get_or_insert_default()).push(t)
    }
}
impl<T> Default for List<T> {
    fn default() -> Self {
        Self(None)
    }
}
impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}
impl<T: Clone> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        Arc::make_mut(self.0.get_or_insert_default()).as_mut_slice()
    }
}
impl<T> From<Vec<T>> for List<T> {
    fn from(v: Vec<T>) -> Self {
        if v.is_empty() { Self(None) } else { Self(Some(Arc::new(v))) }
    }
}
impl<T, const N: usize> From<[T; N]> for List<T> {
    fn from(v: [T; N]) -> Self {
        Vec::from(v).into()
    }
}
impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(i: I) -> Self {
        i.into_iter().collect::<Vec<_>>().into()
    }
}
impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}
impl<T: Clone> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, i: I) {
        Arc::make_mut(self.0.get_or_insert_default()).extend(i)
    }
}
impl<T> List<T> { pub fn is_unique(&self) -> bool { self.0.as_ref().is_none_or(|a| Arc::strong_count(a) == 1) } }
