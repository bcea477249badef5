//! Replica sets: a number of equal pods.

use std::sync::Arc;

use client_rs_api::apps::v1::{ReplicaSet, ReplicaSetCondition};
use client_rs_api::core::v1::{Pod, PodTemplateSpec};
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{Object, ObjectKey, Time, Unstructured};

use crate::claim::claim;
use crate::kind::{POD, REPLICA_SET};
use crate::plan::Plan;
use crate::pods::{from_template, is_active, is_available, is_ready, next_available, sort_for_deletion};
use crate::shell::{Building, Cluster, Core, Failure, spec_selector};

/// The most pods that one run creates or deletes; the rest follow in the next.
const BURST: usize = 500;
const FAILURE: &str = "ReplicaFailure";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    Building::new(cluster, "replicaset", &REPLICA_SET, options)
        .owns_pods()
        .adopts_pods(spec_selector)
        .core(ReplicaSets { pods: cluster.pods() }, recorder)
}

struct ReplicaSets {
    pods: Lister<Pod>,
}

impl Core for ReplicaSets {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        // The pods of a set that is gone go with it: they name it as their owner.
        let Some(object) = object else { return Ok(Plan::default()) };
        let set: ReplicaSet = object.to_message()?;
        plan(&set, self.pods.namespace(key.namespace.clone()).list(&Selector::everything())?, None, now)
    }

    fn failed(&self, object: &Unstructured, failure: &Failure, now: Time) -> Result<Plan> {
        let set: ReplicaSet = object.to_message()?;
        let pods = self.pods.namespace(object.namespace()).list(&Selector::everything())?;
        Ok(plan(&set, pods, Some(failure), now)?.only_status())
    }
}

/// The reason of a condition about pods that could not be written.
pub(crate) fn failed_reason(failure: &Failure) -> &'static str {
    if failure.delete { "FailedDelete" } else { "FailedCreate" }
}

/// Plans the next steps of a replica set, with the pods of its namespace. The status has the step that
/// failed, if one did.
fn plan(set: &ReplicaSet, pods: Vec<Arc<Pod>>, failure: Option<&Failure>, now: Time) -> Result<Plan> {
    let mut plan = Plan::default();
    let spec = &set.spec;
    let Some(selector) = spec.selector.as_deref() else { return Ok(plan) };
    let of = Replicas {
        owner: set,
        wanted: spec.replicas.unwrap_or(1),
        selector: &Selector::try_from(selector)?,
        template: &spec.template,
        min_ready_seconds: spec.min_ready_seconds,
    };
    let counts = of.manage(pods, now, &mut plan)?;
    let mut new = set.clone();
    let status = &mut new.status;
    status.replicas = counts.replicas;
    status.fully_labeled_replicas = counts.labeled;
    status.ready_replicas = counts.ready;
    status.available_replicas = counts.available;
    status.terminating_replicas = Some(counts.terminating);
    status.observed_generation = set.metadata.generation;
    let reason = failure.map(failed_reason);
    status.conditions.retain(|one| &*one.type_ != FAILURE || Some(&*one.reason) == reason);
    if let (Some(failure), Some(reason)) = (failure, reason)
        && !status.conditions.iter().any(|one| &*one.type_ == FAILURE)
    {
        status.conditions.push(ReplicaSetCondition {
            type_: FAILURE.into(),
            status: "True".into(),
            last_transition_time: Some(now),
            reason: reason.into(),
            message: failure.message.as_str().into(),
        });
    }
    if new.status != set.status {
        plan.status(&REPLICA_SET, &new)?;
    }
    Ok(plan)
}

/// A number of equal pods: what replica sets and replication controllers have in common.
pub(crate) struct Replicas<'a> {
    pub(crate) owner: &'a dyn Object,
    pub(crate) wanted: i32,
    pub(crate) selector: &'a Selector,
    pub(crate) template: &'a PodTemplateSpec,
    pub(crate) min_ready_seconds: i32,
}

/// The numbers of the status.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) replicas: i32,
    pub(crate) labeled: i32,
    pub(crate) ready: i32,
    pub(crate) available: i32,
    pub(crate) terminating: i32,
}

impl Replicas<'_> {
    /// Plans the creation or deletion of pods, and counts those that are there now.
    pub(crate) fn manage(&self, pods: Vec<Arc<Pod>>, now: Time, plan: &mut Plan) -> Result<Counts> {
        let own = claim(self.owner, self.selector, &POD, pods, is_active, plan)?;
        let terminating = own.iter().filter(|pod| pod.is_being_deleted()).count();
        let mut own: Vec<Arc<Pod>> = own.into_iter().filter(|pod| is_active(pod)).collect();
        let wanted = usize::try_from(self.wanted).unwrap_or(0);
        if !self.owner.is_being_deleted() {
            let name = format!("{}-", self.owner.name());
            for _ in 0..wanted.saturating_sub(own.len()).min(BURST) {
                let owner = controller_reference(self.owner)?;
                plan.create_pod(&from_template(
                    self.template,
                    &self.owner.namespace().into(),
                    name.clone(),
                    owner,
                ))?;
            }
            let many = own.len().saturating_sub(wanted).min(BURST);
            if many > 0 {
                sort_for_deletion(&mut own);
                own[..many].iter().for_each(|pod| plan.delete_pod(&**pod));
            }
        }
        if let Some(left) = next_available(&own, self.min_ready_seconds, now) {
            plan.again_in(left);
        }
        let count = |test: &dyn Fn(&Pod) -> bool| {
            i32::try_from(own.iter().filter(|pod| test(pod)).count()).unwrap_or(i32::MAX)
        };
        let labels = &self.template.metadata.labels;
        Ok(Counts {
            replicas: count(&|_| true),
            labeled: count(&|pod| {
                labels.iter().all(|(key, value)| pod.metadata.labels.get(key) == Some(value))
            }),
            ready: count(&is_ready),
            available: count(&|pod| is_available(pod, self.min_ready_seconds, now)),
            terminating: i32::try_from(terminating).unwrap_or(i32::MAX),
        })
    }
}

