//! The state of the cache and of its handlers when the server, the source or a handler misbehaves.

use std::sync::atomic::AtomicU64;

use client_rs_machinery::Object;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, ListSummary, WatchEvent};
use futures_core::Stream;
use tokio::sync::mpsc;

use super::*;
use crate::fixtures::plain;
use crate::{BoxFuture, Cached, FetchError, Incoming, ItemSink, Undecodable, WatchStream};

type Item = Result<WatchEvent<Incoming<TestObject>, ApiError>, FetchError>;

/// A source that a test controls: its lists, and the events of its watches.
#[derive(Clone, Default)]
struct Played {
    state: Arc<Mutex<PlayedState>>,
}

#[derive(Default)]
struct PlayedState {
    objects: Vec<TestObject>,
    version: u64,
    lists: u64,
    /// The version of the server after it has refused a version as too large.
    catches_up: Option<u64>,
    /// The list of this number panics.
    panics_at: Option<u64>,
    watch: Option<mpsc::UnboundedSender<Item>>,
}

struct Said(mpsc::UnboundedReceiver<Item>);

impl Stream for Said {
    type Item = Item;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

impl Played {
    fn with(objects: Vec<TestObject>, version: u64) -> Self {
        let played = Self::default();
        played.becomes(objects, version);
        played
    }

    /// Sets the content and the version of the server.
    fn becomes(&self, objects: Vec<TestObject>, version: u64) {
        let mut state = self.state.lock().unwrap();
        (state.objects, state.version) = (objects, version);
        state.catches_up = None;
    }

    /// Sends an event on the open watch.
    fn say(&self, item: WatchEvent<Incoming<TestObject>, ApiError>) {
        let state = self.state.lock().unwrap();
        state.watch.as_ref().unwrap().send(Ok(item)).unwrap();
    }

    fn panic_at(&self, list: u64) {
        self.state.lock().unwrap().panics_at = Some(list);
    }
}

impl ListWatch<TestObject> for Played {
    fn list<'a>(
        &'a self,
        options: ListOptions,
        _: &'a FetchContext<TestObject>,
        items: ItemSink<'a, TestObject>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.lists += 1;
            assert_ne!(state.panics_at, Some(state.lists), "requested by a test");
            if options.resource_version.parse::<u64>().is_ok_and(|asked| asked > state.version) {
                state.version = state.catches_up.unwrap_or(state.version);
                return Err(crate::fake_server::too_large());
            }
            state.objects.iter().cloned().map(Incoming::Object).for_each(items);
            Ok(ListSummary {
                resource_version: state.version.to_string().into(),
                items: state.objects.len(),
                ..ListSummary::default()
            })
        })
    }

    fn watch<'a>(
        &'a self,
        _: ListOptions,
        _: &'a FetchContext<TestObject>,
    ) -> BoxFuture<'a, Result<WatchStream<TestObject>, FetchError>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            let (sender, receiver) = mpsc::unbounded_channel();
            self.state.lock().unwrap().watch = Some(sender);
            Ok(Box::pin(Said(receiver)) as WatchStream<TestObject>)
        })
    }
}

fn plain_lists() -> InformerOptions<TestObject> {
    InformerOptions { watch_list: false, ..InformerOptions::default() }
}

fn with_data(name: &str, uid: &str, version: u64, data: &str) -> TestObject {
    let mut object = plain(name, version);
    object.metadata.uid = uid.into();
    object.data = data.to_owned();
    object
}

fn expire(played: &Played) {
    played.say(WatchEvent::Error(ApiError::resource_expired("too old resource version")));
}

