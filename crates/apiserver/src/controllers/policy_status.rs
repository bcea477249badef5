//! The status of validating admission policies: mistakes in their expressions, found with the types of the objects
//! that they match.

use std::sync::atomic::{AtomicBool, Ordering};

use client_rs_cel::Type;
use client_rs_machinery::{ApiError, Json, Unstructured, collections::VecSet, json};

use crate::kinds::admissionregistration::{Expressions, Types, types};
use crate::object::Stored;
use crate::registry::{Catalog, Live, Ownership, Part, Precondition, Registry, Served, WriteOptions};
use crate::store::TableId;

/// The field manager of the status.
const MANAGER: &str = "validatingadmissionpolicy-status";
/// The number of kinds that each rule is checked with.
const KINDS_MAX: usize = 10;

/// Writes the status of policies after they changed.
#[derive(Debug)]
pub(super) struct PolicyStatus {
    table: Option<TableId>,
    dirty: AtomicBool,
}

impl PolicyStatus {
    pub(super) fn new(catalog: &Catalog) -> Self {
        Self { table: served(catalog).and_then(|served| served.table), dirty: AtomicBool::new(false) }
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

    /// Checks the policies that changed; false when there was no change.
    pub(super) fn sync(&self, registry: &Registry) -> bool {
        if !self.dirty.swap(false, Ordering::SeqCst) {
            return false;
        }
        let Some(served) = served(&registry.catalog()) else { return true };
        for policy in registry.all_objects(&served) {
            let observed = policy.nested_i64(&["status", "observedGeneration"]).ok().flatten().unwrap_or(0);
            if policy.generation() > observed {
                update(registry, &served, &policy);
            }
        }
        true
    }
}

fn served(catalog: &Catalog) -> Option<std::sync::Arc<Served>> {
    catalog.find("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies")
}

fn update(registry: &Registry, served: &Served, policy: &Unstructured) {
    let now = registry.clock().now();
    let ownership = Ownership::new(registry.catalog(), served, "status", now, None);
    let warnings = warnings(&registry.catalog(), policy);
    let mut checked = Json::EMPTY_MAP;
    if !warnings.is_empty() {
        checked = json!({"expressionWarnings": warnings});
    }
    let mut make = |stored: Option<&Stored>| {
        let name = policy.name();
        let stored = stored.ok_or_else(|| ApiError::not_found(&served.group_resource(), name))?;
        let old = &stored.object;
        let mut new = old.clone();
        // A policy that changed meanwhile is checked again.
        if old.uid() == policy.uid() {
            drop(new.set_nested(&["status", "observedGeneration"], policy.generation()));
            drop(new.set_nested(&["status", "typeChecking"], checked.clone()));
        }
        ownership.updated(Some(Live::Stored(stored)), new, MANAGER)
    };
    let (part, options) = (Part::Status, WriteOptions::default());
    // It can only fail because the policy is gone.
    let _ = registry.update(served, "", policy.name(), part, Precondition::None, options, &mut make);
}

/// The mistakes in the expressions of a policy.
fn warnings(catalog: &Catalog, policy: &Unstructured) -> Vec<Json> {
    let empty = Json::Null;
    let spec = policy.object.get("spec").unwrap_or(&empty);
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let kind = &spec["paramKind"];
    let params = type_of(catalog, &text(&kind["apiVersion"]), &text(&kind["kind"]));
    let mut checks: Vec<(String, Expressions, Types)> = Vec::new();
    for (name, object) in matched_types(catalog, spec) {
        let types = Types { object: Some(object), params: params.clone() };
        let mut expressions = Expressions::with_variables(!kind.is_null());
        for variable in spec["variables"].as_list().into_iter().flatten() {
            expressions.declare_typed(&text(&variable["name"]), &text(&variable["expression"]), &types);
        }
        checks.push((name, expressions, types));
    }
    let mut warnings = Vec::new();
    for (index, validation) in spec["validations"].as_list().into_iter().flatten().enumerate() {
        for field in ["expression", "messageExpression"] {
            let expression = text(&validation[field]);
            if expression.is_empty() {
                continue;
            }
            let found: Vec<String> = checks
                .iter()
                .filter_map(|(name, expressions, types)| {
                    let what = expressions.mistakes(&expression, types)?;
                    Some(format!("{name}: {what}\n"))
                })
                .collect();
            if !found.is_empty() {
                let place = format!("spec.validations[{index}].{field}");
                warnings.push(json!({"fieldRef": place, "warning": found.join("\n")}));
            }
        }
    }
    warnings
}

/// The kinds that a policy names without a star, with their types.
fn matched_types(catalog: &Catalog, spec: &Json) -> Vec<(String, Type)> {
    let mut kinds = VecSet::new();
    for rule in spec["matchConstraints"]["resourceRules"].as_list().into_iter().flatten() {
        let sorted = |key: &str| {
            let all: VecSet<&str> =
                rule[key].as_list().into_iter().flatten().filter_map(Json::as_str).collect();
            all
        };
        let (groups, versions) = (sorted("apiGroups"), sorted("apiVersions"));
        if groups.iter().chain(&versions).any(|name| name.contains('*')) {
            continue;
        }
        let resources = sorted("resources");
        let resources = || resources.iter().filter(|name| !name.contains(['*', '/']));
        let named = groups.iter().flat_map(|group| {
            versions.iter().flat_map(move |version| resources().map(move |name| (*group, *version, *name)))
        });
        let found = named.filter_map(|(group, version, name)| catalog.find(group, version, name));
        for served in found.take(KINDS_MAX) {
            let info = &served.info;
            kinds.insert((info.group.to_string(), info.version.to_string(), info.kind.to_string()));
        }
    }
    let typed = kinds.into_iter().filter_map(|(group, version, kind)| {
        let api_version = if group.is_empty() { version.clone() } else { format!("{group}/{version}") };
        let of = type_of(catalog, &api_version, &kind)?;
        Some((format!("{group}/{version}, Kind={kind}"), of))
    });
    typed.collect()
}

/// The type of a kind.
fn type_of(catalog: &Catalog, api_version: &str, kind: &str) -> Option<Type> {
    let served = catalog.of_kind(api_version, kind)?;
    match served.custom() {
        Some(custom) => types::of_custom(&custom.written, kind),
        None => types::of_built_in(&served.info.group, &served.info.version, kind),
    }
}
