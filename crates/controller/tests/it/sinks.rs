//! Sinks of derived collections, with the embedded server.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Service};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::{Collection, Coverage, SharedInformer};
use client_rs_client::{Api, RestClient};
use client_rs_collections::{Graph, LiveSet};
use client_rs_controller::{
    Action, AnyController, ApplySink, CancellationToken, CollectionController, Context, DerivedObject,
    Manager, ReconcileError, StatusSink,
};
use client_rs_events::EventBroadcaster;
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Object, ObjectKey, Str, json};

const SINK: &str = "configs";
/// The annotation of a sink's objects.
const DERIVED_BY: &str = "client-rs.io/derived-by";

/// A server with config maps that are derived from services.
struct World {
    rest: RestClient,
    factory: SharedInformerFactory,
    graph: Graph,
    configs: LiveSet<ObjectKey, DerivedObject>,
    _server: Server,
}

impl World {
    async fn new() -> Self {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let rest = server.rest_client().unwrap();
        let factory = SharedInformerFactory::new(rest.clone());
        let graph = Graph::new();
        let services = graph.informer("services", &factory.informer_for::<Service>()).unwrap();
        let configs = graph.filter_map("configs", &services, |_, service, _| {
            // The label says what to do.
            let mode = service.metadata.labels.get("mode").map_or("", |mode| mode.as_str());
            match mode {
                "none" => None,
                "panic" => std::panic::resume_unwind(Box::new("not supported")),
                "elsewhere" => {
                    DerivedObject::new(&**service, json!({"metadata": {"name": "elsewhere"}})).ok()
                }
                mode => DerivedObject::new(&**service, json!({"data": {"mode": mode}})).ok(),
            }
        });
        Self { rest, factory, graph, configs, _server: server }
    }

    fn maps(&self) -> SharedInformer<ConfigMap> {
        self.factory.informer_for()
    }

    fn sink(&self) -> ApplySink<ConfigMap> {
        ApplySink::new(SINK, &self.graph, &self.configs, Api::all(&self.rest), self.maps())
    }

    async fn service(&self, name: &str, mode: &str) -> Service {
        let spec = json!({"type": "LoadBalancer", "ports": [{"port": 80}]});
        let document = json!({"metadata": {"name": name, "labels": {"mode": mode}}, "spec": spec});
        Api::<Service>::namespaced(&self.rest, "default").apply(document, "user").force().await.unwrap()
    }

    async fn map(&self, name: &str) -> Option<ConfigMap> {
        Api::<ConfigMap>::namespaced(&self.rest, "default").get(name).await.ok()
    }

    /// Runs a controller in a manager while `during` runs.
    async fn run(&self, controller: impl AnyController, during: impl Future<Output = ()>) {
        let stop = CancellationToken::new();
        let manager = Manager::new(&self.factory).graph("test", &self.graph).controller(controller);
        let (ended, ()) = tokio::join!(manager.run(stop.clone()), async {
            during.await;
            stop.cancel();
        });
        ended.unwrap();
    }
}

/// Waits in paused time until a condition holds.
async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(Duration::from_mins(10), waiting).await.is_ok(), "never: {what}");
}

fn mode(map: Option<&ConfigMap>) -> Option<&str> {
    map?.data.get("mode").map(client_rs_machinery::Str::as_str)
}

