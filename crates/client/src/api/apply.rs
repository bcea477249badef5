//! Documents for server-side apply.

use client_rs_machinery::{Json, Resource};

use crate::request::ApplyConfigurationError;
use crate::{PathPart, RequestError};

/// The fields of an object of kind `K` that a manager owns, with their values: the argument of [`Api::apply`](crate::Api::apply).
///
/// A [`Json`] document works for any kind. If it has an `apiVersion` and a `kind`, they must be those of the kind. The feature
/// `apply` of the crate `client-rs-kubernetes` has a builder per built-in kind, which catches typing mistakes at compile time.
///
/// An object of kind `K` itself is not a configuration: all of its fields would be owned.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_client::api::ApplyConfiguration;
/// use client_rs_machinery::json;
///
/// let labels = json!({"metadata": {"name": "web", "labels": {"team": "shop"}}});
/// let document = ApplyConfiguration::<Pod>::document(&labels);
/// assert_eq!(document.path(&["metadata", "labels", "team"]).unwrap().as_str(), Some("shop"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an apply configuration of `{K}`",
    note = "an object itself does not work: all of its fields would be owned; use the kind's apply configuration, or `Json`"
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

/// Returns the document of a whole object, with its kind, ready to be sent, and its name.
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

/// Returns the document of a subresource of the object with this name, ready to be sent.
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
