//! Mutating policies.

use std::sync::Arc;

use client_rs_cel::Value;
use client_rs_machinery::{ApiError, ErrorCause, ErrorStatus, Json, StatusReason};
use client_rs_schema::cel_value;

use super::activation::{BUDGET, OUT_OF_BUDGET};
use super::params::NoParams;
use super::patches::{self, NotPatched};
use super::{Activation, Binding, Inputs, MATCH_BUDGET, Mutation, Policy};
use crate::admission::criteria::Matched;
use crate::admission::reviews::Mutated;
use crate::admission::session::Session;
use crate::admission::versioned::normalized;
use crate::registry::Subject;

/// A policy that applies to a request, with one set of parameters.
struct Invocation<'p> {
    policy: &'p Policy,
    binding: &'p Binding,
    matched: Matched,
    params: Option<Json>,
}

impl Invocation<'_> {
    /// Identifies it in both rounds.
    fn id(&self) -> String {
        let text = |key: &str| {
            let metadata = self.params.as_ref().map(|params| &params["metadata"]);
            metadata.and_then(|metadata| metadata[key].as_str()).unwrap_or_default().to_owned()
        };
        let (policy, binding) = (&self.policy.name, &self.binding.name);
        format!("policy/{policy}/{binding}/{}/{}", text("namespace"), text("name"))
    }
}

/// An error of a policy.
struct Failure<'p> {
    policy: &'p Policy,
    binding: Option<&'p Binding>,
    message: String,
    reason: Option<StatusReason>,
}

impl Session {
    /// Applies the mutating policies of a request. The second round applies those that ask for it.
    pub(in crate::admission) fn mutate_by_policies(
        &self,
        subject: &Subject<'_>,
        old: Option<&Json>,
        round: u8,
        state: &mut Mutated,
    ) -> Result<(), ApiError> {
        let policies = self.webhooks.policies(&self.registry);
        let mut failures = Vec::new();
        let mut invocations = Vec::new();
        for policy in &policies.mutating {
            self.collect(policy, subject, (state.current.as_ref(), old), &mut invocations, &mut failures)?;
        }
        if invocations.is_empty() && failures.is_empty() {
            return Ok(());
        }
        let namespace = self.namespace_object(subject)?;
        let mut changed = false;
        for invocation in &invocations {
            let Some(object) = state.current.clone() else { continue };
            let id = invocation.id();
            match self.apply(
                invocation,
                subject,
                &namespace,
                object,
                old,
                round == 1 && !state.again.contains(&id),
            )? {
                Applied::Skipped => continue,
                Applied::Failed(whys) => failures.extend(whys.into_iter().map(|message| Failure {
                    policy: invocation.policy,
                    binding: Some(invocation.binding),
                    message,
                    reason: Some(StatusReason::Invalid),
                })),
                Applied::Object(new) => changed |= state.change(new),
            }
            if invocation.policy.reinvoked {
                state.asked.push(id);
            }
        }
        if changed && round == 0 {
            // All of them, also the one that changed it last.
            state.again.extend(state.asked.drain(..));
        }
        failures.retain(|failure| !failure.policy.ignores_failure);
        match failures.as_slice() {
            [] => Ok(()),
            failures => Err(refused(subject, &self.shown_name(subject, state.current.as_ref()), failures)),
        }
    }

