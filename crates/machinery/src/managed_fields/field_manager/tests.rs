//! The bookkeeping on a small custom type; `apply_corpus` of the embedded API server holds it against the real one.

use proptest::prelude::*;

use super::*;
use crate::json;
use crate::managed_fields::MergeSchema;
use crate::managed_fields::schema::TypeId;
use crate::value::tests_support::any_json;

/// One kind in two versions: what is `size` in the one is `count` in the other.
struct Widgets {
    schemas: [(MergeSchema, TypeId); 2],
    status: FieldSet,
}

const V1: &str = "x.io/v1";
const V2: &str = "x.io/v2";

impl Widgets {
    fn new() -> Self {
        let of = |size: &str| {
            let parts = json!({
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                "items": {"type": "object", "properties": {
                    "name": {"type": "string"}, "a": {"type": "integer"}, "b": {"type": "integer"},
                }},
            });
            let spec = json!({size: {"type": "integer"}, "other": {"type": "integer"}, "parts": parts});
            let status = json!({"type": "object", "properties": {"ready": {"type": "boolean"}}});
            MergeSchema::from_structural(
                &json!({"type": "object", "properties": {
                    "spec": {"type": "object", "properties": spec}, "status": status,
                }}),
                false,
            )
        };
        let status = [&FieldPath::of_fields(&["status"])].into_iter().collect();
        Self { schemas: [of("size"), of("count")], status }
    }

    fn manager<'m>(&'m self, api_version: &'m str, second: i64) -> FieldManager<'m> {
        FieldManager {
            versions: self,
            api_version,
            kind: "Widget",
            subresource: "",
            now: Time::new(second, 0).unwrap(),
        }
    }
}

impl Versions for Widgets {
    fn empty(&self) -> Json {
        empty()
    }

    fn type_of(&self, api_version: &str) -> Option<TypeRef<'_>> {
        let at = [V1, V2].iter().position(|version| *version == api_version)?;
        let (schema, root) = &self.schemas[at];
        Some(schema.root(*root))
    }

    fn convert(&self, object: &Json, api_version: &str) -> Option<Json> {
        let mut object = object.clone();
        let (from, to) = if api_version == V1 { ("count", "size") } else { ("size", "count") };
        if let Some(value) = object.remove(&["spec", from]) {
            object.set(&["spec", to], value).ok()?;
        }
        object.set(&["apiVersion"], api_version).ok()?;
        Some(object)
    }

    fn written(&self, _: &str, fields: &FieldSet) -> FieldSet {
        fields.difference_with_below(&self.status)
    }
}

fn widget(api_version: &str, spec: Json) -> Json {
    json!({"apiVersion": api_version, "kind": "Widget", "metadata": {"name": "w", "uid": "1"}, "spec": spec})
}

fn empty() -> Json {
    json!({"apiVersion": V1, "kind": "Widget", "metadata": {}})
}

fn owners(object: &Json) -> Vec<String> {
    let managers = Managers::from_json(&object["metadata"]["managedFields"]).unwrap();
    let all = managers.0.iter().map(|(id, owned)| {
        let fields: Vec<String> = owned.fields.iter().map(|path| path.to_string()).collect();
        let time = owned.time.map(Time::seconds);
        format!("{} {:?} {} {time:?} {}", id.manager, id.operation, owned.api_version, fields.join(" "))
    });
    all.collect()
}

