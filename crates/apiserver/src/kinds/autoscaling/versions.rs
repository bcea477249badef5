//! Converts autoscalers between `v1` and `v2`.
//!
//! `v1` has only the CPU metric. Everything else of `v2` is kept in annotations, in the format of an early version
//! of these fields.

use client_rs_machinery::{Json, Unstructured, json};

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";

/// Converts an object from `v1` to `v2`.
pub(super) fn to_second(object: &mut Unstructured) {
    let mut metrics: Vec<Json> =
        taken(object, METRICS).map(|old| each(&old, metric_to_second)).unwrap_or_default();
    if let Some(part) = remove(object, &["spec", "targetCPUUtilizationPercentage"]) {
        let target = json!({"type": "Utilization", "averageUtilization": part});
        let cpu = json!({"type": "Resource", "resource": {"name": "cpu", "target": target}});
        metrics.insert(0, cpu);
    }
    put(object, &["spec", "metrics"], metrics);
    if let Some(behavior) = taken(object, BEHAVIOR) {
        drop(object.set_nested(&["spec", "behavior"], capitals(&behavior, false)));
    }
    let mut current: Vec<Json> =
        taken(object, CURRENT).map(|old| each(&old, current_to_second)).unwrap_or_default();
    if let Some(part) = remove(object, &["status", "currentCPUUtilizationPercentage"]) {
        let cpu = json!({"name": "cpu", "current": {"averageUtilization": part}});
        current.insert(0, json!({"type": "Resource", "resource": cpu}));
    }
    put(object, &["status", "currentMetrics"], current);
    if let Some(conditions) = taken(object, CONDITIONS) {
        drop(object.set_nested(&["status", "conditions"], conditions));
    }
}

/// Converts an object from `v2` to `v1`.
pub(super) fn to_first(object: &mut Unstructured) {
    let metrics = remove(object, &["spec", "metrics"]).unwrap_or_default();
    let mut others = Vec::new();
    let mut cpu = None;
    for metric in metrics.as_list().into_iter().flatten() {
        let target = &metric["resource"]["target"];
        let is_cpu = metric["type"] == json!("Resource") && metric["resource"]["name"] == json!("cpu");
        if is_cpu && !target["averageUtilization"].is_null() && cpu.is_none() {
            cpu = Some(target["averageUtilization"].clone());
        } else {
            others.push(metric_to_first(metric));
        }
    }
    if let Some(part) = cpu {
        drop(object.set_nested(&["spec", "targetCPUUtilizationPercentage"], part));
    }
    keep(object, METRICS, &others.into());
    if let Some(behavior) = remove(object, &["spec", "behavior"]) {
        keep(object, BEHAVIOR, &capitals(&behavior, true));
    }
    let current = remove(object, &["status", "currentMetrics"]).unwrap_or_default();
    for metric in current.as_list().into_iter().flatten() {
        let part = &metric["resource"]["current"]["averageUtilization"];
        if metric["resource"]["name"] == json!("cpu") && !part.is_null() {
            drop(object.set_nested(&["status", "currentCPUUtilizationPercentage"], part.clone()));
        }
    }
    keep(object, CURRENT, &each(&current, current_to_first).into());
    if let Some(conditions) = remove(object, &["status", "conditions"]) {
        keep(object, CONDITIONS, &conditions);
    }
}

/// The fields of a target in `v2`, the field for each of them in `v1`, and the type of the target.
const VALUES: &[(&str, &str, &str)] = &[
    ("averageUtilization", "targetAverageUtilization", "Utilization"),
    ("averageValue", "targetAverageValue", "AverageValue"),
    ("value", "targetValue", "Value"),
];

fn field_of(metric: &Json) -> &'static str {
    match metric["type"].as_str().unwrap_or_default() {
        "Resource" => "resource",
        "ContainerResource" => "containerResource",
        "Pods" => "pods",
        "Object" => "object",
        "External" => "external",
        _ => "",
    }
}

