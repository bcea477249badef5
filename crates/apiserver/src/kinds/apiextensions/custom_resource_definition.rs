//! `CustomResourceDefinition`. The checks of a definition are in [`client_rs_schema::definition`].

use client_rs_machinery::{Json, Object, Str, Time, Unstructured, json};
use client_rs_schema::definition::{self, CLEANUP, set_condition};

use crate::kinds::columns::{self, Column};
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
    columns: Some(COLUMNS),
    rewrite_answer: Some(without_conditions),
    prepare_create,
    prepare_update: |new, _| complete(new),
    validate_create: |object, errors| errors.extend(definition::check(object, None)),
    validate_update: |new, old, errors| errors.extend(definition::check(new, Some(old))),
    warnings: definition::warnings,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Scope", "Namespaced or Cluster.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "scope"]))
    }),
    columns::text("Versions", "Served versions.", |object, _| {
        let versions = columns::list(columns::at(object, &["spec", "versions"]));
        let served = versions.filter(|version| version["served"] == json!(true));
        let stored = |version: &Json| if version["storage"] == json!(true) { "(storage)" } else { "" };
        let names = served
            .map(|version| format!("{}{}", version["name"].as_str().unwrap_or_default(), stored(version)));
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names.join(",").into()
    }),
    columns::CREATED,
    columns::wide(columns::text("Group", "API group.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "group"]))
    })),
    columns::wide(columns::text("Kind", "Kind of the objects.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "names", "kind"]))
    })),
    columns::wide(columns::text("ShortNames", "Short names of the resource.", |object, _| {
        let names = columns::list(columns::at(object, &["spec", "names", "shortNames"]));
        names.filter_map(Json::as_str).collect::<Vec<_>>().join(",").into()
    })),
    columns::wide(Column::boolean("Established", "Whether the resource is served.", |object, _| {
        let conditions = columns::list(columns::at(object, &["status", "conditions"]));
        let mut held = conditions.filter(|one| one["status"] == json!("True"));
        held.any(|one| one["type"] == json!("Established")).into()
    })),
];

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
