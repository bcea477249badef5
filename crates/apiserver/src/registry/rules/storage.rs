//! Persistent volumes, claims on them, and their classes.

use client_rs_machinery::{FieldError, Json, Quantity, Unstructured, json, validation};

use super::common::{
    Errors, IMMUTABLE, at, invalid, is_empty, label_selector, list, one_of, quantity, required, text, wrong,
};
use super::volumes;

const MODES: &[&str] = &["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const VOLUME_MODES: &[&str] = &["Block", "Filesystem"];
const SOURCES: &[&str] = &[
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
];

fn modes(spec: &Json, path: &str, why: &str, errors: &mut Errors) {
    let modes: Vec<&str> = list(&spec["accessModes"]).map(text).collect();
    let path = format!("{path}.accessModes");
    if modes.is_empty() {
        errors.push(FieldError::required(path.as_str(), why));
    }
    for mode in modes.iter().filter(|mode| !MODES.contains(mode)) {
        errors.push(FieldError::not_supported(path.as_str(), mode, MODES));
    }
    if modes.len() > 1 && modes.contains(&"ReadWriteOncePod") {
        errors.push(FieldError::forbidden(path, "may not use ReadWriteOncePod with other access modes"));
    }
}

fn class_name(spec: &Json, path: &str, errors: &mut Errors) {
    let name = text(&spec["storageClassName"]);
    if !name.is_empty() {
        invalid(&format!("{path}.storageClassName"), name, validation::dns1123_subdomain(name), errors);
    }
}

pub(super) fn volume(spec: &Json, errors: &mut Errors) {
    modes(spec, "spec", "", errors);
    let capacity = &spec["capacity"];
    if is_empty(capacity) {
        errors.push(FieldError::required("spec.capacity", ""));
    }
    if capacity.get("storage").is_none() || capacity.as_map().is_some_and(|map| map.len() > 1) {
        errors.push(FieldError::not_supported_json("spec.capacity", capacity.to_string(), &["storage"]));
    }
    for (name, amount) in capacity.as_map().into_iter().flatten() {
        if name != "cpu" && quantity(amount).is_some_and(|amount| amount <= Quantity::default()) {
            let path = format!("spec.capacity[{name}]");
            errors.push(FieldError::invalid(path, text(amount), "must be greater than zero"));
        }
    }
    one_of(spec, "spec", "persistentVolumeReclaimPolicy", &["Delete", "Recycle", "Retain"], errors);
    let mut found = 0;
    for kind in SOURCES.iter().filter(|kind| !spec[**kind].is_null()) {
        found += 1;
        let path = format!("spec.{kind}");
        if found > 1 {
            errors.push(FieldError::forbidden(path, "may not specify more than 1 volume type"));
            continue;
        }
        volumes::source(kind, &spec[*kind], &path, errors);
        if *kind == "csi" {
            required(&spec["csi"], &path, "volumeHandle", errors);
        }
        if *kind == "local" && is_empty(&spec["nodeAffinity"]) {
            let why = "Local volume requires node affinity";
            errors.push(FieldError::required("spec.nodeAffinity", why));
        }
    }
    if found == 0 {
        errors.push(FieldError::required("spec", "must specify a volume type"));
    }
    let recycled = spec["persistentVolumeReclaimPolicy"] == json!("Recycle");
    if recycled && spec["hostPath"]["path"].as_str() == Some("/") {
        let why = "may not be 'recycle' for a hostPath mount of '/'";
        errors.push(FieldError::forbidden("spec.persistentVolumeReclaimPolicy", why));
    }
    class_name(spec, "spec", errors);
    one_of(spec, "spec", "volumeMode", VOLUME_MODES, errors);
}

pub(super) fn volume_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (new, old) = (at(new, "spec"), at(old, "spec"));
    if SOURCES.iter().any(|kind| new[*kind] != old[*kind]) {
        let why = "spec.persistentvolumesource is immutable after creation";
        errors.push(FieldError::forbidden("spec.persistentvolumesource", why));
    }
    if new["volumeMode"] != old["volumeMode"] {
        wrong("volumeMode", &new["volumeMode"], IMMUTABLE, errors);
    }
}

pub(super) fn claim(spec: &Json, path: &str, errors: &mut Errors) {
    modes(spec, path, "at least 1 access mode is required", errors);
    label_selector(&spec["selector"], &format!("{path}.selector"), errors);
    let asked = format!("{path}.resources[storage]");
    match spec["resources"]["requests"].get("storage") {
        None => errors.push(FieldError::required(asked, "")),
        Some(amount) if quantity(amount).is_some_and(|amount| amount <= Quantity::default()) => {
            errors.push(FieldError::invalid(asked, text(amount), "must be greater than zero"));
        }
        Some(_) => {}
    }
    class_name(spec, path, errors);
    one_of(spec, path, "volumeMode", VOLUME_MODES, errors);
}

pub(super) fn claim_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let bound = old.nested_str(&["status", "phase"]).ok().flatten() == Some("Bound");
    let fixed = |object: &Unstructured, named: bool| {
        let mut spec = at(object, "spec").clone();
        spec.remove(&["volumeAttributesClassName"]);
        if bound {
            spec.remove(&["resources", "requests"]);
        }
        if !named {
            spec.remove(&["volumeName"]);
        }
        spec
    };
    // A claim may be bound by its author.
    let named = !text(&at(old, "spec")["volumeName"]).is_empty();
    if fixed(new, named) != fixed(old, named) {
        let why = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
        errors.push(FieldError::forbidden("spec", why));
    }
}

pub(super) fn class(object: &Unstructured, errors: &mut Errors) {
    if is_empty(at(object, "provisioner")) {
        errors.push(FieldError::required("provisioner", ""));
    }
    let top = Json::Map(object.object.clone());
    one_of(&top, "", "reclaimPolicy", &["Delete", "Retain"], errors);
    one_of(&top, "", "volumeBindingMode", &["Immediate", "WaitForFirstConsumer"], errors);
}

pub(super) fn class_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    for field in ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] {
        if at(new, field) != at(old, field) {
            errors.push(FieldError::invalid_json(field, "null", IMMUTABLE));
        }
    }
}
