//! What is done to pods by way of their subresources: they are bound to nodes, and evicted.

use client_rs_machinery::meta::v1::{DeleteOptions, Status};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{ApiError, CauseType, ErrorCause, Json, Unstructured, json};
use http::Method;

use super::decode::Expected;
use super::objects::{check_name, encoding};
use super::reply::{Failure, Reply};
use super::{Api, Call, encode, method_not_allowed, not_implemented};
use crate::object::label_selector;
use crate::registry::{ListRequest, Part, Precondition, Selection, Served, Stored};
use crate::registry::{Operation, Subject};
use crate::request::Target;

impl Api {
    /// `pods/NAME/binding`, and the older `bindings`.
    pub(super) fn bind(&self, pods: &Served, target: &Target<'_>, call: &Call<'_>) -> Result<Reply, Failure> {
        if call.method != Method::POST {
            return Err(method_not_allowed().into());
        }
        let (options, mut binding) = self.posted(pods, target, ("v1", "Binding"), call)?;
        if !target.name.is_empty() {
            if binding.name().is_empty() {
                binding.set_name(target.name);
            }
            check_name(&binding, target.name)?;
        }
        let name = binding.name().to_owned();
        let node = binding.nested_str(&["target", "name"]).ok().flatten().unwrap_or_default().to_owned();
        let time = self.registry.clock().now().to_string();
        let mut make = |stored: Option<&Stored>| {
            let mut pod = stored.map(|stored| stored.object.clone()).unwrap_or_default();
            let bound = pod.nested_str(&["spec", "nodeName"]).ok().flatten().unwrap_or_default();
            if !bound.is_empty() {
                let why = format!("pod {name} is already assigned to node {bound:?}");
                return Err(ApiError::conflict(
                    &client_rs_machinery::GroupResource::new("", "pods/binding"),
                    &name,
                    why,
                ));
            }
            drop(pod.set_nested(&["spec", "nodeName"], node.as_str()));
            let conditions = pod.nested_slice(&["status", "conditions"]).ok().flatten().unwrap_or_default();
            let others = conditions.iter().filter(|condition| condition["type"] != json!("PodScheduled"));
            let condition =
                json!({"type": "PodScheduled", "status": "True", "lastTransitionTime": time.as_str()});
            let all: Vec<Json> = others.cloned().chain([condition]).collect();
            drop(pod.set_nested(&["status", "conditions"], Json::from(all)));
            Ok(pod)
        };
        let (namespace, part) = (target.namespace, Part::Binding);
        self.registry.update(pods, namespace, &name, part, Precondition::None, options, &mut make)?;
        done(call)
    }

    /// `pods/NAME/eviction`: a delete that disruption budgets may refuse.
    pub(super) fn evict(
        &self,
        pods: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        if call.method != Method::POST {
            return Err(method_not_allowed().into());
        }
        let (options, mut eviction) = self.posted(pods, target, ("policy/v1", "Eviction"), call)?;
        if eviction.name().is_empty() {
            eviction.set_name(target.name);
        }
        check_name(&eviction, target.name)?;
        let delete = eviction.object.get("deleteOptions").map(Json::to_vec);
        let delete = delete.map(|text| DeleteOptions::from_json(&text)).transpose();
        let mut delete =
            delete.map_err(|error| ApiError::bad_request(error.to_string()))?.unwrap_or_default();
        if options.dry_run {
            delete.dry_run = ["All".into()].into();
        }
        let pod = self.registry.get(pods, target.namespace, target.name)?;
        let phase = pod.stored.object.nested_str(&["status", "phase"]).ok().flatten().unwrap_or_default();
        // What no longer runs, or does not run yet, disrupts nothing when it goes.
        if !matches!(phase, "Succeeded" | "Failed" | "Pending") {
            self.spend_disruption(&pod.stored.object, options.dry_run)?;
        }
        self.registry.delete(pods, target.namespace, target.name, &delete, None)?;
        done(call)
    }

    /// Takes one disruption from the budget that covers a pod, if one does.
    fn spend_disruption(&self, pod: &Unstructured, dry_run: bool) -> Result<(), ApiError> {
        let Some(budgets) = self.registry.catalog().find("policy", "v1", "poddisruptionbudgets") else {
            return Ok(());
        };
        let everything = Selection::default();
        let listing = self.registry.list(&budgets, &ListRequest::all(pod.namespace(), &everything));
        let items = listing.map(|listing| listing.items).unwrap_or_default();
        let covering: Vec<_> = items.iter().filter(|budget| covers(&budget.object, pod)).collect();
        let budget = match covering.as_slice() {
            [] => return Ok(()),
            [budget] => &budget.object,
            _ => {
                let why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
                return Err(crate::registry::internal(why));
            }
        };
        let mut spend = |stored: Option<&Stored>| {
            let mut budget = stored.map(|stored| stored.object.clone()).unwrap_or_default();
            let left = budget.nested_i64(&["status", "disruptionsAllowed"]).ok().flatten().unwrap_or(0);
            if left <= 0 {
                return Err(refused(&budget));
            }
            drop(budget.set_nested(&["status", "disruptionsAllowed"], left - 1));
            Ok(budget)
        };
        let options = crate::registry::WriteOptions { dry_run, ..crate::registry::WriteOptions::default() };
        let (namespace, name, part) = (budget.namespace(), budget.name(), Part::Status);
        self.registry.update(&budgets, namespace, name, part, Precondition::None, options, &mut spend)?;
        Ok(())
    }

    /// What is posted to a subresource, as webhooks let it pass.
    pub(super) fn posted(
        &self,
        served: &Served,
        target: &Target<'_>,
        (api_version, kind): (&str, &str),
        call: &Call<'_>,
    ) -> Result<(crate::registry::WriteOptions<'static>, Unstructured), ApiError> {
        let found = self.scheme.find(api_version, kind);
        let found = found.ok_or_else(|| not_implemented(&format!("{kind} without its group")))?;
        let (options, validation) = call.query.write_options("CreateOptions")?;
        let expected = Expected { scheme: &self.scheme, api_version, kind: found, validation };
        let mut object = expected.decode(encoding(call)?, &call.body)?.object;
        if !target.subresource.is_empty() {
            let subject = Subject {
                served,
                kind: Some((api_version, kind)),
                operation: Operation::Create,
                namespace: target.namespace,
                dry_run: options.dry_run,
                options: None,
            };
            call.session.mutate(&subject, &mut object, None)?;
            call.session.validate(&subject, &object, None)?;
            call.session.check_answered()?;
        }
        Ok((options, object))
    }
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

fn done(call: &Call<'_>) -> Result<Reply, Failure> {
    let status = Status { status: Status::SUCCESS.into(), code: 201, ..Status::EMPTY };
    Ok(Reply::new(201, call.form, encode::plain(call.form, &status)?))
}
