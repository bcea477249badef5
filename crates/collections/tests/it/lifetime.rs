//! Collections end with their last handle, and all of their memory is freed.

use std::sync::{Arc, Weak};

use client_rs_collections::{Graph, LabelSet, LiveIndex, LiveSnapshot, Selection};

#[test]
fn values_and_functions_are_freed_with_their_collection() {
    let graph = Graph::new();
    let a = graph.input::<u32, String>("a");
    let captured = Arc::new(());
    let held: Weak<()> = Arc::downgrade(&captured);
    let b = graph.map("b", &a, move |_, value, _| value.len() + Arc::strong_count(&captured));
    graph.update(|batch| batch.insert(&a, 1, "one".to_owned()));
    let value = Arc::downgrade(&graph.get(&b, &1).expect("it was computed"));
    assert!(held.upgrade().is_some() && value.upgrade().is_some());
    drop(b);
    graph.flush();
    assert!(held.upgrade().is_none() && value.upgrade().is_none());
    assert_eq!(graph.state().collections.len(), 1);
}

#[test]
fn dependencies_are_returned_with_their_reader() {
    let graph = Graph::new();
    let pods = graph.input::<u32, u32>("pods");
    graph.update(|batch| (0..100).for_each(|pod| batch.insert(&pods, pod, pod % 3)));
    let keys = graph.constant("keys", (0..100_u32).map(|key| (key, key)));
    let by_labels = graph.index_labels(&pods, |_, app| LabelSet::new([("app", format!("a{app}"))]));
    let by_app = graph.index(&pods, |_, app| [*app]);
    let read = pods.live().clone();
    let readers = graph.map("readers", &keys, move |key, _, look| {
        let selection = Selection::parse(&format!("app=a{key}")).expect("it is a selector");
        let absent = look.get(&read, &(key + 1000)).is_some();
        (
            look.selected(&by_labels, &selection).len(),
            look.indexed(&by_app, key).len(),
            absent,
            look.all(&read).len(),
        )
    });
    let dependencies = || graph.state().collections[0].dependencies;
    assert_eq!(dependencies(), 400);
    drop(readers);
    assert_eq!(dependencies(), 0);
    // The indexes have ended too: nothing is left but the entries.
    assert_eq!(graph.state().collections[0].len, 100);
}

#[test]
fn a_row_returns_what_it_no_longer_reads() {
    let graph = Graph::new();
    let (which, pods) = (graph.input::<u32, u32>("which"), graph.constant("pods", [(1, "one"), (2, "two")]));
    let read = pods.clone();
    let names = graph.map("names", &which, move |_, pod, look| look.get(&read, pod).map(|name| **name));
    for pod in [1, 2, 3, 4, 1] {
        graph.update(|batch| batch.insert(&which, 0, pod));
        let state = graph.state();
        let pods = state.collections.iter().find(|one| one.name == "pods").expect("it exists");
        assert_eq!(pods.dependencies, 1);
    }
    assert_eq!(graph.get(&names, &0).as_deref(), Some(&Some("one")));
    graph.update(|batch| batch.remove(&which, &0));
    assert!(graph.state().collections.iter().all(|one| one.dependencies == 0));
}

#[test]
fn an_observer_keeps_its_collection_and_a_late_one_starts_with_all() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    graph.update(|batch| (0..5).for_each(|key| batch.insert(&a, key, key)));
    let b = graph.map("b", &a, |_, value, _| **value * 2);
    let mut observer = graph.observe(&b);
    drop(b);
    assert_eq!(observer.take().expect("it starts with all").list.len(), 5);
    graph.update(|batch| batch.insert(&a, 1, 9));
    let changes = observer.take().expect("it continues");
    assert_eq!((changes.list[0].old.as_deref(), changes.list[0].new.as_deref()), (Some(&2), Some(&18)));
    drop(observer);
    assert_eq!(graph.state().collections.len(), 1);
}

#[test]
fn a_snapshot_outlives_its_collections() {
    let graph = Graph::new();
    let a = graph.constant("a", [(1, "one")]);
    let before = graph.snapshot();
    let kept = a.clone();
    drop(a);
    let late = graph.constant("late", [(1, "late")]);
    assert_eq!(before.get(&kept, &1).as_deref(), Some(&"one"));
    assert_eq!(before.get(&late, &1), None, "it was added after the snapshot");
}

#[test]
fn the_reason_of_a_value_leads_to_the_inputs() {
    let graph = Graph::new();
    let (pods, nodes) = (graph.input::<&str, &str>("pods"), graph.input::<&str, u32>("nodes"));
    let by_node = graph.index(&pods, |_, node| [*node]);
    let read = pods.live().clone();
    let usage = graph.map("usage", &nodes, move |node, capacity, look| {
        (look.indexed(&by_node, node).len(), **capacity, look.get(&read, &"agent").is_some())
    });
    graph.update(|batch| {
        batch.insert(&nodes, "n1", 10);
        batch.insert(&pods, "web", "n1");
    });
    let why = graph.why(&usage, &"n1").expect("it exists").to_string();
    assert_eq!(why, "usage \"n1\"\n  nodes \"n1\"\n  pods key \"agent\" (not found)\n  pods \"web\"\n");
    assert_eq!(graph.why(&usage, &"n2"), None);
}

#[test]
fn a_snapshot_does_not_have_an_index_that_was_added_later() {
    let graph = Graph::new();
    let pods = graph.constant("pods", [("web", "n1"), ("n1", "web")]);
    let by_node = graph.index(&pods, |_, node| [*node]);
    let before = graph.snapshot();
    let names = |snapshot: &LiveSnapshot, index: &LiveIndex<_, _, &'static str>| -> Vec<&'static str> {
        snapshot.indexed(index, &"n1").map(|(name, _)| *name).collect()
    };
    assert_eq!(names(&before, &by_node), ["web"]);
    drop(by_node);
    // It has the place of the other one.
    let by_name = graph.index(&pods, |name, _| [*name]);
    assert_eq!(names(&graph.snapshot(), &by_name), ["n1"]);
    assert!(names(&before, &by_name).is_empty());
}
