//! Default objects: the content of new namespaces, and the system priority classes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use client_rs_machinery::{Object, Unstructured, json};

use super::{edit, put};
use crate::object::Stored;
use crate::registry::{Catalog, Registry, WriteOptions};
use crate::store::{Change, TableId};

const ACCOUNT: &str = "default";
const ROOT_CERTIFICATE: &str = "kube-root-ca.crt";

/// The default content of namespaces. It is created again when somebody deletes it.
#[derive(Debug, Default)]
pub(super) struct Content {
    accounts: Option<TableId>,
    maps: Option<TableId>,
    /// Namespaces whose content was changed.
    dirty: Mutex<BTreeSet<String>>,
}

impl Content {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let table = |plural| catalog.find("", "v1", plural)?.table;
        Self { accounts: table("serviceaccounts"), maps: table("configmaps"), dirty: Mutex::default() }
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        let dirty = self.dirty.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { accounts: self.accounts, maps: self.maps, dirty: Mutex::new(dirty) }
    }

    /// Records a change; true when it is one of the default content.
    pub(super) fn changed(&self, table: TableId, change: &Change<Arc<Stored>>) -> bool {
        let name = match Some(table) {
            table if table == self.accounts && change.deleted => ACCOUNT,
            table if table == self.maps && (change.deleted || change.previous.is_some()) => ROOT_CERTIFICATE,
            _ => return false,
        };
        match change.key.split_once('/') {
            Some((namespace, own)) if own == name => {
                self.dirty.lock().unwrap_or_else(PoisonError::into_inner).insert(namespace.to_owned())
            }
            _ => false,
        }
    }

    /// Restores the content of one namespace; false when there is none to restore.
    pub(super) fn sync(&self, registry: &Registry, certificate: &str) -> bool {
        let next = self.dirty.lock().unwrap_or_else(PoisonError::into_inner).pop_first();
        let Some(namespace) = next else { return false };
        let found = registry.find(&registry.namespaces(), "", &namespace);
        if found.is_none_or(|found| found.stored.object.is_being_deleted()) {
            return true;
        }
        populate(registry, &namespace, certificate);
        let maps = registry.catalog().find("", "v1", "configmaps");
        if let Some(maps) = maps
            && let Some(found) = registry.find(&maps, &namespace, ROOT_CERTIFICATE)
            && found.stored.object.nested_str(&["data", "ca.crt"]) != Ok(Some(certificate))
        {
            edit(registry, &maps, &found.stored.object, &|object| {
                drop(object.set_nested(&["data"], json!({"ca.crt": certificate})));
            });
        }
        true
    }
}

/// Creates the objects that a real cluster's controllers create in a new namespace, with the certificate of the server's
/// authority. There they appear a moment later, here at once.
pub(super) fn populate(registry: &Registry, namespace: &str, certificate: &str) {
    put(
        registry,
        "",
        "serviceaccounts",
        namespace,
        json!({"kind": "ServiceAccount", "apiVersion": "v1", "metadata": {"name": ACCOUNT}}),
    );
    let map = json!({
        "kind": "ConfigMap", "apiVersion": "v1",
        "metadata": {
            "name": ROOT_CERTIFICATE,
            "annotations": {"kubernetes.io/description": "Holds the certificate authority that signed the API server's certificate."},
        },
        "data": {"ca.crt": certificate},
    });
    put(registry, "", "configmaps", namespace, map);
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
