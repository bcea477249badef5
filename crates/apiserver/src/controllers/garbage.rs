//! The garbage collector: deletes objects whose owners are gone.
//!
//! In a real cluster a controller does this over the API. Here it makes the same writes.

use std::sync::Arc;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Object, OwnerRef, Unstructured};

use super::owners::Place;
use super::{Controllers, edit, remove_finalizer};
use crate::registry::{FOREGROUND, ORPHAN, Registry, Served};

impl Controllers {
    pub(super) fn collect_object(&self, registry: &Registry, place: &Place) {
        let Some((served, object)) = at(registry, place) else { return };
        if object.is_being_deleted() {
            if object.finalizers().any(|name| name == ORPHAN) {
                self.orphan_dependents(registry, &served, &object);
            } else if object.finalizers().any(|name| name == FOREGROUND) {
                self.delete_dependents(registry, &served, &object);
            }
            return;
        }
        self.check_owners(registry, &served, &object);
    }

    /// Deletes an object whose owners are all gone. If some owners remain, it removes the references to the others.
    fn check_owners(&self, registry: &Registry, served: &Served, object: &Unstructured) {
        let (mut solid, mut dangling, mut waiting) = (0, 0, 0);
        for owner in object.owner_references() {
            match self.owner(registry, served, object, &owner) {
                None => dangling += 1,
                Some(found) if is_foreground(&found) => waiting += 1,
                Some(_) => solid += 1,
            }
        }
        if solid > 0 {
            if dangling + waiting > 0 {
                let keeps = |owner: &OwnerRef<'_>| {
                    self.owner(registry, served, object, owner).is_some_and(|found| !is_foreground(&found))
                };
                keep_owners(registry, served, object, &keeps);
            }
            return;
        }
        if dangling + waiting == 0 {
            return;
        }
        let dependents = self.dependents(object);
        // In a cycle of owners each would wait for the next. The references of this object no longer block its owners.
        if waiting > 0
            && dependents.iter().any(|place| at(registry, place).is_some_and(|(_, one)| is_foreground(&one)))
        {
            unblock_owners(registry, served, object);
        }
        let has = |finalizer: &str| object.finalizers().any(|name| name == finalizer);
        // An owner that waits for its dependents must also wait for theirs. Otherwise the finalizers decide, and not the default of the
        // kind: the dependents of a job that is collected are collected too.
        let policy = if waiting > 0 && !dependents.is_empty() {
            "Foreground"
        } else if has(ORPHAN) {
            "Orphan"
        } else if has(FOREGROUND) {
            "Foreground"
        } else {
            "Background"
        };
        let options = DeleteOptions { propagation_policy: Some(policy.into()), ..with_uid(object) };
        let _ = registry.delete(served, object.namespace(), object.name(), &options, None);
    }

    fn orphan_dependents(&self, registry: &Registry, served: &Served, object: &Unstructured) {
        for place in self.dependents(object) {
            let Some((of, dependent)) = at(registry, &place) else { continue };
            keep_owners(registry, &of, &dependent, &|owner| owner.uid != object.uid());
        }
        remove_finalizer(registry, served, object, ORPHAN);
    }

    fn delete_dependents(&self, registry: &Registry, served: &Served, object: &Unstructured) {
        let mut blocked = false;
        for place in self.dependents(object) {
            let Some((of, dependent)) = at(registry, &place) else { continue };
            if !dependent.is_being_deleted() {
                self.check_owners(registry, &of, &dependent);
            }
            let Some((_, dependent)) = at(registry, &place) else { continue };
            blocked |= dependent
                .owner_references()
                .any(|owner| owner.uid == object.uid() && owner.block_owner_deletion);
        }
        if !blocked {
            remove_finalizer(registry, served, object, FOREGROUND);
        }
    }

    /// Finds the owner of a reference: an object with this UID, in a scope that can own the dependent.
    fn owner(
        &self,
        registry: &Registry,
        served: &Served,
        dependent: &Unstructured,
        owner: &OwnerRef<'_>,
    ) -> Option<Unstructured> {
        // Objects of a kind that is not served can't be looked up, so the owner counts as existing.
        let Some(of) = registry.catalog().of_kind(owner.api_version, owner.kind) else {
            return Some(Unstructured::default());
        };
        if of.info.namespaced && !served.info.namespaced {
            return Some(Unstructured::default());
        }
        let place = self.owners().is_live(owner.uid).cloned()?;
        let (_, found) = at(registry, &place)?;
        let same_namespace = !of.info.namespaced || found.namespace() == dependent.namespace();
        (same_namespace && found.name() == owner.name).then_some(found)
    }

    fn dependents(&self, object: &Unstructured) -> Vec<Place> {
        self.owners().dependents(object.uid())
    }
}

fn keep_owners(
    registry: &Registry,
    served: &Served,
    object: &Unstructured,
    keeps: &dyn Fn(&OwnerRef<'_>) -> bool,
) {
    edit(registry, served, object, &|object| {
        let before = object.clone();
        object.set_owner_references(before.owner_references().filter(|owner| keeps(owner)));
    });
}

fn unblock_owners(registry: &Registry, served: &Served, object: &Unstructured) {
    edit(registry, served, object, &|object| {
        let before = object.clone();
        let owners = before.owner_references();
        object.set_owner_references(owners.map(|owner| OwnerRef { block_owner_deletion: false, ..owner }));
    });
}

fn at(registry: &Registry, (table, key): &Place) -> Option<(Arc<Served>, Unstructured)> {
    let served = registry.catalog().of_table(*table)?;
    Some((served, registry.find_key(*table, key)?.stored.object.clone()))
}

fn is_foreground(object: &Unstructured) -> bool {
    object.is_being_deleted() && object.finalizers().any(|name| name == FOREGROUND)
}

/// The options for deleting exactly this object.
fn with_uid(object: &Unstructured) -> DeleteOptions {
    let uid = client_rs_machinery::meta::v1::Preconditions {
        uid: Some(object.uid().into()),
        ..client_rs_machinery::meta::v1::Preconditions::EMPTY
    };
    DeleteOptions { preconditions: Some(uid.into()), ..DeleteOptions::EMPTY }
}