    /// Collects the invocations of a policy.
    fn collect<'p>(
        &self,
        policy: &'p Arc<Policy>,
        subject: &Subject<'_>,
        (object, old): (Option<&Json>, Option<&Json>),
        invocations: &mut Vec<Invocation<'p>>,
        failures: &mut Vec<Failure<'p>>,
    ) -> Result<(), ApiError> {
        let mut failed = |binding: Option<&'p Binding>, why: &str| {
            let what = if binding.is_some() { "binding" } else { "policy" };
            let message = format!("failed to configure {what}: {why}");
            failures.push(Failure { policy, binding, message, reason: None });
        };
        let matched = match self.matched(&policy.criteria, subject, object, old) {
            Ok(Some(matched)) => matched,
            Ok(None) => return Ok(()),
            Err(error) => {
                failed(None, error.message());
                return Ok(());
            }
        };
        let served = match self.param_resource(policy) {
            Ok(served) => served,
            Err(why) => {
                failed(None, &why);
                return Ok(());
            }
        };
        for binding in &policy.bindings {
            match binding.criteria.as_ref().map(|criteria| self.matched(criteria, subject, object, old)) {
                None | Some(Ok(Some(_))) => {}
                Some(Ok(None)) => continue,
                Some(Err(error)) => {
                    failed(Some(binding), error.message());
                    continue;
                }
            }
            match self.params(served.as_ref(), binding, subject.namespace) {
                Ok(all) => invocations.extend(all.into_iter().map(|params| Invocation {
                    policy,
                    binding,
                    matched: matched.clone(),
                    params,
                })),
                Err(NoParams::Now(error)) => return Err(error),
                Err(NoParams::Configuration(why)) => failed(Some(binding), &why),
            }
        }
        Ok(())
    }

    /// Applies the mutations of a policy in their order.
    fn apply(
        &self,
        invocation: &Invocation<'_>,
        subject: &Subject<'_>,
        namespace: &Value,
        object: Json,
        old: Option<&Json>,
        not_again: bool,
    ) -> Result<Applied, ApiError> {
        let Invocation { policy, matched, params, .. } = invocation;
        let params = params.as_ref().map_or(Value::Null, cel_value);
        let inputs = self.inputs_in(subject, matched, Some(&object), old)?;
        let inputs = Inputs { params, ..inputs };
        if !policy.conditions.is_empty() {
            match Activation::new(&policy.variables, &inputs, MATCH_BUDGET).met(&policy.conditions) {
                Ok(true) => {}
                Ok(false) => return Ok(Applied::Skipped),
                Err(_) if policy.ignores_failure => return Ok(Applied::Skipped),
                Err(why) => return Ok(Applied::Failed(vec![why])),
            }
        }
        if not_again {
            return Ok(Applied::Skipped);
        }
        let shown = matched.equivalent.as_deref().filter(|_| subject.kind.is_none());
        let mut current = match shown {
            Some(to) => self.in_version(subject.served, to, object.clone())?,
            None => object,
        };
        let mut inputs = Inputs { namespace: namespace.clone(), ..inputs };
        let mut failures = Vec::new();
        for mutation in &policy.mutations {
            inputs.object = cel_value(&current);
            match mutated_by(mutation, policy, &inputs, subject, matched, &current) {
                Ok(new) => current = new,
                Err(NotPatched::Failed(why)) => failures.push(why),
                Err(NotPatched::Refused(error)) => return Err(error),
            }
        }
        if !failures.is_empty() && !policy.ignores_failure {
            return Ok(Applied::Failed(failures));
        }
        let current = match shown {
            Some(from) => self.in_version(from, subject.served, current)?,
            None => current,
        };
        normalized(subject, current).map(Applied::Object)
    }
}

/// Applies a mutation to an object.
fn mutated_by(
    mutation: &Mutation,
    policy: &Policy,
    inputs: &Inputs,
    subject: &Subject<'_>,
    matched: &Matched,
    object: &Json,
) -> Result<Json, NotPatched> {
    let (Mutation::ApplyConfiguration(expression) | Mutation::JsonPatch(expression)) = mutation;
    let mut activation = Activation::new(&policy.variables, inputs, BUDGET);
    let value = activation.evaluate(expression).map_err(|_| NotPatched::Failed(OUT_OF_BUDGET.to_owned()))?;
    let value = value.map_err(NotPatched::Failed)?;
    match mutation {
        Mutation::JsonPatch(_) => patches::json_patched(&value, object),
        Mutation::ApplyConfiguration(_) => {
            let served = matched.equivalent.as_deref().unwrap_or(subject.served);
            let (version, kind) = match subject.kind {
                Some((version, kind)) => (version.to_owned(), kind.to_owned()),
                None => (served.api_version(), served.info.kind.to_string()),
            };
            patches::applied(&value, object, served, &version, &kind)
        }
    }
}

/// The outcome of a policy.
enum Applied {
    /// The policy does not apply, or not again.
    Skipped,
    Failed(Vec<String>),
    Object(Json),
}

/// The error of a request that a policy can't change.
fn refused(subject: &Subject<'_>, name: &str, failures: &[Failure<'_>]) -> ApiError {
    let told = |failure: &Failure<'_>| {
        let (policy, message) = (&failure.policy.name, &failure.message);
        match failure.binding {
            Some(binding) => {
                format!("policy '{policy}' with binding '{}' denied request: {message}", binding.name)
            }
            None => format!("policy {policy:?} denied request: {message}"),
        }
    };
    let forbidden = ApiError::forbidden(&subject.served.group_resource(), name, "").into_status();
    let details = forbidden.details.map(|mut details| {
        let causes = failures
            .iter()
            .map(|failure| ErrorCause { message: told(failure).into(), ..ErrorCause::default() });
        details.causes = causes.collect();
        details
    });
    let message = failures.first().map(told).unwrap_or_default().into();
    let reason = failures.first().and_then(|failure| failure.reason.clone()).unwrap_or(forbidden.reason);
    ApiError::new(ErrorStatus { code: forbidden.code, reason, message, details, ..ErrorStatus::default() })
}
