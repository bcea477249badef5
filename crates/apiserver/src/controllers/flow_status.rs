//! The status of flow schemas: whether the priority level that they name exists. The real API server writes it itself.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use client_rs_machinery::{ApiError, Json, Unstructured, json};

use crate::object::Stored;
use crate::registry::{Catalog, Part, Precondition, Registry, Served, WriteOptions};
use crate::store::TableId;

const GROUP: &str = "flowcontrol.apiserver.k8s.io";

/// Writes the status after a flow schema or a priority level changed.
#[derive(Debug)]
pub(super) struct FlowStatus {
    schemas: Option<TableId>,
    levels: Option<TableId>,
    dirty: AtomicBool,
}

impl FlowStatus {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let table = |plural| find(catalog, plural)?.table;
        Self {
            schemas: table("flowschemas"),
            levels: table("prioritylevelconfigurations"),
            dirty: AtomicBool::new(false),
        }
    }

    /// A copy for a copy of the registry.
    pub(super) fn fork(&self) -> Self {
        Self { dirty: AtomicBool::new(self.dirty.load(Ordering::SeqCst)), ..*self }
    }

    /// Records a change; true when it created work.
    pub(super) fn changed(&self, table: TableId) -> bool {
        let own = Some(table) == self.schemas || Some(table) == self.levels;
        if own {
            self.dirty.store(true, Ordering::SeqCst);
        }
        own
    }

    /// Updates the status of all flow schemas; false when nothing changed.
    pub(super) fn sync(&self, registry: &Registry) -> bool {
        if !self.dirty.swap(false, Ordering::SeqCst) {
            return false;
        }
        let catalog = registry.catalog();
        let both = (find(&catalog, "flowschemas"), find(&catalog, "prioritylevelconfigurations"));
        let (Some(schemas), Some(levels)) = both else { return true };
        let levels = registry.all_objects(&levels);
        let levels: HashSet<&str> = levels.iter().map(Unstructured::name).collect();
        for schema in registry.all_objects(&schemas) {
            let level = schema.nested_str(&["spec", "priorityLevelConfiguration", "name"]).ok().flatten();
            let level = level.unwrap_or_default();
            let wanted = condition(level, levels.contains(level));
            let is_same = |one: &Json| {
                ["type", "status", "reason", "message"].iter().all(|field| one[*field] == wanted[*field])
            };
            if !conditions(&schema).iter().any(is_same) {
                update(registry, &schemas, &schema, &wanted);
            }
        }
        true
    }
}

fn find(catalog: &Catalog, plural: &str) -> Option<Arc<Served>> {
    catalog.find(GROUP, "v1", plural)
}

fn conditions(schema: &Unstructured) -> Vec<Json> {
    let found = schema.nested_slice(&["status", "conditions"]).ok().flatten();
    found.map(<[Json]>::to_vec).unwrap_or_default()
}

/// The condition of a flow schema, without its time.
fn condition(level: &str, exists: bool) -> Json {
    let named = format!("This FlowSchema references the PriorityLevelConfiguration object named \"{level}\"");
    let (status, reason, rest) = if exists {
        ("False", "Found", "and it exists")
    } else {
        ("True", "NotFound", "but there is no such object")
    };
    json!({"type": "Dangling", "status": status, "reason": reason, "message": format!("{named} {rest}")})
}

fn update(registry: &Registry, served: &Served, schema: &Unstructured, wanted: &Json) {
    let mut wanted = wanted.clone();
    // A condition is a map: setting a field of it can't fail.
    drop(wanted.set(&["lastTransitionTime"], registry.clock().now().to_string()));
    let mut make = |stored: Option<&Stored>| {
        let old = stored.ok_or_else(|| ApiError::not_found(&served.group_resource(), schema.name()))?;
        let mut new = old.object.clone();
        // One that was replaced meanwhile is looked at again.
        if new.uid() == schema.uid() {
            let mut all = conditions(&new);
            all.retain(|one| one["type"] != wanted["type"]);
            all.push(wanted.clone());
            drop(new.set_nested(&["status", "conditions"], all));
        }
        Ok(new)
    };
    let (part, options) = (Part::Status, WriteOptions::default());
    // It can only fail because the flow schema is gone.
    let _ = registry.update(served, "", schema.name(), part, Precondition::None, options, &mut make);
}
