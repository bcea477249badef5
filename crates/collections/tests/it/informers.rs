//! Informers as inputs, and tasks.

use std::sync::Arc;

use client_rs_cache::{InformerOptions, MemoryListWatch, Notification, SharedInformer, Transform};
use client_rs_collections::{ChannelEvent, Graph, Incomplete};
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::{Object as _, ObjectKey};
use tokio::sync::mpsc;

fn pod(name: &str, version: u64) -> PartialObjectMetadata {
    let mut pod = PartialObjectMetadata::default();
    pod.metadata.namespace = "default".into();
    pod.metadata.name = name.into();
    pod.metadata.resource_version = version.to_string().into();
    pod
}

#[tokio::test(start_paused = true)]
async fn a_collection_follows_its_informer() {
    let source: MemoryListWatch<_> = [pod("web", 1), pod("db", 2)].into_iter().collect();
    let informer = SharedInformer::new(source.clone());
    let graph = Graph::new();
    let pods = graph.informer("pods", &informer).expect("it is not stopped");
    let versions = graph.map("versions", &pods, |_, pod, _| pod.metadata.resource_version.clone());
    assert!(!graph.has_synced());
    let (_informer, running) = (informer.spawn(), graph.spawn());
    graph.synced().await;
    let mut observer = graph.observe(&versions);
    assert_eq!(observer.next().await.list.len(), 2);
    let cached = informer.indexer().get(&ObjectKey::new("default", "web")).expect("it is cached");
    let shared = graph.get(&pods, &ObjectKey::new("default", "web")).expect("it is an entry");
    assert!(Arc::ptr_eq(&cached, &shared), "the object is not copied");

    source.put(pod("web", 3));
    let changes = observer.next().await;
    assert_eq!(changes.list[0].old.as_deref(), Some(&cached.metadata.resource_version));
    assert!(changes.list[0].new.is_some() && changes.list[0].new != changes.list[0].old);
    source.delete(&ObjectKey::new("default", "db"));
    let changes = observer.next().await;
    assert_eq!((changes.list[0].key.name.as_str(), changes.list[0].new.is_none()), ("db", true));
    running.shutdown().await;
}

/// An object that the cache could not read is missing, so nothing proves that it is not derived from.
#[tokio::test(start_paused = true)]
async fn a_graph_with_unreadable_objects_is_not_complete() {
    let unreadable = |version| {
        let mut pod = pod("bad", version);
        pod.metadata.labels.insert("broken", "yes".into());
        pod
    };
    // For the cache, an object that can't be transformed is as unreadable as one that can't be decoded.
    let transform = Transform::new(|pod: PartialObjectMetadata| {
        if pod.metadata.labels.contains_key("broken") { Err("broken".into()) } else { Ok(pod) }
    });
    let source: MemoryListWatch<_> = [pod("web", 1), unreadable(2)].into_iter().collect();
    let informer =
        SharedInformer::with_options(source.clone(), InformerOptions::default().with_transform(transform));
    let graph = Graph::new();
    let pods = graph.informer("pods", &informer).expect("it is not stopped");
    let (_informer, _graph) = (informer.spawn(), graph.spawn());
    graph.synced().await;
    let incomplete = graph.complete().expect_err("one object is unreadable");
    assert_eq!(incomplete, Incomplete::Undecodable { collection: "pods".to_owned(), objects: 1 });

    let mut observer = graph.observe(&pods);
    observer.take();
    source.put(pod("bad", 3));
    assert_eq!(observer.next().await.list[0].key.name, "bad");
    assert_eq!(graph.complete().expect("all objects are known").len(&pods), 2);
    // Again, with an older version in the cache.
    source.put(unreadable(4));
    while graph.complete().is_ok() {
        tokio::task::yield_now().await;
    }
    source.delete(&ObjectKey::new("default", "bad"));
    assert!(observer.next().await.list[0].new.is_none());
    assert_eq!(graph.complete().expect("all objects are known").len(&pods), 1);

    // From now on the collection is that of an informer that could always read everything: objects may be on their way.
    graph.hold();
    let arrived = async |name: &str, version: &str| {
        let has =
            || informer.indexer().find("default", name).is_some_and(|pod| pod.resource_version() == version);
        while !has() {
            tokio::task::yield_now().await;
        }
    };
    source.put(pod("late", 10));
    arrived("late", "10").await;
    assert_eq!(graph.complete().expect("nothing was unreadable since").len(&pods), 1);
    // Until the next one that can't be read: it must not be on its way.
    source.put(unreadable(11));
    source.put(pod("bad", 12));
    arrived("bad", "12").await;
    let incomplete = graph.complete().expect_err("an object that was unreadable is on its way");
    assert_eq!(incomplete, Incomplete::Undecodable { collection: "pods".to_owned(), objects: 0 });
    graph.flush();
    assert_eq!(graph.complete().expect("it has arrived").len(&pods), 3);
}

/// Nobody notices what happens on the server any more.
#[tokio::test(start_paused = true)]
async fn a_graph_with_a_stopped_informer_is_not_complete() {
    let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
    let informer = SharedInformer::new(source);
    let graph = Graph::new();
    let pods = graph.informer("pods", &informer).expect("it is not stopped");
    let (running, _graph) = (informer.spawn(), graph.spawn());
    graph.synced().await;
    assert_eq!(graph.complete().expect("it runs").len(&pods), 1);
    running.shutdown().await.expect("it does not fail");
    let incomplete = graph.complete().expect_err("the informer has stopped");
    assert_eq!(incomplete, Incomplete::Stopped { collection: "pods".to_owned() });
    assert_eq!(incomplete.to_string(), "the informer of pods has stopped");
    assert_eq!(graph.snapshot().len(&pods), 1, "its content stays");
    drop(pods);
    graph.flush();
    assert!(graph.complete().is_ok(), "an input that has ended lacks nothing");
}

