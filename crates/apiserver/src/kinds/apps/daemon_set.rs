//! `DaemonSet`.

use client_rs_machinery::{FieldError, Json, Map, Unstructured};

use super::{Workload, strategy_shown};
use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, KindRules, StatusRules};
use crate::kinds::shared::checks::{at, count_or_percent, immutable, is_zero, not_negative, text, wrong};
use crate::kinds::shared::counts::Counts;
use crate::kinds::shared::defaulting::{default, is, within};
use crate::kinds::shared::fields::present;
use crate::kinds::shared::{pod_defaults, pod_security};

pub(super) const RULES: KindRules = KindRules {
    plural: "daemonsets",
    columns: Some(COLUMNS),
    status: StatusRules {
        validate: |new, old, errors| COUNTS.check(new, old, errors),
        ..StatusRules::DEFAULT
    },
    defaults,
    prepare_create: |object, _| object.set_annotation(TEMPLATE_GENERATION, "1"),
    prepare_update: template_generation,
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
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount",
    ],
    of_replicas: &[],
    ready: "",
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::integer("Desired", "Number of nodes that should have a pod.", |object, _| {
        columns::number(columns::at(object, &["status", "desiredNumberScheduled"])).into()
    }),
    columns::integer("Current", "Number of those nodes that have a pod.", |object, _| {
        columns::number(columns::at(object, &["status", "currentNumberScheduled"])).into()
    }),
    columns::integer("Ready", "Number of nodes whose pod is ready.", |object, _| {
        columns::number(columns::at(object, &["status", "numberReady"])).into()
    }),
    columns::integer("Up-to-date", "Number of nodes whose pod is of the latest template.", |object, _| {
        columns::number(columns::at(object, &["status", "updatedNumberScheduled"])).into()
    }),
    columns::integer("Available", "Number of nodes whose pod is available.", |object, _| {
        columns::number(columns::at(object, &["status", "numberAvailable"])).into()
    }),
    columns::text("Node Selector", "Labels of the nodes that get a pod.", |object, _| {
        columns::pairs(columns::at(object, &["spec", "template", "spec", "nodeSelector"]))
    }),
    columns::AGE,
    columns::CONTAINERS,
    columns::IMAGES,
    columns::SELECTOR,
];

/// Counts the templates of the daemon set. It is an annotation that replaced a field.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

const WORKLOAD: Workload = Workload {
    selector_owner: "daemonset",
    template_owner: "DaemonSet",
    needs_selector: false,
    unreadable_selector: None,
    ..Workload::DEFAULT
};

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "revisionHistoryLimit", 10);
    let strategy = within(spec, "updateStrategy");
    default(strategy, "type", "RollingUpdate");
    if is(strategy, "type", "RollingUpdate") {
        let rolling = within(strategy, "rollingUpdate");
        default(rolling, "maxUnavailable", 1);
        default(rolling, "maxSurge", 0);
    }
    pod_defaults::template(object, &["spec", "template"]);
}

/// Counts a change of the template.
fn template_generation(new: &mut Unstructured, old: &Unstructured) {
    let before: i64 = old.annotation(TEMPLATE_GENERATION).and_then(|text| text.parse().ok()).unwrap_or(1);
    let changed = present(new, &["spec", "template"]) != present(old, &["spec", "template"]);
    new.set_annotation(TEMPLATE_GENERATION, (before + i64::from(changed)).to_string());
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    update_strategy(spec, errors);
    WORKLOAD.validate(spec, errors);
    not_negative(spec, "spec", &["revisionHistoryLimit"], errors);
}

/// Validates the update strategy.
fn update_strategy(spec: &Json, errors: &mut Errors) {
    let strategy = &spec["updateStrategy"];
    let path = "spec.updateStrategy.rollingUpdate";
    match text(&strategy["type"]) {
        "RollingUpdate" => {
            let (unavailable, surge) =
                (&strategy["rollingUpdate"]["maxUnavailable"], &strategy["rollingUpdate"]["maxSurge"]);
            count_or_percent(unavailable, &format!("{path}.maxUnavailable"), true, errors);
            count_or_percent(surge, &format!("{path}.maxSurge"), true, errors);
            let zero = |value: &Json| value.is_null() || is_zero(value);
            if zero(unavailable) && zero(surge) {
                let why = "cannot be 0 when maxSurge is 0";
                errors.push(FieldError::required(format!("{path}.maxUnavailable"), why));
            } else if !zero(unavailable) && !zero(surge) {
                wrong(
                    format!("{path}.maxSurge"),
                    surge,
                    "may not be set when maxUnavailable is non-zero",
                    errors,
                );
            }
        }
        "" | "OnDelete" => {}
        _ => {
            let supported = ["RollingUpdate", "OnDelete"];
            errors.push(FieldError::not_supported_json(
                "spec.updateStrategy",
                strategy_shown(strategy),
                &supported,
            ));
        }
    }
}
