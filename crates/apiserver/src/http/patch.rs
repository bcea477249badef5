//! Patch requests.

use std::fmt;

use client_rs_machinery::patch::{Patch, PatchError, PatchType};
use client_rs_machinery::{
    ApiError, FieldError, FieldErrors, GroupKind, Json, Kind, StatusReason, Unstructured,
};
use client_rs_schema::strict;
use client_rs_transport::yaml_budget;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::decode::Expected;
use super::objects::check_name;
use super::reply::{Failure, Reply};
use super::{Api, Call, custom, generic, no_such_resource};
use crate::registry::{Live, Part, Precondition, Served, Stored};
use crate::request::FieldValidation;
use crate::request::Target;

impl Api {
    pub(super) fn patch(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
        part: Part,
    ) -> Result<Reply, Failure> {
        let applies = applies(call);
        if PatchType::from_media_type(call.content_type).is_none() && served.custom().is_none() {
            return Err(unsupported().into());
        }
        let (options, validation, force) = call.query.patch_options(applies)?;
        let change = match served.custom() {
            _ if applies => Change::Apply(applied(call)?),
            Some(_) => Change::Patch(custom::parse_patch(call.content_type, &call.body)?),
            None => Change::Patch(parse(call)?),
        };
        let manager = call.query.manager(call.user_agent);
        let ownership = self.ownership(served, target.subresource, call);
        let options = call.asking(options);
        let api_version = served.api_version();
        let mut warnings = Vec::new();
        let mut make = |stored: Option<&Stored>| {
            warnings.clear();
            let conversion = served.conversion;
            let read = |value: Json| match (served.custom(), served.kind) {
                (Some(custom), _) => custom::patched(served, custom, value, validation),
                (None, Some(kind)) => {
                    let scheme = &self.scheme;
                    Expected { scheme, api_version: &api_version, kind, validation }.patched(&value)
                }
                (None, None) => Err(no_such_resource()),
            };
            let decoded = match (&change, stored) {
                (Change::Apply(sent), stored) => {
                    let object =
                        ownership.applied(stored.map(Live::Stored), &sent.object, &manager, force)?;
                    sent.check(validation, &mut warnings)?;
                    check_uid(served, target.name, stored, &object)?;
                    read(object)?
                }
                (Change::Patch(_), None) => {
                    return Err(ApiError::not_found(&served.group_resource(), target.name));
                }
                (Change::Patch(patch), Some(stored)) => {
                    let current = stored.object.clone();
                    let current = conversion.map_or(current.clone(), |to| to.to_served(current));
                    // The operations of a JSON patch see the fields that the type always writes.
                    let current = match served.kind {
                        Some(_) if patch.patch_type() == PatchType::Json => {
                            let text = served.written(&current).map_err(ApiError::internal_error)?;
                            Unstructured::from_json(&text).map_err(ApiError::internal_error)?
                        }
                        _ => current,
                    };
                    read(match served.kind {
                        Some(kind) => apply(patch, &current.into(), kind)?,
                        None => custom::apply_patch(patch, &current.into())?,
                    })?
                }
            };
            check_name(&decoded.object, target.name)?;
            warnings.extend(decoded.warnings);
            warnings.extend((served.rules.warnings)(&decoded.object, stored.map(|stored| &stored.object)));
            let object = served.completed(decoded.object);
            if stored.is_none() {
                self.may_create(served, target, call)?;
            }
            self.check_rights(served, target, stored.map(|stored| &stored.object), &object, call)?;
            match (&change, stored) {
                (Change::Patch(_), Some(stored)) => {
                    ownership.updated(Some(Live::Stored(stored)), object, &manager)
                }
                _ => Ok(object),
            }
        };
        let (namespace, name) = (target.namespace, target.name);
        let precondition = if applies { Precondition::Upsert } else { Precondition::None };
        let (stored, created) =
            self.registry.update(served, namespace, name, part, precondition, options, &mut make)?;
        let code = if created { 201 } else { 200 };
        Ok(self.object(code, served, &stored, call)?.warned(warnings))
    }
}

/// The change that a patch makes.
enum Change {
    Patch(Patch),
    Apply(Applied),
}

/// Whether a request is a server-side apply.
pub(super) fn applies(call: &Call<'_>) -> bool {
    PatchType::from_media_type(call.content_type) == Some(PatchType::Apply)
}

/// The applied configuration of a request.
pub(super) struct Applied {
    pub(super) object: Json,
    /// The error of strict field validation.
    complaint: Option<String>,
}

