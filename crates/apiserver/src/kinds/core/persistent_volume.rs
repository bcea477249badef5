//! `PersistentVolume`.

use client_rs_machinery::{FieldError, Json, Map, Quantity, Time, Unstructured, json};

use super::persistent_volume_claim::{VOLUME_MODES, class_name, modes};
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Errors, KindRules};
use crate::kinds::shared::checks::{IMMUTABLE, at, is_empty, one_of, quantity, required, text, wrong};
use crate::kinds::shared::defaulting::{default, within};
use crate::kinds::shared::volumes;

pub(super) const RULES: KindRules = KindRules {
    plural: "persistentvolumes",
    columns: Some(COLUMNS),
    delete: DeleteRules { protection: Some(PROTECTION), ..DeleteRules::RETURNS_OBJECT },
    defaults,
    prepare_create,
    validate,
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Capacity", "Size of the volume.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "capacity", "storage"]))
    }),
    columns::text("Access Modes", "How the volume can be mounted.", |object, _| {
        columns::access_modes(columns::at(object, &["spec", "accessModes"]))
    }),
    columns::text("Reclaim Policy", "What happens to a volume that is released.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "persistentVolumeReclaimPolicy"]))
    }),
    columns::text("Status", "Phase of the volume.", |object, _| {
        let ends = object.deletion_timestamp().is_some();
        if ends { "Terminating".into() } else { columns::or_empty(columns::at(object, &["status", "phase"])) }
    }),
    columns::text("Claim", "Claim that the volume is bound to.", |object, _| {
        let claim = columns::at(object, &["spec", "claimRef"]);
        if claim.is_null() {
            return "".into();
        }
        format!("{}/{}", text(&claim["namespace"]), text(&claim["name"])).into()
    }),
    columns::text("StorageClass", "Storage class of the volume.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "storageClassName"]))
    }),
    columns::text("VolumeAttributesClass", "Class of the attributes of the volume.", |object, _| {
        columns::or_unset(columns::at(object, &["spec", "volumeAttributesClassName"]))
    }),
    columns::text("Reason", "Why the volume is in this phase.", |object, _| {
        columns::or_empty(columns::at(object, &["status", "reason"]))
    }),
    columns::AGE,
    columns::wide(columns::text(
        "VolumeMode",
        "Whether the volume is a file system or a block device.",
        |object, _| columns::or_unset(columns::at(object, &["spec", "volumeMode"])),
    )),
];

/// The finalizer of a volume that is bound.
pub(crate) const PROTECTION: &str = "kubernetes.io/pv-protection";

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

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "persistentVolumeReclaimPolicy", "Retain");
    default(spec, "volumeMode", "Filesystem");
    if let Some(path) = spec.get_mut("hostPath").and_then(Json::as_map_mut) {
        default(path, "type", "");
    }
}

fn prepare_create(object: &mut Unstructured, now: Time) {
    let now = now.to_string();
    object.object.insert("status", json!({"phase": "Pending", "lastPhaseTransitionTime": now}));
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
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

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (new, old) = (at(new, "spec"), at(old, "spec"));
    if SOURCES.iter().any(|kind| new[*kind] != old[*kind]) {
        let why = "spec.persistentvolumesource is immutable after creation";
        errors.push(FieldError::forbidden("spec.persistentvolumesource", why));
    }
    if new["volumeMode"] != old["volumeMode"] {
        wrong("volumeMode", &new["volumeMode"], IMMUTABLE, errors);
    }
}
