//! Objects that are there from the start, for fakes.

use std::sync::Arc;

use client_rs_machinery::{ApiError, Unstructured};

use super::catalog::Served;
use super::{Registry, Stored, WriteOptions, Wrote, key, new_uid};
use crate::store::{Expect, Write};

impl Registry {
    /// Puts an object as it is: nothing is checked, defaulted or taken out, so that a test can begin in any state. What
    /// every object has (uid, creation time) is added where it is missing, and so is its namespace.
    pub(crate) fn add_fixture(
        &self,
        served: &Served,
        mut object: Unstructured,
    ) -> Result<Arc<Stored>, ApiError> {
        let table = served
            .table
            .ok_or_else(|| ApiError::bad_request(format!("{} are answered, not kept", served.info.plural)))?;
        if served.info.namespaced {
            if object.namespace().is_empty() {
                object.set_namespace("default");
            }
            self.ensure_namespace_exists(object.namespace());
        }
        if object.name().is_empty() {
            return Err(ApiError::bad_request(format!("a {} without a name", served.info.kind)));
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

    /// Makes a namespace, unless it is there.
    pub(crate) fn ensure_namespace_exists(&self, name: &str) {
        let namespaces = self.namespaces();
        if name.is_empty() || self.find(&namespaces, "", name).is_some() {
            return;
        }
        // Another may have been quicker, or the name is none: then what is created there says so.
        let _ =
            self.create(&namespaces, "", Unstructured::new("v1", "Namespace", name), WriteOptions::default());
    }
}
