//! The Lease as a lock, and the candidate object, over a server in memory.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use client_rs_api::coordination::{v1alpha2, v1beta1};
use client_rs_events::EventRecorder;
use client_rs_leaderelection::{
    CandidateObject, CandidateOptions, HandoverNote, LeaderElectionRecord, LeaderElector, LeaseCandidate,
    LeaseLock, LeaseLockOptions, Release, ResourceLock,
};
use client_rs_machinery::{MicroTime, Str};
use serde_json::json;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::common::Server;

const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/shop/leases/web";

fn record(holder: &str) -> LeaderElectionRecord {
    LeaderElectionRecord {
        holder_identity: holder.into(),
        lease_duration_seconds: 15,
        acquire_time: MicroTime::new(1_772_366_400, 1000),
        renew_time: MicroTime::new(1_772_366_401, 2000),
        leader_transitions: 3,
        ..LeaderElectionRecord::EMPTY
    }
}

#[tokio::test(start_paused = true)]
async fn t7_14_get_create_update_and_their_errors() {
    let server = Server::default();
    let (client, _) = server.client();
    let lock = LeaseLock::new(&client, LeaseLockOptions::new(("shop", "web"), "me"));
    assert_eq!((lock.identity(), lock.describe().as_str()), ("me", "shop/web"));
    assert!(lock.update(record("me")).await.unwrap_err().to_string().contains("has not been read yet"));
    assert!(lock.get().await.unwrap_err().is_not_found());
    lock.create(record("me")).await.unwrap();
    assert!(lock.create(record("me")).await.unwrap_err().is_conflict());
    assert_eq!(lock.get().await.unwrap(), record("me"));
    lock.update(record("you")).await.unwrap();
    lock.update(record("me")).await.unwrap();
    let stored = server.object(LEASE).unwrap();
    assert_eq!(stored["spec"]["holderIdentity"], "me");
    assert_eq!(stored["spec"]["acquireTime"], "2026-03-01T12:00:00.000001Z");
    assert_eq!(stored["spec"]["leaseTransitions"], 3);
    assert!(stored["metadata"]["labels"].is_null());
    // Another client has written: a conflict, until the lock is read again.
    server.edit(LEASE, |lease| lease["spec"]["holderIdentity"] = json!("other"));
    assert!(lock.update(record("me")).await.unwrap_err().is_conflict());
    assert_eq!(lock.get().await.unwrap().holder_identity, "other");
    lock.update(record("me")).await.unwrap();
    for code in [403, 500] {
        server.fail_next(code);
        let error = lock.get().await.unwrap_err();
        assert!(!error.is_not_found() && !error.is_conflict(), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn t7_14_labels_are_merged_and_events_recorded() {
    let server = Server::default();
    let (client, _) = server.client();
    let (recorder, mut events) = EventRecorder::channel("web", 10);
    let options = LeaseLockOptions::new(("shop", "web"), "me")
        .with_labels([("app", Str::from("web"))])
        .with_recorder(recorder);
    let lock = LeaseLock::new(&client, options);
    // There is no object yet to record an event for.
    lock.record_event("became leader");
    lock.create(record("me")).await.unwrap();
    server.edit(LEASE, |lease| lease["metadata"]["labels"] = json!({"team": "blue", "app": "old"}));
    lock.get().await.unwrap();
    lock.update(record("me")).await.unwrap();
    let stored = server.object(LEASE).unwrap();
    assert_eq!(stored["metadata"]["labels"], json!({"app": "web", "team": "blue"}));
    lock.record_event("stopped leading");
    let event = events.recv().await.unwrap();
    assert_eq!((event.message.as_str(), event.reason.as_str()), ("me stopped leading", "LeaderElection"));
    assert_eq!((event.involved_object.kind.as_str(), event.type_.as_str()), ("Lease", "Normal"));
    assert_eq!(event.involved_object.api_version, "coordination.k8s.io/v1");
    // Without a recorder nothing happens.
    LeaseLock::new(&client, LeaseLockOptions::new(("shop", "web"), "me")).record_event("became leader");
    assert!(events.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn the_next_leader_finds_the_note_of_the_last_renewal_or_release() {
    let server = Server::default();
    let replica = |name: &'static str| {
        let (client, cut) = server.client();
        let lock = LeaseLock::new(&client, LeaseLockOptions::new(("shop", "web"), name));
        let elector = LeaderElector::new(lock).unwrap();
        let work = Arc::new(AtomicUsize::new(0));
        let done = Arc::clone(&work);
        let note: HandoverNote = Arc::new(move |found| {
            let before = found.map_or(String::new(), |found| format!("{found} "));
            Some(format!("{before}{name}{}", done.load(Ordering::Relaxed)))
        });
        elector.leave_note(Some(note));
        (elector, work, cut)
    };
    let stored = || server.object(LEASE).unwrap()["metadata"]["annotations"]["client-rs.io/handover"].clone();
    let [(a, a_work, _), (b, b_work, b_cut), (c, ..)] = ["a", "b", "c"].map(replica);
    let leadership = a.acquire().await;
    assert_eq!((a.found_note(), stored()), (None, json!(null)));
    a_work.store(1, Ordering::Relaxed);
    sleep(Duration::from_secs(3)).await;
    assert_eq!(stored(), "a1", "a renewal");
    a_work.store(2, Ordering::Relaxed);
    leadership.release().await;
    assert_eq!(stored(), "a2", "the release");
    // A claim keeps the note, for the case that its leader ends before it renews.
    let leadership = b.acquire().await;
    assert_eq!((b.found_note().unwrap().as_str(), stored()), ("a2", json!("a2")));
    sleep(Duration::from_secs(3)).await;
    assert_eq!(stored(), "a2 b0");
    // A leader that can't renew leaves the note of its last renewal.
    b_cut.store(true, Ordering::Relaxed);
    b_work.store(1, Ordering::Relaxed);
    leadership.lost().await;
    let third = c.acquire().await;
    assert_eq!(c.found_note().as_deref(), Some("a2 b0"));
    // A note that panics, or none, changes neither the term nor the stored note.
    let broken: HandoverNote = Arc::new(|_| -> Option<String> { panic!("on purpose") });
    for note in [broken, Arc::new(|_| None)] {
        c.leave_note(Some(note));
        sleep(Duration::from_secs(3)).await;
        assert!(third.is_leading());
    }
    assert_eq!(stored(), "a2 b0");
    // After the loss: the lock belongs to another candidate, and stays as it is.
    b_cut.store(false, Ordering::Relaxed);
    assert_eq!(leadership.release().await, Release::NotHeld);
    assert_eq!(stored(), "a2 b0");
}

async fn candidate_lives<K: CandidateObject>(version: &str) {
    let path = format!("/apis/coordination.k8s.io/{version}/namespaces/kube-system/leasecandidates/me");
    let server = Server::default();
    let (client, _) = server.client();
    let options = CandidateOptions::new(("kube-system", "me"), "kube-scheduler", "1.37.1");
    let cancel = CancellationToken::new();
    let running = tokio::spawn({
        let cancel = cancel.clone();
        async move { LeaseCandidate::<K>::new(client, options).run(cancel).await }
    });
    // Not found at first, and refused once.
    server.fail_next(500);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(server.heard(), ["GET me", "GET me", "POST leasecandidates", "WATCH leasecandidates"]);
    let stored = server.object(&path).unwrap();
    assert_eq!(stored["spec"]["leaseName"], "kube-scheduler");
    assert_eq!(stored["spec"]["binaryVersion"], "1.37.1");
    // A change without a ping gets no renewal.
    server.edit(&path, |candidate| candidate["metadata"]["labels"] = json!({"a": "b"}));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(server.heard(), Vec::<String>::new());
    // A ping is.
    server.edit(&path, |candidate| candidate["spec"]["pingTime"] = json!("2099-01-01T00:00:00.000000Z"));
    sleep(Duration::from_millis(1)).await;
    assert_eq!(server.heard(), ["PUT me"]);
    let answered = server.object(&path).unwrap();
    assert_eq!(answered["spec"]["renewTime"], answered["spec"]["pingTime"]);
    // And unasked after five minutes.
    sleep(Duration::from_mins(5)).await;
    let heard = server.heard();
    assert_eq!(heard, ["GET me", "PUT me", "WATCH leasecandidates"]);
    cancel.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn t7_15_a_candidate_is_created_once_and_answers_pings() {
    candidate_lives::<v1beta1::LeaseCandidate>("v1beta1").await;
    candidate_lives::<v1alpha2::LeaseCandidate>("v1alpha2").await;
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_watches_fail_at_once_gets_at_most_one_watch_per_second() {
    for broken in [
        json!({"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410}}),
        json!({"type": "DELETED", "object": {
            "kind": "LeaseCandidate", "apiVersion": "coordination.k8s.io/v1beta1",
            "metadata": {"name": "me", "namespace": "kube-system"}, "spec": {},
        }}),
    ] {
        let server = Server::default();
        server.watches_say(&broken);
        let (client, _) = server.client();
        let options = CandidateOptions::new(("kube-system", "me"), "kube-scheduler", "1.37.1");
        let cancel = CancellationToken::new();
        let candidate = LeaseCandidate::<v1beta1::LeaseCandidate>::new(client, options);
        let running = tokio::spawn({
            let cancel = cancel.clone();
            async move { candidate.run(cancel).await }
        });
        sleep(Duration::from_mins(1)).await;
        let watches = server.heard().iter().filter(|what| what.starts_with("WATCH")).count();
        assert!((2..=60).contains(&watches), "{watches} rounds in a minute");
        cancel.cancel();
        running.await.unwrap();
    }
}
