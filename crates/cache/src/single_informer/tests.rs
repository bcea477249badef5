//! The unshared informer, over each kind of queue.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use client_rs_machinery::{ApiError, ObjectKey};

use super::*;
use crate::Notification;
use crate::fake_server::FakeServer;
use crate::fixtures::{TestObject, object};
use crate::{
    Deleted, DeltaFifo, DeltaFifoOptions, HandlerFns, InOrderFifo, InOrderFifoOptions, Tombstone, Transform,
};

/// The notifications of a handler.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl EventHandler<TestObject> for Recorder {
    fn handle(&self, notification: &Notification<TestObject>) {
        self.0.lock().unwrap().push(format!("{notification:?}"));
    }
}

/// A running informer.
struct Running<Q> {
    indexer: Indexer<TestObject>,
    handle: SingleInformerHandle<TestObject, Q>,
    cancel: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

impl<Q> Running<Q> {
    async fn stop(self) {
        self.cancel.cancel();
        self.task.await.unwrap();
    }
}

fn start<Q: Queue<TestObject>>(
    server: &FakeServer,
    make: impl FnOnce(&Indexer<TestObject>) -> Q,
    handler: impl EventHandler<TestObject>,
) -> Running<Q> {
    let (writer, indexer) = Indexer::new();
    let queue = Arc::new(make(&indexer));
    let source = Arc::new(server.clone());
    let controller = SingleInformer::new(source, queue, writer, handler, ReflectorOptions::default());
    let (handle, cancel) = (controller.handle(), CancellationToken::new());
    let task = tokio::spawn(controller.run(cancel.clone()));
    Running { indexer, handle, cancel, task }
}

fn atomic(_: &Indexer<TestObject>) -> InOrderFifo<TestObject> {
    InOrderFifo::new(InOrderFifoOptions::default())
}

fn comparing(indexer: &Indexer<TestObject>) -> InOrderFifo<TestObject> {
    let known = Some(Arc::new(indexer.clone()) as _);
    InOrderFifo::new(InOrderFifoOptions { known, ..InOrderFifoOptions::default() })
}

fn by_key(indexer: &Indexer<TestObject>) -> DeltaFifo<TestObject> {
    let known = Some(Arc::new(indexer.clone()) as _);
    DeltaFifo::new(DeltaFifoOptions { known, ..DeltaFifoOptions::default() })
}

async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// Changes the source, partly at once and partly later; returns the final state of each key.
async fn churn(server: &FakeServer) -> BTreeMap<ObjectKey, Option<String>> {
    for round in 0..200_u64 {
        let name = format!("k{}", round * 7 % 11);
        match round * 5 % 13 {
            0..9 => server.put(&name, &round.to_string()),
            9..12 => server.delete(&name),
            _ => server.end_watches(),
        }
        if round % 3 == 0 {
            tokio::time::sleep(Duration::from_millis(round % 5 * 400)).await;
        }
    }
    tokio::time::sleep(Duration::from_mins(3)).await;
    server.content()
}

/// Checks the transitions and returns the final knowledge of the handler.
fn replay(seen: &[String]) -> BTreeMap<String, String> {
    let mut knows = BTreeMap::new();
    for seen in seen {
        let (what, rest) = seen.split_once('(').unwrap();
        let (key, versions) =
            rest.trim_start_matches("tombstone ").trim_end_matches(')').split_once('@').unwrap();
        let versions = versions.trim_end_matches(", initial");
        match what {
            "Added" => assert_eq!(knows.insert(key.to_owned(), versions.to_owned()), None, "{seen}"),
            "Updated" => {
                let (old, new) = versions.split_once('→').unwrap();
                assert_eq!(knows.insert(key.to_owned(), new.to_owned()).as_deref(), Some(old), "{seen}");
            }
            _ => assert!(knows.remove(key).is_some(), "{seen}"),
        }
    }
    knows
}

#[tokio::test(start_paused = true)]
async fn t1_10_01_no_impossible_transitions_and_t1_10_02_every_final_state_over_each_queue() {
    async fn check<Q: Queue<TestObject>>(make: impl FnOnce(&Indexer<TestObject>) -> Q) {
        let server = FakeServer::with(&["k0", "k1"]);
        let recorder = Recorder::default();
        let running = start(&server, make, recorder.clone());
        let content = churn(&server).await;
        let expected: BTreeMap<_, _> =
            content.into_iter().map(|(key, version)| (key.to_string(), version.unwrap())).collect();
        assert_eq!(replay(&recorder.take()), expected);
        assert_eq!(running.indexer.len(), expected.len());
        running.stop().await;
    }
    check(atomic).await;
    check(comparing).await;
    check(by_key).await;
}

#[tokio::test(start_paused = true)]
async fn t1_10_03_a_panic_of_the_handler_reaches_the_caller_of_run() {
    let server = FakeServer::with(&["a"]);
    let handler = HandlerFns::new().on_add(|_: &Arc<TestObject>, _| std::panic::panic_any(42_u8));
    let running = start(&server, atomic, handler);
    let panic = running.task.await.unwrap_err().into_panic();
    assert_eq!(panic.downcast_ref(), Some(&42_u8));
    settle().await;
    assert_eq!(server.open_watches(), 0);
}

#[tokio::test(start_paused = true)]
async fn t1_10_04_all_delivered_and_stored_objects_have_passed_the_transform() {
    let server = FakeServer::with(&["a"]);
    let transform = Transform::edit(|object: &mut TestObject| object.data = format!("<{}>", object.data));
    let data = Arc::new(Mutex::new(Vec::new()));
    let (adds, updates, deletes) = (data.clone(), data.clone(), data.clone());
    let handler = HandlerFns::new()
        .on_add(move |object: &Arc<TestObject>, _| adds.lock().unwrap().push(object.data.clone()))
        .on_update(move |old, new| updates.lock().unwrap().extend([old.data.clone(), new.data.clone()]))
        .on_delete(move |deleted| deletes.lock().unwrap().push(deleted.object().unwrap().data.clone()));
    let queue = |_: &Indexer<TestObject>| {
        InOrderFifo::new(InOrderFifoOptions { transform: Some(transform), ..InOrderFifoOptions::default() })
    };
    let running = start(&server, queue, handler);
    settle().await;
    server.put("a", "x");
    settle().await;
    assert_eq!(running.indexer.find("ns", "a").unwrap().data, "<x>");
    server.delete("a");
    settle().await;
    assert_eq!(*data.lock().unwrap(), ["<>", "<>", "<x>", "<x>"]);
    running.stop().await;
}

#[test]
fn t1_10_05_every_form_of_a_deletion_has_its_key() {
    let mut cluster = (*object("a", 1)).clone();
    cluster.metadata.namespace = "".into();
    let tombstone = |object| Deleted::FinalStateUnknown(Tombstone::new(ObjectKey::new("ns", "a"), object));
    for (deleted, key) in [
        (Deleted::Object(object("a", 1)), "ns/a"),
        (Deleted::Object(Arc::new(cluster)), "a"),
        (tombstone(Some(object("a", 1))), "ns/a"),
        (tombstone(None), "ns/a"),
    ] {
        assert_eq!(deleted.key().to_string(), key);
        assert_eq!(Notification::Deleted(deleted).key().to_string(), key);
    }
}

// T1.10-06. A deliberate difference from client-go: a batch cannot fail, because keys and transforms are handled
// before. An object that cannot be transformed is marked, and the rest of the batch is applied.
#[tokio::test(start_paused = true)]
async fn t1_10_06_the_good_objects_of_a_batch_are_applied_and_the_bad_ones_are_marked() {
    for (data, good) in
        [(["x", "x", "x"], 3), (["bad", "bad", "bad"], 0), (["x", "bad", "x"], 2), (["bad", "x", "bad"], 1)]
    {
        let server = FakeServer::with(&["z"]);
        let transform = Transform::new(
            |object: TestObject| {
                if object.data == "bad" { Err("refused".into()) } else { Ok(object) }
            },
        );
        let queue = |_: &Indexer<TestObject>| {
            InOrderFifo::new(InOrderFifoOptions {
                transform: Some(transform),
                ..InOrderFifoOptions::default()
            })
        };
        let recorder = Recorder::default();
        let running = start(&server, queue, recorder.clone());
        settle().await;
        recorder.take();
        for (name, data) in ["a", "b", "c"].iter().zip(data) {
            server.put(name, data);
        }
        settle().await;
        assert_eq!((recorder.take().len(), running.indexer.len()), (good, good + 1));
        assert_eq!(running.indexer.snapshot().stale().len(), 3 - good);
        assert_eq!(running.indexer.resource_version(), "4");
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn t1_10_07_a_list_leads_to_the_same_notifications_over_each_queue() {
    async fn check<Q: Queue<TestObject>>(
        make: impl FnOnce(&Indexer<TestObject>) -> Q,
        change: impl FnOnce(&FakeServer),
    ) -> Vec<String> {
        let server = FakeServer::with(&["a", "b", "c"]);
        let recorder = Recorder::default();
        let running = start(&server, make, recorder.clone());
        settle().await;
        recorder.take();
        server.end_watches();
        change(&server);
        server.compact();
        tokio::time::sleep(Duration::from_secs(3)).await;
        let mut seen = recorder.take();
        seen.retain(|seen| !seen.ends_with("@1→1)") && !seen.ends_with("@2→2)") && !seen.ends_with("@3→3)"));
        seen.sort();
        assert_eq!(running.indexer.len(), server.content().len());
        running.stop().await;
        seen
    }
    let nothing = |server: &FakeServer| server.bookmark();
    let all_gone = |server: &FakeServer| ["a", "b", "c"].iter().for_each(|name| server.delete(name));
    let mixed = |server: &FakeServer| {
        server.delete("a");
        server.put("b", "x");
        server.put("d", "");
    };
    for (change, expected) in [
        (nothing as fn(&FakeServer), &[][..]),
        (
            all_gone,
            &["Deleted(tombstone ns/a@1)", "Deleted(tombstone ns/b@2)", "Deleted(tombstone ns/c@3)"][..],
        ),
        (mixed, &["Added(ns/d@6)", "Deleted(tombstone ns/a@1)", "Updated(ns/b@2→5)"][..]),
    ] {
        assert_eq!(check(atomic, change).await, expected);
        assert_eq!(check(comparing, change).await, expected);
        assert_eq!(check(by_key, change).await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn t1_10_08_a_reopened_watch_delivers_only_differences() {
    async fn check<Q: Queue<TestObject>>(make: impl FnOnce(&Indexer<TestObject>) -> Q) {
        let server = FakeServer::with(&["a", "b"]);
        let recorder = Recorder::default();
        let running = start(&server, make, recorder.clone());
        tokio::time::sleep(Duration::from_secs(2)).await;
        recorder.take();
        for _ in 0..5 {
            server.end_watches();
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        server.end_watches();
        server.put("a", "x");
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(recorder.take(), ["Updated(ns/a@1→3)"]);
        // A relist replays the others unchanged.
        server.break_watches(&ApiError::resource_expired("x"));
        tokio::time::sleep(Duration::from_secs(2)).await;
        let mut seen = recorder.take();
        seen.sort();
        assert_eq!(seen, ["Updated(ns/a@3→3)", "Updated(ns/b@2→2)"]);
        running.stop().await;
    }
    check(atomic).await;
    check(comparing).await;
    check(by_key).await;
}

#[tokio::test(start_paused = true)]
async fn t1_10_09_the_store_has_the_version_of_the_last_delta() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, atomic, HandlerFns::new());
    assert!(!running.handle.has_synced());
    running.handle.synced().await;
    assert_eq!(running.indexer.resource_version(), "1");
    server.put("b", "");
    settle().await;
    assert_eq!(running.indexer.resource_version(), "2");
    server.delete("b");
    server.bookmark();
    settle().await;
    assert_eq!(running.indexer.resource_version(), "4");
    assert_eq!(running.handle.last_sync_resource_version(), "4");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_informer_that_ends_before_its_first_list_never_syncs() {
    let (writer, _indexer) = Indexer::new();
    let queue = Arc::new(InOrderFifo::new(InOrderFifoOptions::default()));
    let source = Arc::new(FakeServer::default());
    let options = ReflectorOptions::default().with_name("pods of the test");
    let informer = SingleInformer::new(source, queue, writer, |_: &Notification<TestObject>| (), options);
    let handle = informer.handle();
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let run = async { informer.run(cancelled).await };
    let forever = CancellationToken::new();
    let (result, ()) = tokio::join!(crate::wait_for_cache_sync(&forever, [&handle as &dyn HasSynced]), run);
    assert_eq!(result.unwrap_err().to_string(), "caches not synced: pods of the test");
}
