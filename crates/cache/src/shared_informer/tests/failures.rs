//! Failures outside the informer: disruptions, panics, handlers that hang, objects that do not decode.

use super::*;

#[tokio::test(start_paused = true)]
async fn t1_11_06_changes_during_a_disruption_are_delivered_after_the_relist() {
    let server = FakeServer::with(&["keeps", "changes", "goes"]);
    let informer = informer_with(
        &server,
        InformerOptions { resync_period: seconds(3600), ..InformerOptions::default() },
    );
    let (recorder, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    // With a period, updates without a change are not delivered.
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
        "an unchanged object is the same"
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

/// Panics on demand.
struct Panicky {
    recorder: Recorder,
    on: &'static str,
}

impl EventHandler<TestObject> for Panicky {
    fn handle(&self, notification: &Notification<TestObject>) {
        self.recorder.handle(notification);
        let panics = match notification {
            Notification::Added { object, .. } => self.on == "add" && object.name() == "a",
            Notification::Updated { .. } => self.on == "update",
            Notification::Deleted(_) => self.on == "delete",
        };
        assert!(!panics, "on purpose");
    }
}

// T1.11-20. A deliberate difference from client-go: a panic neither crashes the process nor prevents the handler from
// syncing.
#[tokio::test(start_paused = true)]
async fn t1_11_20_a_handler_that_panics_continues_a_second_later_and_affects_no_other() {
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
        let registration = informer.add_handler_with(panicky, options).unwrap();
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
async fn an_async_handler_that_panics_continues_too() {
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
    let registration = informer.add_async_handler(handler).unwrap();
    let started = start(&informer);
    tokio::time::sleep(seconds(3)).await;
    server.put("c", "");
    settle().await;
    assert_eq!((told.load(Ordering::Relaxed), informer.state().handlers[0].panics), (3, 2));
    assert!(registration.has_synced());
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_21_a_panic_after_the_removal_affects_nothing() {
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
    let registration = informer.add_async_handler(handler).unwrap();
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

// The test frees the thread; the informer does not wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_never_returns_delays_neither_other_handlers_nor_the_stop() {
    let server = FakeServer::with(&["a"]);
    let options = InformerOptions { handler_grace: Duration::from_millis(10), ..InformerOptions::default() };
    let informer = informer_with(&server, options);
    let (free, blocked) = std::sync::mpsc::channel::<()>();
    let blocked = Mutex::new(blocked);
    let handler = HandlerFns::new().on_add(move |_: &Arc<TestObject>, _| {
        let _ = blocked.lock().unwrap().recv();
    });
    let registration = informer.add_handler(handler).unwrap();
    let (other, synced) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    assert!(synced.synced().await);
    assert_eq!(other.take().len(), 1);
    started.stop().await;
    assert!(!registration.has_synced());
    drop(free);
}

#[tokio::test(start_paused = true)]
async fn an_object_that_does_not_decode_stays_at_its_last_good_version() {
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
    assert_eq!(informer.indexer().snapshot().stale_marks(), 4, "two of the watch, and again in the list");
    started.stop().await;
}
