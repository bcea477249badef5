//! What objects are found by, besides their key.

use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};

use crate::transform::panic_message;

/// The name of the index by namespace, which every store has by default.
pub const NAMESPACE_INDEX: &str = "namespace";

/// An index whose values have a type: the name and the function that gives an object's values.
///
/// The function must give the same values for the same object. It is called from the task that fills the store, with no
/// reader kept waiting. It may read the store, but must not add indexes to it, nor ask for its
/// [footprint](super::Indexer::footprint) or for the state of its informer. If it panics, the object is stored all the same
/// and has no values in this index.
///
/// ```
/// use client_rs_cache::store::{Index, Indexer, IndexerOptions};
/// use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// use client_rs_machinery::{Object, Str};
///
/// let by_app = Index::new("app", |object: &PartialObjectMetadata| object.label("app").map(Str::from));
/// let (mut writer, indexer) = Indexer::new();
/// indexer.add_indexes([by_app.clone()])?;
/// let mut object = PartialObjectMetadata::default();
/// object.metadata.name = "web".into();
/// object.metadata.labels.insert("app", "shop".into());
/// writer.add(object)?;
/// assert_eq!(indexer.by(&by_app, &"shop".into())?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Index<K, V = Str> {
    function: IndexFunction<K>,
    value: PhantomData<fn(&V)>,
}

/// An index without the type of its values: what a store keeps.
pub struct IndexFunction<K> {
    pub(super) name: Str,
    function: Arc<Function<K>>,
}

type Function<K> = dyn Fn(&K, &mut Vec<Str>) + Send + Sync;

/// A value of an index.
pub trait IndexValue {
    /// The text that stands for it. Values that differ must have texts that differ.
    fn to_index(&self) -> Str;
}

/// Why an index can't be read or added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The store has no index of this name.
    #[error("index {0:?} does not exist")]
    Unknown(Str),
    /// The store has an index of this name already, or two new ones share it. None was added.
    #[error("index {0:?} exists already")]
    Duplicate(Str),
}

impl<K: Object, V: IndexValue> Index<K, V> {
    /// An index of this name. The function gives any number of values: an `Option`, an array, a vector, an iterator.
    pub fn new<I: IntoIterator<Item = V>>(
        name: impl Into<Str>,
        function: impl Fn(&K) -> I + Send + Sync + 'static,
    ) -> Self {
        let function = move |object: &K, values: &mut Vec<Str>| {
            values.extend(function(object).into_iter().map(|value| value.to_index()));
        };
        Self {
            function: IndexFunction { name: name.into(), function: Arc::new(function) },
            value: PhantomData,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.function.name
    }
}

impl<K: Object> Index<K, Str> {
    /// The index by namespace. An object of the whole cluster has no value in it.
    pub fn namespace() -> Self {
        Self::new(NAMESPACE_INDEX, |object: &K| {
            Some(object.key().namespace).filter(|namespace| !namespace.is_empty())
        })
    }
}

impl<K: Object> IndexFunction<K> {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the object's values to `values`; false if the function panicked.
    pub(super) fn call(&self, object: &K, values: &mut Vec<Str>) -> bool {
        let before = values.len();
        match catch_unwind(AssertUnwindSafe(|| (self.function)(object, values))) {
            Ok(()) => true,
            Err(panic) => {
                values.truncate(before);
                let panic = panic_message(&*panic);
                tracing::error!(index = %self.name, object = %object.key(), panic, "index function panicked");
                false
            }
        }
    }
}

impl<K, V> From<Index<K, V>> for IndexFunction<K> {
    fn from(index: Index<K, V>) -> Self {
        index.function
    }
}

impl IndexValue for Str {
    fn to_index(&self) -> Str {
        self.clone()
    }
}

impl IndexValue for ObjectKey {
    fn to_index(&self) -> Str {
        if self.is_namespaced() { self.to_string().into() } else { self.name.clone() }
    }
}

macro_rules! from_text {
    ($($text:ty),*) => {$(
        impl IndexValue for $text {
            fn to_index(&self) -> Str {
                Str::new(self)
            }
        }
    )*};
}

from_text!(&str, String);

macro_rules! from_number {
    ($($number:ty),*) => {$(
        impl IndexValue for $number {
            fn to_index(&self) -> Str {
                self.to_string().into()
            }
        }
    )*};
}

from_number!(bool, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Both parts, the first with its length, so that no two pairs share a text.
impl<A: IndexValue, B: IndexValue> IndexValue for (A, B) {
    fn to_index(&self) -> Str {
        let (first, second) = (self.0.to_index(), self.1.to_index());
        format!("{}:{first}{second}", first.len()).into()
    }
}

impl<K, V> Clone for Index<K, V> {
    fn clone(&self) -> Self {
        Self { function: self.function.clone(), value: PhantomData }
    }
}

impl<K> Clone for IndexFunction<K> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), function: self.function.clone() }
    }
}

impl<K, V> fmt::Debug for Index<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index({})", self.function.name)
    }
}

impl<K> fmt::Debug for IndexFunction<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IndexFunction({})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ_have_texts_that_differ() {
        assert_eq!(ObjectKey::new("a", "b").to_index(), "a/b");
        assert_eq!(ObjectKey::cluster("b").to_index(), "b");
        assert_eq!(
            (7_u16.to_index(), (-7_i64).to_index(), true.to_index()),
            ("7".into(), "-7".into(), "true".into())
        );
        assert_ne!(("a", "bc").to_index(), ("ab", "c").to_index());
        assert_ne!(("1:a", "").to_index(), ("", "1:a").to_index());
        assert_eq!((String::from("x"), 1_u8).to_index(), "1:x1");
    }
}
