//! The life cycle of custom resource definitions: accepting names, serving, finalizing.
//!
//! In a real server four controllers do this, some time after the write. Here it happens before the response to the
//! write, with the same writes in the same order. So a created definition is served when its create returns.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Json, Object, Str, Unstructured};
use client_rs_schema::definition::{CLEANUP, Names, condition, is_true, set_condition};

use crate::custom;
use crate::registry::{Found, ListRequest, Registry, Selection, Served};
use crate::store::{Expect, TableId, Write};

/// Serves the resources of definitions.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// The tables of custom resources, by the name of their definition. A definition that is created again gets its
    /// old table.
    tables: Mutex<HashMap<Str, TableId>>,
    /// Held while definitions are processed: names are claimed one at a time.
    running: Mutex<()>,
    /// Whether definitions must be processed.
    dirty: AtomicBool,
    /// The served part of each definition when it was last served.
    known: Mutex<HashMap<Str, Json>>,
}

impl Definitions {
    /// Waits until no definition is being processed, and keeps it so until the guard is dropped.
    pub(super) fn pause(&self) -> MutexGuard<'_, ()> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        Self {
            tables: Mutex::new(self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()),
            running: Mutex::default(),
            dirty: AtomicBool::new(self.dirty.load(Ordering::SeqCst)),
            known: Mutex::new(self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }

    fn served(registry: &Registry) -> Option<Arc<Served>> {
        registry.catalog().find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
    }

    /// Processes definitions after a write of one.
    pub(super) fn after_write(&self, registry: &Registry) {
        self.dirty.store(true, Ordering::SeqCst);
        let guard = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        while self.dirty.swap(false, Ordering::SeqCst) {
            self.sync(registry);
        }
        drop(guard);
        self.resume(registry);
    }

    /// Processes definitions after the removal of a custom object: a definition that is being deleted waits for its
    /// last object.
    pub(super) fn after_removal(&self, registry: &Registry, table: TableId) {
        let waits = |served: Arc<Served>| served.custom().is_some_and(|custom| custom.terminating);
        if registry.catalog().of_table(table).is_some_and(waits) {
            self.dirty.store(true, Ordering::SeqCst);
            self.resume(registry);
        }
    }

