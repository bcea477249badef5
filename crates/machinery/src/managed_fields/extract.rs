//! The part of an object that a manager owns.

use super::{FieldSet, FieldsError, PathElement};
use crate::{Json, Map};

/// Returns the part of an object that a manager has applied, by the object's own `managedFields`: the configuration
/// that the manager would apply again to keep its fields. List items that are identified by keys have their keys.
///
/// The entry is that of the operation `Apply` for this manager and subresource (empty: the object itself). The result
/// always has `apiVersion`, `kind`, name and namespace; without an entry, it has nothing else.
///
/// ```
/// use client_rs_machinery::{json, managed_fields};
///
/// let live = json!({
///     "apiVersion": "v1", "kind": "ConfigMap",
///     "metadata": {"name": "settings", "managedFields": [{
///         "manager": "me", "operation": "Apply", "apiVersion": "v1",
///         "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:level": {}}},
///     }]},
///     "data": {"level": "debug", "color": "blue"},
/// });
/// let mine = managed_fields::extract(&live, "me", "")?;
/// assert_eq!(mine["data"], json!({"level": "debug"}));
/// # Ok::<(), managed_fields::FieldsError>(())
/// ```
///
/// It needs no schema. An object or list that the manager owns without members below is returned whole, as an atomic
/// one. If another manager owns something in it, it is returned empty: the manager owns only its existence.
pub fn extract(object: &Json, manager: &str, subresource: &str) -> Result<Json, FieldsError> {
    let mut owned = None;
    let mut everyone = FieldSet::EMPTY;
    for entry in entries(object)? {
        let set = FieldSet::from_json(&entry["fieldsV1"])?;
        everyone = everyone.union(&set);
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        if text("manager") == manager && text("operation") == "Apply" && text("subresource") == subresource {
            owned.get_or_insert(set);
        }
    }
    let owned = owned.unwrap_or_default().leaves();
    let mut extracted = part(object, &owned, &everyone).unwrap_or(Json::EMPTY_MAP);
    for path in [&["apiVersion"][..], &["kind"], &["metadata", "name"], &["metadata", "namespace"]] {
        if let Some(value) = object.path(path).filter(|value| !value.is_null()) {
            // Nothing blocks the path: the extracted value comes from an object with this path.
            let _ = extracted.set(path, value);
        }
    }
    Ok(extracted)
}

fn entries(object: &Json) -> Result<&[Json], FieldsError> {
    match object.path(&["metadata", "managedFields"]) {
        None | Some(Json::Null) => Ok(&[]),
        Some(Json::List(list)) if list.iter().all(|entry| entry.as_map().is_some()) => Ok(list.as_slice()),
        Some(_) => Err(FieldsError::Entries),
    }
}

/// Returns the part of a value that is in a set; `None` if no part is.
fn part(value: &Json, owned: &FieldSet, everyone: &FieldSet) -> Option<Json> {
    match value {
        Json::Map(map) => {
            let kept: Map<Json> = map
                .iter()
                .filter_map(|(key, value)| {
                    Some((key.clone(), item(value, &PathElement::Field(key.clone()), owned, everyone)?))
                })
                .collect();
            (!kept.is_empty()).then_some(Json::Map(kept))
        }
        Json::List(list) => {
            let kept = list.iter().enumerate().filter_map(|(at, value)| {
                let index = i64::try_from(at).unwrap_or(i64::MAX);
                let elements = owned.nodes().iter().map(|node| &node.element);
                let named = |element: &&PathElement| {
                    element.matches_item(value) || **element == PathElement::Index(index)
                };
                let element = elements.into_iter().find(named)?;
                let mut kept = item(value, element, owned, everyone)?;
                if let (PathElement::Key(keys), Json::Map(map)) = (element, &mut kept) {
                    for (name, key) in keys {
                        map.get_or_insert_with(name.clone(), || key.clone());
                    }
                }
                Some(kept)
            });
            let kept: Vec<Json> = kept.collect();
            (!kept.is_empty()).then(|| kept.into())
        }
        _ => None,
    }
}

