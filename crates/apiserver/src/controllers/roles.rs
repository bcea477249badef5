//! Aggregated cluster roles: roles whose rules come from other roles.

use std::sync::atomic::{AtomicBool, Ordering};

use client_rs_machinery::{Json, labels};

use super::edit;
use crate::object::label_selector;
use crate::registry::{Catalog, Registry};
use crate::store::TableId;

/// Writes the rules of the selected roles into each role with an aggregation rule.
#[derive(Debug)]
pub(super) struct Roles {
    table: Option<TableId>,
    dirty: AtomicBool,
}

impl Roles {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let served = catalog.find("rbac.authorization.k8s.io", "v1", "clusterroles");
        Self { table: served.and_then(|served| served.table), dirty: AtomicBool::new(false) }
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        Self { table: self.table, dirty: AtomicBool::new(self.dirty.load(Ordering::SeqCst)) }
    }

    /// Records a change; true when it created work.
    pub(super) fn changed(&self, table: TableId) -> bool {
        let own = Some(table) == self.table;
        if own {
            self.dirty.store(true, Ordering::SeqCst);
        }
        own
    }

    /// Aggregates all roles after a change; false when there was none.
    pub(super) fn sync(&self, registry: &Registry) -> bool {
        let dirty = self.dirty.swap(false, Ordering::SeqCst);
        if dirty {
            aggregate(registry);
        }
        dirty
    }
}

fn aggregate(registry: &Registry) {
    let served = registry.catalog().find("rbac.authorization.k8s.io", "v1", "clusterroles");
    let Some(served) = served else { return };
    let roles = registry.all_objects(&served);
    for role in &roles {
        let selectors = role.nested_slice(&["aggregationRule", "clusterRoleSelectors"]).ok().flatten();
        let Some(selectors) = selectors else { continue };
        let mut held: Vec<Json> = Vec::new();
        for selector in selectors.iter().filter_map(|selector| label_selector(selector).ok()) {
            for part in roles.iter().filter(|part| part.name() != role.name()) {
                if !selector.matches(&labels::from_fn(|key| part.label(key))) {
                    continue;
                }
                let own = part.object.get("rules").and_then(Json::as_list).into_iter().flatten();
                for rule in own {
                    if !held.contains(rule) {
                        held.push(rule.clone());
                    }
                }
            }
        }
        let held = Json::from(held);
        let now = role.object.get("rules").cloned().unwrap_or(Json::EMPTY_LIST);
        if now != held {
            edit(registry, &served, role, &|role| {
                role.object.insert("rules", held.clone());
            });
        }
    }
}
