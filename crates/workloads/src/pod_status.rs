//! The status of a pod on a simulated node: a function of the pod and the time.

use std::time::Duration;

use client_rs_api::core::v1::{
    Container, ContainerState, ContainerStateRunning, ContainerStatus, HostIP, Pod, PodCondition, PodIP,
    PodStatus,
};
use client_rs_machinery::{Str, Time};

use crate::rollout::is_ready;

/// The status that a kubelet would write now, and when it changes again without a change of the pod.
///
/// Containers start at once, and are ready after the delays of their readiness probes. A pod that is active for longer than
/// its deadline fails. The status of a pod that is up to date stays as it is: others may have written a part of it.
pub(super) fn status_of(pod: &Pod, host: &Str, address: &Str, now: Time) -> (PodStatus, Option<Duration>) {
    let mut status = (*pod.status).clone();
    let started = status.start_time.unwrap_or(now);
    let age = since(started, now);
    let deadline = pod.spec.active_deadline_seconds.map(|limit| seconds(limit).saturating_sub(age));
    if deadline.is_some_and(|left| left.is_zero()) {
        status.phase = "Failed".into();
        status.reason = "DeadlineExceeded".into();
        status.message = "Pod was active on the node longer than the specified deadline".into();
        status.observed_generation = pod.metadata.generation;
        return (status, None);
    }
    let delays: Vec<Duration> =
        pod.spec.containers.iter().map(|one| delay(one).saturating_sub(age)).collect();
    let left = delays.iter().max().copied().unwrap_or_default();
    let next = [Some(left).filter(|left| !left.is_zero()), deadline].into_iter().flatten().min();
    let current = status.observed_generation == pod.metadata.generation
        && status.ephemeral_container_statuses.len() == pod.spec.ephemeral_containers.len();
    if current && is_ready(pod) {
        return (status, next);
    }
    status.observed_generation = pod.metadata.generation;
    status.phase = "Running".into();
    status.start_time = Some(started);
    status.host_ip = host.clone();
    status.host_ips = [HostIP { ip: host.clone() }].into();
    status.pod_ip = address.clone();
    status.pod_ips = [PodIP { ip: address.clone() }].into();
    let all = left.is_zero();
    let scheduled = status.conditions.iter().filter(|condition| &*condition.type_ == "PodScheduled").cloned();
    let own = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady"].map(|kind| {
        let holds = all || !matches!(kind, "Ready" | "ContainersReady");
        let value = if holds { "True" } else { "False" };
        let before = status.conditions.iter().find(|known| &*known.type_ == kind && &*known.status == value);
        PodCondition {
            type_: kind.into(),
            status: value.into(),
            reason: if holds { Str::EMPTY } else { "ContainersNotReady".into() },
            observed_generation: pod.metadata.generation,
            last_transition_time: before.map_or(Some(now), |before| before.last_transition_time),
            ..PodCondition::EMPTY
        }
    });
    status.conditions = scheduled.chain(own).collect();
    let of = |name: &Str, image: &Str, ready: bool| ContainerStatus {
        name: name.clone(),
        image: image.clone(),
        ready,
        started: Some(true),
        state: ContainerState {
            running: Some(ContainerStateRunning { started_at: Some(started) }.into()),
            ..ContainerState::EMPTY
        },
        ..ContainerStatus::EMPTY
    };
    let containers = pod.spec.containers.iter().zip(&delays);
    status.container_statuses =
        containers.map(|(one, left)| of(&one.name, &one.image, left.is_zero())).collect();
    let ephemeral = pod.spec.ephemeral_containers.iter();
    let ephemeral = ephemeral.map(|one| &one.ephemeral_container_common);
    status.ephemeral_container_statuses = ephemeral.map(|one| of(&one.name, &one.image, false)).collect();
    (status, next)
}

/// The grace period of a pod that is being deleted.
pub(super) fn grace_of(pod: &Pod) -> Duration {
    seconds(pod.metadata.deletion_grace_period_seconds.unwrap_or(0))
}

/// The time since the deletion of a pod was requested.
pub(super) fn deleted_since(pod: &Pod, now: Time) -> Duration {
    // The time of the deletion is that of the end of the grace period.
    let end = pod.metadata.deletion_timestamp.unwrap_or(now);
    (since(end, now) + grace_of(pod)).saturating_sub(since(now, end))
}

/// How long a container takes to be ready.
fn delay(container: &Container) -> Duration {
    let probe = container.readiness_probe.as_deref();
    seconds(probe.map_or(0, |probe| i64::from(probe.initial_delay_seconds)))
}

/// The time from one instant to the next; none if the second is before the first.
fn since(first: Time, second: Time) -> Duration {
    seconds(second.seconds() - first.seconds())
}

fn seconds(count: i64) -> Duration {
    Duration::from_secs(u64::try_from(count).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::{EphemeralContainer, Probe};

    use super::*;

    fn at(second: i64) -> Time {
        Time::new(1_700_000_000 + second, 0).unwrap()
    }

    fn pod(delay: i32, deadline: Option<i64>) -> Pod {
        let mut pod = Pod::EMPTY;
        pod.metadata.generation = 1;
        let probe = Probe { initial_delay_seconds: delay, ..Probe::EMPTY };
        let container =
            Container { name: "c".into(), readiness_probe: Some(probe.into()), ..Container::EMPTY };
        pod.spec.containers = [container].into();
        pod.spec.active_deadline_seconds = deadline;
        pod
    }

    fn step(pod: &mut Pod, second: i64) -> Option<Duration> {
        let (status, next) = status_of(pod, &"h".into(), &"a".into(), at(second));
        pod.status = status.into();
        next
    }

    #[test]
    fn a_pod_is_ready_after_its_probe_and_fails_at_its_deadline() {
        let mut pod = pod(5, Some(30));
        assert_eq!(step(&mut pod, 0), Some(Duration::from_secs(5)));
        assert!(!is_ready(&pod) && &*pod.status.phase == "Running" && pod.status.observed_generation == 1);
        assert_eq!(step(&mut pod, 5), Some(Duration::from_secs(25)));
        assert!(is_ready(&pod) && pod.status.start_time == Some(at(0)));
        assert_eq!(step(&mut pod, 30), None);
        assert_eq!((&*pod.status.phase, &*pod.status.reason), ("Failed", "DeadlineExceeded"));
    }

    #[test]
    fn a_new_generation_is_observed_and_ephemeral_containers_run() {
        let mut pod = pod(0, None);
        step(&mut pod, 0);
        pod.metadata.generation = 2;
        let mut debug = EphemeralContainer::EMPTY;
        debug.ephemeral_container_common.name = "debug".into();
        pod.spec.ephemeral_containers = [debug].into();
        step(&mut pod, 1);
        assert_eq!((pod.status.observed_generation, pod.status.ephemeral_container_statuses.len()), (2, 1));
        assert!(pod.status.ephemeral_container_statuses[0].state.running.is_some());
        // Other parts stay as others wrote them.
        let before = pod.status.clone();
        step(&mut pod, 2);
        assert_eq!(pod.status, before);
    }

    #[test]
    fn the_time_since_a_deletion_begins_with_its_request() {
        let mut pod = pod(0, None);
        pod.metadata.deletion_grace_period_seconds = Some(30);
        pod.metadata.deletion_timestamp = Some(at(30));
        assert_eq!(deleted_since(&pod, at(0)), Duration::ZERO);
        assert_eq!(deleted_since(&pod, at(1)), Duration::from_secs(1));
        assert_eq!(deleted_since(&pod, at(40)), Duration::from_secs(40));
    }
}
