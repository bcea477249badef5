//! The staging table: a list on its way in.

use std::collections::HashMap;

use client_rs_machinery::{Object, ObjectKey, Str};

use crate::store::Stored;

/// Objects of a list that is not complete yet, in the order of the list.
///
/// Nothing of it is seen by anybody until the list is complete; dropping it changes nothing. What it holds
/// is a pointer and a key an object: the objects that have not changed are those of the store.
pub(crate) struct Staging<K> {
    slots: Vec<Option<Stored<K>>>,
    index: HashMap<ObjectKey, usize>,
    /// What was seen last did not decode: its version.
    stale: HashMap<ObjectKey, Str>,
}

/// A complete list.
pub(crate) struct Staged<K> {
    /// The objects, in the order of the list.
    pub(crate) objects: Vec<Stored<K>>,
    /// What is not among the objects, or not with its last version, since that did not decode; with that version.
    pub(crate) stale: Vec<(ObjectKey, Str)>,
}

impl<K> Default for Staging<K> {
    fn default() -> Self {
        Self { slots: Vec::new(), index: HashMap::new(), stale: HashMap::new() }
    }
}

impl<K: Object> Staging<K> {
    /// Takes an object; of two with one key, the later one counts, in the place of the first.
    pub(crate) fn put(&mut self, object: impl Into<Stored<K>>) {
        let object = object.into();
        let key = object.key();
        self.stale.remove(&key);
        let slot = self.slot(key);
        self.slots[slot] = Some(object);
    }

    /// Notes that an object is there that doesn't decode. What was staged before under its key stays.
    pub(crate) fn put_undecodable(&mut self, key: ObjectKey, resource_version: Str) {
        self.slot(key.clone());
        self.stale.insert(key, resource_version);
    }

    /// Takes an object out again.
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

    /// The whole list.
    pub(crate) fn finish(self) -> Staged<K> {
        Staged {
            objects: self.slots.into_iter().flatten().collect(),
            stale: self.stale.into_iter().collect(),
        }
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
    fn what_does_not_decode_is_there_all_the_same() {
        let mut staging = Staging::default();
        staging.put(object("a", 5));
        for name in ["a", "b", "d", "e"] {
            staging.put_undecodable(object(name, 0).key(), "9".into());
        }
        staging.put(object("d", 6));
        staging.remove(&object("e", 0).key());
        let mut staged = staging.finish();
        assert_eq!(names(&staged), ["a@5", "d@6"]);
        staged.stale.sort();
        assert_eq!(staged.stale, ["a", "b"].map(|name| (object(name, 0).key(), Str::from("9"))));
    }
}
