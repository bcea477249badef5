//! Checks custom resource definitions: defaults, validation, names and conditions.
//!
//! Use it to check a definition without a cluster. Error texts are those of kube-apiserver. The functions take the
//! definition as an untyped object. Call [`default`] before [`check`], as the server does.
//!
//! ```
//! use client_rs_machinery::{Unstructured, json};
//! use client_rs_schema::definition;
//!
//! let mut object: Unstructured = json!({
//!     "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
//!     "metadata": {"name": "webs.example.com"},
//!     "spec": {
//!         "group": "example.com", "scope": "Namespaced",
//!         "names": {"plural": "webs", "kind": "Web"},
//!         "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
//!             "type": "object",
//!             "properties": {"spec": {"type": "text"}},
//!         }}}],
//!     },
//! })
//! .try_into()
//! .unwrap();
//! definition::default(&mut object);
//! definition::note_storage(&mut object);
//!
//! let errors = definition::check(&object, None);
//! assert!(errors.iter().any(|error| error.to_string().contains("Unsupported value: \"text\"")), "{errors:?}");
//! ```

mod conversion;
mod default_values;
mod field_path;
mod internal;
mod openapi;
mod rule_limits;
mod rule_types;
mod spec;
mod status;
mod structural;
mod warnings;

use client_rs_machinery::{FieldError, Json, Str, Unstructured, json};

pub use status::{CLEANUP, Names, condition, is_true, set_condition};
pub use warnings::warnings;

static NULL: Json = Json::Null;

/// Sets the defaults of a definition: singular name, kind of lists, conversion.
pub fn default(object: &mut Unstructured) {
    let kind = at(object, &["spec", "names", "kind"]).as_str().unwrap_or_default().to_owned();
    let empty = |object: &Unstructured, key: &str| {
        at(object, &["spec", "names", key]).as_str().unwrap_or_default().is_empty()
    };
    if empty(object, "singular") && !kind.is_empty() {
        drop(object.set_nested(&["spec", "names", "singular"], kind.to_lowercase()));
    }
    if empty(object, "listKind") && !kind.is_empty() {
        drop(object.set_nested(&["spec", "names", "listKind"], format!("{kind}List")));
    }
    if at(object, &["spec", "conversion"]).is_null() {
        drop(object.set_nested(&["spec", "conversion"], json!({"strategy": "None"})));
    }
    let service = ["spec", "conversion", "webhook", "clientConfig", "service"];
    if !at(object, &service).is_null() && at(object, &service)["port"].is_null() {
        drop(object.set_nested(&[&service[..], &["port"]].concat(), 443));
    }
}

/// Adds the storage version to `status.storedVersions`.
pub fn note_storage(object: &mut Unstructured) {
    let Some(storage) = storage_version(object) else { return };
    let known: Vec<Json> =
        at(object, &["status", "storedVersions"]).as_list().map(|all| all.to_vec()).unwrap_or_default();
    if !known.contains(&Json::from(&storage)) {
        let all: Vec<Json> = known.into_iter().chain([Json::from(&storage)]).collect();
        drop(object.set_nested(&["status", "storedVersions"], Json::from(all)));
    }
}

/// Validates a new definition, or the change of an old one. Returns all errors; it is empty for a valid definition.
pub fn check(object: &Unstructured, old: Option<&Unstructured>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let spec = at(object, &["spec"]);
    if old.is_none() {
        let text = |path: &[&str]| at(object, path).as_str().unwrap_or_default();
        let wanted = format!("{}.{}", text(&["spec", "names", "plural"]), text(&["spec", "group"]));
        if object.name() != wanted {
            let why = "must be spec.names.plural+\".\"+spec.group";
            errors.push(FieldError::invalid("metadata.name", object.name(), why));
        }
    }
    errors.extend(spec::check(spec, old.map(|old| at(old, &["spec"]))));
    if let Some(old) = old {
        errors.extend(spec::check_update(spec, at(old, &["spec"]), is_true(old, "Established")));
    }
    errors.extend(status::check(object));
    errors.extend(spec::approval(object, old));
    let preserves = |of: &Unstructured| at(of, &["spec", "preserveUnknownFields"]).as_bool() == Some(true);
    if preserves(object) && !old.is_some_and(preserves) {
        let why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        errors.push(FieldError::invalid_json("spec.preserveUnknownFields", "true", why));
    }
    errors
}

/// Validates a change of a definition's status.
pub fn check_status(object: &Unstructured) -> Vec<FieldError> {
    status::names_errors(object)
}

/// The storage version; `None` if no version is marked.
pub fn storage_version(object: &Unstructured) -> Option<Str> {
    let is_it = |version: &&Json| version["storage"].as_bool() == Some(true);
    list(&at(object, &["spec"])["versions"]).find(is_it)?["name"].as_shared_str().cloned()
}

fn at<'o>(object: &'o Unstructured, path: &[&str]) -> &'o Json {
    object.nested(path).ok().flatten().unwrap_or(&NULL)
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

fn entries(value: &Json) -> impl Iterator<Item = (&Str, &Json)> {
    value.as_map().into_iter().flatten()
}
