//! Default objects: the content of namespaces, and the system priority classes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::{Json, Object as _, Unstructured, json};

use super::{edit, put};
use crate::access::Authority;
use crate::object::Stored;
use crate::registry::{Catalog, Registry, WriteOptions};
use crate::store::{Change, TableId};

const ACCOUNT: &str = "default";
const ROOT: &str = "kube-root-ca.crt";
const DESCRIPTION: &str = "kubernetes.io/description";

/// Keeps the objects that a real cluster's controllers create in each namespace: the default service account, and the
/// certificate authority of the API server.
#[derive(Debug)]
pub(super) struct NamespaceContent {
    accounts: Option<TableId>,
    maps: Option<TableId>,
    /// The namespaces in which one of the objects was deleted or changed.
    dirty: Mutex<BTreeSet<String>>,
}

impl NamespaceContent {
    /// `on` is false for a server without these controllers.
    pub(super) fn new(catalog: &Catalog, on: bool) -> Self {
        let table = |plural: &str| catalog.find("", "v1", plural).filter(|_| on)?.table;
        Self { accounts: table("serviceaccounts"), maps: table("configmaps"), dirty: Mutex::default() }
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        Self { dirty: Mutex::new(self.dirty().clone()), ..*self }
    }

    /// Records a change; true when it created work.
    pub(super) fn changed(&self, table: TableId, change: &Change<Arc<Stored>>) -> bool {
        let object = &change.value.object;
        let own = if Some(table) == self.accounts {
            change.deleted && object.name() == ACCOUNT
        } else {
            Some(table) == self.maps && object.name() == ROOT
        };
        if own {
            self.dirty().insert(object.namespace().to_owned());
        }
        own
    }

    /// Restores the objects of one namespace; false when there is none to look at.
    pub(super) fn sync(&self, registry: &Registry, authority: &Authority) -> bool {
        let Some(namespace) = self.dirty().pop_first() else { return false };
        let found = registry.find(&registry.namespaces(), "", &namespace);
        // A namespace that ends takes no objects.
        if found.is_some_and(|found| !found.stored.object.is_being_deleted()) {
            populate(registry, &namespace, authority);
            restore_root(registry, &namespace, authority);
        }
        true
    }

    fn dirty(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.dirty.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates the objects of a namespace that do not exist. In a real cluster they appear a moment after the namespace, here at
/// once.
pub(super) fn populate(registry: &Registry, namespace: &str, authority: &Authority) {
    put(
        registry,
        "",
        "serviceaccounts",
        namespace,
        json!({"kind": "ServiceAccount", "apiVersion": "v1", "metadata": {"name": ACCOUNT}}),
    );
    let map = json!({
        "kind": "ConfigMap", "apiVersion": "v1",
        "metadata": {"name": ROOT, "annotations": {DESCRIPTION: description()}},
        "data": root(authority),
    });
    put(registry, "", "configmaps", namespace, map);
}

/// Corrects the config map with the certificate authority.
fn restore_root(registry: &Registry, namespace: &str, authority: &Authority) {
    let Some(maps) = registry.catalog().find("", "v1", "configmaps") else { return };
    let Some(found) = registry.find(&maps, namespace, ROOT) else { return };
    let (object, data) = (&found.stored.object, root(authority));
    let described = object.annotation(DESCRIPTION).is_some_and(|text| !text.is_empty());
    if described && object.nested(&["data"]).ok().flatten() == Some(&data) {
        return;
    }
    edit(registry, &maps, object, &|map| {
        map.set_annotation(DESCRIPTION, description());
        drop(map.set_nested(&["data"], data.clone()));
    });
}

fn description() -> &'static str {
    "Holds the certificate authority that signed the API server's certificate."
}

/// The data of the config map. Without an authority, which needs the system's randomness, it is empty.
fn root(authority: &Authority) -> Json {
    json!({"ca.crt": authority.pem().unwrap_or_default()})
}

/// Creates the system priority classes.
pub(super) fn create_priority_classes(registry: &Registry) {
    let classes = [("system-cluster-critical", 2_000_000_000_i64), ("system-node-critical", 2_000_001_000)];
    for (name, value) in classes {
        let class = json!({
            "kind": "PriorityClass", "apiVersion": "scheduling.k8s.io/v1", "metadata": {"name": name}, "value": value,
            "description": "Used for system critical pods.",
        });
        let served = registry.catalog().find("scheduling.k8s.io", "v1", "priorityclasses");
        if let (Some(served), Ok(class)) = (served, Unstructured::try_from(class)) {
            // It can only fail because the object exists.
            let _ = registry.create(&served, "", class, WriteOptions::default());
        }
    }
}
