//! The README's tables for users of client-go and kube-rs contain only existing names.
//!
//! Every name of their right column must occur below, and the code below must compile.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use client_rs::api::core::v1::{ConfigMap, Pod};
use client_rs::apiserver::fake::{FakeClient, Faked, Reaction};
use client_rs::cache::reflector::Reflector;
use client_rs::cache::{Deleted, Indexer, wait_for_cache_sync};
use client_rs::client::discovery::{DiscoveryClient, DiskCache, MemoryCache, RestMapper};
use client_rs::client::wait::conditions;
use client_rs::client::{
    Backoff, DynamicClient, Error, MetadataClient, Pager, Request, ScaleClient, retry_on_conflict,
};
use client_rs::controller::{Finalizing, Prometheus, finalizer, generation_changed};
use client_rs::events::{EventBroadcaster, eventf};
use client_rs::leaderelection::{FencingToken, LeaderElector, Leadership, LeaseLock};
use client_rs::machinery::patch::Patch;
use client_rs::machinery::{Unstructured, labels};
use client_rs::prelude::*;

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

/// Types that are only named.
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
    let factory = SharedInformerFactory::new(rest);
    let _ = factory.core().v1().pods().lister();
    let informer = factory.core().v1().pods().informer();
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
    let lister = maps.lister();
    let controller = Controller::with_options(name, maps.informer(), options)
        .when(generation_changed())
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
    let manager = Manager::new(&factory);
    manager.controller(controller).run_until_signal().await?;
    Ok(())
}

#[tokio::test]
async fn fakes_are_what_the_tables_say() {
    let Faked { client, fake } = Clientset::fake(&[]).unwrap();
    fake.prepend_reactor("get", "pods", |_| Reaction::Fail(ApiError::service_unavailable("not now")));
    assert!(client.core_v1().pods("shop").get("web").await.is_err());
    let server = client_rs::apiserver::Server::start().await;
    server.unwrap().shutdown().await;
    let broadcaster = EventBroadcaster::new();
    broadcaster.shutdown().await;
}

#[test]
fn every_name_of_the_tables_is_here() {
    let _ = (clients, informers, controllers, size_of::<Named>(), size_of::<AlsoNamed>());
    let _ = (size_of::<Pager>(), reflects::<()>);
    let own = include_str!("coming_from.rs");
    let tables = include_str!("../../../docs/coming-from.md");
    // Compares the words of the code, regardless of the characters between them.
    let words = |code: &str| -> Vec<String> {
        let separated = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        separated.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let known: std::collections::HashSet<String> = words(own).into_iter().collect();
    let mut checked = 0;
    for table in ["| client-go | here |", "| kube-rs | here |"] {
        let (_, table) = tables.split_once(table).unwrap();
        for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
            let here = row.trim_end_matches('|').rsplit('|').next().unwrap();
            for word in here.split('`').skip(1).step_by(2).flat_map(words) {
                // A cargo feature, not a name.
                if ["k8s", "openapi"].contains(&word.as_str()) {
                    continue;
                }
                assert!(
                    known.contains(&word),
                    "{word} is in docs/coming-from.md, and in no code that compiles: {row}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
}
