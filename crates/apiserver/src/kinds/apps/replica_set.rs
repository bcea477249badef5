//! `ReplicaSet`.

use client_rs_machinery::{Json, Map, Unstructured};

use super::Workload;
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, SelectableField, StatusRules, Subresource};
use crate::kinds::shared::checks::{at, immutable, not_negative};
use crate::kinds::shared::counts::Counts;
use crate::kinds::shared::defaulting::{default, within};
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "replicasets",
    fields: &[SelectableField::number("status.replicas", &["status", "replicas"])],
    own_labels: true,
    columns: Some(COLUMNS),
    subresources: &[Subresource::SCALE],
    status: StatusRules {
        validate: |new, old, errors| Counts::OF_REPLICA_SET.check(new, old, errors),
        ..StatusRules::DEFAULT
    },
    defaults,
    validate,
    validate_update: |new, old, errors| immutable(&["spec", "selector"], new, old, errors),
    check_admission: Some(|write, context| {
        pod_security::warn_of_template(write, &["spec", "template"], context);
        Ok(())
    }),
    ..super::SHARED
};

const WORKLOAD: Workload = Workload {
    // The real server calls a replica set a deployment here.
    selector_owner: "deployment",
    template_owner: "ReplicaSet",
    ..Workload::DEFAULT
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
    columns::SELECTOR,
];

fn defaults(object: &mut Map<Json>) {
    default(within(object, "spec"), "replicas", 1);
    pod_defaults::template(object, &["spec", "template"]);
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    not_negative(spec, "spec", &["replicas"], errors);
    WORKLOAD.validate(spec, errors);
}
