//! Stores of decoded objects.

use client_rs_machinery::Object;

use super::*;
use crate::Replacement;
use crate::testing::{Thing, thing};

#[allow(clippy::duplicate_mod, reason = "one suite, several layouts")]
#[path = "suite.rs"]
mod suite;

fn layout() -> Layout<Thing> {
    Layout::decoded()
}

/// Decoded stores have nothing to wait for.
fn settle(_: &Indexer<Thing>) {}

#[test]
fn a_key_shares_the_objects_texts() {
    let object = thing("a-long-namespace/a-long-name", 1);
    assert!(object.key().name.ptr_eq(&object.metadata.name));
    assert!(object.key().namespace.ptr_eq(&object.metadata.namespace));
    let (mut writer, indexer) = Indexer::new();
    writer.add(object).unwrap();
    let stored = indexer.find("a-long-namespace", "a-long-name").unwrap();
    assert!(indexer.list_keys()[0].name.ptr_eq(&stored.metadata.name));
    writer.update(thing("a-long-namespace/a-long-name", 2)).unwrap();
    let stored = indexer.find("a-long-namespace", "a-long-name").unwrap();
    assert!(indexer.list_keys()[0].name.ptr_eq(&stored.metadata.name), "also after an update");
}

#[test]
fn the_footprint_of_decoded_objects_is_their_size_on_the_wire() {
    let (mut writer, indexer) =
        Indexer::with_options(IndexerOptions { layout: Layout::decoded(), ..IndexerOptions::default() });
    let objects = (1..=100).map(|number| thing(&format!("ns/{number}"), number).tagged(&["t"; 50]).shared());
    writer.replace(Replacement::new(objects.collect(), "100"));
    let (bytes, of) = indexer.footprint().bytes().unwrap();
    assert!(of == "wire" && (100 * 200..100 * 1_000).contains(&bytes), "{bytes}");
    let (_writer, unknown) = Indexer::<Thing>::new();
    assert_eq!(unknown.footprint().bytes(), None);
}
