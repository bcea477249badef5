//! Compares and copies fields of an old and a new object.

use client_rs_machinery::{Json, Unstructured};

/// Copies the value at a path from the old object. If the old object has none, it is removed.
pub(crate) fn copy(new: &mut Unstructured, old: &Unstructured, path: &[&str]) {
    match old.nested(path).ok().flatten() {
        // It can only fail if a parent is not an object, which the type excludes.
        Some(value) => drop(new.set_nested(path, value.clone())),
        None => drop(new.remove_nested(path)),
    }
}

/// The value at a path, unless it is null or empty.
pub(crate) fn present<'o>(object: &'o Unstructured, path: &[&str]) -> Option<&'o Json> {
    let (first, rest) = path.split_first()?;
    object.object.get(first)?.path(rest).filter(|value| match value {
        Json::Null => false,
        Json::Map(map) => !map.is_empty(),
        Json::List(list) => !list.is_empty(),
        _ => true,
    })
}

/// Sets or removes a field at the top.
pub(crate) fn reset(object: &mut Unstructured, field: &str, value: Option<&Json>) {
    match value {
        Some(value) => object.object.insert(field, value.clone()),
        None => object.object.remove(field),
    };
}

/// Copies everything except the metadata and one field from the old object.
pub(crate) fn keep_others(new: &mut Unstructured, old: &Unstructured, field: &str) {
    let is_its_own = |key: &str| key == "metadata" || key == field;
    new.object.retain(|key, _| is_its_own(key));
    for (key, value) in old.object.iter().filter(|(key, _)| !is_its_own(key)) {
        new.object.insert(key.clone(), value.clone());
    }
}

/// Copies labels, annotations, finalizers and owners from the old object.
pub(crate) fn keep_metadata(new: &mut Unstructured, old: &Unstructured) {
    for key in ["labels", "annotations", "finalizers", "ownerReferences"] {
        copy(new, old, &["metadata", key]);
    }
}

/// Increases the generation if the spec changed.
pub(crate) fn count_spec(new: &mut Unstructured, old: &Unstructured) {
    if present(new, &["spec"]) != present(old, &["spec"]) {
        new.set_generation(old.generation() + 1);
    }
}
