//! The life of custom resource definitions: their names, their being served, their end.
//!
//! In a real server four controllers do this. Here it is done before the request that asked for it is answered: what is
//! created is served at once, with the same writes in the same order.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, TryLockError};

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Json, Object, Str, Unstructured};
use tokio::sync::watch as signal;

use super::catalog::Served;
use super::{Found, ListRequest, Registry, Selection};
use crate::custom;
use crate::store::{Expect, TableId, Write};
use client_rs_schema::definition::{CLEANUP, Names, condition, is_true, set_condition};

impl Registry {
    fn definitions(&self) -> Option<Arc<Served>> {
        self.catalog().find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
    }

    /// Does what a write of a definition asks for.
    pub(super) fn after_definition(&self) {
        self.definitions_dirty.store(true, Ordering::SeqCst);
        let guard = self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        while self.definitions_dirty.swap(false, Ordering::SeqCst) {
            self.sync_definitions();
        }
        drop(guard);
        self.resume_definitions();
    }

    /// A definition that is being deleted waits for the last of its objects.
    pub(super) fn after_removal(&self, table: TableId) {
        let waits = |served: Arc<Served>| served.custom().is_some_and(|custom| custom.terminating);
        if self.catalog().of_table(table).is_some_and(waits) {
            self.definitions_dirty.store(true, Ordering::SeqCst);
            self.resume_definitions();
        }
    }

    /// Does what is left, unless someone is at it: who is looks again before they leave.
    fn resume_definitions(&self) {
        while self.definitions_dirty.load(Ordering::SeqCst) {
            let guard = match self.definitions.try_lock() {
                Ok(guard) => guard,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            while self.definitions_dirty.swap(false, Ordering::SeqCst) {
                self.sync_definitions();
            }
            drop(guard);
        }
    }

    fn sync_definitions(&self) {
        let Some(served) = self.definitions() else { return };
        let Some(table) = served.table else { return };
        let names: Vec<Str> = self.all_definitions(&served).iter().map(|found| found.name().into()).collect();
        for name in &names {
            self.settle_names(&served, table, name);
            self.serve_definition(&served, name);
            self.end_definition(&served, table, name);
        }
        let left: Vec<Str> = self.all_definitions(&served).iter().map(|found| found.name().into()).collect();
        let gone: Vec<Str> = self
            .catalog()
            .all()
            .iter()
            .filter_map(|served| served.custom())
            .map(|custom| custom.definition.clone())
            .filter(|name| !left.contains(name))
            .collect();
        for name in gone {
            self.replace_resources(&name, Vec::new());
            // Its names are free now.
            self.definitions_dirty.store(true, Ordering::SeqCst);
        }
    }

    fn all_definitions(&self, served: &Served) -> Vec<Unstructured> {
        let everything = Selection::default();
        let listing = self.list(served, &ListRequest::all("", &everything));
        listing.map(|found| found.items.iter().map(|item| item.object.clone()).collect()).unwrap_or_default()
    }

    /// Accepts the names that a definition asks for, where no other of its group has them, and establishes it.
    fn settle_names(&self, served: &Served, table: TableId, name: &str) {
        let Some(found) = self.find(served, "", name) else { return };
        let object = &found.stored.object;
        let (asked, accepted) = (Names::asked(object), Names::accepted(object));
        let mut current = found.clone();
        if asked != accepted {
            let (mut resources, mut kinds) = (Vec::new(), Vec::new());
            let group = object.nested_str(&["spec", "group"]).ok().flatten();
            for other in self.all_definitions(served) {
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
                let now = self.clock.now();
                set_condition(&mut new, "NamesAccepted", status, reason, message, now);
                if condition(&new, "Established").is_none() && refused.is_some() {
                    let message = "not all names are accepted";
                    set_condition(&mut new, "Established", "False", "NotAccepted", message, now);
                } else if !is_true(&new, "Established") && refused.is_none() {
                    let message = "the initial names have been accepted";
                    set_condition(&mut new, "Established", "False", "Installing", message, now);
                }
                let Some(written) = self.write_definition(table, &current, new) else { return };
                current = written;
                // A name may have been released.
                self.definitions_dirty.store(true, Ordering::SeqCst);
            }
        }
        let object = &current.stored.object;
        if is_true(object, "NamesAccepted") && !is_true(object, "Established") {
            let mut new = object.clone();
            let message = "the initial names have been accepted";
            set_condition(&mut new, "Established", "True", "InitialNamesAccepted", message, self.clock.now());
            self.write_definition(table, &current, new);
        }
    }

    /// Serves what a definition now says.
    fn serve_definition(&self, served: &Served, name: &str) {
        let Some(found) = self.find(served, "", name) else { return };
        let object = &found.stored.object;
        if !is_true(object, "NamesAccepted") && !is_true(object, "Established") {
            return self.replace_resources(name, Vec::new());
        }
        let before = self.catalog().of_definition(name);
        let table = self.custom_table(name);
        // As long as it says the same, watches go on.
        let says = Json::from(vec![
            object.object.get("spec").cloned().unwrap_or_default(),
            Names::accepted(object).written(),
            Json::from(object.uid()),
            Json::from(object.is_being_deleted()),
        ]);
        let mut known = self.definitions_served.lock().unwrap_or_else(PoisonError::into_inner);
        if known.get(name) == Some(&says) && !before.is_empty() {
            return;
        }
        known.insert(name.into(), says);
        drop(known);
        let resources = custom::resources(object).into_iter();
        let resources = resources.map(|(info, custom)| Arc::new(Served::of_definition(info, table, custom)));
        self.replace_resources(name, resources.collect());
    }

    /// Takes steps towards the end of a definition that is being deleted.
    fn end_definition(&self, served: &Served, table: TableId, name: &str) {
        let Some(found) = self.find(served, "", name) else { return };
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
            set_condition(&mut new, kind, "True", reason, message, self.clock.now());
            let Some(written) = self.write_definition(table, &current, new) else { return };
            current = written;
        }
        let established = is_true(&current.stored.object, "Established");
        if established && !self.delete_objects(name) {
            return;
        }
        let mut new = current.stored.object.clone();
        let (reason, message) = if established {
            ("InstanceDeletionCompleted", "removed all instances")
        } else {
            ("NeverEstablished", "resource was never established")
        };
        set_condition(&mut new, "Terminating", "False", reason, message, self.clock.now());
        let left: Vec<Str> = new.finalizers().filter(|held| *held != CLEANUP).map(Str::from).collect();
        let write = if left.is_empty() { Write::Delete } else { Write::Put };
        new.set_finalizers(left);
        // Another write in between makes this look again.
        if self.commit(table, &Str::from(name), Expect::At(current.revision), write(new)).is_err() {
            self.definitions_dirty.store(true, Ordering::SeqCst);
        }
    }

