//! The guide's tables for users of client-go and kube-rs contain only existing names.
//!
//! Every name of their right column must occur below, and the code below must compile.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use client_rs::api::core::v1::{ConfigMap, Pod, Service};
use client_rs::apiserver::fake::{FakeClient, Faked, Reaction};
use client_rs::cache::reflector::Reflector;
use client_rs::cache::watch_tools::RetryWatcher;
use client_rs::cache::{Deleted, Index, Indexer, MutationCache, Transform, wait_for_cache_sync};
use client_rs::client::api::{FieldValidation, Propagation};
use client_rs::client::discovery::{DiscoveryClient, DiskCache, MemoryCache, RestMapper};
use client_rs::client::streams::{FollowedLogs, Forwarder, RemoteProcess};
use client_rs::client::wait::conditions;
use client_rs::client::{
    Backoff, DynamicClient, Error, MetadataClient, Pager, Request, ScaleClient, retry_on_conflict,
};
use client_rs::controller::{
    ClusterKey, Clusters, Finalizers, Finalizing, KeyedController, Prometheus, add_finalizer, finalizer,
    finalizers_changed, generation_changed, set_controller,
};
use client_rs::events::{EventBroadcaster, eventf};
use client_rs::informers::{DynamicSharedInformerFactory, MetadataSharedInformerFactory};
use client_rs::leaderelection::{FencingToken, LeaderElector, Leadership, LeaseLock};
use client_rs::machinery::patch::Patch;
use client_rs::machinery::references::controller_reference;
use client_rs::machinery::{IntOrString, Map, Scheme, Unstructured, labels};
use client_rs::prelude::*;
use client_rs::transport::in_cluster::InCluster;
use client_rs::transport::kubeconfig::{DeferredConfig, LoadingRules, Overrides};
use client_rs::webhook::{Admitted, Denied, Hook, Review};
use client_rs::workqueue::{
    BucketRateLimiter, ExponentialFailure, MaxOf, ParallelizeOptions, parallelize_until,
};
use serde::{Deserialize, Serialize};

type Any = Result<(), Box<dyn std::error::Error>>;

/// Never called: it only has to compile.
async fn clients(master: &str, kubeconfig: &str, ns: &str, name: &str, limit: Duration) -> Any {
    let _ = (Config::infer()?, Config::from_flags(master, kubeconfig)?);
    let rest = RestClient::from_config(&Config::infer()?)?;
    let clientset = Clientset::from_config(&Config::infer()?)?;
    let pod = clientset.core_v1().pods(ns).get(name).await;
    let _ = pod.as_ref().is_err_and(|error: &Error| error.is_not_found() || error.is_conflict());
    let _ = clientset.core_v1().pods(AllNamespaces).list().label_selector("a=b").await?;
    let object = Api::<Pod>::namespaced(&rest, ns).get(name).await?;
    let _ = (object.key(), Request::get());
    Api::<Pod>::namespaced(&rest, ns).wait_for(name, conditions::deleted(), limit).await?;
    let (api, config) = (
        clientset.core_v1().config_maps(ns),
        client_rs::kubernetes::apply::core::v1::ConfigMap::new(name, ns),
    );
    api.apply(config, "manager").force().await?;
    let json = client_rs::machinery::json!({"data": {}});
    api.patch(name, &Patch::Merge(json)).await?;
    retry_on_conflict(Backoff::DEFAULT_RETRY, async || api.get(name).await).await?;
    Ok(())
}

async fn requests(rest: &RestClient, config: &Config, ns: &str, name: &str, object: Pod) -> Any {
    let everywhere = Api::<Pod, AllNamespaces>::all(rest);
    let _ = (everywhere, &config.default_namespace, config.qps, config.burst);
    let pods = Api::<Pod>::namespaced(rest, ns);
    pods.delete(name).dry_run().propagation(Propagation::Foreground).await?;
    pods.update(object.clone()).await?;
    let _ = object.spec.node_name.as_str();
    let _ = object.name();
    pods.update_status(object).await?;
    let command = ["true"];
    let process: RemoteProcess = pods.exec(name, command).await?;
    drop(process);
    let tunnel = pods.port_forward(name).await?;
    drop(tunnel);
    pods.log(name).follow().await?;
    let mut labels = Map::<Str>::default();
    labels.insert("a", "b".into());
    let _ = (labels.get("a"), labels.contains_key("a"));
    Ok(())
}

/// Stores and queues with keys of the caller.
fn keyed() {
    use client_rs::cache::{ExpirationStore, ExpirationStoreOptions, keyed};

    let _ = keyed::ThreadSafeStore::<u32, u64>::new();
    let _ = keyed::KeyedStore::new(|item: &u64| item % 10);
    let _ = keyed::KeyedFifo::new(|item: &u64| item % 10);
    let _ = keyed::KeyedDeltaFifo::new(|item: &u64| item % 10);
    let options = ExpirationStoreOptions::ttl(Duration::from_secs(1));
    let _ = ExpirationStore::keyed(Arc::new(|item: &u64| item % 10), options);
}

