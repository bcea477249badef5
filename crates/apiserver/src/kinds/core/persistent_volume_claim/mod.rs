//! `PersistentVolumeClaim`.

mod admission;
mod quota;

use client_rs_machinery::{FieldError, Json, Map, Quantity, Unstructured, validation};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Errors, KindRules, QuotaRules};
use crate::kinds::shared::checks::{at, invalid, label_selector, list, one_of, quantity, text};
use crate::kinds::shared::defaulting::{default, within};

pub(super) const RULES: KindRules = KindRules {
    plural: "persistentvolumeclaims",
    columns: Some(COLUMNS),
    delete: DeleteRules { protection: Some(PROTECTION), ..DeleteRules::RETURNS_OBJECT },
    quota: QuotaRules::charges(&quota::CHARGES),
    defaults,
    admit: Some(|object, context| {
        admission::set_class(object, context);
        Ok(())
    }),
    validate: |object, errors| validate_spec(at(object, "spec"), "spec", errors),
    validate_update,
    check_admission: Some(admission::check),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Status", "Phase of the claim.", |object, _| {
        let ends = object.deletion_timestamp().is_some();
        if ends { "Terminating".into() } else { columns::or_empty(columns::at(object, &["status", "phase"])) }
    }),
    columns::text("Volume", "Volume that the claim is bound to.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "volumeName"]))
    }),
    columns::text("Capacity", "Size of the volume.", |object, _| {
        if_bound(object, columns::or_empty(columns::at(object, &["status", "capacity", "storage"])))
    }),
    columns::text("Access Modes", "How the volume can be mounted.", |object, _| {
        if_bound(object, columns::access_modes(columns::at(object, &["status", "accessModes"])))
    }),
    columns::text("StorageClass", "Storage class of the claim.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "storageClassName"]))
    }),
    columns::text("VolumeAttributesClass", "Class of the attributes of the volume.", |object, _| {
        columns::or_unset(columns::at(object, &["spec", "volumeAttributesClassName"]))
    }),
    columns::AGE,
    columns::wide(columns::text(
        "VolumeMode",
        "Whether the volume is a file system or a block device.",
        |object, _| columns::or_unset(columns::at(object, &["spec", "volumeMode"])),
    )),
];

/// A cell that only a claim with a volume has.
fn if_bound(object: &Unstructured, value: Json) -> Json {
    if text(columns::at(object, &["spec", "volumeName"])).is_empty() { "".into() } else { value }
}

/// The finalizer of a claim that a pod uses.
pub(crate) const PROTECTION: &str = "kubernetes.io/pvc-protection";

/// The annotation that was the storage class before the field.
const BETA_CLASS: &str = "volume.beta.kubernetes.io/storage-class";

/// The storage class of a claim; empty if it has none.
fn class_of(claim: &Unstructured) -> &str {
    claim.annotation(BETA_CLASS).unwrap_or_else(|| text(&at(claim, "spec")["storageClassName"]))
}

const MODES: &[&str] = &["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

pub(in crate::kinds::core) const VOLUME_MODES: &[&str] = &["Block", "Filesystem"];

fn defaults(object: &mut Map<Json>) {
    default(within(object, "spec"), "volumeMode", "Filesystem");
    default(within(object, "status"), "phase", "Pending");
}

/// Validates the access modes.
pub(in crate::kinds::core) fn modes(spec: &Json, path: &str, why: &str, errors: &mut Errors) {
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

pub(in crate::kinds::core) fn class_name(spec: &Json, path: &str, errors: &mut Errors) {
    let name = text(&spec["storageClassName"]);
    if !name.is_empty() {
        invalid(&format!("{path}.storageClassName"), name, validation::dns1123_subdomain(name), errors);
    }
}

/// Validates a claim or a claim template.
pub(in crate::kinds) fn validate_spec(spec: &Json, path: &str, errors: &mut Errors) {
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

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
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
    // A user may set the volume of an unbound claim.
    let named = !text(&at(old, "spec")["volumeName"]).is_empty();
    if fixed(new, named) != fixed(old, named) {
        let why = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
        errors.push(FieldError::forbidden("spec", why));
    }
}
