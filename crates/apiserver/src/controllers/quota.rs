//! The status of resource quotas: the limits, and the usage of the namespace.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::{Time, Unstructured};

use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::at;
use crate::kinds::{Touched, Written};
use crate::object::Stored;
use crate::registry::{
    Catalog, ListRequest, Part, Precondition, Registry, Selection, Served, WriteOptions, quota_is_outdated,
};
use crate::store::{Change, TableId};

/// Computes the status of quotas after they changed, and after objects of their namespaces used less.
#[derive(Debug)]
pub(super) struct Quotas {
    table: Option<TableId>,
    /// The custom resource definitions: a new one can be limited by an old quota.
    definitions: Option<TableId>,
    /// The resources whose objects use more than their number.
    charged: HashMap<TableId, Arc<Served>>,
    /// The number of quotas, so that changes cost nothing while there are none.
    count: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    /// The number of quotas in each namespace.
    namespaces: HashMap<String, usize>,
    /// The namespaces whose quotas must be computed.
    dirty: BTreeSet<String>,
}

impl Quotas {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let table = |group: &str, plural: &str| catalog.find(group, "v1", plural)?.table;
        Self {
            table: table("", "resourcequotas"),
            definitions: table("apiextensions.k8s.io", "customresourcedefinitions"),
            charged: catalog.all().iter().filter_map(charged).collect(),
            count: AtomicUsize::new(0),
            state: Mutex::default(),
        }
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        Self {
            table: self.table,
            definitions: self.definitions,
            charged: self.charged.clone(),
            count: AtomicUsize::new(self.count.load(Ordering::Relaxed)),
            state: Mutex::new(self.state().clone()),
        }
    }

    /// Records a change; true when it created work.
    pub(super) fn changed(&self, table: TableId, change: &Change<Arc<Stored>>, now: i64) -> bool {
        let (is_quota, is_definition) = (Some(table) == self.table, Some(table) == self.definitions);
        if !is_quota && self.count.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mut state = self.state();
        if is_definition {
            state.dirty = state.namespaces.keys().cloned().collect();
            return !state.dirty.is_empty();
        }
        let Some((namespace, _)) = change.key.split_once('/') else { return false };
        if is_quota {
            let count = state.namespaces.entry(namespace.to_owned()).or_default();
            match (change.deleted, change.previous.is_some()) {
                (true, _) => *count = count.saturating_sub(1),
                (false, false) => *count += 1,
                (false, true) => {}
            }
            if *count == 0 {
                state.namespaces.remove(namespace);
            }
            self.count.store(state.namespaces.values().sum(), Ordering::Relaxed);
        }
        // The usage of a new object was charged when it was stored.
        let lowers = || match &change.previous {
            _ if change.deleted => true,
            _ if is_quota => quota_is_outdated(&change.value.object),
            Some(previous) => self.may_lower(table, &previous.object, &change.value.object, now),
            None => false,
        };
        state.namespaces.contains_key(namespace) && lowers() && state.dirty.insert(namespace.to_owned())
    }

    /// Whether an update can lower the usage of a quota: the object uses less, or may be in other scopes.
    fn may_lower(&self, table: TableId, old: &Unstructured, new: &Unstructured, now: i64) -> bool {
        let Some(served) = self.charged.get(&table) else { return false };
        let Some(now) = Time::new(now, 0) else { return true };
        let write = Written { new, old: Some(old), part: Touched::Whole };
        served.rules.quota.charges.is_some_and(|charges| {
            (charges.on_update)(&write, old) || (charges.usage)(old, now) != (charges.usage)(new, now)
        })
    }

    /// Computes the quotas of one namespace; false when there is none to compute.
    pub(super) fn sync(&self, registry: &Registry) -> bool {
        let Some(namespace) = self.state().dirty.pop_first() else { return false };
        let Some(served) = registry.catalog().find("", "v1", "resourcequotas") else { return true };
        let everything = Selection::default();
        let Ok(listing) = registry.list(&served, &ListRequest::all(&namespace, &everything)) else {
            return true;
        };
        for item in listing.items {
            let mut make = |stored: Option<&Stored>| {
                let mut quota = stored.map(|stored| stored.object.clone()).unwrap_or_default();
                let used = registry.quota_usage(&quota);
                set_status(&mut quota, &used);
                quota.set_resource_version("");
                Ok(quota)
            };
            let (part, options) = (Part::Status, WriteOptions::default());
            // It can only fail because the quota is gone.
            let _ = registry.update(
                &served,
                &namespace,
                item.object.name(),
                part,
                Precondition::None,
                options,
                &mut make,
            );
        }
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A resource whose objects use more than their number, with its table.
fn charged(served: &Arc<Served>) -> Option<(TableId, Arc<Served>)> {
    served.rules.quota.charges?;
    Some((served.table?, Arc::clone(served)))
}

/// Sets limits and usage. Resources that no kind uses keep the usage that they had.
fn set_status(quota: &mut Unstructured, used: &Amounts) {
    let (hard, status) = (at(quota, "spec")["hard"].clone(), at(quota, "status"));
    let limits = Amounts::of(&hard);
    let mut all = Amounts::of(&status["used"]);
    used.iter().for_each(|(name, amount)| all.set(name, amount.clone()));
    let all = all.filtered(|name, _| limits.has(name));
    // An equal status stays unchanged, in its notation too.
    if Amounts::of(&status["hard"]) == limits
        && !status["used"].is_null()
        && Amounts::of(&status["used"]) == all
    {
        return;
    }
    let hard = if hard.is_null() { limits.to_json() } else { hard };
    drop(quota.set_nested(&["status", "hard"], hard));
    drop(quota.set_nested(&["status", "used"], all.to_json()));
}
