//! The changes that an update of a pod may make.

use client_rs_machinery::{FieldError, Json, Unstructured};

use crate::kinds::rules::Errors;
use crate::kinds::shared::checks::{at, entries, is_empty, list, text, wrong};

const UPDATABLE: &str = "pod updates may not change fields other than `spec.containers[*].image`,\
                         `spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to \
                         existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was \
                         previously negative)";
const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";

pub(super) fn validate(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    let (new, old) = (at(new, "spec"), at(old, "spec"));
    for kind in ["containers", "initContainers"] {
        if list(&new[kind]).count() != list(&old[kind]).count() {
            let path = format!("spec.{kind}");
            errors.push(FieldError::forbidden(path, "pod updates may not add or remove containers"));
            return;
        }
    }
    if !deadline(&new["activeDeadlineSeconds"], &old["activeDeadlineSeconds"], errors) {
        return;
    }
    tolerations(new, old, errors);
    gates(new, old, errors);
    let gated = list(&old["schedulingGates"]).next().is_some();
    if gated {
        placement(new, old, errors);
    }
    if fixed(new, gated) != fixed(old, gated) {
        errors.push(FieldError::forbidden("spec", UPDATABLE));
    }
}

/// The spec without what may change, or is checked by itself.
fn fixed(spec: &Json, gated: bool) -> Json {
    let mut spec = spec.clone();
    for field in ["activeDeadlineSeconds", "tolerations", "schedulingGates"] {
        spec.remove(&[field]);
    }
    for kind in ["containers", "initContainers", "ephemeralContainers"] {
        let containers = spec.path_mut(&[kind]).and_then(Json::as_list_mut);
        for container in containers.into_iter().flat_map(client_rs_machinery::List::make_mut) {
            container.remove(&["image"]);
        }
    }
    if gated {
        spec.remove(&["nodeSelector"]);
        spec.remove(&["affinity", "nodeAffinity"]);
        if is_empty(&spec["affinity"]) {
            spec.remove(&["affinity"]);
        }
    }
    spec
}

/// A deadline may be set, and may come earlier. False if nothing else is to be checked.
fn deadline(new: &Json, old: &Json, errors: &mut Errors) -> bool {
    const PATH: &str = "spec.activeDeadlineSeconds";
    match (new.as_i64(), old.as_i64()) {
        (Some(to), Some(from)) if to > from => {
            wrong(PATH, new, "must be less than or equal to previous value", errors);
            return false;
        }
        (None, Some(_)) => wrong(PATH, new, "must not update from a positive integer to nil value", errors),
        _ => {}
    }
    true
}

/// Tolerations may be added, and the time of one may change.
fn tolerations(new: &Json, old: &Json, errors: &mut Errors) {
    let timeless = |spec: &Json| -> Vec<Json> {
        let all = list(&spec["tolerations"]).cloned().map(|mut one| {
            one.remove(&["tolerationSeconds"]);
            one
        });
        all.collect()
    };
    let kept = timeless(new);
    if timeless(old).iter().any(|one| !kept.contains(one)) {
        let why = "existing toleration can not be modified except its tolerationSeconds";
        errors.push(FieldError::forbidden("spec.tolerations", why));
    }
}

/// Scheduling gates may be removed.
fn gates(new: &Json, old: &Json, errors: &mut Errors) {
    let had = |name: &str| list(&old["schedulingGates"]).any(|gate| text(&gate["name"]) == name);
    for (index, gate) in list(&new["schedulingGates"]).enumerate() {
        let name = text(&gate["name"]);
        if !had(name) {
            let why = format!("only deletion is allowed, but found new scheduling gate '{name}'");
            errors.push(FieldError::forbidden(format!("spec.schedulingGates[{index}].name"), why));
        }
    }
}

/// The required terms of a pod's node affinity.
fn terms(spec: &Json) -> &Json {
    &spec["affinity"]["nodeAffinity"][REQUIRED]["nodeSelectorTerms"]
}

