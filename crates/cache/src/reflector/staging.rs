//! The staging table: a list that is not complete yet.

use client_rs_machinery::hash::HashMap;
use client_rs_machinery::{Object, ObjectKey, Str};

use crate::store::Stored;

/// The objects of a list that is not complete yet, in the order of the list.
///
/// No reader sees them until the list is complete; dropping the table changes nothing. It holds one pointer and
/// one key per object: unchanged objects are those of the store.
pub(crate) struct Staging<K> {
    slots: Vec<Option<Stored<K>>>,
    index: HashMap<ObjectKey, usize>,
    /// Objects whose last state did not decode, with its version.
    stale: HashMap<ObjectKey, Str>,
}

/// A complete list.
pub(crate) struct Staged<K> {
    /// The objects, in the order of the list.
    pub(crate) objects: Vec<Stored<K>>,
    /// Objects whose last version did not decode, with that version. They are missing in `objects`, or there with an older version.
    pub(crate) stale: Vec<(ObjectKey, Str)>,
}

impl<K> Default for Staging<K> {
    fn default() -> Self {
        Self { slots: Vec::new(), index: HashMap::default(), stale: HashMap::default() }
    }
}

impl<K: Object> Staging<K> {
    /// Adds an object. It replaces an earlier one with the same key, at its position.
    pub(crate) fn put(&mut self, object: impl Into<Stored<K>>) {
        let object = object.into();
        let key = object.key();
        if !self.stale.is_empty() {
            self.stale.remove(&key);
        }
        let slot = self.slot(key);
        self.slots[slot] = Some(object);
    }

    /// Notes an object that does not decode. An earlier object with its key stays.
    pub(crate) fn put_undecodable(&mut self, key: ObjectKey, resource_version: Str) {
        self.slot(key.clone());
        self.stale.insert(key, resource_version);
    }

    /// Removes an object.
    pub(crate) fn remove(&mut self, key: &ObjectKey) {
        self.stale.remove(key);
        if let Some(slot) = self.index.remove(key) {
            self.slots[slot] = None;
        }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns the whole list.
    pub(crate) fn finish(self) -> Staged<K> {
        let mut stale: Vec<_> = self.stale.into_iter().collect();
        // The order does not depend on hashes.
        stale.sort_unstable();
        Staged { objects: self.slots.into_iter().flatten().collect(), stale }
    }

    fn slot(&mut self, key: ObjectKey) -> usize {
        let next = self.slots.len();
        let slot = *self.index.entry(key).or_insert(next);
        if slot == next {
            self.slots.push(None);
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{TestObject, object};

    fn names(staged: &Staged<TestObject>) -> Vec<String> {
        staged
            .objects
            .iter()
            .map(|object| format!("{}@{}", object.key().name, object.resource_version()))
            .collect()
    }

    #[test]
    fn keeps_the_order_of_the_list_and_the_last_of_each_key() {
        let mut staging = Staging::default();
        for (name, version) in [("b", 1), ("a", 2), ("c", 3), ("b", 4)] {
            staging.put(object(name, version));
        }
        staging.remove(&object("a", 0).key());
        staging.remove(&object("z", 0).key());
        assert_eq!(staging.len(), 2);
        assert_eq!(names(&staging.finish()), ["b@4", "c@3"]);
    }

    #[test]
    fn an_object_that_does_not_decode_is_not_missing() {
        let mut staging = Staging::default();
        staging.put(object("a", 5));
        for name in ["a", "b", "d", "e"] {
            staging.put_undecodable(object(name, 0).key(), "9".into());
        }
        staging.put(object("d", 6));
        staging.remove(&object("e", 0).key());
        let staged = staging.finish();
        assert_eq!(names(&staged), ["a@5", "d@6"]);
        assert_eq!(staged.stale, ["a", "b"].map(|name| (object(name, 0).key(), Str::from("9"))));
    }
}
