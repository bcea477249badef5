//! Lists and their content.

use super::*;

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
async fn t1_2_20_an_expired_continuation_leads_to_a_whole_list() {
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
async fn an_object_that_does_not_decode_is_never_a_deletion() {
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
        "a deletion counts, whether or not the object decodes"
    );
    assert_eq!(running.handle.status().undecodable, 3);
    assert_eq!(running.handle.last_sync_resource_version(), "5");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_object_without_a_name_fails_the_list_and_the_watch() {
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
    server.say(&WatchEvent::Modified(bad()));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(server.requests(), ["LIST rv=1 limit=0", "WATCH rv=1"]);
    running.stop().await;
    let mut staging = Staging::default();
    let queue = fifo(None);
    let staged = stage(bad(), &mut staging, &queue, Some(&FetchContext::default()), None, &mut 0);
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
                        data.extend(list.stale.iter().map(|(key, _)| key.to_string()));
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
async fn t1_2_28_tables_are_refused_and_similar_kinds_are_not() {
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
async fn an_event_of_another_kind_is_skipped_and_changes_nothing() {
    let server = FakeServer::with(&["a"]);
    let expected_kind = Some(GroupVersionKind::new("test", "v1", "Other"));
    let running = start(&server, ReflectorOptions { expected_kind, ..plain_lists() });
    settle().await;
    assert_eq!(running.errors().len(), 1, "a list of them is an error");
    running.stop().await;
    let server = FakeServer::default();
    let running = start(&server, plain_lists());
    settle().await;
    server.say(&WatchEvent::Added(Incoming::Object(plain("", 7))));
    server.say(&WatchEvent::Bookmark { resource_version: "9".into(), initial_events_end: false });
    settle().await;
    assert_eq!(running.deltas()[1..], ["Bookmark(9)"]);
    assert_eq!(running.handle.last_sync_resource_version(), "9");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_list_that_hangs_ends_with_the_run() {
    let server = FakeServer::with(&["a"]);
    server.list_fault(ListFault::Hangs);
    let running = start(&server, plain_lists());
    tokio::time::sleep(Duration::from_mins(4)).await;
    assert_eq!(running.handle.status().phase, "listing");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_list_without_progress_is_dropped_and_retried() {
    let server = FakeServer::with(&["a"]);
    server.list_fault(ListFault::Hangs);
    let running = start(&server, plain_lists());
    tokio::time::sleep(Duration::from_mins(6)).await;
    let status = running.handle.status();
    assert_eq!((status.phase, status.errors), ("watching", 1));
    assert!(status.last_error.unwrap().contains("stalled"));
    running.stop().await;
}

/// A cache of one object.
struct Cache(Arc<TestObject>);
impl crate::Cached<TestObject> for Cache {
    fn at_version(
        &self,
        namespace: &str,
        name: &str,
        uid: &str,
        version: &str,
    ) -> Option<Stored<TestObject>> {
        let own = &self.0;
        let same = own.namespace() == namespace && own.name() == name;
        let same = same && own.uid() == uid && own.resource_version() == version;
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

#[test]
fn nothing_is_shared_until_the_store_has_the_list_of_a_restored_server() {
    let cached = crate::fixtures::object("a", 1);
    let fetch = FetchContext::default().sharing(Arc::new(Cache(cached)));
    let queue = Arc::new(fifo(None));
    let mut core = Core::new(queue.clone(), ReflectorOptions { fetch, ..plain_lists() });
    let mut now = Instant::now();
    let shares = |core: &Core<TestObject, _>| core.fetch_now().cached("ns", "a", "uid-a", "1").is_some();
    let list = |core: &mut Core<TestObject, InOrderFifo<TestObject>>, version: &str, now| {
        let summary = client_rs_machinery::wire::ListSummary {
            resource_version: version.into(),
            ..client_rs_machinery::wire::ListSummary::default()
        };
        let page = core.page();
        let event = core.listed(page, Ok(summary));
        core.step(event, now);
        let staged = core.staged();
        let event = core.commit(staged, version.into(), now);
        core.step(event, now);
    };
    let apply = || queue.try_pop(|_| Ok::<_, std::convert::Infallible>(())).is_some();
    core.step(Event::Start, now);
    list(&mut core, "9", now);
    assert!(shares(&core), "an ordinary list, whether or not the store has it");
    assert!(apply());
    // The watch ends, and the server is behind: it was restored.
    core.step(Event::OpenFailed(expired()), now);
    now += Duration::from_mins(1);
    core.step(Event::Tick, now);
    core.step(Event::ListFailed(crate::fake_server::too_large()), now);
    assert!(!shares(&core));
    list(&mut core, "7", now);
    assert!(!shares(&core), "the cache still has the objects of before");
    assert!(apply() && shares(&core));
}
