//! `StorageClass`.

use client_rs_machinery::{FieldError, Json, Map, Unstructured};

use crate::kinds::rules::{DeleteRules, Errors, KindRules};
use crate::kinds::shared::checks::{IMMUTABLE, at, is_empty, one_of};
use crate::kinds::shared::defaulting::default;

pub(super) const RULES: KindRules = KindRules {
    plural: "storageclasses",
    delete: DeleteRules::RETURNS_OBJECT,
    defaults,
    validate,
    validate_update,
    ..super::SHARED
};

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
