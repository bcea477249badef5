//! Functions that panic leave the rest of the graph as it should be.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use client_rs_cache::Notification;
use client_rs_collections::{Batch, Graph, Incomplete, LabelSet, LiveSetState, Selection};
use client_rs_workqueue::WorkQueue;
use tokio::sync::mpsc;

/// Panics without a message on stderr.
fn fail() -> ! {
    resume_unwind(Box::new("not supported"))
}

fn state(graph: &Graph, name: &str) -> LiveSetState {
    graph.state().collections.into_iter().find(|one| one.name == name).expect("it exists")
}

#[test]
fn an_entry_keeps_its_last_value_until_its_function_returns_again() {
    let graph = Graph::new();
    let a = graph.input::<&str, u32>("a");
    let doubled = graph.map("doubled", &a, |_, value, _| if **value == 13 { fail() } else { 2 * **value });
    let text = graph.map("text", &doubled, |_, value, _| value.to_string());
    graph.update(|batch| {
        batch.insert(&a, "x", 1);
        batch.insert(&a, "y", 2);
    });
    let epoch = graph.update(|batch| {
        batch.insert(&a, "x", 13);
        batch.insert(&a, "y", 3);
        batch.insert(&a, "z", 13);
    });
    assert_eq!(graph.epoch(), epoch, "the epoch is completed");
    let now = graph.snapshot();
    let of = |key| now.get(&text, &key).map(|text| (*text).clone());
    assert_eq!([of("x"), of("y"), of("z")], [Some("2".to_owned()), Some("6".to_owned()), None]);

    let failed = state(&graph, "doubled");
    assert_eq!((failed.failed, failed.panics), (2, 2));
    assert_eq!(failed.failure, Some(("\"x\"".to_owned(), "not supported".to_owned())));
    let why = graph.why(&text, &"x").expect("it has a value").to_string();
    assert_eq!(
        why,
        "text \"x\"\n  doubled \"x\" (out of date: its function panicked: not supported)\n    a \"x\"\n"
    );
    let incomplete = Incomplete::Failed { collection: "doubled".to_owned(), entries: 2 };
    assert_eq!(graph.complete().unwrap_err(), incomplete);

    graph.update(|batch| {
        batch.insert(&a, "x", 5);
        batch.remove(&a, &"z");
    });
    assert_eq!(graph.get(&text, &"x").as_deref().map(String::as_str), Some("10"));
    assert_eq!(state(&graph, "doubled").failed, 0);
    assert!(graph.complete().is_ok());
}

#[test]
fn a_function_that_panics_is_computed_again_when_something_that_it_has_read_changes() {
    let graph = Graph::new();
    let limits = graph.input::<&str, u32>("limits");
    let pods = graph.constant("pods", [("web", "small"), ("db", "large")]);
    let read = limits.live().clone();
    let sized = graph.map("sized", &pods, move |_, size, look| {
        look.get(&read, size).map_or_else(|| fail(), |limit| **limit)
    });
    assert_eq!(state(&graph, "sized").failed, 2, "none of the limits exists");
    graph.update(|batch| batch.insert(&limits, "small", 1));
    assert_eq!((graph.get(&sized, &"web").as_deref(), graph.get(&sized, &"db")), (Some(&1), None));
    assert_eq!(state(&graph, "sized").panics, 2, "the other one is not tried again");
    graph.update(|batch| batch.remove(&limits, &"small"));
    assert_eq!(graph.get(&sized, &"web").as_deref(), Some(&1), "its last value");
    graph.update(|batch| batch.insert(&limits, "large", 9));
    assert_eq!(state(&graph, "sized").failed, 1);
}

#[test]
fn a_deleted_input_takes_its_entry_along() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let flat = graph.flat_map("flat", &a, |key, value, _| {
        if **value == 13 { fail() } else { vec![(10 * key, **value), (10 * key + 1, **value)] }
    });
    let by_value = graph.index(&flat, |_, value| [*value % 2]);
    let groups =
        graph.group(
            "groups",
            &by_value,
            |_, members, _| {
                if members.len() == 3 { fail() } else { Some(members.len()) }
            },
        );
    graph.update(|batch| batch.insert(&a, 1, 1));
    graph.update(|batch| batch.insert(&a, 1, 13));
    assert_eq!(graph.snapshot().len(&flat), 2);
    graph.update(|batch| batch.remove(&a, &1));
    assert_eq!((graph.snapshot().len(&flat), graph.snapshot().len(&groups)), (0, 0));
    assert!(graph.complete().is_ok());
}

