//! How the fields of an old and a new object are compared and kept.

use client_rs_machinery::{Json, Unstructured};

/// Takes the value at a path from the old object, or its absence.
pub(crate) fn copy(new: &mut Unstructured, old: &Unstructured, path: &[&str]) {
    match old.nested(path).ok().flatten() {
        // Only an object that is no object is in the way, and the type has none there.
        Some(value) => drop(new.set_nested(path, value.clone())),
        None => drop(new.remove_nested(path)),
    }
}

/// The value at a path, where it says something.
pub(crate) fn present<'o>(object: &'o Unstructured, path: &[&str]) -> Option<&'o Json> {
    let (first, rest) = path.split_first()?;
    object.object.get(first)?.path(rest).filter(|value| match value {
        Json::Null => false,
        Json::Map(map) => !map.is_empty(),
        Json::List(list) => !list.is_empty(),
        _ => true,
    })
}

/// Sets a field at the top, or removes it.
pub(crate) fn reset(object: &mut Unstructured, field: &str, value: Option<&Json>) {
    match value {
        Some(value) => object.object.insert(field, value.clone()),
        None => object.object.remove(field),
    };
}

/// Takes everything but metadata and one field from the old object.
pub(crate) fn keep_others(new: &mut Unstructured, old: &Unstructured, field: &str) {
    let is_its_own = |key: &str| key == "metadata" || key == field;
    new.object.retain(|key, _| is_its_own(key));
    for (key, value) in old.object.iter().filter(|(key, _)| !is_its_own(key)) {
        new.object.insert(key.clone(), value.clone());
    }
}

/// Takes from the old object what its metadata says to others.
pub(crate) fn keep_metadata(new: &mut Unstructured, old: &Unstructured) {
    for key in ["labels", "annotations", "finalizers", "ownerReferences"] {
        copy(new, old, &["metadata", key]);
    }
}

/// Counts a change of the spec.
pub(crate) fn count_spec(new: &mut Unstructured, old: &Unstructured) {
    if present(new, &["spec"]) != present(old, &["spec"]) {
        new.set_generation(old.generation() + 1);
    }
}
