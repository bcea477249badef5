//! `HorizontalPodAutoscaler`, in the form of `v2`, in which it is stored.

use client_rs_machinery::{FieldError, Json, Map, Quantity, Unstructured, json, validation};

use super::versions;
use crate::kinds::columns::{self, Column};
use crate::kinds::conversion::Conversion;
use crate::kinds::rules::{Errors, KindRules, StatusRules};
use crate::kinds::shared::checks::{
    at, invalid, is_empty, list, not_negative, one_of, quantity, required, text, wrong,
};
use crate::kinds::shared::defaulting::{default, items, within};

pub(super) const RULES: KindRules = KindRules {
    plural: "horizontalpodautoscalers",
    columns: Some(COLUMNS),
    stored_version: Some("v2"),
    conversion: Some(&CONVERSION),
    defaults,
    status: StatusRules {
        validate: |new, _, errors| validate_status(at(new, "status"), errors),
        ..StatusRules::DEFAULT
    },
    validate,
    ..super::SHARED
};

fn validate_status(status: &Json, errors: &mut Errors) {
    for (index, condition) in list(&status["conditions"]).enumerate() {
        not_negative(condition, &format!("status.conditions[{index}]"), &["observedGeneration"], errors);
    }
    not_negative(status, "status", &["currentReplicas", "desiredReplicas"], errors);
}

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Reference", "What is scaled.", |object, _| {
        let target = columns::at(object, &["spec", "scaleTargetRef"]);
        format!("{}/{}", text(&target["kind"]), text(&target["name"])).into()
    }),
    columns::text("Targets", "Current and wanted values.", |object, _| targets(object)),
    columns::text("MinPods", "Least number of pods.", |object, _| {
        columns::at(object, &["spec", "minReplicas"])
            .as_i64()
            .map_or_else(|| "<unset>".into(), |count| count.to_string().into())
    }),
    columns::text("MaxPods", "Largest number of pods.", |object, _| {
        columns::number(columns::at(object, &["spec", "maxReplicas"])).into()
    }),
    columns::text("Replicas", "Current number of pods.", |object, _| {
        columns::number(columns::at(object, &["status", "currentReplicas"])).into()
    }),
    columns::AGE,
];

/// Current and wanted values of the metrics.
fn targets(object: &Unstructured) -> Json {
    let current: Vec<&Json> = list(columns::at(object, &["status", "currentMetrics"])).collect();
    let mut all = Vec::new();
    for (index, metric) in list(columns::at(object, &["spec", "metrics"])).enumerate() {
        // The part with the name of its type has the values.
        let field = match text(&metric["type"]) {
            "ContainerResource" => "containerResource",
            "Resource" => "resource",
            "Pods" => "pods",
            "Object" => "object",
            _ => "external",
        };
        let (wanted, now) = (&metric[field]["target"], current.get(index).map(|one| &one[field]["current"]));
        let (kind, unit) = match text(&wanted["type"]) {
            "Utilization" => ("averageUtilization", "%"),
            "AverageValue" => ("averageValue", ""),
            _ => ("value", ""),
        };
        let shown = |value: &Json| value.as_str().map_or_else(|| format!("{value}{unit}"), str::to_owned);
        let now = now
            .map(|now| &now[kind])
            .filter(|now| !now.is_null())
            .map_or_else(|| "<unknown>".to_owned(), shown);
        let name = if field.to_ascii_lowercase().ends_with("resource") {
            format!("{}: ", text(&metric[field]["name"]))
        } else {
            String::new()
        };
        let average =
            if kind == "averageValue" && ["object", "external"].contains(&field) { " (avg)" } else { "" };
        all.push(format!("{name}{now}/{}{average}", shown(&wanted[kind])));
    }
    // The older version has one number only.
    if let Some(wanted) = columns::at(object, &["spec", "targetCPUUtilizationPercentage"]).as_i64() {
        let now = columns::at(object, &["status", "currentCPUUtilizationPercentage"]).as_i64();
        let now = now.map_or_else(|| "<unknown>".to_owned(), |now| format!("{now}%"));
        all.push(format!("cpu: {now}/{wanted}%"));
    }
    match all.len() {
        0 => "<none>".into(),
        1 | 2 => all.join(", ").into(),
        count => format!("{} + {} more...", all[..2].join(", "), count - 2).into(),
    }
}

static CONVERSION: Conversion = Conversion {
    version: "v1",
    stored_group: "autoscaling",
    to_stored: |mut object| {
        object.set_api_version("autoscaling/v2");
        versions::to_second(&mut object);
        object
    },
    to_served: |mut object| {
        object.set_api_version("autoscaling/v1");
        versions::to_first(&mut object);
        object
    },
};

const SOURCES: &[(&str, &str)] = &[
    ("ContainerResource", "containerResource"),
    ("External", "external"),
    ("Object", "object"),
    ("Pods", "pods"),
    ("Resource", "resource"),
];

/// The longest stabilization window, in seconds.
const WINDOW_MAX: i64 = 3600;

