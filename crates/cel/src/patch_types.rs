//! The types that expressions of mutations can create.

/// The type of an operation of a JSON patch.
pub(crate) const JSON_PATCH: &str = "JSONPatch";
/// The type of the changed object. Its parts have its name and their path: `Object.spec`.
const OBJECT: &str = "Object";

/// Whether expressions of mutations can create objects of this type.
pub(crate) fn is_patch_type(name: &str) -> bool {
    name == JSON_PATCH || is_object_type(name)
}

/// Whether a type is that of the changed object or of a part of it.
pub(crate) fn is_object_type(name: &str) -> bool {
    name.strip_prefix(OBJECT).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
