//! Stores of packed objects.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use client_rs_machinery::labels::Selector;
use client_rs_machinery::wire::{Format, Payload};
use client_rs_machinery::{Object, ObjectKey};

use super::super::packed::gauge::FEW;
use super::*;
use crate::testing::{Thing, UNREADABLE, UNWRITABLE, thing};
use crate::{Delta, Replacement};

#[allow(clippy::duplicate_mod, reason = "one suite, several layouts")]
#[path = "suite.rs"]
mod suite;

fn layout() -> Layout<Thing> {
    Layout::packed()
}

/// Waits until the objects of a list are packed.
fn settle(indexer: &Indexer<Thing>) {
    while indexer.footprint().packing {
        std::thread::yield_now();
    }
}

fn packed() -> (Writer<Thing>, Indexer<Thing>) {
    Indexer::with_options(IndexerOptions { layout: Layout::packed(), ..IndexerOptions::default() })
}

/// A thing of a kind: things of one kind have much in common.
fn alike(number: usize, kind: &str) -> Thing {
    let mut object = thing(&format!("namespace-{}/{kind}-{number}", number % 5), number as u64 + 1).valued(7);
    object.metadata.labels.insert("app", if number.is_multiple_of(10) { "web".into() } else { "db".into() });
    object.metadata.uid =
        format!("{:08x}-0000-4000-8000-000000000000", number * 2_654_435_761 % (1 << 32)).into();
    for part in 0..12 {
        object.tags.push(format!("{kind}/registry.example.com/{part}/{}", kind.repeat(part % 4 + 1)));
    }
    object
}

fn list(objects: impl IntoIterator<Item = Thing>, version: &str) -> Replacement<Thing> {
    Replacement::new(objects.into_iter().map(Arc::new).collect(), version)
}

#[test]
fn a_list_is_packed_with_a_dictionary_and_reads_unchanged() {
    let (mut writer, indexer) = packed();
    let changes = writer.replace(list((0..1_000).map(|number| alike(number, "pod")), "1000"));
    assert_eq!(changes.len(), 1_000);
    settle(&indexer);
    let footprint = indexer.footprint();
    assert_eq!((footprint.objects, footprint.unpacked, footprint.dictionaries), (1_000, 0, 1));
    assert_eq!((footprint.layout, footprint.unpack_errors), ("packed", 0));
    let stored = indexer.stored("namespace-3", "pod-3").unwrap();
    assert_eq!((stored.key(), stored.resource_version()), (ObjectKey::new("namespace-3", "pod-3"), "4"));
    for number in 0..1_000 {
        let object = alike(number, "pod");
        assert_eq!(*indexer.get(&object.key()).unwrap(), object);
    }
    let one = indexer.get(&ObjectKey::new("namespace-3", "pod-3")).unwrap();
    let other = indexer.get(&ObjectKey::new("namespace-3", "pod-3")).unwrap();
    assert!(!Arc::ptr_eq(&one, &other), "each read decodes");
    // Two fifths of the wire size would be bad for things that are so similar.
    let wire: usize = (0..1_000).map(|number| alike(number, "pod").encode(Format::Json).len()).sum();
    assert!(footprint.packed_bytes < wire * 2 / 5 + (600 << 10), "{footprint:?} of {wire}");
}

#[test]
fn labels_select_without_decoding_the_rest() {
    let (mut writer, indexer) = packed();
    // These do not decode, but their labels can be read.
    writer.replace(list((0..300).map(|number| alike(number, "pod").valued(UNREADABLE)), "300"));
    settle(&indexer);
    let snapshot = indexer.snapshot();
    let nothing: Selector = "app=none".parse().unwrap();
    assert_eq!(snapshot.select(&nothing).count(), 0);
    assert_eq!(snapshot.select_by_index(NAMESPACE_INDEX, "namespace-1", &nothing).unwrap().count(), 0);
    assert_eq!((snapshot.keys().count(), indexer.footprint().unpack_errors), (300, 0));
    let web: Selector = "app=web".parse().unwrap();
    assert_eq!(snapshot.select(&web).count(), 0);
    assert_eq!(indexer.footprint().unpack_errors, 30, "only matching objects are decoded");
}

