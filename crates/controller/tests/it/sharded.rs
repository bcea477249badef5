//! Keyed controllers whose keys and caches are distributed over replicas, on servers with and without KEP-5866.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Namespace};
use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
use client_rs_cache::SharedInformer;
use client_rs_client::{Api, RestClient};
use client_rs_controller::{
    Action, Context, KeyShards, KeyedController, KeyedOptions, ReconcileError, ShardedInformers,
};
use client_rs_informers::RestListWatch;
use client_rs_leaderelection::sharding::{Replica, ShardBy, ShardingOptions};
use client_rs_machinery::{Object, ObjectKey, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const SHARDS: u32 = 4;
const NAMESPACES: usize = 12;

/// The keys that each replica has worked on, with the number of entries that it saw.
type Seen = Arc<Mutex<BTreeMap<ObjectKey, Vec<(&'static str, usize)>>>>;

struct Worker {
    replica: Replica,
    caches: ShardedInformers<ConfigMap>,
    controller: KeyedController<ObjectKey>,
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

fn start(rest: &RestClient, identity: &'static str, by: ShardBy, seen: &Seen) -> Worker {
    let options = ShardingOptions::new("default", "maps", SHARDS, identity).with_by(by);
    let replica = Replica::start(rest.clone(), options).unwrap();
    let source = RestListWatch::<ConfigMap>::new(rest.clone());
    let caches = ShardedInformers::new(source, replica.shards());
    let (reads, seen) = (caches.clone(), Arc::clone(seen));
    let options = KeyedOptions::default().with_shards(KeyShards::from(replica.shards()));
    let reconcile = move |key: ObjectKey, _: Context| {
        let (found, seen) = (reads.get(&key), Arc::clone(&seen));
        async move {
            // An object that has not arrived is an error, and never looks like a deleted one.
            let map = found?.ok_or_else(|| ReconcileError::message("no map was deleted"))?;
            seen.lock().unwrap().entry(key).or_default().push((identity, map.data.len()));
            Ok(Action::done())
        }
    };
    let controller = KeyedController::with_options("maps", reconcile, options);
    let own = controller.clone();
    caches.for_each(move |informer| own.watch(informer, |map| is_ours(map).then(|| map.key())).ok());
    let stop = CancellationToken::new();
    let running = controller.clone();
    let until = stop.clone();
    let tasks = vec![
        tokio::spawn(caches.clone().run(stop.clone())),
        tokio::spawn(async move { running.run(until).await.unwrap() }),
    ];
    Worker { replica, caches, controller, stop, tasks }
}

/// Namespaces have config maps of the control plane, too.
fn is_ours(map: &Arc<ConfigMap>) -> bool {
    map.name() == "settings"
}

impl Worker {
    fn cached(&self) -> usize {
        let of = |informer: &SharedInformer<ConfigMap>| {
            informer.indexer().list().iter().filter(|map| is_ours(map)).count()
        };
        self.caches.informers().iter().map(of).sum()
    }

    async fn end(self) {
        self.stop.cancel();
        for task in self.tasks {
            task.await.unwrap();
        }
        self.replica.shutdown().await;
    }
}

/// Waits for a condition, as long as it takes on the paused clock.
async fn until(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..2000 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("never: {what}");
}

async fn write(rest: &RestClient, namespace: usize, value: &str) {
    let maps = Api::<ConfigMap>::namespaced(rest, format!("team-{namespace}"));
    let map = json!({"metadata": {"name": "settings"}, "data": {"value": value, value: "x"}});
    maps.apply(map, "user").await.unwrap();
}

async fn shares_the_work(sharded_lists: bool, by: ShardBy) {
    let storage = StorageOptions::default().with_sharded_lists(sharded_lists);
    let options = ServerOptions::default().with_listen(None).with_storage(storage.into());
    let server = Server::start_with(options).await.unwrap();
    let rest = server.rest_client().unwrap();
    for number in 0..NAMESPACES {
        let namespace = json!({"metadata": {"name": format!("team-{number}")}});
        Api::<Namespace>::cluster(&rest).apply(namespace, "user").await.unwrap();
        write(&rest, number, "one").await;
    }
    let seen = Seen::default();
    let first = start(&rest, "first", by, &seen);
    let all_seen = |by: &str| {
        let seen = seen.lock().unwrap();
        seen.values().filter(|runs| runs.iter().any(|(identity, _)| *identity == by)).count()
    };
    until("the first replica has worked on everything", || all_seen("first") == NAMESPACES).await;
    assert_eq!(first.cached(), NAMESPACES);

    // A second replica takes over half of the shards, with their objects.
    let second = start(&rest, "second", by, &seen);
    let held = |worker: &Worker| worker.replica.held().borrow().len();
    until("each has half of the shards", || held(&first) == 2 && held(&second) == 2).await;
    let owned = |worker: &Worker| {
        let shards = worker.replica.shards();
        let held = worker.replica.held().borrow().clone();
        let key = |number| ObjectKey::new(format!("team-{number}"), "settings");
        (0..NAMESPACES).filter(|number| held.contains(&shards.of(&key(*number)))).count()
    };
    let counts = (owned(&first), owned(&second));
    assert_eq!(counts.0 + counts.1, NAMESPACES);
    assert!(counts.0 > 0 && counts.1 > 0, "{counts:?}");
    until("the second replica has worked on its keys", || all_seen("second") == counts.1).await;
    if sharded_lists && by == ShardBy::Namespace {
        let informers = |worker: &Worker| worker.caches.informers().len();
        until("there is an informer per shard", || informers(&first) == 2 && informers(&second) == 2).await;
        until("each caches its own objects", || (first.cached(), second.cached()) == counts).await;
        let foreign = (0..NAMESPACES).map(|number| ObjectKey::new(format!("team-{number}"), "settings"));
        let readable = foreign.filter(|key| first.caches.get(key).is_ok()).count();
        assert_eq!(readable, counts.0, "only the objects of held shards can be read");
    } else {
        assert_eq!((first.caches.informers().len(), second.caches.informers().len()), (1, 1));
    }

    // Each change is worked on by its owner alone.
    seen.lock().unwrap().clear();
    for number in 0..NAMESPACES {
        write(&rest, number, "two").await;
    }
    until("all changes are worked on", || seen.lock().unwrap().len() == NAMESPACES).await;
    assert_eq!((all_seen("first"), all_seen("second")), counts);
    assert_eq!(second.controller.state().shards.map(|held| held.len()), Some(2));

    // The first replica leaves; nothing is left behind.
    seen.lock().unwrap().clear();
    first.end().await;
    until("the second replica has everything", || all_seen("second") >= NAMESPACES - counts.1).await;
    for number in 0..NAMESPACES {
        write(&rest, number, "three").await;
    }
    let sees_three = || {
        let seen = seen.lock().unwrap();
        seen.len() == NAMESPACES && seen.values().all(|runs| runs.last() == Some(&("second", 2)))
    };
    until("the second replica works on all changes", sees_three).await;
    second.end().await;
}

#[tokio::test(start_paused = true)]
async fn replicas_cache_their_own_shards_where_the_server_selects_them() {
    shares_the_work(true, ShardBy::Namespace).await;
}

#[tokio::test(start_paused = true)]
async fn replicas_share_the_work_where_the_server_selects_no_shards() {
    shares_the_work(false, ShardBy::Namespace).await;
}

#[tokio::test(start_paused = true)]
async fn shards_by_key_have_caches_of_all_objects() {
    shares_the_work(true, ShardBy::Key).await;
}