/// The nodes of a pod that is not scheduled yet may become fewer.
fn placement(new: &Json, old: &Json, errors: &mut Errors) {
    let selector = &new["nodeSelector"];
    if entries(&old["nodeSelector"]).any(|(key, value)| selector[key].as_str() != Some(value)) {
        let why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
        wrong("spec.nodeSelector", selector, why, errors);
    }
    let path = format!("spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms");
    let (before, after): (Vec<&Json>, Vec<&Json>) = (list(terms(old)).collect(), list(terms(new)).collect());
    if before.is_empty() {
        return;
    }
    if before.len() != after.len() {
        let why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
        wrong(path, terms(new), why, errors);
        return;
    }
    for (index, (before, after)) in before.into_iter().zip(after).enumerate() {
        let parts = ["matchExpressions", "matchFields"];
        let was_empty = parts.iter().all(|part| is_empty(&before[*part]));
        let grows = |part: &str| {
            let of = |term: &Json| list(&term[part]).cloned().collect::<Vec<_>>();
            let (old, new) = (of(before), of(after));
            new.starts_with(&old) && (new.is_empty() || !was_empty)
        };
        if !parts.iter().all(|part| grows(part)) {
            let why = "only additions are allowed (no mutations or deletions)";
            wrong(format!("{path}[{index}]"), after, why, errors);
        }
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn pod(spec: Json) -> Unstructured {
        Unstructured::try_from(json!({"apiVersion": "v1", "kind": "Pod", "spec": spec})).unwrap()
    }

    fn paths(old: Json, new: Json) -> Vec<String> {
        let mut errors = Errors::default();
        validate(&pod(new), &pod(old), &mut errors);
        errors.into_iter().map(|error| error.field().to_owned()).collect()
    }

    #[test]
    fn images_deadlines_tolerations_and_gates_may_change_in_one_direction() {
        let of = |image: &str, deadline: i64, gates: Json| {
            json!({
                "containers": [{"name": "a", "image": image}], "activeDeadlineSeconds": deadline,
                "schedulingGates": gates, "terminationGracePeriodSeconds": 30,
                "tolerations": [{"key": "a", "tolerationSeconds": deadline}],
            })
        };
        let gate = json!([{"name": "example.com/a"}]);
        assert!(paths(of("x", 9, gate.clone()), of("y", 5, json!([]))).is_empty());
        assert_eq!(paths(of("x", 5, json!([])), of("x", 9, json!([]))), ["spec.activeDeadlineSeconds"]);
        assert_eq!(paths(of("x", 5, json!([])), of("x", 5, gate)), ["spec.schedulingGates[0].name"]);
        assert_eq!(
            paths(json!({"terminationGracePeriodSeconds": 30}), json!({"terminationGracePeriodSeconds": 1})),
            ["spec"]
        );
        assert_eq!(paths(json!({"tolerations": [{"key": "a"}]}), json!({})), ["spec.tolerations"]);
        assert_eq!(paths(json!({"containers": [{}]}), json!({})), ["spec.containers"]);
    }

    #[test]
    fn a_gated_pod_may_be_limited_to_fewer_nodes() {
        let of = |gated: bool, selector: Json, terms: Json| {
            let gates = if gated { json!([{"name": "example.com/a"}]) } else { json!([]) };
            json!({
                "schedulingGates": gates, "nodeSelector": selector,
                "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}},
            })
        };
        let one = json!([{"matchExpressions": [{"key": "a"}]}]);
        let two = json!([{"matchExpressions": [{"key": "a"}, {"key": "b"}]}]);
        let before = of(true, json!({"a": "1"}), one.clone());
        assert!(paths(before.clone(), of(true, json!({"a": "1", "b": "2"}), two.clone())).is_empty());
        assert_eq!(paths(before.clone(), of(true, json!({"a": "2"}), one.clone())), ["spec.nodeSelector"]);
        let terms =
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
        assert_eq!(
            paths(of(true, json!({}), two), of(true, json!({}), one.clone())),
            [format!("{terms}[0]")]
        );
        assert_eq!(paths(of(true, json!({}), one.clone()), of(true, json!({}), json!([]))), [terms]);
        // Without a gate it is fixed.
        assert_eq!(paths(of(false, json!({}), one.clone()), of(false, json!({"a": "1"}), one)), ["spec"]);
    }
}
