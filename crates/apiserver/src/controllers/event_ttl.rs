//! Deletes events after an hour.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use client_rs_machinery::Str;

use crate::object::Stored;
use crate::registry::{Catalog, Registry};
use crate::store::{Change, Expect, TableId, Write};

/// The lifetime of an event after its last write, in seconds.
const EVENT_SECONDS: i64 = 60 * 60;

/// Deletes expired events.
#[derive(Debug)]
pub(super) struct EventTtl {
    table: Option<TableId>,
    /// The expiry of each event by its key, in seconds since 1970.
    expiries: Mutex<HashMap<Str, i64>>,
}

impl EventTtl {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let table = catalog.find("", "v1", "events").and_then(|served| served.table);
        Self { table, expiries: Mutex::default() }
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        let expiries = self.expiries.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { table: self.table, expiries: Mutex::new(expiries) }
    }

    /// Updates the expiry of a changed event.
    pub(super) fn changed(&self, table: TableId, change: &Change<Arc<Stored>>, now: i64) {
        if Some(table) != self.table {
            return;
        }
        let mut expiries = self.expiries.lock().unwrap_or_else(PoisonError::into_inner);
        if change.deleted {
            expiries.remove(&change.key);
        } else {
            expiries.insert(change.key.clone(), now + EVENT_SECONDS);
        }
    }

    /// Deletes all expired events.
    pub(super) fn expire(&self, registry: &Registry) {
        let Some(table) = self.table else { return };
        let now = registry.clock().now().seconds();
        let mut due: Vec<Str> = {
            let expiries = self.expiries.lock().unwrap_or_else(PoisonError::into_inner);
            expiries.iter().filter(|(_, at)| **at <= now).map(|(key, _)| key.clone()).collect()
        };
        due.sort();
        for key in due {
            let Some(found) = registry.find_key(table, &key) else { continue };
            // An event that was written since is not deleted.
            let gone = Write::Delete(found.stored.object.clone());
            let _ = registry.commit(table, &key, Expect::At(found.revision), gone);
        }
    }
}