const PERIOD_MAX: i64 = 1800;

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    default(spec, "minReplicas", 1);
    if items(spec, "metrics").next().is_none() {
        let target = json!({"type": "Utilization", "averageUtilization": 80});
        spec.insert("metrics", json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}]));
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let (min, max) = (spec["minReplicas"].as_i64().unwrap_or(1), spec["maxReplicas"].as_i64().unwrap_or(0));
    let metrics = &spec["metrics"];
    if min < 0 {
        wrong("spec.minReplicas", &spec["minReplicas"], "must be greater than or equal to 0", errors);
    }
    if max < min {
        wrong(
            "spec.maxReplicas",
            &spec["maxReplicas"],
            "must be greater than or equal to `minReplicas`",
            errors,
        );
    }
    if max == 0 {
        errors.push(FieldError::required("spec.maxReplicas", ""));
    }
    let target = &spec["scaleTargetRef"];
    for field in ["kind", "name"] {
        if required(target, "spec.scaleTargetRef", field, errors) {
            let value = text(&target[field]);
            invalid(
                &format!("spec.scaleTargetRef.{field}"),
                value,
                validation::path_segment_name(value),
                errors,
            );
        }
    }
    for (index, metric) in list(metrics).enumerate() {
        self::metric(metric, &format!("spec.metrics[{index}]"), errors);
    }
    let outside = |metric: &Json| ["Object", "External"].contains(&text(&metric["type"]));
    if min == 0 && !list(metrics).any(outside) {
        let why = "must specify at least one Object or External metric to support scaling to zero replicas";
        errors.push(FieldError::forbidden("spec.metrics", why));
    }
    for direction in ["scaleUp", "scaleDown"] {
        behavior(&spec["behavior"][direction], &format!("spec.behavior.{direction}"), errors);
    }
}

fn metric(metric: &Json, path: &str, errors: &mut Errors) {
    let kind = text(&metric["type"]);
    if kind.is_empty() {
        errors.push(FieldError::required(format!("{path}.type"), "must specify a metric source type"));
    }
    let Some((_, field)) = SOURCES.iter().find(|(name, _)| *name == kind) else {
        let names: Vec<&str> = SOURCES.iter().map(|(name, _)| *name).collect();
        errors.push(FieldError::not_supported(format!("{path}.type"), kind, &names));
        return;
    };
    let (source, path) = (&metric[*field], format!("{path}.{field}"));
    if source.is_null() {
        errors.push(FieldError::required(path, "must populate information for the given metric source"));
        return;
    }
    match *field {
        "resource" | "containerResource" => {
            if is_empty(&source["name"]) {
                errors.push(FieldError::required(format!("{path}.name"), "must specify a resource name"));
            }
            target(&source["target"], &format!("{path}.target"), errors);
            let of = |field: &str| !source["target"][field].is_null();
            if !of("averageUtilization") && !of("averageValue") {
                let why = "must set either a target raw value or a target utilization";
                errors.push(FieldError::required(format!("{path}.target.averageUtilization"), why));
            }
        }
        _ => {
            if is_empty(&source["metric"]["name"]) {
                errors
                    .push(FieldError::required(format!("{path}.metric.name"), "must specify a metric name"));
            }
            target(&source["target"], &format!("{path}.target"), errors);
            if *field == "pods" && source["target"]["averageValue"].is_null() {
                let why = "must specify a positive target averageValue";
                errors.push(FieldError::required(format!("{path}.target.averageValue"), why));
            }
        }
    }
}

fn target(target: &Json, path: &str, errors: &mut Errors) {
    let kind = text(&target["type"]);
    if kind.is_empty() {
        errors.push(FieldError::required(format!("{path}.type"), "must specify a metric target type"));
    }
    if !["Utilization", "Value", "AverageValue"].contains(&kind) {
        let why = "must be either Utilization, Value, or AverageValue";
        errors.push(FieldError::invalid(format!("{path}.type"), kind, why));
    }
    let utilization = &target["averageUtilization"];
    if utilization.as_i64().is_some_and(|part| part < 1) {
        wrong(format!("{path}.averageUtilization"), utilization, "must be greater than 0", errors);
    }
    for field in ["value", "averageValue"] {
        let zero = Quantity::default();
        if !target[field].is_null() && quantity(&target[field]).is_some_and(|value| value <= zero) {
            wrong(format!("{path}.{field}"), &target[field], "must be positive", errors);
        }
    }
}

fn behavior(rules: &Json, path: &str, errors: &mut Errors) {
    let window = &rules["stabilizationWindowSeconds"];
    match window.as_i64() {
        Some(seconds) if seconds < 0 => {
            let why = "must be greater than or equal to zero";
            wrong(format!("{path}.stabilizationWindowSeconds"), window, why, errors);
        }
        Some(seconds) if seconds > WINDOW_MAX => {
            let why = format!("must be less than or equal to {WINDOW_MAX}");
            wrong(format!("{path}.stabilizationWindowSeconds"), window, &why, errors);
        }
        _ => {}
    }
    one_of(rules, path, "selectPolicy", &["Disabled", "Max", "Min"], errors);
    for (index, policy) in list(&rules["policies"]).enumerate() {
        let path = format!("{path}.policies[{index}]");
        one_of(policy, &path, "type", &["Percent", "Pods"], errors);
        for field in ["value", "periodSeconds"] {
            if policy[field].as_i64().unwrap_or_default() <= 0 {
                wrong(format!("{path}.{field}"), &policy[field], "must be greater than zero", errors);
            }
        }
        if policy["periodSeconds"].as_i64().is_some_and(|seconds| seconds > PERIOD_MAX) {
            let why = format!("must be less than or equal to {PERIOD_MAX}");
            wrong(format!("{path}.periodSeconds"), &policy["periodSeconds"], &why, errors);
        }
    }
}
