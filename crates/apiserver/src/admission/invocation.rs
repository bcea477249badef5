//! Selects the webhooks for a request, and builds the review request for each.

use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, json};

use super::configuration::Webhook;
use super::criteria::Matched;
use super::policy::{Activation, Inputs, MATCH_BUDGET};
use super::session::Session;
use crate::registry::{Served, Subject};

/// A call of a webhook, and the version in which the webhook receives the object.
pub(super) struct Invocation {
    pub(super) webhook: Arc<Webhook>,
    /// The resource in the webhook's version, if it differs from the request's.
    pub(super) equivalent: Option<Arc<Served>>,
    pub(super) object: Option<Json>,
    pub(super) old: Option<Json>,
    /// The `request` of the review, without the objects.
    pub(super) request: Json,
}

impl Session {
    /// The call of a webhook for this request; `None` if the webhook does not match.
    pub(super) fn invocation(
        &self,
        webhook: &Arc<Webhook>,
        subject: &Subject<'_>,
        object: Option<&Json>,
        old: Option<&Json>,
    ) -> Result<Option<Invocation>, ApiError> {
        let Some(Matched { equivalent }) = self.matched(&webhook.criteria, subject, object, old)? else {
            return Ok(None);
        };
        let served = subject.served;
        let in_version = |json: Option<&Json>| -> Result<Option<Json>, ApiError> {
            match (json, &equivalent) {
                (Some(json), Some(to)) if subject.kind.is_none() => {
                    self.in_version(served, to, json.clone()).map(Some)
                }
                (json, _) => Ok(json.cloned()),
            }
        };
        let (object, old) = (in_version(object)?, in_version(old)?);
        let request = self.request(subject, equivalent.as_deref(), object.as_ref().or(old.as_ref()));
        match self.conditions_met(webhook, subject, (object.as_ref(), old.as_ref()), &request) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(_) if webhook.ignores_failure => return Ok(None),
            Err(why) => {
                let name = request["name"].as_str().unwrap_or_default();
                return Err(ApiError::forbidden(&served.group_resource(), name, why));
            }
        }
        Ok(Some(Invocation { webhook: Arc::clone(webhook), equivalent, object, old, request }))
    }

    fn conditions_met(
        &self,
        webhook: &Webhook,
        subject: &Subject<'_>,
        (object, old): (Option<&Json>, Option<&Json>),
        request: &Json,
    ) -> Result<bool, String> {
        if webhook.conditions.is_empty() {
            return Ok(true);
        }
        let authorizer = self.authorizer(subject, request["name"].as_str().unwrap_or_default());
        let inputs = Inputs::new(object, old, request, authorizer);
        Activation::new(&[], &inputs, MATCH_BUDGET).met(&webhook.conditions)
    }

    /// The `request` of a review, without the objects and the UID.
    pub(super) fn request(
        &self,
        subject: &Subject<'_>,
        equivalent: Option<&Served>,
        object: Option<&Json>,
    ) -> Json {
        let sub = self.requester.subresource.as_str();
        let kind = |served: &Served| {
            let (version, kind) = match subject.kind {
                Some((version, kind)) => (version.to_owned(), kind.to_owned()),
                None => (served.api_version(), served.info.kind.to_string()),
            };
            let (group, version) = version.split_once('/').unwrap_or(("", version.as_str()));
            json!({"group": group, "version": version, "kind": kind})
        };
        let resource = |served: &Served| {
            let info = &served.info;
            json!({
                "group": info.group.as_str(), "version": info.version.as_str(), "resource": info.plural.as_str(),
            })
        };
        let own = subject.served;
        let shown = equivalent.unwrap_or(own);
        let name = self.name_of(subject, object);
        let mut options = subject.options.unwrap_or(&self.requester.options).clone();
        if options.as_map().is_none() {
            options = Json::EMPTY_MAP;
        }
        match subject.operation.options_kind() {
            "" => options = Json::Null,
            kind => {
                let _ = options.set(&["kind"], kind);
                let _ = options.set(&["apiVersion"], "meta.k8s.io/v1");
            }
        }
        let user = self.requester.user.to_json();
        let mut request = json!({
            "kind": kind(shown), "resource": resource(shown), "requestKind": kind(own),
            "requestResource": resource(own), "operation": subject.operation.as_str(), "userInfo": user,
            "dryRun": subject.dry_run, "options": options,
        });
        for (key, value) in [
            ("subResource", sub),
            ("requestSubResource", sub),
            ("name", name.as_str()),
            ("namespace", subject.namespace),
        ] {
            if !value.is_empty() {
                let _ = request.set(&[key], value);
            }
        }
        request
    }
}
