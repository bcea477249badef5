//! Comparison of an object with the document that was applied.

use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{Blob, Json, List, Map, Quantity, Resource, Str};

use super::shape::Shape;

/// The fields of `metadata` that the server sets itself, regardless of the document.
const OF_THE_SERVER: [&str; 6] =
    ["creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"];

/// A text that is not a quantity.
const NO_QUANTITY: &str = "?";

/// An object as JSON; null if it can't be encoded.
pub(super) fn as_json<K: Payload>(object: &K) -> Json {
    Json::parse(&object.encode(Format::Json)).unwrap_or_default()
}

/// The part of a document that can be compared with an object of its kind: without fields that the server ignores, and with
/// the `stringData` of a Secret moved to `data`, as the server does.
pub(super) fn comparable<K: Resource>(document: &Json) -> Json {
    let mut wanted = document.clone();
    for field in OF_THE_SERVER {
        wanted.remove(&["metadata", field]);
    }
    if wanted.path(&["metadata", "namespace"]).is_some_and(is_empty) {
        wanted.remove(&["metadata", "namespace"]);
    }
    // A write of the object itself leaves the status alone where that is a subresource.
    if K::INFO.subresources.iter().any(|subresource| subresource.name == "status") {
        wanted.remove(&["status"]);
    }
    move_string_data::<K>(&mut wanted);
    wanted
}

/// Moves the `stringData` of a Secret to `data`, as the server does. Leaves a malformed Secret as it is: the server refuses it.
pub(super) fn move_string_data<K: Resource>(document: &mut Json) {
    let is_map = |value: Option<&Json>| value.is_none_or(|value| matches!(value, Json::Map(_) | Json::Null));
    let is_text = |(_, text): (&Str, &Json)| text.as_str().is_some();
    if (K::INFO.group, K::INFO.kind) != ("", "Secret") || !is_map(document.path(&["data"])) {
        return;
    }
    let Some(Json::Map(texts)) = document.path(&["stringData"]) else { return };
    if !texts.iter().all(is_text) {
        return;
    }
    let texts = texts.clone();
    document.remove(&["stringData"]);
    for (key, text) in &texts {
        let data = Blob::from(text.as_str().unwrap_or_default());
        let _ = document.set(&["data", key.as_str()], Json::from_serde(&data).unwrap_or_default());
    }
}

/// The document plus the owners and finalizers that only the object has. Every server merges these lists by key, so entries
/// of others stay.
pub(super) fn aligned(live: &Json, wanted: &Json) -> Json {
    let mut wanted = wanted.clone();
    align(live, &mut wanted, "ownerReferences", |own, wanted| own["uid"] == wanted["uid"]);
    align(live, &mut wanted, "finalizers", |own, wanted| own == wanted);
    wanted
}

fn align(live: &Json, wanted: &mut Json, field: &str, is: impl Fn(&Json, &Json) -> bool) {
    let path = ["metadata", field];
    let (Some(Json::List(own)), Some(Json::List(asked))) = (live.path(&path), wanted.path(&path)) else {
        return;
    };
    if !asked.iter().all(|item| own.iter().any(|own| is(own, item))) {
        return;
    }
    let all: List<Json> = own
        .iter()
        .map(|own| {
            asked
                .iter()
                .find(|item| is(own, item))
                .map_or_else(|| own.clone(), |item| overlaid(own, item, None))
        })
        .collect();
    // The path exists: it was read above.
    let _ = wanted.set(&path, Json::List(all));
}

/// Whether an object has every value of a document, so that applying it would change nothing. Other fields of the object
/// belong to the server or to other field managers, except in maps and lists that `shape` knows as atomic: those have no other values.
///
/// The kind's type decides which values are equal: the document is laid over the object, and both are compared as the type
/// encodes them. So a field that the type omits when it is empty equals a missing one, fields that the type does not know are
/// ignored, and quantities are compared by value. `live` is the object as its type encodes it.
pub(super) fn holds<K: Payload>(live: &Json, wanted: &Json, shape: &Shape) -> bool {
    if contains(live, wanted, Some(shape)) {
        return true;
    }
    let laid = overlaid(live, wanted, Some(shape));
    let Some(after) = written::<K>(&laid) else { return false };
    let mut differing = Vec::new();
    if !compare(live, &after, &mut Vec::new(), &mut differing) {
        return false;
    }
    // Equal quantities with different texts, if the type has quantities there: then it refuses any other text.
    differing.into_iter().all(|path| {
        let mut probe = laid.clone();
        put(&mut probe, &path, NO_QUANTITY.into()) && written::<K>(&probe).is_none()
    })
}