#[cfg(test)]
mod tests {
    use client_rs_api::apps::v1::{ReplicaSetSpec, ReplicaSetStatus};
    use client_rs_machinery::meta::v1::LabelSelector;

    use super::*;
    use crate::pods::tests::{at, named, ready};

    fn set(replicas: i32) -> ReplicaSet {
        let mut set = ReplicaSet::EMPTY;
        set.metadata.name = "web".into();
        set.metadata.namespace = "shop".into();
        set.metadata.uid = "uid-web".into();
        set.metadata.generation = 3;
        let mut template = PodTemplateSpec::EMPTY;
        template.metadata.labels = [("app", "web"), ("tier", "a")].into();
        set.spec = ReplicaSetSpec {
            replicas: Some(replicas),
            selector: Some(
                LabelSelector { match_labels: [("app", "web")].into(), ..LabelSelector::EMPTY }.into(),
            ),
            template: template.into(),
            ..ReplicaSetSpec::EMPTY
        };
        set
    }

    fn decide(set: &ReplicaSet, pods: Vec<Pod>, second: i64) -> Plan {
        let owned = pods.into_iter().map(|mut pod| {
            pod.metadata.owner_references = [controller_reference(set).unwrap()].into();
            Arc::new(pod)
        });
        plan(set, owned.collect(), None, at(second)).unwrap()
    }

    #[test]
    fn pods_are_created_up_to_the_number_from_the_template() {
        let plan = decide(&set(3), vec![ready("a", 0)], 0);
        let made = plan.created(&POD);
        assert_eq!((made.len(), made[0].generate_name(), made[0].label("tier")), (2, "web-", Some("a")));
        assert_eq!(
            made[0].controller().map(|owner| (owner.kind, owner.uid)),
            Some(("ReplicaSet", "uid-web"))
        );
        assert!(plan.deleted(&POD).is_empty());
    }

    #[test]
    fn the_pods_of_least_worth_are_deleted() {
        let plan = decide(&set(1), vec![ready("a", 0), named("new"), ready("b", 5)], 9);
        assert_eq!(plan.deleted(&POD), ["new", "b"]);
    }

    #[test]
    fn finished_and_terminating_pods_do_not_count() {
        let (mut failed, mut ends) = (ready("failed", 0), ready("ends", 0));
        failed.status.phase = "Failed".into();
        ends.metadata.deletion_timestamp = Some(at(1));
        let plan = decide(&set(1), vec![failed, ends], 1);
        assert_eq!(plan.created(&POD).len(), 1);
        let status = plan.new_status::<ReplicaSet>().unwrap().status;
        assert_eq!((status.replicas, status.terminating_replicas), (0, Some(1)));
    }

    #[test]
    fn the_status_counts_and_is_written_only_when_it_changes() {
        let mut set = set(2);
        set.spec.min_ready_seconds = 10;
        let mut labeled = ready("labeled", 0);
        labeled.metadata.labels = [("app", "web"), ("tier", "a")].into();
        let pods = vec![labeled, ready("b", 4)];
        let plan = decide(&set, pods.clone(), 11);
        let status = plan.new_status::<ReplicaSet>().unwrap().status;
        let want = ReplicaSetStatus {
            replicas: 2,
            fully_labeled_replicas: 1,
            ready_replicas: 2,
            available_replicas: 1,
            terminating_replicas: Some(0),
            observed_generation: 3,
            ..ReplicaSetStatus::EMPTY
        };
        assert_eq!(*status, want);
        assert_eq!(plan.again, Some(std::time::Duration::from_secs(3)));
        set.status = status;
        assert!(decide(&set, pods, 11).steps.is_empty());
    }

    #[test]
    fn a_failed_step_is_in_the_status_with_its_counts_until_the_next_success() {
        let mut set = set(2);
        let failure = Failure {
            of: &POD,
            create: "web-".to_owned(),
            exists: false,
            delete: false,
            message: "exceeded quota".to_owned(),
        };
        let status = |set: &ReplicaSet, failure: Option<&Failure>, second| {
            let plan = plan(set, vec![], failure, at(second)).unwrap().only_status();
            plan.new_status::<ReplicaSet>().map(|set| set.status)
        };
        set.status = status(&set, Some(&failure), 1).unwrap();
        let condition = &set.status.conditions[0];
        assert_eq!((&*condition.reason, &*condition.message), ("FailedCreate", "exceeded quota"));
        assert_eq!((set.status.observed_generation, condition.last_transition_time), (3, Some(at(1))));
        // The same failure changes nothing, and a run without one removes it.
        assert!(status(&set, Some(&failure), 2).is_none());
        assert!(status(&set, None, 3).unwrap().conditions.is_empty());
    }

    #[test]
    fn a_set_that_is_being_deleted_creates_nothing() {
        let mut set = set(2);
        set.metadata.deletion_timestamp = Some(at(0));
        assert!(decide(&set, vec![], 0).created(&POD).is_empty());
    }
}
