//! The output of the derive macros.
#![allow(clippy::unwrap_used, missing_docs, reason = "types and helpers of a test")]

use std::collections::{BTreeMap, BTreeSet};

use client_rs_custom::crds::{self, DataLoss, MergeError};
use client_rs_custom::machinery::meta::v1::{Condition, LabelSelector, OwnerReference};
use client_rs_custom::machinery::wire::{DecodeErrorKind, Decoding, Format, Message, Payload};
use client_rs_custom::machinery::{IntOrString, Json, Object, Quantity, Resource, Time, json};
use client_rs_custom::{Apply, CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// A widget
/// of some size.
///
/// Second paragraph.
#[derive(CustomResource, Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "Widget", namespaced, status = WidgetStatus)]
#[resource(description = "A widget, for tests.")]
#[resource(short_name = "wd", short_name = "wdg", category = "all", derive(PartialEq, Default))]
#[resource(
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    column(name = "Size", type = "integer", json_path = ".spec.size", priority = 1, description = "How large"),
    column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"),
    selectable = ".spec.color",
    rule(expression = "self.metadata.name.size() < 20", message = "a short name, please"),
    label("team" = "a"),
    annotation("docs" = "https://example.com"),
    crate = client_rs_custom
)]
#[schema(crate = client_rs_custom, rule = "self.size >= self.replicas")]
struct WidgetSpec {
    /// How large.
    #[schema(minimum = 1, maximum = 100)]
    size: i32,
    #[serde(default = "three")]
    replicas: i32,
    #[serde(default)]
    color: Color,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<Quantity>,
    port: Option<IntOrString>,
    #[serde(default)]
    #[schema(max_items = 5, items(max_length = 10, pattern = "^[a-z]+$"))]
    tags: BTreeSet<String>,
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["name"])]
    parts: Vec<Part>,
    #[serde(default)]
    #[schema(values(minimum = 0))]
    weights: BTreeMap<String, f64>,
    #[serde(default)]
    #[schema(preserve_unknown_fields, description = "Whatever.")]
    free: Json,
    #[serde(default)]
    selector: LabelSelector,
    #[serde(default)]
    since: Option<Time>,
    #[serde(default)]
    shape: Shape,
    #[serde(default)]
    action: Option<Action>,
    #[serde(default)]
    #[schema(exclusive_minimum = 0.5, default = 1.5)]
    factor: f64,
    #[serde(flatten)]
    more: More,
    #[serde(skip)]
    local: u8,
}

#[derive(Schema, Apply, Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[schema(crate = client_rs_custom)]
enum Color {
    /// As roses are.
    #[default]
    Red,
    Blue,
}

#[derive(Schema, Apply, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom)]
struct Part {
    name: String,
    #[serde(default)]
    #[schema(nullable)]
    weight: Grams,
}

#[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom, minimum = 0)]
struct Grams(u64);

/// Tagged by a field.
#[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[schema(crate = client_rs_custom)]
enum Shape {
    #[default]
    Dot,
    Line {
        line_length: u32,
    },
    Named(Part),
}

/// Tagged by the one key.
#[derive(Schema, Apply, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(crate = client_rs_custom)]
enum Action {
    /// Goes there.
    Go {
        to: String,
    },
    Wait(u32),
}

#[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom)]
struct More {
    #[serde(default)]
    extra: String,
}

#[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom)]
struct WidgetStatus {
    #[serde(default)]
    replicas: i32,
    #[serde(default)]
    selector: String,
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["type"])]
    conditions: Vec<Condition>,
}

fn three() -> i32 {
    3
}

