//! Handlers that come and go.

use super::*;

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
async fn t1_11_10_a_removed_handler_gets_no_notification_and_others_do() {
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
async fn t1_11_11_the_registration_of_another_informer_is_ignored() {
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
    let first = informer.add_handler(recorder.clone()).unwrap();
    informer.add_handler(recorder.clone()).unwrap();
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
                        informer.shutdown_handler(&registration).await;
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
async fn t1_11_16_no_handler_can_be_added_after_the_stop() {
    let informer = informer(&FakeServer::with(&["a"]));
    let mut subscription = informer.subscribe().unwrap();
    let started = start(&informer);
    settle().await;
    started.stop().await;
    let added = informer.add_handler(Recorder::default());
    assert_eq!(added.map(|_| ()), Err(InformerError::Stopped));
    assert!(informer.subscribe().is_err());
    assert!(subscription.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn t1_11_17_removing_a_handler_after_the_stop_is_not_an_error() {
    let informer = informer(&FakeServer::with(&["a"]));
    let (_, registration) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    started.stop().await;
    assert!(!informer.remove_handler(&registration));
    informer.shutdown_handler(&registration).await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_22_shutting_a_handler_down_waits_for_its_current_call() {
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
    let registration = informer.add_async_handler(handler).unwrap();
    let started = start(&informer);
    settle().await;
    let began = Instant::now();
    informer.shutdown_handler(&registration).await;
    assert!(done.load(Ordering::Relaxed) && began.elapsed() > seconds(4));
    started.stop().await;
}

#[tokio::test(start_paused = true)]
async fn t1_11_23_shutting_down_works_whether_or_not_it_was_started() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let (_, never_started) = add(&informer, HandlerOptions::default());
    informer.shutdown_handler(&never_started).await;
    let (_, then_started) = add(&informer, HandlerOptions::default());
    let started = start(&informer);
    settle().await;
    let (_, after_start) = add(&informer, HandlerOptions::default());
    settle().await;
    informer.shutdown_handler(&then_started).await;
    informer.shutdown_handler(&after_start).await;
    informer.shutdown_handler(&after_start).await;
    assert!(informer.state().handlers.is_empty());
    started.stop().await;
}

/// Owns something that uses the informer when it is dropped, and panics then.
struct UsesInformer {
    informer: SharedInformer<TestObject>,
    dropped: Arc<AtomicUsize>,
}

impl EventHandler<TestObject> for UsesInformer {
    fn handle(&self, _: &Notification<TestObject>) {}
}

impl Drop for UsesInformer {
    fn drop(&mut self) {
        let handlers = self.informer.state().handlers.len();
        self.dropped.fetch_add(1 + handlers, Ordering::Relaxed);
        panic!("as it should");
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_may_use_its_informer_or_panic_when_it_is_dropped() {
    for options in [HandlerOptions::enqueueing(), HandlerOptions::default()] {
        let server = FakeServer::with(&["a"]);
        let informer = informer(&server);
        let dropped = Arc::new(AtomicUsize::new(0));
        let uses = || UsesInformer { informer: informer.clone(), dropped: Arc::clone(&dropped) };
        let removed = informer.add_handler_with(uses(), options.clone()).unwrap();
        informer.add_handler_with(uses(), options.clone()).unwrap();
        let (recorder, registration) = add(&informer, HandlerOptions::default());
        let started = start(&informer);
        settle().await;
        informer.shutdown_handler(&removed).await;
        assert_eq!(dropped.swap(0, Ordering::Relaxed), 3, "two other handlers are left");
        started.stop().await;
        assert_eq!(dropped.load(Ordering::Relaxed), 1);
        registration.over().await;
        assert_eq!(recorder.take().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_async_handler_may_panic_when_it_is_dropped() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let dropped = Arc::new(AtomicUsize::new(0));
    let add = || {
        let uses = UsesInformer { informer: informer.clone(), dropped: Arc::clone(&dropped) };
        let handler = move |notification: Notification<TestObject>| {
            uses.handle(&notification);
            async {}
        };
        informer.add_async_handler(handler).unwrap()
    };
    let (removed, stays) = (add(), add());
    let started = start(&informer);
    settle().await;
    informer.shutdown_handler(&removed).await;
    assert_eq!(dropped.load(Ordering::Relaxed), 2, "the other one is left");
    started.stop().await;
    stays.over().await;
    assert_eq!(dropped.load(Ordering::Relaxed), 3);
}

#[test]
fn the_end_of_the_runtime_is_the_end_of_a_handler() {
    let runtime =
        || tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let (one, other) = (runtime(), runtime());
    let informer = informer(&FakeServer::with(&["a"]));
    let registration = informer.add_async_handler(|_| std::future::pending()).unwrap();
    let started = one.block_on(async {
        let started = start(&informer);
        settle().await;
        started
    });
    drop(one);
    other.block_on(informer.shutdown_handler(&registration));
    drop(started);
}

#[tokio::test(start_paused = true)]
async fn a_subscription_has_no_call_to_wait_for() {
    let server = FakeServer::with(&["a"]);
    let informer = informer(&server);
    let mut subscription = informer.subscribe().unwrap();
    let started = start(&informer);
    assert!(subscription.next().await.is_some());
    informer.shutdown_handler(&subscription.registration().clone()).await;
    assert!(subscription.next().await.is_none());
    started.stop().await;
}

/// Notes whether the informer is unlocked when it is dropped.
#[derive(Clone)]
struct Probe {
    metadata: client_rs_machinery::meta::v1::ObjectMeta,
    informer: Arc<OnceLock<SharedInformer<Probe>>>,
    unlocked: Arc<Mutex<Vec<bool>>>,
}

impl Object for Probe {
    fn meta(&self) -> &dyn client_rs_machinery::Metadata {
        &self.metadata
    }

    fn api_version(&self) -> &'static str {
        "test/v1"
    }

    fn kind(&self) -> &'static str {
        "Probe"
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        if let Some(informer) = self.informer.get() {
            self.unlocked.lock().unwrap().push(informer.inner.core.try_lock().is_ok());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn objects_are_dropped_without_the_lock_of_the_informer() {
    for lags in [true, false] {
        drop_objects(lags).await;
    }
}

async fn drop_objects(lags: bool) {
    let (source, unlocked) = (crate::MemoryListWatch::new(), Arc::<Mutex<Vec<bool>>>::default());
    let shared = Arc::<OnceLock<SharedInformer<Probe>>>::default();
    let put = |version: u64| {
        let mut metadata = crate::fixtures::plain("a", version).metadata;
        metadata.uid = "u".into();
        source.put(Probe { metadata, informer: Arc::clone(&shared), unlocked: Arc::clone(&unlocked) });
    };
    let informer = SharedInformer::new(source.clone());
    assert!(shared.set(informer.clone()).is_ok());
    // It reads nothing.
    let options = HandlerOptions::default().with_delivery(Delivery::Coalesced { limit: 0 });
    let lagging = lags.then(|| informer.subscribe_with(options).unwrap());
    let running = informer.spawn();
    informer.synced().await;
    for version in 1..4 {
        put(2 * version);
        put(2 * version + 1);
        source.delete(&ObjectKey::new("ns", "a"));
        settle().await;
    }
    assert_eq!(informer.state().handlers.first().map(|handler| handler.coalesced), lags.then_some(6));
    running.shutdown().await.unwrap();
    drop((lagging, shared));
    let unlocked = unlocked.lock().unwrap();
    assert!(unlocked.len() > 6 && unlocked.iter().all(|unlocked| *unlocked), "{unlocked:?}");
}
