//! Admission webhooks.

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use client_rs_api::admission::v1::{AdmissionRequest, AdmissionResponse, AdmissionReview};
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::patch::JsonPatch;
use client_rs_machinery::wire::{Decoding, Format, Message, Payload};
use client_rs_machinery::{Blob, Json, List, RawExtension, Shared, Str};

use crate::webhook::hook::{Hook, HookError};

/// An admission request: a handler decides whether the server may carry it out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Review<K> {
    /// The request: user, operation, namespace. Its objects are the fields below, before decoding.
    pub request: Shared<AdmissionRequest>,
    /// The new object; `None` for a deletion.
    pub object: Option<K>,
    /// The existing object; `None` for a creation.
    pub old_object: Option<K>,
}

impl<K> Review<K> {
    /// A review of a new object and its old state, for a test that calls a handler without a server: a creation without the old one, a deletion
    /// without the new one, otherwise an update. Set the other fields of [`request`](Self::request), such as the user, as the handler needs them.
    ///
    /// ```
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_custom::webhook::Review;
    ///
    /// let mut review = Review::new(None, Some(ConfigMap::EMPTY));
    /// assert_eq!((review.operation(), review.is_dry_run()), ("DELETE", false));
    /// review.request.user_info.username = "anna".into();
    /// ```
    pub fn new(object: Option<K>, old_object: Option<K>) -> Self {
        let operation = match (&object, &old_object) {
            (_, None) => "CREATE",
            (Some(_), Some(_)) => "UPDATE",
            (None, Some(_)) => "DELETE",
        };
        let request = AdmissionRequest { operation: operation.into(), ..AdmissionRequest::EMPTY };
        Self { request: request.into(), object, old_object }
    }

    /// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
    pub fn operation(&self) -> &str {
        &self.request.operation
    }

    /// Whether this is a dry run: the server stores nothing, so the handler must have no side effects.
    pub fn is_dry_run(&self) -> bool {
        self.request.dry_run == Some(true)
    }
}

/// A positive decision: the request is allowed, with or without changes of the object.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_custom::webhook::{Admitted, Denied, Review};
///
/// async fn default_label(review: Review<ConfigMap>) -> Result<Admitted<ConfigMap>, Denied> {
///     let Some(mut map) = review.object else { return Ok(Admitted::unchanged()) };
///     if map.metadata.labels.contains_key("team") {
///         return Ok(Admitted::unchanged());
///     }
///     map.metadata.labels.insert("team", "none".into());
///     Ok(Admitted::changed(map).warn("please set the label `team`"))
/// }
/// # client_rs_custom::webhook::Hook::admission(default_label);
/// ```
#[derive(Clone, Debug)]
pub struct Admitted<K> {
    object: Option<K>,
    warnings: List<Str>,
}

/// A negative decision: the request is refused, and the client gets the message.
///
/// ```
/// use client_rs_custom::webhook::Denied;
///
/// let denied = Denied::because("spec.replicas must be odd").as_code(422, "Invalid");
/// assert_ne!(denied, Denied::because("spec.replicas must be odd")); // This one is a 403.
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    message: Str,
    reason: Str,
    code: i32,
    warnings: List<Str>,
}

impl<K> Admitted<K> {
    /// Allows the request without changes.
    pub fn unchanged() -> Self {
        Self { object: None, warnings: List::EMPTY }
    }

    /// Allows the request with this object instead. Fields that the type does not know are not changed. Only a mutating
    /// webhook may change objects.
    pub fn changed(object: K) -> Self {
        Self { object: Some(object), warnings: List::EMPTY }
    }

    /// Adds a warning for the client. Servers truncate warnings after 256 characters.
    #[must_use]
    pub fn warn(mut self, warning: impl Into<Str>) -> Self {
        self.warnings.push(warning.into());
        self
    }
}

impl Denied {
    /// Refuses the request with 403 and this message. The server adds the name of the webhook before it.
    pub fn because(message: impl Into<Str>) -> Self {
        Self { message: message.into(), reason: Str::EMPTY, code: 403, warnings: List::EMPTY }
    }

    /// Sets another HTTP status than 403, and a reason in one word, such as `Invalid`.
    #[must_use]
    pub fn as_code(mut self, code: u16, reason: impl Into<Str>) -> Self {
        self.code = code.into();
        self.reason = reason.into();
        self
    }

