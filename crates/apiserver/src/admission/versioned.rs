//! Objects as webhooks see them: in a version of their resource, as its type writes them.

use client_rs_machinery::{ApiError, Json, Unstructured};

use super::invocation::Invocation;
use super::session::Session;
use crate::registry::{Served, Subject};

impl Session {
    /// What a webhook made of an object, in the version of the request.
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

    /// An object in another version of its resource.
    pub(super) fn in_version(&self, from: &Served, to: &Served, object: Json) -> Result<Json, ApiError> {
        let object =
            Unstructured::try_from(object).map_err(|_| ApiError::internal_error("the object is none"))?;
        if let (Some(own), Some(_)) = (from.custom(), to.custom()) {
            return Ok(Json::Map(own.in_version(object, &to.info.version, Some(self))?.object));
        }
        let stored = from.conversion.map_or(object.clone(), |conversion| conversion.to_stored(object));
        Ok(versioned(to, &stored))
    }
}

/// An object as webhooks see it.
pub(super) fn versioned_object(subject: &Subject<'_>, object: &Unstructured) -> Json {
    match subject.kind {
        Some(_) => Json::Map(object.object.clone()),
        None => versioned(subject.served, object),
    }
}

/// An object as the registry has it.
pub(super) fn internal_object(subject: &Subject<'_>, object: Json) -> Result<Unstructured, ApiError> {
    let object =
        Unstructured::try_from(object).map_err(|_| ApiError::internal_error("the object is none"))?;
    Ok(match subject.served.conversion.filter(|_| subject.kind.is_none()) {
        Some(conversion) => conversion.to_stored(object),
        None => object,
    })
}

/// A changed object in the form of its type or schema, with its defaults.
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

/// An object of a resource as its type writes it.
fn versioned(served: &Served, object: &Unstructured) -> Json {
    let shown = served.conversion.map(|conversion| conversion.to_served(object.clone()));
    let object = shown.as_ref().unwrap_or(object);
    let text = served.kind.and_then(|_| served.written(object).ok());
    let versioned = text.and_then(|text| Json::parse(&text).ok());
    versioned.unwrap_or_else(|| Json::Map(object.object.clone()))
}
