//! Initial objects of fakes.

use std::sync::Arc;

use client_rs_machinery::{ApiError, Unstructured};

use super::catalog::Served;
use super::{Found, Registry, Stored, WriteOptions, Wrote, key, new_uid};
use crate::store::{Expect, Write};

impl Registry {
    /// Stores an object unchanged: nothing is validated, defaulted or removed, so that a test can begin in any
    /// state. Missing metadata that every object has (UID, creation time) is added, and a missing namespace is
    /// created.
    pub(crate) fn add_fixture(
        &self,
        served: &Served,
        mut object: Unstructured,
    ) -> Result<Arc<Stored>, ApiError> {
        let table = served
            .table
            .ok_or_else(|| ApiError::bad_request(format!("{} are not stored", served.info.plural)))?;
        if served.info.namespaced {
            if object.namespace().is_empty() {
                object.set_namespace("default");
            }
            self.ensure_namespace_exists(object.namespace());
        }
        if object.name().is_empty() {
            return Err(ApiError::bad_request(format!("the {} has no name", served.info.kind)));
        }
        if object.uid().is_empty() {
            object.set_uid(new_uid());
        }
        if object.creation_timestamp().is_none() {
            object.set_creation_timestamp(Some(self.clock.now()));
        }
        let key = key(served, object.namespace(), object.name());
        let name = object.name().to_owned();
        match self.commit(table, &key, Expect::Absent, Write::Put(object)) {
            Ok(change) => {
                self.after_write(served, &change.value, Wrote::Fixture);
                Ok(Arc::clone(&change.value))
            }
            Err(_) => Err(ApiError::already_exists(&served.group_resource(), &name)),
        }
    }

    /// Replaces an object unchanged. Its UID and creation time are kept if the new state has none.
    pub(crate) fn update_fixture(
        &self,
        served: &Served,
        mut object: Unstructured,
    ) -> Result<Arc<Stored>, ApiError> {
        loop {
            let found = self.fixture(served, &mut object)?;
            let old = &found.stored.object;
            if object.uid().is_empty() {
                object.set_uid(old.uid());
            }
            if object.creation_timestamp().is_none() {
                object.set_creation_timestamp(old.creation_timestamp());
            }
            if let Some(stored) = self.write_fixture(served, &found, Write::Put(object.clone())) {
                return Ok(stored);
            }
        }
    }

    /// Removes an object, regardless of its finalizers.
    pub(crate) fn delete_fixture(
        &self,
        served: &Served,
        object: &Unstructured,
    ) -> Result<Arc<Stored>, ApiError> {
        loop {
            let found = self.fixture(served, &mut object.clone())?;
            let last = found.stored.object.clone();
            if let Some(stored) = self.write_fixture(served, &found, Write::Delete(last)) {
                return Ok(stored);
            }
        }
    }

    fn fixture(&self, served: &Served, object: &mut Unstructured) -> Result<Found, ApiError> {
        if served.table.is_none() {
            return Err(ApiError::bad_request(format!("{} are not stored", served.info.plural)));
        }
        if served.info.namespaced && object.namespace().is_empty() {
            object.set_namespace("default");
        }
        self.get(served, object.namespace(), object.name())
    }

    /// `None` if another writer was faster.
    fn write_fixture(
        &self,
        served: &Served,
        found: &Found,
        write: Write<Unstructured>,
    ) -> Option<Arc<Stored>> {
        let old = &found.stored.object;
        let (table, key) = (served.table?, key(served, old.namespace(), old.name()));
        let change = self.commit(table, &key, Expect::At(found.revision), write).ok()?;
        self.after_write(served, &change.value, Wrote::Fixture);
        Some(Arc::clone(&change.value))
    }

    /// Creates a namespace, unless it exists.
    pub(crate) fn ensure_namespace_exists(&self, name: &str) {
        let namespaces = self.namespaces();
        if name.is_empty() || self.find(&namespaces, "", name).is_some() {
            return;
        }
        // It can fail because another writer was faster or the name is malformed. In the second case, the create in
        // that namespace reports the error.
        let _ =
            self.create(&namespaces, "", Unstructured::new("v1", "Namespace", name), WriteOptions::default());
    }
}
