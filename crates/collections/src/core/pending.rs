//! [`Pending`]: the changes that an observer has not taken yet.

use std::sync::Arc;

use client_rs_machinery::hash::HashMap;

use super::store::Moved;
use super::table::Table;
use crate::{Key, LiveChange};

/// The changes of one collection since an observer last looked. It has at most one entry per key.
pub(crate) enum Pending<K, V> {
    Nothing,
    /// All of them are of one epoch.
    Epoch(Vec<LiveChange<K, V>>),
    /// Of several epochs: the value that the observer last saw. The new one is in the table.
    Merged(HashMap<K, Option<Arc<V>>>),
}

impl<K: Key, V> Pending<K, V> {
    /// For an observer that has seen nothing yet.
    pub(crate) fn everything(table: &Table<K, V>) -> Self {
        if table.len() == 0 {
            return Self::Nothing;
        }
        Self::Epoch(
            table
                .iter()
                .map(|(_, key, value)| LiveChange { key: key.clone(), old: None, new: Some(value.clone()) })
                .collect(),
        )
    }

    /// Adds the changes of one more epoch.
    pub(crate) fn add(&mut self, table: &Table<K, V>, moved: &[Moved<V>]) {
        if moved.is_empty() {
            return;
        }
        match self {
            Self::Nothing => {
                let changes = moved.iter().map(|moved| LiveChange {
                    key: table.key(moved.slot).clone(),
                    old: moved.old.clone(),
                    new: moved.new.clone(),
                });
                *self = Self::Epoch(changes.collect());
            }
            Self::Epoch(changes) => {
                let seen = changes.drain(..).map(|change| (change.key, change.old)).collect();
                *self = Self::Merged(seen);
                self.add(table, moved);
            }
            Self::Merged(seen) => {
                for moved in moved {
                    seen.entry_ref(table.key(moved.slot)).or_insert_with(|| moved.old.clone());
                }
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Takes all of it, as one change per key. Keys that have the same value as before are left out.
    pub(crate) fn take(&mut self, table: &Table<K, V>, same: fn(&V, &V) -> bool) -> Vec<LiveChange<K, V>> {
        match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => Vec::new(),
            Self::Epoch(changes) => changes,
            Self::Merged(seen) => {
                let changes = seen.into_iter().filter_map(|(key, old)| {
                    let new = table.get(&key).cloned();
                    let unchanged = match (&old, &new) {
                        (Some(old), Some(new)) => Arc::ptr_eq(old, new) || same(old, new),
                        (None, None) => true,
                        _ => false,
                    };
                    (!unchanged).then_some(LiveChange { key, old, new })
                });
                changes.collect()
            }
        }
    }
}
