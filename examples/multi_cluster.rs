//! One controller, several clusters: config maps of a hub that carry the label `mirror` are kept in all edge clusters, which join and
//! leave while it runs. `cargo run --example multi_cluster -- HUB EDGE…`, contexts of your kubeconfig; without them it runs a short
//! demonstration with three servers in this process.

use std::{sync::Arc, time::Duration};

use client_rs::api::core::v1::ConfigMap;
use client_rs::apiserver::Server;
use client_rs::client::wait::conditions;
use client_rs::controller::{ClusterKey, Clusters, KeyedController, KeyedOptions, Prometheus};
use client_rs::prelude::*;
use client_rs::transport::kubeconfig::{DeferredConfig, LoadingRules, Overrides};

struct Mirror {
    hub: ClusterClient,
    edges: Clusters,
}

fn is_mirrored(map: &Arc<ConfigMap>) -> bool {
    map.label("mirror").is_some()
}

impl Reconciler<ClusterKey> for Mirror {
    async fn reconcile(&self, key: ClusterKey, _: Context) -> Result<Action, ReconcileError> {
        // A cluster that has left has nothing to do.
        let Some(edge) = self.edges.get(&key.cluster) else { return Ok(Action::done()) };
        let wanted = self.hub.get::<ConfigMap>(&key.key).await?.filter(is_mirrored);
        let copy = edge.get::<ConfigMap>(&key.key).await?.filter(is_mirrored);
        match (wanted, copy) {
            (Some(wanted), copy) if copy.as_ref().is_none_or(|copy| copy.data != wanted.data) => {
                let (name, namespace) = (wanted.name(), wanted.namespace());
                let metadata = json!({"name": name, "namespace": namespace, "labels": {"mirror": "yes"}});
                let data = Json::from_serde(&wanted.data)?;
                edge.apply::<ConfigMap>(json!({"metadata": metadata, "data": data})).force().await?;
            }
            (None, Some(copy)) => drop(edge.delete(&*copy).await?),
            _ => {}
        }
        Ok(Action::done())
    }
}

/// A controller over informers of all clusters: a change in the hub concerns all edges, a change in an edge that one.
fn mirror(hub: &ClusterClient, edges: &Clusters) -> Result<Manager, Box<dyn std::error::Error>> {
    let reconciler = Mirror { hub: hub.clone(), edges: edges.clone() };
    // An edge that is down does not stop the others.
    let options = KeyedOptions::default().with_workers(4).with_wait_for_sync(false);
    let controller = KeyedController::with_options("mirror", reconciler, options);
    let all = edges.clone();
    let to_all = move |map: &Arc<ConfigMap>| {
        let key = map.key();
        all.names().into_iter().map(move |name| ClusterKey::new(name, key.clone()))
    };
    controller.watch(&hub.informer::<ConfigMap>(), to_all)?.keep();
    let (own, source) = (controller.clone(), hub.clone());
    // For each edge, now and later. The watch ends when the edge leaves.
    edges.for_each(move |name, edge| {
        let name = Str::from(name);
        for map in source.lister::<ConfigMap>().iter().flat_map(|maps| maps.indexer().list()) {
            own.queue().add(ClusterKey::new(name.clone(), map.key()));
        }
        own.watch(&edge.informer::<ConfigMap>(), move |map| [ClusterKey::new(name.clone(), map.key())]).ok()
    });
    Ok(hub.manager().clusters(edges).controller(controller))
}

fn client(name: &str, rest: RestClient, metrics: &Prometheus) -> ClusterClient {
    let options = ClusterOptions::default().with_cluster(name).with_metrics(metrics.clone());
    // A run of a cluster that is down fails at once, and is retried.
    ClusterClient::from_rest_with("mirror", rest, options.with_sync_timeout(Duration::ZERO))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (metrics, edges) = (Prometheus::new(), Clusters::new());
    let contexts: Vec<String> = std::env::args().skip(1).collect();
    if let [hub, others @ ..] = contexts.as_slice() {
        let of_context = |context: &String| -> Result<_, Box<dyn std::error::Error>> {
            let overrides = Overrides::default().with_current_context(context);
            let config = DeferredConfig::new(LoadingRules::default(), overrides).client_config()?;
            Ok(client(context, RestClient::from_config(&config)?, &metrics))
        };
        for context in others {
            edges.join(context.as_str(), of_context(context)?)?;
        }
        return Ok(mirror(&of_context(hub)?, &edges)?.run_until_signal().await?);
    }
    let servers = [Server::start().await?, Server::start().await?, Server::start().await?];
    let [hub, one, two] = [servers[0].rest_client()?, servers[1].rest_client()?, servers[2].rest_client()?];
    edges.join("one", client("one", one.clone(), &metrics))?;
    let stop = CancellationToken::new();
    let running = tokio::spawn(mirror(&client("hub", hub.clone(), &metrics), &edges)?.run(stop.clone()));

    let [maps, first, second] =
        [hub, one, two.clone()].map(|rest| Api::<ConfigMap>::namespaced(&rest, "default"));
    let is_there = || conditions::jsonpath("{.metadata.labels.mirror}", Some("yes"));
    let limit = Duration::from_secs(30);
    maps.apply(json!({"metadata": {"name": "settings", "labels": {"mirror": "yes"}}}), "user").await?;
    first.wait_for("settings", is_there()?, limit).await?;
    println!("mirrored to the first edge");
    edges.join("two", client("two", two, &metrics))?;
    second.wait_for("settings", is_there()?, limit).await?;
    println!("and to the second, which joined later");
    edges.leave("one").await;
    maps.delete("settings").await?;
    second.wait_for("settings", conditions::deleted(), limit).await?;
    println!(
        "gone from the second; the first has left, and keeps it: {}",
        first.get_opt("settings").await?.is_some()
    );
    stop.cancel();
    Ok(running.await??)
}