    /// Deletes the objects of a definition; true when none is left.
    fn delete_objects(&self, name: &str) -> bool {
        let Some(served) = self.catalog().of_definition(name).into_iter().next() else { return true };
        let everything = Selection::default();
        let request = ListRequest::all("", &everything);
        let Ok(listing) = self.list(&served, &request) else { return false };
        for item in listing.items.iter().filter(|item| !item.object.is_being_deleted()) {
            let (namespace, name) = (item.object.namespace(), item.object.name());
            let _ = self.delete(&served, namespace, name, &DeleteOptions::EMPTY, None);
        }
        self.list(&served, &request).is_ok_and(|left| left.items.is_empty())
    }

    fn write_definition(&self, table: TableId, found: &Found, new: Unstructured) -> Option<Found> {
        let name = Str::from(new.name());
        let written = self.commit(table, &name, Expect::At(found.revision), Write::Put(new)).ok();
        if written.is_none() {
            self.definitions_dirty.store(true, Ordering::SeqCst);
        }
        written.map(|change| Found { revision: change.revision, stored: Arc::clone(&change.value) })
    }

    /// The table of a definition's objects, the same one for as long as the server runs.
    fn custom_table(&self, name: &str) -> TableId {
        let mut tables = self.custom_tables.lock().unwrap_or_else(PoisonError::into_inner);
        *tables.entry(name.into()).or_insert_with(|| {
            let (table, revision) = self.change(|state| (state.store.add_table(), state.store.revision()));
            let mut signals = self.signals.write().unwrap_or_else(PoisonError::into_inner);
            signals.insert(table, signal::channel(revision).0);
            table
        })
    }

    /// Puts resources in the place of those that a definition had, whose watches end.
    fn replace_resources(&self, name: &str, resources: Vec<Arc<Served>>) {
        let before = self.catalog().of_definition(name);
        if before.is_empty() && resources.is_empty() {
            return;
        }
        {
            let mut catalog = self.catalog.write().unwrap_or_else(PoisonError::into_inner);
            *catalog = Arc::new(catalog.with_definition(name, resources));
        }
        for served in before {
            served.ended.send_replace(true);
        }
    }
}
