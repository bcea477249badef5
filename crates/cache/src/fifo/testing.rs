//! Helpers for the tests of the queues.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use client_rs_machinery::{Object, ObjectKey};

use super::{KnownObjects, Queue};
use crate::testing::{Thing, thing};
use crate::{Deleted, Delta, Replacement};

/// Known objects that a test sets by hand.
#[derive(Default)]
pub(super) struct Known(pub(super) Mutex<BTreeMap<ObjectKey, Option<Arc<Thing>>>>);

impl Known {
    pub(super) fn of(objects: impl IntoIterator<Item = Thing>) -> Arc<Self> {
        let objects = objects.into_iter().map(|object| (object.key(), Some(Arc::new(object))));
        Arc::new(Self(Mutex::new(objects.collect())))
    }
}

impl KnownObjects<Thing> for Known {
    fn keys(&self) -> Vec<ObjectKey> {
        self.0.lock().unwrap().keys().cloned().collect()
    }

    fn get(&self, key: &ObjectKey) -> Option<Arc<Thing>> {
        self.0.lock().unwrap().get(key).cloned().flatten()
    }
}

/// A test's object: `foo` with the value 10 is `("foo", 10)`.
pub(super) fn valued(name: &str, value: i64) -> Thing {
    thing(name, 1).valued(value)
}

pub(super) fn list(objects: &[(&str, i64)]) -> Replacement<Thing> {
    Replacement::new(objects.iter().map(|(name, value)| valued(name, *value).shared()).collect(), "1")
}

/// A delta in short: `Added foo 10`, `Deleted foo 10`, `Tombstone foo 10`, `Tombstone foo ?`.
pub(super) fn short(delta: &Delta<Thing>) -> String {
    let kind = match delta {
        Delta::Deleted(Deleted::FinalStateUnknown(_)) => "Tombstone".to_owned(),
        Delta::ReplacedAll(list) => {
            let objects: Vec<String> = list
                .objects
                .iter()
                .map(|object| format!("{} {}", object.key(), object.object().expect("not packed").value))
                .collect();
            return format!("ReplacedAll@{} [{}]", list.resource_version, objects.join(", "));
        }
        Delta::Bookmark(bookmark) => return format!("Bookmark@{}", bookmark.resource_version),
        delta => format!("{:?}", delta.kind()),
    };
    match (delta.key(), delta.object()) {
        (Some(key), Some(object)) => format!("{kind} {key} {}", object.value),
        (Some(key), None) => format!("{kind} {key} ?"),
        (None, _) => kind,
    }
}

/// Pops one batch. Returns it in short form, and whether it was initial.
pub(super) fn pop(queue: &impl Queue<Thing>) -> Option<(Vec<String>, bool)> {
    let mut popped = None;
    let outcome = queue.try_pop::<Infallible>(|batch| {
        popped = Some((batch.deltas.iter().map(short).collect(), batch.is_initial));
        Ok(())
    })?;
    outcome.ok()?;
    popped
}

/// Everything that is queued, batch by batch.
pub(super) fn drain(queue: &impl Queue<Thing>) -> Vec<Vec<String>> {
    std::iter::from_fn(|| pop(queue)).map(|(batch, _)| batch).collect()
}

/// Everything that is queued, in one row.
pub(super) fn drain_flat(queue: &impl Queue<Thing>) -> Vec<String> {
    drain(queue).concat()
}
