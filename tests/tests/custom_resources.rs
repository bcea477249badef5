//! A derived kind on fakes: unit tests of what uses it need no server.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test")]

use client_rs::custom::crds;
use client_rs::{CustomResource, Schema};
use client_rs_apiserver::fake::{FakeClient, Faked};
use client_rs_client::Api;
use client_rs_kubernetes::Clientset;
use client_rs_machinery::{Object, json};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[resource(group = "fakes.example.com", version = "v1", kind = "Lamp", namespaced, status = LampStatus)]
#[schema(rule(expression = "self.watts <= 100", message = "too bright"))]
struct LampSpec {
    watts: i32,
}

#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct LampStatus {
    #[serde(default)]
    on: bool,
}

#[tokio::test]
async fn a_derived_kind_lives_on_a_fake() {
    let Faked { client, fake } = Clientset::fake(&[]).unwrap();
    let rest = client.rest().clone();
    crds::apply(&rest, [Lamp::crd()]).await.unwrap();
    let lamps = Api::<Lamp>::namespaced(&rest, "home");
    let made = lamps.create(Lamp::new("desk", LampSpec { watts: 40 })).await.unwrap();
    assert_eq!((made.namespace(), made.spec.watts, made.metadata.generation), ("home", 40, 1));
    let refused = lamps.create(Lamp::new("sun", LampSpec { watts: 1000 })).await.unwrap_err();
    assert!(refused.to_string().contains("spec: Invalid value: too bright"), "{refused}");
    let applied = lamps
        .apply(json!({"metadata": {"name": "desk"}, "spec": {"watts": 60}}), "me")
        .force()
        .await
        .unwrap();
    assert_eq!(applied.spec.watts, 60);
    let lit = Lamp { status: Some(LampStatus { on: true }), ..applied };
    assert!(lamps.update_status(lit).await.unwrap().status.unwrap().on);
    assert_eq!(lamps.list().await.unwrap().items.len(), 1);
    assert!(
        fake.actions().iter().any(|action| action.verb == "patch" && action.resource.resource == "lamps")
    );
}