#[test]
fn a_manager_of_one_version_is_kept_in_another() {
    let widgets = Widgets::new();
    let first = widgets.manager(V1, 1).apply(&empty(), &widget(V1, json!({"size": 1})), "a", false).unwrap();
    assert_eq!(owners(&first), ["a Apply x.io/v1 Some(1) .spec.size"]);
    // The same field under its other name conflicts, and the conflict has the name that its owner used.
    let live = widgets.convert(&first, V2).unwrap();
    let manager = widgets.manager(V2, 2);
    let error = manager.apply(&live, &widget(V2, json!({"count": 2})), "b", false).unwrap_err();
    assert_eq!(error.to_string(), r#"Apply failed with 1 conflict: conflict with "a": .spec.size"#);
    let taken = manager.apply(&live, &widget(V2, json!({"count": 2})), "b", true).unwrap();
    assert_eq!(owners(&taken), ["b Apply x.io/v2 Some(2) .spec.count"]);
    // A manager that applies in another version than before is the same one, and drops what it no longer applies.
    let moved = manager.apply(&live, &widget(V2, json!({"other": 5})), "a", false).unwrap();
    assert_eq!(owners(&moved), ["a Apply x.io/v2 Some(2) .spec.other"]);
    assert_eq!(moved["spec"], json!({"other": 5}));
}

#[test]
fn managers_of_a_version_that_is_gone_are_forgotten() {
    let widgets = Widgets::new();
    let mut live = widget(V1, json!({"size": 1}));
    let entry = json!({
        "manager": "old", "operation": "Apply", "apiVersion": "x.io/v0", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:size": {}}},
    });
    live.set(&["metadata", "managedFields"], json!([entry])).unwrap();
    let new = widgets.manager(V1, 3).update(&live, &widget(V1, json!({"size": 2})), "m");
    assert_eq!(owners(&new), ["m Update x.io/v1 Some(3) .spec.size"]);
}

#[test]
fn an_apply_that_changes_nothing_keeps_its_time() {
    let widgets = Widgets::new();
    let applied = widget(V1, json!({"parts": [{"name": "p", "a": 1}]}));
    let first = widgets.manager(V1, 1).apply(&empty(), &applied, "a", false).unwrap();
    let second = widgets.manager(V1, 9).apply(&first, &applied, "a", false).unwrap();
    assert_eq!(first, second);
    // A manager that becomes an owner of an existing value changes nothing, so its entry has no new time.
    let shared = widgets.manager(V1, 9).apply(&first, &applied, "b", false).unwrap();
    assert_eq!(
        owners(&shared),
        [
            r#"a Apply x.io/v1 Some(1) .spec.parts[name="p"] .spec.parts[name="p"].a .spec.parts[name="p"].name"#,
            r#"b Apply x.io/v1 None .spec.parts[name="p"] .spec.parts[name="p"].a .spec.parts[name="p"].name"#,
        ]
    );
}

#[test]
fn status_is_not_the_objects_writers() {
    let widgets = Widgets::new();
    let mut object = widget(V1, json!({"size": 1}));
    object.set(&["status", "ready"], true).unwrap();
    object.remove(&["metadata", "uid"]);
    let created = widgets.manager(V1, 1).update(&empty(), &object, "maker");
    assert_eq!(owners(&created), ["maker Update x.io/v1 Some(1) .spec .spec.size"]);
}

#[test]
fn the_owner_of_a_part_owns_the_whole_after_its_type_became_atomic() {
    let atomic = json!({"type": "object", "properties": {
        "spec": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"size": {"type": "integer"}}},
    }});
    let (schema, root) = MergeSchema::from_structural(&atomic, false);
    let set = FieldSet::parse(br#"{"f:spec":{"f:size":{}},"f:metadata":{"f:labels":{"f:a":{}}}}"#).unwrap();
    let paths: Vec<String> = schema.root(root).reconciled(&set).iter().map(|path| path.to_string()).collect();
    assert_eq!(paths, [".spec", ".metadata.labels.a"]);
}

proptest! {
    #[test]
    fn no_input_panics(live in any_json(), applied in any_json(), entries in any_json()) {
        let widgets = Widgets::new();
        let mut live = widget(V1, live);
        let _ = live.set(&["metadata", "managedFields"], entries);
        let manager = widgets.manager(V1, 1);
        let _ = manager.apply(&live, &widget(V1, applied.clone()), "a", false);
        let _ = manager.apply(&live, &applied, "a", true);
        let _ = manager.update(&live, &widget(V1, applied), "m");
    }

    /// Applying what one owns changes nothing, and applying nothing takes all of it back.
    #[test]
    fn an_apply_can_be_repeated_and_taken_back(
        first in proptest::collection::btree_map("[pqr]", (0..3_i64, 0..3_i64), 0..3),
        second in proptest::collection::btree_map("[pqr]", (0..3_i64, 0..3_i64), 0..3),
    ) {
        let widgets = Widgets::new();
        let of = |parts: &std::collections::BTreeMap<String, (i64, i64)>, key: &str| {
            let parts: Vec<Json> =
                parts.iter().map(|(name, (a, _))| json!({"name": name.as_str(), key: *a})).collect();
            widget(V1, json!({"parts": parts}))
        };
        let manager = widgets.manager(V1, 1);
        // Two managers own different fields of the same items: never in conflict.
        let one = manager.apply(&empty(), &of(&first, "a"), "one", false).unwrap();
        let two = manager.apply(&one, &of(&second, "b"), "two", false).unwrap();
        prop_assert_eq!(&manager.apply(&two, &of(&second, "b"), "two", false).unwrap(), &two);
        let back = manager.apply(&two, &widget(V1, json!({})), "two", false).unwrap();
        let items = |object: &Json| {
            let mut items = object["spec"]["parts"].as_list().map(|list| list.to_vec()).unwrap_or_default();
            items.sort_by_key(|item| item["name"].to_string());
            items
        };
        prop_assert_eq!(items(&back), items(&one));
    }
}
