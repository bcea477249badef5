//! The status of pod disruption budgets: how many pods may be evicted now.

use std::collections::BTreeMap;
use std::sync::Arc;

use client_rs_api::core::v1::Pod;
use client_rs_api::policy::v1::PodDisruptionBudget;
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::{IntOrString, Map, Object, ObjectKey, OwnerRef, Rounding, Str, Time, Unstructured};

use crate::clock::{seconds, since};
use crate::kind::{
    DEPLOYMENT, Kind, POD_DISRUPTION_BUDGET, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET,
};
use crate::plan::{Note, Plan};
use crate::pods::{is_finished, is_ready};
use crate::shell::{Building, Cluster, Core, selecting, spec_selector};

/// How long an eviction that did not lead to a deletion counts, in seconds.
const EVICTION: i64 = 120;
const ALLOWED: &str = "DisruptionAllowed";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    let budgets = cluster.lister(&POD_DISRUPTION_BUDGET);
    let of = |kind: &'static Kind| (kind, cluster.lister(kind));
    let core = Disruption {
        pods: cluster.pods(),
        scales: [of(&REPLICA_SET), of(&DEPLOYMENT), of(&STATEFUL_SET), of(&REPLICATION_CONTROLLER)].into(),
    };
    Building::new(cluster, "disruption", &POD_DISRUPTION_BUDGET, options)
        .watches_pods(move |pod| selecting(&budgets, &**pod, spec_selector))
        .reads(&REPLICA_SET)
        .reads(&DEPLOYMENT)
        .reads(&STATEFUL_SET)
        .reads(&REPLICATION_CONTROLLER)
        .core(core, recorder)
}

struct Disruption {
    pods: Lister<Pod>,
    scales: Vec<(&'static Kind, Lister<Unstructured>)>,
}

impl Disruption {
    /// The UID and the desired replicas of what controls a pod, or of what controls that.
    fn scale(&self, namespace: &str, owner: &OwnerRef<'_>) -> Option<(Str, i64)> {
        let (_, lister) = self.scales.iter().find(|(kind, _)| kind.name == owner.kind)?;
        let found = lister.get(&ObjectKey::new(namespace, owner.name)).ok()?;
        let upper = found.controller().filter(|upper| upper.kind == DEPLOYMENT.name);
        if let Some(scale) = upper.and_then(|upper| self.scale(namespace, &upper)) {
            return Some(scale);
        }
        let replicas = found.nested_i64(&["spec", "replicas"]).ok().flatten().unwrap_or(1);
        (found.uid() == owner.uid).then(|| (found.uid().into(), replicas))
    }
}

impl Core for Disruption {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        let Some(object) = object else { return Ok(Plan::default()) };
        let budget: PodDisruptionBudget = object.to_message()?;
        let selector = budget.spec.selector.as_deref().map(Selector::try_from).transpose()?;
        let pods = match selector {
            Some(selector) => self.pods.namespace(key.namespace.clone()).list(&selector)?,
            None => Vec::new(),
        };
        plan(&budget, &pods, &|owner| self.scale(&key.namespace, owner), now)
    }
}

/// The number of pods that there should be, and of those that must stay healthy.
struct Numbers {
    expected: i64,
    least: i64,
}