fn schema_of_widget() -> Json {
    Json::parse(&Widget::crd().to_json()).unwrap()["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

#[test]
fn a_definition_has_everything_from_the_attributes() {
    let crd = Json::parse(&Widget::crd().to_json()).unwrap();
    assert_eq!(crd["metadata"]["name"], json!("widgets.example.com"));
    assert_eq!(crd["metadata"]["labels"], json!({"team": "a"}));
    assert_eq!(crd["metadata"]["annotations"], json!({"docs": "https://example.com"}));
    let names = json!({
        "plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList",
        "shortNames": ["wd", "wdg"], "categories": ["all"],
    });
    assert_eq!((&crd["spec"]["names"], &crd["spec"]["scope"]), (&names, &json!("Namespaced")));
    let version = &crd["spec"]["versions"][0];
    assert_eq!(
        (&version["name"], &version["served"], &version["storage"]),
        (&json!("v1"), &json!(true), &json!(true))
    );
    let subresources = json!({"status": {}, "scale": {
        "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
        "labelSelectorPath": ".status.selector",
    }});
    assert_eq!(version["subresources"], subresources);
    let columns = json!([
        {"name": "Size", "type": "integer", "jsonPath": ".spec.size", "priority": 1, "description": "How large"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]);
    assert_eq!(version["additionalPrinterColumns"], columns);
    assert_eq!(version["selectableFields"], json!([{"jsonPath": ".spec.color"}]));
    let schema = schema_of_widget();
    // The attribute describes the kind, the doc comment of the spec describes the spec.
    assert_eq!(schema["description"], json!("A widget, for tests."));
    let spec = &schema["properties"]["spec"];
    assert_eq!(spec["description"], json!("A widget of some size.\n\nSecond paragraph."));
    assert_eq!(schema["required"], json!(["spec"]));
    let rule = json!([{"rule": "self.metadata.name.size() < 20", "message": "a short name, please"}]);
    assert_eq!(schema["x-kubernetes-validations"], rule);
    assert_eq!(Widget::INFO.subresources.len(), 2);
    // Without the attribute.
    let report = crds::document(&Report::crd());
    let schema = &report["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["description"], json!("The kind Report of example.com/v1."));
}

#[test]
fn the_schema_describes_the_json_that_serde_writes() {
    let schema = schema_of_widget();
    let spec = &schema["properties"]["spec"];
    assert_eq!(spec["required"], json!(["size"]));
    assert_eq!(spec["x-kubernetes-validations"], json!([{"rule": "self.size >= self.replicas"}]));
    let expected = json!({
        "size": {"type": "integer", "format": "int32", "description": "How large.", "minimum": 1, "maximum": 100},
        "replicas": {"type": "integer", "format": "int32", "default": 3},
        "color": {"type": "string", "enum": ["red", "blue"], "description": "- red: As roses are."},
        "port": {
            "x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "nullable": true,
        },
        "tags": {
            "type": "array", "items": {"type": "string", "maxLength": 10, "pattern": "^[a-z]+$"}, "maxItems": 5,
            "x-kubernetes-list-type": "set",
        },
        "parts": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object", "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "weight": {"type": "integer", "format": "int64", "minimum": 0, "nullable": true},
                },
            },
        },
        "weights": {"type": "object", "additionalProperties": {"type": "number", "format": "double", "minimum": 0}},
        "free": {"description": "Whatever.", "x-kubernetes-preserve-unknown-fields": true},
        "since": {"type": "string", "format": "date-time", "nullable": true},
        "factor": {"type": "number", "format": "double", "minimum": 0.5, "exclusiveMinimum": true, "default": 1.5},
        "extra": {"type": "string"},
    });
    let properties = &spec["properties"];
    for (name, property) in expected.as_map().unwrap() {
        assert_eq!(properties[name.as_str()], *property, "{name}");
    }
    assert!(properties["limit"].get("nullable").is_none() && properties["limit"].get("pattern").is_some());
    assert!(properties.get("local").is_none());
    let labels = &properties["selector"]["properties"]["matchLabels"];
    assert_eq!(*labels, json!({"type": "object", "additionalProperties": {"type": "string"}}));
    let conditions = &schema["properties"]["status"]["properties"]["conditions"];
    assert_eq!(conditions["x-kubernetes-list-map-keys"], json!(["type"]));
    assert_eq!(conditions["items"]["properties"]["status"]["enum"], json!(["True", "False", "Unknown"]));
}

#[test]
fn enums_are_unions_that_are_structural() {
    let schema = schema_of_widget();
    let properties = &schema["properties"]["spec"]["properties"];
    let shape = json!({
        "type": "object", "description": "Tagged by a field.", "required": ["type"],
        "properties": {
            "type": {"type": "string", "enum": ["dot", "line", "named"]},
            "lineLength": {"type": "integer", "format": "int64", "minimum": 0},
            "name": {"type": "string"},
            "weight": {"type": "integer", "format": "int64", "minimum": 0, "nullable": true},
        },
        "oneOf": [
            {"properties": {"type": {"enum": ["dot"]}}, "required": ["type"]},
            {"properties": {"type": {"enum": ["line"]}}, "required": ["type", "lineLength"]},
            {"properties": {"type": {"enum": ["named"]}}, "required": ["type", "name"]},
        ],
    });
    assert_eq!(properties["shape"], shape);
    let action = json!({
        "type": "object", "description": "Tagged by the one key.", "nullable": true,
        "properties": {
            "go": {
                "type": "object", "description": "Goes there.", "required": ["to"],
                "properties": {"to": {"type": "string"}},
            },
            "wait": {"type": "integer", "format": "int64", "minimum": 0},
        },
        "oneOf": [{"required": ["go"]}, {"required": ["wait"]}],
    });
    assert_eq!(properties["action"], action);
}

#[test]
fn an_object_survives_an_encode_and_a_decode() {
    let mut widget = Widget::new(
        "a",
        WidgetSpec { size: 5, factor: 0.5, shape: Shape::Line { line_length: 2 }, ..WidgetSpec::default() },
    );
    widget.metadata.namespace = "ns".into();
    widget.status = Some(WidgetStatus { replicas: 2, ..WidgetStatus::default() });
    let bytes = widget.encode(Format::Json);
    let json = Json::parse(&bytes).unwrap();
    assert_eq!((&json["apiVersion"], &json["kind"]), (&json!("example.com/v1"), &json!("Widget")));
    assert_eq!(json["spec"]["shape"], json!({"type": "line", "lineLength": 2}));
    assert_eq!(Widget::decode(Format::Json, &bytes, &mut Decoding::new()).unwrap(), widget);
    // The same through serde.
    let text = serde_json::to_vec(&widget).unwrap();
    assert_eq!(Json::parse(&text).unwrap(), json);
    assert_eq!(serde_json::from_slice::<Widget>(&text).unwrap(), widget);
    assert_eq!((widget.key().to_string().as_str(), widget.kind()), ("ns/a", "Widget"));
}

#[test]
fn an_object_differs_by_its_spec_and_its_status() {
    let widget = Widget::new("a", WidgetSpec { size: 5, ..WidgetSpec::default() });
    let changed = |change: &dyn Fn(&mut Widget)| {
        let mut other = widget.clone();
        change(&mut other);
        assert_eq!(widget.differs(&other), other.differs(&widget));
        widget.differs(&other)
    };
    assert!(
        !changed(&|_| {}) && !changed(&|other| other.metadata.generation = 7),
        "the metadata is not looked at"
    );
    assert!(changed(&|other| other.spec.size = 6));
    assert!(changed(&|other| other.status = Some(WidgetStatus::default())));
    let with = |replicas| Widget {
        status: Some(WidgetStatus { replicas, ..WidgetStatus::default() }),
        ..widget.clone()
    };
    assert!(with(1).differs(&with(2)) && !with(1).differs(&with(1)));
}

#[test]
fn a_configuration_has_only_the_fields_that_were_set() {
    let spec = WidgetSpecApply::new()
        .size(3)
        .color(Color::Blue)
        .limit("1500m".parse::<Quantity>().unwrap())
        .port(80)
        .tags(["a"])
        .tags(["b"])
        .parts([PartApply::new().name("p").weight(Grams(7))])
        .weights([("x", 0.5)])
        .weights([("y", 1.0)])
        .free(json!([1]))
        .selector(json!({"matchLabels": {"a": "b"}}))
        .shape(Shape::Line { line_length: 2 })
        .more(MoreApply::new().extra("flat"));
    let widget = WidgetApply::new("a", "ns").labels([("l", "v")]).finalizers(["example.com/f"]).spec(spec);
    let spec = json!({
        "size": 3, "color": "blue", "limit": "1500m", "port": 80, "tags": ["a", "b"],
        "parts": [{"name": "p", "weight": 7}], "weights": {"x": 0.5, "y": 1.0}, "free": [1],
        "selector": {"matchLabels": {"a": "b"}}, "shape": {"type": "line", "lineLength": 2}, "extra": "flat",
    });
    let metadata =
        json!({"name": "a", "namespace": "ns", "labels": {"l": "v"}, "finalizers": ["example.com/f"]});
    assert_eq!(
        Json::from(widget.clone()),
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec})
    );
    assert!(!format!("{widget:?}").contains("flat"), "{widget:?}");
    // Built-in objects can own it too.
    let parent = OwnerReference { name: "o".into(), uid: "u".into(), ..OwnerReference::EMPTY };
    let owned = Json::from(WidgetApply::new("a", "ns").owner_references([parent]));
    assert_eq!(owned["metadata"]["ownerReferences"][0]["uid"], json!("u"));
}

