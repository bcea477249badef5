//! Functions that are not pure are found.

use std::sync::atomic::{AtomicU32, Ordering};

use client_rs_collections::Graph;

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "\"count\" is not pure: it returned two values")]
fn a_function_with_a_memory_is_found() {
    let graph = Graph::new();
    let a = graph.constant("a", [(1, 1)]);
    let calls = AtomicU32::new(0);
    let _count = graph.map("count", &a, move |_, _, _| calls.fetch_add(1, Ordering::Relaxed));
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "\"reads\" is not pure: it read two things")]
fn a_function_that_reads_something_else_is_found() {
    let graph = Graph::new();
    let a = graph.constant("a", [(1, 1), (2, 1)]);
    let (read, calls) = (a.clone(), AtomicU32::new(0));
    let _reads = graph.map("reads", &a, move |_, _, look| {
        look.get(&read, &(1 + calls.fetch_add(1, Ordering::Relaxed) % 2)).is_some()
    });
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "read other collections only through `Look`")]
fn a_read_past_the_handle_is_found() {
    let graph = Graph::new();
    let a = graph.constant("a", [(1, 1)]);
    let (other, read) = (graph.clone(), a.clone());
    let _past = graph.map("past", &a, move |key, _, _| other.get(&read, key).is_some());
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the comparison of collection \"all\" is wrong")]
fn a_comparison_that_ignores_what_the_function_uses_is_found() {
    let graph = Graph::new();
    let pods = graph.input::<u32, (u32, u32)>("pods");
    let _all = graph.map_unless_same("all", &pods, |old, new| old.0 == new.0, |_, pod, _| **pod);
    graph.update(|batch| batch.insert(&pods, 1, (7, 0)));
    graph.update(|batch| batch.insert(&pods, 1, (7, 1)));
}

#[test]
#[should_panic(expected = "belongs to another graph")]
fn a_collection_of_another_graph_is_refused() {
    let (one, other) = (Graph::new(), Graph::new());
    let a = one.constant("a", [(1, 1)]);
    let _mapped = other.map("b", &a, |_, value, _| **value);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "only collections of its own graph")]
fn a_read_of_another_graph_is_found() {
    let (one, other) = (Graph::new(), Graph::new());
    let (a, b) = (one.constant("a", [(1, 1)]), other.constant("b", [(1, 1)]));
    let _mapped = other.map("c", &b, move |key, _, look| look.get(&a, key).is_some());
}