/// Inputs that are added while the task of the graph runs are followed at once.
#[tokio::test(start_paused = true)]
async fn an_input_may_join_a_graph_that_runs() {
    let graph = Graph::new();
    let running = graph.spawn();
    let synced = async || {
        let limit = std::time::Duration::from_secs(5);
        tokio::time::timeout(limit, graph.synced()).await.expect("the new input is followed");
    };
    // The task waits.
    tokio::task::yield_now().await;
    for round in 0..3 {
        let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
        let informer = SharedInformer::new(source);
        let _informer = informer.spawn();
        if round == 1 {
            // It has its content already.
            informer.synced().await;
        }
        let pods = graph.informer("pods", &informer).expect("it is not stopped");
        if round == 2 {
            // Another epoch in between answers the bell.
            graph.flush();
        }
        assert!(!graph.has_synced());
        synced().await;
        assert_eq!(graph.complete().expect("it has synced").len(&pods), 1);
        let (sender, receiver) = mpsc::channel(1);
        let weights = graph.channel::<&str, u32>("weights", receiver);
        sender.send(ChannelEvent::Replace(vec![("web", 3)])).await.expect("it is followed");
        synced().await;
        assert_eq!(graph.get(&weights, &"web").as_deref(), Some(&3));
    }
    running.shutdown().await;
}

/// The task of a graph that is held does not answer the bell. It must look for new inputs nevertheless.
#[tokio::test(start_paused = true)]
async fn an_input_may_join_a_graph_whose_bell_has_rung() {
    let graph = Graph::new();
    let other = graph.input::<&str, u32>("other");
    graph.hold();
    let running = graph.spawn();
    other.insert("a", 1);
    let moment = std::time::Duration::from_millis(1);
    tokio::time::sleep(moment).await;
    let (sender, receiver) = mpsc::channel(1);
    let weights = graph.channel::<&str, u32>("weights", receiver);
    sender.send(ChannelEvent::Replace(vec![("web", 3)])).await.expect("the graph has the other end");
    tokio::time::sleep(moment).await;
    graph.flush();
    assert!(graph.has_synced(), "it is followed");
    assert_eq!(graph.get(&weights, &"web").as_deref(), Some(&3));
    running.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_handler_ends_with_its_collection() {
    let source: MemoryListWatch<PartialObjectMetadata> = [pod("web", 1)].into_iter().collect();
    let informer = SharedInformer::new(source);
    let graph = Graph::new();
    let pods = graph.informer("pods", &informer).expect("it is not stopped");
    assert_eq!(informer.state().handlers.len(), 1);
    drop(pods);
    graph.flush();
    assert_eq!(informer.state().handlers.len(), 0);
    assert!(graph.has_synced(), "an input that has ended is not waited for");
}

#[tokio::test(start_paused = true)]
async fn handlers_of_a_derived_collection_are_those_of_an_informer() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let doubled = graph.map("doubled", &a, |_, value, _| **value * 2);
    let (sender, mut received) = mpsc::channel(8);
    let _handler = graph.add_handler(&doubled, move |notification: &Notification<u32>| {
        let text = match notification {
            Notification::Added { object, .. } => format!("+{object}"),
            Notification::Updated { old, new } => format!("{old}→{new}"),
            Notification::Deleted(deleted) => {
                format!("-{}", deleted.object().expect("it has its last state"))
            }
        };
        sender.try_send(text).expect("there is room");
    });
    let _running = graph.spawn();
    a.insert(1, 1);
    assert_eq!(received.recv().await.as_deref(), Some("+2"));
    a.insert(1, 2);
    assert_eq!(received.recv().await.as_deref(), Some("2→4"));
    a.remove(&1);
    assert_eq!(received.recv().await.as_deref(), Some("-4"));
}

#[tokio::test(start_paused = true)]
async fn a_graph_has_synced_when_the_first_content_is_computed() {
    let graph = Graph::new();
    let file = graph.input::<&str, u32>("file").awaiting_sync(&graph);
    let copy = graph.map("copy", &file, |_, value, _| **value);
    let _running = graph.spawn();
    file.insert("a", 1);
    while graph.get(&copy, &"a").is_none() {
        tokio::task::yield_now().await;
    }
    assert!(!graph.has_synced());
    file.insert("b", 2);
    file.mark_synced();
    graph.synced().await;
    assert_eq!(graph.get(&copy, &"b").as_deref(), Some(&2));
}

/// Writers, epochs and readers on several threads: a reader never sees a mixture.
#[test]
fn threads_see_whole_epochs() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let left = graph.map("left", &a, |_, value, _| **value + 1);
    let right = graph.map("right", &a, |_, value, _| **value + 2);
    let sum = graph.single("sum", {
        let (left, right) = (left.clone(), right.clone());
        move |look| Some(look.all(&left).len() + look.all(&right).len())
    });
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (a, graph) = (a.clone(), graph.clone());
            scope.spawn(move || {
                for value in 0..500 {
                    a.insert(thread, value);
                    graph.flush();
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let now = graph.snapshot();
                    for key in 0..2 {
                        let (left, right) = (now.get(&left, &key), now.get(&right, &key));
                        assert_eq!(left.as_deref().map(|left| left + 1), right.as_deref().copied());
                    }
                    let entries = now.len(&left) + now.len(&right);
                    assert_eq!(now.get(&sum, &()).as_deref(), Some(&entries));
                }
            });
        }
    });
    assert_eq!(graph.get(&left, &1).as_deref(), Some(&500));
}