fn item(value: &Json, element: &PathElement, owned: &FieldSet, everyone: &FieldSet) -> Option<Json> {
    let others = everyone.below(element);
    if let Some(below) = owned.below(element) {
        return part(value, below, others.unwrap_or(&FieldSet::EMPTY));
    }
    if !owned.has_member(element) {
        return None;
    }
    Some(match value {
        Json::Map(_) if others.is_some() => Json::EMPTY_MAP,
        Json::List(_) if others.is_some() => Json::EMPTY_LIST,
        whole => whole.clone(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::tests_support::any_json;

    fn deployment() -> Json {
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {
                "name": "web", "namespace": "default", "uid": "1", "labels": {"app": "web", "tier": "front"},
                "finalizers": ["a", "b"],
                "managedFields": [
                    {"manager": "me", "operation": "Update", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
                     "fieldsV1": {"f:spec": {"f:paused": {}}}},
                    {"manager": "me", "operation": "Apply", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
                     "fieldsV1": {
                         "f:metadata": {"f:labels": {"f:app": {}}, "f:finalizers": {"v:\"b\"": {}}},
                         "f:spec": {
                             "f:replicas": {}, "f:selector": {},
                             "f:template": {"f:spec": {"f:containers": {"k:{\"name\":\"app\"}": {
                                 ".": {}, "f:image": {}, "f:name": {},
                                 "f:ports": {"k:{\"containerPort\":80,\"protocol\":\"TCP\"}": {
                                     ".": {}, "f:containerPort": {}}}
                             }}}},
                         },
                     }},
                    {"manager": "me", "operation": "Apply", "apiVersion": "apps/v1", "subresource": "status",
                     "fieldsType": "FieldsV1", "fieldsV1": {"f:status": {"f:replicas": {}}}},
                    {"manager": "other", "operation": "Apply", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
                     "fieldsV1": {"f:metadata": {"f:labels": {}, "f:annotations": {"f:gone": {}}}}},
                ],
            },
            "spec": {
                "replicas": 3, "paused": true, "selector": {"matchLabels": {"app": "web"}},
                "template": {"spec": {"containers": [
                    {"name": "side", "image": "side:1"},
                    {"name": "app", "image": "app:1", "tty": true,
                     "ports": [{"containerPort": 80, "protocol": "TCP", "name": "http"}]},
                ]}},
            },
            "status": {"replicas": 2, "readyReplicas": 1},
        })
    }

    #[test]
    fn extract_returns_the_applied_fields() {
        assert_eq!(
            extract(&deployment(), "me", "").unwrap(),
            json!({
                "apiVersion": "apps/v1", "kind": "Deployment",
                "metadata": {
                    "name": "web", "namespace": "default", "labels": {"app": "web"}, "finalizers": ["b"],
                },
                "spec": {
                    "replicas": 3, "selector": {"matchLabels": {"app": "web"}},
                    "template": {"spec": {"containers": [{
                        "name": "app", "image": "app:1", "ports": [{"containerPort": 80, "protocol": "TCP"}],
                    }]}},
                },
            })
        );
    }

    #[test]
    fn a_subresource_is_an_entry_of_its_own() {
        let status = extract(&deployment(), "me", "status").unwrap();
        assert_eq!(status["status"], json!({"replicas": 2}));
        assert_eq!(status.get("spec"), None);
    }

    #[test]
    fn a_container_owned_by_several_is_extracted_empty() {
        let extracted = extract(&deployment(), "other", "").unwrap();
        assert_eq!(extracted["metadata"]["labels"], json!({}));
        assert_eq!(extracted["metadata"].get("annotations"), None);
    }

    #[test]
    fn without_an_entry_only_the_identity_is_extracted() {
        let identity = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default"},
        });
        assert_eq!(extract(&deployment(), "nobody", "").unwrap(), identity);
        let mut bare = deployment();
        bare.remove(&["metadata", "managedFields"]);
        assert_eq!(extract(&bare, "me", "").unwrap(), identity);
        assert_eq!(extract(&json!({}), "me", "").unwrap(), json!({}));
    }

    #[test]
    fn bad_entries_are_refused() {
        for entries in [json!(1), json!([1]), json!({}), json!([{"fieldsV1": {"bad": {}}}])] {
            let object = json!({"metadata": {"managedFields": entries}});
            assert!(extract(&object, "me", "").is_err(), "{object:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(object in any_json(), fields in any_json()) {
            let entry = json!({"manager": "me", "operation": "Apply", "fieldsV1": fields});
            let mut object = object;
            let _ = object.set(&["metadata", "managedFields"], json!([entry]));
            let _ = extract(&object, "me", "");
        }
    }
}
