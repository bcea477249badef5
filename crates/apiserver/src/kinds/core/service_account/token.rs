//! `serviceaccounts/NAME/token`: issues a token of the account.

use client_rs_machinery::{ApiError, Duration, FieldError, FieldErrors, GroupKind, Json, Unstructured, json};

use crate::kinds::rules::{Claims, Post, PostContext, Posted};

/// The default lifetime of a token, in seconds.
const SECONDS: i64 = 3600;
/// The shortest and the longest lifetime, in seconds.
const SECONDS_MIN: i64 = 600;
const SECONDS_MAX: i64 = 1 << 32;

pub(super) const TOKEN: Post =
    Post { api_version: "authentication.k8s.io/v1", kind: "TokenRequest", named: false, run: issue };

fn issue(mut request: Unstructured, context: &dyn PostContext) -> Result<Posted, ApiError> {
    let account = context.get()?;
    let seconds = request.nested_i64(&["spec", "expirationSeconds"]).ok().flatten().unwrap_or(SECONDS);
    if !(SECONDS_MIN..=SECONDS_MAX).contains(&seconds) {
        let why = if seconds < SECONDS_MIN {
            "may not specify a duration less than 10 minutes"
        } else {
            "may not specify a duration larger than 2^32 seconds"
        };
        let error = FieldError::invalid_json("spec.expirationSeconds", seconds.to_string(), why);
        let kind = GroupKind::new("authentication.k8s.io", "TokenRequest");
        return Err(ApiError::invalid(&kind, "", &FieldErrors(vec![error])));
    }
    let audiences = request.nested_slice(&["spec", "audiences"]).ok().flatten().unwrap_or_default();
    let mut audiences: Vec<String> = audiences.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    if audiences.is_empty() {
        audiences.extend_from_slice(context.audiences());
    }
    let bound = bound_object(&request, context)?;
    let now = context.now();
    let token = context.issue_token(&Claims {
        namespace: context.namespace().to_owned(),
        name: context.name().to_owned(),
        uid: account.uid().to_owned(),
        audiences: audiences.clone(),
        issued: now.seconds(),
        expires: now.seconds() + seconds,
        bound,
    });
    let lifetime = Duration::from_nanos(seconds.saturating_mul(1_000_000_000));
    let expires = now.checked_add(lifetime).unwrap_or(now).to_string();
    drop(request.set_nested(&["spec", "expirationSeconds"], seconds));
    drop(request.set_nested(&["spec", "audiences"], json!(audiences)));
    request.object.insert("status", json!({"token": token, "expirationTimestamp": expires}));
    request.set_name(context.name());
    request.set_namespace(context.namespace());
    request.set_creation_timestamp(Some(now));
    Ok(Posted::Object(request))
}

/// The kind, the name and the UID of the object that a token is bound to.
fn bound_object(
    request: &Unstructured,
    context: &dyn PostContext,
) -> Result<Option<(String, String, String)>, ApiError> {
    let reference = request.nested(&["spec", "boundObjectRef"]).ok().flatten();
    let Some(reference) = reference.filter(|reference| !reference.is_null()) else { return Ok(None) };
    let text = |key: &str| reference[key].as_str().unwrap_or_default();
    let (resource, found) = context.bound_object(text("kind"), text("name"))?;
    let uid = found.uid();
    if !text("uid").is_empty() && text("uid") != uid {
        let why = format!(
            "the UID in the bound object reference ({}) does not match the UID in record. The object might have been deleted and then recreated",
            text("uid")
        );
        return Err(ApiError::conflict(&resource, text("name"), why));
    }
    Ok(Some((text("kind").to_owned(), text("name").to_owned(), uid.to_owned())))
}