async fn lookups(rest: &RestClient, pod: &Pod, services: Lister<Service>, pods: Lister<Pod>) -> Any {
    use client_rs::kubernetes::listers::{OfPod as _, SelectedBy as _};

    for service in services.of_pod(pod) {
        drop(pods.selected_by(&*service));
    }
    let events = client_rs::events::search(rest, pod).await?;
    let metadata = Api::<Pod>::namespaced(rest, "shop").list_metadata().await?;
    let _ = (events, metadata, client_rs::transport::http::RequestDebug::new(6, |_| ()));
    Ok(())
}

/// A kind with the attributes of the tables.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "Site", namespaced, status = SiteStatus)]
#[resource(description = "A site.", column(name = "Size", type = "integer", json_path = ".spec.size"))]
struct SiteSpec {
    #[schema(minimum = 1, rule(expression = "self < 10", message = "too large"))]
    size: i32,
}

#[derive(Schema, Clone, Debug, Default, Deserialize, Serialize)]
struct SiteStatus {
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["type"])]
    conditions: Vec<Condition>,
}

async fn kinds(
    rest: &RestClient,
    site: &Site,
    election: LeaderElector,
    factory: &SharedInformerFactory,
) -> Any {
    crds::apply(rest, [Site::crd()]).await?;
    let _ = controller_reference(site)?;
    let mut status = site.status.clone().unwrap_or_default();
    let _ = Conditions::set(&mut status.conditions, condition(site, "Ready", true, "Done", "it is done"));
    let child = json!({"metadata": {"name": "a"}});
    Owned::by(site, "manager")?.apply(&Api::<ConfigMap>::namespaced(rest, "shop"), child, None).await?;
    let manager = Manager::election(Manager::new(factory), election).health_check("disk", || Ok(()));
    let manager = manager.runnable("webhooks", |_| std::future::ready(Ok::<(), std::io::Error>(())));
    let hook = Hook::admission(|_: Review<ConfigMap>| async { Ok::<_, Denied>(Admitted::unchanged()) });
    drop((manager, hook));
    Ok(())
}

/// Types that are only named.
type Streams =
    (Forwarder, FollowedLogs, InCluster, DeferredConfig, LoadingRules, Overrides, IntOrString, Scheme);
type Caches = (
    DynamicSharedInformerFactory,
    MetadataSharedInformerFactory,
    MutationCache<Pod>,
    RetryWatcher<Pod>,
    Transform<Pod>,
    ExponentialFailure<ObjectKey>,
    BucketRateLimiter,
    MaxOf<ObjectKey>,
);
type Named = (
    DynamicClient,
    MetadataClient,
    ScaleClient,
    Unstructured,
    DiscoveryClient,
    MemoryCache,
    DiskCache,
    RestMapper,
    labels::Selector,
    Quantity,
    Indexer<Pod>,
);
type AlsoNamed =
    (Deleted<Pod>, LeaderElector, LeaseLock, Leadership, FencingToken, Lister<Pod>, SharedInformer<Pod>);

fn reflects<Q>(_: &Reflector<Pod, Q>) {}

async fn informers(rest: RestClient) -> Any {
    let options = FactoryOptions::default().with_tweak(Arc::new(|options| options.limit = 1));
    let factory = SharedInformerFactory::with_options(rest, options);
    let lister = factory.core().v1().pods().lister();
    let informer = factory.core().v1().pods().informer();
    let by_node = Index::new("node", |pod: &Pod| [pod.spec.node_name.clone()]);
    informer.add_indexes([by_node.clone()])?;
    let _ = lister.by(&by_node, &"node-1".into());
    parallelize_until(std::future::pending::<()>(), 0, ParallelizeOptions::default(), |_| async {}).await;
    informer.add_handler(HandlerFns::new().on_add(|pod: &Arc<Pod>, _| println!("{}", pod.key())))?;
    factory.wait_for_cache_sync().await;
    let stop = tokio_util::sync::CancellationToken::new();
    wait_for_cache_sync(&stop, [&informer as &dyn client_rs::cache::HasSynced]).await?;
    let queue = WorkQueue::<ObjectKey>::new();
    let key = ObjectKey::new("shop", "web");
    queue.add_rate_limited(key.clone());
    queue.forget(&key);
    Ok(())
}

