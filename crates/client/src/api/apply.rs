//! What can be applied.

use client_rs_machinery::{Json, Resource};

use crate::request::ApplyConfigurationError;
use crate::{PathPart, RequestError};

/// The fields of an object of kind `K` that somebody wants to own, and their values.
///
/// A [`Json`] document is one for any kind: `apiVersion` and `kind`, where it has them, must be the kind's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no apply configuration of `{K}`",
    note = "an object itself is none: all of its fields would be owned; use the kind's apply configuration, or `Json`"
)]
pub trait ApplyConfiguration<K> {
    /// The document.
    fn document(&self) -> &Json;
}

impl<K> ApplyConfiguration<K> for Json {
    fn document(&self) -> &Json {
        self
    }
}

impl<K, C: ApplyConfiguration<K>> ApplyConfiguration<K> for &C {
    fn document(&self) -> &Json {
        (**self).document()
    }
}

/// The document of a whole object, with its kind, ready to be sent, and its name.
pub(crate) fn of_kind<K: Resource>(document: &Json, namespace: &str) -> Result<(Json, String), RequestError> {
    let api_version = match K::INFO.group {
        "" => K::INFO.version.to_owned(),
        group => format!("{group}/{}", K::INFO.version),
    };
    let name = text(document, &["metadata", "name"]).to_owned();
    if name.is_empty() && document.as_map().is_some() {
        return Err(RequestError::Empty(PathPart::Name));
    }
    let (found_version, found_kind) = (text(document, &["apiVersion"]), text(document, &["kind"]));
    if differs(found_version, &api_version) || differs(found_kind, K::INFO.kind) {
        let expected = format!("{api_version} {}", K::INFO.kind);
        return Err(ApplyConfigurationError::Kind {
            expected,
            found: format!("{found_version} {found_kind}"),
        }
        .into());
    }
    let mut document = of_part(document, namespace, &name)?;
    set(&mut document, &["apiVersion"], &api_version)?;
    set(&mut document, &["kind"], K::INFO.kind)?;
    Ok((document, name))
}

/// The document of a part of an object of this name, ready to be sent.
pub(crate) fn of_part(document: &Json, namespace: &str, name: &str) -> Result<Json, RequestError> {
    if document.as_map().is_none() {
        return Err(ApplyConfigurationError::NotAnObject.into());
    }
    if document.path(&["metadata", "managedFields"]).is_some_and(|fields| !fields.is_null()) {
        return Err(ApplyConfigurationError::ManagedFields.into());
    }
    for (field, expected) in [("namespace", namespace), ("name", name)] {
        let found = text(document, &["metadata", field]);
        if differs(found, expected) {
            let (expected, found) = (expected.to_owned(), found.to_owned());
            return Err(ApplyConfigurationError::Mismatch { field, expected, found }.into());
        }
    }
    let mut document = document.clone();
    set(&mut document, &["metadata", "name"], name)?;
    Ok(document)
}

fn text<'d>(document: &'d Json, path: &[&str]) -> &'d str {
    document.path(path).and_then(Json::as_str).unwrap_or_default()
}

fn differs(found: &str, expected: &str) -> bool {
    !found.is_empty() && found != expected
}

fn set(document: &mut Json, path: &[&str], value: &str) -> Result<(), RequestError> {
    document.set(path, value).map(|_| ()).map_err(|_| ApplyConfigurationError::NotAnObject.into())
}
