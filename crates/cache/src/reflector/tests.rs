//! The shell against a server in memory: what is asked for, and what reaches the queue.

use client_rs_machinery::{ApiError, ErrorStatus, ObjectKey, StatusReason, Unstructured};
use std::sync::Mutex;

use super::*;
use crate::fake_server::{FakeServer, GARBAGE, ListFault, WatchFault, expired};
use crate::fixtures::{TestObject, plain};
use crate::{InOrderFifo, InOrderFifoOptions, Page, Random, Stored, Transform, list_watch};

/// A reflector at work.
struct Running {
    queue: Arc<InOrderFifo<TestObject>>,
    handle: ReflectorHandle,
    cancel: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    errors: Arc<Mutex<Vec<String>>>,
}

fn quiet() -> ReflectorOptions<TestObject> {
    ReflectorOptions {
        backoff: Box::new(ExponentialBackoff::new(BackoffOptions::default(), Random::from_fn(|| 0.0))),
        random: Random::from_fn(|| 0.0),
        consistency_check: None,
        watch_list: true,
        ..ReflectorOptions::default()
    }
}

fn plain_lists() -> ReflectorOptions<TestObject> {
    ReflectorOptions { watch_list: false, ..quiet() }
}

fn start(server: &FakeServer, options: ReflectorOptions<TestObject>) -> Running {
    start_with(Arc::new(server.clone()), options, None)
}

fn start_with(
    source: Arc<dyn ListWatch<TestObject>>,
    options: ReflectorOptions<TestObject>,
    transform: Option<Transform<TestObject>>,
) -> Running {
    let queue = Arc::new(fifo(transform));
    let errors = Arc::new(Mutex::new(Vec::new()));
    let told = errors.clone();
    let on_error: WatchErrorHandler = Arc::new(move |error| told.lock().unwrap().push(error.to_string()));
    let options = ReflectorOptions { on_error: Some(on_error), ..options };
    let reflector = Reflector::new(source, queue.clone(), options);
    let (handle, cancel) = (reflector.handle(), CancellationToken::new());
    let task = tokio::spawn(reflector.run(cancel.clone()));
    Running { queue, handle, cancel, task, errors }
}

/// A queue.
fn fifo(transform: Option<Transform<TestObject>>) -> InOrderFifo<TestObject> {
    InOrderFifo::new(InOrderFifoOptions { transform, ..InOrderFifoOptions::default() })
}

/// Lets all tasks run as far as they come without time passing (much).
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

impl Running {
    fn deltas(&self) -> Vec<String> {
        let mut deltas = Vec::new();
        let take = |batch: &mut crate::Batch<TestObject>| {
            deltas.extend(batch.deltas.drain(..).map(|delta| format!("{delta:?}")));
            Ok::<_, std::convert::Infallible>(())
        };
        let mut take = take;
        while self.queue.try_pop(&mut take).is_some() {}
        deltas
    }

    fn errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.errors.lock().unwrap())
    }

    async fn stop(self) {
        self.cancel.cancel();
        self.task.await.unwrap();
        assert_eq!(self.handle.status().phase, "stopped");
    }
}

