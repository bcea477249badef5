//! Types of the `k8s-openapi` crate through our traits.

use client_rs_machinery::labels::Selector;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{Object, Resource, Scope};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Node, Pod, Secret};

const POD: &[u8] = br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","uid":"u",
    "resourceVersion":"7","labels":{"app":"web"},"creationTimestamp":"2026-01-02T03:04:05Z","finalizers":["f"],
    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"o","controller":true}]},
    "spec":{"containers":[{"name":"app"}]}}"#;

fn pod() -> Pod {
    Pod::decode(Format::Json, POD, &mut Decoding::new()).expect("the pod decodes")
}

#[test]
fn is_an_object() {
    let pod = pod();
    assert_eq!(pod.key().to_string(), "shop/web-1");
    assert_eq!((pod.api_version(), pod.kind()), ("v1", "Pod"));
    assert_eq!((pod.uid(), pod.resource_version()), ("u", "7"));
    assert_eq!(pod.meta().creation_timestamp().unwrap().to_string(), "2026-01-02T03:04:05Z");
    assert_eq!(pod.meta().finalizers().collect::<Vec<_>>(), ["f"]);
    assert_eq!(pod.controller().unwrap().name, "web");
    assert!(!pod.is_being_deleted());
    assert!("app in (web,api)".parse::<Selector>().unwrap().matches(pod.meta()));
}

#[test]
fn is_a_resource_with_its_scope() {
    assert_eq!(Deployment::gvr().to_string(), client_rs_api::apps::v1::Deployment::gvr().to_string());
    assert_eq!(Deployment::gvk(), client_rs_api::apps::v1::Deployment::gvk());
    const { assert!(<Pod as Resource>::Scope::NAMESPACED) };
    const { assert!(!<Node as Resource>::Scope::NAMESPACED) };
}

#[test]
fn round_trips_and_our_type_reads_it_too() {
    let json = pod().encode(Format::Json);
    assert_eq!(Pod::decode(Format::Json, &json, &mut Decoding::new()).unwrap(), pod());
    let ours = client_rs_api::core::v1::Pod::decode(Format::Json, &json, &mut Decoding::new()).unwrap();
    assert_eq!(ours.key(), pod().key());
}

#[test]
fn an_error_does_not_quote_the_content() {
    let json = br#"{"apiVersion":"v1","kind":"Secret","metadata":{},"data":"hunter2"}"#;
    let error = Secret::decode(Format::Json, json, &mut Decoding::new()).unwrap_err().to_string();
    assert!(error.contains("Secret") && !error.contains("hunter2"), "{error}");
    assert!(Pod::decode(Format::Protobuf, b"k8s\0", &mut Decoding::new()).is_err());
}
