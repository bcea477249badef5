//! Pods as controllers see them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::{Pod, PodTemplateSpec};
use client_rs_machinery::meta::v1::{ObjectMeta, OwnerReference};
use client_rs_machinery::{Object, Str, Time};

use crate::clock::{seconds, since};

/// Lower costs are deleted first.
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// A pod whose containers have all ended, for good.
pub(crate) fn is_finished(pod: &Pod) -> bool {
    matches!(&*pod.status.phase, "Succeeded" | "Failed")
}

/// A pod that is not over and not on its way out.
pub(crate) fn is_active(pod: &Pod) -> bool {
    !is_finished(pod) && !pod.is_being_deleted()
}

/// Whether a pod is ready.
pub(crate) fn is_ready(pod: &Pod) -> bool {
    pod.status.conditions.iter().any(|condition| &*condition.type_ == "Ready" && &*condition.status == "True")
}

/// Since when a pod is ready.
fn ready_since(pod: &Pod) -> Option<Time> {
    let ready = pod.status.conditions.iter().find(|condition| &*condition.type_ == "Ready");
    ready.filter(|condition| &*condition.status == "True")?.last_transition_time
}

/// How long it takes until a pod is available, if nothing changes: zero if it is, `None` if it is not ready.
pub(crate) fn available_in(pod: &Pod, min_ready_seconds: i32, now: Time) -> Option<Duration> {
    if !is_ready(pod) {
        return None;
    }
    let least = seconds(min_ready_seconds.into());
    Some(least.saturating_sub(ready_since(pod).map_or(Duration::ZERO, |ready| since(ready, now))))
}

/// Whether a pod has been ready for long enough.
pub(crate) fn is_available(pod: &Pod, min_ready_seconds: i32, now: Time) -> bool {
    available_in(pod, min_ready_seconds, now).is_some_and(|left| left.is_zero())
}

/// When the first of the pods that are ready becomes available.
pub(crate) fn next_available(pods: &[Arc<Pod>], min_ready_seconds: i32, now: Time) -> Option<Duration> {
    let waits = pods.iter().filter_map(|pod| available_in(pod, min_ready_seconds, now));
    waits.filter(|left| !left.is_zero()).min()
}

/// A pod of a template.
pub(crate) fn from_template(
    template: &PodTemplateSpec,
    namespace: &Str,
    generate_name: String,
    owner: OwnerReference,
) -> Pod {
    Pod {
        metadata: ObjectMeta {
            generate_name: generate_name.into(),
            namespace: namespace.clone(),
            labels: template.metadata.labels.clone(),
            annotations: template.metadata.annotations.clone(),
            finalizers: template.metadata.finalizers.clone(),
            owner_references: [owner].into(),
            ..ObjectMeta::EMPTY
        },
        spec: template.spec.clone(),
        ..Pod::EMPTY
    }
}

/// Sorts pods by the order in which a controller with too many of them deletes them.
///
/// Unassigned before assigned, pending before running, not ready before ready, cheap before expensive, those on nodes with
/// many of them first, those that are ready for a shorter time, those with more restarts, the newest.
pub(crate) fn sort_for_deletion(pods: &mut [Arc<Pod>]) {
    let mut on_node = HashMap::<Str, usize>::new();
    for pod in pods.iter() {
        *on_node.entry(pod.spec.node_name.clone()).or_default() += 1;
    }
    pods.sort_by_cached_key(|pod| {
        let phase = match &*pod.status.phase {
            "Running" => 2,
            "Unknown" => 1,
            _ => 0,
        };
        let cost = pod.annotation(DELETION_COST).and_then(|cost| cost.parse::<i32>().ok()).unwrap_or(0);
        let restarts = pod.status.container_statuses.iter().map(|one| one.restart_count).max().unwrap_or(0);
        (
            (!pod.spec.node_name.is_empty(), phase, is_ready(pod), cost),
            Reverse(on_node.get(&pod.spec.node_name).copied().unwrap_or(0)),
            Reverse(ready_since(pod)),
            Reverse(restarts),
            Reverse(pod.metadata.creation_timestamp),
            pod.metadata.name.clone(),
        )
    });
}

#[cfg(test)]
pub(crate) mod tests {
    use client_rs_api::core::v1::{ContainerStatus, PodCondition};

    use super::*;

    /// A running pod that is ready since a second of the test's time.
    pub(crate) fn ready(name: &str, since: i64) -> Pod {
        let mut pod = named(name);
        pod.status.phase = "Running".into();
        pod.spec.node_name = "n1".into();
        pod.status.conditions = [PodCondition {
            type_: "Ready".into(),
            status: "True".into(),
            last_transition_time: Some(at(since)),
            ..PodCondition::EMPTY
        }]
        .into();
        pod
    }

    pub(crate) fn named(name: &str) -> Pod {
        let mut pod = Pod::EMPTY;
        pod.metadata.name = name.into();
        pod.metadata.namespace = "shop".into();
        pod.metadata.uid = format!("uid-{name}").into();
        pod.metadata.labels = [("app", "web")].into();
        pod.metadata.creation_timestamp = Some(at(0));
        pod
    }

    pub(crate) fn at(second: i64) -> Time {
        Time::new(1_700_000_000 + second, 0).unwrap()
    }

    #[test]
    fn a_pod_is_available_when_it_was_ready_for_long_enough() {
        let pod = ready("a", 0);
        assert_eq!(available_in(&pod, 10, at(4)), Some(Duration::from_secs(6)));
        assert!(!is_available(&pod, 10, at(9)) && is_available(&pod, 10, at(10)));
        assert_eq!(available_in(&named("b"), 0, at(0)), None);
        let all = [Arc::new(ready("a", 0)), Arc::new(ready("b", 3)), Arc::new(named("c"))];
        assert_eq!(next_available(&all, 10, at(12)), Some(Duration::from_secs(1)));
    }

    #[test]
    fn pods_are_deleted_in_the_order_of_their_worth() {
        let mut cheap = ready("cheap", 0);
        cheap.metadata.annotations = [(DELETION_COST, "-5")].into();
        let mut restarted = ready("restarted", 0);
        restarted.status.container_statuses =
            [ContainerStatus { restart_count: 3, ..ContainerStatus::EMPTY }].into();
        let mut crowded = ready("crowded", 0);
        crowded.spec.node_name = "n2".into();
        let crowd: Vec<Pod> = (0..3).map(|_| crowded.clone()).collect();
        let mut assigned = named("assigned");
        assigned.spec.node_name = "n1".into();
        let pods = [ready("old", 0), ready("young", 9), restarted, cheap, assigned, named("new")];
        let mut pods: Vec<Arc<Pod>> = pods.into_iter().chain(crowd).map(Arc::new).collect();
        sort_for_deletion(&mut pods);
        let names: Vec<&str> = pods.iter().map(|pod| &*pod.metadata.name).collect();
        let want = ["new", "assigned", "cheap", "young", "restarted", "old", "crowded", "crowded", "crowded"];
        assert_eq!(names, want);
    }
}
