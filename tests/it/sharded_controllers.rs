//! Controllers of several replicas that share the keys, in paused time.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::fake::Fake;
use client_rs_client::{Api, RestClient};
use client_rs_controller::{Action, Context, Controller, ControllerOptions, Manager};
use client_rs_informers::SharedInformerFactory;
use client_rs_leaderelection::Fence;
use client_rs_leaderelection::sharding::{Replica, ShardingOptions, shard_of};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Object, ObjectKey, Str, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const SHARDS: u32 = 6;
const KEYS: u32 = 60;

#[derive(Default)]
struct Book {
    busy: HashSet<ObjectKey>,
    /// The last object that a run of each key saw, and its replica.
    seen: HashMap<ObjectKey, (Str, String)>,
    /// One for each shard: no run of an older term may come after one of a newer.
    fences: HashMap<u32, Fence>,
}

type Shared = Arc<Mutex<Book>>;

struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

fn start(rest: &RestClient, name: &str, book: &Shared) -> Running {
    let stop = CancellationToken::new();
    let replica = Replica::start(rest.clone(), ShardingOptions::new("shop", "group", SHARDS, name)).unwrap();
    let factory = SharedInformerFactory::new(rest.clone());
    let maps = factory.of::<ConfigMap>();
    let (lister, book, name) = (maps.lister(), Arc::clone(book), name.to_owned());
    let options = ControllerOptions::default().with_workers(4);
    let controller = Controller::with_options("sharded", maps.informer(), options)
        .sharded(replica.shards())
        .reconcile(move |key: ObjectKey, context: Context| {
            let (lister, book, name) = (lister.clone(), Arc::clone(&book), name.clone());
            async move {
                {
                    let mut book = book.lock().unwrap();
                    assert!(book.busy.insert(key.clone()), "{key} is worked twice at once");
                    let fence = book.fences.entry(shard_of(&key, SHARDS)).or_default();
                    fence.admit(context.fencing_token().unwrap()).unwrap();
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
                let map = lister.get(&key).unwrap();
                let mut book = book.lock().unwrap();
                book.busy.remove(&key);
                book.seen.insert(key, (map.metadata.resource_version.clone(), name));
                Ok(Action::done())
            }
        });
    let manager = Manager::new(&factory).controller_without_election(controller);
    let stopping = stop.clone();
    let task = tokio::spawn(async move {
        manager.run(stopping).await.unwrap();
        replica.shutdown().await;
    });
    Running { stop, task }
}

/// Waits until the current version of every key was processed, by this many replicas.
async fn worked_by(replicas: usize, maps: &Api<ConfigMap>, book: &Shared) {
    let settled = async {
        loop {
            let current = maps.list().await.unwrap().items;
            let (behind, by) = {
                let book = book.lock().unwrap();
                let is_seen = |map: &&ConfigMap| {
                    book.seen.get(&map.key()).is_none_or(|(seen, _)| *seen != map.metadata.resource_version)
                };
                let by: HashSet<_> = book.seen.values().map(|(_, by)| by.clone()).collect();
                (current.iter().filter(is_seen).count(), by.len())
            };
            if (behind, by) == (0, replicas) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(5), settled).await.expect("keys are never worked");
}

#[tokio::test(start_paused = true)]
async fn every_key_is_processed_by_one_replica_while_replicas_come_and_go() {
    let fake = Fake::new(&[]).unwrap();
    let rest = fake.rest_client().unwrap();
    let maps = Api::<ConfigMap>::namespaced(&rest, "shop");
    for number in 0..KEYS {
        let metadata = ObjectMeta { name: format!("map-{number}").into(), ..ObjectMeta::EMPTY };
        maps.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await.unwrap();
    }
    let book = Shared::default();
    let touch = async |turn: u32| {
        let patch = Patch::Merge(json!({"data": {"turn": (turn.to_string())}}));
        for number in 0..KEYS {
            maps.patch(&format!("map-{number}"), &patch).await.unwrap();
        }
    };
    let first = start(&rest, "first", &book);
    worked_by(1, &maps, &book).await;
    let (second, third) = (start(&rest, "second", &book), start(&rest, "third", &book));
    // Every key changes while shards move: neither the old nor the new replica may forget one.
    for turn in 0..20 {
        touch(turn).await;
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    worked_by(3, &maps, &book).await;
    // One leaves in the middle of its work.
    touch(100).await;
    let ending = tokio::spawn(second.end());
    touch(101).await;
    ending.await.unwrap();
    touch(102).await;
    worked_by(2, &maps, &book).await;
    first.end().await;
    third.end().await;
    assert!(book.lock().unwrap().busy.is_empty());
}
