//! [`UndeltaStore`]: a store that passes its whole content to a function after each change.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use crate::{Indexer, IndexerOptions, Replacement, TransformError, Writer};

/// A store that passes its whole content to a function after each change, for callers that need states and not
/// changes.
///
/// The function runs after the change, in the thread of the caller. Reads do not call it. Each change costs a
/// list of all objects, so use it for small collections.
///
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
/// use std::sync::{Arc, Mutex};
/// use client_rs_cache::{IndexerOptions, UndeltaStore};
///
/// let sizes = Arc::new(Mutex::new(Vec::new()));
/// let log = sizes.clone();
/// let mut store = UndeltaStore::new(IndexerOptions::default(), move |pods: Vec<_>| log.lock().unwrap().push(pods.len()));
/// store.add(pod("web", 1))?;
/// store.add(pod("db", 2))?;
/// assert_eq!(*sizes.lock().unwrap(), [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct UndeltaStore<K: Object> {
    writer: Writer<K>,
    push: Box<dyn FnMut(Vec<Arc<K>>) + Send>,
}

impl<K: Object> UndeltaStore<K> {
    /// Makes an empty store. It does not call the function yet.
    pub fn new(options: IndexerOptions<K>, push: impl FnMut(Vec<Arc<K>>) + Send + 'static) -> Self {
        Self { writer: Indexer::with_options(options).0, push: Box::new(push) }
    }

    /// Returns the reader of the store.
    pub fn indexer(&self) -> &Indexer<K> {
        self.writer.indexer()
    }

    /// Stores an object and calls the function. If the transform fails, nothing changes and the function is not called.
    pub fn add(&mut self, object: K) -> Result<(), TransformError> {
        self.writer.add(object)?;
        self.push_all();
        Ok(())
    }

    /// The same as [`add`](Self::add).
    pub fn update(&mut self, object: K) -> Result<(), TransformError> {
        self.add(object)
    }

    /// Removes an object and calls the function.
    pub fn delete(&mut self, key: &ObjectKey) {
        self.writer.delete(key);
        self.push_all();
    }

    /// Makes the store equal to a list and calls the function.
    pub fn replace(&mut self, list: Replacement<K>) {
        self.writer.replace(list);
        self.push_all();
    }

    fn push_all(&mut self) {
        (self.push)(self.writer.indexer().list());
    }
}

impl<K: Object> fmt::Debug for UndeltaStore<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UndeltaStore({:?})", self.writer.indexer())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::testing::thing;

    #[test]
    fn t1_7_04_each_change_passes_the_whole_content_once_and_reads_do_not() {
        let pushed = Arc::new(Mutex::new(Vec::new()));
        let log = pushed.clone();
        let mut store = UndeltaStore::new(IndexerOptions::default(), move |objects| {
            let mut names: Vec<String> =
                objects.iter().map(|object: &Arc<crate::testing::Thing>| object.name().to_owned()).collect();
            names.sort();
            log.lock().unwrap().push(names.join(" "));
        });
        store.add(thing("a", 1)).unwrap();
        store.update(thing("b", 2)).unwrap();
        store.indexer().list();
        store.indexer().find("", "a");
        store.delete(&ObjectKey::cluster("a"));
        store.replace(Replacement::new(vec![thing("c", 3).shared(), thing("d", 4).shared()], "4"));
        assert_eq!(*pushed.lock().unwrap(), ["a", "a b", "b", "c d"]);
    }
}