#[test]
fn an_object_that_does_not_unpack_is_counted_and_never_panics() {
    let (mut writer, indexer) = packed();
    writer.add(thing("good", 1)).unwrap();
    writer.add(thing("bad", 2).valued(UNREADABLE)).unwrap();
    assert!(indexer.find("", "bad").is_none() && indexer.find("", "good").is_some());
    assert_eq!((indexer.list().len(), indexer.len(), indexer.footprint().unpack_errors), (1, 2, 2));
    assert_eq!(indexer.list_keys().len(), 2, "its key is known");
    // A new index omits it.
    indexer.add_indexes([Index::new("value", |object: &Thing| [object.value])]).unwrap();
    assert_eq!(indexer.index_values("value").unwrap(), ["0"]);
    writer.update(thing("bad", 3)).unwrap();
    assert_eq!(indexer.find("", "bad").unwrap().resource_version(), "3");
}

#[test]
fn an_object_that_does_not_encode_stays_decoded() {
    let (mut writer, indexer) = packed();
    writer.replace(list([thing("a", 1).valued(UNWRITABLE), thing("b", 2)], "2"));
    settle(&indexer);
    writer.add(thing("c", 3).valued(UNWRITABLE)).unwrap();
    let footprint = indexer.footprint();
    assert_eq!((footprint.unpacked, footprint.objects, footprint.packing), (2, 3, false));
    for name in ["a", "b", "c"] {
        assert!(indexer.find("", name).is_some(), "{name}");
    }
    assert_eq!(writer.delete(&ObjectKey::cluster("a")).unwrap().value, UNWRITABLE);
    assert_eq!(indexer.footprint().unpacked, 1);
}

#[test]
fn a_new_dictionary_is_trained_when_objects_change_and_the_old_one_stays_while_needed() {
    let (mut writer, indexer) = packed();
    writer.replace(list((0..FEW).map(|number| alike(number, "pod")), "1"));
    settle(&indexer);
    let before = indexer.snapshot();
    let stored = indexer.stored("namespace-0", "pod-0").unwrap();
    // As many of another kind, which the old dictionary does not fit.
    for number in 0..4 * FEW {
        writer.add(alike(number, "zebra-crossing")).unwrap();
    }
    settle(&indexer);
    for number in 0..FEW {
        writer.delete(&alike(number, "pod").key());
    }
    let footprint = indexer.footprint();
    assert_eq!((footprint.dictionaries, footprint.unpacked, footprint.objects), (1, 0, 4 * FEW));
    // An earlier snapshot and an earlier handle still read with the old dictionary.
    assert_eq!(before.iter().count(), FEW);
    assert_eq!(*stored.object().unwrap(), alike(0, "pod"));
    assert_eq!(indexer.list().len(), 4 * FEW);
    assert_eq!(indexer.footprint().unpack_errors, 0);
}

#[test]
fn a_store_that_grows_by_single_changes_gets_its_dictionary_too() {
    let (mut writer, indexer) = packed();
    for number in 0..FEW - 1 {
        writer.add(alike(number, "pod")).unwrap();
    }
    settle(&indexer);
    assert_eq!(indexer.footprint().dictionaries, 0);
    let before = indexer.footprint().packed_bytes / (FEW - 1);
    writer.add(alike(FEW - 1, "pod")).unwrap();
    settle(&indexer);
    assert_eq!(indexer.footprint().dictionaries, 1);
    let blocks: usize = indexer.snapshot().stored().map(|stored| stored.packed_size()).sum();
    assert!(blocks / FEW < before, "all are repacked: {} of {before}", blocks / FEW);
}

#[test]
fn writes_while_objects_are_packed_are_not_lost() {
    let (mut writer, indexer) = packed();
    let told = Arc::new(AtomicUsize::new(0));
    let count = told.clone();
    indexer.on_packed(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    for round in 1..6_u64 {
        writer.replace(list(
            (0..600).map(|number| alike(number, "pod").valued(i64::try_from(round).unwrap()).at(round * 10)),
            &(round * 10).to_string(),
        ));
        // It must not matter whether the thread is running.
        for number in (0..600).step_by(7) {
            writer.apply([Delta::Updated(alike(number, "pod").valued(-1).at(round * 10 + 1).shared())]);
        }
        for number in (3..600).step_by(50) {
            writer.delete(&alike(number, "pod").key());
        }
        for number in 0..600 {
            let expected = if number % 50 == 3 {
                None
            } else if number % 7 == 0 {
                Some(-1)
            } else {
                i64::try_from(round).ok()
            };
            assert_eq!(
                indexer.get(&alike(number, "pod").key()).map(|object| object.value),
                expected,
                "{number}"
            );
        }
    }
    settle(&indexer);
    let footprint = indexer.footprint();
    assert_eq!((footprint.unpacked, footprint.objects, footprint.unpack_errors), (0, 588, 0));
    assert!(told.load(Ordering::Relaxed) > 0);
}
