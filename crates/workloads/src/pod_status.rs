//! The status of a pod on a simulated node: a function of the pod and the time.

use std::time::Duration;

use client_rs_api::core::v1::{
    Container, ContainerState, ContainerStateRunning, ContainerStateTerminated, ContainerStatus, HostIP, Pod,
    PodCondition, PodIP, PodStatus, Probe,
};
use client_rs_machinery::{Object, Str, Time};

use crate::clock::{seconds, since};
use crate::command::{End, end_of};
use crate::pods::is_ready;

/// The seconds that the containers of a pod run until they end. Without it their commands tell, if they are plain; otherwise
/// those of a job run for a fixed time, and others run forever.
const RUN_SECONDS: &str = "client-rs.dev/run-seconds";
/// The exit code of the containers of a pod; without it their commands tell, or it is zero.
const EXIT_CODE: &str = "client-rs.dev/exit-code";

/// A pod on a node.
pub(super) struct Played {
    /// The address of the node.
    pub(super) host: Str,
    /// The address of the pod.
    pub(super) address: Str,
    /// How long a pod of a job runs.
    pub(super) run_time: Option<Duration>,
}

impl Played {
    /// The status that a kubelet would write now, and when it changes again without a change of the pod.
    ///
    /// Containers start at once, and are ready after the delays of their readiness probes. A pod that is active for longer
    /// than its deadline fails. The containers of some pods end by themselves. The status of a pod that is up to date stays as it
    /// is: others may have written a part of it.
    pub(super) fn status_of(&self, pod: &Pod, now: Time) -> (PodStatus, Option<Duration>) {
        let mut status = (*pod.status).clone();
        let started = status.start_time.unwrap_or(now);
        let age = since(started, now);
        let deadline = pod.spec.active_deadline_seconds.map(|limit| seconds(limit).saturating_sub(age));
        if deadline.is_some_and(|left| left.is_zero()) {
            status = ended(pod, &|_| 137, now);
            status.phase = "Failed".into();
            status.reason = "DeadlineExceeded".into();
            status.message = "Pod was active on the node longer than the specified deadline".into();
            return (status, None);
        }
        let running_since = running_since(&status).unwrap_or(started);
        let ends = self.runs_for(pod).map(|time| time.saturating_sub(since(running_since, now)));
        if ends.is_some_and(|left| left.is_zero()) && &*status.phase == "Running" {
            let code = |container: &Container| exit_code(pod, container);
            if &*pod.spec.restart_policy == "OnFailure"
                && pod.spec.containers.iter().any(|one| code(one) != 0)
            {
                return (restarted(pod, &code, now), self.runs_for(pod));
            }
            return (ended(pod, &code, now), None);
        }
        let delays: Vec<Duration> =
            pod.spec.containers.iter().map(|one| delay(one).saturating_sub(age)).collect();
        let left = delays.iter().max().copied().unwrap_or_default();
        let ends = ends.map(|left| left.max(Duration::from_secs(1)));
        let next = [Some(left).filter(|left| !left.is_zero()), deadline, ends].into_iter().flatten().min();
        let current = status.observed_generation == pod.metadata.generation
            && status.ephemeral_container_statuses.len() == pod.spec.ephemeral_containers.len();
        if current && is_ready(pod) && gates_open(&status, pod) {
            return (status, next);
        }
        status.observed_generation = pod.metadata.generation;
        status.phase = "Running".into();
        status.start_time = Some(started);
        status.host_ip = self.host.clone();
        status.host_ips = [HostIP { ip: self.host.clone() }].into();
        status.pod_ip = self.address.clone();
        status.pod_ips = [PodIP { ip: self.address.clone() }].into();
        let all = left.is_zero();
        conditions(&mut status, pod, now, |kind| match kind {
            "Ready" | "ContainersReady" if !all => Some("ContainersNotReady"),
            _ => None,
        });
        let known = status.container_statuses.clone();
        let of = |name: &Str, image: &Str, ready: bool| {
            let before = known.iter().find(|before| before.name == *name && before.state.running.is_some());
            ContainerStatus {
                name: name.clone(),
                image: image.clone(),
                ready,
                started: Some(true),
                restart_count: before.map_or(0, |before| before.restart_count),
                state: before.map_or_else(
                    || ContainerState {
                        running: Some(ContainerStateRunning { started_at: Some(started) }.into()),
                        ..ContainerState::EMPTY
                    },
                    |before| before.state.clone(),
                ),
                ..ContainerStatus::EMPTY
            }
        };
        let containers = pod.spec.containers.iter().zip(&delays);
        status.container_statuses =
            containers.map(|(one, left)| sized(one, of(&one.name, &one.image, left.is_zero()))).collect();
        let first = pod
            .spec
            .init_containers
            .iter()
            .map(|one| finished_container(&one.name, &one.image, 0, started, started));
        status.init_container_statuses = first.collect();
        let ephemeral = pod.spec.ephemeral_containers.iter();
        let ephemeral = ephemeral.map(|one| &one.ephemeral_container_common);
        status.ephemeral_container_statuses = ephemeral.map(|one| of(&one.name, &one.image, false)).collect();
        (status, next)
    }

