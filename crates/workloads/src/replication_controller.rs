//! Replication controllers: replica sets with an older name and a simpler selector.

use std::sync::Arc;

use client_rs_api::core::v1::{Pod, ReplicationController, ReplicationControllerCondition};
use client_rs_cache::Lister;
use client_rs_controller::{ControllerOptions, Result, RunnableController};
use client_rs_events::EventRecorder;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::{ObjectKey, Time, Unstructured};

use crate::kind::REPLICATION_CONTROLLER;
use crate::plan::Plan;
use crate::replica_set::{Replicas, failed_reason};
use crate::shell::{Building, Cluster, Core, Failure};

const FAILURE: &str = "ReplicaFailure";

pub(crate) fn build(
    cluster: &Cluster,
    recorder: EventRecorder,
    options: ControllerOptions,
) -> RunnableController {
    Building::new(cluster, "replicationcontroller", &REPLICATION_CONTROLLER, options)
        .owns_pods()
        .adopts_pods(map_selector)
        .core(ReplicationControllers { pods: cluster.pods() }, recorder)
}

/// The selector of an object whose `spec.selector` is a map; `None` if it is empty.
pub(crate) fn map_selector(object: &Unstructured) -> Option<Selector> {
    let labels = object.nested_str_map(&["spec", "selector"]).ok()??;
    if labels.is_empty() { None } else { of_labels(&labels) }
}

fn of_labels(labels: &client_rs_machinery::Map<client_rs_machinery::Str>) -> Option<Selector> {
    let pairs = labels.iter().map(|(key, value)| (key.clone(), value.clone()));
    let none: [(&str, &str, [&str; 0]); 0] = [];
    Selector::from_label_selector(pairs, none).ok()
}

struct ReplicationControllers {
    pods: Lister<Pod>,
}

impl Core for ReplicationControllers {
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan> {
        let Some(object) = object else { return Ok(Plan::default()) };
        let controller: ReplicationController = object.to_message()?;
        plan(
            &controller,
            self.pods.namespace(key.namespace.clone()).list(&Selector::everything())?,
            None,
            now,
        )
    }

    fn failed(&self, object: &Unstructured, failure: &Failure, now: Time) -> Result<Plan> {
        let controller: ReplicationController = object.to_message()?;
        let pods = self.pods.namespace(object.namespace()).list(&Selector::everything())?;
        Ok(plan(&controller, pods, Some(failure), now)?.only_status())
    }
}

/// Plans the next steps of a replication controller, with the pods of its namespace. The status has the step that
/// failed, if one did.
fn plan(
    controller: &ReplicationController,
    pods: Vec<Arc<Pod>>,
    failure: Option<&Failure>,
    now: Time,
) -> Result<Plan> {
    let mut plan = Plan::default();
    let spec = &controller.spec;
    let (Some(template), Some(selector)) = (spec.template.as_deref(), of_labels(&spec.selector)) else {
        return Ok(plan);
    };
    if spec.selector.is_empty() {
        return Ok(plan);
    }
    let of = Replicas {
        owner: controller,
        wanted: spec.replicas.unwrap_or(1),
        selector: &selector,
        template,
        min_ready_seconds: spec.min_ready_seconds,
    };
    let counts = of.manage(pods, now, &mut plan)?;
    let mut new = controller.clone();
    let status = &mut new.status;
    status.replicas = counts.replicas;
    status.fully_labeled_replicas = counts.labeled;
    status.ready_replicas = counts.ready;
    status.available_replicas = counts.available;
    status.observed_generation = controller.metadata.generation;
    let reason = failure.map(failed_reason);
    status.conditions.retain(|one| &*one.type_ != FAILURE || Some(&*one.reason) == reason);
    if let (Some(failure), Some(reason)) = (failure, reason)
        && !status.conditions.iter().any(|one| &*one.type_ == FAILURE)
    {
        status.conditions.push(ReplicationControllerCondition {
            type_: FAILURE.into(),
            status: "True".into(),
            last_transition_time: Some(now),
            reason: reason.into(),
            message: failure.message.as_str().into(),
        });
    }
    if new.status != controller.status {
        plan.status(&REPLICATION_CONTROLLER, &new)?;
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::PodTemplateSpec;
    use client_rs_machinery::json;

    use super::*;
    use crate::kind::POD;
    use crate::pods::tests::{at, named};

    #[test]
    fn a_controller_with_a_map_of_labels_has_its_pods() {
        let mut controller = ReplicationController::EMPTY;
        controller.metadata.name = "web".into();
        controller.metadata.namespace = "shop".into();
        controller.metadata.uid = "uid-web".into();
        let spec = &mut controller.spec;
        spec.replicas = Some(2);
        spec.selector = [("app", "web")].into();
        spec.template = Some(PodTemplateSpec::EMPTY.into());
        // One pod is adopted, one is made.
        let plan = plan(&controller, vec![Arc::new(named("orphan"))], None, at(0)).unwrap();
        assert_eq!((plan.updated(&POD).len(), plan.created(&POD).len()), (1, 1));
        assert_eq!(plan.new_status::<ReplicationController>().unwrap().status.replicas, 1);
    }

    #[test]
    fn an_empty_selector_selects_nothing() {
        let object = |selector| {
            let json =
                json!({"apiVersion": "v1", "kind": "ReplicationController", "spec": {"selector": selector}});
            Unstructured::try_from(json).unwrap()
        };
        assert!(map_selector(&object(json!({}))).is_none());
        assert!(
            map_selector(&object(json!({"a": "b"}))).is_some_and(|selector| selector.to_string() == "a=b")
        );
    }
}
