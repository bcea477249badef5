//! Responses of webhooks to reviews, and the errors of malformed ones. Error texts are the real server's.

use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::patch::{
    JsonPatch, JsonPatchError, JsonPatchErrorKind, Operation as PatchOperation,
};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{ApiError, Json, Str};

use super::session::Answer;

/// Checks a response and returns its review response.
pub(super) fn verified<'a>(answer: &'a Answer, version: &str, mutating: bool) -> Result<&'a Json, String> {
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

pub(super) fn patch_of(response: &Json) -> Result<Option<JsonPatch>, String> {
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

/// The error for a patch that does not apply, in the text of the real server's library.
pub(super) fn unpatched(patch: &JsonPatch, document: &Json, error: &JsonPatchError) -> String {
    let operation = error.operation.and_then(|at| patch.0.get(at)).map(PatchOperation::name);
    let place = &error.path;
    match (operation, &error.kind) {
        (Some("remove"), JsonPatchErrorKind::NotFound) if lacks_key(patch, document, error) => {
            let key = key(place);
            format!(
                "error in remove for path: '{place}': Unable to remove nonexistent key: {key}: missing value"
            )
        }
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

/// The last part of a pointer, unescaped.
fn key(pointer: &str) -> String {
    pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~")
}

/// Whether only the last part of the place is missing, in the document as the failed operation found it.
fn lacks_key(patch: &JsonPatch, document: &Json, error: &JsonPatchError) -> bool {
    let before = JsonPatch(patch.0.iter().take(error.operation.unwrap_or_default()).cloned().collect());
    let Ok(document) = before.apply(document) else { return false };
    let Some((parent, _)) = error.path.rsplit_once('/') else { return false };
    let found = parent.split('/').skip(1).try_fold(&document, |value, part| value.get(key(part).as_str()));
    found.is_some_and(|found| found.as_map().is_some())
}

/// The error for a request that a webhook denied.
pub(super) fn denied(webhook: &str, status: &Json) -> ApiError {
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
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn malformed_reviews_have_the_errors_of_the_real_server() {
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
    fn a_patch_that_does_not_apply_has_the_error_of_go() {
        let patch = JsonPatch::parse(br#"[{"op": "replace", "path": "/nope/x", "value": 1}]"#).unwrap();
        let error = patch.apply(&json!({"a": 1})).unwrap_err();
        let text = "replace operation does not apply: doc is missing path: /nope/x: missing value";
        assert_eq!(unpatched(&patch, &json!({"a": 1}), &error), text);
        let patch = br#"[{"op": "add", "path": "/b", "value": {}}, {"op": "remove", "path": "/b/c~1d"}]"#;
        let (patch, document) = (JsonPatch::parse(patch).unwrap(), json!({"a": 1}));
        let error = patch.apply(&document).unwrap_err();
        let text =
            "error in remove for path: '/b/c~1d': Unable to remove nonexistent key: c/d: missing value";
        assert_eq!(unpatched(&patch, &document, &error), text);
    }
}
