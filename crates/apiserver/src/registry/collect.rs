//! The garbage collector: what is left behind by its owners, and namespaces that end.
//!
//! In a real cluster a controller does this by the API. Here the registry does it, by the same writes.

use std::sync::Arc;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Object, OwnerRef, Unstructured};

use super::catalog::Served;
use super::metadata::{FOREGROUND, ORPHAN};
use super::owners::{Attention, Place};
use super::{Part, Precondition, Registry, WriteOptions};

impl Registry {
    /// Ends when there may be something to collect.
    pub(crate) async fn until_collectable(&self) {
        self.collect.notified().await;
    }

    /// Does one thing that there is to do; false when there is nothing.
    pub(crate) fn collect_one(&self) -> bool {
        match self.change(|state| state.owners.next()) {
            None => return self.keep_house(),
            Some(Attention::Object(place)) => self.collect_object(&place),
            Some(Attention::Namespace(name)) => self.finalize_namespace(&name),
        }
        true
    }

    fn collect_object(&self, place: &Place) {
        let Some((served, object)) = self.at(place) else { return };
        if object.is_being_deleted() {
            if object.finalizers().any(|name| name == ORPHAN) {
                self.orphan_dependents(&served, &object);
            } else if object.finalizers().any(|name| name == FOREGROUND) {
                self.delete_dependents(&served, &object);
            }
            return;
        }
        self.check_owners(&served, &object);
    }

    /// Deletes an object whose owners are all gone, and lets one that has others forget those that are.
    fn check_owners(&self, served: &Served, object: &Unstructured) {
        let (mut solid, mut dangling, mut waiting) = (0, 0, 0);
        for owner in object.owner_references() {
            match self.owner(served, object, &owner) {
                None => dangling += 1,
                Some(found) if is_foreground(&found) => waiting += 1,
                Some(_) => solid += 1,
            }
        }
        if solid > 0 {
            if dangling + waiting > 0 {
                let keeps = |owner: &OwnerRef<'_>| {
                    self.owner(served, object, owner).is_some_and(|found| !is_foreground(&found))
                };
                self.keep_owners(served, object, &keeps);
            }
            return;
        }
        if dangling + waiting == 0 {
            return;
        }
        // What an owner waits for goes with its own dependents.
        let policy = (waiting > 0).then(|| "Foreground".into());
        let options = DeleteOptions { propagation_policy: policy, ..with_uid(object) };
        let _ = self.delete(served, object.namespace(), object.name(), &options, None);
    }

    fn orphan_dependents(&self, served: &Served, object: &Unstructured) {
        for place in self.dependents(object) {
            let Some((of, dependent)) = self.at(&place) else { continue };
            self.keep_owners(&of, &dependent, &|owner| owner.uid != object.uid());
        }
        self.remove_finalizer(served, object, ORPHAN);
    }

    fn delete_dependents(&self, served: &Served, object: &Unstructured) {
        let mut blocked = false;
        for place in self.dependents(object) {
            let Some((of, dependent)) = self.at(&place) else { continue };
            if !dependent.is_being_deleted() {
                self.check_owners(&of, &dependent);
            }
            let Some((_, dependent)) = self.at(&place) else { continue };
            blocked |= dependent
                .owner_references()
                .any(|owner| owner.uid == object.uid() && owner.block_owner_deletion);
        }
        if !blocked {
            self.remove_finalizer(served, object, FOREGROUND);
        }
    }

    pub(super) fn remove_finalizer(&self, served: &Served, object: &Unstructured, finalizer: &str) {
        self.edit(served, object, &|object| {
            let left: Vec<String> =
                object.finalizers().filter(|name| *name != finalizer).map(str::to_owned).collect();
            object.set_finalizers(left);
        });
    }

    fn keep_owners(&self, served: &Served, object: &Unstructured, keeps: &dyn Fn(&OwnerRef<'_>) -> bool) {
        self.edit(served, object, &|object| {
            let before = object.clone();
            object.set_owner_references(before.owner_references().filter(|owner| keeps(owner)));
        });
    }

    /// Changes an object if it is still the same one.
    pub(super) fn edit(&self, served: &Served, object: &Unstructured, edit: &dyn Fn(&mut Unstructured)) {
        let mut make = |stored: Option<&super::Stored>| {
            let mut new = stored.map(|stored| stored.object.clone()).unwrap_or_default();
            if new.uid() == object.uid() {
                edit(&mut new);
            }
            new.set_resource_version("");
            Ok(new)
        };
        let options = WriteOptions::default();
        let (namespace, name) = (object.namespace(), object.name());
        // A kind that asks for a version is given the one that was read.
        if served.rules.unconditional_update {
            let _ = self.update(served, namespace, name, Part::Whole, Precondition::None, options, &mut make);
        } else {
            let mut versioned = |stored: Option<&super::Stored>| {
                let mut new = make(stored)?;
                let version = stored.map(|stored| stored.object.resource_version()).unwrap_or_default();
                new.set_resource_version(version);
                Ok(new)
            };
            let _ = self.update(
                served,
                namespace,
                name,
                Part::Whole,
                Precondition::None,
                options,
                &mut versioned,
            );
        }
    }

    /// The owner that a reference means: of this UID, and where the dependent may have one.
    fn owner(&self, served: &Served, dependent: &Unstructured, owner: &OwnerRef<'_>) -> Option<Unstructured> {
        // A kind that is not served can't be looked up: nothing is concluded from that.
        let Some(of) = self.catalog().of_kind(owner.api_version, owner.kind) else {
            return Some(Unstructured::default());
        };
        if of.info.namespaced && !served.info.namespaced {
            return Some(Unstructured::default());
        }
        let place = self.read().owners.is_live(owner.uid).cloned()?;
        let (_, found) = self.at(&place)?;
        let same_namespace = !of.info.namespaced || found.namespace() == dependent.namespace();
        (same_namespace && found.name() == owner.name).then_some(found)
    }

    fn dependents(&self, object: &Unstructured) -> Vec<Place> {
        self.read().owners.dependents(object.uid())
    }

    fn at(&self, (table, key): &Place) -> Option<(Arc<Served>, Unstructured)> {
        let served = self.catalog().of_table(*table)?;
        Some((served, self.find_key(*table, key)?.stored.object.clone()))
    }
}

fn is_foreground(object: &Unstructured) -> bool {
    object.is_being_deleted() && object.finalizers().any(|name| name == FOREGROUND)
}

/// A delete of this very object.
fn with_uid(object: &Unstructured) -> DeleteOptions {
    let uid = client_rs_machinery::meta::v1::Preconditions {
        uid: Some(object.uid().into()),
        ..client_rs_machinery::meta::v1::Preconditions::EMPTY
    };
    DeleteOptions { preconditions: Some(uid.into()), ..DeleteOptions::EMPTY }
}
