//! The validation of metadata, which is the same for all objects. Error texts are the real server's.

use client_rs_machinery::validation::{self, NameUse};
use client_rs_machinery::{FieldError, GroupVersion, Json, Object, Unstructured};

use super::catalog::Served;

pub(crate) const ORPHAN: &str = "orphan";
pub(crate) const FOREGROUND: &str = "foregroundDeletion";

const IMMUTABLE: &str = "field is immutable";

/// Validates the metadata of an object.
pub(crate) fn check(served: &Served, object: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut name = |field: &'static str, name: &str, name_use| {
        let violations = served.rules.check_name(object, name, name_use);
        errors.extend(violations.into_iter().map(|why| FieldError::invalid(field, name, why)));
    };
    if !object.generate_name().is_empty() {
        name("metadata.generateName", object.generate_name(), NameUse::GenerateBase);
    }
    if object.name().is_empty() {
        errors.push(FieldError::required("metadata.name", "name or generateName is required"));
    } else {
        name("metadata.name", object.name(), NameUse::Name);
    }
    if served.info.namespaced {
        if object.namespace().is_empty() {
            errors.push(FieldError::required("metadata.namespace", ""));
        } else {
            let violations = validation::name_is_dns_label(object.namespace(), NameUse::Name).err();
            errors.extend(
                violations.into_iter().flatten().map(|why| {
                    FieldError::invalid("metadata.namespace", object.namespace(), why.to_string())
                }),
            );
        }
    } else if !object.namespace().is_empty() {
        errors.push(FieldError::forbidden("metadata.namespace", "not allowed on this type"));
    }
    errors.extend(common(object));
    finalizers(object, &mut errors);
    // Kinds that extend the server have their own rules.
    if !served.rules.plain_finalizers {
        for (index, name) in object.finalizers().enumerate() {
            if !name.contains('/') && ![ORPHAN, FOREGROUND, "kubernetes"].contains(&name) {
                let why = "name is neither a standard finalizer name nor is it fully qualified";
                errors.push(FieldError::invalid(format!("metadata.finalizers[{index}]"), name, why));
            }
        }
    }
    errors
}

/// Validates a change of an object's metadata.
pub(crate) fn check_update(new: &Unstructured, old: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if old.is_being_deleted() {
        let known: Vec<&str> = old.finalizers().collect();
        let mut added: Vec<&str> = new.finalizers().filter(|name| !known.contains(name)).collect();
        added.sort_unstable();
        added.dedup();
        if !added.is_empty() {
            let added = format!("{added:?}").replace('[', "{").replace(']', "}");
            let why = format!(
                "no new finalizers can be added if the object is being deleted, found new finalizers []string{added}"
            );
            errors.push(FieldError::forbidden("metadata.finalizers", why));
        }
    }
    for (field, new, old) in [
        ("metadata.name", new.name(), old.name()),
        ("metadata.namespace", new.namespace(), old.namespace()),
        ("metadata.uid", new.uid(), old.uid()),
    ] {
        if new != old {
            errors.push(FieldError::invalid(field, new, IMMUTABLE));
        }
    }
    for key in ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] {
        let of = |object: &Unstructured| match object.object.get("metadata").and_then(|meta| meta.get(key)) {
            None | Some(Json::Null) => None,
            Some(value) => Some(value.clone()),
        };
        let (new, old) = (of(new), of(old));
        if new != old {
            let shown = new.map_or_else(|| "null".to_owned(), |value| value.to_string());
            errors.push(FieldError::invalid_json(format!("metadata.{key}"), shown, IMMUTABLE));
        }
    }
    errors
}

fn common(object: &Unstructured) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if object.generation() < 0 {
        let why = "must be greater than or equal to 0";
        errors.push(FieldError::invalid_json("metadata.generation", object.generation().to_string(), why));
    }
    errors.extend(client_rs_schema::check_labels_and_annotations(object, "metadata"));
    owners(object, &mut errors);
    errors
}

fn owners(object: &Unstructured, errors: &mut Vec<FieldError>) {
    let mut controller: Option<String> = None;
    for (index, owner) in object.owner_references().enumerate() {
        let at = |field: &str| format!("metadata.ownerReferences[{index}].{field}");
        for (field, value) in [
            ("apiVersion", owner.api_version),
            ("kind", owner.kind),
            ("name", owner.name),
            ("uid", owner.uid),
        ] {
            if value.is_empty() {
                errors.push(FieldError::required(at(field), "must not be empty"));
            }
        }
        let version = GroupVersion::parse(owner.api_version);
        if !owner.api_version.is_empty() && version.is_ok_and(|parsed| parsed.version.is_empty()) {
            let why = "must be <group>/<version> or <version>";
            errors.push(FieldError::invalid(at("apiVersion"), owner.api_version, why));
        }
        if owner.controller {
            let name = format!("{}/{}", owner.kind, owner.name);
            if let Some(first) = &controller {
                let why = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
                );
                let shown = object.object.get("metadata").map(|meta| meta["ownerReferences"].to_string());
                errors.push(FieldError::invalid_json(
                    "metadata.ownerReferences",
                    shown.unwrap_or_default(),
                    why,
                ));
            } else {
                controller = Some(name);
            }
        }
    }
}

fn finalizers(object: &Unstructured, errors: &mut Vec<FieldError>) {
    const FIELD: &str = "metadata.finalizers";
    let all: Vec<&str> = object.finalizers().collect();
    for name in &all {
        let violations = validation::qualified_name(name).err().into_iter().flatten();
        errors.extend(violations.map(|why| FieldError::invalid(FIELD, name, why.to_string())));
    }
    if all.contains(&ORPHAN) && all.contains(&FOREGROUND) {
        let why = format!("finalizer {ORPHAN} and {FOREGROUND} cannot be both set");
        errors.push(FieldError::invalid_json(FIELD, Json::from(all).to_string(), why));
    }
}
