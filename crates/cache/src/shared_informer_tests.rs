//! A shared informer against a server in memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use client_rs_machinery::{ApiError, ObjectKey};

use super::*;
use crate::fake_server::{FakeServer, GARBAGE, ListFault, expired};
use crate::fixtures::TestObject;
use crate::reflector::WatchErrorHandler;
use crate::{Deleted, Delivery, Execution, HandlerFns, Notification, Transform};

/// Lets all tasks run as far as they come.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A handler that writes down what it is told.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    fn sorted(&self) -> Vec<String> {
        let mut told = self.take();
        told.sort();
        told
    }

    fn note(&self, told: &Notification<TestObject>) {
        self.0.lock().unwrap().push(format!("{told:?}"));
    }
}

impl EventHandler<TestObject> for Recorder {
    fn on_add(&self, object: &Arc<TestObject>, is_initial: bool) {
        self.note(&Notification::Added { object: object.clone(), is_initial });
    }

    fn on_update(&self, old: &Arc<TestObject>, new: &Arc<TestObject>) {
        self.note(&Notification::Updated { old: old.clone(), new: new.clone() });
    }

    fn on_delete(&self, deleted: &Deleted<TestObject>) {
        self.note(&Notification::Deleted(deleted.clone()));
    }
}

struct Started {
    informer: SharedInformer<TestObject>,
    cancel: CancellationToken,
    task: tokio::task::JoinHandle<Result<(), InformerError>>,
}

fn informer(server: &FakeServer) -> SharedInformer<TestObject> {
    informer_with(server, InformerOptions::default())
}

fn informer_with(server: &FakeServer, options: InformerOptions<TestObject>) -> SharedInformer<TestObject> {
    SharedInformer::new(server.clone(), options)
}

fn start(informer: &SharedInformer<TestObject>) -> Started {
    let (informer, cancel) = (informer.clone(), CancellationToken::new());
    let (own, token) = (informer.clone(), cancel.clone());
    let task = tokio::spawn(async move { own.run(token).await });
    Started { informer, cancel, task }
}

impl Started {
    async fn stop(self) {
        self.cancel.cancel();
        self.task.await.unwrap().unwrap();
        assert!(self.informer.is_stopped());
    }
}

fn add(informer: &SharedInformer<TestObject>, options: HandlerOptions) -> (Recorder, Registration) {
    let recorder = Recorder::default();
    let registration = informer.add_handler(recorder.clone(), options).unwrap();
    (recorder, registration)
}

fn every(period: Duration) -> HandlerOptions {
    HandlerOptions { resync_period: Some(period), ..HandlerOptions::default() }
}

