//! The life of namespaces.

use std::sync::Arc;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Object, Unstructured};

use super::catalog::Served;
use super::{ListRequest, Part, Precondition, Registry, Selection, WriteOptions};
use crate::kinds::core::namespace::FINALIZE;

const SYSTEM: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

impl Registry {
    pub(super) fn namespaces(&self) -> Arc<Served> {
        self.catalog().find("", "v1", "namespaces").expect("the core group is always served")
    }

    pub(super) fn create_system_namespaces(&self) {
        for name in SYSTEM {
            let namespace = Unstructured::new("v1", "Namespace", name);
            let created = self.create(&self.namespaces(), "", namespace, WriteOptions::default());
            debug_assert!(created.is_ok(), "{created:?}");
        }
    }

    /// Takes one step of the end of a namespace: deletes its content, and lets it go when it has none left.
    pub(super) fn finalize_namespace(&self, name: &str) {
        let Some(found) = self.find(&self.namespaces(), "", name) else { return };
        if !found.stored.object.is_being_deleted() {
            return;
        }
        let mut empty = true;
        for served in self.catalog().all().iter().filter(|served| served.info.namespaced) {
            if served.table.is_none() {
                continue;
            }
            let everything = Selection::default();
            let request = ListRequest::all(name, &everything);
            let Ok(listing) = self.list(served, &request) else { continue };
            for item in listing.items {
                // What finalizers or a grace period hold is looked at again when it goes.
                let options = DeleteOptions::EMPTY;
                let deleted = self.delete(served, name, item.object.name(), &options, None);
                empty &= deleted.is_ok_and(|deleted| deleted.gone);
            }
        }
        if empty {
            let options = WriteOptions::default();
            let mut without = |stored: Option<&super::Stored>| {
                let mut object = stored.map(|stored| stored.object.clone()).unwrap_or_default();
                object.remove_nested(&["spec", "finalizers"]);
                object.set_resource_version("");
                Ok(object)
            };
            let namespaces = self.namespaces();
            // Whoever else removed it did what was to be done.
            let _ = self.update(
                &namespaces,
                "",
                name,
                Part::Sub(&FINALIZE),
                Precondition::None,
                options,
                &mut without,
            );
        }
    }
}
