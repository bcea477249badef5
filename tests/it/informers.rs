//! Informers over a client and the embedded server.

#![allow(clippy::unwrap_used, reason = "a test's helpers")]

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
use client_rs_cache::{FetchContext, Incoming, ListWatch, SharedInformer};
use client_rs_client::{Request, RestClient};
use client_rs_informers::RestListWatch;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::{ListOptions, ObjectMeta};
use client_rs_machinery::{Json, Object, Resource, ShardField, ShardSelector, Str, Unstructured};
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

/// The caches of three replicas are parts of one, whether the server filters or the informer.
#[tokio::test]
async fn shards_have_each_object_once_on_servers_with_and_without_the_feature() {
    for sharded in [true, false] {
        let storage = StorageOptions::default().with_sharded_lists(sharded);
        let options = ServerOptions::default().with_storage(storage.into());
        let server = Server::start_with(options).await.unwrap();
        let rest = server.rest_client().unwrap();
        for number in 0..30 {
            create(&rest, "default", config_map(&format!("m{number}"), "web")).await;
        }
        let shards: Vec<_> =
            (0..3).map(|number| ShardSelector::part(ShardField::Uid, number, 3).unwrap()).collect();
        let informers: Vec<_> = shards
            .iter()
            .map(|shard| {
                let source = RestListWatch::<ConfigMap>::new(rest.clone()).namespace("default");
                SharedInformer::new(source.shard(shard.clone()))
            })
            .collect();
        let running: Vec<_> = informers.iter().map(SharedInformer::spawn).collect();
        for informer in &informers {
            assert!(informer.synced().await);
        }
        let sizes: Vec<_> = informers.iter().map(|informer| informer.indexer().len()).collect();
        assert!(sizes.iter().sum::<usize>() == 30 && !sizes.contains(&0), "{sizes:?}");

        // Changes arrive where they belong.
        for number in 30..40 {
            let made = create(&rest, "default", config_map(&format!("m{number}"), "web")).await;
            let at = shards.iter().position(|shard| shard.matches(&made)).unwrap();
            let deadline = Instant::now() + Duration::from_mins(1);
            informers[at].indexer().at_least(&made.key(), made.resource_version(), deadline).await.unwrap();
        }
        for (informer, shard) in informers.iter().zip(&shards) {
            assert!(informer.indexer().list().iter().all(|object| shard.matches(&**object)));
        }

        // The responses of the server.
        let list = async |selector: String| {
            let options = ListOptions { shard_selector: selector.into(), ..ListOptions::EMPTY };
            let request = Request::get().of::<ConfigMap>().namespace("default").options(&options);
            rest.send_raw(request).await.map(|response| Json::parse(&response.body).unwrap())
        };
        let listed = list(shards[0].to_string()).await.unwrap();
        let applied = listed["metadata"]["shardInfo"]["selector"].as_str().map(str::to_owned);
        assert_eq!(applied, sharded.then(|| shards[0].to_string()));
        let items = listed["items"].as_list().map_or(0, client_rs_machinery::List::len);
        assert_eq!(items, if sharded { informers[0].indexer().len() } else { 40 });
        match list("shardRange(object.metadata.name, 'a', 'b')".to_owned()).await {
            Err(error) => {
                assert!(
                    sharded && error.to_string().contains("invalid shard selector: unsupported field"),
                    "{error}"
                );
            }
            Ok(_) => assert!(!sharded),
        }
        for running in running {
            running.shutdown().await.unwrap();
        }
        server.shutdown().await;
    }
}
