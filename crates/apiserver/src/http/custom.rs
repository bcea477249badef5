//! Custom objects: decoded by their definition instead of a type.

use client_rs_machinery::patch::{Patch, PatchError, PatchType};
use client_rs_machinery::{
    ApiError, ErrorStatus, FieldError, FieldErrors, GroupKind, Json, StatusReason, Unstructured, json,
};

use super::decode::{Decoded, yaml_to_json};
use super::generic;
use super::media::{Encoding, Form};
use crate::custom::Custom;
use crate::registry::Served;
use crate::request::FieldValidation;
use client_rs_schema::{Read, Scale, strict};

/// How much of a body an error message shows.
const SHOWN: usize = 25;

/// The format of a response with custom objects; 406 if the client accepts only protobuf.
pub(super) fn form(accept: &str, pretty: bool) -> Result<Form, ApiError> {
    let form = Form::negotiate_text(accept).ok_or_else(|| {
        let message = "only the following media types are accepted: application/json, application/yaml, \
                       application/vnd.kubernetes.protobuf";
        let (code, reason) = (406, StatusReason::NotAcceptable);
        ApiError::new(ErrorStatus { code, reason, message: message.into(), ..ErrorStatus::default() })
    })?;
    Ok(Form { pretty: form.pretty || pretty, ..form })
}

/// Decodes a custom object from a request.
pub(super) fn decode(
    served: &Served,
    custom: &Custom,
    encoding: Encoding,
    body: &[u8],
    validation: FieldValidation,
) -> Result<Decoded, ApiError> {
    let converted;
    let text = match encoding {
        Encoding::Json => body,
        Encoding::Yaml => {
            converted = yaml_to_json(body).map_err(|why| unrecognized(served, &why, body))?;
            &converted
        }
        Encoding::Protobuf => {
            // kube-apiserver 1.37.1 fails on this with an internal error. Its documented behaviour is 415, which
            // clients fall back on.
            let why = "the body of the request was in an unknown format - accepted media types include: \
                       application/json, application/yaml";
            let mut status = generic(415, StatusReason::UnsupportedMediaType, why).into_status();
            status.details = None;
            return Err(status.into());
        }
    };
    let value = Json::parse(text).map_err(|error| {
        unrecognized(served, &format!("couldn't get version/kind; json parse error: {error}"), body)
    })?;
    read(served, custom, text, value, validation)
}

/// Decodes the custom object that results from a patch.
pub(super) fn patched(
    served: &Served,
    custom: &Custom,
    value: Json,
    validation: FieldValidation,
) -> Result<Decoded, ApiError> {
    let text = value.to_vec();
    read(served, custom, &text, value, validation).map_err(|error| {
        let shown = String::from_utf8_lossy(&text).into_owned();
        let prefix = format!("{} in version", served.info.kind);
        let why = match error.message().split_once(": ") {
            Some((start, why)) if start.starts_with(&prefix) => why.to_owned(),
            _ => error.message().to_owned(),
        };
        let wrong = FieldError::invalid("patch", &shown, why);
        ApiError::invalid(&GroupKind::new("", ""), "", &FieldErrors(vec![wrong]))
    })
}

fn read(
    served: &Served,
    custom: &Custom,
    text: &[u8],
    value: Json,
    validation: FieldValidation,
) -> Result<Decoded, ApiError> {
    let kind = value["kind"].as_str().unwrap_or_default();
    if kind.is_empty() {
        let shown = String::from_utf8_lossy(text);
        return Err(unrecognized(served, &format!("Object 'Kind' is missing in '{shown}'"), text));
    }
    let duplicates = strict::duplicates(text).map_err(|error| unfit(served, &error))?;
    let expected = served.api_version();
    let given = value["apiVersion"].as_str().unwrap_or_default().to_owned();
    let mut object =
        Unstructured::try_from(value).map_err(|_| unfit(served, &"the value is not an object"))?;
    if given.is_empty() {
        object.set_api_version(expected.as_str());
    }
    if !given.is_empty() && given != expected {
        let why = format!(
            "the API version in the data ({given}) does not match the expected API version ({expected})"
        );
        return Err(ApiError::bad_request(why));
    }
    let read = if object.kind() == served.info.kind {
        custom.read(object).map_err(|why| unfit(served, &why))?
    } else {
        Read { object, unknown: Vec::new() }
    };
    if validation == FieldValidation::Ignore {
        return Ok(Decoded { object: read.object, warnings: Vec::new() });
    }
    let unknown = read.unknown.iter().map(|path| format!("unknown field {path:?}"));
    let complaints: Vec<String> = duplicates.into_iter().chain(unknown).collect();
    if validation == FieldValidation::Strict && !complaints.is_empty() {
        return Err(unfit(served, &format!("strict decoding error: {}", complaints.join(", "))));
    }
    Ok(Decoded { object: read.object, warnings: complaints })
}

