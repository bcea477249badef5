//! The scale of a workload: its replicas, whatever its kind.

use client_rs_machinery::managed_fields::{FieldPath, FieldSet, Managers, OwnedFields};
use client_rs_machinery::{ApiError, Json, Unstructured, json};

use crate::object::label_selector;
use crate::registry::Served;

/// The scale of an object.
pub(crate) fn of(served: &Served, object: &Unstructured) -> Json {
    let meta = |key: &str| object.object.get("metadata").and_then(|meta| meta.get(key)).cloned();
    let replicas = |part: &str| object.nested_i64(&[part, "replicas"]).ok().flatten().unwrap_or(0);
    let selector = object.nested(&["spec", "selector"]).ok().flatten();
    let selector = selector.map(|selector| text(served, selector)).unwrap_or_default();
    let mut scale = json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1",
        "metadata": {
            "name": object.name(), "namespace": object.namespace(), "uid": object.uid(),
            "resourceVersion": object.resource_version(), "creationTimestamp": meta("creationTimestamp"),
        },
        "spec": {"replicas": replicas("spec")},
        "status": {"replicas": replicas("status"), "selector": selector},
    });
    if replicas("spec") == 0 {
        scale.remove(&["spec", "replicas"]);
    }
    scale
}

/// The object with the replicas of a scale.
pub(crate) fn applied(object: &Unstructured, scale: &Unstructured) -> Unstructured {
    let mut scaled = object.clone();
    let replicas = scale.nested_i64(&["spec", "replicas"]).ok().flatten().unwrap_or(0);
    drop(scaled.set_nested(&["spec", "replicas"], replicas));
    scaled.set_resource_version(scale.resource_version());
    scaled
}

/// The managers of a workload while its scale is written: who owns the replicas of the one owns those of the other.
pub(crate) struct Owners {
    api_version: String,
    managers: Managers,
}

/// Where managers are.
const MANAGED_FIELDS: &[&str] = &["metadata", "managedFields"];

/// Where the replicas are, in a scale and in all that have one.
fn replicas() -> FieldPath {
    FieldPath::of_fields(&["spec", "replicas"])
}

impl Owners {
    pub(crate) fn of(served: &Served, object: &Unstructured) -> Result<Self, ApiError> {
        Ok(Self { api_version: served.api_version(), managers: managers(object)? })
    }

    /// Gives the scale its managers.
    pub(crate) fn set_on(&self, scale: &mut Json) {
        let path = replicas();
        let owners = self.managers.0.iter().filter(|(_, owned)| self.owns(owned));
        let owners = owners.map(|(id, owned)| {
            let api_version = "autoscaling/v1".into();
            (id.clone(), OwnedFields { fields: [&path].into_iter().collect(), api_version, time: owned.time })
        });
        if let Some(entries) = Managers(owners.collect()).to_json() {
            drop(scale.set(&["metadata", "managedFields"], entries));
        }
    }

    /// Gives the workload its managers, with those that the scale now has.
    pub(crate) fn give_back(&self, scale: &Unstructured, object: &mut Unstructured) -> Result<(), ApiError> {
        let path = replicas();
        let only: FieldSet = [&path].into_iter().collect();
        let mut scale = managers(scale)?;
        let mut all = Managers::default();
        for (id, owned) in &self.managers.0 {
            if owned.api_version.as_str() != self.api_version {
                continue;
            }
            let mut owned = owned.clone();
            if self.owns(&owned) && scale.0.remove(id).is_none() {
                owned.fields = owned.fields.difference(&only);
            }
            if !owned.fields.is_empty() {
                all.0.insert(id.clone(), owned);
            }
        }
        for (id, owned) in scale.0 {
            if owned.fields.has(&path.0) {
                let api_version = self.api_version.as_str().into();
                let time = self.managers.0.get(&id).and_then(|owned| owned.time);
                all.0.insert(id, OwnedFields { fields: only.clone(), api_version, time });
            }
        }
        match all.to_json() {
            Some(entries) => drop(object.set_nested(MANAGED_FIELDS, entries)),
            None => drop(object.remove_nested(MANAGED_FIELDS)),
        }
        Ok(())
    }

    fn owns(&self, owned: &OwnedFields) -> bool {
        owned.api_version.as_str() == self.api_version && owned.fields.has(&replicas().0)
    }
}

fn managers(object: &Unstructured) -> Result<Managers, ApiError> {
    let entries = object.nested(&["metadata", "managedFields"]).ok().flatten().unwrap_or(&Json::Null);
    Managers::from_json(entries).map_err(ApiError::internal_error)
}

/// A selector as text.
fn text(served: &Served, selector: &Json) -> String {
    // A ReplicationController's selector is the labels themselves.
    let plain = served.info.plural == "replicationcontrollers";
    let selector = if plain { &json!({"matchLabels": selector.clone()}) } else { selector };
    label_selector(selector).map(|selector| selector.to_string()).unwrap_or_default()
}
