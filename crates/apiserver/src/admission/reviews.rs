//! Whether a request may pass, and what of it is changed: asked of the webhooks that are configured for it.

use std::collections::HashSet;
use std::sync::Arc;

use client_rs_machinery::labels;
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::patch::{
    JsonPatch, JsonPatchError, JsonPatchErrorKind, Operation as PatchOperation,
};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{ApiError, Json, Str, Time, Unstructured, json};

use super::conditions::{self, Seen};
use super::configuration::Webhook;
use super::session::{Answer, Question, Session};
use crate::custom::pending;
use crate::registry::{Admission, Listing, Operation, Served, Subject};

/// A webhook that is to be called, and in which version it sees the object.
struct Invocation {
    webhook: Arc<Webhook>,
    /// The resource, where it is in another version than the request's.
    equivalent: Option<Arc<Served>>,
    object: Option<Json>,
    old: Option<Json>,
    /// The request of the review, without the objects.
    request: Json,
}

/// Why a webhook does not let a request pass.
enum Refusal {
    /// It could not be asked, or its answer is none: its policy decides.
    Failed(String),
    /// It said no, or something that no policy forgives.
    Said(ApiError),
    /// It has not answered yet.
    Waiting,
}

impl Admission for Session {
    fn mutate(
        &self,
        subject: &Subject<'_>,
        object: &mut Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError> {
        if self.webhooks.configured(&self.registry).mutating.is_empty() {
            return Ok(());
        }
        let versioned = versioned_object(subject, object);
        let old = old.map(|old| versioned_object(subject, old));
        if let Some(changed) = self.mutated(subject, Some(versioned), old.as_ref())? {
            *object = internal_object(subject, changed)?;
        }
        Ok(())
    }

    fn validate(
        &self,
        subject: &Subject<'_>,
        object: &Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError> {
        if self.webhooks.configured(&self.registry).validating.is_empty() {
            return Ok(());
        }
        let old = old.map(|old| versioned_object(subject, old));
        self.validated(subject, Some(&versioned_object(subject, object)), old.as_ref())
    }

    fn admit_delete(&self, subject: &Subject<'_>, old: &Unstructured) -> Result<(), ApiError> {
        let configured = self.webhooks.configured(&self.registry);
        if configured.mutating.is_empty() && configured.validating.is_empty() {
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
    /// What webhooks make of an object; `None` where they leave it as it is.
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
        let mut current = object;
        let mut ever = false;
        // Those to be asked again when another changes the object after them, and those that are to be.
        let (mut asked, mut again) = (Vec::new(), HashSet::new());
        for round in 0..2_u8 {
            for webhook in &configured.mutating {
                let Some(invocation) = self.invocation(webhook, subject, current.as_ref(), old)? else {
                    continue;
                };
                if round == 1 && !again.contains(&webhook.id) {
                    continue;
                }
                let patched = match self.call(&invocation, subject, round, true) {
                    Ok(patched) => patched,
                    Err(Refusal::Failed(_)) if webhook.ignores_failure => None,
                    Err(refusal) => return Err(refusal.into_error(&webhook.name)),
                };
                if let Some(patched) = patched {
                    let patched = self.as_requested(subject, &invocation, patched)?;
                    let patched = normalized(subject, patched)?;
                    if current.as_ref() != Some(&patched) {
                        again.extend(asked.drain(..));
                        ever = true;
                        current = Some(patched);
                    }
                }
                if webhook.reinvoked {
                    asked.push(webhook.id.clone());
                }
            }
            if !ever {
                break;
            }
        }
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
        let configured = self.webhooks.configured(&self.registry);
        let mut invocations = Vec::new();
        for webhook in &configured.validating {
            invocations.extend(self.invocation(webhook, subject, object, old)?);
        }
        let mut first = Ok(());
        // All are asked before any is waited for.
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

    /// How a webhook is to be called, if it is for this request.
    fn invocation(
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

    /// Whether the request is about a namespace, or something in one, that the webhook is for.
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

    /// The request of a review, without the objects and its UID.
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
            // A delete of many has no name, not even of each.
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

    /// What a webhook makes of the object, in the version that it sees; `None` where it leaves it as it is.
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
            // A webhook that changes may also be one that only looks, under the same name.
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
            .map_err(|error| Refusal::Said(ApiError::internal_error(unpatched(&patch, &error))))?;
        Ok(Some(patched))
    }

    /// What a webhook made of an object, in the version of the request.
    fn as_requested(
        &self,
        subject: &Subject<'_>,
        invocation: &Invocation,
        patched: Json,
    ) -> Result<Json, ApiError> {
        match &invocation.equivalent {
            Some(from) if subject.kind.is_none() => self.in_version(from, subject.served, patched),
            _ => Ok(patched),
        }
    }

    /// An object in another version of its resource.
    fn in_version(&self, from: &Served, to: &Served, object: Json) -> Result<Json, ApiError> {
        let object =
            Unstructured::try_from(object).map_err(|_| ApiError::internal_error("the object is none"))?;
        if let (Some(own), Some(_)) = (from.custom(), to.custom()) {
            return Ok(Json::Map(own.in_version(object, &to.info.version, Some(self))?.object));
        }
        let stored = from.conversion.map_or(object.clone(), |conversion| conversion.to_stored(object));
        Ok(versioned(to, &stored))
    }
}

/// Configurations of webhooks, and policies, are never subject to any.
fn is_exempt(subject: &Subject<'_>) -> bool {
    subject.served.rules.exempt_from_webhooks
}

/// An object as webhooks see it.
fn versioned_object(subject: &Subject<'_>, object: &Unstructured) -> Json {
    match subject.kind {
        Some(_) => Json::Map(object.object.clone()),
        None => versioned(subject.served, object),
    }
}

/// An object as the registry has it.
fn internal_object(subject: &Subject<'_>, object: Json) -> Result<Unstructured, ApiError> {
    let object =
        Unstructured::try_from(object).map_err(|_| ApiError::internal_error("the object is none"))?;
    Ok(match subject.served.conversion.filter(|_| subject.kind.is_none()) {
        Some(conversion) => conversion.to_stored(object),
        None => object,
    })
}

/// A changed object in the form of its type or schema, with its defaults.
fn normalized(subject: &Subject<'_>, object: Json) -> Result<Json, ApiError> {
    if subject.kind.is_some() {
        return Ok(object);
    }
    let mut object = internal_object(subject, object)?;
    if let Some(custom) = subject.served.custom() {
        let read = custom.read(object).map_err(ApiError::internal_error)?;
        return Ok(Json::Map(read.object.object));
    }
    (subject.served.rules.defaults)(&mut object.object);
    Ok(versioned_object(subject, &object))
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

/// An object of a resource as its type writes it.
fn versioned(served: &Served, object: &Unstructured) -> Json {
    let shown = served.conversion.map(|conversion| conversion.to_served(object.clone()));
    let object = shown.as_ref().unwrap_or(object);
    let text = served.kind.and_then(|_| served.written(object).ok());
    let versioned = text.and_then(|text| Json::parse(&text).ok());
    versioned.unwrap_or_else(|| Json::Map(object.object.clone()))
}

/// The response in an answer, if it is one.
fn verified<'a>(answer: &'a Answer, version: &str, mutating: bool) -> Result<&'a Json, String> {
    let review = answer.said.as_ref().map_err(|why| format!("failed to call webhook: {why}"))?;
    let invalid = |why: String| Err(format!("received invalid webhook response: {why}"));
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (text(&review["apiVersion"]), text(&review["kind"]));
    let wanted = format!("admission.k8s.io/{version}");
    if !kind.is_empty() && (kind != "AdmissionReview" || !api_version.starts_with("admission.k8s.io/")) {
        return Err(format!(
            "failed to call webhook: no kind {kind:?} is registered for version {api_version:?} in scheme \
             \"pkg/runtime/scheme.go:111\""
        ));
    }
    let response = &review["response"];
    if response.is_null() {
        return invalid("webhook response was absent".to_owned());
    }
    if version != "v1" {
        return Ok(response);
    }
    if text(&response["uid"]) != answer.uid {
        let got = text(&response["uid"]);
        return invalid(format!("expected response.uid={:?}, got {got:?}", answer.uid));
    }
    if kind != "AdmissionReview" || api_version != wanted {
        return invalid(format!(
            "expected webhook response of {wanted}, Kind=AdmissionReview, got {api_version}, Kind={kind}"
        ));
    }
    let patch = !text(&response["patch"]).is_empty();
    let typed = !response["patchType"].is_null();
    match (mutating, patch, typed) {
        (true, true, false) => {
            invalid("webhook returned response.patch but not response.patchType".to_owned())
        }
        (true, false, true) => {
            invalid("webhook returned response.patchType but not response.patch".to_owned())
        }
        (true, true, true) if text(&response["patchType"]).is_empty() => {
            invalid("webhook returned invalid response.patchType of \"\"".to_owned())
        }
        (false, true, _) => invalid("validating webhook may not return response.patch".to_owned()),
        (false, false, true) => invalid("validating webhook may not return response.patchType".to_owned()),
        _ => Ok(response),
    }
}

fn patch_of(response: &Json) -> Result<Option<JsonPatch>, String> {
    use base64::Engine as _;
    let Some(text) = response["patch"].as_str().filter(|text| !text.is_empty()) else { return Ok(None) };
    let undecodable = |why: &str| format!("received undecodable patch in webhook response: {why}");
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|error| undecodable(&error.to_string()))?;
    let value = Json::parse(&bytes).map_err(|error| undecodable(&error.to_string()))?;
    if value.as_list().is_none() {
        let of = if value.as_map().is_some() { "object" } else { "string" };
        let why = format!("json: cannot unmarshal {of} into Go value of type jsonpatch.Patch");
        return Err(undecodable(&why));
    }
    match response["patchType"].as_str() {
        None | Some("JSONPatch") => {}
        Some(other) => return Err(format!("unsupported patch type {other:?}")),
    }
    JsonPatch::from_json(&value).map(Some).map_err(|error| undecodable(&error.to_string()))
}

/// Why a patch does not apply, in the words of the real server's library.
fn unpatched(patch: &JsonPatch, error: &JsonPatchError) -> String {
    let operation = error.operation.and_then(|at| patch.0.get(at)).map(PatchOperation::name);
    let place = &error.path;
    match (operation, &error.kind) {
        (Some("replace"), JsonPatchErrorKind::NotFound) => {
            format!("replace operation does not apply: doc is missing path: {place}: missing value")
        }
        (Some(name @ ("add" | "remove")), JsonPatchErrorKind::NotFound) => {
            format!("{name} operation does not apply: doc is missing path: {place:?}: missing value")
        }
        (Some("test"), JsonPatchErrorKind::TestFailed) => {
            format!("testing value {place} failed: test failed")
        }
        _ => error.to_string(),
    }
}

/// The error of a webhook that said no.
fn denied(webhook: &str, status: &Json) -> ApiError {
    let by = format!("admission webhook {webhook:?} denied the request");
    let mut said = Status::from_json(&status.to_vec()).unwrap_or(Status::EMPTY);
    said.code = if said.code < 400 { 400 } else { said.code };
    if said.status.is_empty() || said.status == Status::SUCCESS {
        said.status = "Failure".into();
    }
    let message = match (said.message.as_str(), said.reason.as_str()) {
        ("", "") => format!("{by} without explanation"),
        ("", reason) => format!("{by}: {reason}"),
        (message, _) => format!("{by}: {message}"),
    };
    said.message = Str::from(message);
    ApiError::from(&said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_response_is_told_as_by_the_real_server() {
        let of = |review: Json, mutating| {
            let answer = Answer { uid: "u".to_owned(), said: Ok(review) };
            verified(&answer, "v1", mutating).cloned()
        };
        let review = |response: Json| json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response});
        let invalid = |why: &str| Err(format!("received invalid webhook response: {why}"));
        assert!(of(review(json!({"uid": "u", "allowed": true})), true).is_ok());
        assert_eq!(of(review(Json::Null), true), invalid("webhook response was absent"));
        assert_eq!(of(review(json!({"uid": "x"})), true), invalid(r#"expected response.uid="u", got "x""#));
        let patch = json!({"uid": "u", "patch": "W10=", "patchType": "JSONPatch"});
        assert_eq!(
            of(review(patch.clone()), false),
            invalid("validating webhook may not return response.patch")
        );
        assert!(of(review(patch), true).is_ok());
        let untyped = json!({"uid": "u", "patch": "W10="});
        assert_eq!(
            of(review(untyped), true),
            invalid("webhook returned response.patch but not response.patchType")
        );
        let mut kindless = review(json!({"uid": "u"}));
        kindless.remove(&["kind"]);
        let why = "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=";
        assert_eq!(of(kindless, true), invalid(why));
    }

    #[test]
    fn a_denial_has_the_webhooks_code_and_reason() {
        let error = denied("a.b.c", &json!({"message": "no", "code": 418}));
        assert_eq!(
            (error.code(), error.message()),
            (418, r#"admission webhook "a.b.c" denied the request: no"#)
        );
        let error = denied("a.b.c", &Json::Null);
        let text = r#"admission webhook "a.b.c" denied the request without explanation"#;
        assert_eq!((error.code(), error.message()), (400, text));
        let error = denied("a.b.c", &json!({"reason": "Forbidden", "code": 200}));
        assert_eq!((error.code(), error.reason().as_str()), (400, "Forbidden"));
    }

    #[test]
    fn a_patch_that_does_not_apply_says_so_in_gos_words() {
        let patch = JsonPatch::parse(br#"[{"op": "replace", "path": "/nope/x", "value": 1}]"#).unwrap();
        let error = patch.apply(&json!({"a": 1})).unwrap_err();
        let text = "replace operation does not apply: doc is missing path: /nope/x: missing value";
        assert_eq!(unpatched(&patch, &error), text);
    }
}
