//! The generator's output equals the committed code, which compiles and preserves unknown fields.
//!
//! `cargo run -p client-rs-custom --features generate --example generate -- crates/custom/tests/it/ferry/{definition,odd}.json` prints it.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test")]

use client_rs::client::AllNamespaces;
use client_rs::machinery::wire::{Decoding, Format, Payload};
use client_rs::machinery::{IntOrString, Json, Quantity, Resource, json};
use client_rs_custom::generate::{GenerateError, GenerateOptions, generate};
use client_rs_test_inputs::ferry;
use client_rs_test_inputs::ferry::conditions_v1alpha1::{
    ConditionObject, ConditionObjectApply, ConditionObjectExtraApply,
};
use client_rs_test_inputs::ferry::ferries_v1::{
    Ferry, FerryApply, FerrySpecApply, FerrySpecRouteApply, FerrySpecRouteStopsApply, FerryStatusApply,
};

fn definition() -> Json {
    Json::parse(include_bytes!("definition.json")).unwrap()
}

/// A kind without a spec. Its name is also that of another type, and its description has characters that no comment may have.
fn odd() -> Json {
    Json::parse(include_bytes!("odd.json")).unwrap()
}

#[test]
fn the_output_equals_the_committed_code() {
    let options = GenerateOptions::default().with_accessors(true).with_apply(true);
    let code = generate(&[definition(), odd()], &options).unwrap();
    assert_eq!(code, include_str!("../../../../../tests/inputs/src/ferry.rs"));
}

#[test]
fn an_object_without_a_spec_survives_a_round_trip() {
    let object = json!({
        "apiVersion": "harbour.example.com/v1alpha1", "kind": "Condition", "metadata": {"name": "a"},
        "self": "x", "security-labels": {"a": "b"}, "results": [{"crate": "c", "2nd": 2, "more": null}], "newer": [1],
    });
    let decode =
        |object: &Json| ConditionObject::decode(Format::Json, &object.to_vec(), &mut Decoding::new());
    let condition = decode(&object).unwrap();
    let results = condition.extra.results.as_deref().unwrap();
    assert_eq!((results[0].crate_.as_deref(), results[0]._2nd), (Some("c"), Some(2)));
    assert_eq!(condition.extra.security_labels.as_ref().unwrap()["a"], "b");
    let back = Json::parse(&condition.encode(Format::Json)).unwrap();
    assert_eq!(back, object);
    let by_serde: ConditionObject =
        serde_json::from_str(&serde_json::to_string(&condition).unwrap()).unwrap();
    assert_eq!(by_serde, condition);
    let wrong = json!({"metadata": {"name": "a"}, "self": "x", "results": 1});
    assert_eq!(decode(&wrong).unwrap_err().path(), "[\"results\"]");
    let applied = ConditionObjectApply::new("a").extra(ConditionObjectExtraApply::new().self_("x"));
    let expected = json!({
        "apiVersion": "harbour.example.com/v1alpha1", "kind": "Condition", "metadata": {"name": "a"}, "self": "x",
    });
    assert_eq!(Json::from(applied), expected);
}