#[test]
fn an_index_whose_function_panics_keeps_the_entry_where_it_was() {
    let graph = Graph::new();
    let pods = graph.input::<&str, (&str, u32)>("pods");
    let by_app = graph.index(&pods, |_, (app, _)| if *app == "?" { fail() } else { [*app] });
    let by_labels = graph
        .index_labels(&pods, |_, (app, _)| if *app == "?" { fail() } else { LabelSet::new([("app", *app)]) });
    let services = graph.constant("services", [("web", "web"), ("db", "db")]);
    let found = graph.map("found", &services, move |_, app, look| {
        let selection = Selection::parse(&format!("app={app}")).expect("a selector");
        let indexed: u32 = look.indexed(&by_app, app).map(|(_, pod)| pod.1).sum();
        let selected: u32 = look.selected(&by_labels, &selection).iter().map(|(_, pod)| pod.1).sum();
        (indexed, selected)
    });
    graph.update(|batch| batch.insert(&pods, "p", ("web", 1)));
    graph.update(|batch| batch.insert(&pods, "p", ("?", 2)));
    assert_eq!(graph.get(&found, &"web").as_deref(), Some(&(2, 2)), "with its new value");
    assert_eq!(state(&graph, "pods").failed, 2, "of two indexes");
    assert!(graph.complete().is_err());
    graph.update(|batch| batch.insert(&pods, "p", ("db", 3)));
    let now = graph.complete().expect("nothing has failed");
    assert_eq!(now.get(&found, &"web").as_deref(), Some(&(0, 0)));
    assert_eq!(now.get(&found, &"db").as_deref(), Some(&(3, 3)));
}

#[test]
fn a_part_that_panics_is_the_panic_of_its_function() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let keys = graph.constant("keys", [("k", 1)]);
    let read = a.live().clone();
    let parts = graph.map("parts", &keys, move |_, key, look| {
        look.part(&read, key, |value| if *value == 13 { fail() } else { value / 10 })
    });
    graph.update(|batch| batch.insert(&a, 1, 20));
    graph.update(|batch| batch.insert(&a, 1, 13));
    assert_eq!(graph.get(&parts, &"k").as_deref(), Some(&Some(2)));
    assert_eq!(state(&graph, "parts").failed, 1);
    graph.update(|batch| batch.insert(&a, 1, 35));
    assert_eq!(graph.get(&parts, &"k").as_deref(), Some(&Some(3)));
    assert!(graph.complete().is_ok());
}

#[test]
fn an_update_that_panics_changes_nothing_and_leaves_the_graph_usable() {
    let graph = Graph::new();
    let (a, b) = (graph.input::<u32, u32>("a"), graph.input::<u32, u32>("b"));
    let doubled = graph.map("doubled", &a, |_, value, _| 2 * **value);
    graph.update(|batch| batch.insert(&a, 1, 1));
    let other = Graph::new();
    let foreign = other.input::<u32, u32>("of another graph");
    let updates: [&dyn Fn(&mut Batch<'_>); 4] = [
        &|_| fail(),
        // It would wait for itself.
        &|_| drop(graph.get(&a, &1)),
        &|_| assert!(graph.update(|_| ()) > 0),
        &|batch| batch.insert(&foreign, 1, 1),
    ];
    for (number, panics) in (10..).zip(updates) {
        for replaces in [false, true] {
            a.insert(number, number);
            let update = |batch: &mut Batch<'_>| {
                batch.insert(&a, 1, 7);
                if replaces {
                    batch.replace(&a, [(2, 2)]);
                }
                batch.insert(&b, 1, 1);
                panics(batch);
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| graph.update(update)));
            assert!(outcome.is_err());
            assert_eq!(graph.get(&doubled, &1).as_deref(), Some(&2));
            assert_eq!(graph.get(&doubled, &number).as_deref(), Some(&(2 * number)), "of the inbox");
            let now = graph.snapshot();
            assert_eq!((now.len(&a), now.len(&b)), (1 + number as usize - 9, 0));
        }
    }
    // Another graph may be used, and so may an inbox: it is taken with the next epoch.
    a.insert(3, 3);
    graph.update(|batch| {
        batch.replace(&a, [(1, 8)]);
        b.insert(1, 9);
        assert_eq!(other.get(&foreign, &1), None);
    });
    let now = graph.snapshot();
    assert_eq!((now.len(&doubled), now.get(&doubled, &1).as_deref(), now.len(&b)), (1, Some(&16), 0));
    graph.flush();
    assert_eq!(graph.get(&b, &1).as_deref(), Some(&9));
}

#[tokio::test(start_paused = true)]
async fn handlers_that_panic_continue_a_second_later() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let (sender, mut received) = mpsc::channel(8);
    let _handler = graph.add_handler(&a, move |notification: &Notification<u32>| {
        for value in notification.objects().filter(|value| ***value >= 13) {
            if **value == 13 {
                fail()
            }
            sender.try_send(**value).expect("there is room");
        }
    });
    let queue = WorkQueue::<u32>::default();
    let _enqueues = graph.enqueue(&a, &queue, |change| {
        let key = change.key;
        // Also in the iterator.
        [key, key + 100].into_iter().inspect(|key| {
            if *key == 102 {
                fail()
            }
        })
    });
    let _running = graph.spawn();
    a.insert(1, 13);
    let (first, next) = (queue.get().await.unwrap(), queue.get().await.unwrap());
    assert_eq!((*first.key(), *next.key()), (1, 101));
    drop((first, next));

    let began = tokio::time::Instant::now();
    a.insert(2, 14);
    assert_eq!(received.recv().await, Some(14), "not 13, which is not repeated");
    assert_eq!(began.elapsed().as_secs(), 1);
    assert_eq!(*queue.get().await.unwrap().key(), 2);
    a.insert(3, 15);
    assert_eq!(received.recv().await, Some(15));
    let (first, next) = (queue.get().await.unwrap(), queue.get().await.unwrap());
    assert_eq!((*first.key(), *next.key()), (3, 103));
}