    /// How long the containers of a pod run.
    fn runs_for(&self, pod: &Pod) -> Option<Duration> {
        if &*pod.spec.restart_policy == "Always" {
            return None;
        }
        if let Some(own) = pod.annotation(RUN_SECONDS).and_then(|text| text.parse().ok()) {
            return Some(seconds(own));
        }
        let ends: Option<Vec<End>> = pod.spec.containers.iter().map(end_of).collect();
        match ends {
            // The last one decides. One that ends at once is seen running, like the others.
            Some(ends) => {
                let times = ends.into_iter().map(|end| end.after).collect::<Option<Vec<_>>>()?;
                times.into_iter().max().map(|time| time.max(Duration::from_secs(1)))
            }
            None => self.run_time.filter(|_| pod.controller().is_some_and(|owner| owner.kind == "Job")),
        }
    }
}

/// The exit code of a container that ends by itself.
fn exit_code(pod: &Pod, container: &Container) -> i32 {
    let own = pod.annotation(EXIT_CODE).and_then(|code| code.parse().ok());
    own.or_else(|| end_of(container).map(|end| end.code)).unwrap_or(0)
}

/// The status of a pod whose containers were ended by a signal.
pub(super) fn killed(pod: &Pod, now: Time) -> PodStatus {
    ended(pod, &|_| 137, now)
}

/// The status of a pod whose containers have all ended.
fn ended(pod: &Pod, code: &dyn Fn(&Container) -> i32, now: Time) -> PodStatus {
    let mut status = (*pod.status).clone();
    let started = running_since(&status).or(status.start_time).unwrap_or(now);
    status.observed_generation = pod.metadata.generation;
    let good = pod.spec.containers.iter().all(|one| code(one) == 0);
    status.phase = if good { "Succeeded" } else { "Failed" }.into();
    status.start_time.get_or_insert(now);
    let reason = if good { "PodCompleted" } else { "PodFailed" };
    conditions(&mut status, pod, now, |kind| matches!(kind, "Ready" | "ContainersReady").then_some(reason));
    let known = status.container_statuses.clone();
    let end = |one: &Container| {
        let before = known.iter().find(|before| before.name == one.name);
        let restart_count = before.map_or(0, |before| before.restart_count);
        ContainerStatus {
            restart_count,
            ..finished_container(&one.name, &one.image, code(one), started, now)
        }
    };
    status.container_statuses = pod.spec.containers.iter().map(end).collect();
    status
}

/// The status of a pod whose containers run again after one of them has failed.
fn restarted(pod: &Pod, code: &dyn Fn(&Container) -> i32, now: Time) -> PodStatus {
    let mut status = (*pod.status).clone();
    let started = running_since(&status).unwrap_or(now);
    for one in status.container_statuses.make_mut() {
        let code = pod.spec.containers.iter().find(|container| container.name == one.name).map_or(0, code);
        one.restart_count += 1;
        one.last_state = finished_container(&one.name, &one.image, code, started, now).state;
        one.state.running = Some(ContainerStateRunning { started_at: Some(now) }.into());
    }
    status
}

