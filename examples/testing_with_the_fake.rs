//! A unit test of code that talks to a cluster, without one: `cargo run --example testing_with_the_fake`.
//!
//! The code under test takes a `Clientset` and knows nothing of the test. The fake is the embedded server's storage
//! behind a chain of reactors: what the test decides is decided before it, the rest behaves as a server does.

use client_rs::api::core::v1::{ConfigMap, Pod};
use client_rs::apiserver::fake::{FakeClient, Faked, Reaction};
use client_rs::prelude::*;

/// The code under test: counts pods by node into a config map.
async fn count_pods(client: &Clientset, namespace: &str) -> Result<ConfigMap, client_rs::client::Error> {
    let mut counts = std::collections::BTreeMap::<Str, u32>::new();
    for pod in client.core_v1().pods(namespace).list().await?.items {
        *counts.entry(pod.spec.node_name.clone()).or_default() += 1;
    }
    let metadata = ObjectMeta { name: "pods-by-node".into(), ..ObjectMeta::EMPTY };
    let data = counts.into_iter().map(|(node, count)| (node, Str::from(count.to_string()))).collect();
    client.core_v1().config_maps(namespace).create(ConfigMap { metadata, data, ..ConfigMap::EMPTY }).await
}

fn pod(name: &str, node: &str) -> Pod {
    let mut pod = Pod::EMPTY;
    pod.metadata.name = name.into();
    pod.metadata.namespace = "shop".into();
    pod.spec.node_name = node.into();
    pod
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The cluster as the test wants it.
    let Faked { client, fake } =
        Clientset::fake(&[&pod("a", "node-1"), &pod("b", "node-1"), &pod("c", "node-2")])?;
    let made = count_pods(&client, "shop").await?;
    assert_eq!(made.data.get("node-1").map(Str::as_str), Some("2"));
    assert_eq!(made.data.get("node-2").map(Str::as_str), Some("1"));
    println!("counted: {:?}", made.data);

    // What it has done, in order.
    let did: Vec<String> =
        fake.actions().iter().map(|a| format!("{} {}", a.verb, a.resource.resource)).collect();
    assert_eq!(did, ["list pods", "create configmaps"]);
    println!("did: {did:?}");

    // The same name again is a conflict, as on a server.
    let error = count_pods(&client, "shop").await.unwrap_err();
    assert!(error.api().is_some_and(ApiError::is_already_exists), "{error}");
    println!("again: {error}");

    // What a server rarely does, on demand.
    fake.prepend_reactor("list", "pods", |_| Reaction::Fail(ApiError::service_unavailable("not now")));
    let error = count_pods(&client, "shop").await.unwrap_err();
    assert_eq!(error.api().map(ApiError::code), Some(503));
    println!("on a bad day: {error}");
    Ok(())
}