#[test]
fn an_object_survives_a_round_trip() {
    let object = json!({
        "apiVersion": "harbour.example.com/v1", "kind": "Ferry", "metadata": {"name": "a", "namespace": "b"},
        "spec": {
            "type": "Car", "boats": 2, "clusterIPs": [], "load": "1Ki", "port": "http", "fares": {"car": 12.5},
            "free": {"x": [1]}, "until": "2030-01-01T00:00:00Z", "newer": {"field": true},
            "route": {"stops": [{"name": "north", "minutes": 5, "quay": 2}, {"name": "south"}]},
        },
        "status": {"boats": 1, "captain": "x"},
    });
    let ferry = Ferry::decode(Format::Json, &object.to_vec(), &mut Decoding::new()).unwrap();
    assert_eq!((ferry.spec.r#type.as_str(), ferry.spec.boats), ("Car", Some(2)));
    assert_eq!(ferry.spec.cluster_ips, Some(vec![]));
    assert_eq!(ferry.spec.port, Some(IntOrString::String("http".into())));
    assert_eq!(ferry.spec.route.stops[0].minutes, Some(5));
    assert_eq!(ferry.spec.other_["newer"], json!({"field": true}));
    let back = Json::parse(&ferry.encode(Format::Json)).unwrap();
    assert_eq!(back["spec"], object["spec"]);
    assert_eq!(back["status"], object["status"]);
    assert_eq!((Ferry::INFO.short_names, Ferry::INFO.categories), (["fy"].as_slice(), ["ships"].as_slice()));
}

#[test]
fn a_clientset_has_every_kind_and_configurations_have_only_set_fields() {
    let _: fn(&ferry::Clientset) -> [String; 2] = |clientset| {
        let ferries = clientset.harbour_v1();
        [format!("{:?}", ferries.ferries(AllNamespaces)), format!("{:?}", ferries.ferries("north"))]
    };
    let stops = [FerrySpecRouteStopsApply::new().name("north").minutes(5)];
    let spec = FerrySpecApply::new()
        .r#type("Car")
        .boats(2)
        .cluster_ips(["10.0.0.1"])
        .load("1Ki".parse::<Quantity>().unwrap())
        .port(80)
        .fares([("car", 12.5)])
        .free(json!({"x": [1]}))
        .route(FerrySpecRouteApply::new().stops(stops))
        .other_([("newer", json!(true))]);
    let status = FerryStatusApply::new().boats(1).conditions([json!({"type": "Ready", "status": "True"})]);
    let ferry = FerryApply::new("a", "north").labels([("line", "1")]).spec(spec).status(status);
    assert_eq!(
        Json::from(ferry),
        json!({
            "apiVersion": "harbour.example.com/v1", "kind": "Ferry",
            "metadata": {"name": "a", "namespace": "north", "labels": {"line": "1"}},
            "spec": {
                "type": "Car", "boats": 2, "clusterIPs": ["10.0.0.1"], "load": "1Ki", "port": 80, "fares": {"car": 12.5},
                "free": {"x": [1]}, "route": {"stops": [{"name": "north", "minutes": 5}]}, "newer": true,
            },
            "status": {"boats": 1, "conditions": [{"type": "Ready", "status": "True"}]},
        })
    );
}

#[test]
fn a_status_without_a_subresource_is_a_field_and_fields_next_to_it_are_extra() {
    let mut plain = definition();
    plain.remove(&["spec", "versions"]);
    let properties = json!({
        "spec": {"type": "object"}, "status": {"type": "object", "properties": {"on": {"type": "boolean"}}},
        "operation": {"type": "object"},
    });
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": properties}});
    let version = json!({"name": "v1", "served": true, "storage": true, "schema": schema});
    plain.set(&["spec", "versions"], json!([version])).unwrap();
    let code = generate(&[plain], &GenerateOptions::default()).unwrap();
    for text in [
        "#[resource(status = FerryStatus)]\n    #[resource(status_subresource = false)]",
        "pub on: Option<bool>,",
        "#[resource(extra = FerryExtra)]",
        "pub operation: Option<Json>,",
    ] {
        assert!(code.contains(text), "{text} is not in\n{code}");
    }
}

#[test]
fn names_that_two_groups_share_are_made_unique() {
    let mut other = definition();
    other.set(&["spec", "group"], "harbour.example.org").unwrap();
    let options = GenerateOptions::default().with_accessors(true);
    let code = generate(&[definition(), other], &options).unwrap();
    for text in [
        "pub mod ferries_harbour_example_com_v1 {",
        "pub mod ferries_harbour_example_org_v1 {",
        "pub fn harbour_example_com_v1(&self) -> HarbourExampleComV1 {",
        "pub fn harbour_example_org_v1(&self) -> HarbourExampleOrgV1 {",
    ] {
        assert!(code.contains(text), "{text} is not in\n{code}");
    }
}

#[test]
fn malformed_definitions_are_refused() {
    let options = GenerateOptions::default();
    let other = generate(&[json!({"apiVersion": "v1", "kind": "Pod"})], &options);
    assert_eq!(other, Err(GenerateError::NotADefinition("v1 Pod".to_owned())));
    let all = options.with_unserved(true);
    let mut broken = definition();
    broken.remove(&["spec", "versions"]);
    assert!(matches!(generate(&[broken], &all), Err(GenerateError::Missing { .. })));
}
