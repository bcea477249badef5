//! The notes of own writes over a store that the test fills.

use std::any::Any;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_cache::{
    Awaited, BoxFuture, Deleted, Delta, FetchError, Indexer, Replacement, ServerVersion, Writer,
};
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::wire::Format;
use client_rs_machinery::{GroupResource, ObjectKey, Write, WriteLog, WriteOutcome, WrittenObject};
use client_rs_workqueue::WorkQueue;

use super::{Cache, Hold, OwnWrites};
use crate::recorder::Log;
use crate::{ControllerOptions, Recorder};

type Thing = PartialObjectMetadata;

fn thing(name: &str, version: u64) -> Thing {
    let mut thing = Thing::default();
    thing.metadata.namespace = "n".into();
    thing.metadata.name = name.into();
    thing.metadata.uid = "u".into();
    thing.metadata.resource_version = version.to_string().into();
    thing
}

/// A cache of objects without labels, which map to the key "owner".
struct Children(Indexer<Thing>);

impl Cache for Children {
    fn logs(&self) -> Vec<WriteLog> {
        Vec::new()
    }

    fn is_of(&self, _: &Write<'_>) -> bool {
        true
    }

    fn keys(&self, write: &Write<'_>) -> Option<Vec<ObjectKey>> {
        let is_out = matches!(write.outcome, WriteOutcome::Object(object) if object.metadata.meta().labels().any(|_| true));
        (!is_out).then(|| vec![ObjectKey::new("n", "owner")])
    }

    fn shows(&self, write: &Write<'_>) -> bool {
        let WriteOutcome::Object(written) = write.outcome else { return false };
        let stored = self.0.stored(&write.key.namespace, &write.key.name);
        stored.is_some_and(|stored| stored.resource_version() == written.metadata.resource_version())
    }

    fn reflects(&self, object: &ObjectKey, awaited: &Awaited) -> bool {
        self.0.reflects(object, awaited)
    }

