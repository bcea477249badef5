//! The life cycle of namespaces.

use std::collections::HashSet;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{Json, Object, Unstructured, collections::VecMap, json};

use crate::kinds::core::namespace;
use crate::object::Stored;
use crate::registry::{ListRequest, Part, Precondition, Registry, Selection, Served, WriteOptions};

const SYSTEM: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// Creates the system namespaces.
pub(super) fn create_system_namespaces(registry: &Registry) {
    for name in SYSTEM {
        let namespace = Unstructured::new("v1", "Namespace", name);
        let created = registry.create(&registry.namespaces(), "", namespace, WriteOptions::default());
        debug_assert!(created.is_ok(), "{created:?}");
    }
}

/// Takes one step towards the end of a namespace: deletes its content, or removes its finalizer when it is empty.
///
/// Pods go first, and the rest when they are gone: they may need it to the end.
pub(super) fn finalize(registry: &Registry, name: &str) {
    let Some(found) = registry.find(&registry.namespaces(), "", name) else { return };
    if !found.stored.object.is_being_deleted() {
        return;
    }
    let catalog = registry.catalog();
    let mut seen = HashSet::new();
    let stored = catalog
        .all()
        .iter()
        .filter(|served| served.info.namespaced && served.table.is_some_and(|table| seen.insert(table)));
    let (graceful, others): (Vec<_>, Vec<_>) = stored.partition(|served| served.rules.delete.grace.is_some());
    for (phase, reports) in [(graceful, false), (others, true)] {
        let mut left = Remaining::default();
        for served in phase {
            left.delete(registry, served, name);
        }
        if !left.is_empty() {
            // The real controller does not report the pods that it waits for.
            return report(registry, name, &if reports { left } else { Remaining::default() });
        }
    }
    let options = WriteOptions::default();
    let mut without = |stored: Option<&Stored>| {
        let mut object = stored.map(|stored| stored.object.clone()).unwrap_or_default();
        object.remove_nested(&["spec", "finalizers"]);
        object.set_resource_version("");
        Ok(object)
    };
    let namespaces = registry.namespaces();
    // It can only fail because another writer removed the finalizer.
    let _ = registry.update(
        &namespaces,
        "",
        name,
        Part::Sub(&namespace::FINALIZE),
        Precondition::None,
        options,
        &mut without,
    );
}

/// The content of a namespace that remains after a step.
#[derive(Debug, Default)]
struct Remaining {
    /// The number of objects per resource and group.
    resources: VecMap<(String, String), usize>,
    /// The number of objects per finalizer.
    finalizers: VecMap<String, usize>,
}

impl Remaining {
    fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// Deletes the objects of a resource, and counts those that remain.
    fn delete(&mut self, registry: &Registry, served: &Served, namespace: &str) {
        let everything = Selection::default();
        let request = ListRequest::all(namespace, &everything);
        let Ok(listing) = registry.list(served, &request) else { return };
        for item in listing.items {
            // Objects with finalizers or a grace period remain; their removal triggers the next step.
            // Dependents go too, of kinds as well whose default is to orphan them, such as jobs.
            let options =
                DeleteOptions { propagation_policy: Some("Background".into()), ..DeleteOptions::EMPTY };
            let deleted = registry.delete(served, namespace, item.object.name(), &options, None);
            if deleted.as_ref().is_ok_and(|deleted| deleted.gone) {
                continue;
            }
            let place = (served.info.plural.to_string(), served.info.group.to_string());
            *self.resources.entry(place).or_default() += 1;
            for finalizer in item.object.finalizers() {
                *self.finalizers.entry(finalizer.to_owned()).or_default() += 1;
            }
        }
    }

    /// The conditions of the namespace: type, status, reason, message.
    fn conditions(&self) -> [(&'static str, bool, &'static str, String); 5] {
        let resources: Vec<String> = self
            .resources
            .iter()
            .map(|((plural, group), count)| format!("{plural}.{group} has {count} resource instances"))
            .collect();
        let finalizers: Vec<String> = self
            .finalizers
            .iter()
            .map(|(finalizer, count)| format!("{finalizer} in {count} resource instances"))
            .collect();
        let remaining = match resources.as_slice() {
            [] => (false, "ContentRemoved", "All content successfully removed".to_owned()),
            some => {
                (true, "SomeResourcesRemain", format!("Some resources are remaining: {}", some.join(", ")))
            }
        };
        let held = match finalizers.as_slice() {
            [] => (false, "ContentHasNoFinalizers", "All content-preserving finalizers finished".to_owned()),
            some => {
                let what = "Some content in the namespace has finalizers remaining";
                (true, "SomeFinalizersRemain", format!("{what}: {}", some.join(", ")))
            }
        };
        let deleted = "All content successfully deleted, may be waiting on finalization";
        [
            (
                "NamespaceDeletionDiscoveryFailure",
                false,
                "ResourcesDiscovered",
                "All resources successfully discovered".to_owned(),
            ),
            (
                "NamespaceDeletionGroupVersionParsingFailure",
                false,
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed".to_owned(),
            ),
            ("NamespaceDeletionContentFailure", false, "ContentDeleted", deleted.to_owned()),
            ("NamespaceContentRemaining", remaining.0, remaining.1, remaining.2),
            ("NamespaceFinalizersRemaining", held.0, held.1, held.2),
        ]
    }
}

/// Writes into the status of a namespace what it waits for.
fn report(registry: &Registry, name: &str, left: &Remaining) {
    let now = registry.clock().now().to_string();
    let mut make = |stored: Option<&Stored>| {
        let mut object = stored.map(|stored| stored.object.clone()).unwrap_or_default();
        let known =
            object.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default().to_vec();
        let mut conditions: Vec<Json> = Vec::new();
        for (kind, status, reason, message) in left.conditions() {
            let status = if status { "True" } else { "False" };
            let before = known.iter().find(|condition| condition["type"].as_str() == Some(kind));
            let since = before.filter(|before| before["status"].as_str() == Some(status));
            let since =
                since.map_or_else(|| now.as_str().into(), |before| before["lastTransitionTime"].clone());
            conditions.push(json!({
                "type": kind, "status": status, "lastTransitionTime": since, "reason": reason, "message": message,
            }));
        }
        let own = |condition: &&Json| !conditions.iter().any(|ours| ours["type"] == condition["type"]);
        let others: Vec<Json> = known.iter().filter(own).cloned().collect();
        drop(object.set_nested(&["status", "conditions"], [others, conditions].concat()));
        object.set_resource_version("");
        Ok(object)
    };
    let (namespaces, options) = (registry.namespaces(), WriteOptions::default());
    // It can only fail because the namespace is gone.
    let _ = registry.update(&namespaces, "", name, Part::Status, Precondition::None, options, &mut make);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_name_the_resources_and_finalizers_that_remain() {
        let mut left = Remaining::default();
        assert!(left.conditions().iter().all(|(_, status, ..)| !status));
        left.resources.insert(("pods".to_owned(), String::new()), 2);
        left.resources.insert(("jobs".to_owned(), "batch".to_owned()), 1);
        left.finalizers.insert("example.com/hold".to_owned(), 1);
        let conditions = left.conditions();
        let remaining = "Some resources are remaining: jobs.batch has 1 resource instances, pods. has 2 resource instances";
        assert_eq!(
            conditions[3],
            ("NamespaceContentRemaining", true, "SomeResourcesRemain", remaining.to_owned())
        );
        assert!(conditions[4].3.ends_with("finalizers remaining: example.com/hold in 1 resource instances"));
    }
}