#[tokio::test(start_paused = true)]
async fn an_object_that_did_not_decode_in_a_streamed_list_is_never_new_enough() {
    let played = Played::default();
    let informer = SharedInformer::new(played.clone());
    let started = start(&informer);
    settle().await;
    let key = ObjectKey::new("ns", "x");
    played.say(WatchEvent::Added(Incoming::Object(plain("x", 40))));
    played.say(WatchEvent::Modified(Incoming::Undecodable(Undecodable {
        key: key.clone(),
        resource_version: "50".into(),
        error: DecodeError::new(DecodeErrorKind::Truncated),
    })));
    played.say(WatchEvent::Bookmark { resource_version: "100".into(), initial_events_end: true });
    assert!(informer.synced().await);
    settle().await;
    let indexer = informer.indexer();
    assert_eq!(indexer.resource_version(), "100", "it does not go back");
    assert_eq!(indexer.stale(&key).as_deref(), Some("50"));
    let soon = Instant::now() + seconds(1);
    assert_eq!(indexer.at_least(&key, "50", soon).await, Err(crate::store::AtLeastError::Stale(key.clone())));
    assert_eq!(indexer.at_least(&key, "40", soon).await.unwrap().unwrap().resource_version(), "40");
    assert_eq!(indexer.at_least(&ObjectKey::new("ns", "y"), "80", soon).await, Ok(None));
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_object_is_marked_in_the_same_step_as_its_list() {
    // The view of readers after each batch.
    let (mut writer, indexer) = Indexer::new();
    let key = ObjectKey::new("ns", "x");
    let stale = vec![(key.clone(), "50".into())];
    writer.replace(crate::Replacement {
        stale,
        ..crate::Replacement::new(vec![Arc::new(plain("x", 40))], "100")
    });
    assert_eq!(indexer.stale(&key).as_deref(), Some("50"));
    // A mark for an old version does not set the store back.
    writer.apply([Delta::Stale { key: key.clone(), resource_version: "60".into() }]);
    assert_eq!((indexer.resource_version().as_str(), indexer.stale(&key).as_deref()), ("100", Some("60")));
}

#[test]
fn an_object_that_could_not_be_read_is_not_the_cached_one() {
    let (mut writer, indexer) = Indexer::new();
    let key = ObjectKey::new("ns", "x");
    writer.replace(crate::Replacement::new(vec![Arc::new(plain("x", 4))], "4"));
    assert!(indexer.at_version("ns", "x", "uid-x", "4").is_some());
    // The server was restored, and uses version 4 again for a state that can't be read.
    let stale = vec![(key.clone(), "4".into())];
    writer.replace(crate::Replacement { stale, rewound: true, ..crate::Replacement::new(Vec::new(), "4") });
    assert!(indexer.get(&key).is_some() && indexer.at_version("ns", "x", "uid-x", "4").is_none());
    // Once it can be read, it replaces the state of before.
    let readable = Arc::new(plain("x", 4));
    writer.replace(crate::Replacement::new(vec![readable.clone()], "4"));
    assert!(indexer.get(&key).is_some_and(|object| Arc::ptr_eq(&object, &readable)));
    assert_eq!(indexer.stale(&key), None);
}

#[tokio::test(start_paused = true)]
async fn another_object_at_the_same_version_replaces_the_cached_one() {
    for layout in [crate::Layout::decoded(), crate::Layout::packed()] {
        let played = Played::with(vec![with_data("x", "1", 5, "a")], 5);
        let informer = SharedInformer::with_options(
            played.clone(),
            InformerOptions { layout, resync_period: seconds(3600), ..plain_lists() },
        );
        let (recorder, _) = add(&informer, HandlerOptions::default());
        let started = start(&informer);
        settle().await;
        recorder.take();
        played.becomes(vec![with_data("x", "2", 5, "b")], 5);
        expire(&played);
        tokio::time::sleep(seconds(5)).await;
        assert_eq!(informer.indexer().find("ns", "x").unwrap().data, "b");
        assert_eq!(recorder.take(), ["Updated(ns/x@5→5)"]);
        started.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_content_of_a_restored_server_replaces_the_cache() {
    // The same object at a version that was used before, with other content. The server is behind the cache, or was at
    // the first request; it reports that, or a streamed list shows it.
    for (catches_up, streams) in [(None, true), (None, false), (Some(9), false)] {
        let played = Played::with(vec![with_data("x", "1", 5, "a"), with_data("y", "1", 8, "a")], 8);
        let options = InformerOptions { watch_list: streams, resync_period: seconds(3600), ..plain_lists() };
        let informer = SharedInformer::with_options(played.clone(), options);
        let (recorder, _) = add(&informer, HandlerOptions::default());
        let started = start(&informer);
        settle().await;
        if streams {
            played.say(WatchEvent::Added(Incoming::Object(with_data("x", "1", 5, "a"))));
            played.say(WatchEvent::Added(Incoming::Object(with_data("y", "1", 8, "a"))));
            played.say(WatchEvent::Bookmark { resource_version: "8".into(), initial_events_end: true });
            settle().await;
        }
        recorder.take();
        played.becomes(vec![with_data("x", "1", 5, "b")], 6);
        played.state.lock().unwrap().catches_up = catches_up;
        expire(&played);
        if streams {
            // It accepts the old version and streams its content.
            tokio::time::sleep(seconds(3)).await;
            played.say(WatchEvent::Added(Incoming::Object(with_data("x", "1", 5, "b"))));
            played.say(WatchEvent::Bookmark { resource_version: "6".into(), initial_events_end: true });
        }
        tokio::time::sleep(seconds(5)).await;
        assert_eq!(informer.indexer().find("ns", "x").unwrap().data, "b", "{catches_up:?} {streams}");
        assert_eq!(informer.indexer().len(), 1);
        assert_eq!(recorder.sorted(), ["Deleted(tombstone ns/y@8)", "Updated(ns/x@5→5)"]);
        started.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_part_that_panics_ends_the_informer_with_an_error() {
    for parts in [1, 3] {
        let sources: Vec<_> = (0..parts).map(|_| Played::with(vec![], 1)).collect();
        let last = sources.last().unwrap().clone();
        last.panic_at(2);
        let named = (0..).zip(&sources);
        let named = named.map(|(number, source): (u32, &Played)| {
            (Str::from(format!("ns{number}")), Arc::new(source.clone()) as Arc<dyn ListWatch<TestObject>>)
        });
        let informer = if parts == 1 {
            SharedInformer::with_options(last.clone(), plain_lists())
        } else {
            SharedInformer::of_namespaces(named, plain_lists())
        };
        let subscription = informer.subscribe().unwrap();
        let started = start(&informer);
        assert!(informer.synced().await);
        settle().await;
        expire(&last);
        tokio::time::sleep(seconds(5)).await;
        assert!(informer.is_stopped(), "{parts} parts");
        let error = started.task.await.unwrap().unwrap_err();
        assert!(error.to_string().contains("requested by a test"), "{error}");
        let state = informer.state();
        assert!(state.reflectors.iter().all(|reflector| reflector.phase == "stopped"), "{state:?}");
        assert!(state.error.unwrap().contains("requested by a test"));
        assert_eq!(informer.failure(), Some(error));
        drop(subscription);
    }
}

#[tokio::test(start_paused = true)]
async fn a_factory_reports_an_informer_that_ended_early() {
    let played = Played::with(vec![], 1);
    played.panic_at(2);
    let factory = crate::InformerFactory::default();
    let informer = factory.informer_for(|_| {
        SharedInformer::with_options(
            played.clone(),
            InformerOptions { name: Some("things".into()), ..plain_lists() },
        )
    });
    factory.start();
    assert!(informer.synced().await);
    settle().await;
    assert_eq!(factory.failure(), None);
    expire(&played);
    let failed = tokio::time::timeout(seconds(10), factory.failed()).await.unwrap();
    assert_eq!((failed.name.as_str(), Some(&failed)), ("things", factory.failure().as_ref()));
    assert!(failed.error.to_string().contains("requested by a test"), "{failed:?}");
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_namespace_that_can_not_be_listed_does_not_end_the_resyncs_of_the_others() {
    let server = FakeServer::with(&["a"]);
    let refused = FakeServer::default().without_streams();
    for _ in 0..100 {
        refused.list_fault(ListFault::Fails(ApiError::internal_error("no").into()));
    }
    let part = |namespace: &str, server: &FakeServer| -> (Str, Arc<dyn ListWatch<TestObject>>) {
        (namespace.into(), Arc::new(server.in_namespace(namespace)))
    };
    let options = InformerOptions { resync_period: seconds(2), ..InformerOptions::default() };
    let informer = SharedInformer::of_namespaces([part("first", &refused), part("ns", &server)], options);
    let (recorder, _) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    recorder.take();
    tokio::time::sleep(seconds(7)).await;
    assert_eq!(recorder.take(), ["Updated(ns/a@1→1)"; 3]);
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_informer_waits_for_a_paced_handler_and_it_misses_nothing() {
    let server = FakeServer::default();
    let informer = informer(&server);
    let (gate, seen) = (Arc::new(tokio::sync::Semaphore::new(0)), Arc::new(AtomicU64::new(0)));
    let (own_gate, own_seen) = (gate.clone(), seen.clone());
    let handler = move |_: Notification<TestObject>| {
        let (gate, seen) = (own_gate.clone(), own_seen.clone());
        async move {
            gate.acquire().await.unwrap().forget();
            seen.fetch_add(1, Ordering::Relaxed);
        }
    };
    let paced = HandlerOptions { delivery: Delivery::Paced { limit: 4 }, ..HandlerOptions::default() };
    informer.add_async_handler_with(handler, paced).unwrap();
    let started = start(&informer);
    settle().await;
    for number in 0..20 {
        for _ in 0..1000 {
            server.put(&format!("o{number}"), "");
        }
        // Added and deleted before the handler runs.
        server.put("brief", "");
        server.delete("brief");
        settle().await;
    }
    let pending = informer.state().handlers[0].pending;
    assert!(pending > 4 && pending <= 4 + 1000 + 1, "{pending}");
    assert!(informer.state().queued >= 2_000, "the rest waits in the queue, with backpressure on the server");
    gate.add_permits(1_000_000);
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(seen.load(Ordering::Relaxed), 20 * 1002);
    assert_eq!(informer.indexer().len(), 20);
    // A handler that does not return does not prevent the stop.
    gate.forget_permits(1_000_000);
    for number in 0..3000 {
        server.put(&format!("more{number}"), "");
    }
    tokio::time::sleep(seconds(60)).await;
    let began = Instant::now();
    started.stop().await;
    assert!(began.elapsed() <= seconds(30), "no longer than for any handler");
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_the_sync_of_a_subscription_ends_when_the_informer_stops() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let subscription = informer.subscribe().unwrap();
    let registration = subscription.registration().clone();
    let started = start(&informer);
    informer.synced().await;
    started.stop().await;
    assert!(!tokio::time::timeout(seconds(1), registration.synced()).await.unwrap());
    drop(subscription);
}

#[tokio::test(start_paused = true)]
async fn maximal_periods_do_not_panic() {
    let server = FakeServer::with(&["a"]);
    let never = crate::reflector::BackoffOptions { initial: Duration::MAX, ..Default::default() };
    let options = InformerOptions {
        resync_period: Duration::MAX,
        min_watch_timeout: Duration::MAX,
        max_internal_error_retry: Duration::MAX,
        handler_grace: Duration::MAX,
        backoff: Arc::new(move || {
            Box::new(crate::reflector::ExponentialBackoff::new(never.clone(), Random::default()))
        }),
        ..InformerOptions::default()
    };
    let informer = informer_with(&server, options);
    let (recorder, _) = add(&informer, every(Duration::MAX));
    let started = start(&informer);
    assert!(informer.synced().await);
    server.break_watches(&expired_error());
    tokio::time::sleep(seconds(3600)).await;
    assert_eq!(recorder.take(), ["Added(ns/a@1, initial)"]);
    assert_eq!(informer.state().reflectors[0].phase, "resting");
    started.stop().await;
}

fn expired_error() -> ApiError {
    ApiError::resource_expired("too old resource version")
}

#[tokio::test(start_paused = true)]
async fn a_filtered_handler_is_notified_of_the_deletion_of_an_object_whose_last_change_did_not_decode() {
    let played = Played::with(vec![with_data("x", "1", 5, "in")], 5);
    let informer = SharedInformer::with_options(played.clone(), plain_lists());
    let recorder = Recorder::default();
    let filtered = crate::Filtered::new(|object: &TestObject| object.data == "in", recorder.clone());
    informer.add_handler(filtered).unwrap();
    let started = start(&informer);
    settle().await;
    played.say(WatchEvent::Modified(Incoming::Undecodable(Undecodable {
        key: ObjectKey::new("ns", "x"),
        resource_version: "6".into(),
        error: DecodeError::new(DecodeErrorKind::Truncated),
    })));
    played.say(WatchEvent::Deleted(Incoming::Object(with_data("x", "1", 7, "out"))));
    settle().await;
    assert_eq!(recorder.take(), ["Added(ns/x@5, initial)", "Deleted(ns/x@5)"]);
    started.stop().await;
}