    fn reflecting<'a>(&'a self, object: &'a ObjectKey, awaited: &'a Awaited) -> BoxFuture<'a, ()> {
        Box::pin(self.0.reflecting(object, awaited))
    }

    fn delivers(&self, object: &ObjectKey, version: &str) -> bool {
        self.0.delivers(object, version)
    }

    fn listed(&self, more_than: u64) -> BoxFuture<'_, u64> {
        Box::pin(self.0.listed(more_than))
    }

    fn version_on_server<'a>(
        &'a self,
        _: &'a ObjectKey,
    ) -> BoxFuture<'a, Result<Option<ServerVersion>, FetchError>> {
        // The server was restored, and has lost the object.
        Box::pin(async { Ok(None) })
    }

    fn cached(&self, _: &WriteLog, _: &GroupResource, _: &ObjectKey) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    fn name(&self) -> &'static str {
        "things"
    }

    #[cfg(feature = "recording")]
    fn versions(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

struct Fixture {
    writer: Writer<Thing>,
    own: Arc<OwnWrites>,
    queue: WorkQueue<ObjectKey>,
}

impl Fixture {
    /// A store with a list at version 10.
    fn new() -> Self {
        let (mut writer, indexer) = Indexer::new();
        writer.replace(Replacement::new(Vec::new(), "10"));
        let queue = WorkQueue::new();
        let log = Log::new(Recorder::off(), &"test".into());
        let caches: Vec<Box<dyn Cache>> = vec![Box::new(Children(indexer))];
        let own = OwnWrites::new(caches, queue.clone(), log, &ControllerOptions::default());
        Self { writer, own, queue }
    }

    /// A run of the key "writer" has written a child.
    fn write(&self, name: &str, version: u64) {
        let written = thing(name, version);
        let object = WrittenObject::new(&written, Format::Json, &[]);
        self.observe(name, WriteOutcome::Object(object));
    }

    fn observe(&self, name: &str, outcome: WriteOutcome<'_>) {
        let (log, resource) = (WriteLog::new(None), GroupResource::new("", "things"));
        let run = self.own.of_run(ObjectKey::new("n", "writer"));
        run.written(&Write::new(&log, &resource, &ObjectKey::new("n", name), outcome));
    }

    /// An event of the watch: the store has it, and then the handler.
    fn event(&mut self, delta: Delta<Thing>) {
        let key = delta.object().unwrap().metadata.name.clone();
        self.writer.apply([delta]);
        self.own.seen(0, || ObjectKey::new("n", key));
    }

    fn list(&mut self, objects: &[Thing], version: u64) {
        let objects = objects.iter().cloned().map(Arc::new).collect();
        self.writer.replace(Replacement::new(objects, version.to_string()));
        self.own.listed(0);
    }

    /// The task of the key "writer", which is held back.
    fn spawn_wait(&self) -> tokio::task::JoinHandle<(Duration, bool)> {
        let own = Arc::clone(&self.own);
        tokio::spawn(async move { own.wait(writer()).await })
    }

    /// The keys that were enqueued since the last call, and the number of notes.
    fn enqueued(&self) -> (Vec<String>, usize) {
        let mut keys = Vec::new();
        while let Some(item) = self.queue.try_get() {
            keys.push(item.key().name.to_string());
            item.done();
        }
        keys.sort();
        let notes = self.own.notes();
        assert_eq!(notes.keys.is_empty(), notes.objects.is_empty(), "no key without a note");
        (keys, notes.objects.len())
    }
}

/// Both keys of a write.
fn both() -> Vec<String> {
    vec!["owner".into(), "writer".into()]
}

fn added(name: &str, version: u64) -> Delta<Thing> {
    Delta::Added(Arc::new(thing(name, version)))
}

#[tokio::test(start_paused = true)]
async fn events_in_order_lead_to_no_extra_run() {
    let mut fixture = Fixture::new();
    fixture.write("c", 11);
    fixture.write("c", 13);
    fixture.event(added("c", 11));
    assert_eq!(fixture.enqueued(), (vec![], 1));
    fixture.event(added("c", 12));
    fixture.event(added("c", 13));
    assert_eq!(fixture.enqueued(), (vec![], 0));
    // The handler is behind the store: the object has been deleted since.
    fixture.write("d", 14);
    fixture.writer.apply([added("d", 14), Delta::Deleted(Deleted::Object(Arc::new(thing("d", 15))))]);
    fixture.own.seen(0, || ObjectKey::new("n", "d"));
    assert_eq!(fixture.enqueued(), (vec![], 0));
    // The events arrive before the response.
    fixture.event(added("e", 16));
    fixture.event(added("e", 17));
    fixture.write("e", 16);
    assert_eq!(fixture.enqueued(), (vec![], 0));
}

#[tokio::test(start_paused = true)]
async fn a_list_that_skips_a_write_enqueues_its_keys_once() {
    let mut fixture = Fixture::new();
    fixture.write("gone", 11);
    fixture.write("kept", 12);
    fixture.list(&[thing("kept", 12)], 20);
    assert_eq!(fixture.enqueued(), (both(), 0), "the cache never has the object that is gone");
    fixture.list(&[thing("kept", 12)], 21);
    assert_eq!(fixture.enqueued(), (vec![], 0));
    // Others have changed it since.
    fixture.write("kept", 22);
    fixture.list(&[thing("kept", 23)], 24);
    assert_eq!(fixture.enqueued(), (both(), 0));
    // The first of two own writes was skipped.
    fixture.write("kept", 25);
    fixture.write("kept", 27);
    fixture.list(&[thing("kept", 27)], 28);
    assert_eq!(fixture.enqueued(), (both(), 0));
}

#[tokio::test(start_paused = true)]
async fn a_response_that_arrives_after_the_list_that_skips_it_enqueues_its_keys() {
    let mut fixture = Fixture::new();
    fixture.list(&[], 20);
    fixture.write("gone", 15);
    assert_eq!(fixture.enqueued(), (both(), 0));
    fixture.list(&[thing("kept", 25)], 30);
    fixture.write("kept", 25);
    assert_eq!(fixture.enqueued(), (vec![], 0), "the list has it as it was written");
}

#[tokio::test(start_paused = true)]
async fn a_deletion_that_the_cache_has_seen_leads_to_no_extra_run() {
    let mut fixture = Fixture::new();
    fixture.list(&[thing("c", 11)], 12);
    fixture.observe("c", WriteOutcome::Deleted { uid: "u" });
    assert_eq!(fixture.enqueued(), (vec![], 1));
    fixture.list(&[], 20);
    // The handler is notified: the cache had the object.
    assert_eq!(fixture.enqueued(), (vec![], 0));
    // A create and a deletion in one gap: it is not.
    fixture.write("d", 21);
    fixture.observe("d", WriteOutcome::Deleted { uid: "u" });
    fixture.list(&[], 30);
    assert_eq!(fixture.enqueued(), (both(), 0));
}

#[tokio::test(start_paused = true)]
async fn a_restored_server_that_has_lost_a_write_leads_to_a_run() {
    let mut fixture = Fixture::new();
    fixture.write("lost", 100);
    fixture.list(&[], 50);
    assert_eq!(fixture.enqueued(), (both(), 1));
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin), "the list may be an old one");
    let (waited, caught_up) = fixture.own.wait(writer()).await;
    assert!(caught_up && waited == Duration::from_secs(10), "{waited:?}");
    assert!(matches!(fixture.own.hold(&writer()), Hold::Ready));
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
}

