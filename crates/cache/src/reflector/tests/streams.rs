//! Streamed lists, and when they are requested.

use super::*;

#[tokio::test(start_paused = true)]
async fn t1_2_29_streams_are_requested_if_gate_and_source_allow() {
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
async fn t1_1_01_a_wrapper_supports_streams_like_its_source() {
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
fn t1_1_02_a_source_supports_streams_by_default() {
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
async fn a_tweak_is_applied_last() {
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
async fn t1_2_33_a_stream_is_one_replacement_and_continues_as_the_watch() {
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
    running
        .comes_to(
            &server,
            &["STREAM rv=", "LIST rv=0 limit=500", "WATCH rv=1"],
            &["ReplacedAll(1 objects@1)"],
        )
        .await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_36_an_incomplete_stream_changes_nothing() {
    let server = FakeServer::with(&["a", "b", "c"]);
    server.watch_fault(WatchFault::EndsAfter(2));
    let running = start(&server, quiet());
    tokio::time::sleep(Duration::from_secs(2)).await;
    running.comes_to(&server, &["STREAM rv=", "STREAM rv="], &["ReplacedAll(3 objects@3)"]).await;
}

#[tokio::test(start_paused = true)]
async fn t1_2_38_an_expired_watch_leads_to_a_stream() {
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