#[tokio::test(start_paused = true)]
async fn objects_follow_the_collection_and_are_pruned() {
    let world = World::new().await;
    let service = world.service("web", "a").await;
    // Somebody's own object, and one of a service that is gone since.
    let maps = Api::<ConfigMap>::namespaced(&world.rest, "default");
    maps.apply(json!({"metadata": {"name": "mine"}, "data": {"a": "1"}}), "user").await.unwrap();
    let reference = json!({"apiVersion": "v1", "kind": "Service", "name": "web", "uid": service.uid(), "controller": true});
    let left = json!({"name": "left", "annotations": {DERIVED_BY: format!("{SINK} default/left")}, "ownerReferences": [reference]});
    maps.apply(json!({"metadata": left}), SINK).await.unwrap();
    // The garbage collector has removed the owner of this one, to keep it.
    let orphan = json!({"name": "orphan", "annotations": {DERIVED_BY: format!("{SINK} default/orphan")}});
    maps.apply(json!({"metadata": orphan}), SINK).await.unwrap();
    let broadcaster = EventBroadcaster::new();
    let (sender, mut seen) = tokio::sync::mpsc::unbounded_channel();
    broadcaster.start_event_watcher(move |event| drop(sender.send(event.reason.clone()))).unwrap();
    let sink = world.sink().events(broadcaster.recorder(SINK, "")).build();
    world
        .run(sink, async {
            until("applied", || async { mode(world.map("web").await.as_ref()) == Some("a") }).await;
            let map = world.map("web").await.unwrap();
            assert_eq!(map.controller().map(|owner| owner.uid), Some(service.uid()));
            until("pruned what is left", || async { world.map("left").await.is_none() }).await;
            assert!(world.map("orphan").await.is_some());

            world.service("web", "b").await;
            until("changed", || async { mode(world.map("web").await.as_ref()) == Some("b") }).await;
            // A change by somebody else is reverted, a deletion too.
            let other = json!({"metadata": {"name": "web"}, "data": {"mode": "x", "more": "y"}});
            maps.apply(other, "somebody").force().await.unwrap();
            until("reverted", || async { mode(world.map("web").await.as_ref()) == Some("b") }).await;
            assert!(world.map("web").await.unwrap().data.contains_key("more"), "fields of others stay");
            maps.delete("web").await.unwrap();
            until("created again", || async { mode(world.map("web").await.as_ref()) == Some("b") }).await;

            world.service("web", "none").await;
            until("pruned", || async { world.map("web").await.is_none() }).await;
            assert!(world.map("mine").await.is_some(), "it is not the sink's");
        })
        .await;
    broadcaster.shutdown().await;
    let mut reasons = Vec::new();
    while let Some(reason) = seen.recv().await {
        reasons.push(reason.to_string());
    }
    assert!(reasons.contains(&"Applied".to_owned()) && reasons.contains(&"Pruned".to_owned()), "{reasons:?}");
}