#[tokio::test(start_paused = true)]
async fn an_old_list_leads_to_a_run_that_waits_for_the_event() {
    let mut fixture = Fixture::new();
    fixture.write("c", 30);
    fixture.list(&[], 25);
    assert_eq!(fixture.enqueued(), (both(), 1));
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
    fixture.event(added("c", 30));
    assert_eq!(fixture.enqueued(), (vec![], 0));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_dropped_before_its_first_poll_gives_the_key_back() {
    let fixture = Fixture::new();
    fixture.write("c", 30);
    for _ in 0..2 {
        assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
        assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
        // As at a stop, or when leadership is lost.
        drop(fixture.own.wait(writer()));
        assert_eq!(fixture.enqueued(), (vec!["writer".into()], 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_ended_early_does_not_let_a_later_run_start_too_early() {
    let mut fixture = Fixture::new();
    fixture.write("c", 30);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
    drop(fixture.own.wait(writer()));
    // The cache catches up before the run, so the run needs no look at the notes.
    fixture.event(added("c", 30));
    assert!(matches!(fixture.own.hold(&writer()), Hold::Ready));
    fixture.write("d", 40);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
    assert!(fixture.own.notes().released.is_empty());
}

#[tokio::test(start_paused = true)]
async fn another_write_of_the_object_does_not_end_a_wait() {
    let mut fixture = Fixture::new();
    fixture.write("c", 30);
    fixture.write("d", 31);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
    let waiting = fixture.spawn_wait();
    tokio::task::yield_now().await;
    // A detached task has written it, too.
    fixture.write("d", 33);
    fixture.event(added("c", 30));
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished(), "the cache does not show the second write of the run");
    fixture.event(added("d", 31));
    fixture.event(added("d", 33));
    assert!(waiting.await.unwrap().1);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Ready));
}

#[tokio::test(start_paused = true)]
async fn an_object_that_others_write_all_the_time_does_not_starve_a_key() {
    let mut fixture = Fixture::new();
    fixture.write("c", 30);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
    let waiting = fixture.spawn_wait();
    let mut version = 30;
    while !waiting.is_finished() {
        tokio::task::yield_now().await;
        // The cache is always one write behind.
        fixture.write("c", version + 1);
        fixture.event(added("c", version));
        version += 1;
        tokio::task::yield_now().await;
        assert!(version < 40, "the wait does not end");
    }
    assert!(waiting.await.unwrap().1);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Ready), "newer writes hold the run after it");
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
}

