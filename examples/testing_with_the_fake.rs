//! A unit test of a controller, with no cluster and no server: `cargo run --example testing_with_the_fake`.
//!
//! The controller gives every namespace that asks for it a config map. The test begins with a namespace, lets one
//! request fail, and reads what the controller did.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use client_rs::api::core::v1::{ConfigMap, Namespace};
use client_rs::apiserver::fake::{FakeClient, Faked, Reaction};
use client_rs::client::Error;
use client_rs::kubernetes::Clientset;
use client_rs::machinery::ApiError;

/// The code under test: it has no knowledge of fakes.
async fn reconcile(client: &Clientset, namespace: &str) -> Result<(), Error> {
    let found = client.core_v1().namespaces().get(namespace).await?;
    if found.metadata.labels.get("settings").is_none() {
        return Ok(());
    }
    let mut settings = ConfigMap::EMPTY;
    settings.metadata.name = "settings".into();
    match client.core_v1().config_maps(namespace).create(settings).await {
        Err(error) if error.is_already_exists() => Ok(()),
        outcome => outcome.map(|_| ()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut shop = Namespace::EMPTY;
    shop.metadata.name = "shop".into();
    shop.metadata.labels.insert("settings", "wanted".into());
    let Faked { client, fake } = Clientset::fake(&[&shop])?;

    // The first create fails; the controller returns the error and runs again.
    let failed = Arc::new(AtomicBool::new(false));
    fake.prepend_reactor("create", "configmaps", move |_| {
        if failed.swap(true, Ordering::Relaxed) {
            return Reaction::Continue;
        }
        Reaction::Fail(ApiError::service_unavailable("the storage is not available"))
    });
    assert!(reconcile(&client, "shop").await.is_err());
    reconcile(&client, "shop").await?;
    // The object already exists, which is not an error.
    reconcile(&client, "shop").await?;

    let actions = fake.actions();
    let asked: Vec<String> =
        actions.iter().map(|action| format!("{} {}", action.verb, action.resource.resource)).collect();
    assert_eq!(asked, ["get namespaces", "create configmaps"].repeat(3));
    let made = actions[1].object.as_ref().ok_or("a create has an object")?;
    assert_eq!((made.kind(), made.name()), ("ConfigMap", "settings"));
    assert_eq!(client.core_v1().config_maps("shop").list().await?.items.len(), 1);

    println!("the controller did: {}", asked.join(", "));
    Ok(())
}
