//! Start, stop, coverage and state of an informer.

use super::*;

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
async fn t1_11_15_the_state_shows_started_and_stopped() {
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
async fn t1_11_19_stopping_leaves_no_task_behind() {
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for _ in 0..5 {
        let server = FakeServer::with(&["a"]);
        let informer = informer(&server);
        for _ in 0..10 {
            add(&informer, HandlerOptions::default());
        }
        let _stream = informer.subscribe().unwrap();
        let started = start(&informer);
        settle().await;
        started.stop().await;
        assert_eq!((tasks(), server.open_watches()), (before, 0));
    }
    // Never started.
    let informer = informer(&FakeServer::default());
    add(&informer, HandlerOptions::default());
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert_eq!(informer.run(cancel).await, Ok(()));
    // Dropped while it runs.
    let server = FakeServer::with(&["a"]);
    let informer = informer_with(&server, InformerOptions::default());
    add(&informer, HandlerOptions::default());
    let run = informer.run(CancellationToken::new());
    assert!(tokio::time::timeout(seconds(5), run).await.is_err());
    settle().await;
    assert!(informer.is_stopped());
    assert_eq!((tasks(), server.open_watches()), (before, 0));
}

#[tokio::test(start_paused = true)]
async fn several_namespaces_share_a_cache_but_have_separate_lists() {
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
async fn an_informer_without_sources_is_synced_and_a_duplicate_namespace_counts_once() {
    let nothing = SharedInformer::<TestObject>::of_namespaces([], InformerOptions::default());
    let running = nothing.spawn();
    assert!(nothing.synced().await);
    assert_eq!(running.shutdown().await, Ok(()));
    let server = FakeServer::with(&["a"]);
    let source =
        || -> (Str, Arc<dyn ListWatch<TestObject>>) { ("ns".into(), Arc::new(server.in_namespace("ns"))) };
    let informer = SharedInformer::of_namespaces([source(), source()], InformerOptions::default());
    let running = informer.spawn();
    assert!(informer.synced().await);
    assert_eq!(server.requests().len(), 1);
    drop(running);
    settle().await;
    assert!(informer.is_stopped());
    assert_eq!(informer.spawn().shutdown().await, Err(InformerError::AlreadyStarted));
}

#[tokio::test(start_paused = true)]
async fn an_empty_namespace_is_an_error_and_does_not_mean_all_namespaces() {
    let server = FakeServer::with(&["a"]);
    let source: (Str, Arc<dyn ListWatch<TestObject>>) = (Str::EMPTY, Arc::new(server.clone()));
    let informer = SharedInformer::of_namespaces([source], InformerOptions::default());
    let running = informer.spawn();
    assert!(!informer.synced().await);
    let error = InformerError::EmptyNamespace { informer: "TestObject".to_owned() };
    assert_eq!(informer.failure(), Some(error.clone()));
    assert_eq!(running.shutdown().await, Err(error));
    assert!(server.requests().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_lister_reads_the_cache() {
    let informer = informer(&FakeServer::with(&["a"]));
    let running = informer.spawn();
    informer.synced().await;
    let lister = informer.lister(client_rs_machinery::GroupResource::new("test", "things"));
    assert_eq!(lister.namespace("ns").get("a").unwrap().name(), "a");
    assert!(lister.namespace("ns").get("b").unwrap_err().is_not_found());
    running.shutdown().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn dropping_a_stopped_informer_frees_its_objects() {
    let server = FakeServer::with(&["a", "b"]);
    let informer = informer(&server);
    let (recorder, _) = add(&informer, HandlerOptions::default());
    let subscription = informer.subscribe().unwrap();
    let running = informer.spawn();
    settle().await;
    let object = Arc::downgrade(&informer.indexer().find("ns", "a").unwrap());
    running.shutdown().await.unwrap();
    assert!(object.upgrade().is_some(), "a handle on the informer still reads its last state");
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
async fn metrics_count_the_events() {
    let counts = Arc::new(Counts::default());
    let server = FakeServer::with(&["a", "b"]).without_streams();
    server.list_fault(ListFault::CutAfter(1));
    let options = InformerOptions { metrics: Some(counts.clone()), ..InformerOptions::default() };
    let informer = informer_with(&server, options);
    let running = informer.spawn();
    informer.synced().await;
    settle().await;
    server.put("c", "");
    server.put("d", GARBAGE);
    server.bookmark();
    settle().await;
    let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    assert_eq!((count(&counts.lists), count(&counts.watches), count(&counts.failures)), (2, 1, 1));
    assert_eq!((count(&counts.undecodable), count(&counts.deltas), count(&counts.version)), (1, 4, 5));
    running.shutdown().await.unwrap();
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
