//! Selects the webhooks for a request, and builds the review request for each.

use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, json, labels};

use super::conditions::{self, Seen};
use super::configuration::Webhook;
use super::session::Session;
use crate::registry::{Operation, Served, Subject};

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
        let in_namespace = self.in_namespace(webhook, subject, object);
        if matches!(in_namespace, Ok(false)) {
            return Ok(None);
        }
        let labelled = |object: Option<&Json>| {
            object.is_some_and(|object| {
                let labels = &object["metadata"]["labels"];
                webhook.objects.matches(&labels::from_fn(|key| labels[key].as_str()))
            })
        };
        if !webhook.objects.is_everything() && !labelled(object) && !labelled(old) {
            return Ok(None);
        }
        let (served, sub) = (subject.served, self.requester.subresource.as_str());
        let mut equivalent = None;
        if !webhook.is_for(&served.info, sub, subject.operation) {
            if !webhook.equivalent {
                return Ok(None);
            }
            equivalent = self
                .registry
                .catalog()
                .all()
                .iter()
                .find(|other| {
                    other.table.is_some()
                        && other.table == served.table
                        && other.info != served.info
                        && (sub.is_empty() || other.has(sub))
                        && webhook.is_for(&other.info, sub, subject.operation)
                })
                .cloned();
            if equivalent.is_none() {
                return Ok(None);
            }
        }
        in_namespace?;
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
        let seen = Seen { object: object.as_ref(), old: old.as_ref(), request: &request };
        match conditions::met(&webhook.conditions, &seen) {
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

    /// Whether the webhook's namespace selector matches the namespace of the request.
    fn in_namespace(
        &self,
        webhook: &Webhook,
        subject: &Subject<'_>,
        object: Option<&Json>,
    ) -> Result<bool, ApiError> {
        let is_namespace = subject.served.rules.is_namespace;
        if webhook.namespaces.is_everything() || (subject.namespace.is_empty() && !is_namespace) {
            return Ok(true);
        }
        let writes = subject.operation != Operation::Delete && self.requester.subresource.is_empty();
        if let (true, true, Some(object)) = (is_namespace, writes, object) {
            let labels = &object["metadata"]["labels"];
            return Ok(webhook.namespaces.matches(&labels::from_fn(|key| labels[key].as_str())));
        }
        let Some(namespaces) = self.registry.catalog().find("", "v1", "namespaces") else { return Ok(true) };
        let found = self.registry.get(&namespaces, "", subject.namespace)?;
        Ok(webhook.namespaces.matches(&labels::from_fn(|key| found.stored.object.label(key))))
    }

    /// The `request` of a review, without the objects and the UID.
    fn request(&self, subject: &Subject<'_>, equivalent: Option<&Served>, object: Option<&Json>) -> Json {
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
        let own_name = || object.and_then(|object| object["metadata"]["name"].as_str()).unwrap_or_default();
        let name = match self.requester.name.as_str() {
            // A delete of a collection has no name, not even in the review of each object.
            "" if subject.operation != Operation::Delete => own_name(),
            name => name,
        };
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
            ("name", name),
            ("namespace", subject.namespace),
        ] {
            if !value.is_empty() {
                let _ = request.set(&[key], value);
            }
        }
        request
    }
}