/// The field of a metric's type, its content, and the converted content so far.
fn begun(metric: &Json) -> (&'static str, &Json, Json) {
    let field = field_of(metric);
    let source = &metric[field];
    let mut made = Json::EMPTY_MAP;
    for key in ["name", "container"] {
        copy(source, key, &mut made, key);
    }
    (field, source, made)
}

/// The metric with the converted content of its field.
fn ended(metric: &Json, field: &str, content: Json) -> Json {
    let mut made = json!({"type": metric["type"].clone()});
    let _ = made.set(&[field], content);
    made
}

fn metric_to_first(metric: &Json) -> Json {
    let (field, source, mut old) = begun(metric);
    copy(&source["metric"], "name", &mut old, "metricName");
    let selector = if field == "external" { "metricSelector" } else { "selector" };
    copy(&source["metric"], "selector", &mut old, selector);
    copy(source, "describedObject", &mut old, "target");
    for (new, first, _) in VALUES {
        // For an object metric, the average has the same name in both versions.
        let first = if field == "object" && *new == "averageValue" { "averageValue" } else { *first };
        copy(&source["target"], new, &mut old, first);
    }
    ended(metric, field, old)
}

fn metric_to_second(metric: &Json) -> Json {
    let (field, source, mut new) = begun(metric);
    copy(source, "target", &mut new, "describedObject");
    let mut named = Json::EMPTY_MAP;
    copy(source, "metricName", &mut named, "name");
    copy(source, if field == "external" { "metricSelector" } else { "selector" }, &mut named, "selector");
    if named != Json::EMPTY_MAP {
        let _ = new.set(&["metric"], named);
    }
    let mut target = Json::EMPTY_MAP;
    for (second, first, kind) in VALUES {
        let first = if field == "object" && *second == "averageValue" { "averageValue" } else { *first };
        if !source[first].is_null() {
            let _ = target.set(&["type"], *kind);
            copy(source, first, &mut target, second);
        }
    }
    let _ = new.set(&["target"], target);
    ended(metric, field, new)
}

const CURRENTS: &[(&str, &str)] = &[
    ("averageUtilization", "currentAverageUtilization"),
    ("averageValue", "currentAverageValue"),
    ("value", "currentValue"),
];

fn current_to_first(metric: &Json) -> Json {
    let (field, source, mut old) = begun(metric);
    copy(&source["metric"], "name", &mut old, "metricName");
    copy(source, "describedObject", &mut old, "target");
    for (new, first) in CURRENTS {
        copy(&source["current"], new, &mut old, first);
    }
    ended(metric, field, old)
}

fn current_to_second(metric: &Json) -> Json {
    let (field, source, mut new) = begun(metric);
    copy(source, "target", &mut new, "describedObject");
    if !source["metricName"].is_null() {
        let _ = new.set(&["metric", "name"], source["metricName"].clone());
    }
    let mut current = Json::EMPTY_MAP;
    for (second, first) in CURRENTS {
        copy(source, first, &mut current, second);
    }
    let _ = new.set(&["current"], current);
    ended(metric, field, new)
}

/// Capitalizes the keys of the behaviour, as the real server's internal type encodes them.
fn capitals(value: &Json, upper: bool) -> Json {
    match value {
        Json::Map(map) => Json::Map(
            map.iter()
                .map(|(key, value)| {
                    let mut letters = key.chars();
                    let first = letters.next().map(|first| {
                        if upper { first.to_ascii_uppercase() } else { first.to_ascii_lowercase() }
                    });
                    let key: String = first.into_iter().chain(letters).collect();
                    (client_rs_machinery::Str::from(key), capitals(value, upper))
                })
                .filter(|(_, value): &(_, Json)| !value.is_null())
                .collect(),
        ),
        Json::List(list) => list.iter().map(|value| capitals(value, upper)).collect::<Vec<_>>().into(),
        other => other.clone(),
    }
}

