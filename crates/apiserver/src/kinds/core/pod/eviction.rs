//! `pods/NAME/eviction`: a delete that disruption budgets can refuse.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::wire::Message;
use client_rs_machinery::{
    ApiError, CauseType, ErrorCause, GroupResource, Json, Map, Object, Time, Unstructured, json,
};

use crate::kinds::rules::{Post, PostContext, Posted};
use crate::object::{internal, label_selector};

/// The condition of a budget that allows disruptions.
const ALLOWED: &str = "DisruptionAllowed";
/// The largest number of evicted pods that the controller of budgets has not seen yet.
const DISRUPTED_MAX: usize = 2000;

pub(super) const EVICTION: Post =
    Post { api_version: "policy/v1", kind: "Eviction", named: true, run: evict };

#[allow(clippy::needless_pass_by_value, reason = "other actions complete the posted object and return it")]
fn evict(eviction: Unstructured, context: &dyn PostContext) -> Result<Posted, ApiError> {
    let options = eviction.object.get("deleteOptions").map(Json::to_vec);
    let options = options.map(|text| DeleteOptions::from_json(&text)).transpose();
    let mut options = options.map_err(|error| ApiError::bad_request(error.to_string()))?.unwrap_or_default();
    if context.is_dry_run() {
        options.dry_run = ["All".into()].into();
    }
    let pod = context.get()?;
    let phase = pod.nested_str(&["status", "phase"]).ok().flatten().unwrap_or_default();
    // A pod that is pending, has terminated or is being deleted does not count against a budget.
    if !matches!(phase, "Succeeded" | "Failed" | "Pending") && !pod.is_being_deleted() {
        spend_disruption(&pod, context)?;
    }
    context.delete(&options)?;
    Ok(Posted::Done)
}

/// Takes one disruption from the budget of a pod, if it has one.
fn spend_disruption(pod: &Unstructured, context: &dyn PostContext) -> Result<(), ApiError> {
    let budgets = context.list("policy", "poddisruptionbudgets");
    let covering: Vec<_> = budgets.iter().filter(|budget| covers(budget, pod)).collect();
    let budget = match covering.as_slice() {
        [] => return Ok(()),
        [budget] => budget,
        _ => {
            let why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
            return Err(internal(why));
        }
    };
    if !is_ready(pod) && spares_unhealthy(budget) {
        return Ok(());
    }
    context.update_status("policy", "poddisruptionbudgets", budget.name(), &mut |mut budget| {
        check_budget(&budget)?;
        spend(&mut budget, pod.name(), context.now());
        Ok(budget)
    })
}

/// Whether the budget allows the eviction of pods that are not ready.
fn spares_unhealthy(budget: &Unstructured) -> bool {
    if budget.nested_str(&["spec", "unhealthyPodEvictionPolicy"]).ok().flatten() == Some("AlwaysAllow") {
        return true;
    }
    let (healthy, desired) = (count(budget, "currentHealthy"), count(budget, "desiredHealthy"));
    healthy >= desired && desired > 0
}

fn is_ready(pod: &Unstructured) -> bool {
    let conditions = pod.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
    conditions.iter().any(|condition| {
        condition["type"].as_str() == Some("Ready") && condition["status"].as_str() == Some("True")
    })
}