#[test]
fn extract_returns_the_fields_that_a_manager_owns() {
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": {"name": "a", "namespace": "ns", "managedFields": [
            {"manager": "me", "operation": "Apply", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1",
             "fieldsV1": {"f:spec": {"f:size": {}}}},
            {"manager": "me", "operation": "Apply", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1",
             "subresource": "status", "fieldsV1": {"f:status": {"f:replicas": {}}}},
        ]},
        "spec": {"size": 5, "replicas": 4}, "status": {"replicas": 1, "selector": "x"},
    });
    let widget = Widget::decode(Format::Json, &object.to_vec(), &mut Decoding::new()).unwrap();
    let own = Json::from(WidgetApply::extract(&widget, "me").unwrap());
    assert_eq!((&own["spec"], own.get("status")), (&json!({"size": 5}), None));
    let own = Json::from(WidgetApply::extract_status(&widget, "me").unwrap());
    assert_eq!((own.get("spec"), &own["status"]), (None, &json!({"replicas": 1})));
}

#[test]
fn metadata_is_decoded_as_for_built_in_kinds() {
    let text =
        br#"{"kind":"Widget","metadata":{"name":"a","managedFields":[{"manager":"x"}],"labels":{"a":"b"}},
        "spec":{"size":1,"unknown":[1]},"extra":{"x":1}}"#;
    let kept = Widget::decode(Format::Json, text, &mut Decoding::new()).unwrap();
    assert_eq!((kept.metadata.managed_fields.len(), kept.label("a")), (1, Some("b")));
    let stripped = Widget::decode(Format::Json, text, &mut Decoding::new().stripped()).unwrap();
    assert!(stripped.metadata.managed_fields.is_empty());
    assert_eq!((stripped.spec.size, stripped.spec.replicas, stripped.status), (1, 3, None));
}

