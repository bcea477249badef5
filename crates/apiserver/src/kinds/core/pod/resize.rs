//! The subresource `resize`: the resources of the containers.

use client_rs_machinery::{FieldError, Json, Time, Unstructured};

use super::quality_of_service;
use crate::kinds::rules::{Errors, PartRules};
use crate::kinds::shared::checks::{at, is_empty, list, text};
use crate::kinds::shared::fields::{count_spec, keep_metadata, keep_others};
use crate::kinds::shared::pod_spec;

pub(super) const RESIZE: PartRules = PartRules { prepare, validate };

const KINDS: [&str; 2] = ["containers", "initContainers"];

/// Takes only the resources of the containers from an update, and how they are resized.
fn prepare(new: &mut Unstructured, old: &Unstructured, _: Time) {
    // Other containers than before are refused by the validation.
    let count = |pod: &Unstructured, kind: &str| list(&at(pod, "spec")[kind]).count();
    if KINDS.iter().all(|kind| count(new, kind) == count(old, kind)) {
        let asked = new.clone();
        keep_others(new, old, "");
        for kind in KINDS.into_iter().filter(|kind| count(&asked, kind) > 0) {
            drop(new.set_nested(&["spec", kind], resized(&at(&asked, "spec")[kind], &at(old, "spec")[kind])));
        }
    }
    keep_metadata(new, old);
    count_spec(new, old);
}

/// The old containers with the new resources; the new ones if they have other names.
fn resized(new: &Json, old: &Json) -> Json {
    let pairs = || list(new).zip(list(old));
    if pairs().any(|(new, old)| new["name"] != old["name"]) {
        return new.clone();
    }
    let all = pairs().map(|(new, old)| {
        let mut container = old.clone();
        for key in ["resources", "resizePolicy"] {
            match new.get(key) {
                // It can't fail: a container is an object.
                Some(value) => drop(container.set(&[key], value.clone())),
                None => drop(container.remove(&[key])),
            }
        }
        container
    });
    Json::from(all.collect::<Vec<_>>())
}

fn validate(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    pod_spec::spec(at(new, "spec"), "spec", errors);
    let class = match text(&at(old, "status")["qosClass"]) {
        "" => quality_of_service(old),
        class => class,
    };
    if class != quality_of_service(new) {
        let why = "Pod QOS Class may not change as a result of resizing";
        errors.push(FieldError::invalid("spec", text(&at(new, "status")["qosClass"]), why));
    }
    // A kubelet that can resize reports the resources of a container that runs.
    let running =
        list(&at(old, "status")["containerStatuses"]).find(|one| !one["state"]["running"].is_null());
    if running.is_some_and(|one| one["resources"].is_null()) {
        let why = "Pod running on node without support for resize";
        errors.push(FieldError::forbidden("spec", why));
    }
    let before = errors.len();
    for kind in KINDS {
        order(kind, &at(new, "spec")[kind], &at(old, "spec")[kind], errors);
    }
    if errors.len() > before {
        return;
    }
    let pairs = |kind: &str| list(&at(new, "spec")[kind]).zip(list(&at(old, "spec")[kind])).enumerate();
    for kind in ["initContainers", "containers"] {
        for (index, (new, old)) in pairs(kind) {
            for part in ["requests", "limits"] {
                let gone = |name: &str| new["resources"][part].get(name).is_none();
                if old["resources"][part].as_map().into_iter().flatten().any(|(name, _)| gone(name)) {
                    let path = format!("spec.{kind}[{index}].resources.{part}");
                    errors.push(FieldError::forbidden(path, format!("resource {part} cannot be removed")));
                }
            }
        }
    }
    for (_, (new, old)) in pairs("containers") {
        if fixed(new) != fixed(old) {
            errors.push(FieldError::forbidden("spec", "only cpu and memory resources are mutable"));
        }
    }
    for (index, (new, old)) in pairs("initContainers") {
        let path = format!("spec.initContainers[{index}]");
        if fixed(new) != fixed(old) {
            let why = "only cpu and memory resources for init or sidecar containers are mutable";
            errors.push(FieldError::forbidden(path.as_str(), why));
        }
        let restarts = |one: &Json| text(&one["restartPolicy"]) == "RestartContainer";
        if new != old && text(&new["restartPolicy"]) != "Always" && list(&new["resizePolicy"]).any(restarts) {
            let why =
                "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
            errors.push(FieldError::forbidden(path, why));
        }
    }
}

/// Checks that the containers are the same.
fn order(kind: &str, new: &Json, old: &Json, errors: &mut Errors) {
    if list(new).count() != list(old).count() {
        let why = format!("{kind} may not be added or removed on resize");
        errors.push(FieldError::forbidden(format!("spec.{kind}"), why));
        return;
    }
    for (index, (new, old)) in list(new).zip(list(old)).enumerate() {
        if new["name"] != old["name"] {
            let why = format!("{kind} may not be renamed or reordered on resize");
            errors.push(FieldError::forbidden(format!("spec.{kind}[{index}].name"), why));
        }
    }
}

/// A container without what may change.
fn fixed(container: &Json) -> Json {
    let mut container = container.clone();
    for part in ["requests", "limits"] {
        for name in ["cpu", "memory"] {
            container.remove(&["resources", part, name]);
        }
        if is_empty(&container["resources"][part]) {
            container.remove(&["resources", part]);
        }
    }
    if is_empty(&container["resources"]) {
        container.remove(&["resources"]);
    }
    container
}