async fn controllers(rest: RestClient, recorder: EventRecorder, name: &'static str, d: Duration) -> Any {
    let factory = SharedInformerFactory::new(rest.clone());
    let maps = factory.core().v1().config_maps();
    let pods = factory.core().v1().pods().informer();
    let metrics = Prometheus::new();
    let options = ControllerOptions::default().with_prometheus(&metrics, "maps");
    let options = options.with_workers(4).with_settle_window(d);
    let lister = maps.lister();
    let controller = Controller::with_options(name, maps.informer(), options)
        .when(generation_changed())
        .when(finalizers_changed())
        .owns(&pods)
        .watches(&pods, |pod: &Arc<Pod>| [pod.key()])
        .reconcile(move |key: ObjectKey, _: Context| {
            let (lister, recorder) = (lister.clone(), recorder.clone());
            let api = Api::<ConfigMap>::namespaced(&rest, key.namespace.clone());
            async move {
                let Ok(obj) = lister.get(&key) else {
                    return Err(ReconcileError::terminal("it is gone"));
                };
                eventf!(recorder, &*obj, EventType::Normal, "Seen", "looked at it");
                EventRecorder::event(&recorder, &*obj, EventType::Normal, "Seen", "again");
                finalizer(&api, "example.com/name", &obj, |step| async move {
                    match step {
                        Finalizing::Apply(_) => Ok(Action::requeue_after(d)),
                        Finalizing::CleanUp(_) => Ok(Action::done()),
                    }
                })
                .await
            }
        });
    controller.queue().add(ObjectKey::new("shop", "web"));
    let manager = Manager::new(&factory);
    manager.controller(controller).run_until_signal().await?;
    Ok(())
}

/// Never called: it only has to compile.
fn one_client(
    keys: tokio::sync::mpsc::Receiver<ObjectKey>,
    mut pod: Pod,
) -> Result<Manager, Box<dyn std::error::Error>> {
    let caches =
        FactoryOptions::default().with_kind(KindOptions::<Pod>::default().with_label_selector("a=b"));
    let options = ClusterOptions::default().with_factory(caches).with_uncached(Uncached::AskServer);
    let client = ClusterClient::from_config_with("name", &Config::infer()?, options)?.map_rest(|rest| {
        rest.with_dry_run().with_field_manager("me").with_field_validation(FieldValidation::Strict)
    });
    let controller = client
        .controller::<Pod>("pods")
        .channel(keys)
        .source(|_, _| async {})
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    let keyed = KeyedController::new("keyed", |_: ClusterKey, _: Context| async { Ok(Action::done()) });
    add_finalizer(&mut pod.metadata, "example.com/a");
    set_controller(&mut pod.metadata, &Pod::EMPTY)?;
    drop((client.factory().remove::<Pod>(), Finalizers::<Pod>::new()));
    let manager = client.manager().clusters(&Clusters::new()).controller(controller).controller(keyed);
    Ok(manager.leader_runnable("report", |_| async { Ok::<(), std::io::Error>(()) }))
}

#[tokio::test]
async fn fakes_are_what_the_tables_say() {
    let Faked { client, fake } = Clientset::fake(&[]).unwrap();
    fake.prepend_reactor("get", "pods", |_| Reaction::Fail(ApiError::service_unavailable("not now")));
    assert!(client.core_v1().pods("shop").get("web").await.is_err());
    assert_eq!(fake.actions().len(), 1);
    let server = client_rs::apiserver::Server::start().await;
    server.unwrap().shutdown().await;
    let broadcaster = EventBroadcaster::new();
    broadcaster.shutdown().await;
}

#[test]
fn every_name_of_the_tables_is_here() {
    let _ = (clients, informers, controllers, requests, kinds, size_of::<Named>(), size_of::<AlsoNamed>());
    let _ = (size_of::<Streams>(), size_of::<Caches>(), one_client, keyed, lookups);
    let _ = (size_of::<Pager>(), reflects::<()>);
    let own = include_str!("coming_from.rs");
    // Compares the words of the code, regardless of the characters between them.
    let words = |code: &str| -> Vec<String> {
        let separated = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        separated.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let known: std::collections::HashSet<String> = words(own).into_iter().collect();
    let chapters = [
        ("| client-go | here |", include_str!("../../../docs/guide/from-client-go.md")),
        ("| kube-rs | here |", include_str!("../../../docs/guide/from-kube-rs.md")),
    ];
    let mut checked = 0;
    for (head, chapter) in chapters {
        for table in chapter.split(head).skip(1) {
            for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
                let here = row.trim_end_matches('|').rsplit(" | ").next().unwrap();
                for word in here.split('`').skip(1).step_by(2).flat_map(words) {
                    // A cargo feature and a command, not names.
                    if ["k8s", "openapi", "krs", "generate"].contains(&word.as_str()) {
                        continue;
                    }
                    assert!(
                        known.contains(&word),
                        "{word} is in a table, and in no code that compiles: {row}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 200, "{checked}");
}
