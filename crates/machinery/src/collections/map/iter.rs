use super::{
    super::{Str, list},
    Map, pair,
};
use std::{fmt, iter::FusedIterator, slice};

/// The entries of a [`Map`] in key order.
pub struct Iter<'a, V>(slice::Iter<'a, (Str, V)>);

/// The entries of a [`Map`] in key order, with values for editing.
pub struct IterMut<'a, V>(slice::IterMut<'a, (Str, V)>);

/// The entries of a [`Map`] by value, in key order: moved if no other handle shared them when it began, else cloned.
pub struct IntoIter<V>(list::IntoIter<(Str, V)>);

/// The keys of a [`Map`] in order.
pub struct Keys<'a, V>(Iter<'a, V>);

/// The values of a [`Map`] in key order.
pub struct Values<'a, V>(Iter<'a, V>);

/// The values of a [`Map`] in key order, for editing.
pub struct ValuesMut<'a, V>(IterMut<'a, V>);

/// The keys of a [`Map`] by value, in order.
pub struct IntoKeys<V>(IntoIter<V>);

/// The values of a [`Map`] by value, in key order.
pub struct IntoValues<V>(IntoIter<V>);

impl<'a, V> Iter<'a, V> {
    #[inline]
    pub(super) fn new(entries: &'a [(Str, V)]) -> Self {
        Self(entries.iter())
    }
}

impl<'a, V> IterMut<'a, V> {
    #[inline]
    pub(super) fn new(entries: &'a mut [(Str, V)]) -> Self {
        Self(entries.iter_mut())
    }
}

impl<V: Clone> IntoIterator for Map<V> {
    type Item = (Str, V);
    type IntoIter = IntoIter<V>;

    #[inline]
    fn into_iter(self) -> IntoIter<V> {
        IntoIter(self.0.into_iter())
    }
}

impl<'a, V> IntoIterator for &'a Map<V> {
    type Item = (&'a Str, &'a V);
    type IntoIter = Iter<'a, V>;

    #[inline]
    fn into_iter(self) -> Iter<'a, V> {
        self.iter()
    }
}

impl<'a, V: Clone> IntoIterator for &'a mut Map<V> {
    type Item = (&'a Str, &'a mut V);
    type IntoIter = IterMut<'a, V>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, V> {
        self.iter_mut()
    }
}

/// The iterator traits of a wrapper, each item mapped.
macro_rules! iterator {
    ([$($param:tt)*] $name:ty, $item:ty, $map:expr) => {
        impl<$($param)*> Iterator for $name {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map($map)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<$($param)*> DoubleEndedIterator for $name {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map($map)
            }
        }

        impl<$($param)*> ExactSizeIterator for $name {}
        impl<$($param)*> FusedIterator for $name {}
    };
}

iterator!(['a, V] Iter<'a, V>, (&'a Str, &'a V), pair);
iterator!(['a, V] IterMut<'a, V>, (&'a Str, &'a mut V), |(key, value)| (&*key, value));
iterator!([V: Clone] IntoIter<V>, (Str, V), |entry| entry);
iterator!(['a, V] Keys<'a, V>, &'a Str, |(key, _)| key);
iterator!(['a, V] Values<'a, V>, &'a V, |(_, value)| value);
iterator!(['a, V] ValuesMut<'a, V>, &'a mut V, |(_, value)| value);
iterator!([V: Clone] IntoKeys<V>, Str, |(key, _)| key);
iterator!([V: Clone] IntoValues<V>, V, |(_, value)| value);

/// A wrapper around the iterator over entries that it maps.
macro_rules! wrapper {
    ([$($param:tt)*] $name:ty, $inner:ty) => {
        impl<$($param)*> $name {
            #[inline]
            pub(super) fn new(entries: $inner) -> Self {
                Self(entries)
            }
        }
    };
}

wrapper!(['a, V] Keys<'a, V>, Iter<'a, V>);
wrapper!(['a, V] Values<'a, V>, Iter<'a, V>);
wrapper!(['a, V] ValuesMut<'a, V>, IterMut<'a, V>);
wrapper!([V] IntoKeys<V>, IntoIter<V>);
wrapper!([V] IntoValues<V>, IntoIter<V>);

macro_rules! clone {
    ($($name:ident),*) => {$(
        impl<V> Clone for $name<'_, V> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }
    )*};
}

clone!(Iter, Keys, Values);

macro_rules! debug {
    ($([$($param:tt)*] $name:ty),*) => {$(
        impl<$($param)*: fmt::Debug> fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

debug!([V] Iter<'_, V>, [V] IterMut<'_, V>, [V] IntoIter<V>, [V] Keys<'_, V>, [V] Values<'_, V>);
debug!([V] ValuesMut<'_, V>, [V] IntoKeys<V>, [V] IntoValues<V>);