fn each(list: &Json, made: fn(&Json) -> Json) -> Vec<Json> {
    list.as_list().into_iter().flatten().map(made).collect()
}

fn copy(from: &Json, key: &str, to: &mut Json, name: &str) {
    if let Some(value) = from.get(key).filter(|value| !value.is_null()) {
        // It can't fail: the target is an object.
        let _ = to.set(&[name], value.clone());
    }
}

/// Removes an annotation and returns its value. Malformed JSON is dropped, as in the real server.
fn taken(object: &mut Unstructured, key: &str) -> Option<Json> {
    let value = Json::parse(object.annotation(key)?.as_bytes()).ok();
    let mut annotations = object.nested(&["metadata", "annotations"]).ok().flatten().cloned()?;
    annotations.as_map_mut()?.remove(key);
    if annotations == Json::EMPTY_MAP {
        drop(object.remove_nested(&["metadata", "annotations"]));
    } else {
        drop(object.set_nested(&["metadata", "annotations"], annotations));
    }
    value
}

fn keep(object: &mut Unstructured, key: &str, value: &Json) {
    if value.as_list().is_some_and(client_rs_machinery::List::is_empty) || value.is_null() {
        return;
    }
    object.set_annotation(key, value.to_string());
}

fn remove(object: &mut Unstructured, path: &[&str]) -> Option<Json> {
    let value = object.nested(path).ok().flatten().cloned()?;
    drop(object.remove_nested(path));
    Some(value).filter(|value| !value.is_null())
}

fn put(object: &mut Unstructured, path: &[&str], list: Vec<Json>) {
    if !list.is_empty() {
        drop(object.set_nested(path, Json::from(list)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Json) -> Unstructured {
        value.try_into().unwrap()
    }

    #[test]
    fn the_cpu_target_of_v1_is_a_metric_in_v2() {
        let first = object(json!({
            "apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "a"},
            "spec": {"maxReplicas": 3, "targetCPUUtilizationPercentage": 50},
            "status": {"currentReplicas": 1, "currentCPUUtilizationPercentage": 40},
        }));
        let mut second = first.clone();
        to_second(&mut second);
        let target = json!({"type": "Utilization", "averageUtilization": 50});
        let metrics = json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}]);
        assert_eq!(second.nested(&["spec", "metrics"]), Ok(Some(&metrics)));
        to_first(&mut second);
        // The current metrics are kept in both forms.
        assert!(second.annotation(CURRENT).is_some());
        assert_eq!(second.object.get("spec"), first.object.get("spec"));
    }

    #[test]
    fn fields_that_v1_does_not_have_are_in_annotations() {
        let second = object(json!({
            "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "a"},
            "spec": {
                "maxReplicas": 3,
                "metrics": [
                    {"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "1Gi"}}},
                    {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"}}},
                    {"type": "External", "external": {
                        "metric": {"name": "q", "selector": {"matchLabels": {"a": "b"}}},
                        "target": {"type": "Value", "value": "7"},
                    }},
                ],
                "behavior": {"scaleDown": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}},
            },
            "status": {"conditions": [{"type": "AbleToScale", "status": "True"}]},
        }));
        let mut first = second.clone();
        to_first(&mut first);
        let metrics = Json::parse(first.annotation(METRICS).unwrap().as_bytes()).unwrap();
        assert_eq!(
            metrics[0],
            json!({"type": "Resource", "resource": {"name": "memory", "targetAverageValue": "1Gi"}})
        );
        assert!(first.annotation(BEHAVIOR).unwrap().contains("\"ScaleDown\""));
        assert_eq!(first.nested(&["spec", "metrics"]), Ok(None));
        to_second(&mut first);
        assert_eq!(first.object.get("spec"), second.object.get("spec"));
        assert_eq!(first.object.get("status"), second.object.get("status"));
    }
}
