//! Types of the `k8s-openapi` crate, and kinds as the crate kube derives them, through our traits.

use std::time::Duration;

use client_rs::custom::crds;
use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_apiserver::Server;
use client_rs_client::Api;
use client_rs_client::wait::conditions;
use client_rs_controller::{Action, Context, Controller, Manager};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{Object, ObjectKey, Resource, Scope, json, kube_kind};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Node, Pod, Secret};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};
use tokio_util::sync::CancellationToken;

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

/// A struct as `#[derive(kube::CustomResource)]` makes it. `cargo xtask strangers --only kube-rs` has the derive itself.
#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Parcel {
    metadata: ObjectMeta,
    spec: ParcelSpec,
    status: Option<ParcelStatus>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct ParcelSpec {
    to: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct ParcelStatus {
    delivered: bool,
}

impl Serialize for Parcel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Parcel", 5)?;
        object.serialize_field("apiVersion", "kube.example.com/v1")?;
        object.serialize_field("kind", "Parcel")?;
        object.serialize_field("metadata", &self.metadata)?;
        object.serialize_field("spec", &self.spec)?;
        object.serialize_field("status", &self.status)?;
        object.end()
    }
}

kube_kind!(
    Parcel,
    group = "kube.example.com",
    version = "v1",
    kind = "Parcel",
    plural = "parcels",
    namespaced,
    status
);

#[derive(Deserialize, Serialize)]
struct Depot {
    metadata: ObjectMeta,
}

kube_kind!(Depot, group = "kube.example.com", version = "v1", kind = "Depot", plural = "depots");

fn parcel(name: &str, to: &str) -> Parcel {
    let metadata = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    Parcel { metadata, spec: ParcelSpec { to: to.to_owned() }, status: None }
}

fn definition() -> CustomResourceDefinition {
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "parcels.kube.example.com"},
        "spec": {
            "group": "kube.example.com", "scope": "Namespaced",
            "names": {"kind": "Parcel", "plural": "parcels"},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "properties": {"to": {"type": "string", "minLength": 1}}},
                    "status": {"type": "object", "properties": {"delivered": {"type": "boolean"}}},
                }}},
            }],
        },
    });
    let text = definition.to_string();
    CustomResourceDefinition::decode(Format::Json, text.as_bytes(), &mut Decoding::new()).unwrap()
}

#[test]
fn the_macro_for_kinds_of_kube_has_names_scope_and_status() {
    assert_eq!(Parcel::gvk().to_string(), "kube.example.com/v1, Kind=Parcel");
    assert_eq!(Parcel::gvr().to_string(), "kube.example.com/v1, Resource=parcels");
    const { assert!(<Parcel as Resource>::Scope::NAMESPACED && Parcel::INFO.namespaced) };
    const { assert!(!<Depot as Resource>::Scope::NAMESPACED && !Depot::INFO.namespaced) };
    assert_eq!(Parcel::INFO.subresources.iter().map(|part| part.name).collect::<Vec<_>>(), ["status"]);
    assert!(Depot::INFO.subresources.is_empty());
    let error = Parcel::decode(Format::Json, br#"{"metadata":{},"spec":"hunter2"}"#, &mut Decoding::new());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("Parcel") && !error.contains("hunter2"), "{error}");
}

/// A client, an informer and a controller that writes the status.
#[tokio::test]
async fn a_kind_of_kube_has_a_typed_client_an_informer_and_a_controller() {
    let server = Server::start().await.unwrap();
    let rest = server.rest_client().unwrap();
    crds::apply(&rest, [definition()]).await.unwrap();
    let parcels = Api::<Parcel>::namespaced(&rest, "default");

    let factory = SharedInformerFactory::new(rest.clone());
    let informer = factory.of::<Parcel>();
    let (lister, writes) = (informer.lister(), parcels.clone());
    let controller =
        Controller::new("parcels", informer.informer()).reconcile(move |key: ObjectKey, _: Context| {
            let (lister, writes) = (lister.clone(), writes.clone());
            async move {
                let Ok(parcel) = lister.get(&key) else { return Ok(Action::done()) };
                if parcel.status.is_none() {
                    let mut changed = Parcel::clone(&parcel);
                    changed.status = Some(ParcelStatus { delivered: true });
                    writes.update_status(changed).await?;
                }
                Ok(Action::done())
            }
        });
    let stop = CancellationToken::new();
    let running = tokio::spawn(Manager::new(&factory).controller(controller).run(stop.clone()));

    let made = parcels.create(parcel("first", "Anna")).await.unwrap();
    assert_eq!((made.key().to_string().as_str(), made.spec.to.as_str()), ("default/first", "Anna"));
    let delivered = conditions::jsonpath("{.status.delivered}", Some("true")).unwrap();
    let done = parcels.wait_for("first", delivered, Duration::from_mins(1)).await.unwrap().unwrap();
    assert_eq!((done.uid(), done.meta().generation()), (made.uid(), 1));

    let patch = Patch::Merge(json!({"spec": {"to": "Boris"}}));
    let patched = parcels.patch("first", &patch).await.unwrap();
    assert_eq!((patched.spec.to.as_str(), patched.meta().generation()), ("Boris", 2));
    let refused = parcels.create(parcel("nobody", "")).await.unwrap_err();
    assert!(refused.to_string().contains("spec.to"), "{refused}");
    assert_eq!(parcels.list().await.unwrap().items.len(), 1);
    parcels.delete("first").await.unwrap();
    assert!(parcels.get("first").await.unwrap_err().is_not_found());
    stop.cancel();
    running.await.unwrap().unwrap();
    server.shutdown().await;
}
