//! `CustomResourceDefinition`. The checks of a definition are in [`client_rs_schema::definition`].

use client_rs_machinery::{Object, Str, Time, Unstructured, json};
use client_rs_schema::definition::{self, CLEANUP, set_condition};

use crate::kinds::rules::{DeletePlan, DeleteRules, FollowUp, KindRules, StatusRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "customresourcedefinitions",
    stored_version: Some("v1beta1"),
    follow_up: Some(FollowUp::ServeDefinition),
    status: StatusRules {
        validate: |new, _, errors| errors.extend(definition::check_status(new)),
        ..StatusRules::DEFAULT
    },
    delete: DeleteRules { begin: begin_delete, ..DeleteRules::DEFAULT },
    rewrite_answer: Some(without_conditions),
    prepare_create,
    prepare_update: |new, _| complete(new),
    validate_create: |object, errors| errors.extend(definition::check(object, None)),
    validate_update: |new, old, errors| errors.extend(definition::check(new, Some(old))),
    warnings: definition::warnings,
    ..super::SHARED
};

fn prepare_create(object: &mut Unstructured, _: Time) {
    let names = json!({"plural": "", "kind": ""});
    object.object.insert("status", json!({"conditions": null, "acceptedNames": names}));
    complete(object);
}

fn complete(object: &mut Unstructured) {
    definition::default(object);
    definition::note_storage(object);
}

/// A definition is removed after its objects.
fn begin_delete(object: &mut Unstructured, now: Time) -> Option<DeletePlan> {
    if object.is_being_deleted() {
        return None;
    }
    object.set_deletion_timestamp(Some(now));
    let finalizers: Vec<Str> = object.finalizers().map(Str::from).collect();
    if !finalizers.iter().any(|known| known == CLEANUP) {
        object.set_finalizers(finalizers.into_iter().chain([CLEANUP.into()]));
    }
    let message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
    set_condition(object, "Terminating", "True", "InstanceDeletionPending", message, now);
    Some(DeletePlan::Hold)
}

/// Missing conditions are encoded as null. This is the only list for which the real server does that.
fn without_conditions(json: &[u8]) -> Option<Vec<u8>> {
    const EMPTY: &[u8] = br#""status":{"conditions":[]"#;
    const NONE: &[u8] = br#""status":{"conditions":null"#;
    let at = json.windows(EMPTY.len()).rposition(|part| part == EMPTY)?;
    Some([&json[..at], NONE, &json[at + EMPTY.len()..]].concat())
}
