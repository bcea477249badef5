//! Three embedded clusters in one manager.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::{FactoryOptions, SharedInformer};
use client_rs_client::testing::Canned;
use client_rs_client::wait::conditions;
use client_rs_client::{Api, RestClient};
use client_rs_controller::{
    Action, ClusterClient, ClusterExists, ClusterKey, ClusterOptions, Clusters, Context, KeyedController,
    KeyedOptions, Manager, Prometheus, Reconciler, Result,
};
use client_rs_machinery::{Json, Object, ObjectKey, Str, json};
use tokio_util::sync::CancellationToken;

const LIMIT: Duration = Duration::from_mins(1);

async fn server() -> (Server, RestClient) {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    (server, rest)
}

/// Keeps the config maps of the hub with the label `mirror` in all edges.
struct Mirror {
    hub: ClusterClient,
    edges: Clusters,
}

fn is_mirrored(map: &Arc<ConfigMap>) -> bool {
    map.label("mirror").is_some()
}

impl Reconciler<ClusterKey> for Mirror {
    async fn reconcile(&self, key: ClusterKey, _: Context) -> Result<Action> {
        let Some(edge) = self.edges.get(&key.cluster) else { return Ok(Action::done()) };
        let wanted = self.hub.get::<ConfigMap>(&key.key).await?.filter(is_mirrored);
        let copy = edge.get::<ConfigMap>(&key.key).await?.filter(is_mirrored);
        match (wanted, copy) {
            (Some(wanted), copy) if copy.as_ref().is_none_or(|copy| copy.data != wanted.data) => {
                let metadata = json!({"name": wanted.name(), "namespace": wanted.namespace(), "labels": {"mirror": "yes"}});
                let data = Json::from_serde(&wanted.data)?;
                edge.apply::<ConfigMap>(json!({"metadata": metadata, "data": data})).force().await?;
            }
            (None, Some(copy)) => drop(edge.delete(&*copy).await?),
            _ => {}
        }
        Ok(Action::done())
    }
}

fn mirror(hub: &ClusterClient, edges: &Clusters) -> (Manager, KeyedController<ClusterKey>) {
    let reconciler = Mirror { hub: hub.clone(), edges: edges.clone() };
    // An edge that is down does not stop the others.
    let options = KeyedOptions::default().with_wait_for_sync(false);
    let controller = KeyedController::with_options("mirror", reconciler, options);
    let all = edges.clone();
    let to_all = move |map: &Arc<ConfigMap>| {
        let key = map.key();
        all.names().into_iter().map(move |name| ClusterKey::new(name, key.clone()))
    };
    controller.watch(&hub.informer::<ConfigMap>(), to_all).unwrap().keep();
    let (own, source) = (controller.clone(), hub.clone());
    edges.for_each(move |name, edge| {
        let name = Str::from(name);
        for map in source.lister::<ConfigMap>().unwrap().indexer().list() {
            own.queue().add(ClusterKey::new(name.clone(), map.key()));
        }
        own.watch(&edge.informer::<ConfigMap>(), move |map| [ClusterKey::new(name.clone(), map.key())])
            .unwrap()
    });
    (hub.manager().clusters(edges).controller(controller.clone()), controller)
}

