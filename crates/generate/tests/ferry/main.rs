//! What is generated is the committed code, which compiles, reads and writes back what it does not know.
//!
//! `cargo run -p client-rs-generate --example generate -- crates/generate/tests/ferry/definition.json` prints it.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test")]

// It is compared with what is generated now, to the byte.
#[allow(dead_code, unreachable_pub, reason = "it is code for other programs")]
#[rustfmt::skip]
mod generated;

use client_rs::client::AllNamespaces;
use client_rs::machinery::wire::{Decoding, Format, Payload};
use client_rs::machinery::{IntOrString, Json, Quantity, Resource, json};
use client_rs_generate::{GenerateError, GenerateOptions, generate};
use generated::ferries_v1::{
    Ferry, FerryApply, FerrySpecApply, FerrySpecRouteApply, FerrySpecRouteStopsApply, FerryStatusApply,
};

fn definition() -> Json {
    Json::parse(include_bytes!("definition.json")).unwrap()
}

#[test]
fn the_code_is_what_is_committed() {
    let options = GenerateOptions { accessors: true, apply: true, ..GenerateOptions::default() };
    let code = generate(&[definition()], &options).unwrap();
    assert_eq!(code, include_str!("generated.rs"));
}

#[test]
fn an_object_comes_back_as_it_was() {
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
fn a_clientset_reaches_every_kind_and_configurations_own_what_is_set() {
    let _: fn(&generated::Clientset) -> [String; 2] = |clientset| {
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
fn a_status_without_a_subresource_is_a_field_and_what_has_no_place_is_told() {
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
        "/// `operation` stands beside the spec and is not kept",
    ] {
        assert!(code.contains(text), "{text} is not in\n{code}");
    }
}

#[test]
fn what_two_groups_share_is_told_apart() {
    let mut other = definition();
    other.set(&["spec", "group"], "harbour.example.org").unwrap();
    let options = GenerateOptions { accessors: true, ..GenerateOptions::default() };
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
fn what_is_no_definition_is_told() {
    let options = GenerateOptions::default();
    let other = generate(&[json!({"apiVersion": "v1", "kind": "Pod"})], &options);
    assert_eq!(other, Err(GenerateError::NotADefinition("v1 Pod".to_owned())));
    let all = GenerateOptions { unserved: true, ..options };
    assert!(matches!(generate(&[definition()], &all), Err(GenerateError::NoSpec { .. })));
    let mut broken = definition();
    broken.remove(&["spec", "versions"]);
    assert!(matches!(generate(&[broken], &all), Err(GenerateError::Missing { .. })));
}
