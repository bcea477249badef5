//! `Namespace`.

use client_rs_machinery::{
    ApiError, FieldError, GroupResource, Json, Object, Time, Unstructured, json, validation,
};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{
    DeletePlan, DeleteRules, Errors, FollowUp, KindRules, NameRule, PartRules, SelectableField, Serves,
    StatusRules, Subresource,
};
use crate::kinds::shared::checks::{at, invalid, list, text};
use crate::kinds::shared::fields::{copy, reset};
use crate::kinds::shared::pod_security;

pub(super) const RULES: KindRules = KindRules {
    plural: "namespaces",
    name: NameRule::Label,
    is_namespace: true,
    follow_up: Some(FollowUp::PopulateNamespace),
    delete: DeleteRules {
        check_name: check_delete,
        begin: |object, now| Some(begin_delete(object, now)),
        is_held: has_finalizers,
        ..DeleteRules::RETURNS_OBJECT
    },
    fields: &[
        SelectableField::text("status.phase", &["status", "phase"]),
        SelectableField::text("name", &["metadata", "name"]),
    ],
    own_labels: true,
    columns: Some(COLUMNS),
    subresources: &[Subresource {
        resets: &[&["status"]],
        ..Subresource::new("finalize", Serves::Part(&FINALIZE))
    }],
    status: StatusRules { validate: validate_status, ..StatusRules::DEFAULT },
    prepare_create,
    prepare_update: |new, old| copy(new, old, &["spec", "finalizers"]),
    validate,
    check_admission: Some(pod_security::check_namespace),
    ..super::SHARED
};

/// Sets the finalizers in the spec, which wait for the content.
pub(crate) const FINALIZE: PartRules = PartRules {
    prepare: |new, old, _| reset(new, "status", old.object.get("status")),
    validate: |new, _, errors| {
        for (index, finalizer) in list(&at(new, "spec")["finalizers"]).map(text).enumerate() {
            check_finalizer(finalizer, &format!("spec.finalizers[{index}]"), errors);
        }
    },
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Status", "Phase of the namespace.", |object, _| {
        columns::at(object, &["status", "phase"]).clone()
    }),
    columns::AGE,
];

/// Namespaces that can't be deleted.
const IMMORTAL: [&str; 3] = ["default", "kube-public", "kube-system"];

/// Finalizers that need no domain.
const STANDARD_FINALIZERS: &[&str] = &["kubernetes", "orphan", "foregroundDeletion"];

fn prepare_create(object: &mut Unstructured, _: Time) {
    object.object.insert("status", json!({"phase": "Active"}));
    let spec = object.object.get("spec").and_then(|spec| spec.get("finalizers"));
    let mut finalizers: Vec<Json> = spec.and_then(Json::as_list).map(|all| all.to_vec()).unwrap_or_default();
    if !finalizers.contains(&json!("kubernetes")) {
        finalizers.push(json!("kubernetes"));
    }
    drop(object.set_nested(&["spec", "finalizers"], Json::from(finalizers)));
    let name = object.name().to_owned();
    if !name.is_empty() {
        object.set_label("kubernetes.io/metadata.name", name);
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    for finalizer in list(&spec["finalizers"]).map(text) {
        check_finalizer(finalizer, "spec.finalizers", errors);
    }
}

fn check_finalizer(finalizer: &str, path: &str, errors: &mut Errors) {
    invalid(path, finalizer, validation::qualified_name(finalizer), errors);
    if !finalizer.contains('/') && !STANDARD_FINALIZERS.contains(&finalizer) {
        let why = "name is neither a standard finalizer name nor is it fully qualified";
        errors.push(FieldError::invalid(path, finalizer, why));
    }
}

/// The phase says whether the namespace is being deleted.
fn validate_status(new: &Unstructured, _: &Unstructured, errors: &mut Errors) {
    let (phase, when) =
        if new.is_being_deleted() { ("Terminating", "not empty") } else { ("Active", "empty") };
    let found = text(&at(new, "status")["phase"]);
    if found != phase {
        let why = format!("may only be '{phase}' if `deletionTimestamp` is {when}");
        errors.push(FieldError::invalid("status.Phase", found, why));
    }
}

fn check_delete(name: &str) -> Result<(), ApiError> {
    if IMMORTAL.contains(&name) {
        let why = "this namespace may not be deleted";
        return Err(ApiError::forbidden(&GroupResource::new("", "namespaces"), name, why));
    }
    Ok(())
}

/// A namespace is removed after its content.
fn begin_delete(object: &mut Unstructured, now: Time) -> DeletePlan {
    let held = has_finalizers(object) || object.finalizers().next().is_some();
    if object.is_being_deleted() {
        return if held { DeletePlan::Nothing } else { DeletePlan::Delete };
    }
    object.set_deletion_timestamp(Some(now));
    drop(object.set_nested(&["status", "phase"], Json::from("Terminating")));
    if held { DeletePlan::Hold } else { DeletePlan::Delete }
}

/// Whether the namespace has finalizers in its spec.
fn has_finalizers(object: &Unstructured) -> bool {
    let finalizers = object.object.get("spec").and_then(|spec| spec["finalizers"].as_list());
    finalizers.is_some_and(|all| !all.is_empty())
}
