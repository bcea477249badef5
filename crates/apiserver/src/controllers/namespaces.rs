//! The life cycle of namespaces.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Object, Unstructured};

use crate::kinds::core::namespace;
use crate::object::Stored;
use crate::registry::{ListRequest, Part, Precondition, Registry, Selection, WriteOptions};

const SYSTEM: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// Creates the system namespaces.
pub(super) fn create_system_namespaces(registry: &Registry) {
    for name in SYSTEM {
        let namespace = Unstructured::new("v1", "Namespace", name);
        let created = registry.create(&registry.namespaces(), "", namespace, WriteOptions::default());
        debug_assert!(created.is_ok(), "{created:?}");
    }
}

/// Takes one step towards the end of a namespace: deletes its content, or removes its finalizer when it is empty.
pub(super) fn finalize(registry: &Registry, name: &str) {
    let Some(found) = registry.find(&registry.namespaces(), "", name) else { return };
    if !found.stored.object.is_being_deleted() {
        return;
    }
    let mut empty = true;
    for served in registry.catalog().all().iter().filter(|served| served.info.namespaced) {
        if served.table.is_none() {
            continue;
        }
        let everything = Selection::default();
        let request = ListRequest::all(name, &everything);
        let Ok(listing) = registry.list(served, &request) else { continue };
        for item in listing.items {
            // Objects with finalizers or a grace period remain; their removal triggers the next step.
            let options = DeleteOptions::EMPTY;
            let deleted = registry.delete(served, name, item.object.name(), &options, None);
            empty &= deleted.is_ok_and(|deleted| deleted.gone);
        }
    }
    if empty {
        let options = WriteOptions::default();
        let mut without = |stored: Option<&Stored>| {
            let mut object = stored.map(|stored| stored.object.clone()).unwrap_or_default();
            object.remove_nested(&["spec", "finalizers"]);
            object.set_resource_version("");
            Ok(object)
        };
        let namespaces = registry.namespaces();
        // It can only fail because another writer removed the finalizer.
        let _ = registry.update(
            &namespaces,
            "",
            name,
            Part::Sub(namespace::finalize),
            Precondition::None,
            options,
            &mut without,
        );
    }
}
