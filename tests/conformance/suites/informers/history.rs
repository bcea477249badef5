//! A handler that checks its notifications.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Result, ensure};
use client_rs_cache::{EventHandler, Notification};
use client_rs_machinery::{Object, ObjectKey};
use client_rs_tests::eventually;

/// Checks that it gets a valid history of each object: an addition first, then updates each of which follows on the
/// one before, a deletion last.
#[derive(Clone, Default)]
pub(super) struct History(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    versions: BTreeMap<ObjectKey, String>,
    wrong: Vec<String>,
}

impl History {
    /// Waits until it has been notified of exactly these versions, by name; fails on an inconsistent notification.
    pub(super) async fn ends_with(&self, versions: &BTreeMap<String, String>) -> Result<()> {
        eventually("the handler has been notified of everything", || async {
            let told = self.lock();
            let last: BTreeMap<_, _> =
                told.versions.iter().map(|(key, version)| (key.name.to_string(), version.clone())).collect();
            ensure!(last == *versions, "notified of {last:?}, should be {versions:?}");
            Ok(())
        })
        .await?;
        let wrong = &self.lock().wrong;
        ensure!(wrong.is_empty(), "{wrong:?}");
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Object> EventHandler<K> for History {
    fn handle(&self, notification: &Notification<K>) {
        let mut seen = self.lock();
        match notification {
            Notification::Added { object, .. } => {
                let before = seen.versions.insert(object.key(), object.resource_version().to_owned());
                if before.is_some() {
                    seen.wrong.push(format!("{} is added twice", object.key()));
                }
            }
            Notification::Updated { old, new } => {
                let before = seen.versions.insert(new.key(), new.resource_version().to_owned());
                if before.as_deref() != Some(old.resource_version()) {
                    let (key, old) = (new.key(), old.resource_version());
                    seen.wrong.push(format!("{key} is updated from {old} but was {before:?}"));
                }
            }
            Notification::Deleted(deleted) => {
                if seen.versions.remove(&deleted.key()).is_none() {
                    seen.wrong.push(format!("{} is deleted but was not there", deleted.key()));
                }
            }
        }
    }
}