/// The values of an object at the paths of a document: the server's version of it. If a list has another length than the
/// document's, or a map of the document is empty, the whole list or map; so too for one that is atomic.
pub(super) fn values_at(live: &Json, wanted: &Json, shape: Option<&Shape>) -> Json {
    match (live, wanted) {
        (live, _) if Shape::is_atomic(shape) => live.clone(),
        (Json::Map(live), Json::Map(wanted)) if !wanted.is_empty() => {
            let kept: Map<Json> = wanted
                .iter()
                .filter_map(|(key, value)| {
                    Some((key.clone(), values_at(live.get(key)?, value, Shape::field(shape, key))))
                })
                .collect();
            Json::Map(kept)
        }
        (Json::List(live), Json::List(wanted)) if live.len() == wanted.len() => {
            let items = live.iter().zip(wanted.iter());
            Json::List(items.map(|(live, value)| values_at(live, value, Shape::item(shape))).collect())
        }
        (live, _) => live.clone(),
    }
}

/// Whether an object has every value of a document, exactly. Lists must have the same items in the same order.
fn contains(object: &Json, wanted: &Json, shape: Option<&Shape>) -> bool {
    match (object, wanted) {
        (object, wanted) if Shape::is_atomic(shape) => object == wanted,
        (Json::Map(object), Json::Map(wanted)) => wanted.iter().all(|(key, value)| {
            object.get(key).is_some_and(|own| contains(own, value, Shape::field(shape, key)))
        }),
        (Json::List(object), Json::List(wanted)) => {
            let mut items = object.iter().zip(wanted.iter());
            object.len() == wanted.len() && items.all(|(own, value)| contains(own, value, Shape::item(shape)))
        }
        (object, wanted) => object == wanted,
    }
}

/// The object with the document's values instead of its own.
fn overlaid(object: &Json, wanted: &Json, shape: Option<&Shape>) -> Json {
    match (object, wanted) {
        (_, wanted) if Shape::is_atomic(shape) => wanted.clone(),
        (Json::Map(object), Json::Map(wanted)) => {
            let mut object = object.clone();
            for (key, value) in wanted {
                let below = Shape::field(shape, key);
                let value = object.get(key).map_or_else(|| value.clone(), |own| overlaid(own, value, below));
                object.insert(key.clone(), value);
            }
            Json::Map(object)
        }
        (Json::List(object), Json::List(wanted)) if object.len() == wanted.len() => {
            let items = object.iter().zip(wanted.iter());
            Json::List(items.map(|(own, value)| overlaid(own, value, Shape::item(shape))).collect())
        }
        (_, wanted) => wanted.clone(),
    }
}

/// Decodes JSON as the type and encodes it again; `None` if the type can't decode it.
fn written<K: Payload>(object: &Json) -> Option<Json> {
    let decoded = K::decode(Format::Json, &object.to_vec(), &mut Decoding::new()).ok()?;
    Some(as_json(&decoded))
}

#[derive(Clone, Debug)]
enum Step {
    Key(Str),
    Index(usize),
}

/// Whether two values are equal, apart from quantities with different texts. The paths of those are added to `differing`.
fn compare(left: &Json, right: &Json, path: &mut Vec<Step>, differing: &mut Vec<Vec<Step>>) -> bool {
    match (left, right) {
        (Json::Map(left), Json::Map(right)) => {
            left.len() == right.len()
                && left.iter().zip(right.iter()).all(|((key, left), (other, right))| {
                    path.push(Step::Key(key.clone()));
                    let same = key == other && compare(left, right, path, differing);
                    path.pop();
                    same
                })
        }
        (Json::List(left), Json::List(right)) => {
            left.len() == right.len()
                && left.iter().zip(right.iter()).enumerate().all(|(index, (left, right))| {
                    path.push(Step::Index(index));
                    let same = compare(left, right, path, differing);
                    path.pop();
                    same
                })
        }
        (left, right) if left == right => true,
        (Json::Str(left), Json::Str(right)) => {
            let equal = matches!((Quantity::parse(left), Quantity::parse(right)), (Ok(left), Ok(right)) if left == right);
            differing.push(path.clone());
            equal
        }
        _ => false,
    }
}

/// Sets the value at a path. Returns whether the path exists.
fn put(into: &mut Json, path: &[Step], value: Json) -> bool {
    let Some((first, rest)) = path.split_first() else {
        *into = value;
        return true;
    };
    match (into, first) {
        (Json::Map(map), Step::Key(key)) => map.get_mut(key).is_some_and(|inner| put(inner, rest, value)),
        (Json::List(list), Step::Index(index)) => {
            let mut items: Vec<Json> = list.iter().cloned().collect();
            let found = items.get_mut(*index).is_some_and(|inner| put(inner, rest, value));
            *list = items.into_iter().collect();
            found
        }
        _ => false,
    }
}

