//! Decodes request bodies.

use std::borrow::Cow;

use client_rs_machinery::wire::{Decoding, Envelope, Format, decode_json_into, decode_protobuf_into};
use client_rs_machinery::{AnyKind, ApiError, Json, Kind, Scheme, Unstructured};
use client_rs_transport::yaml_budget;

use super::media::Encoding;
use crate::registry::merge_type;
use crate::request::FieldValidation;
use client_rs_schema::strict;

/// The type that a body is decoded as.
pub(crate) struct Expected<'a> {
    pub(crate) scheme: &'a Scheme,
    pub(crate) api_version: &'a str,
    pub(crate) kind: Kind,
    pub(crate) validation: FieldValidation,
}

/// A decoded object, and the warnings for the client.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) object: Unstructured,
    pub(crate) warnings: Vec<String>,
}

impl Expected<'_> {
    /// Decodes an object. If it has no kind, the kind of the request's resource applies.
    pub(crate) fn decode(&self, encoding: Encoding, body: &[u8]) -> Result<Decoded, ApiError> {
        let json = match encoding {
            Encoding::Protobuf => {
                return Ok(Decoded { object: self.untyped(&*self.protobuf(body)?)?, warnings: Vec::new() });
            }
            Encoding::Json => Cow::Borrowed(body),
            Encoding::Yaml => Cow::Owned(yaml_to_json(body).map_err(|why| self.unrecognized(&why, body))?),
        };
        let sent = Json::parse(&json).map_err(|error| self.unrecognized(&error.to_string(), &json))?;
        let (object, warnings) = self.json(&sent, &json)?;
        let mut object = self.untyped(&*object)?;
        keep_clearing(&sent, &mut object);
        Ok(Decoded { object, warnings })
    }

    /// Decodes the object that results from a patch. A value of the wrong type is an error of the patch.
    pub(crate) fn patched(&self, value: &Json) -> Result<Decoded, ApiError> {
        let text = value.to_vec();
        let (object, warnings) = self.json(value, &text).map_err(|error| {
            let message = error.message();
            let why = match message.find("strict decoding error") {
                Some(at) => &message[at..],
                None => message.rsplit_once(": ").map_or(message, |(_, why)| why),
            };
            let shown = String::from_utf8_lossy(&text).into_owned();
            let wrong = client_rs_machinery::FieldError::invalid("patch", &shown, why);
            let errors = client_rs_machinery::FieldErrors(vec![wrong]);
            ApiError::invalid(&client_rs_machinery::GroupKind::new("", ""), "", &errors)
        })?;
        let mut object = self.untyped(&*object)?;
        keep_clearing(value, &mut object);
        Ok(Decoded { object, warnings })
    }

    /// Decodes a value, whose text is `text`.
    fn json(&self, value: &Json, text: &[u8]) -> Result<(Box<dyn AnyKind>, Vec<String>), ApiError> {
        if value.as_map().is_none() {
            return Err(self.unrecognized(&format!("expected an object, found {}", value.json_type()), text));
        }
        self.check_kind(value["apiVersion"].as_str().unwrap_or(""), value["kind"].as_str().unwrap_or(""))?;
        let mut object = self.kind.empty();
        decode_json_into(object.fields_mut(), text, &mut Decoding::new())
            .map_err(|error| self.unfit(&error))?;
        if self.validation == FieldValidation::Ignore {
            return Ok((object, Vec::new()));
        }
        let complaints = strict::complaints(text, object.descriptor()).map_err(|error| self.unfit(&error))?;
        if self.validation == FieldValidation::Strict && !complaints.is_empty() {
            return Err(self.unfit(&format!("strict decoding error: {}", complaints.join(", "))));
        }
        Ok((object, complaints))
    }

    fn protobuf(&self, body: &[u8]) -> Result<Box<dyn AnyKind>, ApiError> {
        let envelope = Envelope::open(body).map_err(|error| self.unrecognized(&error.to_string(), &[]))?;
        self.check_kind(envelope.api_version, envelope.kind)?;
        let mut object = self.kind.empty();
        let format = envelope.format().map_err(|error| self.unfit(&error))?;
        let read = match format {
            Format::Protobuf => decode_protobuf_into,
            Format::Json => decode_json_into,
        };
        read(object.fields_mut(), envelope.raw, &mut Decoding::new()).map_err(|error| self.unfit(&error))?;
        Ok(object)
    }

    /// The object as the registry stores it: only with the fields of its type, and with quantities in canonical
    /// form.
    fn untyped(&self, object: &dyn AnyKind) -> Result<Unstructured, ApiError> {
        let mut object = Json::parse(&object.to_json()).map_err(ApiError::internal_error)?;
        if let Some(ty) = merge_type(self.api_version, self.kind.name()) {
            object = ty.with_canonical_quantities(&object);
        }
        Unstructured::try_from(object).map_err(ApiError::internal_error)
    }

    fn check_kind(&self, api_version: &str, kind: &str) -> Result<(), ApiError> {
        let (expected, wanted) = (self.api_version, self.kind.name());
        let everywhere = self.kind.type_meta().is_some_and(|meta| meta.everywhere);
        if (api_version.is_empty() || api_version == expected || everywhere)
            && (kind.is_empty() || kind == wanted)
        {
            return Ok(());
        }
        let found_version = if api_version.is_empty() { expected } else { api_version };
        let found_kind = if kind.is_empty() { wanted } else { kind };
        let why = if self.scheme.find(found_version, found_kind).is_some() {
            let version = found_version.rsplit('/').next().unwrap_or_default();
            let group = expected.split_once('/').map_or("core", |(group, _)| group);
            let package = group.split('.').next().unwrap_or_default();
            format!("converting ({version}.{found_kind}) to ({package}.{wanted}): unknown conversion")
        } else {
            format!(
                "no kind {found_kind:?} is registered for version {found_version:?} in scheme \
                 \"pkg/runtime/scheme.go:111\""
            )
        };
        Err(ApiError::bad_request(format!(
            "{found_kind} in version {:?} cannot be handled as a {wanted}: {why}",
            version_of(found_version)
        )))
    }

    fn unfit(&self, why: &dyn std::fmt::Display) -> ApiError {
        let kind = self.kind.name();
        let version = version_of(self.api_version);
        ApiError::bad_request(format!("{kind} in version {version:?} cannot be handled as a {kind}: {why}"))
    }

    fn unrecognized(&self, why: &str, body: &[u8]) -> ApiError {
        let shown = match body {
            [] => "<empty>".to_owned(),
            body => String::from_utf8_lossy(&body[..body.len().min(1024)]).into_owned(),
        };
        ApiError::bad_request(format!(
            "the object provided is unrecognized (must be of type {}): couldn't get version/kind; json parse error: \
             {why} ({shown})",
            self.kind.name()
        ))
    }
}

/// Keeps an empty `managedFields` list: it clears the managers, while a missing list leaves them unchanged.
fn keep_clearing(sent: &Json, object: &mut Unstructured) {
    const PATH: &[&str] = &["metadata", "managedFields"];
    if sent.path(PATH).and_then(Json::as_list).is_some_and(client_rs_machinery::List::is_empty) {
        drop(object.set_nested(PATH, Json::EMPTY_LIST));
    }
}

/// The version in an `apiVersion`.
fn version_of(api_version: &str) -> &str {
    api_version.rsplit('/').next().unwrap_or_default()
}

/// Converts a YAML document to JSON.
pub(crate) fn yaml_to_json(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let options = serde_saphyr::options! { budget: yaml_budget() };
    let value: Json =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| error.to_string())?;
    Ok(value.to_vec())
}

/// Converts a JSON document to YAML.
pub(crate) fn json_to_yaml(text: &[u8]) -> Result<Vec<u8>, String> {
    let value = Json::parse(text).map_err(|error| error.to_string())?;
    serde_saphyr::to_string(&value).map(String::into_bytes).map_err(|error| error.to_string())
}