/// The status of a running container with its resources, by which the API server knows that they can be changed.
fn sized(container: &Container, status: ContainerStatus) -> ContainerStatus {
    let resources = container.resources.clone();
    ContainerStatus {
        allocated_resources: resources.requests.clone(),
        resources: Some(resources.into()),
        ..status
    }
}

fn finished_container(name: &Str, image: &Str, code: i32, started: Time, now: Time) -> ContainerStatus {
    let terminated = ContainerStateTerminated {
        exit_code: code,
        reason: if code == 0 { "Completed" } else { "Error" }.into(),
        started_at: Some(started),
        finished_at: Some(now),
        ..ContainerStateTerminated::EMPTY
    };
    ContainerStatus {
        name: name.clone(),
        image: image.clone(),
        started: Some(false),
        state: ContainerState { terminated: Some(terminated.into()), ..ContainerState::EMPTY },
        ..ContainerStatus::EMPTY
    }
}

fn running_since(status: &PodStatus) -> Option<Time> {
    status.container_statuses.iter().filter_map(|one| one.state.running.as_deref()?.started_at).max()
}

/// Whether the conditions of all readiness gates hold.
fn gates_open(status: &PodStatus, pod: &Pod) -> bool {
    let holds =
        |name: &Str| status.conditions.iter().any(|known| known.type_ == *name && &*known.status == "True");
    pod.spec.readiness_gates.iter().all(|gate| holds(&gate.condition_type))
}