    /// Processes definitions, unless another call is doing so. That call checks `dirty` again before it returns.
    fn resume(&self, registry: &Registry) {
        while self.dirty.load(Ordering::SeqCst) {
            let guard = match self.running.try_lock() {
                Ok(guard) => guard,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            while self.dirty.swap(false, Ordering::SeqCst) {
                self.sync(registry);
            }
            drop(guard);
        }
    }

    fn sync(&self, registry: &Registry) {
        let Some(served) = Self::served(registry) else { return };
        let Some(table) = served.table else { return };
        let names: Vec<Str> = Self::all(registry, &served).iter().map(|found| found.name().into()).collect();
        for name in &names {
            self.accept_names(registry, &served, table, name);
            self.serve(registry, &served, name);
            self.finalize(registry, &served, table, name);
        }
        let left: Vec<Str> = Self::all(registry, &served).iter().map(|found| found.name().into()).collect();
        let gone: Vec<Str> = registry
            .catalog()
            .all()
            .iter()
            .filter_map(|served| served.custom())
            .map(|custom| custom.definition.clone())
            .filter(|name| !left.contains(name))
            .collect();
        for name in gone {
            registry.replace_resources(&name, Vec::new());
            // Its names are free now.
            self.dirty.store(true, Ordering::SeqCst);
        }
    }

    fn all(registry: &Registry, served: &Served) -> Vec<Unstructured> {
        let everything = Selection::default();
        let listing = registry.list(served, &ListRequest::all("", &everything));
        listing.map(|found| found.items.iter().map(|item| item.object.clone()).collect()).unwrap_or_default()
    }

    /// Accepts the names of a definition that no other definition of its group has, and establishes it.
    fn accept_names(&self, registry: &Registry, served: &Served, table: TableId, name: &str) {
        let Some(found) = registry.find(served, "", name) else { return };
        let object = &found.stored.object;
        let (asked, accepted) = (Names::asked(object), Names::accepted(object));
        let mut current = found.clone();
        if asked != accepted {
            let (mut resources, mut kinds) = (Vec::new(), Vec::new());
            let group = object.nested_str(&["spec", "group"]).ok().flatten();
            for other in Self::all(registry, served) {
                if other.nested_str(&["spec", "group"]).ok().flatten() == group {
                    let names = Names::accepted(&other);
                    resources.extend([names.plural, names.singular]);
                    resources.extend(names.short_names);
                    kinds.extend([names.kind, names.list_kind]);
                }
            }
            let (names, refused) = Names::decide(&asked, &accepted, &resources, &kinds);
            let (status, reason, message) = match &refused {
                Some((reason, message)) => ("False", *reason, message.as_str()),
                None => ("True", "NoConflicts", "no conflicts found"),
            };
            let same = condition(object, "NamesAccepted").is_some_and(|known| {
                known["status"].as_str() == Some(status)
                    && known["reason"].as_str() == Some(reason)
                    && known["message"].as_str() == Some(message)
            });
            if names != accepted || !same {
                let mut new = object.clone();
                drop(new.set_nested(&["status", "acceptedNames"], names.written()));
                let now = registry.clock().now();
                set_condition(&mut new, "NamesAccepted", status, reason, message, now);
                if condition(&new, "Established").is_none() && refused.is_some() {
                    let message = "not all names are accepted";
                    set_condition(&mut new, "Established", "False", "NotAccepted", message, now);
                } else if !is_true(&new, "Established") && refused.is_none() {
                    let message = "the initial names have been accepted";
                    set_condition(&mut new, "Established", "False", "Installing", message, now);
                }
                let Some(written) = self.write(registry, table, &current, new) else { return };
                current = written;
                // A name may have been released.
                self.dirty.store(true, Ordering::SeqCst);
            }
        }
        let object = &current.stored.object;
        if is_true(object, "NamesAccepted") && !is_true(object, "Established") {
            let mut new = object.clone();
            let message = "the initial names have been accepted";
            set_condition(
                &mut new,
                "Established",
                "True",
                "InitialNamesAccepted",
                message,
                registry.clock().now(),
            );
            self.write(registry, table, &current, new);
        }
    }

    /// Serves the current spec of a definition.
    fn serve(&self, registry: &Registry, served: &Served, name: &str) {
        let Some(found) = registry.find(served, "", name) else { return };
        let object = &found.stored.object;
        if !is_true(object, "NamesAccepted") && !is_true(object, "Established") {
            return registry.replace_resources(name, Vec::new());
        }
        let before = registry.catalog().of_definition(name);
        let table = self.table(registry, name);
        // As long as this part is unchanged, watches continue.
        let says = Json::from(vec![
            object.object.get("spec").cloned().unwrap_or_default(),
            Names::accepted(object).written(),
            Json::from(object.uid()),
            Json::from(object.is_being_deleted()),
        ]);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.get(name) == Some(&says) && !before.is_empty() {
            return;
        }
        known.insert(name.into(), says);
        drop(known);
        let resources = custom::resources(object).into_iter();
        let resources = resources.map(|(info, custom)| Arc::new(Served::of_definition(info, table, custom)));
        registry.replace_resources(name, resources.collect());
    }

    /// Finalizes a definition that is being deleted: deletes its objects, then removes it.
    fn finalize(&self, registry: &Registry, served: &Served, table: TableId, name: &str) {
        let Some(found) = registry.find(served, "", name) else { return };
        let object = &found.stored.object;
        if !object.is_being_deleted() || !object.finalizers().any(|finalizer| finalizer == CLEANUP) {
            return;
        }
        let reason = condition(object, "Terminating").and_then(|known| known["reason"].as_str());
        let mut current = found.clone();
        if reason != Some("InstanceDeletionInProgress") {
            let mut new = object.clone();
            let message = "CustomResource deletion is in progress";
            let (kind, reason) = ("Terminating", "InstanceDeletionInProgress");
            set_condition(&mut new, kind, "True", reason, message, registry.clock().now());
            let Some(written) = self.write(registry, table, &current, new) else { return };
            current = written;
        }
        let established = is_true(&current.stored.object, "Established");
        if established && !Self::delete_objects(registry, name) {
            return;
        }
        let mut new = current.stored.object.clone();
        let (reason, message) = if established {
            ("InstanceDeletionCompleted", "removed all instances")
        } else {
            ("NeverEstablished", "resource was never established")
        };
        set_condition(&mut new, "Terminating", "False", reason, message, registry.clock().now());
        let left: Vec<Str> = new.finalizers().filter(|held| *held != CLEANUP).map(Str::from).collect();
        let write = if left.is_empty() { Write::Delete } else { Write::Put };
        new.set_finalizers(left);
        // Another write came first: process it again.
        if registry.commit(table, &Str::from(name), Expect::At(current.revision), write(new)).is_err() {
            self.dirty.store(true, Ordering::SeqCst);
        }
    }

    /// Deletes the objects of a definition; true when none is left.
    fn delete_objects(registry: &Registry, name: &str) -> bool {
        let Some(served) = registry.catalog().of_definition(name).into_iter().next() else { return true };
        let everything = Selection::default();
        let request = ListRequest::all("", &everything);
        let Ok(listing) = registry.list(&served, &request) else { return false };
        for item in listing.items.iter().filter(|item| !item.object.is_being_deleted()) {
            let (namespace, name) = (item.object.namespace(), item.object.name());
            let _ = registry.delete(&served, namespace, name, &DeleteOptions::EMPTY, None);
        }
        registry.list(&served, &request).is_ok_and(|left| left.items.is_empty())
    }

    fn write(&self, registry: &Registry, table: TableId, found: &Found, new: Unstructured) -> Option<Found> {
        let name = Str::from(new.name());
        let written = registry.commit(table, &name, Expect::At(found.revision), Write::Put(new)).ok();
        if written.is_none() {
            self.dirty.store(true, Ordering::SeqCst);
        }
        written.map(|change| Found { revision: change.revision, stored: Arc::clone(&change.value) })
    }

    /// The table of a definition's objects. It is the same for as long as the server runs.
    fn table(&self, registry: &Registry, name: &str) -> TableId {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        *tables.entry(name.into()).or_insert_with(|| registry.add_table())
    }
}
