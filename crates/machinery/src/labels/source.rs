//! [`Labels`]: a lookup from key to value.

use crate::wire::Peek;
use crate::{Map, Metadata, Str};
use std::{
    borrow::{Borrow, Cow},
    collections::{BTreeMap, HashMap},
    fmt,
    hash::{BuildHasher, Hash},
    marker::PhantomData,
};

/// The input of a selector: keys, each with a value. Maps implement it, and so do wire bytes.
///
/// `get` must return the same value for the same key during a match.
pub trait Labels {
    /// Returns the value of `key`, if it exists; borrowed unless the source has to build it.
    fn get(&self, key: &str) -> Option<Cow<'_, str>>;
}

/// Labels given by a function; see [`from_fn`].
#[derive(Clone, Copy)]
pub struct FromFn<'a, F> {
    lookup: F,
    values: PhantomData<&'a str>,
}

/// Labels given by a function from key to value.
///
/// ```
/// # use client_rs_machinery::labels::{Selector, from_fn};
/// let selector: Selector = "app".parse()?;
/// assert!(selector.matches(&from_fn(|key| (key == "app").then_some("web"))));
/// # Ok::<(), client_rs_machinery::labels::ParseError>(())
/// ```
pub fn from_fn<'a, F: Fn(&str) -> Option<&'a str>>(lookup: F) -> FromFn<'a, F> {
    FromFn { lookup, values: PhantomData }
}

impl<F> fmt::Debug for FromFn<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FromFn")
    }
}

impl<'a, F: Fn(&str) -> Option<&'a str>> Labels for FromFn<'a, F> {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        (self.lookup)(key).map(Cow::Borrowed)
    }
}

impl<T: Labels + ?Sized> Labels for &T {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        (**self).get(key)
    }
}

impl Labels for Map<Str> {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key).map(|value| Cow::Borrowed(value.as_str()))
    }
}

impl<K: Borrow<str> + Ord, V: AsRef<str>> Labels for BTreeMap<K, V> {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key).map(|value| Cow::Borrowed(value.as_ref()))
    }
}

impl<K: Borrow<str> + Eq + Hash, V: AsRef<str>, S: BuildHasher> Labels for HashMap<K, V, S> {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key).map(|value| Cow::Borrowed(value.as_ref()))
    }
}

/// The labels of an object.
impl Labels for dyn Metadata + '_ {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.label(key).map(Cow::Borrowed)
    }
}

/// The labels of an object that is still on the wire.
impl Labels for Peek<'_> {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.label(key)
    }
}

/// The first of several pairs with the same key counts.
impl<K: AsRef<str>, V: AsRef<str>> Labels for [(K, V)] {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.iter().find(|(known, _)| known.as_ref() == key).map(|(_, value)| Cow::Borrowed(value.as_ref()))
    }
}

impl<K: AsRef<str>, V: AsRef<str>, const N: usize> Labels for [(K, V); N] {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        self.as_slice().get_label(key)
    }
}

/// A name of its own, because slices already have a `get`.
trait GetLabel {
    fn get_label(&self, key: &str) -> Option<Cow<'_, str>>;
}

impl<T: Labels + ?Sized> GetLabel for T {
    fn get_label(&self, key: &str) -> Option<Cow<'_, str>> {
        Labels::get(self, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_answers_alike() {
        let pairs = [("a", "1"), ("b", "")];
        let ours: Map<Str> = pairs.iter().map(|&(k, v)| (k, Str::from(v))).collect();
        let tree: BTreeMap<String, String> = pairs.iter().map(|&(k, v)| (k.into(), v.into())).collect();
        let hash: HashMap<&str, Str> = pairs.iter().map(|&(k, v)| (k, v.into())).collect();
        let function = from_fn(|key| pairs.iter().find(|pair| pair.0 == key).map(|pair| pair.1));
        let sources: [&dyn Labels; 6] = [&ours, &tree, &hash, &pairs, &pairs.as_slice(), &function];
        for source in sources {
            assert_eq!(source.get("a").as_deref(), Some("1"));
            assert_eq!(source.get("b").as_deref(), Some(""));
            assert_eq!(source.get("c"), None);
        }
        assert_eq!(format!("{function:?}"), "FromFn");
    }

    #[test]
    fn an_objects_metadata_is_its_labels() {
        let mut meta = crate::meta::v1::ObjectMeta::default();
        meta.labels.insert("a", "1".into());
        let meta: &dyn Metadata = &meta;
        assert_eq!((Labels::get(meta, "a").as_deref(), Labels::get(meta, "b").as_deref()), (Some("1"), None));
    }
}
