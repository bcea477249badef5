//! `StorageClass`.

use client_rs_machinery::{FieldError, Json, Map, Unstructured};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{DeleteRules, Errors, KindRules};
use crate::kinds::shared::checks::{IMMUTABLE, at, is_empty, one_of};
use crate::kinds::shared::defaulting::default;

pub(super) const RULES: KindRules = KindRules {
    plural: "storageclasses",
    columns: Some(COLUMNS),
    delete: DeleteRules::RETURNS_OBJECT,
    defaults,
    validate,
    validate_update,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME.with(|object, _| {
        let default = [
            "storageclass.kubernetes.io/is-default-class",
            "storageclass.beta.kubernetes.io/is-default-class",
        ];
        let is_default = default.iter().any(|key| object.annotation(key) == Some("true"));
        format!("{}{}", object.name(), if is_default { " (default)" } else { "" }).into()
    }),
    columns::text("Provisioner", "What makes the volumes.", |object, _| {
        columns::or_empty(columns::at(object, &["provisioner"]))
    }),
    columns::text("ReclaimPolicy", "What happens to a volume that is released.", |object, _| {
        columns::or_empty(columns::at(object, &["reclaimPolicy"]))
    }),
    columns::text("VolumeBindingMode", "When claims are bound.", |object, _| {
        columns::or_empty(columns::at(object, &["volumeBindingMode"]))
    }),
    columns::text("AllowVolumeExpansion", "Whether volumes can grow.", |object, _| {
        columns::is_true(columns::at(object, &["allowVolumeExpansion"]))
    }),
    columns::AGE,
];

fn defaults(object: &mut Map<Json>) {
    default(object, "reclaimPolicy", "Delete");
    default(object, "volumeBindingMode", "Immediate");
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    if is_empty(at(object, "provisioner")) {
        errors.push(FieldError::required("provisioner", ""));
    }
    let top = Json::Map(object.object.clone());
    one_of(&top, "", "reclaimPolicy", &["Delete", "Retain"], errors);
    one_of(&top, "", "volumeBindingMode", &["Immediate", "WaitForFirstConsumer"], errors);
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    for field in ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] {
        if at(new, field) != at(old, field) {
            errors.push(FieldError::invalid_json(field, "null", IMMUTABLE));
        }
    }
}