#[tokio::test(start_paused = true)]
async fn the_removal_of_the_last_finalizer_is_waited_for() {
    let mut fixture = Fixture::new();
    let mut ending = thing("c", 19);
    ending.metadata.deletion_timestamp = Some("2026-03-01T12:00:00Z".parse().unwrap());
    fixture.list(&[ending], 20);
    fixture.observe("c", WriteOutcome::Gone { uid: "u" });
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin), "the cache still has it, with its finalizer");
    let waiting = fixture.spawn_wait();
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    fixture.event(Delta::Deleted(Deleted::Object(Arc::new(thing("c", 21)))));
    assert!(waiting.await.unwrap().1);
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
    // Its event was faster than the response.
    fixture.observe("c", WriteOutcome::Gone { uid: "u" });
    assert_eq!(fixture.enqueued(), (vec![], 0));
}

#[tokio::test(start_paused = true)]
async fn a_lost_response_is_looked_up_after_the_next_list() {
    let mut fixture = Fixture::new();
    fixture.observe("c", WriteOutcome::Unknown);
    assert_eq!(fixture.enqueued(), (vec![], 1));
    fixture.list(&[], 20);
    assert_eq!(fixture.enqueued(), (both(), 1));
    let owner = ObjectKey::new("n", "owner");
    assert!(matches!(fixture.own.hold(&owner), Hold::Begin));
    assert!(fixture.own.wait(owner).await.1);
    assert_eq!(fixture.enqueued(), (vec!["owner".into()], 0));
}

#[tokio::test(start_paused = true)]
async fn lists_are_followed_while_the_controller_runs() {
    let mut fixture = Fixture::new();
    let own = Arc::clone(&fixture.own);
    let following = tokio::spawn(async move { own.follow_lists().await });
    // It starts with the first list.
    tokio::task::yield_now().await;
    fixture.write("gone", 11);
    tokio::task::yield_now().await;
    fixture.queue.add(ObjectKey::new("n", "other"));
    assert_eq!(fixture.enqueued().0, ["other"]);
    fixture.writer.replace(Replacement::new(Vec::new(), "20"));
    let first = tokio::time::timeout(Duration::from_secs(1), fixture.queue.get()).await;
    let first = first.expect("a key is enqueued").expect("the queue is open").key().name.to_string();
    assert!(both().contains(&first));
    following.abort();
}

/// Follows the caches until it is dropped, and keeps the keys whose time is over.
struct Follower {
    task: tokio::task::JoinHandle<()>,
    overdue: Arc<Mutex<Vec<ObjectKey>>>,
}

impl Follower {
    async fn start(own: &Arc<OwnWrites>) -> Self {
        let (own, overdue) = (Arc::clone(own), Arc::<Mutex<Vec<ObjectKey>>>::default());
        let keys = Arc::clone(&overdue);
        let task = tokio::spawn(async move { own.follow(|key| keys.lock().unwrap().push(key)).await });
        tokio::task::yield_now().await;
        Self { task, overdue }
    }

