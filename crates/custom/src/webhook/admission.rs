//! Admission: may this be written, and how?

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;
use client_rs_api::admission::v1::{AdmissionRequest, AdmissionResponse, AdmissionReview};
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::patch::JsonPatch;
use client_rs_machinery::wire::{Decoding, Format, Message, Payload};
use client_rs_machinery::{Blob, Json, List, RawExtension, Shared, Str};

use crate::webhook::hook::{Hook, HookError};

/// What is to be admitted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Review<K> {
    /// Who wants to do what. The objects in it are those below, undecoded.
    pub request: Shared<AdmissionRequest>,
    /// The object as it would be; none where it is deleted.
    pub object: Option<K>,
    /// The object as it is; none where it is created.
    pub old_object: Option<K>,
}

impl<K> Review<K> {
    /// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
    pub fn operation(&self) -> &str {
        &self.request.operation
    }

    /// Nothing will be stored: a handler must not act outside of the object.
    pub fn is_dry_run(&self) -> bool {
        self.request.dry_run == Some(true)
    }
}

/// It may be done.
#[derive(Clone, Debug)]
pub struct Admitted<K> {
    object: Option<K>,
    warnings: List<Str>,
}

/// It may not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    message: Str,
    reason: Str,
    code: i32,
    warnings: List<Str>,
}

impl<K> Admitted<K> {
    /// As it is.
    pub fn unchanged() -> Self {
        Self { object: None, warnings: List::EMPTY }
    }

    /// With the object changed to this one. What the type does not know of the object stays as it is.
    pub fn changed(object: K) -> Self {
        Self { object: Some(object), warnings: List::EMPTY }
    }

    /// And the client is told this. Servers cut what is longer than 256 characters.
    #[must_use]
    pub fn warn(mut self, warning: impl Into<Str>) -> Self {
        self.warnings.push(warning.into());
        self
    }
}

impl Denied {
    /// Forbidden, for this reason: the server puts the webhook's name before it.
    pub fn because(message: impl Into<Str>) -> Self {
        Self { message: message.into(), reason: Str::EMPTY, code: 403, warnings: List::EMPTY }
    }

    /// With another HTTP status than 403, and a reason in one word, such as `Invalid`.
    #[must_use]
    pub fn as_code(mut self, code: u16, reason: impl Into<Str>) -> Self {
        self.code = code.into();
        self.reason = reason.into();
        self
    }

    /// And the client is told this.
    #[must_use]
    pub fn warn(mut self, warning: impl Into<Str>) -> Self {
        self.warnings.push(warning.into());
        self
    }
}

impl Hook {
    /// A webhook that admits objects of a kind, validating or mutating: a handler that changes nothing suits both.
    ///
    /// An object that does not fit the type is denied with where and why. Several may run at once; dropped at any await when
    /// the server gives up.
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
                    .map_err(|error| HookError(format!("this is no AdmissionReview: {error}")))?;
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
        // Between the two as the type writes them: what it does not know is in neither.
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
                "panics" => panic!("as the test wants"),
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
    async fn what_is_no_review_or_does_not_fit_is_refused() {
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
