//! Replicas over a server in memory, in paused time.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use client_rs_api::coordination::v1::Lease;
use client_rs_client::Request;
use client_rs_client::flow_control::TokenBucketLimiter;
use client_rs_leaderelection::sharding::{Replica, ShardBy, ShardingError, ShardingOptions, shard_of};
use client_rs_leaderelection::{Fence, FencingToken, OptionsError};
use client_rs_machinery::{ObjectKey, ShardField, ShardSelector};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::common::Server;

const SHARDS: u32 = 8;

fn start(server: &Server, identity: &str) -> (Replica, Arc<AtomicBool>) {
    let (client, cut) = server.client();
    (Replica::start(client, ShardingOptions::new("shop", "web", SHARDS, identity)).unwrap(), cut)
}

fn held(replica: &Replica) -> BTreeSet<u32> {
    replica.held().borrow().clone()
}

fn keys() -> Vec<ObjectKey> {
    (0..100).map(|number| ObjectKey::new("default", format!("pod-{number}"))).collect()
}

/// The replica that can claim each key. Checks that no other one can.
fn claimed(replicas: &[&Replica]) -> Vec<usize> {
    let by = |key: &ObjectKey| {
        let by: Vec<_> = (0..replicas.len()).filter(|&index| replicas[index].claim(key).is_some()).collect();
        assert!(by.len() <= 1, "{key} is claimed by {by:?}");
        by.first().copied()
    };
    keys().iter().filter_map(by).collect()
}