    fn overdue(&self) -> Vec<ObjectKey> {
        std::mem::take(&mut *self.overdue.lock().unwrap())
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn writer() -> ObjectKey {
    ObjectKey::new("n", "writer")
}

/// Lets the followers work.
async fn settle() {
    for _ in 0..5 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_missing_event_ends_a_wait_without_a_task() {
    let mut fixture = Fixture::new();
    let _follower = Follower::start(&fixture.own).await;
    fixture.write("c", 30);
    fixture.write("d", 31);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held) && fixture.own.holds_back(&writer()));
    fixture.event(added("c", 30));
    assert_eq!(fixture.enqueued(), (vec![], 1));
    assert_eq!(fixture.own.state().waiting[0].object, "things n/d");
    fixture.event(added("d", 31));
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
    assert!(!fixture.own.holds_back(&writer()) && matches!(fixture.own.hold(&writer()), Hold::Ready));
    let state = fixture.own.state();
    assert_eq!((state.total, state.timeouts, state.waiting.len()), (1, 0, 0));
    assert!(fixture.own.notes().deadlines.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_key_that_a_handler_holds_back_during_its_run_waits_for_all_writes_of_the_run() {
    let mut fixture = Fixture::new();
    let _follower = Follower::start(&fixture.own).await;
    fixture.write("c", 30);
    assert!(fixture.own.holds_back(&writer()), "an event arrives between the two writes of a run");
    fixture.write("d", 31);
    fixture.event(added("c", 30));
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 1));
    assert!(!fixture.own.holds_back(&writer()), "it is in the queue");
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held), "the cache does not show the second one");
    fixture.event(added("d", 31));
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
}

#[tokio::test(start_paused = true)]
async fn writes_without_an_event_are_waited_for_with_the_store() {
    let mut fixture = Fixture::new();
    let _follower = Follower::start(&fixture.own).await;
    fixture.write("c", 30);
    fixture.write("d", 35);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    settle().await;
    // Nothing is delivered of either.
    fixture.writer.apply([added("other", 34)]);
    settle().await;
    assert_eq!(fixture.enqueued(), (vec![], 2));
    fixture.writer.apply([added("other", 35)]);
    settle().await;
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
    // The follower sleeps until a key waits again.
    fixture.write("e", 40);
    assert!(fixture.own.holds_back(&writer()));
    settle().await;
    let Fixture { writer: store, own, queue } = fixture;
    drop(store);
    settle().await;
    assert!(own.notes().objects.is_empty() && queue.len() == 1, "nothing comes from a stopped informer");
}

#[tokio::test(start_paused = true)]
async fn others_that_write_all_the_time_do_not_starve_a_key_without_a_task() {
    let mut fixture = Fixture::new();
    let _follower = Follower::start(&fixture.own).await;
    fixture.write("c", 30);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    let (mut version, mut enqueued) = (30, Vec::new());
    while enqueued.is_empty() {
        // The cache is always one write behind.
        fixture.write("c", version + 1);
        fixture.event(added("c", version));
        version += 1;
        settle().await;
        enqueued = fixture.enqueued().0;
        assert!(version < 40, "the wait does not end");
    }
    assert!(matches!(fixture.own.hold(&writer()), Hold::Ready), "newer writes hold the run after it");
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
}

#[tokio::test(start_paused = true)]
async fn a_key_whose_time_is_over_gets_a_task() {
    let fixture = Fixture::new();
    let follower = Follower::start(&fixture.own).await;
    fixture.write("c", 30);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    tokio::time::sleep(Duration::from_secs(9)).await;
    assert_eq!((follower.overdue(), fixture.enqueued().0), (vec![], vec![]));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(follower.overdue(), [writer()]);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    // The server does not have it, so there is nothing to wait for.
    let (waited, caught_up) = fixture.own.wait(writer()).await;
    assert!(caught_up && waited == Duration::from_secs(11), "{waited:?}");
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
}

