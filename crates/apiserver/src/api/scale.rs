//! The scale of a workload: its replicas, whatever its kind.

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Json, Unstructured, json};

use crate::registry::Served;

/// The scale of an object.
pub(crate) fn of(served: &Served, object: &Unstructured) -> Json {
    let meta = |key: &str| object.object.get("metadata").and_then(|meta| meta.get(key)).cloned();
    let replicas = |part: &str| object.nested_i64(&[part, "replicas"]).ok().flatten().unwrap_or(0);
    let selector = object.nested(&["spec", "selector"]).ok().flatten();
    let selector = selector.map(|selector| text(served, selector)).unwrap_or_default();
    let mut scale = json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1",
        "metadata": {
            "name": object.name(), "namespace": object.namespace(), "uid": object.uid(),
            "resourceVersion": object.resource_version(), "creationTimestamp": meta("creationTimestamp"),
        },
        "spec": {"replicas": replicas("spec")},
        "status": {"replicas": replicas("status"), "selector": selector},
    });
    if replicas("spec") == 0 {
        scale.remove(&["spec", "replicas"]);
    }
    scale
}

/// The object with the replicas of a scale.
pub(crate) fn applied(object: &Unstructured, scale: &Unstructured) -> Unstructured {
    let mut scaled = object.clone();
    let replicas = scale.nested_i64(&["spec", "replicas"]).ok().flatten().unwrap_or(0);
    drop(scaled.set_nested(&["spec", "replicas"], replicas));
    scaled.set_resource_version(scale.resource_version());
    scaled
}

/// A selector as text.
fn text(served: &Served, selector: &Json) -> String {
    // A ReplicationController's selector is the labels themselves.
    let plain = served.info.plural == "replicationcontrollers";
    let labels = if plain { selector } else { &selector["matchLabels"] };
    let pairs = labels.as_map().into_iter().flatten();
    let pairs = pairs.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default()));
    let expressions = selector["matchExpressions"].as_list().into_iter().flatten().filter_map(expression);
    Selector::from_label_selector(pairs, expressions).map(|selector| selector.to_string()).unwrap_or_default()
}

pub(crate) fn expression(value: &Json) -> Option<(String, String, Vec<String>)> {
    let values = value["values"].as_list().into_iter().flatten();
    let values = values.filter_map(Json::as_str).map(str::to_owned).collect();
    Some((value["key"].as_str()?.to_owned(), value["operator"].as_str()?.to_owned(), values))
}
