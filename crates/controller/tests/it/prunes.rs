//! Prunes of a sink whose cache is behind the server.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Service};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::{MemoryListWatch, SharedInformer};
use client_rs_client::Api;
use client_rs_collections::Graph;
use client_rs_controller::{ApplySink, CancellationToken, DerivedObject, Manager};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::{Object, ObjectKey, json};

const SINK: &str = "configs";

#[tokio::test(start_paused = true)]
async fn an_object_is_pruned_only_at_the_version_that_the_cache_has() {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    let cached = MemoryListWatch::new();
    // The garbage collector of the server deletes objects without an owner.
    let service = json!({"metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}});
    let service = Api::<Service>::namespaced(&rest, "default").apply(service, "user").await.unwrap();
    let owner = json!({"apiVersion": "v1", "kind": "Service", "name": "web", "uid": service.uid(), "controller": true});
    for name in ["released", "changed"] {
        let annotations = json!({"client-rs.io/derived-by": format!("{SINK} default/{name}")});
        let metadata = json!({"name": name, "annotations": annotations, "ownerReferences": [owner.clone()]});
        cached.put(maps.apply(json!({"metadata": metadata}), SINK).await.unwrap());
    }
    // Of both, the server has a newer version: one has lost its mark since, the other one not.
    let metadata = json!({"name": "released", "ownerReferences": [owner]});
    let released = maps.apply(json!({"metadata": metadata}), SINK).await.unwrap();
    let document = json!({"metadata": {"name": "changed"}, "data": {"a": "1"}});
    let changed = maps.apply(document, "somebody").await.unwrap();

    let (graph, informer) = (Graph::new(), SharedInformer::new(cached.clone()));
    let none = graph.constant("configs", [] as [(ObjectKey, DerivedObject); 0]);
    let sink = ApplySink::new(SINK, &graph, &none, Api::all(&rest), informer.clone()).build();
    let (sink, stop) = (Arc::new(sink), CancellationToken::new());
    let (factory, _informer) = (SharedInformerFactory::new(rest.clone()), informer.spawn());
    let manager = Manager::new(&factory).graph("test", &graph).controller(Arc::clone(&sink));
    let during = async {
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert!(sink.state().counts.total() > 4, "it has looked several times");
        assert!(maps.get("released").await.is_ok() && maps.get("changed").await.is_ok());
        cached.put(released);
        cached.put(changed);
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert!(maps.get("changed").await.is_err(), "it was pruned");
        assert!(maps.get("released").await.is_ok(), "it is not the sink's");
        stop.cancel();
    };
    let (ended, ()) = tokio::join!(manager.run(stop.clone()), during);
    ended.unwrap();
}
