//! The number of computations: what depends on a change, once, and no more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use client_rs_collections::Graph;

fn computed(graph: &Graph, name: &str) -> u64 {
    let state = graph.state();
    state.collections.iter().find(|one| one.name == name).expect("it exists").computed
}

#[test]
fn an_unchanged_output_stops_the_wave() {
    let graph = Graph::new();
    let pods = graph.input::<u32, (u32, u32)>("pods");
    let addresses = graph.map("addresses", &pods, |_, pod, _| pod.0);
    let text = graph.map("text", &addresses, |_, address, _| format!("10.0.0.{address}"));
    graph.update(|batch| batch.insert(&pods, 1, (7, 0)));
    let before = graph.get(&text, &1).expect("it was computed");
    graph.update(|batch| batch.insert(&pods, 1, (7, 1)));
    assert_eq!((computed(&graph, "addresses"), computed(&graph, "text")), (2, 1));
    let after = graph.get(&text, &1).expect("it was computed");
    assert!(Arc::ptr_eq(&before, &after));
}

#[test]
fn the_same_pointer_is_no_change() {
    let graph = Graph::new();
    let pods = graph.input::<u32, u32>("pods");
    let value = Arc::new(1);
    let first = graph.update(|batch| batch.insert(&pods, 1, value.clone()));
    let second = graph.update(|batch| batch.insert(&pods, 1, value.clone()));
    assert_eq!(first, second, "no epoch for nothing");
}

#[test]
fn a_part_hides_the_rest_of_an_entry() {
    let graph = Graph::new();
    let pods = graph.input::<u32, (u32, u32)>("pods");
    let routes = graph.constant("routes", [("r", 1)]);
    let read = pods.live().clone();
    let addresses = graph.map("addresses", &routes, move |_, pod, look| look.part(&read, pod, |pod| pod.0));
    graph.update(|batch| batch.insert(&pods, 1, (7, 0)));
    assert_eq!(graph.get(&addresses, &"r").as_deref(), Some(&Some(7)));
    let before = computed(&graph, "addresses");
    for status in 1..10 {
        graph.update(|batch| batch.insert(&pods, 1, (7, status)));
    }
    assert_eq!(computed(&graph, "addresses"), before, "status noise does not travel");
    graph.update(|batch| batch.insert(&pods, 1, (8, 9)));
    assert_eq!(graph.get(&addresses, &"r").as_deref(), Some(&Some(8)));
    graph.update(|batch| batch.remove(&pods, &1));
    assert_eq!(graph.get(&addresses, &"r").as_deref(), Some(&None));
    assert_eq!(computed(&graph, "addresses"), before + 2);
}

#[test]
fn a_change_between_same_values_is_ignored_and_other_reads_still_count() {
    let graph = Graph::new();
    let pods = graph.input::<u32, (u32, u32)>("pods");
    let nodes = graph.input::<u32, u32>("nodes");
    let read = nodes.live().clone();
    let same = |old: &(u32, u32), new: &(u32, u32)| old.0 == new.0;
    let sums = graph.map_unless_same("sums", &pods, same, move |key, pod, look| {
        pod.0 + look.get(&read, key).map_or(0, |node| *node.as_ref())
    });
    graph.update(|batch| batch.insert(&pods, 1, (7, 0)));
    for status in 1..10 {
        graph.update(|batch| batch.insert(&pods, 1, (7, status)));
    }
    assert_eq!(computed(&graph, "sums"), 1);
    assert_eq!(graph.get(&pods, &1).as_deref(), Some(&(7, 9)), "the input itself is current");
    // In one epoch, with a change that is ignored.
    graph.update(|batch| {
        batch.insert(&pods, 1, (7, 10));
        batch.insert(&nodes, 1, 100);
    });
    assert_eq!((graph.get(&sums, &1).as_deref(), computed(&graph, "sums")), (Some(&107), 2));
    // Away and back in one epoch is one change between the same values.
    graph.update(|batch| {
        batch.insert(&pods, 1, (8, 0));
        batch.insert(&pods, 1, (7, 11));
    });
    assert_eq!(computed(&graph, "sums"), 2);
    graph.update(|batch| batch.insert(&pods, 1, (8, 11)));
    assert_eq!(graph.get(&sums, &1).as_deref(), Some(&108));
    graph.update(|batch| batch.remove(&pods, &1));
    assert_eq!(graph.get(&sums, &1), None);
}

#[test]
fn a_row_with_many_reads_is_computed_once_per_epoch() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let b = graph.map("b", &a, |_, value, _| **value + 1);
    let c = graph.map("c", &b, |_, value, _| **value + 1);
    let by_parity = graph.index(&c, |key, _| [key % 2]);
    let (first, second) = (b.clone(), c.clone());
    let all = graph.map("all", &a, move |key, _, look| {
        look.all(&second).len() + look.indexed(&by_parity, &(key % 2)).len() + look.all(&first).len()
    });
    graph.update(|batch| (0..10).for_each(|key| batch.insert(&a, key, 0)));
    assert_eq!(computed(&graph, "all"), 10);
    graph.update(|batch| (0..10).for_each(|key| batch.insert(&a, key, 1)));
    assert_eq!(computed(&graph, "all"), 20);
    assert_eq!(graph.get(&all, &3).as_deref(), Some(&25));
}

#[test]
fn a_change_computes_only_its_readers() {
    let graph = Graph::new();
    let nodes = graph.input::<u32, u32>("nodes");
    let pods = graph.constant("pods", (0..1000_u32).map(|pod| (pod, pod % 100)));
    let read = nodes.live().clone();
    let zones = graph.map("zones", &pods, move |_, node, look| look.get(&read, node).map(|zone| **zone));
    let before = computed(&graph, "zones");
    // The pods have noted that the node is absent.
    graph.update(|batch| batch.insert(&nodes, 42, 1));
    assert_eq!(computed(&graph, "zones") - before, 10);
    assert_eq!(graph.get(&zones, &142).as_deref(), Some(&Some(1)));
    graph.update(|batch| batch.insert(&nodes, 500, 1));
    assert_eq!(computed(&graph, "zones") - before, 10, "nobody has asked for it");
}

#[test]
fn a_batch_is_one_epoch_and_the_last_write_counts() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let b = graph.map("b", &a, move |_, value, _| {
        count.fetch_add(1, Ordering::Relaxed);
        **value
    });
    let epoch = graph.epoch();
    let after = graph.update(|batch| {
        batch.insert(&a, 1, 1);
        batch.remove(&a, &1);
        batch.insert(&a, 1, 3);
        batch.insert(&a, 2, 2);
        batch.remove(&a, &2);
    });
    assert_eq!(after, epoch + 1);
    assert_eq!(graph.get(&b, &1).as_deref(), Some(&3));
    assert_eq!(graph.get(&b, &2), None);
    // Debug builds compute twice, to compare.
    assert_eq!(seen.load(Ordering::Relaxed), if cfg!(debug_assertions) { 2 } else { 1 });
}
