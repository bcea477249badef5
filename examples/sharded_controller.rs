//! A controller in three replicas that share the keys: `cargo run --example sharded_controller`.
//!
//! The replicas and the API server are tasks of this process, so that the example runs without a cluster. In production each
//! replica is a pod. One of them leaves in the middle: the others take over its shards.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs::api::core::v1::ConfigMap;
use client_rs::apiserver::Server;
use client_rs::leaderelection::LeaderElectionOptions;
use client_rs::leaderelection::sharding::{Replica, ShardingOptions};
use client_rs::prelude::*;

const KEYS: usize = 30;

/// The replica that worked on each key last.
type Worked = Arc<Mutex<BTreeMap<ObjectKey, String>>>;

/// Runs until it is stopped, then releases its shards.
async fn replica(rest: RestClient, name: String, worked: Worked, stop: CancellationToken) {
    let election = LeaderElectionOptions::default()
        .with_lease_duration(Duration::from_secs(3))
        .with_renew_deadline(Duration::from_secs(2))
        .with_retry_period(Duration::from_millis(200));
    // Six shards, which is fixed: more than there will be replicas, so that they are distributed evenly.
    let options = ShardingOptions::new("default", "example", 6, name.clone()).with_election(election);
    let replica = Replica::start(rest.clone(), options).expect("the options are valid");
    let factory = SharedInformerFactory::new(rest);
    let maps = factory.core().v1().config_maps().informer();
    let controller = Controller::new("sharded", maps).sharded(replica.shards()).reconcile(
        move |key: ObjectKey, context: Context| {
            // Writes to the API server go through `context.gated(&rest)`, which refuses them when the shard is lost.
            // A write to another system sends the token, so that a replica that was paused can't write too late.
            assert!(context.fencing_token().is_some());
            worked.lock().expect("nobody panics with it").insert(key, name.clone());
            std::future::ready(Ok(Action::done()))
        },
    );
    let shards = replica.shards();
    let manager = Manager::new(&factory)
        .controller_without_election(controller)
        // Replicas with different numbers of shards end with an error.
        .runnable("shards", |stop| shards.until_refused(stop));
    manager.run(stop).await.expect("it is stopped in order");
    // The shards are released when no work runs any more.
    replica.shutdown().await;
}

/// Waits until this many replicas share the keys, and prints the numbers.
async fn shared_by(replicas: usize, worked: &Worked) {
    loop {
        let mut shares = BTreeMap::new();
        for who in worked.lock().expect("nobody panics with it").values() {
            *shares.entry(who.clone()).or_insert(0) += 1;
        }
        if shares.len() == replicas && shares.values().sum::<usize>() == KEYS {
            println!("{shares:?}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::start().await?;
    let rest = server.rest_client()?;
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    for number in 0..KEYS {
        let metadata = ObjectMeta { name: format!("map-{number}").into(), ..ObjectMeta::EMPTY };
        maps.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await?;
    }
    let worked = Worked::default();
    let mut replicas = Vec::new();
    for name in ["replica-1", "replica-2", "replica-3"] {
        let stop = CancellationToken::new();
        let running = tokio::spawn(replica(rest.clone(), name.to_owned(), Arc::clone(&worked), stop.clone()));
        replicas.push((stop, running));
    }
    shared_by(3, &worked).await;

    println!("replica-1 leaves");
    let (stop, running) = replicas.remove(0);
    stop.cancel();
    running.await?;
    shared_by(2, &worked).await;
    for (stop, running) in replicas {
        stop.cancel();
        running.await?;
    }
    Ok(())
}
