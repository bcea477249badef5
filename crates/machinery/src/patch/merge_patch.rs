//! JSON merge patch (RFC 7386): a document that is merged into another.
//!
//! An object in the patch is merged key by key. `null` removes a key. Any other value replaces the existing one. So a
//! merge patch cannot set a key to `null`, and can edit an array only by replacing it.

use super::precondition::{Precondition, PreconditionFailed, check_all};
use crate::value::{Entries, entries};
use crate::{Json, Map};

/// A merge patch cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergePatchError {
    /// The patch would change a field that a precondition protects.
    #[error(transparent)]
    Precondition(#[from] PreconditionFailed),
    /// One side deletes a value that the other side sets.
    #[error("the patch both sets and deletes {path}")]
    Conflict {
        /// The path, such as `spec.size`.
        path: String,
    },
}

/// Returns the target with the patch merged into it.
///
/// ```
/// use client_rs_machinery::{json, patch::merge_patch};
///
/// let patch = json!({"spec": {"paused": null, "replicas": 3}});
/// let merged = merge_patch::apply(&json!({"spec": {"paused": true, "image": "web:1"}}), &patch);
/// assert_eq!(merged, json!({"spec": {"image": "web:1", "replicas": 3}}));
/// ```
///
/// As in the API server, `null`s are left out of objects in an array that comes with the patch, unless the array
/// replaces an object.
#[must_use]
pub fn apply(target: &Json, patch: &Json) -> Json {
    match (target, patch) {
        (Json::Map(target), Json::Map(patch)) => {
            let mut merged = entries(target);
            for (key, value) in patch {
                match merged.get_mut(key) {
                    _ if value.is_null() => {
                        merged.remove(key);
                    }
                    Some(old) => *old = apply(old, value),
                    None => {
                        merged.insert(key.clone(), without_nulls(value));
                    }
                }
            }
            Json::Map(merged.into_iter().collect())
        }
        (Json::Map(_), _) => patch.clone(),
        _ => without_nulls(patch),
    }
}

/// Creates a patch that turns `original` into `modified`.
///
/// A merge patch cannot set `null`: a key that becomes `null` in `modified` is removed.
#[must_use]
pub fn diff(original: &Json, modified: &Json) -> Json {
    match (original, modified) {
        (Json::Map(original), Json::Map(modified)) => Json::Map(diff_maps(original, modified)),
        _ => modified.clone(),
    }
}

/// Creates a patch for `current` with the changes from `original` to `modified`. It sets the fields of `modified`,
/// and removes those that `original` has and `modified` lacks. Fields that others have added to `current` stay.
///
/// This is how `kubectl apply` patches a custom resource; `original` is then the last applied configuration.
pub fn three_way(
    original: &Json,
    modified: &Json,
    current: &Json,
    preconditions: &[Precondition],
) -> Result<Json, MergePatchError> {
    let nothing = Map::EMPTY;
    let map = |value: &Json| value.as_map().cloned().unwrap_or(nothing.clone());
    let (original, modified, current) = (map(original), map(modified), map(current));
    let changes = filter(&diff_maps(&current, &modified), false);
    let deletions = filter(&diff_maps(&original, &modified), true);
    if let Some(mut path) = conflict(&changes, &deletions) {
        path.reverse();
        return Err(MergePatchError::Conflict { path: path.join(".") });
    }
    let patch = apply(&Json::Map(deletions), &Json::Map(changes));
    check_all(preconditions, &patch)?;
    Ok(patch)
}

fn diff_maps(original: &Map<Json>, modified: &Map<Json>) -> Map<Json> {
    let mut patch = Entries::new();
    for (key, value) in modified {
        match (original.get(key), value) {
            (Some(Json::Map(original)), Json::Map(modified)) => {
                let inner = diff_maps(original, modified);
                if !inner.is_empty() {
                    patch.insert(key.clone(), Json::Map(inner));
                }
            }
            (Some(original), _) if original == value => {}
            _ => {
                patch.insert(key.clone(), value.clone());
            }
        }
    }
    for (key, _) in original.iter().filter(|(key, _)| !modified.contains_key(key)) {
        patch.insert(key.clone(), Json::Null);
    }
    patch.into_iter().collect()
}

/// Returns the value without the keys that are `null`, at any depth.
fn without_nulls(value: &Json) -> Json {
    match value {
        Json::Map(map) => map
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key.clone(), without_nulls(value)))
            .collect(),
        Json::List(list) => list.iter().map(without_nulls).collect(),
        _ => value.clone(),
    }
}

/// Returns only the deletions of a patch, or everything else.
fn filter(patch: &Map<Json>, deletions: bool) -> Map<Json> {
    let mut kept = Entries::new();
    for (key, value) in patch {
        match value {
            // An empty object is a value, not a patch without effect.
            Json::Map(map) if !map.is_empty() => {
                let inner = filter(map, deletions);
                if !inner.is_empty() {
                    kept.insert(key.clone(), Json::Map(inner));
                }
            }
            _ if value.is_null() == deletions => {
                kept.insert(key.clone(), value.clone());
            }
            _ => {}
        }
    }
    kept.into_iter().collect()
}