/// Refuses if the budget allows no disruption now.
fn check_budget(budget: &Unstructured) -> Result<(), ApiError> {
    if count(budget, "observedGeneration") < budget.generation() {
        let why = format!("The disruption budget {} is still being processed by the server.", budget.name());
        return Err(refused(why, 10));
    }
    let forbidden = |why: &str| {
        let resource = GroupResource::new("policy", "poddisruptionbudget");
        Err(ApiError::forbidden(&resource, budget.name(), why))
    };
    let left = count(budget, "disruptionsAllowed");
    if left < 0 {
        return forbidden("pdb disruptions allowed is negative");
    }
    let disrupted = budget.nested_map(&["status", "disruptedPods"]).ok().flatten().map_or(0, Map::len);
    if disrupted > DISRUPTED_MAX {
        return forbidden("DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if left > 0 {
        return Ok(());
    }
    let conditions = budget.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
    let failed = conditions.iter().find(|condition| {
        condition["type"].as_str() == Some(ALLOWED) && condition["reason"].as_str() == Some("SyncFailed")
    });
    Err(refused(
        match failed {
            Some(condition) => format!(
                "The disruption budget {} does not allow evicting pods currently because it failed sync: {}",
                budget.name(),
                condition["message"].as_str().unwrap_or_default()
            ),
            None => format!(
                "The disruption budget {} needs {} healthy pods and has {} currently",
                budget.name(),
                count(budget, "desiredHealthy"),
                count(budget, "currentHealthy")
            ),
        },
        0,
    ))
}

/// Records the eviction of a pod in the status of its budget.
fn spend(budget: &mut Unstructured, pod: &str, now: Time) {
    let left = count(budget, "disruptionsAllowed") - 1;
    drop(budget.set_nested(&["status", "disruptionsAllowed"], left));
    // The controller of budgets does not count the pod until it is gone.
    drop(budget.set_nested(&["status", "disruptedPods", pod], now.to_string()));
    if left > 0 {
        return;
    }
    let conditions = budget.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
    let (mut conditions, observed) = (conditions.to_vec(), count(budget, "observedGeneration"));
    let known = conditions.iter().position(|condition| condition["type"].as_str() == Some(ALLOWED));
    let since = known.map(|at| &conditions[at]).filter(|known| known["status"].as_str() == Some("False"));
    let since = since.map_or_else(|| now.to_string().into(), |known| known["lastTransitionTime"].clone());
    let allowed = json!({
        "type": ALLOWED, "status": "False", "reason": "InsufficientPods", "message": "",
        "observedGeneration": observed, "lastTransitionTime": since,
    });
    match known {
        Some(at) => conditions[at] = allowed,
        None => conditions.push(allowed),
    }
    drop(budget.set_nested(&["status", "conditions"], conditions));
}

/// A number of the budget's status.
fn count(budget: &Unstructured, field: &str) -> i64 {
    budget.nested_i64(&["status", field]).ok().flatten().unwrap_or(0)
}

fn covers(budget: &Unstructured, pod: &Unstructured) -> bool {
    let Ok(Some(selector)) = budget.nested(&["spec", "selector"]) else { return false };
    label_selector(selector)
        .is_ok_and(|selector| selector.matches(&client_rs_machinery::labels::from_fn(|key| pod.label(key))))
}

fn refused(why: String, retry_after: i32) -> ApiError {
    let message = "Cannot evict pod as it would violate the pod's disruption budget.";
    let mut status = ApiError::too_many_requests(message, retry_after).into_status();
    let cause = ErrorCause {
        cause_type: CauseType::from("DisruptionBudget"),
        message: why.into(),
        field: client_rs_machinery::Str::EMPTY,
    };
    if let Some(details) = &mut status.details {
        details.causes = [cause].into();
    }
    status.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(status: &Json) -> Unstructured {
        let object = json!({
            "kind": "PodDisruptionBudget", "metadata": {"name": "b", "generation": 2}, "status": status.clone(),
        });
        object.try_into().unwrap()
    }

    #[test]
    fn a_budget_that_is_not_observed_or_spent_refuses() {
        let cause = |status: Json| {
            let status = check_budget(&budget(&status)).unwrap_err().into_status();
            let causes = status.details.map(|details| details.causes).unwrap_or_default();
            (status.code, causes[0].message.to_string())
        };
        assert!(
            cause(json!({"observedGeneration": 1, "disruptionsAllowed": 5}))
                .1
                .contains("still being processed")
        );
        let spent = json!({"observedGeneration": 2, "desiredHealthy": 3, "currentHealthy": 2});
        assert_eq!(
            cause(spent),
            (429, "The disruption budget b needs 3 healthy pods and has 2 currently".to_owned())
        );
        let negative = check_budget(&budget(&json!({"observedGeneration": 2, "disruptionsAllowed": -1})));
        assert_eq!(negative.unwrap_err().code(), 403);
        assert!(check_budget(&budget(&json!({"observedGeneration": 2, "disruptionsAllowed": 1}))).is_ok());
    }

    #[test]
    fn the_last_disruption_changes_the_condition() {
        let mut budget = budget(&json!({"observedGeneration": 2, "disruptionsAllowed": 2}));
        let now: Time = "2026-01-02T03:04:05Z".parse().unwrap();
        spend(&mut budget, "one", now);
        assert_eq!(budget.nested(&["status", "conditions"]), Ok(None));
        spend(&mut budget, "two", now);
        let conditions = budget.nested_slice(&["status", "conditions"]).unwrap().unwrap();
        assert_eq!(conditions[0]["reason"].as_str(), Some("InsufficientPods"));
        let pods = budget.nested_map(&["status", "disruptedPods"]).unwrap().unwrap();
        assert_eq!(pods.len(), 2);
    }

    #[test]
    fn pods_that_are_not_ready_are_spared_by_policy_or_by_a_healthy_budget() {
        let of = |policy: &str, healthy: i64, desired: i64| {
            let mut budget = budget(&json!({"currentHealthy": healthy, "desiredHealthy": desired}));
            drop(budget.set_nested(&["spec", "unhealthyPodEvictionPolicy"], policy));
            spares_unhealthy(&budget)
        };
        assert!(of("AlwaysAllow", 0, 5) && of("IfHealthyBudget", 5, 5));
        assert!(!of("IfHealthyBudget", 4, 5) && !of("IfHealthyBudget", 0, 0));
    }
}