/// Reads the patch of a custom object. Strategic merge patches are not supported there.
pub(super) fn parse_patch(content_type: &str, body: &[u8]) -> Result<Patch, ApiError> {
    let kind = PatchType::from_media_type(content_type)
        .filter(|kind| matches!(kind, PatchType::Json | PatchType::Merge | PatchType::Apply));
    let Some(kind) = kind else {
        let why = "the body of the request was in an unknown format - accepted media types include: \
                   application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";
        let (code, reason) = (415, StatusReason::UnsupportedMediaType);
        return Err(ApiError::new(ErrorStatus {
            code,
            reason,
            message: why.into(),
            ..ErrorStatus::default()
        }));
    };
    Patch::parse(kind, body).map_err(|error| ApiError::bad_request(format!("error decoding patch: {error}")))
}

/// Applies a patch to a custom object.
pub(super) fn apply_patch(patch: &Patch, document: &Json) -> Result<Json, ApiError> {
    patch.apply_to(document, None).map_err(|error| match error {
        PatchError::Json(_) => generic(
            422,
            StatusReason::Invalid,
            "the server rejected our request due to an error in our request",
        ),
        error => ApiError::bad_request(error.to_string()),
    })
}

/// The `Scale` of a custom object.
pub(super) fn scale_of(scale: &Scale, object: &Unstructured) -> Json {
    let count = |path: &[String]| object.nested_i64(path).ok().flatten().unwrap_or(0);
    let meta = |key: &str| object.object.get("metadata").and_then(|meta| meta.get(key)).cloned();
    let selector = scale.selector.as_ref().and_then(|path| object.nested_str(path).ok().flatten());
    let mut value = json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1",
        "metadata": {
            "name": object.name(), "namespace": object.namespace(), "uid": object.uid(),
            "resourceVersion": object.resource_version(), "creationTimestamp": meta("creationTimestamp"),
        },
        "spec": {"replicas": count(&scale.spec)},
        "status": {"replicas": count(&scale.status)},
    });
    if count(&scale.spec) == 0 {
        value.remove(&["spec", "replicas"]);
    }
    if let Some(selector) = selector.filter(|selector| !selector.is_empty()) {
        drop(value.set(&["status", "selector"], selector));
    }
    value
}

/// The error for an object without a scale, because it has no number of replicas.
pub(super) fn no_scale(scale: &Scale, object: &Unstructured) -> Option<ApiError> {
    let missing = object.nested(&scale.spec).ok().flatten().is_none();
    let path = scale.spec.join(".");
    missing.then(|| {
        ApiError::internal_error(format!("the spec replicas field {:?} does not exist", format!(".{path}")))
    })
}

/// A custom object with the replicas of a `Scale`.
pub(super) fn scaled(scale: &Scale, object: &Unstructured, asked: &Unstructured) -> Unstructured {
    let mut scaled = object.clone();
    let replicas = asked.nested_i64(&["spec", "replicas"]).ok().flatten().unwrap_or(0);
    drop(scaled.set_nested(&scale.spec, replicas));
    if !asked.resource_version().is_empty() {
        scaled.set_resource_version(asked.resource_version());
    }
    scaled
}

fn unfit(served: &Served, why: &dyn std::fmt::Display) -> ApiError {
    let (kind, version) = (&served.info.kind, served.info.version.as_str());
    ApiError::bad_request(format!("{kind} in version {version:?} cannot be handled as a {kind}: {why}"))
}

fn unrecognized(served: &Served, why: &str, body: &[u8]) -> ApiError {
    let text = String::from_utf8_lossy(body);
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if text.chars().count() > SHOWN { " ..." } else { "" };
    let kind = &served.info.kind;
    ApiError::bad_request(format!(
        "the object provided is unrecognized (must be of type {kind}): {why} ({shown}{more})"
    ))
}
