//! The subresource `ephemeralcontainers`.

use std::collections::HashMap;

use client_rs_machinery::{FieldError, Json, Time, Unstructured};

use crate::kinds::rules::{Errors, PartRules};
use crate::kinds::shared::checks::{at, list, text};
use crate::kinds::shared::fields::{count_spec, keep_metadata, keep_others};
use crate::kinds::shared::pod_spec;

pub(super) const EPHEMERAL_CONTAINERS: PartRules = PartRules { prepare, validate };

/// Takes only the ephemeral containers from an update.
fn prepare(new: &mut Unstructured, old: &Unstructured, _: Time) {
    let containers = at(new, "spec")["ephemeralContainers"].clone();
    keep_others(new, old, "");
    if containers.is_null() {
        drop(new.remove_nested(&["spec", "ephemeralContainers"]));
    } else {
        drop(new.set_nested(&["spec", "ephemeralContainers"], containers));
    }
    keep_metadata(new, old);
    count_spec(new, old);
}

/// Containers can be added. Patches do not keep their order.
fn validate(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    const PATH: &str = "spec.ephemeralContainers";
    pod_spec::spec(at(new, "spec"), "spec", errors);
    let named = list(&at(new, "spec")["ephemeralContainers"]).map(|one| (text(&one["name"]), one));
    let named: HashMap<&str, &Json> = named.collect();
    for container in list(&at(old, "spec")["ephemeralContainers"]) {
        let name = text(&container["name"]);
        let what = match named.get(name) {
            None => "removed",
            Some(new) if **new != *container => "changed",
            Some(_) => continue,
        };
        let why = format!("existing ephemeral containers {name:?} may not be {what}\n");
        errors.push(FieldError::forbidden(PATH, why));
    }
}
