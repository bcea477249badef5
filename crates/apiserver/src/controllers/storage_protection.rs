//! Storage protection: a finalizer keeps claims and volumes that are being deleted until they are no longer in use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use client_rs_machinery::{Object, Unstructured};

use super::remove_finalizer;
use crate::kinds::core::{persistent_volume, persistent_volume_claim};
use crate::object::Stored;
use crate::registry::{Catalog, Registry};
use crate::store::{Change, TableId};

/// Removes the protection finalizer from claims and volumes that are being deleted and no longer in use.
#[derive(Debug)]
pub(super) struct StorageProtection {
    claims: Option<TableId>,
    volumes: Option<TableId>,
    pods: Option<TableId>,
    /// Whether a claim or volume that is being deleted may be unused now.
    dirty: AtomicBool,
}

impl StorageProtection {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let table = |plural: &str| catalog.find("", "v1", plural)?.table;
        Self {
            claims: table("persistentvolumeclaims"),
            volumes: table("persistentvolumes"),
            pods: table("pods"),
            dirty: AtomicBool::new(false),
        }
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        Self { dirty: AtomicBool::new(self.dirty.load(Ordering::SeqCst)), ..*self }
    }

    /// Records a change; true when it created work.
    pub(super) fn changed(&self, table: TableId, change: &Change<Arc<Stored>>) -> bool {
        let table = Some(table);
        let object = &change.value.object;
        let freed =
            (table == self.claims || table == self.volumes) && object.is_being_deleted() && !change.deleted
                || table == self.pods && (change.deleted || is_over(object));
        if freed {
            self.dirty.store(true, Ordering::SeqCst);
        }
        freed
    }

    /// Removes the finalizers of unused storage after a change; false when there was none.
    pub(super) fn sync(&self, registry: &Registry) -> bool {
        let dirty = self.dirty.swap(false, Ordering::SeqCst);
        if dirty {
            release(registry);
        }
        dirty
    }
}

fn release(registry: &Registry) {
    let catalog = registry.catalog();
    let find = |plural: &str| catalog.find("", "v1", plural);
    let (Some(claims), Some(volumes), Some(pods)) =
        (find("persistentvolumeclaims"), find("persistentvolumes"), find("pods"))
    else {
        return;
    };
    let leaving = |object: &Unstructured, finalizer: &str| {
        object.is_being_deleted() && object.finalizers().any(|own| own == finalizer)
    };
    for claim in registry.all_objects(&claims) {
        if leaving(&claim, persistent_volume_claim::PROTECTION) {
            let used = registry
                .all_objects(&pods)
                .iter()
                .any(|pod| pod.namespace() == claim.namespace() && !is_over(pod) && uses(pod, claim.name()));
            if !used {
                remove_finalizer(registry, &claims, &claim, persistent_volume_claim::PROTECTION);
            }
        }
    }
    for volume in registry.all_objects(&volumes) {
        let bound = volume.nested_str(&["status", "phase"]).ok().flatten() == Some("Bound");
        if leaving(&volume, persistent_volume::PROTECTION) && !bound {
            remove_finalizer(registry, &volumes, &volume, persistent_volume::PROTECTION);
        }
    }
}

/// Whether a pod has terminated.
fn is_over(pod: &Unstructured) -> bool {
    matches!(pod.nested_str(&["status", "phase"]), Ok(Some("Succeeded" | "Failed")))
}

fn uses(pod: &Unstructured, claim: &str) -> bool {
    let volumes = pod.nested_slice(&["spec", "volumes"]).ok().flatten().unwrap_or_default();
    volumes.iter().any(|volume| volume["persistentVolumeClaim"]["claimName"].as_str() == Some(claim))
}
