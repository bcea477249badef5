//! Objects in the form that webhooks receive: in a version of the resource, encoded by its type.

use client_rs_machinery::{ApiError, Json, Unstructured};

use super::invocation::Invocation;
use super::session::Session;
use crate::registry::{Served, Subject};

impl Session {
    /// A webhook's object, converted to the version of the request.
    pub(super) fn as_requested(
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

    /// Converts an object to another version of its resource.
    pub(super) fn in_version(&self, from: &Served, to: &Served, object: Json) -> Result<Json, ApiError> {
        let object = Unstructured::try_from(object)
            .map_err(|_| ApiError::internal_error("the value is not an object"))?;
        if let (Some(own), Some(_)) = (from.custom(), to.custom()) {
            return Ok(Json::Map(own.in_version(object, &to.info.version, Some(self))?.object));
        }
        let stored = from.conversion.map_or(object.clone(), |conversion| conversion.to_stored(object));
        Ok(versioned(to, &stored))
    }
}

/// An object in the form that webhooks receive.
pub(super) fn versioned_object(subject: &Subject<'_>, object: &Unstructured) -> Json {
    match subject.kind {
        Some(_) => Json::Map(object.object.clone()),
        None => versioned(subject.served, object),
    }
}

/// An object in the form that the registry stores.
pub(super) fn internal_object(subject: &Subject<'_>, object: Json) -> Result<Unstructured, ApiError> {
    let object =
        Unstructured::try_from(object).map_err(|_| ApiError::internal_error("the value is not an object"))?;
    Ok(match subject.served.conversion.filter(|_| subject.kind.is_none()) {
        Some(conversion) => conversion.to_stored(object),
        None => object,
    })
}

/// A changed object, normalized by its type or schema, with defaults.
pub(super) fn normalized(subject: &Subject<'_>, object: Json) -> Result<Json, ApiError> {
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

/// An object, encoded by the type of its resource.
pub(super) fn versioned(served: &Served, object: &Unstructured) -> Json {
    let shown = served.conversion.map(|conversion| conversion.to_served(object.clone()));
    let object = shown.as_ref().unwrap_or(object);
    let text = served.kind.and_then(|_| served.written(object).ok());
    let versioned = text.and_then(|text| Json::parse(&text).ok());
    versioned.unwrap_or_else(|| Json::Map(object.object.clone()))
}
