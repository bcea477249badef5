//! Indexes: lookups by more than the key.

use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};

use crate::transform::panic_message;

/// The name of the index by namespace, which every store has by default.
pub const NAMESPACE_INDEX: &str = "namespace";

/// An index with typed values: a name, and a function that returns the values of an object.
///
/// Use one for each lookup that a controller repeats, such as "the pods of this node" or "the pods with this
/// owner": without it, a lookup reads every object.
///
/// ```
/// use client_rs_cache::store::{Index, Indexer};
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
///
/// The function must return the same values for the same object. The task that fills the store calls it; no
/// reader waits for it. It may read the store, but it must not add indexes, and must not request the
/// [footprint](super::Indexer::footprint) of the store or the state of its informer. If it panics, the store
/// keeps the object without values in this index.
pub struct Index<K, V = Str> {
    function: IndexFunction<K>,
    value: PhantomData<fn(&V)>,
}

/// An index without the type of its values, as a store keeps it. Convert an [`Index`] with `into`.
pub struct IndexFunction<K> {
    pub(super) name: Str,
    function: Arc<Function<K>>,
}

type Function<K> = dyn Fn(&K, &mut Vec<Str>) + Send + Sync;

/// A value of an index: a text, a number, an [`ObjectKey`], or a pair of values.
///
///
/// ```
/// use client_rs_cache::store::IndexValue;
/// use client_rs_machinery::{ObjectKey, Str};
///
/// assert_eq!(ObjectKey::new("default", "web").to_index(), "default/web");
/// assert_eq!(8080_u16.to_index(), "8080");
///
/// /// A type of one's own.
/// struct Zone(&'static str);
///
/// impl IndexValue for Zone {
///     fn to_index(&self) -> Str {
///         self.0.into()
///     }
/// }
/// assert_ne!((Zone("eu"), 1_u8).to_index(), (Zone("eu1"), 0_u8).to_index());
/// ```
pub trait IndexValue {
    /// Returns the text of the value. Different values must have different texts.
    fn to_index(&self) -> Str;
}

/// The error of reading or adding an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The store has no index of this name.
    #[error("index {0:?} does not exist")]
    Unknown(Str),
    /// The store already has an index of this name, or two new ones share it. No index was added.
    #[error("index {0:?} already exists")]
    Duplicate(Str),
}

impl<K: 'static, V: IndexValue> Index<K, V> {
    /// Makes an index with this name. The function returns any number of values: an `Option`, an array, a
    /// vector, an iterator.
    ///
    /// ```
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
    /// #     let mut pod = PartialObjectMetadata::default();
    /// #     pod.metadata.namespace = "default".into();
    /// #     pod.metadata.name = name.into();
    /// #     pod.metadata.resource_version = version.to_string().into();
    /// #     pod
    /// # }
    /// # use client_rs_cache::{Index, Indexer};
    /// # use client_rs_machinery::{Object, Str};
    /// let by_label = Index::new("labels", |pod: &PartialObjectMetadata| {
    ///     pod.meta().labels().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
    /// });
    /// let mut web = pod("web", 1);
    /// web.metadata.labels.insert("app", "shop".into());
    /// web.metadata.labels.insert("tier", "front".into());
    /// let (_writer, indexer) = Indexer::new();
    /// indexer.add_indexes([by_label])?;
    /// assert_eq!(indexer.values("labels", &web)?, [Str::from("app=shop"), "tier=front".into()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.function.name
    }
}

impl<K: Object> Index<K, Str> {
    /// Makes the index by namespace. A cluster-scoped object has no value in it.
    pub fn namespace() -> Self {
        Self::new(NAMESPACE_INDEX, |object: &K| {
            Some(object.key().namespace).filter(|namespace| !namespace.is_empty())
        })
    }
}

impl<K: Object> IndexFunction<K> {
    /// Adds the values of the object to `values`. Returns false if the function panicked.
    pub(super) fn call(&self, object: &K, values: &mut Vec<Str>) -> bool {
        self.catch(object, values, |panic| {
            tracing::error!(index = %self.name, object = %object.key(), panic, "index function panicked");
        })
    }
}

impl<K> IndexFunction<K> {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the values of an item of any type to `values`. Returns false if the function panicked.
    pub(crate) fn call_any(&self, item: &K, values: &mut Vec<Str>) -> bool {
        self.catch(
            item,
            values,
            |panic| tracing::error!(index = %self.name, panic, "index function panicked"),
        )
    }

    fn catch(&self, item: &K, values: &mut Vec<Str>, report: impl FnOnce(&str)) -> bool {
        let before = values.len();
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.function)(item, values))) else {
            return true;
        };
        values.truncate(before);
        report(panic_message(&*panic));
        false
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

/// Joins both parts, the first with its length, so that no two pairs have the same text.
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
    fn different_values_have_different_texts() {
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