#[tokio::test(start_paused = true)]
async fn t1_2_08_list_and_events_arrive_in_order() {
    let server = FakeServer::with(&["a", "b"]);
    let running = start(&server, plain_lists());
    settle().await;
    assert_eq!(server.requests(), ["LIST rv=0 limit=500", "WATCH rv=2"]);
    server.put("c", "");
    server.put("a", "x");
    server.delete("b");
    server.bookmark();
    settle().await;
    assert_eq!(
        running.deltas(),
        ["ReplacedAll(2 objects@2)", "Added(ns/c@3)", "Updated(ns/a@4)", "Deleted(ns/b@5)", "Bookmark(6)"]
    );
    assert_eq!(running.handle.last_sync_resource_version(), "6");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_06_the_version_follows_additions_changes_and_deletions() {
    let server = FakeServer::with(&["z"]);
    let running = start(&server, plain_lists());
    settle().await;
    for (change, version) in [(0, "2"), (1, "3"), (2, "4")] {
        match change {
            0 | 1 => server.put("a", &change.to_string()),
            _ => server.delete("a"),
        }
        settle().await;
        assert_eq!(running.handle.last_sync_resource_version(), version);
    }
    assert_eq!(running.deltas()[1..], ["Added(ns/a@2)", "Updated(ns/a@3)", "Deleted(ns/a@4)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_02_cancelling_ends_the_run_and_the_watch() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, quiet());
    settle().await;
    assert_eq!((server.open_watches(), server.dropped_watches()), (1, 0));
    running.stop().await;
    assert_eq!((server.open_watches(), server.dropped_watches()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn t1_2_04_cancelled_before_the_watch_there_is_none_and_after_it_ends_once() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, plain_lists());
    running.cancel.cancel();
    running.stop().await;
    assert_eq!(server.requests(), Vec::<String>::new());
    let running = start(&server, plain_lists());
    settle().await;
    running.stop().await;
    assert_eq!(server.dropped_watches(), 1);
}

#[tokio::test(start_paused = true)]
async fn t1_2_07_cancelling_while_reading_is_no_error() {
    let server = FakeServer::default();
    server.watch_fault(WatchFault::Mute);
    let running = start(&server, plain_lists());
    settle().await;
    let errors = running.errors.clone();
    running.stop().await;
    assert!(errors.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn t1_2_05_a_watch_closed_in_the_middle_is_opened_behind_what_was_said() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, plain_lists());
    settle().await;
    server.put("b", "");
    settle().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.end_watches();
    server.put("c", "");
    settle().await;
    assert_eq!(server.requests()[1..], ["WATCH rv=1", "WATCH rv=2"]);
    assert_eq!(running.deltas()[1..], ["Added(ns/b@2)", "Added(ns/c@3)"]);
    assert!(running.errors().is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn very_short_watches_lead_to_a_relist_after_a_pause() {
    let server = FakeServer::with(&["a"]);
    server.watch_fault(WatchFault::Ends);
    let running = start(&server, plain_lists());
    settle().await;
    assert_eq!(server.requests(), ["LIST rv=0 limit=500", "WATCH rv=1"]);
    assert_eq!(running.handle.status().phase, "resting");
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert_eq!(server.requests(), ["LIST rv=1 limit=0", "WATCH rv=1"]);
    assert!(running.errors().is_empty(), "no matter for the error handler");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_01_a_watch_that_the_server_ends_with_an_error_is_let_go() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, plain_lists());
    settle().await;
    server.break_watches(&ApiError::internal_error("etcd"));
    settle().await;
    assert_eq!(server.dropped_watches(), 1);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_26_an_object_lost_in_the_storage_goes_with_the_relist() {
    let server = FakeServer::with(&["a", "b"]);
    let running = start(&server, plain_lists());
    settle().await;
    server.end_watches();
    let corrupt = ErrorStatus { code: 500, reason: StatusReason::StorageReadError, ..ErrorStatus::default() };
    server.watch_fault(WatchFault::Says(corrupt.into()));
    server.delete("a");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(running.deltas(), ["ReplacedAll(2 objects@2)", "ReplacedAll(1 objects@3)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_14_resync_reaches_the_queue_when_it_is_wanted() {
    let server = FakeServer::with(&["a"]);
    let asked = Arc::new(Mutex::new(0));
    let count = asked.clone();
    let should_resync: ShouldResync = Box::new(move |_| {
        *count.lock().unwrap() += 1;
        *count.lock().unwrap() % 2 == 1
    });
    let running = start(
        &server,
        ReflectorOptions {
            resync_period: Some(Duration::from_secs(10)),
            should_resync: Some(should_resync),
            ..plain_lists()
        },
    );
    tokio::time::sleep(Duration::from_secs(41)).await;
    assert_eq!(*asked.lock().unwrap(), 4);
    assert_eq!(running.deltas()[1..], ["SyncAll(All)", "SyncAll(All)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_15_pages_are_followed_to_the_end() {
    let server = FakeServer::with(&["a", "b", "c", "d", "e"]).without_watch_cache();
    let running = start(&server, ReflectorOptions { page_size: 2, ..plain_lists() });
    settle().await;
    assert_eq!(
        server.requests()[..3],
        ["LIST rv=0 limit=2", "LIST rv= limit=2 continue=5:ns/b", "LIST rv= limit=2 continue=5:ns/d"]
    );
    assert_eq!(running.deltas(), ["ReplacedAll(5 objects@5)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_20_a_continuation_that_expired_is_made_good_by_a_whole_list() {
    let server = FakeServer::with(&["a", "b", "c"]).without_watch_cache();
    server.list_fault(ListFault::ThenForgets);
    let running = start(&server, ReflectorOptions { page_size: 2, ..plain_lists() });
    settle().await;
    assert_eq!(
        server.requests()[..3],
        ["LIST rv=0 limit=2", "LIST rv= limit=2 continue=3:ns/b", "LIST rv=0 limit=0"]
    );
    assert_eq!(running.deltas(), ["ReplacedAll(3 objects@4)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_list_cut_in_the_middle_changes_nothing() {
    let server = FakeServer::with(&["a", "b", "c"]);
    server.list_fault(ListFault::CutAfter(2));
    let running = start(&server, plain_lists());
    settle().await;
    assert_eq!((running.deltas().len(), running.errors().len()), (0, 1));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(running.deltas(), ["ReplacedAll(3 objects@3)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_does_not_decode_is_never_a_deletion() {
    let server = FakeServer::with(&["a", "b"]);
    server.put("b", GARBAGE);
    let running = start(&server, plain_lists());
    settle().await;
    server.put("a", GARBAGE);
    server.delete("b");
    settle().await;
    assert_eq!(
        running.deltas(),
        ["ReplacedAll(1 objects@3)", "Stale(ns/a@4)", "Deleted(tombstone ns/b@?)"],
        "and a deletion is one, whether or not the object can be read"
    );
    assert_eq!(running.handle.status().undecodable, 3);
    assert_eq!(running.handle.last_sync_resource_version(), "5");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_has_not_even_a_name_fails_the_list_and_the_watch() {
    let bad = || {
        Incoming::Undecodable(crate::Undecodable {
            key: ObjectKey::EMPTY,
            resource_version: Str::EMPTY,
            error: client_rs_machinery::wire::DecodeError::invalid("x"),
        })
    };
    let server = FakeServer::with(&["a"]);
    let running = start(&server, plain_lists());
    settle().await;
    server.requests();
    server.say(&WatchItem::Modified(bad()));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(server.requests(), ["LIST rv=1 limit=0", "WATCH rv=1"]);
    running.stop().await;
    let mut staging = Staging::default();
    let queue = fifo(None);
    let staged = stage(bad(), &mut staging, &queue, &FetchContext::default(), None, &mut 0);
    assert!(staged.is_err() && staging.len() == 0);
}

#[tokio::test(start_paused = true)]
async fn t1_2_27_lists_and_streams_pass_the_transform_once() {
    for options in [plain_lists(), quiet()] {
        let server = FakeServer::with(&["a"]);
        server.put("b", "bad");
        let transform = Transform::new(|mut object: TestObject| {
            if object.data == "bad" {
                return Err("refused".into());
            }
            object.data.push('!');
            Ok(object)
        });
        let running = start_with(Arc::new(server.clone()), options, Some(transform));
        settle().await;
        server.put("c", "");
        server.put("d", "bad");
        settle().await;
        let mut data = Vec::new();
        let mut take = |batch: &mut crate::Batch<TestObject>| {
            for delta in batch.deltas.drain(..) {
                match delta {
                    crate::Delta::ReplacedAll(list) => {
                        data.extend(list.objects.iter().map(|object| object.object().unwrap().data.clone()));
                        data.extend(list.stale.iter().map(ToString::to_string));
                    }
                    crate::Delta::Stale { key, .. } => data.push(key.to_string()),
                    delta => data.extend(delta.object().map(|object| object.data.clone())),
                }
            }
            Ok::<_, std::convert::Infallible>(())
        };
        while running.queue.try_pop(&mut take).is_some() {}
        assert_eq!(data, ["!", "ns/b", "!", "ns/d"]);
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn t1_2_28_tables_are_refused_and_what_only_looks_like_one_is_not() {
    for (api_version, kind, refused) in [
        ("meta.k8s.io/v1", "Table", true),
        ("meta.k8s.io/v1beta1", "Table", true),
        ("v1", "Pod", false),
        ("furniture.example.com/v1", "Table", false),
    ] {
        let why = unfit(&Unstructured::new(api_version, kind, "x"), None);
        assert_eq!(why.is_some(), refused, "{api_version} {kind}");
    }
    let server = FakeServer::with(&["a"]);
    server.list_fault(ListFault::Table);
    let running = start(&server, plain_lists());
    settle().await;
    assert_eq!(running.errors(), [FetchError::Table.to_string()]);
    assert!(running.deltas().is_empty());
    running.stop().await;
}

#[test]
fn t1_2_22_kinds_and_names() {
    let expected = GroupVersionKind::new("apps", "v1", "Deployment");
    let deployment = Unstructured::new("apps/v1", "Deployment", "x");
    assert_eq!(unfit(&deployment, None), None);
    assert_eq!(unfit(&deployment, Some(&expected)), None);
    assert!(unfit(&Unstructured::new("apps/v1", "ReplicaSet", "x"), Some(&expected)).is_some());
    assert!(unfit(&Unstructured::new("apps/v2", "Deployment", "x"), Some(&expected)).is_some());
    assert!(unfit(&Unstructured::new("apps/v1", "Deployment", ""), None).is_some());
    let named = |name: Option<&str>, expected_kind| {
        let queue = Arc::new(fifo(None));
        let options = ReflectorOptions { name: name.map(Into::into), expected_kind, ..quiet() };
        Reflector::new(Arc::new(FakeServer::default()), queue, options).name().to_owned()
    };
    assert_eq!(named(Some("mine"), Some(expected.clone())), "mine");
    assert!(named(None, Some(expected)).contains("Deployment"));
    assert!(named(None, None).ends_with("TestObject"));
}

#[tokio::test(start_paused = true)]
async fn an_event_of_another_kind_is_passed_over_and_moves_nothing() {
    let server = FakeServer::with(&["a"]);
    let expected_kind = Some(GroupVersionKind::new("test", "v1", "Other"));
    let running = start(&server, ReflectorOptions { expected_kind, ..plain_lists() });
    settle().await;
    assert_eq!(running.errors().len(), 1, "a list of them is an error");
    running.stop().await;
    let server = FakeServer::default();
    let running = start(&server, plain_lists());
    settle().await;
    server.say(&WatchItem::Added(Incoming::Object(plain("", 7))));
    server.say(&WatchItem::Unknown { kind: "ODD".into(), resource_version: "9".into() });
    settle().await;
    assert_eq!(running.deltas()[1..], ["Bookmark(9)"]);
    assert_eq!(running.handle.last_sync_resource_version(), "9");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_24_the_queue_is_told_each_new_version_including_bookmarks() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, quiet());
    settle().await;
    server.put("a", "x");
    server.bookmark();
    settle().await;
    assert_eq!(running.deltas(), ["ReplacedAll(1 objects@1)", "Updated(ns/a@2)", "Bookmark(3)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_29_streams_are_asked_for_where_gate_and_source_allow() {
    for (gate, source, first) in
        [(true, true, "STREAM rv="), (true, false, "LIST"), (false, true, "LIST"), (false, false, "LIST")]
    {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (lists, watches) = (requests.clone(), requests.clone());
        let fns = list_watch(
            move |_| {
                lists.lock().unwrap().push("LIST");
                std::future::ready(Ok(Page::<TestObject> {
                    items: Vec::new(),
                    resource_version: "1".into(),
                    continue_token: Str::EMPTY,
                }))
            },
            move |options| {
                let stream = options.send_initial_events == Some(true);
                watches.lock().unwrap().push(if stream { "STREAM rv=" } else { "WATCH" });
                std::future::pending()
            },
        );
        let fns = if source { fns } else { fns.without_watch_list() };
        assert_eq!(ListWatch::<TestObject>::supports_watch_list(&fns), source);
        let running = start_with(Arc::new(fns), ReflectorOptions { watch_list: gate, ..quiet() }, None);
        settle().await;
        assert_eq!(requests.lock().unwrap()[0], first);
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn t1_1_01_a_wrapper_says_what_its_source_says() {
    let can = Arc::new(FakeServer::default());
    assert!(crate::Tweaked::new(can.clone(), |_: &mut ListOptions| ()).supports_watch_list());
    let cannot = list_watch(
        |_| std::future::pending::<Result<Page<TestObject>, _>>(),
        |_| std::future::pending::<Result<WatchStream<TestObject>, _>>(),
    )
    .without_watch_list();
    let wrapped = crate::Tweaked::new(cannot, |_: &mut ListOptions| ());
    assert!(!ListWatch::<TestObject>::supports_watch_list(&wrapped));
    assert!(ListWatch::<TestObject>::supports_watch_list(&can));
}

#[test]
fn t1_1_02_a_source_that_says_nothing_can_stream() {
    struct Silent;
    impl ListWatch<TestObject> for Silent {
        fn list<'a>(
            &'a self,
            _: ListOptions,
            _: &'a FetchContext<TestObject>,
            _: crate::ItemSink<'a, TestObject>,
        ) -> crate::BoxFuture<'a, Result<client_rs_machinery::wire::ListSummary, FetchError>> {
            Box::pin(std::future::pending())
        }

        fn watch<'a>(
            &'a self,
            _: ListOptions,
            _: &'a FetchContext<TestObject>,
        ) -> crate::BoxFuture<'a, Result<WatchStream<TestObject>, FetchError>> {
            Box::pin(std::future::pending())
        }
    }
    assert!(Silent.supports_watch_list());
}

#[tokio::test(start_paused = true)]
async fn a_tweak_has_the_last_word() {
    let server = FakeServer::with(&["a"]);
    let source = crate::Tweaked::new(server.clone(), |options: &mut ListOptions| {
        if !options.watch {
            options.limit = 7;
        }
    });
    let running = start_with(Arc::new(source), plain_lists(), None);
    settle().await;
    assert_eq!(server.requests()[0], "LIST rv=0 limit=7");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_33_a_stream_is_one_replacement_and_goes_on_as_the_watch() {
    let server = FakeServer::with(&["a", "b"]);
    let running = start(&server, quiet());
    settle().await;
    server.put("c", "");
    settle().await;
    assert_eq!(running.deltas(), ["ReplacedAll(2 objects@2)", "Added(ns/c@3)"]);
    assert_eq!(server.requests(), ["STREAM rv="]);
    assert_eq!(running.handle.status().lists, 1);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_39_another_value_of_the_annotation_does_not_complete_the_stream() {
    let server = FakeServer::with(&["a"]).with_marker("yes");
    let running = start(&server, quiet());
    settle().await;
    assert!(running.deltas().is_empty());
    assert_eq!(running.handle.status().phase, "streaming");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_32_a_server_without_streams_is_listed() {
    let server = FakeServer::with(&["a"]).without_streams();
    let running = start(&server, quiet());
    settle().await;
    assert_eq!(server.requests(), ["STREAM rv=", "LIST rv=0 limit=500", "WATCH rv=1"]);
    assert_eq!(running.deltas(), ["ReplacedAll(1 objects@1)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_36_a_stream_cut_before_its_end_leaves_nothing_behind() {
    let server = FakeServer::with(&["a", "b", "c"]);
    server.watch_fault(WatchFault::EndsAfter(2));
    let running = start(&server, quiet());
    settle().await;
    assert_eq!(server.requests(), ["STREAM rv=", "STREAM rv="]);
    assert_eq!(running.deltas(), ["ReplacedAll(3 objects@3)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_38_an_expired_watch_is_made_good_by_a_stream() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, quiet());
    settle().await;
    server.end_watches();
    server.put("b", "");
    server.compact();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(server.requests(), ["STREAM rv=", "WATCH rv=1", "STREAM rv=1"]);
    assert_eq!(running.deltas(), ["ReplacedAll(1 objects@1)", "ReplacedAll(2 objects@2)"]);
    assert!(running.errors().is_empty());
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_goes_back_in_time_is_followed() {
    let server = FakeServer::with(&["a", "b", "c"]);
    for options in [quiet(), plain_lists()] {
        let running = start(&server, options);
        settle().await;
        for _ in 0..5 {
            server.bookmark();
        }
        settle().await;
        running.deltas();
        server.rewind(1);
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(running.deltas(), ["ReplacedAll(3 objects@4)"]);
        assert_eq!(running.handle.last_sync_resource_version(), "4");
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_hangs_ends_with_the_run() {
    let server = FakeServer::with(&["a"]);
    server.list_fault(ListFault::Hangs);
    let running = start(&server, plain_lists());
    tokio::time::sleep(Duration::from_hours(1)).await;
    assert_eq!(running.handle.status().phase, "listing");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_says_nothing_and_never_ends_is_replaced() {
    let server = FakeServer::with(&["a"]);
    server.watch_fault(WatchFault::Mute);
    let running = start(&server, plain_lists());
    settle().await;
    server.put("b", "");
    tokio::time::sleep(Duration::from_secs(331)).await;
    assert_eq!(running.deltas(), ["ReplacedAll(1 objects@1)", "Added(ns/b@2)"]);
    running.stop().await;
}

/// A cache of one object.
struct Cache(Arc<TestObject>);
impl crate::Cached<TestObject> for Cache {
    fn at_version(&self, namespace: &str, name: &str, version: &str) -> Option<Stored<TestObject>> {
        let own = &self.0;
        let same = own.namespace() == namespace && own.name() == name && own.resource_version() == version;
        same.then(|| own.clone().into())
    }
}

#[tokio::test(start_paused = true)]
async fn t1_2_25_unchanged_objects_are_shared_with_the_cache() {
    let cached = crate::fixtures::object("a", 1);
    for options in [plain_lists(), quiet()] {
        let server = FakeServer::with(&["a", "b"]);
        let fetch = FetchContext::default().sharing(Arc::new(Cache(cached.clone())));
        let running = start(&server, ReflectorOptions { fetch, ..options });
        settle().await;
        let mut shared = Vec::new();
        let mut take = |batch: &mut crate::Batch<TestObject>| {
            if let crate::Delta::ReplacedAll(list) = &batch.deltas[0] {
                shared = list.objects.iter().map(|object| object.ptr_eq(&cached.clone().into())).collect();
            }
            Ok::<_, std::convert::Infallible>(())
        };
        running.queue.try_pop(&mut take);
        assert_eq!(shared, [true, false]);
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_panicking_error_handler_harms_nobody() {
    let server = FakeServer::with(&["a"]);
    server.list_fault(ListFault::Fails(expired()));
    server.list_fault(ListFault::Fails(expired()));
    let queue = Arc::new(fifo(None));
    let options = ReflectorOptions { on_error: Some(Arc::new(|_| panic!("oh"))), ..plain_lists() };
    let reflector = Reflector::new(Arc::new(server.clone()), queue.clone(), options);
    let (handle, cancel) = (reflector.handle(), CancellationToken::new());
    let task = tokio::spawn(reflector.run(cancel.clone()));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!((handle.status().errors, queue.len()), (1, 1));
    cancel.cancel();
    task.await.unwrap();
}

mod consistency {
    use super::*;

    fn checked() -> ReflectorOptions<TestObject> {
        ReflectorOptions { consistency_check: Some(ConsistencyCheck::of_objects()), ..quiet() }
    }

    async fn passes(names: &[&str]) {
        let server = FakeServer::with(names);
        // So that the version is not 0, for which there is no check.
        server.put("x", "");
        server.delete("x");
        let running = start(&server, checked());
        settle().await;
        let version = names.len() + 2;
        assert_eq!(server.requests(), ["STREAM rv=".into(), format!("LIST rv={version} limit=0 Exact")]);
        assert_eq!(running.deltas(), [format!("ReplacedAll({} objects@{version})", names.len())]);
        assert!(running.errors().is_empty());
        running.stop().await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_01_equal_data_passes() {
        passes(&["a", "b"]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_04_nothing_on_both_sides_passes() {
        passes(&[]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_02_dynamic_objects_are_compared_as_well() {
        let object = |value: i64| {
            let mut object = Unstructured::new("v1", "Thing", "a");
            object.object.insert("spec", client_rs_machinery::json!({"value": value}));
            Arc::new(object)
        };
        let check = ConsistencyCheck::<Unstructured>::of_objects();
        let source = list_watch(
            move |_| {
                let items = vec![(*object(1)).clone()];
                std::future::ready(Ok(Page {
                    items,
                    resource_version: "1".into(),
                    continue_token: Str::EMPTY,
                }))
            },
            |_| std::future::pending::<Result<WatchStream<Unstructured>, _>>(),
        );
        for (value, same) in [(1, true), (2, false)] {
            let fetch = FetchContext::default();
            let request = ListOptions::EMPTY;
            let checked = check
                .check(
                    &source,
                    &fetch,
                    |object| Some(Arc::new(object)),
                    &request,
                    "1",
                    &[object(value).into()],
                )
                .await;
            assert_eq!(checked.is_ok(), same);
        }
    }

    /// Lists from one server, watches another.
    struct TwoFaced(FakeServer, FakeServer);
    impl ListWatch<TestObject> for TwoFaced {
        fn list<'a>(
            &'a self,
            options: ListOptions,
            cx: &'a FetchContext<TestObject>,
            items: crate::ItemSink<'a, TestObject>,
        ) -> crate::BoxFuture<'a, Result<client_rs_machinery::wire::ListSummary, FetchError>> {
            self.0.list(options, cx, items)
        }

        fn watch<'a>(
            &'a self,
            options: ListOptions,
            cx: &'a FetchContext<TestObject>,
        ) -> crate::BoxFuture<'a, Result<WatchStream<TestObject>, FetchError>> {
            self.1.watch(options, cx)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_07_a_difference_is_reported_and_the_plain_list_counts() {
        let server = FakeServer::with(&["a"]);
        // What is streamed lacks an object that is listed.
        let streamed = FakeServer::with(&["x", "a"]);
        streamed.delete("x");
        server.put("b", "");
        server.put("c", "");
        let source = TwoFaced(server.clone(), streamed.clone());
        let running = start_with(Arc::new(source), checked(), None);
        settle().await;
        let errors = running.errors();
        assert!(errors.len() == 1 && errors[0].contains("ns/b, ns/c"), "{errors:?}");
        assert_eq!(server.requests(), ["LIST rv=3 limit=0 Exact", "LIST rv=0 limit=500"]);
        assert_eq!(running.deltas(), ["ReplacedAll(3 objects@3)"]);
        running.stop().await;
    }

    #[tokio::test(start_paused = true)]
    async fn t1_3_08_a_list_that_fails_is_repeated() {
        let server = FakeServer::with(&["a"]);
        server.list_fault(ListFault::Fails(expired()));
        server.list_fault(ListFault::CutAfter(0));
        let running = start(&server, checked());
        tokio::time::sleep(Duration::from_millis(1999)).await;
        assert!(running.deltas().is_empty());
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!(running.deltas(), ["ReplacedAll(1 objects@1)"]);
        running.stop().await;
    }
}
