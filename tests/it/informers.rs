//! Informers over a client and the embedded server.

#![allow(clippy::unwrap_used, reason = "a test's helpers")]

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::Server;
use client_rs_cache::{FetchContext, Incoming, ListWatch, SharedInformer};
use client_rs_client::{Request, RestClient};
use client_rs_informers::RestListWatch;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::{ListOptions, ObjectMeta};
use client_rs_machinery::{Object, Resource, Str, Unstructured};
use client_rs_transport::Config;
use tokio::time::Instant;

async fn server() -> (Server, RestClient) {
    let server = Server::start().await.unwrap();
    let config = Config::new(server.url().unwrap().parse().unwrap());
    let rest = RestClient::from_config(&config.with_qps(-1.0)).unwrap();
    (server, rest)
}

fn config_map(name: &str, app: &str) -> ConfigMap {
    let metadata = ObjectMeta {
        name: name.into(),
        labels: [("app", Str::from(app))].into_iter().collect(),
        ..ObjectMeta::EMPTY
    };
    ConfigMap { metadata, ..ConfigMap::EMPTY }
}

async fn create(rest: &RestClient, namespace: &str, object: ConfigMap) -> ConfigMap {
    rest.send(Request::post().of::<ConfigMap>().namespace(namespace).object(object)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn typed_dynamic_and_metadata_informers_agree() {
    let (server, rest) = server().await;
    for name in ["a", "b"] {
        create(&rest, "default", config_map(name, "web")).await;
    }
    create(&rest, "kube-system", config_map("c", "db")).await;
    let typed = SharedInformer::new(RestListWatch::<ConfigMap>::new(rest.clone()));
    let gvr = ConfigMap::gvr();
    let dynamic = SharedInformer::new(RestListWatch::dynamic(rest.clone(), gvr.clone()));
    let metadata = SharedInformer::new(RestListWatch::metadata(rest.clone(), gvr));
    let running = (typed.spawn(), dynamic.spawn(), metadata.spawn());
    assert!(typed.synced().await && dynamic.synced().await && metadata.synced().await);

    let changed = create(&rest, "default", config_map("d", "web")).await;
    let key = changed.key();
    let deadline = Instant::now() + Duration::from_mins(1);
    typed.indexer().at_least(&key, changed.resource_version(), deadline).await.unwrap();
    dynamic.indexer().at_least(&key, changed.resource_version(), deadline).await.unwrap();
    metadata.indexer().at_least(&key, changed.resource_version(), deadline).await.unwrap();
    let of = |objects: Vec<(String, String)>| {
        let mut objects = objects;
        objects.sort();
        objects
    };
    let facts = |object: &dyn Object| (object.key().to_string(), object.resource_version().to_owned());
    let typed_facts = of(typed.indexer().list().iter().map(|object| facts(&**object)).collect());
    assert_eq!(
        typed_facts.iter().filter(|(key, _)| key.starts_with("default/")).count(),
        3,
        "{typed_facts:?}"
    );
    assert_eq!(of(dynamic.indexer().list().iter().map(|object| facts(&**object)).collect()), typed_facts);
    assert_eq!(of(metadata.indexer().list().iter().map(|object| facts(&**object)).collect()), typed_facts);
    let item: Arc<Unstructured> = dynamic.indexer().get(&key).unwrap();
    assert_eq!((item.api_version(), item.kind()), ("v1", "ConfigMap"));
    running.0.shutdown().await.unwrap();
    running.1.shutdown().await.unwrap();
    running.2.shutdown().await.unwrap();
    server.shutdown().await;
}

#[tokio::test]
async fn a_list_does_not_decode_objects_that_are_cached() {
    let (server, rest) = server().await;
    for name in ["a", "b"] {
        create(&rest, "default", config_map(name, "web")).await;
    }
    create(&rest, "default", config_map("c", "db")).await;
    let source = RestListWatch::<ConfigMap>::new(rest.clone())
        .namespace("default")
        .labels(&Selector::parse("app=web").unwrap());
    let informer = SharedInformer::new(source.clone());
    let running = informer.spawn();
    assert!(informer.synced().await);
    let mut keys: Vec<_> = informer.indexer().list_keys().iter().map(ToString::to_string).collect();
    keys.sort();
    assert_eq!(keys, ["default/a", "default/b"]);

    let cx = FetchContext::default().sharing(Arc::new(informer.indexer().clone()));
    let mut seen = Vec::new();
    let summary = source
        .list(ListOptions::EMPTY, &cx, &mut |item| {
            seen.push(match item {
                Incoming::Cached(object) => {
                    let cached = informer.indexer().get(&object.key()).unwrap();
                    object.ptr_eq(&cached.into())
                }
                _ => false,
            });
        })
        .await
        .unwrap();
    assert_eq!((seen, summary.items), (vec![true, true], 2));
    running.shutdown().await.unwrap();
    server.shutdown().await;
}

#[tokio::test]
async fn a_refused_connection_is_reported_as_such() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let rest = RestClient::from_config(&Config::new(url.parse().unwrap())).unwrap();
    let source = RestListWatch::<ConfigMap>::new(rest);
    let cx = FetchContext::default();
    let error = source.list(ListOptions::EMPTY, &cx, &mut |_| ()).await.unwrap_err();
    assert!(error.is_connection_refused(), "{error:?}");
    let options = ListOptions { watch: true, ..ListOptions::EMPTY };
    let error = source.watch(options, &cx).await.map(|_| ()).unwrap_err();
    assert!(error.is_connection_refused(), "{error:?}");
}