/// Returns the path at which two patches conflict; innermost key first.
fn conflict<'a>(left: &'a Map<Json>, right: &Map<Json>) -> Option<Vec<&'a str>> {
    left.iter().find_map(|(key, value)| {
        let mut path = match (value, right.get(key)?) {
            (Json::Map(left), Json::Map(right)) => conflict(left, right)?,
            (left, right) if left == right => return None,
            _ => Vec::new(),
        };
        path.push(key);
        Some(path)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::tests_support::any_json;

    #[test]
    fn applies_as_the_rfc_shows() {
        for (target, patch, expected) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
            (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({"a": "b"}), json!(["c"]), json!(["c"])),
            (json!({"a": "foo"}), json!(null), json!(null)),
            (json!({"a": "foo"}), json!("bar"), json!("bar")),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            assert_eq!(apply(&target, &patch), expected, "{target} {patch}");
        }
    }

    #[test]
    fn nulls_in_arrays_are_the_api_servers() {
        let patch = json!({"a": [{"x": null, "y": 1}, null]});
        let pruned = json!({"a": [{"y": 1}, null]});
        assert_eq!(apply(&json!({}), &patch), pruned);
        assert_eq!(apply(&json!({"a": null}), &patch), pruned);
        assert_eq!(apply(&json!({"a": [1]}), &patch), pruned);
        assert_eq!(apply(&json!({"a": {"z": 1}}), &patch), patch);
    }

    #[test]
    fn contains_only_the_changes() {
        let original = json!({"a": 1, "b": {"c": 1, "d": [1], "e": {}}, "f": null});
        assert_eq!(diff(&original, &original), json!({}));
        assert_eq!(
            diff(&original, &json!({"a": 1.0, "b": {"c": 1, "d": [2], "g": {}}, "f": null})),
            json!({"a": 1.0, "b": {"d": [2], "e": null, "g": {}}}),
        );
        assert_eq!(diff(&json!([1]), &json!([2])), json!([2]));
    }

    #[test]
    fn three_way_keeps_fields_of_others() {
        let original = json!({"metadata": {"name": "x"}, "spec": {"a": 1, "gone": 1, "list": [1]}});
        let modified = json!({"metadata": {"name": "x"}, "spec": {"a": 2, "list": [1], "empty": {}}});
        let current = json!({
            "metadata": {"name": "x", "uid": "u"},
            "spec": {"a": 1, "gone": 1, "list": [1, 2], "theirs": 1},
        });
        let patch = three_way(&original, &modified, &current, &Precondition::same_object()).unwrap();
        assert_eq!(patch, json!({"spec": {"a": 2, "gone": null, "list": [1], "empty": {}}}));
        let result = apply(&current, &patch);
        assert_eq!(result["spec"], json!({"a": 2, "list": [1], "empty": {}, "theirs": 1}));
        assert_eq!(three_way(&original, &modified, &result, &[]), Ok(json!({"spec": {"gone": null}})));
    }

    #[test]
    fn three_way_checks_its_preconditions() {
        let (modified, current) = (json!({"metadata": {"name": "y"}}), json!({"metadata": {"name": "x"}}));
        let error = three_way(&json!({}), &modified, &current, &Precondition::same_object());
        assert_eq!(error, Err(PreconditionFailed { key: "metadata.name".into() }.into()));
    }

    #[test]
    fn three_way_refuses_to_set_a_deleted_value() {
        let (left, right) = (json!({"a": {"b": 1, "c": 2}}), json!({"a": {"c": null}}));
        assert_eq!(conflict(left.as_map().unwrap(), right.as_map().unwrap()), Some(vec!["c", "a"]));
        let right = json!({"a": {"d": null}});
        assert_eq!(conflict(left.as_map().unwrap(), right.as_map().unwrap()), None);
    }

    proptest! {
        #[test]
        fn applied_to_the_original_it_makes_the_modified(original in any_json(), modified in any_json()) {
            let modified = without_nulls(&modified);
            prop_assert_eq!(apply(&original, &diff(&original, &modified)), modified);
        }

        #[test]
        fn applying_twice_changes_nothing_more(target in any_json(), patch in any_json()) {
            let once = apply(&target, &without_nulls(&patch));
            prop_assert_eq!(apply(&once, &without_nulls(&patch)), once);
        }

        #[test]
        fn three_way_of_one_owner_is_two_way(original in any_json(), modified in any_json()) {
            let map = |value: Json| if value.as_map().is_some() { value } else { json!({"v": value}) };
            let (original, modified) = (without_nulls(&map(original)), without_nulls(&map(modified)));
            let patch = three_way(&original, &modified, &original, &[]).unwrap();
            prop_assert_eq!(apply(&original, &patch), modified);
        }
    }
}