#[tokio::test(start_paused = true)]
async fn an_object_as_derived_is_not_written_again() {
    let world = World::new().await;
    world.service("web", "a").await;
    let sink = world.sink().build();
    let state = Arc::new(sink);
    world
        .run(Arc::clone(&state), async {
            until("applied", || async { mode(world.map("web").await.as_ref()) == Some("a") }).await;
            let version = world.map("web").await.unwrap().metadata.resource_version;
            let before = state.state().counts.total();
            // A change of the service that the collection does not show, and one of the object that is not the sink's.
            let service = json!({"metadata": {"name": "web", "annotations": {"a": "b"}}});
            Api::<Service>::namespaced(&world.rest, "default").apply(service, "other").await.unwrap();
            state.queue().add(ObjectKey::new("default", "web"));
            until("looked at", || async { state.state().counts.total() > before }).await;
            assert_eq!(world.map("web").await.unwrap().metadata.resource_version, version);
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_pruned_while_a_function_panics() {
    let world = World::new().await;
    world.service("web", "a").await;
    world.service("api", "a").await;
    let sink = world.sink().build();
    world
        .run(sink, async {
            until("applied", || async {
                world.map("web").await.is_some() && world.map("api").await.is_some()
            })
            .await;
            world.service("api", "panic").await;
            let failed = || async { world.graph.complete().is_err() };
            until("failed", failed).await;
            world.service("web", "none").await;
            let epoch = world.graph.epoch();
            until("not derived", || async { world.graph.snapshot().len(&world.configs) == 1 }).await;
            assert!(world.graph.epoch() >= epoch);
            // The sink has looked several times since.
            tokio::time::sleep(Duration::from_mins(1)).await;
            assert!(world.map("web").await.is_some(), "kept, because the graph is not complete");
            assert!(world.map("api").await.is_some(), "the entry has its last value");
            world.service("api", "b").await;
            until("pruned", || async { world.map("web").await.is_none() }).await;
            until("applied", || async { mode(world.map("api").await.as_ref()) == Some("b") }).await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn an_object_of_another_controller_is_left_alone() {
    let world = World::new().await;
    world.service("web", "a").await;
    let other = world.service("other", "none").await;
    let maps = Api::<ConfigMap>::namespaced(&world.rest, "default");
    let reference = json!({"apiVersion": "v1", "kind": "Service", "name": "other", "uid": other.uid(), "controller": true});
    let taken =
        json!({"metadata": {"name": "web", "ownerReferences": [reference]}, "data": {"mode": "theirs"}});
    maps.apply(taken, "user").await.unwrap();
    let sink = Arc::new(world.sink().build());
    world
        .run(Arc::clone(&sink), async {
            until("refused", || async { sink.state().counts.terminal_errors > 0 }).await;
            assert_eq!(mode(world.map("web").await.as_ref()), Some("theirs"));
            // Nothing is left in the way, and the entry has not changed.
            maps.delete("web").await.unwrap();
            until("applied", || async { mode(world.map("web").await.as_ref()) == Some("a") }).await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_document_of_another_name_than_its_entry_is_not_written() {
    let world = World::new().await;
    world.service("web", "elsewhere").await;
    let sink = Arc::new(world.sink().build());
    world
        .run(Arc::clone(&sink), async {
            until("refused", || async { sink.state().counts.terminal_errors > 0 }).await;
            let (_, error) = sink.state().last_error.unwrap();
            assert!(error.contains("default/web") && error.contains("elsewhere"), "{error}");
            assert!(world.map("elsewhere").await.is_none() && world.map("web").await.is_none());
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn without_force_a_conflict_is_reported_and_retried() {
    let world = World::new().await;
    world.service("web", "a").await;
    let maps = Api::<ConfigMap>::namespaced(&world.rest, "default");
    maps.apply(json!({"metadata": {"name": "web"}, "data": {"mode": "theirs"}}), "somebody").await.unwrap();
    let sink = Arc::new(world.sink().without_force().build());
    world
        .run(Arc::clone(&sink), async {
            until("retried", || async { sink.state().counts.errors > 2 }).await;
            assert_eq!(mode(world.map("web").await.as_ref()), Some("theirs"));
            // The other manager gives the field up.
            maps.apply(json!({"metadata": {"name": "web"}}), "somebody").await.unwrap();
            until("applied", || async { mode(world.map("web").await.as_ref()) == Some("a") }).await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_status_follows_its_collection() {
    let world = World::new().await;
    let services = world.graph.informer("services again", &world.factory.informer_for::<Service>()).unwrap();
    let status = world.graph.filter_map("status", &services, |_, service, _| {
        let mode = service.metadata.labels.get("mode").filter(|mode| **mode != "none")?;
        Some(json!({"loadBalancer": {"ingress": [{"hostname": format!("{mode}.example.com")}]}}))
    });
    let api = Api::<Service, _>::all(&world.rest);
    let sink = StatusSink::new("addresses", &world.graph, &status, api, world.factory.informer_for());
    let sink = Arc::new(sink.build());
    world.service("web", "a").await;
    let one = Api::<Service>::namespaced(&world.rest, "default");
    let host = || async {
        let service = one.get("web").await.unwrap();
        service.status.load_balancer.ingress.first().map(|one| one.hostname.to_string())
    };
    world
        .run(Arc::clone(&sink), async {
            until("written", || async { host().await.as_deref() == Some("a.example.com") }).await;
            world.service("web", "b").await;
            until("changed", || async { host().await.as_deref() == Some("b.example.com") }).await;
            // Settled: another run writes nothing.
            tokio::time::sleep(Duration::from_secs(30)).await;
            let (version, before) =
                (one.get("web").await.unwrap().metadata.resource_version, sink.state().counts.total());
            sink.queue().add(ObjectKey::new("default", "web"));
            until("looked at", || async { sink.state().counts.total() > before }).await;
            assert_eq!(one.get("web").await.unwrap().metadata.resource_version, version);
            // The list belongs to its manager as a whole, so nobody else can add to an item.
            let ingress = json!([{"hostname": "b.example.com", "ip": "192.0.2.1"}]);
            let patch = Patch::Merge(json!({"status": {"loadBalancer": {"ingress": ingress}}}));
            one.patch_status("web", &patch).await.unwrap();
            let ip =
                || async { one.get("web").await.unwrap().status.load_balancer.ingress[0].ip.to_string() };
            until("reverted", || async { ip().await.is_empty() }).await;
            world.service("web", "none").await;
            tokio::time::sleep(Duration::from_secs(30)).await;
            assert_eq!(host().await.as_deref(), Some("b.example.com"), "a status is not pruned");
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_controller_over_a_collection_waits_for_the_graph_and_retries() {
    let graph = Graph::new();
    let input = graph.input::<ObjectKey, u32>("input").awaiting_sync(&graph);
    let doubled = graph.map("doubled", &input, |_, value, _| 2 * **value);
    let (read, set) = (graph.clone(), doubled.clone());
    let (sender, mut seen) = tokio::sync::mpsc::unbounded_channel();
    let controller = CollectionController::new("doubled", &graph, &doubled).reconcile(
        move |key: ObjectKey, context: Context| {
            let value = read.get(&set, &key).as_deref().copied();
            let result =
                if context.failures() == 0 { Err(ReconcileError::message("not yet")) } else { Ok(()) };
            let _ = sender.send((key.name.to_string(), value, context.failures()));
            async move { result.map(|()| Action::done()) }
        },
    );
    let stop = CancellationToken::new();
    let (ended, ()) = tokio::join!(controller.run(stop.clone()), async {
        let _running = graph.spawn();
        input.insert(ObjectKey::new("", "a"), 1);
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(controller.state().phase, "syncing");
        assert!(seen.try_recv().is_err(), "the input has no content yet");
        input.mark_synced();
        assert_eq!(seen.recv().await, Some(("a".to_owned(), Some(2), 0)));
        assert_eq!(seen.recv().await, Some(("a".to_owned(), Some(2), 1)));
        input.remove(&ObjectKey::new("", "a"));
        assert_eq!(seen.recv().await, Some(("a".to_owned(), None, 0)));
        stop.cancel();
    });
    ended.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_graph_that_does_not_run_is_named() {
    let graph = Graph::new();
    let input = graph.input::<ObjectKey, u32>("input").awaiting_sync(&graph);
    let controller = CollectionController::new("input", &graph, &input)
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    let error = controller.run(CancellationToken::new()).await.unwrap_err().to_string();
    assert!(error.contains("check that the graph is running"), "{error}");
}

/// The cache may have objects that the graph has not taken: so its version is not that of the graph.
#[tokio::test]
async fn a_graph_without_changes_has_version_zero() {
    let world = World::new().await;
    world.graph.expect_notes();
    let services = world.factory.informer_for::<Service>();
    let _informer = services.spawn();
    services.synced().await;
    let first = world.service("web", "one").await.metadata.resource_version;
    assert!(services.indexer().reaches(&Coverage::All, &first).await);
    // It is in the inbox of the graph, which nobody takes.
    let versions = |noted: Vec<(Collection, Str)>| -> Vec<Str> {
        noted.into_iter().map(|(_, version)| version).collect()
    };
    world.graph.hold();
    assert!(world.graph.noted_versions().is_empty());
    world.graph.note_versions();
    assert_eq!(versions(world.graph.noted_versions()), [first]);

    let world = World::new().await;
    world.graph.expect_notes();
    let services = world.factory.informer_for::<Service>();
    let (_informer, _graph) = (services.spawn(), world.graph.spawn());
    world.graph.synced().await;
    world.graph.note_versions();
    assert_eq!(versions(world.graph.noted_versions()), ["0"]);
    let first = world.service("web", "one").await.metadata.resource_version;
    assert!(services.indexer().reaches(&Coverage::All, &first).await);
    while versions(world.graph.noted_versions()) == ["0"] {
        tokio::task::yield_now().await;
    }
    assert_eq!(versions(world.graph.noted_versions()), [first]);
}

/// A recording needs to know which changes of its informers a graph has, and a replay decides when it takes more.
#[tokio::test]
async fn a_graph_notes_the_versions_that_it_has_and_takes_nothing_while_it_is_held() {
    let world = World::new().await;
    world.service("web", "one").await;
    let services = world.factory.informer_for::<Service>();
    let (_informer, _graph) = (services.spawn(), world.graph.spawn());
    world.graph.synced().await;
    assert!(world.graph.noted_versions().is_empty());
    world.graph.note_versions();
    let versions = |noted: Vec<(Collection, Str)>| -> Vec<(String, Str)> {
        noted.into_iter().map(|(of, version)| (of.resource.to_string(), version)).collect()
    };
    let first = versions(world.graph.noted_versions());
    assert_eq!((first.len(), &first), (1, &versions(services.collection_versions())));

    let second = world.service("web", "two").await.metadata.resource_version;
    assert!(services.indexer().reaches(&Coverage::All, &second).await);
    while versions(world.graph.noted_versions()) == first {
        tokio::task::yield_now().await;
    }
    assert_eq!(versions(world.graph.noted_versions()), [("services".to_owned(), second.clone())]);

    world.graph.hold();
    let third = world.service("web", "three").await.metadata.resource_version;
    assert!(services.indexer().reaches(&Coverage::All, &third).await);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(versions(world.graph.noted_versions()), [("services".to_owned(), second)]);
    world.graph.flush();
    assert_eq!(versions(world.graph.noted_versions()), [("services".to_owned(), third)]);
}