/// Sets the conditions of the kubelet. `fails` says why one does not hold. The scheduler's and those of readiness gates stay.
fn conditions(status: &mut PodStatus, pod: &Pod, now: Time, fails: impl Fn(&str) -> Option<&'static str>) {
    const OWN: [&str; 4] = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady"];
    let others = status.conditions.iter().filter(|condition| !OWN.contains(&&*condition.type_)).cloned();
    // The kubelet does not decide where a pod runs, but it has seen it.
    let others = others.map(|mut condition| {
        if &*condition.type_ == "PodScheduled" {
            condition.observed_generation = pod.metadata.generation;
        }
        condition
    });
    let open = gates_open(status, pod);
    let own = OWN.map(|kind| {
        let why = fails(kind).or((kind == "Ready" && !open).then_some("ReadinessGatesNotReady"));
        let value = if why.is_none() { "True" } else { "False" };
        let before = status.conditions.iter().find(|known| &*known.type_ == kind && &*known.status == value);
        PodCondition {
            type_: kind.into(),
            status: value.into(),
            reason: why.map(Str::from).unwrap_or_default(),
            observed_generation: pod.metadata.generation,
            last_transition_time: before.map_or(Some(now), |before| before.last_transition_time),
            ..PodCondition::EMPTY
        }
    });
    status.conditions = others.chain(own).collect();
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

/// How long a container takes to be ready: until its startup probe and its readiness probe have succeeded for the first time.
fn delay(container: &Container) -> Duration {
    let of = |probe: Option<&Probe>| seconds(probe.map_or(0, |probe| i64::from(probe.initial_delay_seconds)));
    of(container.startup_probe.as_deref()).max(of(container.readiness_probe.as_deref()))
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::EphemeralContainer;

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
        let played = Played { host: "h".into(), address: "a".into(), run_time: Some(Duration::from_secs(3)) };
        let (status, next) = played.status_of(pod, at(second));
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
    fn the_slower_of_two_probes_decides_and_readiness_gates_have_to_be_open() {
        let mut pod = pod(2, None);
        let slow = Probe { initial_delay_seconds: 7, ..Probe::EMPTY };
        pod.spec.containers.make_mut()[0].startup_probe = Some(slow.into());
        let gate = client_rs_api::core::v1::PodReadinessGate { condition_type: "example.com/open".into() };
        pod.spec.readiness_gates = [gate].into();
        assert_eq!(step(&mut pod, 0), Some(Duration::from_secs(7)));
        step(&mut pod, 7);
        let holds = |pod: &Pod, kind: &str| {
            pod.status.conditions.iter().any(|one| &*one.type_ == kind && &*one.status == "True")
        };
        assert!(holds(&pod, "ContainersReady") && !is_ready(&pod));
        pod.status.conditions.push(PodCondition {
            type_: "example.com/open".into(),
            status: "True".into(),
            ..PodCondition::EMPTY
        });
        step(&mut pod, 8);
        assert!(is_ready(&pod) && holds(&pod, "example.com/open"));
        // It is closed again.
        pod.status.conditions.retain(|one| &*one.type_ != "example.com/open");
        step(&mut pod, 9);
        assert!(!is_ready(&pod) && holds(&pod, "ContainersReady"));
    }

    #[test]
    fn a_pod_of_a_job_succeeds_after_some_time_and_others_run_on() {
        let mut other = pod(0, None);
        other.spec.restart_policy = "Never".into();
        assert_eq!(step(&mut other, 0), None);
        let mut pod = other.clone();
        pod.status = PodStatus::EMPTY.into();
        let owner = client_rs_machinery::meta::v1::OwnerReference {
            kind: "Job".into(),
            controller: Some(true),
            ..client_rs_machinery::meta::v1::OwnerReference::EMPTY
        };
        pod.metadata.owner_references = [owner].into();
        assert_eq!(step(&mut pod, 0), Some(Duration::from_secs(3)));
        assert_eq!(step(&mut pod, 2), Some(Duration::from_secs(1)));
        assert!(is_ready(&pod));
        assert_eq!(step(&mut pod, 3), None);
        assert!(!is_ready(&pod) && &*pod.status.phase == "Succeeded");
        let end = pod.status.container_statuses[0].state.terminated.clone().unwrap();
        assert_eq!((end.exit_code, end.started_at, end.finished_at), (0, Some(at(0)), Some(at(3))));
    }

    #[test]
    fn annotations_say_how_long_a_pod_runs_and_how_it_ends() {
        let mut failing = pod(0, None);
        failing.spec.restart_policy = "OnFailure".into();
        failing.metadata.annotations = [(RUN_SECONDS, "5"), (EXIT_CODE, "2")].into();
        step(&mut failing, 0);
        // The container runs again each time.
        for (second, restarts) in [(5, 1), (10, 2)] {
            assert_eq!(step(&mut failing, second), Some(Duration::from_secs(5)));
            assert_eq!(failing.status.container_statuses[0].restart_count, restarts);
            assert_eq!(&*failing.status.phase, "Running");
        }
        failing.spec.restart_policy = "Never".into();
        step(&mut failing, 15);
        assert_eq!(&*failing.status.phase, "Failed");
        // A pod that always restarts never ends.
        let mut always = pod(0, None);
        always.spec.restart_policy = "Always".into();
        always.metadata.annotations = [(RUN_SECONDS, "5")].into();
        step(&mut always, 0);
        assert_eq!((step(&mut always, 9), &*always.status.phase), (None, "Running"));
    }

    #[test]
    fn plain_commands_say_how_long_a_pod_runs_and_how_it_ends() {
        let mut pod = pod(0, None);
        pod.spec.restart_policy = "Never".into();
        let mut second = pod.spec.containers[0].clone();
        second.name = "d".into();
        second.command = ["sleep".into(), "5".into()].into();
        pod.spec.containers.make_mut()[0].command = ["false".into()].into();
        pod.spec.containers.push(second);
        assert_eq!(step(&mut pod, 0), Some(Duration::from_secs(5)));
        assert_eq!(step(&mut pod, 5), None);
        assert_eq!(&*pod.status.phase, "Failed");
        let code = |index: usize| {
            pod.status.container_statuses[index].state.terminated.as_ref().map(|end| end.exit_code)
        };
        assert_eq!((code(0), code(1)), (Some(1), Some(0)));
    }

    #[test]
    fn a_new_generation_is_observed_and_ephemeral_containers_run() {
        let mut pod = pod(0, None);
        step(&mut pod, 0);
        pod.metadata.generation = 2;
        let mut debug = EphemeralContainer::EMPTY;
        debug.ephemeral_container_common.name = "debug".into();
        pod.spec.ephemeral_containers = [debug].into();
        let scheduled = PodCondition { type_: "PodScheduled".into(), ..PodCondition::EMPTY };
        pod.status.conditions.push(scheduled);
        step(&mut pod, 1);
        assert!(pod.status.conditions.iter().all(|one| one.observed_generation == 2));
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
