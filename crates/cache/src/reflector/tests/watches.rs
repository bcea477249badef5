//! Watches: order, ends, resumption.

use super::*;

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
async fn t1_2_07_cancelling_while_reading_is_not_an_error() {
    let server = FakeServer::default();
    server.watch_fault(WatchFault::Mute);
    let running = start(&server, plain_lists());
    settle().await;
    let errors = running.errors.clone();
    running.stop().await;
    assert!(errors.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn t1_2_05_a_watch_that_breaks_off_resumes_after_its_last_event() {
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
    assert!(running.errors().is_empty(), "the error handler is not called");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_01_a_watch_that_the_server_ends_with_an_error_is_dropped() {
    let server = FakeServer::with(&["a"]);
    let running = start(&server, plain_lists());
    settle().await;
    server.break_watches(&ApiError::internal_error("etcd"));
    settle().await;
    assert_eq!(server.dropped_watches(), 1);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_26_an_object_lost_in_the_storage_is_removed_by_the_relist() {
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
async fn t1_2_14_a_resync_reaches_the_queue_when_it_is_due() {
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
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(running.deltas()[1..], ["SyncAll(All)"]);
    // While one is queued, another adds nothing.
    tokio::time::sleep(Duration::from_secs(40)).await;
    assert_eq!(*asked.lock().unwrap(), 5);
    assert_eq!(running.deltas(), ["SyncAll(All)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_24_the_queue_gets_each_new_version_including_bookmarks() {
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
async fn a_watch_without_events_that_never_ends_is_replaced() {
    let server = FakeServer::with(&["a"]);
    server.watch_fault(WatchFault::Mute);
    let running = start(&server, plain_lists());
    settle().await;
    server.put("b", "");
    tokio::time::sleep(Duration::from_secs(331)).await;
    assert_eq!(running.deltas(), ["ReplacedAll(1 objects@1)", "Added(ns/b@2)"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_of_the_error_handler_affects_nothing_else() {
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