#[tokio::test(start_paused = true)]
async fn handlers_are_told_and_the_store_shows_it() {
    let server = FakeServer::with(&["a", "b"]);
    let informer = informer(&server);
    let (recorder, registration) = add(&informer, HandlerOptions::default());
    assert!(!informer.has_synced() && !registration.has_synced());
    assert_eq!(informer.last_sync_resource_version(), "");
    let started = start(&informer);
    assert!(informer.synced().await && registration.synced().await);
    assert_eq!(recorder.sorted(), ["Added(ns/a@1, initial)", "Added(ns/b@2, initial)"]);
    server.put("a", "x");
    server.delete("b");
    server.put("c", "");
    settle().await;
    assert_eq!(recorder.take(), ["Updated(ns/a@1→3)", "Deleted(ns/b@4)", "Added(ns/c@5)"]);
    assert_eq!(informer.indexer().len(), 2);
    assert_eq!(informer.last_sync_resource_version(), "5");
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_01_indexes_can_be_added_before_and_after_start_and_not_after_stop() {
    let by_data =
        |name: &str| Index::new(name.to_owned(), |object: &TestObject| [Str::from(object.data.as_str())]);
    let server = FakeServer::default();
    server.put("a", "x");
    server.put("b", "y");
    let informer = informer(&server);
    informer.add_indexes([by_data("before")]).unwrap();
    let started = start(&informer);
    informer.synced().await;
    informer.add_indexes([by_data("after")]).unwrap();
    for index in ["before", "after"] {
        assert_eq!(informer.indexer().index_keys(index, "x").unwrap(), [ObjectKey::new("ns", "a")]);
    }
    assert!(matches!(informer.add_indexes([by_data("after")]), Err(InformerError::Index(_))));
    started.stop().await;
    assert_eq!(informer.add_indexes([by_data("late")]), Err(InformerError::Stopped));
}

#[tokio::test(start_paused = true)]
async fn t1_11_02_handlers_receive_exactly_their_resyncs() {
    let server = FakeServer::with(&["a"]);
    let informer =
        informer_with(&server, InformerOptions { resync_period: seconds(1), ..InformerOptions::default() });
    let (one, _) = add(&informer, every(seconds(1)));
    let (two, _) = add(&informer, every(seconds(2)));
    let (never, _) = add(&informer, every(Duration::ZERO));
    let (default, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    for recorder in [&one, &two, &never, &default] {
        recorder.take();
    }
    tokio::time::sleep(Duration::from_millis(4500)).await;
    let count = |recorder: &Recorder| {
        let told = recorder.take();
        assert!(told.iter().all(|told| told == "Updated(ns/a@1→1)"), "{told:?}");
        told.len()
    };
    assert_eq!([count(&one), count(&two), count(&never), count(&default)], [4, 2, 0, 4]);
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_04_a_handler_in_a_hurry_is_heeded_before_the_start_only() {
    let server = FakeServer::with(&["a"]);
    let informer =
        informer_with(&server, InformerOptions { resync_period: seconds(60), ..InformerOptions::default() });
    let (early, _) = add(&informer, every(seconds(5)));
    let started = start(&informer);
    settle().await;
    let (late, _) = add(&informer, every(seconds(1)));
    settle().await;
    early.take();
    late.take();
    // It is looked every five seconds; the late one is first due five seconds after it came.
    tokio::time::sleep(seconds(21)).await;
    assert_eq!((early.take().len(), late.take().len()), (4, 3));
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn without_resync_a_relist_tells_everybody_and_with_it_nobody() {
    for (period, expected) in [(Duration::ZERO, 1), (seconds(1), 0)] {
        let server = FakeServer::with(&["a"]);
        let informer =
            informer_with(&server, InformerOptions { resync_period: period, ..InformerOptions::default() });
        let (recorder, _) = add(&informer, every(seconds(3600)));
        let started = start(&informer);
        tokio::time::sleep(seconds(2)).await;
        recorder.take();
        server.break_watches(&ApiError::resource_expired("x"));
        tokio::time::sleep(seconds(5)).await;
        assert_eq!(informer.state().reflectors[0].relists, 1);
        assert_eq!(recorder.take().len(), expected, "{period:?}");
        started.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn t1_11_05_starting_and_adding_handlers_at_once_loses_nothing() {
    for _ in 0..50 {
        let server = FakeServer::with(&["a", "b", "c"]);
        let informer = informer(&server);
        let adding: Vec<_> = (0..8)
            .map(|_| {
                let informer = informer.clone();
                tokio::spawn(async move { add(&informer, HandlerOptions::default()) })
            })
            .collect();
        let started = start(&informer);
        for task in adding {
            let (recorder, registration) = task.await.unwrap();
            assert!(registration.synced().await);
            let told = recorder.sorted();
            assert_eq!(told, ["Added(ns/a@1, initial)", "Added(ns/b@2, initial)", "Added(ns/c@3, initial)"]);
        }
        started.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn t1_11_06_what_happened_during_a_disruption_is_told_after_the_relist() {
    let server = FakeServer::with(&["keeps", "changes", "goes"]);
    let informer = informer_with(
        &server,
        InformerOptions { resync_period: seconds(3600), ..InformerOptions::default() },
    );
    let (recorder, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    // So that updates that change nothing are not told.
    tokio::time::sleep(seconds(3601)).await;
    let kept = informer.indexer().find("ns", "keeps").unwrap();
    recorder.take();
    server.end_watches();
    server.put("changes", "x");
    server.delete("goes");
    server.put("comes", "");
    server.compact();
    tokio::time::sleep(seconds(3)).await;
    let told = recorder.sorted();
    assert_eq!(
        told,
        [
            "Added(ns/comes@6)",
            "Deleted(tombstone ns/goes@3)",
            "Updated(ns/changes@2→4)",
            "Updated(ns/keeps@1→1)"
        ]
    );
    assert!(
        Arc::ptr_eq(&kept, &informer.indexer().find("ns", "keeps").unwrap()),
        "what is unchanged is the same"
    );
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_07_each_failure_reaches_the_error_handler_once() {
    let server = FakeServer::with(&["a"]).without_streams();
    server.list_fault(ListFault::Fails(
        ApiError::forbidden(&client_rs_machinery::GroupResource::new("", "things"), "", "no").into(),
    ));
    server.list_fault(ListFault::CutAfter(1));
    let errors = Arc::new(AtomicUsize::new(0));
    let count = errors.clone();
    let on_error: WatchErrorHandler = Arc::new(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let informer =
        informer_with(&server, InformerOptions { on_error: Some(on_error), ..InformerOptions::default() });
    let started = start(&informer);
    informer.synced().await;
    assert_eq!(errors.load(Ordering::Relaxed), 2);
    let state = informer.state();
    assert_eq!(state.reflectors[0].errors, 2);
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_08_handlers_added_around_the_start_all_receive_events() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let mut recorders = vec![add(&informer, HandlerOptions::default()).0];
    let started = start(&informer);
    recorders.push(add(&informer, HandlerOptions::default()).0);
    tokio::task::yield_now().await;
    recorders.push(add(&informer, HandlerOptions::default()).0);
    settle().await;
    recorders.push(add(&informer, HandlerOptions::default()).0);
    server.put("b", "");
    settle().await;
    for recorder in recorders {
        let told = recorder.take();
        assert_eq!(told, ["Added(ns/a@1, initial)", "Added(ns/b@2)"]);
    }
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_09_the_original_of_a_transformed_object_is_never_seen() {
    let server = FakeServer::default();
    server.put("a", "secret");
    let transform =
        Transform::edit(|object: &mut TestObject| object.data = object.data.replace("secret", "-"));
    let informer =
        informer_with(&server, InformerOptions { transform: Some(transform), ..InformerOptions::default() });
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (adds, updates) = (seen.clone(), seen.clone());
    let handler = HandlerFns::new()
        .on_add(move |object: &Arc<TestObject>, _| adds.lock().unwrap().push(object.data.clone()))
        .on_update(move |old, new| updates.lock().unwrap().extend([old.data.clone(), new.data.clone()]));
    informer.add_handler(handler, HandlerOptions::default()).unwrap();
    let started = start(&informer);
    settle().await;
    server.put("a", "secret 2");
    settle().await;
    assert_eq!(*seen.lock().unwrap(), ["-", "-", "- 2"]);
    assert_eq!(informer.indexer().find("ns", "a").unwrap().data, "- 2");
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_10_a_removed_handler_is_told_nothing_more_and_others_are() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let (removed, registration) = add(&informer, HandlerOptions::default());
    let (stays, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    assert!(informer.remove_handler(&registration));
    removed.take();
    stays.take();
    server.put("b", "");
    settle().await;
    assert_eq!((removed.take().len(), stays.take().len()), (0, 1));
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_13_removing_twice_does_nothing_the_second_time() {
    let informer = informer(&FakeServer::with(&["a"]));
    let (_, before) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    let (_, after) = add(&informer, HandlerOptions::default());
    for registration in [before, after] {
        assert!(informer.remove_handler(&registration));
        assert!(!informer.remove_handler(&registration));
    }
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_11_the_handle_of_another_informer_means_nothing() {
    let server = FakeServer::with(&["a"]);
    let (one, other) = (informer(&server), informer(&server));
    let (recorder, own) = add(&one, HandlerOptions::default());
    let (_, foreign) = add(&other, HandlerOptions::default());
    let started = start(&one);
    assert!(!one.remove_handler(&foreign));
    settle().await;
    assert_eq!(recorder.take().len(), 1);
    assert!(one.remove_handler(&own));
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_12_one_handler_can_be_added_several_times() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let recorder = Recorder::default();
    let first = informer.add_handler(recorder.clone(), HandlerOptions::default()).unwrap();
    informer.add_handler(recorder.clone(), HandlerOptions::default()).unwrap();
    let started = start(&informer);
    settle().await;
    assert_eq!(recorder.take().len(), 2);
    informer.remove_handler(&first);
    server.put("b", "");
    settle().await;
    assert_eq!(recorder.take().len(), 1);
    started.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn t1_11_14_adding_and_removing_while_events_flow_neither_deadlocks_nor_leaks() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let started = start(&informer);
    let writer = {
        let server = server.clone();
        tokio::spawn(async move {
            for number in 0..2000 {
                server.put(&format!("n{}", number % 10), "x");
                tokio::task::yield_now().await;
            }
        })
    };
    let churn: Vec<_> = (0..8)
        .map(|_| {
            let informer = informer.clone();
            tokio::spawn(async move {
                for round in 0..50 {
                    let (recorder, registration) = add(&informer, HandlerOptions::default());
                    assert!(registration.synced().await);
                    assert!(!recorder.take().is_empty());
                    if round % 2 == 0 {
                        informer.shut_down_handler(&registration).await;
                        recorder.take();
                        assert!(recorder.take().is_empty());
                    } else {
                        assert!(informer.remove_handler(&registration));
                    }
                }
            })
        })
        .collect();
    for task in churn {
        task.await.unwrap();
    }
    writer.await.unwrap();
    assert!(informer.state().handlers.is_empty());
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_15_started_and_stopped_say_so() {
    let informer = informer(&FakeServer::default());
    assert!(!informer.has_started() && !informer.is_stopped());
    let started = start(&informer);
    settle().await;
    assert!(informer.has_started() && !informer.is_stopped());
    assert_eq!(informer.run(CancellationToken::new()).await, Err(InformerError::AlreadyStarted));
    let copy = informer.clone();
    started.stop().await;
    assert!(copy.has_started() && copy.is_stopped());
    assert_eq!(informer.run(CancellationToken::new()).await, Err(InformerError::AlreadyStarted));
}

#[tokio::test(start_paused = true)]
async fn t1_11_16_no_handler_can_be_added_after_the_stop() {
    let informer = informer(&FakeServer::with(&["a"]));
    let mut subscription = informer.subscribe(HandlerOptions::default()).unwrap();
    let started = start(&informer);
    settle().await;
    started.stop().await;
    let added = informer.add_handler(Recorder::default(), HandlerOptions::default());
    assert_eq!(added.map(|_| ()), Err(InformerError::Stopped));
    assert!(informer.subscribe(HandlerOptions::default()).is_err());
    assert!(subscription.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn t1_11_17_removing_a_handler_after_the_stop_is_no_error() {
    let informer = informer(&FakeServer::with(&["a"]));
    let (_, registration) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    started.stop().await;
    assert!(!informer.remove_handler(&registration));
    informer.shut_down_handler(&registration).await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_18_a_late_handler_is_told_of_all_first_then_of_changes() {
    let server = FakeServer::with(&["a", "b"]);
    let informer = informer(&server);
    let started = start(&informer);
    informer.synced().await;
    server.put("c", "");
    settle().await;
    let (late, registration) = add(&informer, HandlerOptions::default());
    server.put("a", "x");
    assert!(registration.synced().await);
    settle().await;
    let told = late.take();
    assert_eq!(told[3..], ["Updated(ns/a@1→4)"]);
    assert!(told[..3].iter().all(|told| told.ends_with("initial)")), "{told:?}");
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_19_stopping_leaves_no_task_behind() {
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for _ in 0..5 {
        let server = FakeServer::with(&["a"]);
        let informer = informer(&server);
        for _ in 0..10 {
            add(&informer, HandlerOptions::default());
        }
        let _stream = informer.subscribe(HandlerOptions::default()).unwrap();
        let started = start(&informer);
        settle().await;
        started.stop().await;
        assert_eq!((tasks(), server.open_watches()), (before, 0));
    }
    // Without ever having run.
    let informer = informer(&FakeServer::default());
    add(&informer, HandlerOptions::default());
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(informer.run(cancel).await, Ok(()));
    // Dropped in the middle.
    let server = FakeServer::with(&["a"]);
    let informer = informer_with(&server, InformerOptions::default());
    add(&informer, HandlerOptions::default());
    let run = informer.run(CancellationToken::new());
    assert!(tokio::time::timeout(seconds(5), run).await.is_err());
    settle().await;
    assert!(informer.is_stopped());
    assert_eq!((tasks(), server.open_watches()), (before, 0));
}

/// Panics on demand.
struct Panicky {
    recorder: Recorder,
    on: &'static str,
}

impl EventHandler<TestObject> for Panicky {
    fn on_add(&self, object: &Arc<TestObject>, is_initial: bool) {
        self.recorder.on_add(object, is_initial);
        assert!(self.on != "add" || object.name() != "a", "on purpose");
    }

    fn on_update(&self, old: &Arc<TestObject>, new: &Arc<TestObject>) {
        self.recorder.on_update(old, new);
        assert!(self.on != "update", "on purpose");
    }

    fn on_delete(&self, deleted: &Deleted<TestObject>) {
        self.recorder.on_delete(deleted);
        assert!(self.on != "delete", "on purpose");
    }
}

// T1.11-20. Differs from client-go on purpose: a panic neither crashes the process nor keeps the handler from
// ever being synced.
#[tokio::test(start_paused = true)]
async fn t1_11_20_a_panicking_handler_goes_on_a_second_later_and_harms_nobody() {
    for (on, execution) in [
        ("add", Execution::Blocking),
        ("update", Execution::Blocking),
        ("delete", Execution::Blocking),
        ("delete", Execution::Inline),
    ] {
        let server = FakeServer::with(&["a"]);
        let informer = informer(&server);
        let recorder = Recorder::default();
        let panicky = Panicky { recorder: recorder.clone(), on };
        let options = HandlerOptions { execution, ..HandlerOptions::default() };
        let registration = informer.add_handler(panicky, options).unwrap();
        let (other, _) = add(&informer, HandlerOptions::default());
        let started = start(&informer);
        settle().await;
        server.put("a", "x");
        server.delete("a");
        server.put("b", "");
        settle().await;
        assert_eq!(other.take().len(), 4);
        assert!(recorder.0.lock().unwrap().len() < 4, "it pauses");
        tokio::time::sleep(Duration::from_millis(1001)).await;
        assert_eq!(recorder.take().len(), 4);
        assert!(registration.has_synced());
        assert_eq!(informer.state().handlers[0].panics, 1);
        started.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_panicking_async_handler_goes_on_too() {
    let server = FakeServer::with(&["a", "b"]);
    let informer = informer(&server);
    let told = Arc::new(AtomicUsize::new(0));
    let count = told.clone();
    let handler = move |notification: Notification<TestObject>| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        assert!(number != 0, "before there is a future");
        async move {
            tokio::task::yield_now().await;
            assert!(number != 1, "inside the future of {notification:?}");
        }
    };
    let registration = informer.add_async_handler(handler, HandlerOptions::default()).unwrap();
    let started = start(&informer);
    tokio::time::sleep(seconds(3)).await;
    server.put("c", "");
    settle().await;
    assert_eq!((told.load(Ordering::Relaxed), informer.state().handlers[0].panics), (3, 2));
    assert!(registration.has_synced());
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_21_a_panic_after_removal_spoils_nothing() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let gate = Arc::new(tokio::sync::Notify::new());
    let wait = gate.clone();
    let handler = move |_| {
        let wait = wait.clone();
        async move {
            wait.notified().await;
            panic!("on purpose");
        }
    };
    let registration = informer.add_async_handler(handler, HandlerOptions::default()).unwrap();
    let (other, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    informer.remove_handler(&registration);
    gate.notify_one();
    server.put("b", "");
    settle().await;
    assert_eq!(other.take().len(), 2);
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_22_shutting_a_handler_down_waits_for_what_it_is_being_told() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let done = Arc::new(AtomicBool::new(false));
    let set = done.clone();
    let handler = move |_| {
        let set = set.clone();
        async move {
            tokio::time::sleep(seconds(5)).await;
            set.store(true, Ordering::Relaxed);
        }
    };
    let registration = informer.add_async_handler(handler, HandlerOptions::default()).unwrap();
    let started = start(&informer);
    settle().await;
    let began = Instant::now();
    informer.shut_down_handler(&registration).await;
    assert!(done.load(Ordering::Relaxed) && began.elapsed() > seconds(4));
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_23_shutting_down_works_whether_or_not_it_was_started() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let (_, never_started) = add(&informer, HandlerOptions::default());
    informer.shut_down_handler(&never_started).await;
    let (_, then_started) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    let (_, after_start) = add(&informer, HandlerOptions::default());
    settle().await;
    informer.shut_down_handler(&then_started).await;
    informer.shut_down_handler(&after_start).await;
    informer.shut_down_handler(&after_start).await;
    assert!(informer.state().handlers.is_empty());
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_25_handlers_of_every_kind_and_filter() {
    let server = FakeServer::default();
    server.put("a", "in");
    server.put("b", "out");
    let informer = informer(&server);
    let filter = |object: &TestObject| object.data == "in";
    let (sync, asynchronous) = (Recorder::default(), Recorder::default());
    let filtered = crate::Filtered::new(filter, sync.clone());
    informer.add_handler(filtered, HandlerOptions::default()).unwrap();
    let note = asynchronous.clone();
    let handler = move |told: Notification<TestObject>| {
        note.note(&told);
        std::future::ready(())
    };
    informer.add_async_handler(crate::Filtered::new(filter, handler), HandlerOptions::default()).unwrap();
    informer.add_handler(HandlerFns::new(), HandlerOptions::default()).unwrap();
    let mut stream = informer.subscribe(HandlerOptions::default()).unwrap();
    let started = start(&informer);
    settle().await;
    server.put("a", "in");
    server.put("a", "out");
    server.put("b", "in");
    server.delete("b");
    server.delete("a");
    settle().await;
    let expected = [
        "Added(ns/a@1, initial)",
        "Updated(ns/a@1→3)",
        "Deleted(ns/a@3)",
        "Added(ns/b@5)",
        "Deleted(ns/b@6)",
    ];
    assert_eq!(sync.take(), expected);
    assert_eq!(asynchronous.take(), expected);
    assert!(!stream.registration().has_synced());
    for _ in 0..7 {
        assert!(stream.next().await.is_some());
    }
    assert!(stream.registration().has_synced());
    drop(stream);
    assert_eq!(informer.state().handlers.len(), 3);
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_lags_is_told_the_sum_and_delays_nobody() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let blocked = |delivery| {
        let (recorder, gate) = (Recorder::default(), gate.clone());
        let note = recorder.clone();
        let handler = move |told: Notification<TestObject>| {
            let (note, gate) = (note.clone(), gate.clone());
            async move {
                gate.acquire().await.unwrap().forget();
                note.note(&told);
            }
        };
        let options = HandlerOptions { delivery, ..HandlerOptions::default() };
        let registration = informer.add_async_handler(handler, options).unwrap();
        (recorder, registration)
    };
    let (slow, registration) = blocked(Delivery::Coalesced { limit: 3 });
    let (every, _) = blocked(Delivery::EveryEvent);
    let (fast, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    for version in 0..1000 {
        server.put("b", &version.to_string());
    }
    server.put("c", "");
    server.delete("c");
    settle().await;
    let told = fast.take();
    assert_eq!(told.len(), 1003);
    let state = informer.state();
    assert_eq!((state.handlers[0].pending, state.handlers[1].pending), (3, 1002));
    assert!(state.handlers[0].coalesced > 900 && !registration.has_synced());
    gate.add_permits(10_000);
    settle().await;
    assert_eq!(
        slow.take(),
        ["Added(ns/a@1, initial)", "Added(ns/b@2)", "Updated(ns/b@2→3)", "Updated(ns/b@3→1001)"]
    );
    assert_eq!(every.take(), told);
    started.stop().await;
}

// The thread is freed by the test itself; the informer does not wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_never_returns_holds_up_neither_the_others_nor_the_stop() {
    let server = FakeServer::with(&["a"]);
    let options = InformerOptions { handler_grace: Duration::from_millis(10), ..InformerOptions::default() };
    let informer = informer_with(&server, options);
    let (free, blocked) = std::sync::mpsc::channel::<()>();
    let blocked = Mutex::new(blocked);
    let handler = HandlerFns::new().on_add(move |_: &Arc<TestObject>, _| {
        let _ = blocked.lock().unwrap().recv();
    });
    let registration = informer.add_handler(handler, HandlerOptions::default()).unwrap();
    let (other, synced) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    assert!(synced.synced().await);
    assert_eq!(other.take().len(), 1);
    started.stop().await;
    assert!(!registration.has_synced());
    drop(free);
}

#[tokio::test(start_paused = true)]
async fn what_does_not_decode_stays_at_its_last_good_version() {
    let server = FakeServer::with(&["a", "b"]);
    let informer = informer(&server);
    let (recorder, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    recorder.take();
    server.put("a", GARBAGE);
    server.put("never", GARBAGE);
    settle().await;
    let state = informer.state();
    assert_eq!((state.objects, state.reflectors[0].undecodable), (2, 2));
    assert_eq!(informer.indexer().find("ns", "a").unwrap().resource_version(), "1");
    assert!(state.stale >= 1);
    // A relist does not turn it into a deletion.
    server.break_watches(&ApiError::resource_expired("x"));
    tokio::time::sleep(seconds(3)).await;
    assert_eq!(informer.indexer().len(), 2);
    assert!(recorder.take().iter().all(|told| told.starts_with("Updated")));
    server.put("a", "good");
    server.delete("never");
    settle().await;
    assert_eq!(recorder.take(), ["Updated(ns/a@1→5)"]);
    assert_eq!(informer.state().stale, 0);
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn several_namespaces_share_a_cache_and_not_their_lists() {
    let server = FakeServer::default();
    for namespace in ["one", "two", "three"] {
        server.put_in(namespace, "a", "");
    }
    let source = |namespace: &str| -> (Str, Arc<dyn ListWatch<TestObject>>) {
        (namespace.into(), Arc::new(server.in_namespace(namespace)))
    };
    let options = InformerOptions { resync_period: seconds(10), ..InformerOptions::default() };
    let informer = SharedInformer::of_namespaces([source("one"), source("two")], options);
    let (recorder, registration) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    assert!(registration.synced().await);
    assert_eq!(recorder.sorted(), ["Added(one/a@1, initial)", "Added(two/a@2, initial)"]);
    server.delete_in("one", "a");
    server.put_in("two", "b", "");
    server.put_in("three", "b", "");
    settle().await;
    assert_eq!(recorder.sorted(), ["Added(two/b@5)", "Deleted(one/a@4)"]);
    server.break_watches(&ApiError::resource_expired("x"));
    server.put_in("one", "c", "");
    tokio::time::sleep(seconds(3)).await;
    let mut keys = informer.indexer().list_keys();
    keys.sort();
    assert_eq!(keys, [ObjectKey::new("one", "c"), ObjectKey::new("two", "a"), ObjectKey::new("two", "b")]);
    recorder.take();
    tokio::time::sleep(seconds(10)).await;
    let told = recorder.sorted();
    assert_eq!(told, ["Updated(one/c@7→7)", "Updated(two/a@2→2)", "Updated(two/b@5→5)"]);
    let state = informer.state();
    assert_eq!(
        state.reflectors.iter().filter_map(|part| part.namespace.as_deref()).collect::<Vec<_>>(),
        ["one", "two"]
    );
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_informer_of_nothing_is_synced_and_one_of_a_namespace_twice_has_it_once() {
    let nothing = SharedInformer::<TestObject>::of_namespaces([], InformerOptions::default());
    let running = nothing.start();
    assert!(nothing.synced().await);
    assert_eq!(running.stop().await, Ok(()));
    let server = FakeServer::with(&["a"]);
    let source =
        || -> (Str, Arc<dyn ListWatch<TestObject>>) { ("ns".into(), Arc::new(server.in_namespace("ns"))) };
    let informer = SharedInformer::of_namespaces([source(), source()], InformerOptions::default());
    let running = informer.start();
    assert!(informer.synced().await);
    assert_eq!(server.requests().len(), 1);
    drop(running);
    settle().await;
    assert!(informer.is_stopped());
    assert_eq!(informer.start().stop().await, Err(InformerError::AlreadyStarted));
}

#[tokio::test(start_paused = true)]
async fn a_lister_reads_the_cache() {
    let informer = informer(&FakeServer::with(&["a"]));
    let running = informer.start();
    informer.synced().await;
    let lister = informer.lister(client_rs_machinery::GroupResource::new("test", "things"));
    assert_eq!(lister.namespace("ns").get("a").unwrap().name(), "a");
    assert!(lister.namespace("ns").get("b").unwrap_err().is_not_found());
    running.stop().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_stopped_informer_that_nobody_holds_leaves_no_object_behind() {
    let server = FakeServer::with(&["a", "b"]);
    let informer = informer(&server);
    let (recorder, _) = add(&informer, HandlerOptions::default());
    let subscription = informer.subscribe(HandlerOptions::default()).unwrap();
    let running = informer.start();
    settle().await;
    let object = Arc::downgrade(&informer.indexer().find("ns", "a").unwrap());
    running.stop().await.unwrap();
    assert!(object.upgrade().is_some(), "who holds the informer still reads its last state");
    drop((informer, recorder, subscription));
    assert!(object.upgrade().is_none());
}

#[derive(Default)]
struct Counts {
    lists: AtomicUsize,
    watches: AtomicUsize,
    failures: AtomicUsize,
    undecodable: AtomicUsize,
    deltas: AtomicUsize,
    version: AtomicUsize,
}

impl InformerMetrics for Counts {
    fn listed(&self, items: usize, _: Duration) {
        self.lists.fetch_add(items, Ordering::Relaxed);
    }

    fn watch_opened(&self) {
        self.watches.fetch_add(1, Ordering::Relaxed);
    }

    fn failed(&self, _: &crate::FetchError) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    fn undecodable(&self, count: u64) {
        self.undecodable.fetch_add(usize::try_from(count).unwrap(), Ordering::Relaxed);
    }

    fn processed(&self, deltas: usize, _: Duration, _: usize) {
        self.deltas.fetch_add(deltas, Ordering::Relaxed);
    }

    fn store_resource_version(&self, version: u64) {
        self.version.store(usize::try_from(version).unwrap(), Ordering::Relaxed);
    }
}

#[tokio::test(start_paused = true)]
async fn metrics_are_told_what_happens() {
    let counts = Arc::new(Counts::default());
    let server = FakeServer::with(&["a", "b"]).without_streams();
    server.list_fault(ListFault::CutAfter(1));
    let options = InformerOptions { metrics: Some(counts.clone()), ..InformerOptions::default() };
    let informer = informer_with(&server, options);
    let running = informer.start();
    informer.synced().await;
    settle().await;
    server.put("c", "");
    server.put("d", GARBAGE);
    server.bookmark();
    settle().await;
    let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    assert_eq!((count(&counts.lists), count(&counts.watches), count(&counts.failures)), (2, 1, 1));
    assert_eq!((count(&counts.undecodable), count(&counts.deltas), count(&counts.version)), (1, 4, 5));
    running.stop().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_state_is_json() {
    let server = FakeServer::with(&["a"]);
    let informer =
        informer_with(&server, InformerOptions { name: Some("things".into()), ..InformerOptions::default() });
    add(&informer, HandlerOptions { name: Some("mine".into()), ..every(seconds(5)) });
    let created = serde_json::to_value(informer.state()).unwrap();
    assert_eq!((&created["run"], &created["synced"]), (&"created".into(), &false.into()));
    let started = start(&informer);
    informer.synced().await;
    settle().await;
    server.list_fault(ListFault::Fails(expired()));
    tokio::time::sleep(seconds(2)).await;
    let state = serde_json::to_value(informer.state()).unwrap();
    let fields: BTreeMap<String, serde_json::Value> = serde_json::from_value(state.clone()).unwrap();
    assert_eq!(fields["name"], "things");
    assert_eq!(
        (&fields["run"], &fields["objects"], &fields["resourceVersion"]),
        (&"running".into(), &1.into(), &"1".into())
    );
    let reflector = &state["reflectors"][0];
    assert_eq!(
        (&reflector["phase"], &reflector["relists"], &reflector["reconnects"]),
        (&"watching".into(), &0.into(), &0.into())
    );
    assert!(reflector["lastEventAgeSeconds"].as_f64().unwrap() >= 2.0);
    let handler = &state["handlers"][0];
    assert_eq!(
        (&handler["name"], &handler["pending"], &handler["told"]),
        (&"mine".into(), &0.into(), &1.into())
    );
    assert_eq!(
        (&handler["lagSeconds"], &handler["resyncSeconds"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    started.stop().await;
    assert_eq!(informer.state().run, "stopped");
}
