use super::{List, Str};
use std::fmt;
#[derive(PartialEq, Eq)]
pub struct Map<V>(List<(Str, V)>);
impl<V> Clone for Map<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
impl<V> Default for Map<V> {
    fn default() -> Self {
        Self(List::new())
    }
}
impl<V> Map<V> {
    pub const EMPTY: Self = Self(List::EMPTY);
    pub const fn new() -> Self {
        Self(List::EMPTY)
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn get(&self, k: &str) -> Option<&V> {
        self.0.binary_search_by(|e| e.0.as_str().cmp(k)).ok().map(|i| &self.0[i].1)
    }
    pub fn contains_key(&self, k: &str) -> bool {
        self.get(k).is_some()
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Str, &V)> + DoubleEndedIterator {
        self.0.iter().map(|e| (&e.0, &e.1))
    }
}
impl<V: Clone> Map<V> {
    pub fn insert(&mut self, k: impl Into<Str>, v: V) -> Option<V> {
        let k = k.into();
        let mut vec: Vec<_> = self.0.to_vec();
        let r = match vec.binary_search_by(|e| e.0.cmp(&k)) {
            Ok(i) => Some(std::mem::replace(&mut vec[i].1, v)),
            Err(i) => {
                vec.insert(i, (k, v));
                None
            }
        };
        self.0 = vec.into();
        r
    }
}
/// Later duplicates win.
impl<K: Into<Str>, V> FromIterator<(K, V)> for Map<V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(i: I) -> Self {
        let m: std::collections::BTreeMap<Str, V> = i.into_iter().map(|(k, v)| (k.into(), v)).collect();
        Self(m.into_iter().collect())
    }
}
impl<V: fmt::Debug> fmt::Debug for Map<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
impl<T> Map<T> { pub fn is_unique(&self) -> bool { self.0.is_unique() } }