#[test]
fn an_object_of_another_type_fails_with_path_and_reason() {
    for (text, expected) in [
        (r#"{"spec":{"size":"hunter2"}}"#, r#"spec["size"]"#),
        (r#"{"spec":{"size":1,"parts":[{"name":"x"},{"name":1}]}}"#, r#"spec["parts"][1]["name"]"#),
        (r#"{"metadata":{"labels":[]},"spec":{"size":1}}"#, "metadata.labels"),
        (r#"{"metadata":{}}"#, "spec"),
        (r#"{"spec":{"size":1},"status":{"replicas":"x"}}"#, r#"status["replicas"]"#),
    ] {
        let error = Widget::decode(Format::Json, text.as_bytes(), &mut Decoding::new()).unwrap_err();
        assert_eq!((error.path().as_str(), error.type_name()), (expected, "Widget"), "{error}");
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
    let other = Widget::decode(Format::Json, br#"{"kind":"Gadget","spec":{"size":1}}"#, &mut Decoding::new());
    assert!(matches!(other.unwrap_err().kind(), DecodeErrorKind::WrongKind { .. }));
    let packed = Widget::decode(Format::Protobuf, b"", &mut Decoding::new());
    assert!(matches!(packed.unwrap_err().kind(), DecodeErrorKind::UnsupportedEncoding(_)));
    for garbage in ["", "{", "[]", "null", r#"{"metadata":1}"#, r#"{"spec":}"#, "{}x"] {
        assert!(Widget::decode(Format::Json, garbage.as_bytes(), &mut Decoding::new()).is_err(), "{garbage}");
    }
}

mod plain {
    use super::{CustomResource, Deserialize, Schema, Serialize, WidgetStatus};

    #[derive(CustomResource, Schema, Clone, Debug, Deserialize, PartialEq, Serialize)]
    #[resource(group = "example.com", version = "v1", kind = "Plain", status = WidgetStatus)]
    #[resource(status_subresource = false, derive(PartialEq), crate = client_rs_custom)]
    #[schema(crate = client_rs_custom)]
    pub(super) struct PlainSpec {}
}

#[test]
fn a_status_may_be_a_field_like_the_spec() {
    let crd = Json::parse(&plain::Plain::crd().to_json()).unwrap();
    let version = &crd["spec"]["versions"][0];
    assert!(version.get("subresources").is_none(), "{version}");
    let status = &version["schema"]["openAPIV3Schema"]["properties"]["status"];
    assert_eq!(status["properties"]["replicas"]["type"], json!("integer"));
    assert!(plain::Plain::INFO.subresources.is_empty());
    let mut object = plain::Plain::new("a", plain::PlainSpec {});
    object.status = Some(WidgetStatus { replicas: 2, ..WidgetStatus::default() });
    let bytes = object.encode(Format::Json);
    assert_eq!(plain::Plain::decode(Format::Json, &bytes, &mut Decoding::new()).unwrap(), object);
}

mod older {
    use super::{CustomResource, Deserialize, Schema, Serialize};

    #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
    #[resource(group = "example.com", version = "v1beta1", kind = "Widget", namespaced)]
    #[resource(deprecated = "use v1", storage = false, crate = client_rs_custom)]
    #[schema(crate = client_rs_custom)]
    pub(super) struct WidgetSpec {
        pub(super) size: String,
    }
}

#[derive(CustomResource, Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "Report", namespaced, crate = client_rs_custom)]
#[resource(extra = Findings, optional_spec, column(name = "Found", type = "integer", json_path = ".summary.found"))]
#[resource(derive(PartialEq))]
#[schema(crate = client_rs_custom)]
struct ReportSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
}

#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom)]
struct Findings {
    summary: Summary,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    results: Vec<String>,
}

#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom)]
struct Summary {
    found: i32,
}

#[test]
fn fields_next_to_the_spec_are_typed_too() {
    let crd = Json::parse(&Report::crd().to_json()).unwrap();
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["required"], json!(["summary"]));
    assert_eq!(schema["properties"]["summary"]["properties"]["found"]["type"].as_str(), Some("integer"));
    assert_eq!(schema["properties"]["spec"]["properties"]["owner"]["type"].as_str(), Some("string"));
    let text = json!({
        "apiVersion": "example.com/v1", "kind": "Report", "metadata": {"name": "a"},
        "summary": {"found": 1}, "results": ["x"],
    });
    let report = Report::decode(Format::Json, &text.to_vec(), &mut Decoding::new()).unwrap();
    assert_eq!((report.extra.summary.found, &report.spec), (1, &None));
    assert_eq!(Json::parse(&report.encode(Format::Json)).unwrap(), text);
    assert_eq!(serde_json::to_value(&report).unwrap()["summary"]["found"], 1);
    let mut owned = Report::new("b", ReportSpec { owner: Some("me".to_owned()) });
    owned.extra.summary.found = 2;
    let back = Json::parse(&owned.encode(Format::Json)).unwrap();
    // An empty spec differs from a missing one.
    let empty = Json::parse(&Report::new("c", ReportSpec::default()).encode(Format::Json)).unwrap();
    let absent = Json::parse(&Report::new("c", None).encode(Format::Json)).unwrap();
    assert_eq!((empty.get("spec"), absent.get("spec")), (Some(&json!({})), None));
    assert_eq!((&back["spec"], &back["summary"]), (&json!({"owner": "me"}), &json!({"found": 2})));
    // A missing required field is an error, as in the spec.
    let bare = json!({"metadata": {"name": "a"}});
    let error = Report::decode(Format::Json, &bare.to_vec(), &mut Decoding::new()).unwrap_err();
    assert!(error.to_string().contains("the field \"summary\" is missing"), "{error}");
}

#[derive(Schema, Clone, Debug, Deserialize, Serialize)]
#[schema(crate = client_rs_custom)]
struct Node {
    children: Vec<Branch>,
}

#[derive(Schema, Clone, Debug, Deserialize, Serialize)]
#[schema(crate = client_rs_custom)]
struct Branch {
    #[schema(preserve_unknown_fields)]
    node: Option<Box<Node>>,
}

#[test]
fn the_schema_of_a_recursive_type_has_one_field_that_keeps_unknown_fields() {
    let branch = &Node::schema()["properties"]["children"]["items"];
    assert_eq!(branch["properties"]["node"]["x-kubernetes-preserve-unknown-fields"], json!(true));
    assert_eq!(branch["properties"]["node"].get("properties"), None);
}

#[test]
fn versions_become_one_definition() {
    let merged = crds::merge([Widget::crd(), older::Widget::crd()], "v1").unwrap();
    let versions: Vec<_> =
        merged.spec.versions.iter().map(|v| (v.name.as_str(), v.storage, v.deprecated)).collect();
    assert_eq!(versions, [("v1", true, false), ("v1beta1", false, true)]);
    assert_eq!(merged.spec.versions[1].deprecation_warning.as_deref(), Some("use v1"));
    assert_eq!(crds::merge([], "v1"), Err(MergeError::Nothing));
    assert_eq!(crds::merge([Widget::crd()], "v2"), Err(MergeError::NoStorage("v2".into())));
    assert_eq!(crds::merge([Widget::crd(), Widget::crd()], "v1"), Err(MergeError::Twice("v1".into())));
}

#[test]
fn losses_of_a_change_are_found() {
    let old = Widget::crd();
    assert_eq!(crds::losses(&old, &old), []);
    let edit = |path: &[&str], value: Option<Json>| {
        let mut text = Json::parse(&old.to_json()).unwrap();
        let schema = text.path_mut(&["spec"]).unwrap().path_mut(&["versions"]).unwrap();
        let schema = &mut schema.as_list_mut().unwrap().make_mut()[0];
        let mut whole = vec!["schema", "openAPIV3Schema", "properties"];
        whole.extend_from_slice(path);
        match value {
            Some(value) => drop(schema.set(&whole, value)),
            None => drop(schema.remove(&whole)),
        }
        Message::from_json(&text.to_vec()).unwrap()
    };
    let version = || "v1".to_owned();
    let without = edit(&["spec", "properties", "parts", "items", "properties", "weight"], None);
    let path = "spec.parts[].weight".to_owned();
    assert_eq!(crds::losses(&old, &without), [DataLoss::Field { version: version(), path }]);
    let closed = edit(&["spec", "properties", "free"], Some(json!({"type": "object"})));
    let path = "spec.free".to_owned();
    assert_eq!(crds::losses(&old, &closed), [DataLoss::UnknownFields { version: version(), path }]);
    let retyped = edit(&["spec", "properties", "size", "type"], Some(json!("string")));
    let lost = crds::losses(&old, &retyped);
    assert_eq!(lost[0].to_string(), "v1: the type of spec.size would change from integer to string");
    let wider = edit(&["spec", "properties", "size", "type"], Some(json!("number")));
    assert_eq!(crds::losses(&old, &wider), []);
    let mut stored = old.clone();
    stored.status.stored_versions.push("v1alpha1".into());
    assert_eq!(crds::losses(&stored, &old), [DataLoss::StoredVersion("v1alpha1".into())]);
    // Objects move to a version that does not have their fields.
    let moved = crds::merge([Widget::crd(), older::Widget::crd()], "v1beta1").unwrap();
    assert!(
        crds::losses(&old, &moved).iter().any(|loss| loss.to_string().starts_with("v1beta1: spec.replicas"))
    );
}
