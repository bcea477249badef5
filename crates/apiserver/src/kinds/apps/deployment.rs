//! `Deployment`.

use client_rs_machinery::{FieldError, Json, Map, Unstructured};

use super::{Workload, strategy_shown};
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules, StatusRules, Subresource};
use crate::kinds::shared::checks::{at, count_or_percent, immutable, is_zero, not_negative, text, wrong};
use crate::kinds::shared::counts::Counts;
use crate::kinds::shared::defaulting::{default, is, within};
use crate::kinds::shared::fields::copy;
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "deployments",
    generation: Generation::With(&[&["spec"], &["metadata", "annotations"]]),
    columns: Some(COLUMNS),
    subresources: &[Subresource::SCALE],
    status: StatusRules {
        resets: &[&["spec"], &["metadata", "labels"]],
        prepare: |new, old, _| copy(new, old, &["metadata", "labels"]),
        validate: |new, old, errors| COUNTS.check(new, old, errors),
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

const COUNTS: Counts = Counts {
    all: &[
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
    ],
    of_replicas: &["updatedReplicas", "readyReplicas", "availableReplicas"],
    ready: "readyReplicas",
};

const WORKLOAD: Workload =
    Workload { selector_owner: "deployment", template_owner: "ReplicaSet", ..Workload::DEFAULT };

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::READY_OF,
    columns::text("Up-to-date", "Number of pods of the latest template.", |object, _| {
        columns::number(columns::at(object, &["status", "updatedReplicas"])).into()
    }),
    columns::text("Available", "Number of available pods.", |object, _| {
        columns::number(columns::at(object, &["status", "availableReplicas"])).into()
    }),
    columns::AGE,
    columns::CONTAINERS,
    columns::IMAGES,
    columns::SELECTOR,
];

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "replicas", 1);
    default(spec, "revisionHistoryLimit", 10);
    default(spec, "progressDeadlineSeconds", 600);
    let strategy = within(spec, "strategy");
    default(strategy, "type", "RollingUpdate");
    if is(strategy, "type", "RollingUpdate") {
        let rolling = within(strategy, "rollingUpdate");
        default(rolling, "maxUnavailable", "25%");
        default(rolling, "maxSurge", "25%");
    }
    pod_defaults::template(object, &["spec", "template"]);
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    not_negative(spec, "spec", &["replicas"], errors);
    WORKLOAD.validate(spec, errors);
    rollout(spec, errors);
}

fn rollout(spec: &Json, errors: &mut Errors) {
    let strategy = &spec["strategy"];
    let rolling = &strategy["rollingUpdate"];
    let path = "spec.strategy.rollingUpdate";
    match text(&strategy["type"]) {
        "Recreate" if !rolling.is_null() => {
            let why = "may not be specified when strategy `type` is 'Recreate'";
            errors.push(FieldError::forbidden(path, why));
        }
        "RollingUpdate" => {
            let (unavailable, surge) = (&rolling["maxUnavailable"], &rolling["maxSurge"]);
            count_or_percent(unavailable, &format!("{path}.maxUnavailable"), true, errors);
            count_or_percent(surge, &format!("{path}.maxSurge"), false, errors);
            if is_zero(unavailable) && is_zero(surge) {
                wrong(
                    format!("{path}.maxUnavailable"),
                    unavailable,
                    "may not be 0 when `maxSurge` is 0",
                    errors,
                );
            }
        }
        "" | "Recreate" => {}
        _ => {
            let supported = ["Recreate", "RollingUpdate"];
            errors.push(FieldError::not_supported_json(
                "spec.strategy",
                strategy_shown(strategy),
                &supported,
            ));
        }
    }
    not_negative(spec, "spec", &["revisionHistoryLimit", "progressDeadlineSeconds"], errors);
    let (progress, ready) =
        (&spec["progressDeadlineSeconds"], spec["minReadySeconds"].as_i64().unwrap_or_default());
    if progress.as_i64().is_some_and(|progress| progress <= ready) {
        wrong("spec.progressDeadlineSeconds", progress, "must be greater than minReadySeconds", errors);
    }
}
