//! The resources that quotas count for pods.

use client_rs_machinery::{
    Duration, Json, Quantity, Time, Unstructured,
    collections::{VecMap, VecSet},
};

use crate::kinds::rules::{Charges, Scope, Touched, Written};
use crate::kinds::shared::amounts::Amounts;
use crate::kinds::shared::checks::{at, is_empty, list, text};
use crate::kinds::shared::pod_resources::{self, Side};

pub(super) const CHARGES: Charges = Charges { has, usage, on_update, in_scope, constraints };

/// The resources that have both requests and limits in quotas.
const COMPUTE: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
const REQUESTS: &str = "requests.";
const HUGE_PAGES: &str = "hugepages-";
const DEVICE_CLASS: &str = "deviceclass.resource.kubernetes.io/";

fn has(name: &str) -> bool {
    let bare = name.strip_prefix(REQUESTS).or_else(|| name.strip_prefix("limits.")).unwrap_or(name);
    if name == "pods" || COMPUTE.contains(&bare) || name.starts_with(HUGE_PAGES) {
        return true;
    }
    name.strip_prefix(REQUESTS).is_some_and(|bare| {
        bare.starts_with(HUGE_PAGES) || bare.starts_with(DEVICE_CLASS) || is_domain_resource(name)
    })
}

/// Whether the name is in a domain other than Kubernetes' own.
fn is_domain_resource(name: &str) -> bool {
    name.contains('/') && !name.contains("kubernetes.io/")
}

/// The usage of a pod. Pods that have terminated, or should have, use nothing.
fn usage(pod: &Unstructured, now: Time) -> Amounts {
    if is_over(pod, now) {
        return Amounts::default();
    }
    let of = |side| pod_resources::charged(pod, side);
    computed(&of(Side::Requests), &of(Side::Limits))
}

fn is_over(pod: &Unstructured, now: Time) -> bool {
    if matches!(text(&at(pod, "status")["phase"]), "Failed" | "Succeeded") {
        return true;
    }
    let (Some(deletion), Some(grace)) = (pod.deletion_timestamp(), pod.deletion_grace_period_seconds())
    else {
        return false;
    };
    let grace = Duration::from_nanos(grace.saturating_mul(1_000_000_000));
    deletion.checked_add(grace).is_some_and(|end| now > end)
}

fn computed(requests: &Amounts, limits: &Amounts) -> Amounts {
    let mut used = Amounts::default();
    used.set("pods", Quantity::from(1));
    for name in COMPUTE {
        if let Some(request) = requests.get(name) {
            used.set(name, request.clone());
            used.set(format!("{REQUESTS}{name}"), request.clone());
        }
        if let Some(limit) = limits.get(name) {
            used.set(format!("limits.{name}"), limit.clone());
        }
    }
    for (name, request) in requests.iter() {
        if name.starts_with(HUGE_PAGES) {
            used.set(name, request.clone());
            used.set(format!("{REQUESTS}{name}"), request.clone());
        } else if is_domain_resource(name) || name.starts_with(DEVICE_CLASS) {
            used.set(format!("{REQUESTS}{name}"), request.clone());
        }
    }
    used
}

/// An update changes the usage if it moves the pod to another scope, or resizes it.
fn on_update(write: &Written<'_>, old: &Unstructured) -> bool {
    match write.part {
        Touched::Whole => has_deadline(write.new) != has_deadline(old),
        Touched::Status => false,
        Touched::Other => resources(write.new) != resources(old),
    }
}

/// The resources of all containers.
pub(super) fn resources(pod: &Unstructured) -> Vec<&Json> {
    let spec = at(pod, "spec");
    let containers = list(&spec["containers"]).chain(list(&spec["initContainers"]));
    containers.map(|container| &container["resources"]).chain([&spec["resources"]]).collect()
}

fn has_deadline(pod: &Unstructured) -> bool {
    at(pod, "spec")["activeDeadlineSeconds"].as_i64().is_some_and(|seconds| seconds >= 0)
}

fn in_scope(scope: &Scope<'_>, pod: &Unstructured) -> bool {
    match scope.name {
        "Terminating" => has_deadline(pod),
        "NotTerminating" => !has_deadline(pod),
        "BestEffort" => super::quality_of_service(pod) == "BestEffort",
        "NotBestEffort" => super::quality_of_service(pod) != "BestEffort",
        "PriorityClass" => {
            let class = text(&at(pod, "spec")["priorityClassName"]);
            scope.selects(if class.is_empty() { &[] } else { std::slice::from_ref(&class) })
        }
        "CrossNamespacePodAffinity" => is_cross_namespace(&at(pod, "spec")["affinity"]),
        _ => false,
    }
}