    /// Adds a warning for the client.
    #[must_use]
    pub fn warn(mut self, warning: impl Into<Str>) -> Self {
        self.warnings.push(warning.into());
        self
    }
}

impl Hook {
    /// An admission webhook for objects of a kind. A handler that changes objects is for a mutating webhook; one that does
    /// not is for either.
    ///
    /// An object that can't be decoded is denied with 422, the path and the reason. Handlers run concurrently. When the API
    /// server gives up, the future is dropped at its `.await`.
    ///
    /// ```
    /// use client_rs_api::core::v1::Secret;
    /// use client_rs_custom::webhook::{Admitted, Denied, Hook, Review};
    /// # use client_rs_custom::machinery::{Json, json};
    ///
    /// let no_empty_secrets = Hook::admission(|review: Review<Secret>| async move {
    ///     match &review.object {
    ///         Some(secret) if secret.data.is_empty() => Err(Denied::because("a secret needs data")),
    ///         _ => Ok(Admitted::unchanged()),
    ///     }
    /// });
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn run(hook: Hook) {
    /// # let review = json!({
    /// #     "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
    /// #     "request": {"uid": "1", "operation": "CREATE", "object": {"metadata": {"name": "a"}}},
    /// # });
    /// let response = Json::parse(&hook.answer(review.to_vec()).await.unwrap()).unwrap();
    /// assert_eq!(response["response"]["status"]["message"].as_str(), Some("a secret needs data"));
    /// # }
    /// # run(no_empty_secrets);
    /// ```
    pub fn admission<K, F, Fut>(handler: F) -> Self
    where
        K: Payload,
        F: Fn(Review<K>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Admitted<K>, Denied>> + Send + 'static,
    {
        let handler = Arc::new(handler);
        Self::new(move |bytes: Bytes| {
            let handler = Arc::clone(&handler);
            async move {
                let review = AdmissionReview::from_json(&bytes)
                    .map_err(|error| HookError(format!("the body is not an AdmissionReview: {error}")))?;
                let request =
                    review.request.ok_or_else(|| HookError("the review has no request".to_owned()))?;
                let uid = request.uid.clone();
                let mut response = match read::<K>(&request) {
                    Err(denied) => denied.into(),
                    Ok((object, old_object)) => {
                        let before = object.as_ref().map(json_of);
                        let review = Review { request, object, old_object };
                        match handler(review).await {
                            Err(denied) => denied.into(),
                            Ok(admitted) => admitted_response(admitted, before),
                        }
                    }
                };
                response.uid = uid;
                Ok(AdmissionReview { request: None, response: Some(response.into()) }.to_json())
            }
        })
    }
}

type Objects<K> = (Option<K>, Option<K>);

fn read<K: Payload>(request: &AdmissionRequest) -> Result<Objects<K>, Denied> {
    let decode = |raw: &RawExtension| -> Result<Option<K>, Denied> {
        if raw.is_empty() || raw.as_bytes() == b"null" {
            return Ok(None);
        }
        let decoded = K::decode(Format::Json, raw.as_bytes(), &mut Decoding::new());
        decoded.map(Some).map_err(|error| Denied::because(error.to_string()).as_code(422, "Invalid"))
    };
    Ok((decode(&request.object)?, decode(&request.old_object)?))
}

fn json_of<K: Payload>(object: &K) -> Json {
    Json::parse(&object.encode(Format::Json)).unwrap_or_default()
}

fn admitted_response<K: Payload>(admitted: Admitted<K>, before: Option<Json>) -> AdmissionResponse {
    let mut response =
        AdmissionResponse { allowed: true, warnings: admitted.warnings, ..AdmissionResponse::EMPTY };
    if let (Some(after), Some(before)) = (admitted.object, before) {
        // Both as the type encodes them, so the patch does not touch fields that the type does not know.
        let patch = JsonPatch::diff(&before, &json_of(&after)).to_json();
        if patch.as_list().is_some_and(|patch| !patch.is_empty()) {
            response.patch = Blob::from(patch.to_vec().as_slice());
            response.patch_type = Some("JSONPatch".into());
        }
    }
    response
}

impl From<Denied> for AdmissionResponse {
    fn from(denied: Denied) -> Self {
        let status = Status {
            status: "Failure".into(),
            message: denied.message,
            reason: denied.reason,
            code: denied.code,
            ..Status::EMPTY
        };
        Self { allowed: false, status: Some(status.into()), warnings: denied.warnings, ..Self::EMPTY }
    }
}

#[cfg(test)]
mod tests {
    use client_rs_api::apiextensions::v1::CustomResourceDefinition;
    use client_rs_machinery::json;
    use http_body_util::{BodyExt, Full};
    use tower::ServiceExt;

    use super::*;

    type Kind = CustomResourceDefinition;

    fn review(object: &Json, old: &Json) -> Bytes {
        let request = json!({
            "uid": "u1", "operation": "UPDATE", "object": object.clone(), "oldObject": old.clone(),
            "kind": {"group": "", "version": "v1", "kind": "X"},
        });
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
            .to_vec()
            .into()
    }

    async fn ask(hook: &Hook, review: Bytes) -> (u16, Json) {
        let request = http::Request::post("/").body(Full::new(review)).unwrap();
        let response = hook.clone().oneshot(request).await.unwrap();
        let code = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (code, Json::parse(&body).unwrap_or_default())
    }

    fn named(name: &str) -> Json {
        json!({"metadata": {"name": name}, "spec": {"group": "g", "unknown": 1}})
    }

    #[tokio::test]
    async fn a_handler_allows_denies_changes_and_warns() {
        let hook = Hook::admission(|review: Review<Kind>| async move {
            let mut object = review.object.clone().unwrap();
            match object.metadata.name.as_str() {
                "bad" => Err(Denied::because("not this one").as_code(422, "Invalid").warn("look out")),
                "same" => Ok(Admitted::changed(object)),
                "panics" => panic!("the panic of this test"),
                _ => {
                    assert_eq!((review.operation(), review.is_dry_run()), ("UPDATE", false));
                    object.metadata.labels.insert("a", "b".into());
                    Ok(Admitted::changed(object).warn("changed"))
                }
            }
        });
        let (code, answer) = ask(&hook, review(&named("x"), &Json::Null)).await;
        let response = &answer["response"];
        assert_eq!((code, &answer["kind"], &response["uid"]), (200, &json!("AdmissionReview"), &json!("u1")));
        assert_eq!((&response["allowed"], &response["warnings"]), (&json!(true), &json!(["changed"])));
        let parsed = AdmissionReview::from_json(&answer.to_vec()).unwrap().response.unwrap();
        let patch = Json::parse(&parsed.patch).unwrap();
        assert_eq!(patch, json!([{"op": "add", "path": "/metadata/labels", "value": {"a": "b"}}]));
        let (_, answer) = ask(&hook, review(&named("bad"), &Json::Null)).await;
        let status = &answer["response"]["status"];
        assert_eq!((&status["message"], &status["code"]), (&json!("not this one"), &json!(422)));
        let (_, answer) = ask(&hook, review(&named("same"), &named("same"))).await;
        assert!(answer["response"].get("patch").is_none(), "{answer}");
        assert_eq!(ask(&hook, review(&named("panics"), &Json::Null)).await.0, 500);
    }

    #[tokio::test]
    async fn bodies_that_are_not_reviews_and_objects_of_another_type_are_refused() {
        let hook = Hook::admission(|_: Review<Kind>| async { Ok(Admitted::unchanged()) });
        for bad in ["", "[]", "{}", r#"{"kind":"Other","apiVersion":"v1"}"#] {
            assert_eq!(ask(&hook, Bytes::from_static(bad.as_bytes())).await.0, 400, "{bad}");
        }
        let (code, answer) = ask(&hook, review(&json!({"spec": {"group": 1}}), &Json::Null)).await;
        assert_eq!((code, &answer["response"]["allowed"]), (200, &json!(false)), "{answer}");
        assert!(answer["response"]["status"]["message"].as_str().unwrap().contains("spec.group"), "{answer}");
        let get = http::Request::get("/").body(Full::new(Bytes::new())).unwrap();
        assert_eq!(hook.oneshot(get).await.unwrap().status().as_u16(), 405);
    }
}
