//! A store that passes everything it has to a function at each change.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use crate::{Indexer, IndexerOptions, Replacement, TransformError, Writer};

/// A store that gives its whole content to a function after each change, for callers that want states and not changes.
///
/// The function runs after the change, in the caller's thread. Reads do not call it.
pub struct UndeltaStore<K: Object> {
    writer: Writer<K>,
    push: Box<dyn FnMut(Vec<Arc<K>>) + Send>,
}

impl<K: Object> UndeltaStore<K> {
    /// An empty store, which has called nobody yet.
    pub fn new(options: IndexerOptions<K>, push: impl FnMut(Vec<Arc<K>>) + Send + 'static) -> Self {
        Self { writer: Indexer::with_options(options).0, push: Box::new(push) }
    }

    /// The store's reader.
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
    fn t1_7_04_each_change_tells_all_once_and_reads_nothing() {
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