fn is_cross_namespace(affinity: &Json) -> bool {
    let crosses = |term: &Json| !is_empty(&term["namespaces"]) || !term["namespaceSelector"].is_null();
    ["podAffinity", "podAntiAffinity"].iter().any(|kind| {
        let terms = &affinity[*kind];
        list(&terms["requiredDuringSchedulingIgnoredDuringExecution"]).any(crosses)
            || list(&terms["preferredDuringSchedulingIgnoredDuringExecution"])
                .any(|weighted| crosses(&weighted["podAffinityTerm"]))
    })
}

/// If a quota limits CPU or memory, each container must specify it.
fn constraints(required: &VecSet<&str>, pod: &Unstructured) -> Result<(), String> {
    let spec = at(pod, "spec");
    if pod_resources::has_pod_level(spec) {
        return Ok(());
    }
    let mut missing: VecMap<&str, VecSet<&str>> = VecMap::new();
    for container in list(&spec["containers"]).chain(list(&spec["initContainers"])) {
        let of = |side: &str| Amounts::of(&container["resources"][side]);
        let used = computed(&of("requests"), &of("limits"));
        for name in required {
            let bare = name.strip_prefix(REQUESTS).or_else(|| name.strip_prefix("limits.")).unwrap_or(name);
            if matches!(bare, "cpu" | "memory") && !used.has(name) {
                missing.entry(name).or_default().insert(text(&container["name"]));
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let missing = missing.iter().map(|(name, containers)| {
        let containers: Vec<&str> = containers.iter().copied().collect();
        format!("{name} for: {}", containers.join(","))
    });
    Err(format!("must specify {}", missing.collect::<Vec<_>>().join("; ")))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn pod(spec: Json) -> Unstructured {
        Unstructured::try_from(json!({"metadata": {"name": "p"}, "spec": spec})).unwrap()
    }

    #[test]
    fn a_pod_uses_its_requests_under_each_of_their_names() {
        let resources = json!({
            "requests": {"cpu": "1", "memory": "1Gi", "example.com/gpu": "2", "hugepages-2Mi": "4Mi"},
            "limits": {"cpu": "2"},
        });
        let used = usage(&pod(json!({"containers": [{"name": "a", "resources": resources}]})), Time::now());
        assert_eq!(
            used.shown(),
            "cpu=1,hugepages-2Mi=4Mi,limits.cpu=2,memory=1Gi,pods=1,requests.cpu=1,requests.example.com/gpu=2,\
             requests.hugepages-2Mi=4Mi,requests.memory=1Gi"
        );
        assert!(used.names().all(has));
        assert!(!has("services") && !has("requests.storage") && !has("x.storageclass.storage.k8s.io/pods"));
    }

    #[test]
    fn a_pod_that_is_over_uses_nothing() {
        let mut over = pod(json!({"containers": [{"name": "a"}]}));
        over.object.insert("status", json!({"phase": "Succeeded"}));
        assert!(usage(&over, Time::now()).is_empty());
    }

    #[test]
    fn containers_without_the_limited_resources_are_named() {
        let resources = json!({"requests": {"cpu": "1"}});
        let pod =
            pod(json!({"containers": [{"name": "b", "resources": resources}, {"name": "a"}, {"name": "c"}]}));
        let required = VecSet::from(["pods", "requests.cpu", "limits.memory"]);
        let why = constraints(&required, &pod).unwrap_err();
        assert_eq!(why, "must specify limits.memory for: a,b,c; requests.cpu for: a,c");
    }

    #[test]
    fn scopes_are_those_of_the_pod() {
        let spec = json!({
            "activeDeadlineSeconds": 5, "priorityClassName": "high", "containers": [{"name": "a"}],
            "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                {"namespaces": ["other"]},
            ]}},
        });
        let pod = pod(spec);
        let is_in = |scope: Json| Scope::of(&scope).iter().all(|scope| in_scope(scope, &pod));
        for scope in ["Terminating", "BestEffort", "PriorityClass", "CrossNamespacePodAffinity"] {
            assert!(is_in(json!({"scopes": [scope]})), "{scope}");
        }
        assert!(
            !is_in(json!({"scopes": ["NotTerminating"]})) && !is_in(json!({"scopes": ["NotBestEffort"]}))
        );
        let selected = |operator: &str, values: Json| {
            let one = json!({"scopeName": "PriorityClass", "operator": operator, "values": values});
            is_in(json!({"scopeSelector": {"matchExpressions": [one]}}))
        };
        assert!(selected("In", json!(["high", "low"])) && selected("Exists", json!([])));
        assert!(!selected("NotIn", json!(["high"])) && !selected("DoesNotExist", json!([])));
    }
}
