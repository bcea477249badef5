//! What runs pods for ever.

use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::{FieldError, Json, json};

use super::common::{
    Errors, count_or_percent, is_empty, is_zero, label_selector, list, not_negative, one_of, parsed, text,
    wrong,
};
use super::{pods, storage};

pub(super) fn check(plural: &str, spec: &Json, errors: &mut Errors) {
    match plural {
        "statefulsets" => stateful_set(spec, errors),
        "daemonsets" => update_strategy(spec, errors),
        _ => {}
    }
    if plural != "daemonsets" {
        not_negative(spec, "spec", &["replicas"], errors);
    }
    let selector = selector(plural, spec, errors);
    template(plural, spec, selector.as_ref(), errors);
    not_negative(spec, "spec", &["minReadySeconds"], errors);
    if plural == "deployments" {
        deployment(spec, errors);
    } else if plural == "daemonsets" {
        not_negative(spec, "spec", &["revisionHistoryLimit"], errors);
    }
}

/// The selector; `None` where it says nothing that could be held against a template.
fn selector(plural: &str, spec: &Json, errors: &mut Errors) -> Option<Selector> {
    let selector = &spec["selector"];
    if selector.is_null() {
        if plural != "daemonsets" {
            errors.push(FieldError::required("spec.selector", ""));
        }
        return Some(Selector::nothing());
    }
    label_selector(selector, "spec.selector", errors);
    if is_empty(selector) {
        // The real server's word for a replica set is that of a deployment.
        let kind = match plural {
            "statefulsets" => "statefulset",
            "daemonsets" => "daemonset",
            _ => "deployment",
        };
        let why = format!("empty selector is invalid for {kind}");
        errors.push(FieldError::invalid_json("spec.selector", "{}", why));
        return Some(Selector::everything());
    }
    let parsed = parsed(selector);
    if parsed.is_none() && plural != "daemonsets" {
        let why = if plural == "statefulsets" { "" } else { "invalid label selector" };
        errors.push(FieldError::invalid_json("spec.selector", shown(selector), why));
    }
    parsed
}

/// A selector as the real server writes it, whose fields have an order.
fn shown(selector: &Json) -> String {
    let mut parts = Vec::new();
    if !is_empty(&selector["matchLabels"]) {
        parts.push(format!("\"matchLabels\":{}", selector["matchLabels"]));
    }
    if !is_empty(&selector["matchExpressions"]) {
        parts.push(format!("\"matchExpressions\":{}", selector["matchExpressions"]));
    }
    format!("{{{}}}", parts.join(","))
}

fn template(plural: &str, spec: &Json, selector: Option<&Selector>, errors: &mut Errors) {
    let (path, template) = ("spec.template", &spec["template"]);
    // Each claim becomes a volume of its name, in place of the template's own if there is one.
    let claims = if plural == "statefulsets" { &spec["volumeClaimTemplates"] } else { &Json::Null };
    let claims: Vec<&str> = list(claims).map(|claim| text(&claim["metadata"]["name"])).collect();
    let labels = &template["metadata"]["labels"];
    // A selector that is none has been told of, and its template is not looked at.
    let Some(selector) = selector else {
        if plural == "daemonsets" {
            pod_template(template, &claims, path, errors);
        }
        return;
    };
    let lookup = labels::from_fn(|key| labels.get(key).and_then(Json::as_str));
    if !selector.matches(&lookup) {
        let why = "`selector` does not match template `labels`";
        wrong("spec.template.metadata.labels", labels, why, errors);
    }
    pod_template(template, &claims, path, errors);
    let policy = template["spec"]["restartPolicy"].as_str().unwrap_or("Always");
    if ["OnFailure", "Never"].contains(&policy) {
        errors.push(FieldError::not_supported("spec.template.spec.restartPolicy", policy, &["Always"]));
    }
    if !template["spec"]["activeDeadlineSeconds"].is_null() {
        let kind = match plural {
            "statefulsets" => "StatefulSet",
            "daemonsets" => "DaemonSet",
            _ => "ReplicaSet",
        };
        let why = format!("activeDeadlineSeconds in {kind} is not Supported");
        errors.push(FieldError::forbidden("spec.template.spec.activeDeadlineSeconds", why));
    }
}

/// A template of pods, which is checked as a pod is. The pods also get a volume for each of these claims.
pub(super) fn pod_template(template: &Json, claims: &[&str], path: &str, errors: &mut Errors) {
    super::common::labels(&template["metadata"]["labels"], &format!("{path}.labels"), errors);
    pods::spec_with_claims(&template["spec"], claims, &format!("{path}.spec"), errors);
}

fn deployment(spec: &Json, errors: &mut Errors) {
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

/// A strategy as the real server shows one that it does not know.
fn strategy_shown(strategy: &Json) -> String {
    format!("{{\"Type\":{},\"RollingUpdate\":null}}", strategy["type"])
}

fn stateful_set(spec: &Json, errors: &mut Errors) {
    let policy = text(&spec["podManagementPolicy"]);
    if !["", "OrderedReady", "Parallel"].contains(&policy) {
        let why = "must be 'OrderedReady' or 'Parallel'";
        errors.push(FieldError::invalid("spec.podManagementPolicy", policy, why));
    }
    let strategy = &spec["updateStrategy"];
    let rolling = &strategy["rollingUpdate"];
    match text(&strategy["type"]) {
        "OnDelete" if !rolling.is_null() => {
            let shown = format!(
                "{{\"Partition\":{},\"MaxUnavailable\":{}}}",
                rolling.get("partition").unwrap_or(&json!(0)),
                rolling["maxUnavailable"]
            );
            let why = "only allowed for updateStrategy 'RollingUpdate'";
            errors.push(FieldError::invalid_json("spec.updateStrategy.rollingUpdate", shown, why));
        }
        "RollingUpdate" => {
            let path = "spec.updateStrategy.rollingUpdate";
            not_negative(rolling, path, &["partition"], errors);
            count_or_percent(&rolling["maxUnavailable"], &format!("{path}.maxUnavailable"), true, errors);
        }
        "" | "OnDelete" => {}
        _ => {
            let why = "must be 'RollingUpdate' or 'OnDelete'";
            errors.push(FieldError::invalid_json("spec.updateStrategy", strategy_shown(strategy), why));
        }
    }
    let retention = &spec["persistentVolumeClaimRetentionPolicy"];
    for field in ["whenDeleted", "whenScaled"] {
        one_of(retention, "spec.persistentVolumeClaimRetentionPolicy", field, &["Retain", "Delete"], errors);
    }
    not_negative(&spec["ordinals"], "spec.ordinals", &["start"], errors);
    for (index, claim) in list(&spec["volumeClaimTemplates"]).enumerate() {
        storage::claim(&claim["spec"], &format!("spec.volumeClaimTemplates[{index}].spec"), errors);
    }
}

/// How a daemon set replaces its pods.
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
