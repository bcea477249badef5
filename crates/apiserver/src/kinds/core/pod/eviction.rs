//! `pods/NAME/eviction`: a delete that disruption budgets can refuse.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::wire::Message;
use client_rs_machinery::{ApiError, CauseType, ErrorCause, Json, Unstructured};

use crate::kinds::rules::{Post, PostContext, Posted};
use crate::object::{internal, label_selector};

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
    // A pod that is pending or has terminated does not count against a budget.
    if !matches!(phase, "Succeeded" | "Failed" | "Pending") {
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
    context.update_status("policy", "poddisruptionbudgets", budget.name(), &mut |mut budget| {
        let left = budget.nested_i64(&["status", "disruptionsAllowed"]).ok().flatten().unwrap_or(0);
        if left <= 0 {
            return Err(refused(&budget));
        }
        drop(budget.set_nested(&["status", "disruptionsAllowed"], left - 1));
        Ok(budget)
    })
}

fn covers(budget: &Unstructured, pod: &Unstructured) -> bool {
    let Ok(Some(selector)) = budget.nested(&["spec", "selector"]) else { return false };
    label_selector(selector)
        .is_ok_and(|selector| selector.matches(&client_rs_machinery::labels::from_fn(|key| pod.label(key))))
}

fn refused(budget: &Unstructured) -> ApiError {
    let number = |path: &[&str]| budget.nested_i64(path).ok().flatten().unwrap_or(0);
    let mut status =
        ApiError::too_many_requests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
            .into_status();
    let cause = ErrorCause {
        cause_type: CauseType::from("DisruptionBudget"),
        message: format!(
            "The disruption budget {} needs {} healthy pods and has {} currently",
            budget.name(),
            number(&["status", "desiredHealthy"]),
            number(&["status", "currentHealthy"])
        )
        .into(),
        field: client_rs_machinery::Str::EMPTY,
    };
    if let Some(details) = &mut status.details {
        details.causes = [cause].into();
    }
    status.into()
}
