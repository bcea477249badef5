//! `ReplicationController`.

use client_rs_machinery::{Json, Map};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{
    DeleteRules, Dependents, Generation, KindRules, QuotaRules, SelectableField, StatusRules, Subresource,
};
use crate::kinds::shared::counts::Counts;
use crate::kinds::shared::defaulting::{default, within};
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "replicationcontrollers",
    columns: Some(COLUMNS),
    quota: QuotaRules::counted("replicationcontrollers"),
    generation: Generation::SPEC,
    delete: DeleteRules { dependents: Dependents::Orphan, ..DeleteRules::DEFAULT },
    fields: &[SelectableField::number("status.replicas", &["status", "replicas"])],
    own_labels: true,
    plain_selector: true,
    subresources: &[Subresource::SCALE],
    status: StatusRules {
        validate: |new, old, errors| Counts::OF_REPLICA_SET.check(new, old, errors),
        ..StatusRules::DEFAULT
    },
    defaults,
    check_admission: Some(|write, context| {
        pod_security::warn_of_template(write, &["spec", "template"], context);
        Ok(())
    }),
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::integer("Desired", "Desired number of pods.", |object, _| {
        columns::number(columns::at(object, &["spec", "replicas"])).into()
    }),
    columns::integer("Current", "Current number of pods.", |object, _| {
        columns::number(columns::at(object, &["status", "replicas"])).into()
    }),
    columns::integer("Ready", "Number of ready pods.", |object, _| {
        columns::number(columns::at(object, &["status", "readyReplicas"])).into()
    }),
    columns::AGE,
    columns::CONTAINERS,
    columns::IMAGES,
    columns::wide(columns::text("Selector", "Labels of the pods.", |object, _| {
        columns::pairs(columns::at(object, &["spec", "selector"]))
    })),
];

fn defaults(object: &mut Map<Json>) {
    let labels = object.get("spec").and_then(|spec| spec.path(&["template", "metadata", "labels"])).cloned();
    let spec = within(object, "spec");
    default(spec, "replicas", 1);
    if let Some(labels) = labels {
        default(spec, "selector", labels.clone());
        default(within(object, "metadata"), "labels", labels);
    }
    pod_defaults::template(object, &["spec", "template"]);
}
