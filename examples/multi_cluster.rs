//! One controller, two clusters: config maps of the first that carry the label `mirror` are kept in the second too.
//! `cargo run --example multi_cluster -- CONTEXT CONTEXT`, both from your kubeconfig; without them it runs a short
//! demonstration with two servers in this process.

use std::{sync::Arc, time::Duration};

use client_rs::api::core::v1::ConfigMap;
use client_rs::apiserver::Server;
use client_rs::client::wait::conditions;
use client_rs::controller::Notification;
use client_rs::prelude::*;
use client_rs::transport::kubeconfig::{DeferredConfig, LoadingRules, Overrides};

fn is_mirrored(map: &Arc<ConfigMap>) -> bool {
    map.metadata.labels.get("mirror").is_some()
}

/// A controller over informers of both clusters: a change in either enqueues the key.
fn mirror(hub: &RestClient, edge: &RestClient) -> Manager {
    let here = SharedInformerFactory::new(hub.clone());
    let there = SharedInformerFactory::new(edge.clone());
    let (wanted, copies) = (here.core().v1().config_maps(), there.core().v1().config_maps());
    let (source, target, edge) = (wanted.lister(), copies.lister(), edge.clone());
    let controller = Controller::new("mirror", wanted.informer())
        .watches_when(
            &copies.informer(),
            |event: &Notification<ConfigMap>| event.objects().any(is_mirrored),
            |map| [map.key()],
        )
        .reconcile(move |key: ObjectKey, _: Context| {
            let maps = Api::<ConfigMap>::namespaced(&edge, key.namespace.clone());
            let found = |lister: &Lister<ConfigMap>| lister.get(&key).ok();
            let (wanted, copy) = (found(&source).filter(is_mirrored), found(&target).filter(is_mirrored));
            async move {
                match (wanted, copy) {
                    (Some(wanted), None) => {
                        let mut copy = ConfigMap { data: wanted.data.clone(), ..ConfigMap::EMPTY };
                        copy.metadata.name = key.name;
                        copy.metadata.labels = wanted.metadata.labels.clone();
                        maps.create(copy).await?;
                    }
                    (Some(wanted), Some(copy)) if wanted.data != copy.data => {
                        let mut copy = ConfigMap::clone(&copy);
                        copy.data = wanted.data.clone();
                        maps.update(copy).await?;
                    }
                    (None, Some(_)) => drop(maps.delete(&key.name).await?),
                    _ => {}
                }
                Ok(Action::done())
            }
        });
    // The manager runs the informers of one factory, and a runnable those of the other. The controller waits for both.
    Manager::new(&here).controller(controller).runnable(
        "informers of the second cluster",
        move |stop: CancellationToken| async move {
            there.start();
            stop.cancelled().await;
            there.shutdown().await;
            Ok::<(), std::io::Error>(())
        },
    )
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let (Some(hub), Some(edge)) = (std::env::args().nth(1), std::env::args().nth(2)) {
        let client = |context: String| -> Result<_, Box<dyn std::error::Error>> {
            let overrides = Overrides::default().with_current_context(context);
            Ok(RestClient::from_config(
                &DeferredConfig::new(LoadingRules::default(), overrides).client_config()?,
            )?)
        };
        return Ok(mirror(&client(hub)?, &client(edge)?).run_until_signal().await?);
    }
    let (hub, edge) = (Server::start().await?, Server::start().await?);
    let (hub, edge) = (hub.rest_client()?, edge.rest_client()?);
    let stop = CancellationToken::new();
    let running = tokio::spawn(mirror(&hub, &edge).run(stop.clone()));
    let (maps, copies) =
        (Api::<ConfigMap>::namespaced(&hub, "default"), Api::<ConfigMap>::namespaced(&edge, "default"));
    let labels = [("mirror", Str::from("yes"))].into_iter().collect();
    let metadata = ObjectMeta { name: "settings".into(), labels, ..ObjectMeta::EMPTY };
    maps.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await?;
    let there = || conditions::jsonpath("{.metadata.labels.mirror}", Some("yes"));
    copies.wait_for("settings", there()?, Duration::from_secs(30)).await?;
    println!("created in the second cluster");
    copies.delete("settings").await?;
    copies.wait_for("settings", there()?, Duration::from_secs(30)).await?;
    println!("and again, after it was deleted there");
    maps.delete("settings").await?;
    copies.wait_for("settings", conditions::deleted(), Duration::from_secs(30)).await?;
    println!("gone from both");
    stop.cancel();
    Ok(running.await??)
}