/// The status of a budget, with the pods that it selects and the scale of what controls them.
fn plan(
    budget: &PodDisruptionBudget,
    pods: &[Arc<Pod>],
    scale: &dyn Fn(&OwnerRef<'_>) -> Option<(Str, i64)>,
    now: Time,
) -> Result<Plan> {
    let mut plan = Plan::default();
    let counted: Vec<&Arc<Pod>> = pods.iter().filter(|pod| !is_finished(pod)).collect();
    let mut new = budget.clone();
    let numbers = match numbers(budget, &counted, scale) {
        Ok(numbers) => numbers,
        Err(message) => {
            let condition = condition(budget, false, "SyncFailed", &message, now);
            set(&mut new, condition);
            new.status.disruptions_allowed = 0;
            new.status.observed_generation = budget.metadata.generation;
            if new.status != budget.status {
                plan.tell(Note::warning("CalculateExpectedPodCountFailed", message));
                plan.status(&POD_DISRUPTION_BUDGET, &new)?;
            }
            return Ok(plan);
        }
    };
    // Evictions that are on their way.
    let mut disrupted: Map<Time> = Map::default();
    for (name, at) in &budget.status.disrupted_pods {
        let age = since(*at, now);
        let there = counted.iter().any(|pod| pod.metadata.name == *name && !pod.is_being_deleted());
        if there && age < seconds(EVICTION) {
            disrupted.insert(name.clone(), *at);
            plan.again_in(seconds(EVICTION).saturating_sub(age));
        }
    }
    let healthy = |pod: &&&Arc<Pod>| {
        is_ready(pod) && !pod.is_being_deleted() && !disrupted.contains_key(&pod.metadata.name)
    };
    let healthy = i64::try_from(counted.iter().filter(healthy).count()).unwrap_or(0);
    let allowed = if numbers.expected > 0 { (healthy - numbers.least).max(0) } else { 0 };
    let number = |value: i64| i32::try_from(value).unwrap_or(i32::MAX);
    let status = &mut new.status;
    status.observed_generation = budget.metadata.generation;
    status.current_healthy = number(healthy);
    status.desired_healthy = number(numbers.least);
    status.expected_pods = number(numbers.expected);
    status.disruptions_allowed = number(allowed);
    status.disrupted_pods = disrupted;
    let (holds, reason) = if allowed > 0 { (true, "SufficientPods") } else { (false, "InsufficientPods") };
    let condition = condition(budget, holds, reason, "", now);
    set(&mut new, condition);
    if new.status != budget.status {
        plan.status(&POD_DISRUPTION_BUDGET, &new)?;
    }
    Ok(plan)
}

fn numbers(
    budget: &PodDisruptionBudget,
    pods: &[&Arc<Pod>],
    scale: &dyn Fn(&OwnerRef<'_>) -> Option<(Str, i64)>,
) -> Result<Numbers, String> {
    let spec = &budget.spec;
    let scaled = |value: &IntOrString, of: i64| {
        value.scaled_value(of, Rounding::Up).map_err(|error| error.to_string())
    };
    if let Some(most) = &spec.max_unavailable {
        let expected = expected(pods, scale)?;
        return Ok(Numbers { expected, least: (expected - scaled(most, expected)?).max(0) });
    }
    match &spec.min_available {
        Some(least @ IntOrString::String(_)) => {
            let expected = expected(pods, scale)?;
            Ok(Numbers { expected, least: scaled(least, expected)? })
        }
        Some(IntOrString::Int(least)) => {
            Ok(Numbers { expected: i64::try_from(pods.len()).unwrap_or(0), least: i64::from(*least) })
        }
        None => Ok(Numbers { expected: i64::try_from(pods.len()).unwrap_or(0), least: 0 }),
    }
}

/// The sum of the replicas of what controls the pods.
fn expected(pods: &[&Arc<Pod>], scale: &dyn Fn(&OwnerRef<'_>) -> Option<(Str, i64)>) -> Result<i64, String> {
    let mut scales: BTreeMap<Str, i64> = BTreeMap::new();
    for pod in pods {
        let name = &pod.metadata.name;
        let Some(owner) = pod.controller() else {
            return Err(format!("found no controller ref for pod {name:?}"));
        };
        let Some((uid, replicas)) = scale(&owner) else {
            return Err(format!("found no controllers for pod {name:?}"));
        };
        scales.insert(uid, replicas);
    }
    Ok(scales.values().sum())
}

fn condition(budget: &PodDisruptionBudget, holds: bool, reason: &str, message: &str, now: Time) -> Condition {
    let holds = if holds { "True" } else { "False" };
    let known = budget.status.conditions.iter().find(|one| &*one.type_ == ALLOWED && &*one.status == holds);
    Condition {
        type_: ALLOWED.into(),
        status: holds.into(),
        observed_generation: budget.metadata.generation,
        last_transition_time: known.map_or(Some(now), |known| known.last_transition_time),
        reason: reason.into(),
        message: message.into(),
    }
}

fn set(budget: &mut PodDisruptionBudget, condition: Condition) {
    budget.status.conditions.retain(|one| one.type_ != condition.type_);
    budget.status.conditions.push(condition);
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::meta::v1::OwnerReference;
    use client_rs_machinery::wire::Message;

    use super::*;
    use crate::pods::tests::{at, named, ready};

    fn budget(spec: &str) -> PodDisruptionBudget {
        let text = format!(
            r#"{{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{{"name":"b","generation":2}},"spec":{spec}}}"#
        );
        PodDisruptionBudget::from_json(text.as_bytes()).unwrap()
    }

    fn owned(mut pod: Pod) -> Arc<Pod> {
        let owner = OwnerReference { uid: "rs".into(), controller: Some(true), ..OwnerReference::EMPTY };
        pod.metadata.owner_references = [owner].into();
        Arc::new(pod)
    }

    /// Expected, desired, healthy and allowed.
    fn told(budget: &PodDisruptionBudget, pods: &[Arc<Pod>]) -> (i32, i32, i32, i32) {
        let plan = plan(budget, pods, &|owner| Some((owner.uid.into(), 4)), at(10)).unwrap();
        let status = plan.new_status::<PodDisruptionBudget>().unwrap().status;
        assert_eq!(status.observed_generation, 2);
        assert_eq!(&*status.conditions[0].status == "True", status.disruptions_allowed > 0);
        (status.expected_pods, status.desired_healthy, status.current_healthy, status.disruptions_allowed)
    }

    #[test]
    fn the_budget_is_what_is_healthy_above_what_has_to_be() {
        let pods = [owned(ready("a", 0)), owned(ready("b", 0)), owned(ready("c", 0)), owned(named("d"))];
        assert_eq!(told(&budget(r#"{"minAvailable":2}"#), &pods), (4, 2, 3, 1));
        assert_eq!(told(&budget(r#"{"minAvailable":4}"#), &pods), (4, 4, 3, 0));
        assert_eq!(told(&budget(r#"{"minAvailable":"50%"}"#), &pods), (4, 2, 3, 1));
        assert_eq!(told(&budget(r#"{"maxUnavailable":2}"#), &pods), (4, 2, 3, 1));
        assert_eq!(told(&budget(r#"{"maxUnavailable":"30%"}"#), &pods), (4, 2, 3, 1));
        // There are fewer pods than there should be.
        assert_eq!(told(&budget(r#"{"maxUnavailable":1}"#), &pods[..1]), (4, 3, 1, 0));
        assert_eq!(told(&budget(r#"{"minAvailable":0}"#), &[]), (0, 0, 0, 0));
    }

    #[test]
    fn evictions_on_their_way_count_for_two_minutes() {
        let pods = [owned(ready("a", 0)), owned(ready("b", 0))];
        let mut budget = budget(r#"{"minAvailable":0}"#);
        budget.status.disrupted_pods = [("a", at(0)), ("gone", at(0))].into();
        let plan = plan(&budget, &pods, &|_| None, at(10)).unwrap();
        let status = plan.new_status::<PodDisruptionBudget>().unwrap().status;
        assert_eq!((status.current_healthy, status.disrupted_pods.len()), (1, 1));
        assert_eq!(plan.again, Some(seconds(110)));
    }

    #[test]
    fn pods_without_a_controller_have_no_scale() {
        let plan =
            plan(&budget(r#"{"maxUnavailable":1}"#), &[Arc::new(ready("a", 0))], &|_| None, at(0)).unwrap();
        let status = plan.new_status::<PodDisruptionBudget>().unwrap().status;
        assert_eq!((&*status.conditions[0].reason, status.disruptions_allowed), ("SyncFailed", 0));
        assert_eq!(plan.reasons(), ["CalculateExpectedPodCountFailed"]);
    }
}