impl Applied {
    /// Refuses the errors of strict field validation, or returns them as warnings, depending on the request.
    pub(super) fn check(
        &self,
        validation: FieldValidation,
        warnings: &mut Vec<String>,
    ) -> Result<(), ApiError> {
        match (&self.complaint, validation) {
            (None, _) | (_, FieldValidation::Ignore) => Ok(()),
            (Some(complaint), FieldValidation::Warn) => {
                warnings.push(complaint.clone());
                Ok(())
            }
            (Some(complaint), FieldValidation::Strict) => Err(ApiError::bad_request(format!(
                "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  {complaint}"
            ))),
        }
    }
}

/// Reads the applied configuration: YAML, which includes JSON. For a duplicate key, the last value counts.
pub(super) fn applied(call: &Call<'_>) -> Result<Applied, ApiError> {
    let bad = |why: String| ApiError::bad_request(format!("error decoding patch: {why}"));
    let text = std::str::from_utf8(&call.body).map_err(|why| bad(why.to_string()))?;
    // Most clients send JSON, which is read faster than YAML. Errors and duplicate keys are YAML's, with its lines.
    if let Ok(object @ Json::Map(_)) = Json::parse(&call.body)
        && strict::duplicates(&call.body).is_ok_and(|found| found.is_empty())
    {
        return Ok(Applied { object, complaint: None });
    }
    let last = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        budget: yaml_budget(),
    };
    let object =
        serde_saphyr::from_str_with_options::<Json>(text, last).map_err(|why| bad(why.to_string()))?;
    let complaint = twice(text);
    let found = match object {
        Json::Map(_) => return Ok(Applied { object, complaint }),
        Json::Null => return Ok(Applied { object: Json::EMPTY_MAP, complaint }),
        Json::List(_) => "array",
        Json::Str(_) => "string",
        Json::Bool(_) => "bool",
        _ => "number",
    };
    Err(bad(format!(
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {found} into Go value of type \
         map[string]interface {{}}"
    )))
}

/// Go's error for a duplicate key; `None` if there is none.
fn twice(text: &str) -> Option<String> {
    let options = serde_saphyr::options! { budget: yaml_budget() };
    let error = serde_saphyr::from_str_with_options::<Keys>(text, options).err()?;
    let mut error = &error;
    while let serde_saphyr::Error::WithSnippet { error: inner, .. } = error {
        error = inner;
    }
    match error {
        serde_saphyr::Error::DuplicateMappingKey { key, location } => {
            let key = key.as_deref().unwrap_or_default();
            Some(format!("line {}: key {key:?} already set in map", location.line()))
        }
        _ => None,
    }
}

/// Any document, parsed only to find duplicate keys. The parser's error text is used unchanged.
struct Keys;

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Keys {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<Keys, Keys>()?.is_some() {}
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Keys>()?.is_some() {}
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// Checks the UID of an applied configuration: an object that does not exist can't have a UID.
fn check_uid(served: &Served, name: &str, stored: Option<&Stored>, object: &Json) -> Result<(), ApiError> {
    let uid = object.path(&["metadata", "uid"]).and_then(Json::as_str).unwrap_or_default();
    if stored.is_some() || uid.is_empty() {
        return Ok(());
    }
    let why =
        format!("uid mismatch: the provided object specified uid {uid}, and no existing object was found");
    Err(ApiError::conflict(&served.group_resource(), name, why))
}

fn unsupported() -> ApiError {
    generic(415, StatusReason::UnsupportedMediaType, "415: Unsupported Media Type")
}

/// Reads the patch of a request.
pub(super) fn parse(call: &Call<'_>) -> Result<Patch, ApiError> {
    let Some(kind) = PatchType::from_media_type(call.content_type) else {
        return Err(unsupported());
    };
    Patch::parse(kind, &call.body).map_err(|error| match error {
        PatchError::Decode(_) => ApiError::bad_request("invalid JSON patch"),
        error => ApiError::bad_request(format!("error decoding patch: {error}")),
    })
}

/// Applies a patch to a document of a kind.
pub(super) fn apply(patch: &Patch, document: &Json, kind: Kind) -> Result<Json, ApiError> {
    let schema = kind.empty().descriptor();
    patch.apply_to(document, Some(schema)).map_err(|error| match error {
        PatchError::Json(_) => generic(
            422,
            StatusReason::Invalid,
            "the server rejected our request due to an error in our request",
        ),
        error => {
            let body = String::from_utf8_lossy(&patch.body()).into_owned();
            let wrong = FieldError::invalid("patch", &body, error.to_string());
            ApiError::invalid(&GroupKind::new("", ""), "", &FieldErrors(vec![wrong]))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duplicate_key_is_reported() {
        let text = "a: {}\nb:\n  x: 1\n  x: 2\n";
        assert_eq!(twice(text).as_deref(), Some("line 4: key \"x\" already set in map"));
        for text in ["a: [", "a: 1\nb: {a: [2, null, ~, 1.5, true]}", ""] {
            assert_eq!(twice(text), None, "{text}");
        }
    }
}
