//! Reviews requests: calls the matching admission webhooks, which allow, deny or change a request.

use std::collections::HashSet;
use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, Time, Unstructured};

use super::invocation::Invocation;
use super::response::{denied, patch_of, unpatched, verified};
use super::session::{Question, Session};
use super::versioned::{internal_object, normalized, versioned_object};
use crate::custom::pending;
use crate::kinds::Action;
use crate::registry::{Admission, Listing, Operation, Subject};

/// The reason why a webhook does not admit a request.
enum Refusal {
    /// The call failed or the response is malformed: the failure policy decides.
    Failed(String),
    /// It denied the request, or an error occurred that the failure policy does not cover.
    Said(ApiError),
    /// It has not responded yet.
    Waiting,
}

impl Admission for Session {
    fn mutate(
        &self,
        subject: &Subject<'_>,
        object: &mut Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<bool, ApiError> {
        let configured = self.webhooks.configured(&self.registry);
        let policies = self.webhooks.policies(&self.registry);
        if configured.mutating.is_empty() && policies.mutating.is_empty() {
            return Ok(false);
        }
        let versioned = versioned_object(subject, object);
        let old = old.map(|old| versioned_object(subject, old));
        if let Some(changed) = self.mutated(subject, Some(versioned), old.as_ref())? {
            *object = internal_object(subject, changed)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn validate(
        &self,
        subject: &Subject<'_>,
        object: &Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError> {
        let configured = self.webhooks.configured(&self.registry);
        let policies = self.webhooks.policies(&self.registry);
        if configured.validating.is_empty() && policies.validating.is_empty() {
            return Ok(());
        }
        let old = old.map(|old| versioned_object(subject, old));
        self.validated(subject, Some(&versioned_object(subject, object)), old.as_ref())
    }

    fn admit_delete(&self, subject: &Subject<'_>, old: &Unstructured) -> Result<(), ApiError> {
        let configured = self.webhooks.configured(&self.registry);
        let policies = self.webhooks.policies(&self.registry);
        if configured.mutating.is_empty()
            && configured.validating.is_empty()
            && policies.validating.is_empty()
        {
            return Ok(());
        }
        let old = versioned_object(subject, old);
        self.mutated(subject, None, Some(&old))?;
        self.validated(subject, None, Some(&old))
    }

    fn is_pending(&self) -> bool {
        Session::is_pending(self)
    }

    fn now(&self) -> Time {
        Session::now(self)
    }

    fn author(&self) -> Json {
        self.requester.user.to_json()
    }

    fn warn(&self, text: &str) {
        Session::warn(self, text);
    }

    fn kept(&self, key: &str) -> Option<String> {
        Session::kept(self, key)
    }

    fn set_kept(&self, key: &str, value: &str) {
        Session::set_kept(self, key, value);
    }

    fn kept_listing(&self) -> Option<Arc<Listing>> {
        Session::kept_listing(self)
    }

    fn set_kept_listing(&self, listing: &Arc<Listing>) {
        Session::set_kept_listing(self, listing);
    }
}

impl Session {
    /// The object after the mutating policies and webhooks; `None` if they do not change it.
    fn mutated(
        &self,
        subject: &Subject<'_>,
        object: Option<Json>,
        old: Option<&Json>,
    ) -> Result<Option<Json>, ApiError> {
        if is_exempt(subject) {
            return Ok(None);
        }
        let configured = self.webhooks.configured(&self.registry);
        let mut state = Mutated { current: object, ever: false, asked: Vec::new(), again: HashSet::new() };
        for round in 0..2_u8 {
            if reviews(subject) && subject.operation != Operation::Delete {
                self.mutate_by_policies(subject, old, round, &mut state)?;
            }
            for webhook in &configured.mutating {
                let Some(invocation) = self.invocation(webhook, subject, state.current.as_ref(), old)? else {
                    continue;
                };
                if round == 1 && !state.again.contains(webhook.id.as_str()) {
                    continue;
                }
                let patched = match self.call(&invocation, subject, round, true) {
                    Ok(patched) => patched,
                    Err(Refusal::Failed(_)) if webhook.ignores_failure => None,
                    Err(refusal) => return Err(refusal.into_error(&webhook.name)),
                };
                if let Some(patched) = patched {
                    let patched = self.as_requested(subject, &invocation, patched)?;
                    state.change(normalized(subject, patched)?);
                }
                if webhook.reinvoked {
                    state.asked.push(webhook.id.to_string());
                }
            }
            if !state.ever {
                break;
            }
        }
        let Mutated { current, ever, .. } = state;
        Ok(current.filter(|_| ever))
    }

    fn validated(
        &self,
        subject: &Subject<'_>,
        object: Option<&Json>,
        old: Option<&Json>,
    ) -> Result<(), ApiError> {
        if is_exempt(subject) {
            return Ok(());
        }
        if reviews(subject) {
            self.validate_by_policies(subject, object, old)?;
        }
        let configured = self.webhooks.configured(&self.registry);
        let mut invocations = Vec::new();
        for webhook in &configured.validating {
            invocations.extend(self.invocation(webhook, subject, object, old)?);
        }
        let mut first = Ok(());
        // Ask all webhooks before waiting for the first.
        for invocation in &invocations {
            let webhook = &invocation.webhook;
            match self.call(invocation, subject, 0, false) {
                Err(Refusal::Failed(_)) if webhook.ignores_failure => {}
                Err(refusal) if first.is_ok() => first = Err(refusal.into_error(&webhook.name)),
                Ok(_) | Err(_) => {}
            }
        }
        if self.is_pending() { Err(pending()) } else { first }
    }

    /// The object after one webhook, in the webhook's version; `None` if the webhook does not change it.
    fn call(
        &self,
        invocation: &Invocation,
        subject: &Subject<'_>,
        round: u8,
        mutating: bool,
    ) -> Result<Option<Json>, Refusal> {
        let webhook = &invocation.webhook;
        let name = webhook.name.as_str();
        if subject.dry_run && !webhook.takes_dry_runs {
            let why = format!("admission webhook {name:?} does not support dry run");
            return Err(Refusal::Said(ApiError::bad_request(why)));
        }
        let Some(version) = webhook.version else {
            let why = "could not create admission objects: webhook does not accept known AdmissionReview versions \
                       (v1, v1beta1)";
            return Err(Refusal::Failed(why.to_owned()));
        };
        let mut request = invocation.request.clone();
        let _ = request.set(&["object"], invocation.object.clone().unwrap_or_default());
        let _ = request.set(&["oldObject"], invocation.old.clone().unwrap_or_default());
        let question = Question::Review {
            // A mutating and a validating webhook can have the same name.
            webhook: format!("{}/{mutating}", webhook.id).into(),
            round,
            client: Arc::clone(&webhook.client),
            version,
            timeout: webhook.timeout,
            request: request.to_vec().into(),
        };
        let answer = self.ask(question).ok_or(Refusal::Waiting)?;
        let response = verified(&answer, version, mutating).map_err(Refusal::Failed)?;
        for warning in response["warnings"].as_list().into_iter().flatten().filter_map(Json::as_str) {
            self.warn(warning);
        }
        if response["allowed"].as_bool() != Some(true) {
            return Err(Refusal::Said(denied(name, &response["status"])));
        }
        if !mutating {
            return Ok(None);
        }
        let patch = patch_of(response).map_err(Refusal::Failed)?;
        let Some(patch) = patch.filter(|patch| !patch.0.is_empty()) else { return Ok(None) };
        let Some(object) = &invocation.object else {
            let why = format!(
                "admission webhook {name:?} attempted to modify the object, which is not supported for this operation"
            );
            return Err(Refusal::Said(ApiError::internal_error(why)));
        };
        let patched = patch
            .apply(object)
            .map_err(|error| Refusal::Said(ApiError::internal_error(unpatched(&patch, object, &error))))?;
        Ok(Some(patched))
    }
}

/// The state of an object during its mutation.
pub(super) struct Mutated {
    pub(super) current: Option<Json>,
    /// Whether anything changed it.
    ever: bool,
    /// The webhooks and policies that ask for another invocation if the object changes after theirs.
    pub(super) asked: Vec<String>,
    /// Those that must be invoked again.
    pub(super) again: HashSet<String>,
}

impl Mutated {
    /// Takes an object after a mutation. Returns whether it is another one.
    pub(super) fn change(&mut self, new: Json) -> bool {
        if self.current.as_ref() == Some(&new) {
            return false;
        }
        self.again.extend(self.asked.drain(..));
        self.ever = true;
        self.current = Some(new);
        true
    }
}

/// Whether policies review the request. Reviews of access are not for them.
fn reviews(subject: &Subject<'_>) -> bool {
    !matches!(subject.served.rules.action, Some(Action::Review(_)))
}

/// Whether the request is exempt: configurations of webhooks and policies are never reviewed.
fn is_exempt(subject: &Subject<'_>) -> bool {
    subject.served.rules.exempt_from_webhooks
}

impl Refusal {
    fn into_error(self, webhook: &str) -> ApiError {
        match self {
            Self::Failed(why) => {
                ApiError::internal_error(format!("failed calling webhook {webhook:?}: {why}"))
            }
            Self::Said(error) => error,
            Self::Waiting => pending(),
        }
    }
}