#[tokio::test(start_paused = true)]
async fn clusters_join_and_leave_while_the_manager_runs() {
    let (_servers, rests): (Vec<_>, Vec<_>) =
        [server().await, server().await, server().await].into_iter().unzip();
    let metrics = Prometheus::new();
    let client = |name: &str, rest: &RestClient| {
        let options = ClusterOptions::default().with_cluster(name).with_metrics(metrics.clone());
        ClusterClient::from_rest_with("mirror", rest.clone(), options)
    };
    let maps: Vec<_> = rests.iter().map(|rest| Api::<ConfigMap>::namespaced(rest, "default")).collect();
    let (hub, edges) = (client("hub", &rests[0]), Clusters::new());
    edges.join("edge-1", client("edge-1", &rests[1])).unwrap();
    assert_eq!(edges.join("edge-1", hub.clone()), Err(ClusterExists("edge-1".to_owned())));
    let (manager, controller) = mirror(&hub, &edges);
    assert!(edges.ready().unwrap_err().starts_with("edge-1: no first list of"), "it does not run yet");
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));

    let wanted =
        |value: &str| json!({"metadata": {"name": "a", "labels": {"mirror": "yes"}}, "data": {"k": value}});
    let has = |value| conditions::jsonpath("{.data.k}", Some(value)).unwrap();
    maps[0].apply(wanted("1"), "user").await.unwrap();
    maps[1].wait_for("a", has("1"), LIMIT).await.unwrap();
    assert_eq!(edges.ready(), Ok(()));

    // One joins while the manager runs, and gets the existing objects.
    edges.join("edge-2", client("edge-2", &rests[2])).unwrap();
    maps[2].wait_for("a", has("1"), LIMIT).await.unwrap();
    maps[2].delete("a").await.unwrap();
    maps[2].wait_for("a", has("1"), LIMIT).await.unwrap();
    let state = edges.state();
    assert_eq!(state.keys().collect::<Vec<_>>(), ["edge-1", "edge-2"]);
    assert!(state.values().all(|edge| edge.synced && edge.failure.is_none() && edge.informers.len() == 1));
    let text = metrics.render();
    for name in ["hub", "edge-1", "edge-2"] {
        let line = format!("informer_queued_items{{name=\"{name}/ConfigMap\"}}");
        assert!(text.contains(&line), "{line} in {text}");
    }

    // One leaves: it gets nothing more, the other does.
    let left = edges.get("edge-1").unwrap();
    assert!(edges.leave("edge-1").await && !edges.leave("edge-1").await);
    assert!(left.informer::<ConfigMap>().is_stopped());
    maps[0].apply(wanted("2"), "user").await.unwrap();
    maps[2].wait_for("a", has("2"), LIMIT).await.unwrap();
    assert_eq!(maps[1].get("a").await.unwrap().data.get("k").unwrap(), "1");
    // It may come back, with a new client.
    edges.join("edge-1", client("edge-1", &rests[1])).unwrap();
    maps[1].wait_for("a", has("2"), LIMIT).await.unwrap();
    maps[0].delete("a").await.unwrap();
    for edge in &maps[1..] {
        edge.wait_for("a", conditions::deleted(), LIMIT).await.unwrap();
    }
    stop.cancel();
    running.await.unwrap().unwrap();
    assert!(edges.names().is_empty(), "the manager has shut them down");
    assert!(controller.state().counts.success > 5);
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_is_down_stops_neither_the_manager_nor_the_others() {
    let (_server, rest) = server().await;
    let down = Canned::new().client(); // It answers every list with 404.
    let (hub, edges) = (ClusterClient::from_rest("mirror", rest.clone()), Clusters::new());
    // A read of a cache without its first list fails at once, so that the one worker is free for the others.
    let at_once = || ClusterOptions::default().with_sync_timeout(Duration::ZERO);
    edges.join("down", ClusterClient::from_rest_with("mirror", down, at_once())).unwrap();
    edges.join("up", ClusterClient::from_rest_with("mirror", rest.clone(), at_once())).unwrap();
    let (manager, controller) = mirror(&hub, &edges);
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    maps.apply(json!({"metadata": {"name": "a", "labels": {"mirror": "yes"}}}), "user").await.unwrap();
    tokio::time::sleep(Duration::from_mins(10)).await;
    assert!(!running.is_finished());
    let why = edges.ready().unwrap_err();
    assert!(why.starts_with("down: no first list of") && !why.contains("up:"), "{why}");
    let error = controller.state().last_error.unwrap();
    assert!(error.0.starts_with("down:") && error.1.contains("no first list"), "{error:?}");
    assert!(controller.state().counts.success > 0);
    stop.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn clusters_share_one_decode_pool_per_kind() {
    let edges = Clusters::new();
    let mut servers = Vec::new();
    for name in ["edge-1", "edge-2"] {
        let (server, rest) = server().await;
        let maps = Api::<ConfigMap>::namespaced(&rest, "default");
        for number in 0..3 {
            let labels = json!({"program": "a-text-that-is-too-long-to-be-inline-in-a-string"});
            let map = json!({"metadata": {"name": format!("m{number}"), "labels": labels}});
            maps.apply(map, "user").await.unwrap();
        }
        servers.push(server);
        let caches = FactoryOptions::default().with_pools(edges.pools());
        let options = ClusterOptions::default().with_factory(caches);
        edges.join(name, ClusterClient::from_rest_with("maps", rest, options)).unwrap();
    }
    let informers: Vec<_> =
        ["edge-1", "edge-2"].map(|name| edges.get(name).unwrap().informer::<ConfigMap>()).into();
    let (stop, running) = (CancellationToken::new(), edges.clone());
    let until = stop.clone();
    let task = tokio::spawn(async move { running.run(until).await });
    for informer in &informers {
        assert!(informer.synced().await);
    }
    let label = |informer: &SharedInformer<ConfigMap>, name: &str| {
        let map = informer.indexer().get(&ObjectKey::new("default", name)).unwrap();
        map.metadata.labels["program"].clone()
    };
    // A pool keeps what comes twice, in whichever order the clusters are listed: all but the first object share.
    let names = ["m0", "m1", "m2"];
    let shares =
        |one: &str| names.iter().any(|two| label(&informers[0], one).ptr_eq(&label(&informers[1], two)));
    assert!(names.into_iter().any(shares));
    assert!(edges.pools().stats::<ConfigMap>().hits > 0);
    stop.cancel();
    task.await.unwrap();
}
