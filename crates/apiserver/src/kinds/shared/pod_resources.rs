//! The resources that a pod as a whole requests, and its limits.

use client_rs_machinery::{Json, Unstructured};

use super::amounts::Amounts;
use super::checks::{at, list, text};

/// The amounts of a container that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Requests,
    Limits,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Limits => "limits",
        }
    }
}

/// The amounts in the spec: of all containers and of the pod itself, without overhead.
pub(crate) fn of_spec(spec: &Json, side: Side) -> Amounts {
    let mut sum = of_containers(spec, &|container| Amounts::of(&container["resources"][side.name()]));
    for (name, amount) in Amounts::of(&spec["resources"][side.name()]).iter() {
        if is_pod_level(name) {
            sum.set(name, amount.clone());
        }
    }
    sum
}

/// The amounts that a quota charges: the largest of spec, allocation and status, with overhead.
pub(crate) fn charged(pod: &Unstructured, side: Side) -> Amounts {
    let (spec, status) = (at(pod, "spec"), at(pod, "status"));
    let infeasible = list(&status["conditions"]).any(|condition| {
        text(&condition["type"]) == "PodResizePending" && text(&condition["reason"]) == "Infeasible"
    });
    let of_status = |container: &Json| {
        let name = text(&container["name"]);
        let mut all = list(&status["containerStatuses"]).chain(list(&status["initContainerStatuses"]));
        all.find(|status| text(&status["name"]) == name).cloned().unwrap_or_default()
    };
    let of_container = |container: &Json| {
        if infeasible { Amounts::default() } else { Amounts::of(&container["resources"][side.name()]) }
    };
    let actual = of_containers(spec, &|container| {
        let status = of_status(container);
        let own = &status["resources"][side.name()];
        match (own.is_null(), side, status["allocatedResources"].is_null()) {
            (false, _, _) => Amounts::of(own),
            (true, Side::Requests, false) => Amounts::of(&status["allocatedResources"]),
            _ => of_container(container),
        }
    });
    let mut sum = if infeasible {
        Amounts::default()
    } else {
        of_containers(spec, &|container| Amounts::of(&container["resources"][side.name()]))
    };
    sum.raise_to(&actual);
    if side == Side::Requests {
        sum.raise_to(&of_containers(spec, &|container| {
            let allocated = of_status(container)["allocatedResources"].clone();
            if allocated.is_null() { of_container(container) } else { Amounts::of(&allocated) }
        }));
    }
    for (name, amount) in Amounts::of(&spec["resources"][side.name()]).iter() {
        if is_pod_level(name) {
            sum.set(name, amount.clone());
        }
    }
    let overhead = Amounts::of(&spec["overhead"]);
    match side {
        Side::Requests => sum.add_all(&overhead),
        // A limit of zero is no limit.
        Side::Limits => {
            let limited = overhead.filtered(|name, _| sum.get(name).is_some_and(|limit| !limit.is_zero()));
            sum.add_all(&limited);
        }
    }
    sum
}

/// Whether the pod itself has resources, in addition to its containers.
pub(crate) fn has_pod_level(spec: &Json) -> bool {
    [Side::Requests, Side::Limits]
        .iter()
        .any(|side| Amounts::of(&spec["resources"][side.name()]).names().any(is_pod_level))
}

fn is_pod_level(name: &str) -> bool {
    matches!(name, "cpu" | "memory") || name.starts_with("hugepages-")
}

/// The sum over the containers that run at the same time, but at least the largest need during the start.
fn of_containers(spec: &Json, of: &dyn Fn(&Json) -> Amounts) -> Amounts {
    let mut sum = Amounts::default();
    list(&spec["containers"]).for_each(|container| sum.add_all(&of(container)));
    // Sidecars keep running after their start.
    let (mut sidecars, mut start) = (Amounts::default(), Amounts::default());
    for container in list(&spec["initContainers"]) {
        let own = of(container);
        if text(&container["restartPolicy"]) == "Always" {
            sum.add_all(&own);
            sidecars.add_all(&own);
            start.raise_to(&sidecars);
        } else {
            let mut needed = own;
            needed.add_all(&sidecars);
            start.raise_to(&needed);
        }
    }
    sum.raise_to(&start);
    sum
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    fn container(cpu: &str, policy: &str) -> Json {
        let resources = json!({"requests": {"cpu": cpu}, "limits": {"cpu": cpu}});
        json!({"name": format!("c{cpu}"), "resources": resources, "restartPolicy": policy})
    }

    #[test]
    fn a_pod_needs_its_containers_or_the_largest_step_of_its_start() {
        let spec = json!({
            "containers": [container("1", ""), container("2", "")],
            "initContainers": [container("4", ""), container("1", "Always"), container("5", "")],
        });
        assert_eq!(of_spec(&spec, Side::Requests).shown(), "cpu=6");
        let spec = json!({
            "containers": [container("1", "")], "resources": {"requests": {"cpu": "3", "example.com/gpu": "1"}},
        });
        assert_eq!(of_spec(&spec, Side::Requests).shown(), "cpu=3");
        assert_eq!(of_spec(&spec, Side::Limits).shown(), "cpu=1");
    }

    #[test]
    fn a_quota_charges_the_larger_of_spec_and_status_and_the_overhead() {
        let pod = json!({
            "spec": {"containers": [container("1", "")], "overhead": {"cpu": "250m", "memory": "1Mi"}},
            "status": {"containerStatuses": [{"name": "c1", "allocatedResources": {"cpu": "2"}}]},
        });
        let pod = Unstructured::try_from(pod).unwrap();
        assert_eq!(charged(&pod, Side::Requests).shown(), "cpu=2250m,memory=1Mi");
        assert_eq!(charged(&pod, Side::Limits).shown(), "cpu=1250m");
    }
}
