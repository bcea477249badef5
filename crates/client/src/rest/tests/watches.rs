//! Watches.

use super::*;

fn watching(format: Format, body: Body) -> Server {
    Server::new([reply(200, &format!("{};stream=watch", format.media_type()), body)])
}

async fn watch(server: &Server) -> Watch<Pod> {
    server.client().watch(list().param("watch", "true")).await.unwrap()
}

#[tokio::test]
async fn t3_6_01_every_kind_of_event_in_both_formats_across_any_chunking() {
    for format in [Format::Json, Format::Protobuf] {
        let bytes = [
            frame(format, "ADDED", &pod("a")),
            frame(format, "MODIFIED", &pod("b")),
            frame(format, "DELETED", &pod("c")),
            frame(format, "BOOKMARK", &pod("")),
            frame(format, "ERROR", &failure(410, "Expired")),
        ]
        .concat();
        for size in [1, 2, 7, 64, bytes.len()] {
            let mut watch = watch(&watching(format, chunks(&bytes, size, true))).await;
            let mut events = Vec::new();
            while let Some(event) = watch.next().await {
                events.push(event.unwrap());
            }
            let bookmark = WatchEvent::Bookmark { resource_version: "5".into(), initial_events_end: false };
            let expected = [
                WatchEvent::Added(pod("a")),
                WatchEvent::Modified(pod("b")),
                WatchEvent::Deleted(pod("c")),
                bookmark,
            ];
            assert_eq!(events[..4], expected, "{format} {size}");
            let WatchEvent::Error(error) = &events[4] else { panic!("{events:?}") };
            assert!(error.is_resource_expired() && error.code() == 410);
            // The server's error is the last event, although the stream would continue.
            assert!(events.len() == 5 && matches!(watch.end(), Some(WatchEnd::Error)));
        }
    }
}

#[tokio::test]
async fn t3_6_02_a_malformed_event_is_an_error_event_and_the_end() {
    for body in [
        frame(Format::Json, "RENAMED", &pod("a")),
        br#"{"type":"ADDED"}"#.to_vec(),
        b"<html>".to_vec(),
        b"[]".to_vec(),
    ] {
        let mut watch = watch(&watching(Format::Json, chunks(&body, 3, true))).await;
        let Some(Ok(WatchEvent::Error(error))) = watch.next().await else { panic!("no error event") };
        assert!(error.is_internal_error() && error.has_cause(&"ClientWatchDecoding".into()), "{error}");
        assert!(watch.next().await.is_none());
        assert!(matches!(watch.end(), Some(WatchEnd::Undecodable(_))));
    }
}

#[tokio::test]
async fn t3_6_03_dropping_a_watch_ends_it() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let body = Chunks { left: VecDeque::new(), pending: true, dropped: Some(Arc::clone(&dropped)) };
    let server = watching(Format::Json, Body::new(body));
    let mut watch = watch(&server).await;
    let waiting = tokio::spawn(async move { watch.next().await.is_none() });
    tokio::task::yield_now().await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn t3_6_05_a_response_that_is_not_a_watch_is_an_error() {
    let server = Server::new([
        reply(200, "application/cbor", "x"),
        reply(200, "text/html", "x"),
        json(410, failure(410, "Expired").to_json()),
    ]);
    let client = server.client();
    for _ in 0..2 {
        let error = client.watch::<Pod>(list()).await.unwrap_err();
        assert!(matches!(error, Error::ContentType { .. }), "{error}");
    }
    let error = client.watch::<Pod>(list()).await.unwrap_err();
    assert!(error.is_resource_expired(), "{error}");
}

#[tokio::test]
async fn an_event_that_does_not_decode_does_not_affect_others() {
    let bad = br#"{"type":"MODIFIED","object":{"metadata":{"name":"b","namespace":"ns","resourceVersion":"9"},"spec":5}}"#;
    let bytes =
        [frame(Format::Json, "ADDED", &pod("a")), bad.to_vec(), frame(Format::Json, "DELETED", &pod("c"))]
            .concat();
    let mut watch = watch(&watching(Format::Json, chunks(&bytes, 10, false))).await;
    assert_eq!(watch.next().await.unwrap().unwrap(), WatchEvent::Added(pod("a")));
    let bad = watch.next().await.unwrap().unwrap_err();
    assert_eq!(
        (bad.kind.clone(), bad.namespace.as_str(), bad.name.as_str()),
        (WatchEventType::Modified, "ns", "b")
    );
    assert_eq!(bad.resource_version, "9");
    assert_eq!(watch.next().await.unwrap().unwrap(), WatchEvent::Deleted(pod("c")));
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Closed)));
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_without_an_error_event_however_it_ends() {
    let event = frame(Format::Json, "ADDED", &pod("a"));
    let mut cut = watch(&watching(Format::Json, chunks(&event[..event.len() - 5], 16, false))).await;
    assert!(cut.next().await.is_none() && matches!(cut.end(), Some(WatchEnd::Truncated)));
    let server = Server::new((0..20).map(|_| Err(reset())));
    let mut lost = watch(&server).await;
    assert!(lost.next().await.is_none() && matches!(lost.end(), Some(WatchEnd::Lost(_))));
    assert_eq!(server.heard().len(), 11);
}

#[tokio::test(start_paused = true)]
async fn a_silent_watch_is_noticed() {
    let event = frame(Format::Json, "ADDED", &pod("a"));
    let server = watching(Format::Json, chunks(&event, 1000, true));
    let options = DecodeOptions { idle_timeout: Some(Duration::from_secs(90)), ..DecodeOptions::default() };
    let start = Instant::now();
    let mut watch = server.client().watch_with::<Pod>(list(), options).await.unwrap();
    assert!(watch.next().await.unwrap().is_ok());
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Idle)));
    assert_eq!(start.elapsed(), Duration::from_secs(90));
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_the_server_should_have_ended_ends() {
    let server = watching(Format::Json, chunks(b"", 1, true));
    let start = Instant::now();
    let request = list().watch_timeout(Duration::from_mins(5));
    let mut watch = server.client().watch::<Pod>(request).await.unwrap();
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Timeout)));
    assert!((330..630).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}