fn is_empty(value: &Json) -> bool {
    value.is_null() || value.as_str() == Some("")
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::{ConfigMap, Pod, Secret};
    use client_rs_machinery::json;

    use super::*;

    /// Whether an object holds a document of a kind that this process has not written.
    fn holds<K: Payload>(live: &Json, wanted: &Json) -> bool {
        super::holds::<K>(live, wanted, &Shape::default())
    }

    /// An object as its type encodes it.
    fn live<K: Payload>(object: &Json) -> Json {
        written::<K>(object).unwrap()
    }

    fn pod(container: &Json) -> Json {
        json!({"metadata": {"name": "a"}, "spec": {"containers": [container.clone()]}})
    }

    #[test]
    fn an_object_with_additional_fields_holds_a_document() {
        let object = json!({"a": 1, "b": {"c": [1, {"d": 2, "e": 3}], "f": null}});
        for (wanted, expected) in [
            (json!({}), true),
            (json!({"b": {"c": [1, {"d": 2}]}}), true),
            (json!({"b": {"c": [1]}}), false),
            (json!({"b": {"c": [1, {"d": 3}]}}), false),
            (json!({"x": 1}), false),
            (json!({"a": "1"}), false),
        ] {
            assert_eq!(contains(&object, &wanted, None), expected, "{wanted}");
        }
    }

    #[test]
    fn values_that_the_type_treats_as_equal_are_equal() {
        let object = live::<Pod>(&pod(&json!({
            "name": "main", "image": "a", "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}},
            "env": [{"name": "A"}], "ports": [{"containerPort": 80, "protocol": "TCP"}],
        })));
        for (wanted, expected) in [
            (json!({"resources": {"requests": {"cpu": "0.5", "memory": "1024Mi"}}}), true),
            (json!({"resources": {"requests": {"cpu": "0.6"}}}), false),
            (json!({"args": [], "command": null, "env": [{"name": "A", "value": ""}]}), true),
            (json!({"args": ["x"]}), false),
            (json!({"stdin": false, "resources": {"limits": {}}}), true),
            (json!({"stdin": true}), false),
            (json!({"ports": [{"containerPort": 80}]}), true),
            (json!({"ports": [{"containerPort": 81}]}), false),
            (json!({"ports": []}), false),
            (json!({"image": "b"}), false),
        ] {
            assert_eq!(holds::<Pod>(&object, &pod(&wanted)), expected, "{wanted}");
        }
    }

    #[test]
    fn only_quantities_are_compared_by_value() {
        let object = live::<ConfigMap>(&json!({"metadata": {"name": "a"}, "data": {"cpu": "1"}}));
        assert!(holds::<ConfigMap>(&object, &json!({"data": {"cpu": "1"}})));
        assert!(!holds::<ConfigMap>(&object, &json!({"data": {"cpu": "1000m"}})));
    }

    #[test]
    fn string_data_of_a_secret_equals_its_data() {
        let object =
            live::<Secret>(&json!({"metadata": {"name": "a"}, "data": {"key": "dmFsdWU=", "other": "eA=="}}));
        let wanted = |text: &str| {
            comparable::<Secret>(&json!({"stringData": {"key": text}, "data": {"other": "eA=="}}))
        };
        assert!(holds::<Secret>(&object, &wanted("value")));
        assert!(!holds::<Secret>(&object, &wanted("another")));
    }

    #[test]
    fn fields_that_the_server_sets_are_ignored() {
        let wanted = comparable::<Pod>(&json!({
            "metadata": {"name": "a", "namespace": "", "creationTimestamp": null, "uid": "u"}, "status": {"phase": "x"},
        }));
        assert_eq!(wanted, json!({"metadata": {"name": "a"}}));
    }

    #[test]
    fn owners_and_finalizers_of_others_stay() {
        let object = live::<ConfigMap>(&json!({"metadata": {
            "name": "a", "finalizers": ["x", "y"],
            "ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "a", "uid": "1"}, {"apiVersion": "v1", "kind": "B", "name": "b", "uid": "2"}],
        }}));
        let wanted = |uid: &str, name: &str, finalizer: &str| {
            let document = json!({"metadata": {
                "ownerReferences": [{"apiVersion": "v1", "kind": "B", "name": name, "uid": uid}], "finalizers": [finalizer],
            }});
            holds::<ConfigMap>(&object, &aligned(&object, &document))
        };
        assert!(wanted("2", "b", "y"));
        assert!(!wanted("3", "b", "y") && !wanted("2", "c", "y") && !wanted("2", "b", "z"));
    }

    #[test]
    fn values_at_returns_the_servers_values_at_the_paths_of_a_document() {
        let object = json!({"a": "1", "b": {"c": [{"d": 1, "e": 2}], "f": {"g": 1}}, "h": [1, 2]});
        let wanted = json!({"a": "1.0", "b": {"c": [{"d": 5}], "f": {}}, "h": [1], "i": 1});
        let expected = json!({"a": "1", "b": {"c": [{"d": 1}], "f": {"g": 1}}, "h": [1, 2]});
        assert_eq!(values_at(&object, &wanted, None), expected);
    }
}
