//! The runtime class of a new pod: its overhead, and where the pod may run.

use client_rs_machinery::{ApiError, Json, Unstructured};

use super::admission::refused;
use crate::kinds::rules::{AdmissionPlugin, WriteContext};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{at, entries, list, text};

const MISMATCH: &str = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/// Copies the overhead, the node selector and the tolerations of its runtime class to a pod.
pub(super) fn apply(pod: &mut Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    if !context.runs(AdmissionPlugin::RuntimeClass) {
        return Ok(());
    }
    let Some(class) = class_of(pod, context)? else { return Ok(()) };
    let fixed = &at(&class, "overhead")["podFixed"];
    if !at(&class, "overhead").is_null() {
        let own = Amounts::of(&at(pod, "spec")["overhead"]);
        if !own.is_empty() && own != Amounts::of(fixed) {
            return Err(refused(pod, MISMATCH.to_owned()));
        }
        if Amounts::of(fixed).is_empty() {
            drop(pod.remove_nested(&["spec", "overhead"]));
        } else {
            drop(pod.set_nested(&["spec", "overhead"], fixed.clone()));
        }
    }
    let scheduling = at(&class, "scheduling");
    if scheduling.is_null() {
        return Ok(());
    }
    for (key, value) in entries(&scheduling["nodeSelector"]) {
        let own = at(pod, "spec")["nodeSelector"].get(key).and_then(Json::as_str);
        if let Some(own) = own.filter(|own| *own != value) {
            let why = format!(
                "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; pod.spec.nodeSelector[{key}] = {own}"
            );
            return Err(refused(pod, why));
        }
        drop(pod.set_nested(&["spec", "nodeSelector", key], value));
    }
    let all: Vec<Json> =
        list(&at(pod, "spec")["tolerations"]).chain(list(&scheduling["tolerations"])).cloned().collect();
    drop(pod.set_nested(&["spec", "tolerations"], Json::from(merged(&all))));
    Ok(())
}

/// Refuses a pod whose overhead is not that of its runtime class.
pub(super) fn check(pod: &Unstructured, context: &dyn WriteContext) -> Result<(), ApiError> {
    if !context.runs(AdmissionPlugin::RuntimeClass) {
        return Ok(());
    }
    let class = class_of(pod, context)?;
    let defined = class.as_ref().map(|class| at(class, "overhead")).filter(|overhead| !overhead.is_null());
    let own = &at(pod, "spec")["overhead"];
    match defined {
        Some(overhead) if Amounts::of(&overhead["podFixed"]) != Amounts::of(own) => {
            Err(refused(pod, MISMATCH.to_owned()))
        }
        None if !own.is_null() => {
            let why = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
            Err(refused(pod, why.to_owned()))
        }
        _ => Ok(()),
    }
}

fn class_of(pod: &Unstructured, context: &dyn WriteContext) -> Result<Option<Unstructured>, ApiError> {
    let Some(name) = at(pod, "spec")["runtimeClassName"].as_str() else { return Ok(None) };
    match context.find("node.k8s.io", "runtimeclasses", "", name) {
        Some(class) => Ok(Some(class)),
        None => Err(refused(pod, format!("pod rejected: RuntimeClass {name:?} not found"))),
    }
}

/// The tolerations without those that another one covers.
fn merged(all: &[Json]) -> Vec<Json> {
    let mut merged: Vec<Json> = Vec::new();
    for (index, toleration) in all.iter().enumerate() {
        let covered_before = merged.iter().any(|other| covers(other, toleration));
        let covered_later =
            all[index + 1..].iter().any(|other| other != toleration && covers(other, toleration));
        if !covered_before && !covered_later {
            merged.push(toleration.clone());
        }
    }
    merged
}

/// Whether one toleration tolerates everything that another does.
fn covers(wide: &Json, narrow: &Json) -> bool {
    if wide == narrow {
        return true;
    }
    let exists = text(&wide["operator"]) == "Exists";
    if wide["key"] != narrow["key"] && !(text(&wide["key"]).is_empty() && exists) {
        return false;
    }
    if wide["effect"] != narrow["effect"] && !text(&wide["effect"]).is_empty() {
        return false;
    }
    if text(&wide["effect"]) == "NoExecute"
        && let Some(seconds) = wide["tolerationSeconds"].as_i64()
        && narrow["tolerationSeconds"].as_i64().is_none_or(|own| own > seconds)
    {
        return false;
    }
    exists || text(&narrow["operator"]) == "Equal" && wide["value"] == narrow["value"]
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn tolerations_that_another_covers_are_left_out() {
        let all = [
            json!({"key": "a", "operator": "Equal", "value": "1", "effect": "NoSchedule"}),
            json!({"key": "b", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 10}),
            json!({"key": "a", "operator": "Exists"}),
            json!({"key": "b", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 20}),
            json!({"key": "b", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 10}),
        ];
        assert_eq!(merged(&all), [all[2].clone(), all[3].clone()]);
    }
}
