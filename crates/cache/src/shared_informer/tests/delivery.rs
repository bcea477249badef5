//! The notifications of handlers.

use super::*;

#[tokio::test(start_paused = true)]
async fn handlers_are_notified_and_the_store_shows_the_change() {
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
async fn t1_11_04_a_shorter_resync_period_counts_only_before_the_start() {
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
    // The check runs every five seconds; the late handler is first due five seconds after it was added.
    tokio::time::sleep(seconds(21)).await;
    assert_eq!((early.take().len(), late.take().len()), (4, 3));
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_relist_replays_unchanged_objects_only_without_a_resync_period() {
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
    informer.add_handler(handler).unwrap();
    let started = start(&informer);
    settle().await;
    server.put("a", "secret 2");
    settle().await;
    assert_eq!(*seen.lock().unwrap(), ["-", "-", "- 2"]);
    assert_eq!(informer.indexer().find("ns", "a").unwrap().data, "- 2");
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_18_a_late_handler_gets_the_existing_objects_first_and_then_changes() {
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
async fn t1_11_25_handlers_of_every_kind_and_filter() {
    let server = FakeServer::default();
    server.put("a", "in");
    server.put("b", "out");
    let informer = informer(&server);
    let filter = |object: &TestObject| object.data == "in";
    let (sync, asynchronous) = (Recorder::default(), Recorder::default());
    let filtered = crate::Filtered::new(filter, sync.clone());
    informer.add_handler(filtered).unwrap();
    let note = asynchronous.clone();
    let handler = move |told: Notification<TestObject>| {
        note.note(&told);
        std::future::ready(())
    };
    informer.add_async_handler(crate::Filtered::new(filter, handler)).unwrap();
    informer.add_handler(HandlerFns::new()).unwrap();
    let mut stream = informer.subscribe().unwrap();
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
async fn a_handler_that_lags_gets_merged_events_and_delays_no_other() {
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
        let registration = informer.add_async_handler_with(handler, options).unwrap();
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

#[tokio::test(start_paused = true)]
async fn many_handlers_share_a_turn_of_the_informer_and_none_misses_an_event() {
    let server = FakeServer::with(&["a", "b", "c"]);
    let informer = informer(&server);
    let called = Arc::new(AtomicUsize::new(0));
    let add = |_| {
        let (recorder, called) = (Recorder::default(), Arc::clone(&called));
        let own = recorder.clone();
        let handler = move |notification: &Notification<TestObject>| {
            called.fetch_add(1, Ordering::Relaxed);
            own.note(notification);
        };
        informer.add_handler_with(handler, HandlerOptions::enqueueing()).unwrap();
        recorder
    };
    let recorders: Vec<_> = (0..150).map(add).collect();
    let cancel = CancellationToken::new();
    let mut run = std::pin::pin!(informer.run(cancel.clone()));
    let mut turns = Vec::new();
    for turn in 0..100 {
        if turn == 50 {
            server.put("a", "x");
            server.delete("b");
        }
        let before = called.load(Ordering::Relaxed);
        assert!(poll_fn(|cx| std::task::Poll::Ready(run.as_mut().poll(cx).is_pending())).await);
        turns.push(called.load(Ordering::Relaxed) - before);
        // The tasks of the handlers.
        settle().await;
    }
    assert_eq!(turns.iter().max(), Some(&128));
    for recorder in recorders {
        let told = recorder.take();
        assert_eq!(told[..3], ["Added(ns/a@1, initial)", "Added(ns/b@2, initial)", "Added(ns/c@3, initial)"]);
        assert_eq!(told[3..], ["Updated(ns/a@1→4)", "Deleted(ns/b@5)"]);
    }
    cancel.cancel();
    run.await.unwrap();
}