async fn settled(replicas: &[&Replica]) {
    let balanced = async {
        loop {
            let counts: Vec<usize> = replicas.iter().map(|replica| held(replica).len()).collect();
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            if counts.iter().sum::<usize>() == SHARDS as usize && most - least <= 1 {
                break;
            }
            claimed(replicas);
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_mins(2), balanced).await.expect("they do not settle");
    assert_eq!(claimed(replicas).len(), keys().len());
}

#[tokio::test(start_paused = true)]
async fn shards_are_distributed_over_replicas_that_join_and_leave() {
    let server = Server::default();
    let (a, _) = start(&server, "a");
    settled(&[&a]).await;
    let (b, _) = start(&server, "b");
    settled(&[&a, &b]).await;
    let (c, _) = start(&server, "c");
    settled(&[&a, &b, &c]).await;
    let kept = held(&c);
    b.shutdown().await;
    settled(&[&a, &c]).await;
    assert!(kept.is_subset(&held(&c)), "more moved than needed");
    // Only the Leases of the shards and of the two live replicas are left.
    a.shutdown().await;
    settled(&[&c]).await;
    c.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_partitioned_replica_loses_its_shards_and_can_not_write_late() {
    let server = Server::default();
    let (a, cut) = start(&server, "a");
    let (b, _) = start(&server, "b");
    let (c, _) = start(&server, "c");
    settled(&[&a, &b, &c]).await;
    let key = keys().into_iter().find(|key| a.claim(key).is_some()).unwrap();
    let claim = a.claim(&key).unwrap();
    assert_eq!(claim.shard(), shard_of(&key, SHARDS));
    let mut fence = Fence::default();
    fence.admit(claim.scope().check().unwrap()).unwrap();
    cut.store(true, Ordering::Relaxed);
    let begin = Instant::now();
    assert!(claim.run(std::future::pending::<()>()).await.is_err());
    assert!(begin.elapsed() <= Duration::from_secs(10), "{:?}", begin.elapsed());
    assert!(held(&a).len() < 3 && a.claim(&key).is_none());
    settled(&[&b, &c]).await;
    // The others have observed the expired lease all along, so they do not wait twice.
    assert!(begin.elapsed() < Duration::from_secs(25), "{:?}", begin.elapsed());
    let next: FencingToken =
        [&b, &c].iter().find_map(|other| Some(other.claim(&key)?.scope().fencing_token().clone())).unwrap();
    fence.admit(&next).unwrap();
    assert!(fence.admit(claim.scope().fencing_token()).is_err());
    // Connected again, it gets shards again.
    drop(claim);
    cut.store(false, Ordering::Relaxed);
    settled(&[&a, &b, &c]).await;
}

#[tokio::test(start_paused = true)]
async fn a_shard_is_not_handed_over_under_a_claim() {
    let server = Server::default();
    let (a, _) = start(&server, "a");
    settled(&[&a]).await;
    let claims: Vec<_> = keys().iter().filter_map(|key| a.claim(key)).collect();
    let (b, _) = start(&server, "b");
    sleep(Duration::from_secs(8)).await;
    // Half of the shards can't be claimed any more, and the other replica does not hold them yet.
    assert_eq!((held(&a).len(), held(&b).len()), (4, 0));
    let drained: Vec<_> = claims.iter().filter(|claim| !held(&a).contains(&claim.shard())).collect();
    assert!(!drained.is_empty());
    assert!(drained.iter().all(|claim| claim.scope().is_leading() && !claim.scope().token().is_cancelled()));
    // Asked to end after ten seconds, and still held.
    sleep(Duration::from_secs(12)).await;
    assert!(drained.iter().all(|claim| claim.scope().is_leading() && claim.scope().token().is_cancelled()));
    assert_eq!(held(&b).len(), 0);
    drop(claims);
    settled(&[&a, &b]).await;
}

#[tokio::test(start_paused = true)]
async fn the_lease_of_a_replica_that_is_long_gone_is_removed() {
    let server = Server::default();
    let (a, cut) = start(&server, "a");
    let (b, _) = start(&server, "b");
    settled(&[&a, &b]).await;
    cut.store(true, Ordering::Relaxed);
    sleep(Duration::from_secs(140)).await;
    server.heard();
    sleep(Duration::from_secs(20)).await;
    let removed = server.heard().into_iter().filter(|what| what.starts_with("DELETE web-member-")).count();
    assert_eq!(removed, 1);
    drop(a);
    b.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn invalid_options_are_refused() {
    let server = Server::default();
    let refused = |name: &str, shards, identity: &str| {
        Replica::start(server.client().0, ShardingOptions::new("shop", name, shards, identity)).err()
    };
    assert_eq!(refused("web", 0, "a"), Some(ShardingError::NoShards));
    assert_eq!(refused("web", 1, ""), Some(OptionsError::Identity.into()));
    assert!(matches!(refused("Web!", 1, "a"), Some(ShardingError::Name(_))));
    assert!(matches!(refused(&"x".repeat(64), 1, "a"), Some(ShardingError::Name(_))));
}

#[tokio::test(start_paused = true)]
async fn shards_are_kept_despite_the_rate_limit_of_the_client_and_its_other_requests() {
    let server = Server::default();
    // client-go's default limit, and twenty workers that always have a request waiting for it.
    let (client, _) = server.client_with(Some(Arc::new(TokenBucketLimiter::new(5.0, 10))));
    let options = ShardingOptions::new("shop", "web", 32, "a");
    let replica = Replica::start(client.clone(), options).unwrap();
    let mut changes = replica.held();
    timeout(Duration::from_secs(20), changes.wait_for(|held| held.len() == 32)).await.unwrap().unwrap();
    let workers: Vec<_> = (0..20)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                loop {
                    let _ =
                        client.send_raw(Request::get().of::<Lease>().namespace("shop").name("none")).await;
                }
            })
        })
        .collect();
    let shrinks = changes.wait_for(|held| held.len() < 32);
    assert!(timeout(Duration::from_mins(5), shrinks).await.is_err(), "a shard is lost");
    for worker in workers {
        worker.abort();
    }
    replica.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn replicas_with_different_numbers_of_shards_never_work_one_key() {
    let key = keys().into_iter().find(|key| shard_of(key, 16) != shard_of(key, 32)).unwrap();
    let server = Server::default();
    let begin = |shards, identity: &str| {
        let (client, cut) = server.client();
        (Replica::start(client, ShardingOptions::new("shop", "web", shards, identity)).unwrap(), cut)
    };
    let (old, cut) = begin(16, "old");
    sleep(Duration::from_secs(10)).await;
    assert!(old.claim(&key).is_some());
    // A rolling change: the new replica is refused while the old one runs.
    let (new, _) = begin(32, "new");
    let error = timeout(Duration::from_secs(10), new.refused()).await.expect("it is not refused");
    assert_eq!(
        error,
        ShardingError::ShardCount { group: "web".into(), own: 32, other: 16, member: "old".into() }
    );
    assert!(error.to_string().contains("this replica has 32 shards, and old of the group"), "{error}");
    let stopped = new.shards().until_refused(CancellationToken::new()).await;
    assert_eq!(stopped, Err(error));
    assert!(new.claim(&key).is_none() && old.claim(&key).is_some());
    new.shutdown().await;
    sleep(Duration::from_mins(1)).await;
    assert_eq!(held(&old).len(), 16, "the old one is not disturbed");

    // The old replica is partitioned, with work in progress: the new one begins when the old one's time is over.
    let work = old.claim(&key).unwrap();
    cut.store(true, Ordering::Relaxed);
    let (new, _) = begin(32, "newer");
    let working = async {
        while new.claim(&key).is_none() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(40), working).await.expect("it never begins");
    assert!(!work.scope().is_leading() && old.claim(&key).is_none());
    // Connected again, the old one is refused, and never works on the key.
    cut.store(false, Ordering::Relaxed);
    let term = work.scope().clone();
    let refused = async {
        tokio::select! {
            error = old.refused() => error,
            () = async {
                loop {
                    assert!(old.claim(&key).is_none() && !term.is_leading());
                    sleep(Duration::from_millis(50)).await;
                }
            } => unreachable!(),
        }
    };
    // It waits for work in progress, which ends.
    tokio::spawn(async move {
        sleep(Duration::from_secs(5)).await;
        drop(work);
    });
    let error = timeout(Duration::from_mins(1), refused).await.expect("two numbers at once");
    assert!(matches!(error, ShardingError::ShardCount { own: 16, other: 32, .. }), "{error}");
    assert!(new.claim(&key).is_some());
    new.shutdown().await;
    old.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn leases_of_versions_that_did_not_write_the_number_of_shards_are_understood() {
    let server = Server::default();
    let forget = || {
        for path in server.paths() {
            server.edit(&path, |lease| lease["metadata"]["annotations"] = serde_json::Value::Null);
        }
    };
    let (a, cut) = start(&server, "a");
    settled(&[&a]).await;
    forget();
    cut.store(true, Ordering::Relaxed);
    // The same number: it takes part.
    let (b, _) = start(&server, "b");
    assert!(timeout(Duration::from_secs(8), b.refused()).await.is_err());
    b.shutdown().await;
    // Fewer: the names of the Leases show it, until they have expired.
    let (client, _) = server.client();
    let fewer = Replica::start(client, ShardingOptions::new("shop", "web", 4, "c")).unwrap();
    sleep(Duration::from_secs(10)).await;
    assert!(held(&fewer).is_empty());
    sleep(Duration::from_secs(15)).await;
    assert_eq!(held(&fewer).len(), 4);
    drop(a);
    fewer.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_shard_is_not_released_while_its_work_runs() {
    let server = Server::default();
    let (a, cut) = start(&server, "a");
    settled(&[&a]).await;
    // Work that ignores its scope.
    let claim = a.claim(&keys()[0]).unwrap();
    let path = format!("/apis/coordination.k8s.io/v1/namespaces/shop/leases/web-shard-{}", claim.shard());
    cut.store(true, Ordering::Relaxed);
    claim.scope().lost().await;
    cut.store(false, Ordering::Relaxed);
    let holder = || server.object(&path).unwrap()["spec"]["holderIdentity"].clone();
    for _ in 0..50 {
        sleep(Duration::from_millis(100)).await;
        assert_eq!(holder(), "a");
    }
    // It never ends; the replica leads the shard again, in another term.
    sleep(Duration::from_mins(1)).await;
    let again = a.claim(&keys()[0]).unwrap();
    assert!(again.scope().fencing_token().transitions > claim.scope().fencing_token().transitions);
    assert!(!claim.scope().is_leading());
    drop((claim, again));
    a.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn slow_work_keeps_its_shard_while_the_replica_stops() {
    let server = Server::default();
    let (a, _) = start(&server, "a");
    settled(&[&a]).await;
    let (b, _) = start(&server, "b");
    let claim = a.claim(&keys()[0]).unwrap();
    let (scope, key) = (claim.scope().clone(), keys()[0].clone());
    let stopping = tokio::spawn(a.shutdown());
    for _ in 0..60 {
        sleep(Duration::from_secs(1)).await;
        assert!(scope.is_leading() && b.claim(&key).is_none());
    }
    assert!(!stopping.is_finished());
    drop(claim);
    stopping.await.unwrap();
    settled(&[&b]).await;
    b.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn replicas_that_shard_by_key_and_by_namespace_never_work_at_once() {
    let server = Server::default();
    let begin = |by, identity: &str| {
        let options = ShardingOptions::new("shop", "web", 16, identity).with_by(by);
        Replica::start(server.client().0, options).unwrap()
    };
    let key =
        keys().into_iter().find(|key| shard_of(key, 16) != ShardBy::Namespace.shard_of(key, 16)).unwrap();
    let old = begin(ShardBy::Key, "old");
    sleep(Duration::from_secs(10)).await;
    assert!(old.claim(&key).is_some());
    let new = begin(ShardBy::Namespace, "new");
    let error = timeout(Duration::from_secs(10), new.refused()).await.expect("it is not refused");
    let (own, other) = (ShardBy::Namespace, ShardBy::Key);
    assert_eq!(error, ShardingError::ShardBy { group: "web".into(), own, other, member: "old".into() });
    assert!(new.claim(&key).is_none() && old.claim(&key).is_some());
    new.shutdown().await;
    old.shutdown().await;
    // Without the others, it takes part. Its shards are those that the server selects.
    let new = begin(ShardBy::Namespace, "new");
    let mut changes = new.held();
    timeout(Duration::from_mins(1), changes.wait_for(|held| held.len() == 16)).await.unwrap().unwrap();
    let claim = new.claim(&key).unwrap();
    assert_eq!(claim.shard(), ShardSelector::part_of(&key.namespace, 16));
    let selector = new.shards().selector([claim.shard()]).unwrap();
    assert_eq!(Some(selector), ShardSelector::part(ShardField::Namespace, claim.shard(), 16));
    drop(claim);
    new.shutdown().await;
    let many = ShardingOptions::new("shop", "web", 1 << 31, "a");
    assert_eq!(Replica::start(server.client().0, many).err(), Some(ShardingError::TooManyShards));
}