#[tokio::test(start_paused = true)]
async fn the_second_of_two_runs_follows_when_the_first_has_stopped() {
    let mut fixture = Fixture::new();
    let first = Follower::start(&fixture.own).await;
    let second = Follower::start(&fixture.own).await;
    fixture.write("c", 30);
    fixture.write("d", 31);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    settle().await;
    drop(first);
    settle().await;
    assert_eq!(fixture.enqueued(), (vec![], 2), "it still waits");
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(second.overdue(), [writer()]);
    // A server that was restored never reaches the versions; later writes are followed nevertheless.
    let owner = ObjectKey::new("n", "owner");
    for write in fixture.own.notes().objects.values_mut() {
        write.expired = true;
    }
    fixture.write("e", 12);
    assert!(matches!(fixture.own.hold(&owner), Hold::Held));
    settle().await;
    fixture.writer.apply([added("other", 12)]);
    settle().await;
    assert_eq!(fixture.enqueued(), (vec!["owner".into()], 2));
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_deletion_ends_with_a_list_of_a_restored_server() {
    let mut fixture = Fixture::new();
    let _follower = Follower::start(&fixture.own).await;
    fixture.list(&[thing("c", 19)], 20);
    fixture.observe("c", WriteOutcome::Deleted { uid: "u" });
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    settle().await;
    fixture.writer.replace(Replacement::new(vec![Arc::new(thing("c", 15))], "16"));
    settle().await;
    assert_eq!(fixture.enqueued(), (both(), 1), "its keys are due, and still wait for the deletion");
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    // A lower version, without the object.
    fixture.writer.replace(Replacement::new(Vec::new(), "5"));
    settle().await;
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
}

#[tokio::test(start_paused = true)]
async fn a_stop_gives_the_keys_that_wait_back() {
    let fixture = Fixture::new();
    let follower = Follower::start(&fixture.own).await;
    fixture.write("c", 30);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    drop(follower);
    settle().await;
    assert_eq!((fixture.enqueued().0, fixture.own.state().waiting), (vec!["writer".into()], vec![]));
    assert!(!fixture.own.holds_back(&writer()), "nobody follows the caches");
    // As the next workers do.
    let _follower = Follower::start(&fixture.own).await;
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held), "the older write is still waited for");
}

#[tokio::test(start_paused = true)]
async fn a_write_with_an_unknown_outcome_needs_a_task() {
    let mut fixture = Fixture::new();
    let _follower = Follower::start(&fixture.own).await;
    fixture.observe("c", WriteOutcome::Unknown);
    assert!(!fixture.own.holds_back(&writer()), "a worker begins it");
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
    assert!(fixture.own.wait(writer()).await.1);
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 0));
    // A write whose outcome is not known does not hide the one before.
    fixture.write("d", 30);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Held));
    fixture.observe("d", WriteOutcome::Unknown);
    fixture.event(added("d", 30));
    assert_eq!(fixture.enqueued(), (vec!["writer".into()], 1));
}

#[tokio::test(start_paused = true)]
async fn a_write_that_takes_an_object_out_of_the_selector_is_waited_for() {
    let mut fixture = Fixture::new();
    let patched = |version| {
        let mut thing = thing("c", version);
        thing.metadata.labels.insert("out", "yes".into());
        thing
    };
    let write_out = |fixture: &Fixture, version| {
        let written = patched(version);
        fixture.observe("c", WriteOutcome::Object(WrittenObject::new(&written, Format::Json, &[])));
    };
    write_out(&fixture, 29);
    assert_eq!(fixture.enqueued(), (vec![], 0), "the cache never has it");
    fixture.write("c", 30);
    write_out(&fixture, 31);
    fixture.event(added("c", 30));
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin), "the cache still shows it");
    fixture.event(Delta::Deleted(Deleted::Object(Arc::new(patched(31)))));
    assert_eq!(fixture.enqueued(), (vec![], 0));
}

#[tokio::test(start_paused = true)]
async fn a_time_limit_may_be_longer_than_a_clock_counts() {
    let mut fixture = Fixture::new();
    Arc::get_mut(&mut fixture.own).unwrap().timeout = Duration::MAX;
    fixture.write("c", 30);
    assert!(matches!(fixture.own.hold(&writer()), Hold::Begin));
    let waiting = fixture.spawn_wait();
    settle().await;
    fixture.event(added("c", 30));
    assert!(waiting.await.unwrap().1);
}
