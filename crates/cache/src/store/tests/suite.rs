//! The store through its public API, compiled for each layout.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use client_rs_machinery::{Object, ObjectKey, Str};
use proptest::prelude::*;
use tokio::time::Instant;

use super::*;
use crate::testing::{Thing, thing};
use crate::{Bookmark, Coverage, Deleted, Delta, Replacement, Tombstone, Transform};

fn tags() -> Index<Thing, String> {
    Index::new("tags", |object: &Thing| object.tags.clone())
}

fn options() -> IndexerOptions<Thing> {
    IndexerOptions { layout: layout(), ..IndexerOptions::default() }
}

fn store() -> (Writer<Thing>, Indexer<Thing>) {
    let (writer, indexer) = Indexer::with_options(options());
    indexer.add_indexes([tags()]).unwrap();
    (writer, indexer)
}

fn names(objects: &[Arc<Thing>]) -> BTreeSet<String> {
    objects.iter().map(|object| object.key().to_string()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(ToString::to_string).collect()
}

fn key(text: &str) -> ObjectKey {
    text.parse().unwrap()
}

fn list(objects: impl IntoIterator<Item = Thing>, version: &str) -> Replacement<Thing> {
    Replacement::new(objects.into_iter().map(Arc::new).collect(), version)
}

#[test]
fn t1_8_01_keys_round_trip_with_tombstones() {
    for text in ["ns/name", "name"] {
        let object = thing(text, 1).shared();
        assert_eq!(object.key(), key(text));
        assert_eq!(object.key().to_string(), text);
        let tombstone: Deleted<Thing> = Deleted::FinalStateUnknown(Tombstone::new(key(text), None));
        assert_eq!((tombstone.key(), Deleted::Object(object).key()), (key(text), key(text)));
    }
    assert!("a/b/c".parse::<ObjectKey>().is_err());
}

#[test]
fn t1_9_01_behaves_like_a_map() {
    let (mut writer, indexer) = store();
    assert!(indexer.is_empty() && indexer.get(&key("a/x")).is_none());
    assert!(matches!(writer.add(thing("a/x", 1)).unwrap(), Change::Added { .. }));
    assert!(matches!(writer.add(thing("a/y", 2)).unwrap(), Change::Added { .. }));
    match writer.update(thing("a/x", 3).valued(9)).unwrap() {
        Change::Updated { old, new } => {
            assert_eq!((old.resource_version(), new.object().unwrap().value), ("1", 9));
            assert_eq!(old.object().unwrap().resource_version(), "1");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(indexer.get(&key("a/x")).unwrap().value, 9);
    assert_eq!(names(&indexer.list()), set(&["a/x", "a/y"]));
    assert_eq!(indexer.list_keys().into_iter().collect::<BTreeSet<_>>(), [key("a/x"), key("a/y")].into());
    assert_eq!(writer.delete(&key("a/x")).unwrap().value, 9);
    assert!(writer.delete(&key("a/x")).is_none() && writer.delete(&key("none")).is_none());
    assert_eq!((indexer.len(), names(&indexer.list())), (1, set(&["a/y"])));
    writer.replace(list([thing("b/z", 4), thing("c", 5)], "7"));
    assert_eq!(names(&indexer.list()), set(&["b/z", "c"]));
    assert_eq!(names(&indexer.by_index(NAMESPACE_INDEX, "b").unwrap()), set(&["b/z"]));
    assert!(indexer.by_index(NAMESPACE_INDEX, "a").unwrap().is_empty());
    assert_eq!(indexer.resource_version(), "7");
}

#[test]
fn t1_9_02_the_transform_changes_the_stored_object_and_its_error_aborts() {
    let transform = Transform::new(|mut object: Thing| {
        object.value += 1;
        if object.value == 14 { Err("unlucky".into()) } else { Ok(object) }
    });
    let (mut writer, indexer) =
        Indexer::with_options(IndexerOptions { transform: Some(transform), ..options() });
    writer.add(thing("x", 1).valued(1)).unwrap();
    assert_eq!(indexer.find("", "x").unwrap().value, 2);
    let error = writer.update(thing("x", 2).valued(13)).unwrap_err();
    assert_eq!((indexer.find("", "x").unwrap().value, indexer.resource_version().as_str()), (2, "1"));
    // T1.9-03: the error names the object and the cause.
    assert_eq!(error.key, key("x"));
    assert!(error.to_string().ends_with("unlucky"), "{error}");
}

#[test]
fn t1_9_04_a_value_disappears_with_its_last_object() {
    let (mut writer, indexer) = store();
    writer.add(thing("x", 1).tagged(&["red"])).unwrap();
    assert_eq!(indexer.index_values("tags").unwrap(), ["red"]);
    writer.delete(&key("x"));
    assert!(indexer.index_values("tags").unwrap().is_empty());
    assert!(indexer.by_index("tags", "red").unwrap().is_empty());
}

#[test]
fn t1_9_05_the_other_object_keeps_the_value() {
    let (mut writer, indexer) = store();
    writer.add(thing("x", 1).tagged(&["red"])).unwrap();
    writer.add(thing("y", 2).tagged(&["red"])).unwrap();
    writer.delete(&key("x"));
    assert_eq!(indexer.index_values("tags").unwrap(), ["red"]);
    assert_eq!(indexer.index_keys("tags", "red").unwrap(), [key("y")]);
}

#[test]
fn t1_9_06_objects_with_several_values_appear_under_each_and_move() {
    let (mut writer, indexer) = store();
    writer.add(thing("x", 1).tagged(&["a", "b", "a"])).unwrap();
    writer.add(thing("y", 2).tagged(&["b", "c"])).unwrap();
    assert_eq!(indexer.index_keys("tags", "b").unwrap(), [key("x"), key("y")]);
    assert_eq!(indexer.index_keys("tags", "a").unwrap(), [key("x")]);
    writer.update(thing("x", 3).tagged(&["c", "d"])).unwrap();
    let keys = |value| indexer.index_keys("tags", value).unwrap();
    assert_eq!((keys("a"), keys("b"), keys("d")), (vec![], vec![key("y")], vec![key("x")]));
    assert_eq!(keys("c"), [key("x"), key("y")]);
    writer.update(thing("x", 4)).unwrap();
    assert_eq!((keys("c"), keys("d")), (vec![key("y")], vec![]));
    let like = thing("z", 0).tagged(&["b", "c", "none"]);
    assert_eq!(names(&indexer.index("tags", &like).unwrap()), set(&["y"]), "each object once");
    assert_eq!(names(&indexer.by(&tags(), &"c".to_owned()).unwrap()), set(&["y"]));
}

#[test]
fn t1_9_07_the_stores_version() {
    let (mut writer, indexer) = store();
    assert_eq!(indexer.resource_version(), "");
    writer.add(thing("x", 1)).unwrap();
    assert_eq!(indexer.resource_version(), "1");
    writer.update(thing("x", 2)).unwrap();
    assert_eq!(indexer.resource_version(), "2");
    writer.apply([Delta::Deleted(Deleted::Object(thing("x", 3).shared()))]);
    assert_eq!(indexer.resource_version(), "3");
    writer.apply([Delta::Deleted(Deleted::FinalStateUnknown(Tombstone::new(key("x"), None)))]);
    assert_eq!(indexer.resource_version(), "3");
    let unreadable = Tombstone { resource_version: "4".into(), ..Tombstone::new(key("x"), None) };
    writer.apply([Delta::Deleted(Deleted::FinalStateUnknown(unreadable))]);
    assert_eq!(indexer.resource_version(), "4", "also if its last state could not be read");
    writer.replace(list([], "5"));
    assert_eq!(indexer.resource_version(), "5");
    writer.bookmark(Bookmark::new("6"));
    assert_eq!(indexer.resource_version(), "6");
    writer.apply([Delta::Added(thing("x", 8).shared()), Delta::Added(thing("y", 7).shared())]);
    assert_eq!(indexer.resource_version(), "7", "a batch has the version of its last delta");
    let (mut writer, indexer) = Indexer::with_options(IndexerOptions { in_order: false, ..options() });
    writer.add(thing("x", 1)).unwrap();
    assert_eq!((indexer.resource_version().as_str(), indexer.snapshot().resource_version()), ("", ""));
}

/// client-go's objects without a key cannot exist here: a batch is applied as a whole, even if an index function fails.
#[test]
fn t1_9_08_a_failure_in_a_batch_affects_nothing_else() {
    let (mut writer, indexer) = store();
    let broken = Index::new("broken", |object: &Thing| {
        assert_ne!(object.value, 13, "unlucky");
        [object.value]
    });
    indexer.add_indexes([broken.clone()]).unwrap();
    writer.add(thing("b", 1).valued(5)).unwrap();
    let changes = writer.apply([
        Delta::Added(thing("a", 2).valued(1).shared()),
        Delta::Updated(thing("b", 3).valued(13).tagged(&["t"]).shared()),
        Delta::Added(thing("c", 4).valued(2).shared()),
    ]);
    assert_eq!((changes.len(), indexer.len(), indexer.index_panics()), (3, 3, 1));
    assert_eq!(names(&indexer.by(&broken, &1).unwrap()), set(&["a"]));
    assert_eq!(names(&indexer.by(&broken, &2).unwrap()), set(&["c"]));
    assert!(indexer.by(&broken, &5).unwrap().is_empty(), "no object is found by an earlier value");
    assert_eq!(names(&indexer.by_index("tags", "t").unwrap()), set(&["b"]), "other indexes have it");
    writer.update(thing("b", 5).valued(6)).unwrap();
    assert_eq!(names(&indexer.by(&broken, &6).unwrap()), set(&["b"]));
}

#[test]
fn indexes_are_added_to_a_store_in_use_all_or_none() {
    let (mut writer, indexer) = Indexer::<Thing>::with_options(options());
    writer.add(thing("a/x", 1).valued(1).tagged(&["red"])).unwrap();
    let before = indexer.snapshot();
    let by_value = Index::new("value", |object: &Thing| [object.value]);
    indexer.add_indexes([IndexFunction::from(tags()), by_value.clone().into()]).unwrap();
    assert_eq!(names(&indexer.by(&by_value, &1).unwrap()), set(&["a/x"]));
    assert_eq!(indexer.index_names(), [NAMESPACE_INDEX, "tags", "value"]);
    let fresh = || Index::<Thing, Str>::new("fresh", |_| None);
    assert_eq!(
        indexer.add_indexes([fresh(), Index::namespace()]),
        Err(IndexError::Duplicate("namespace".into()))
    );
    assert_eq!(indexer.add_indexes([fresh(), fresh()]), Err(IndexError::Duplicate("fresh".into())));
    assert_eq!(indexer.by_index("fresh", "").unwrap_err(), IndexError::Unknown("fresh".into()));
    assert_eq!(indexer.index("fresh", &thing("x", 1)).unwrap_err(), IndexError::Unknown("fresh".into()));
    assert!(before.by_index("tags", "red").is_err(), "a snapshot has the indexes of its time");
    writer.update(thing("a/x", 2).valued(2)).unwrap();
    assert_eq!(names(&indexer.by(&by_value, &2).unwrap()), set(&["a/x"]));
}

#[test]
fn an_index_function_with_changing_results_leaves_no_stale_values() {
    let fickle = Arc::new(AtomicBool::new(false));
    let mind = fickle.clone();
    let index = Index::new("fickle", move |_: &Thing| [mind.load(Ordering::Relaxed)]);
    let (mut writer, indexer) = store();
    indexer.add_indexes([index.clone()]).unwrap();
    writer.add(thing("x", 1)).unwrap();
    fickle.store(true, Ordering::Relaxed);
    writer.delete(&key("x"));
    writer.add(thing("y", 2)).unwrap();
    assert_eq!(names(&indexer.by(&index, &true).unwrap()), set(&["y"]));
    assert!(indexer.by(&index, &false).unwrap().is_empty());
}

#[test]
fn a_list_keeps_unchanged_objects_and_reports_deletions_first() {
    let (mut writer, indexer) = store();
    writer.replace(list([thing("same", 1), thing("changed", 2), thing("gone", 3)], "3"));
    settle(&indexer);
    let same = indexer.stored("", "same").unwrap();
    let changes = writer.replace(list([thing("new", 5), thing("changed", 4), thing("same", 1)], "5"));
    let shown: Vec<String> = changes.iter().map(|change| format!("{change:?}")).collect();
    assert_eq!(
        shown,
        ["Deleted(tombstone gone@3)", "Added(new@5)", "Updated(changed@2→4)", "Updated(same@1→1)"]
    );
    settle(&indexer);
    assert!(same.ptr_eq(&indexer.stored("", "same").unwrap()), "the same object");
    assert!(changes[3].is_same_version() && !changes[2].is_same_version() && !changes[1].is_same_version());
    let reborn = Thing {
        metadata: client_rs_machinery::meta::v1::ObjectMeta { uid: "2".into(), ..thing("same", 1).metadata },
        ..thing("same", 1)
    };
    writer.replace(list([reborn], "6"));
    assert!(!same.ptr_eq(&indexer.stored("", "same").unwrap()), "another object of that name");
    assert_eq!(indexer.find("", "same").unwrap().uid(), "2");
    writer.replace(list([thing("twice", 7).valued(1), thing("twice", 8).valued(2)], "8"));
    assert_eq!((indexer.len(), indexer.find("", "twice").unwrap().value), (1, 2), "the later one counts");
}

#[test]
fn the_effect_of_a_delta_depends_on_the_store() {
    let (mut writer, indexer) = store();
    let changes = writer.apply([
        Delta::Updated(thing("x", 1).shared()),
        Delta::Added(thing("x", 2).shared()),
        Delta::Deleted(Deleted::Object(thing("unknown", 3).shared())),
        Delta::SyncAll(Coverage::All),
        Delta::Deleted(Deleted::FinalStateUnknown(Tombstone::new(key("x"), None))),
        Delta::ReplacedAll(Box::new(list([thing("y", 4)], "4"))),
        Delta::Sync(thing("y", 4).shared()),
        Delta::Deleted(Deleted::Object(thing("y", 5).shared())),
    ]);
    let shown: Vec<String> = changes.iter().map(|change| format!("{change:?}")).collect();
    assert_eq!(
        shown,
        [
            "Added(x@1)",
            "Updated(x@1→2)",
            "Updated(x@2→2)",
            "Deleted(tombstone x@2)",
            "Added(y@4)",
            "Updated(y@4→4)",
            "Deleted(y@5)"
        ]
    );
    assert!(indexer.is_empty());
}

#[test]
fn one_namespaces_list_leaves_the_others_alone() {
    let (mut writer, indexer) = store();
    let part = |namespace: &str, objects: Vec<Thing>, version: &str| Replacement {
        coverage: Coverage::Namespace(namespace.into()),
        ..list(objects, version)
    };
    writer.replace(part("a", vec![thing("a/x", 1), thing("a/y", 2)], "10"));
    writer.replace(part("b", vec![thing("b/x", 3)], "20"));
    let changes = writer.replace(part("a", vec![thing("a/y", 2)], "30"));
    assert_eq!(changes.len(), 2);
    assert_eq!(names(&indexer.list()), set(&["a/y", "b/x"]));
    let version = |namespace: &str| indexer.resource_version_of(&Coverage::Namespace(namespace.into()));
    assert_eq!(
        (version("a"), version("b"), indexer.resource_version()),
        ("30".into(), "20".into(), Str::EMPTY)
    );
    writer.add(thing("b/y", 25)).unwrap();
    assert_eq!((version("a"), version("b")), ("30".into(), "25".into()));
    assert_eq!(writer.apply([Delta::SyncAll(Coverage::Namespace("b".into()))]).len(), 2);
}

#[test]
fn an_object_that_could_not_be_read_stays_and_is_marked() {
    let (mut writer, indexer) = store();
    writer.replace(list([thing("x", 1), thing("y", 2)], "2"));
    let changes = writer.apply([Delta::Stale { key: key("x"), resource_version: "3".into() }]);
    assert!(changes.is_empty());
    assert_eq!(
        (indexer.find("", "x").unwrap().resource_version(), indexer.stale(&key("x"))),
        ("1", Some("3".into()))
    );
    assert_eq!(indexer.resource_version(), "3");
    writer.update(thing("x", 4)).unwrap();
    assert_eq!(indexer.stale(&key("x")), None, "a good version clears the mark");
    let listed = Replacement {
        stale: vec![(key("x"), "5".into()), (key("never"), "5".into())],
        ..list([thing("y", 2)], "5")
    };
    assert_eq!(writer.replace(listed).len(), 1);
    assert_eq!(names(&indexer.list()), set(&["x", "y"]), "it never becomes a deletion");
    assert_eq!(indexer.snapshot().stale().len(), 2);
    writer.delete(&key("x"));
    assert_eq!(indexer.snapshot().stale().len(), 1);
    writer.replace(list([thing("y", 2)], "6"));
    assert_eq!(indexer.snapshot().stale().len(), 0);
}

#[test]
fn an_emptied_store_frees_its_memory_and_finds_all_objects() {
    let (mut writer, indexer) = store();
    let object = |number: u64| thing(&format!("ns{}/o{number}", number % 7), number).tagged(&["t", "u"]);
    writer.replace(list((1..=6_000).map(object), "6000"));
    let snapshot = indexer.snapshot();
    for number in 1..5_500 {
        writer.delete(&object(number).key());
    }
    assert_eq!((indexer.len(), snapshot.len()), (501, 6_000));
    for number in 5_500..=6_000 {
        assert!(indexer.get(&object(number).key()).is_some());
    }
    assert_eq!(indexer.by_index("tags", "u").unwrap().len(), 501);
    assert_eq!(snapshot.by_index("tags", "t").unwrap().count(), 6_000);
    assert_eq!(snapshot.count_by_index("tags", "t").unwrap(), 6_000);
    let total: usize = indexer
        .index_values(NAMESPACE_INDEX)
        .unwrap()
        .iter()
        .map(|namespace| indexer.by_index(NAMESPACE_INDEX, namespace).unwrap().len())
        .sum();
    assert_eq!(total, 501);
    writer.replace(list((1..=10).map(object), "7000"));
    assert_eq!((indexer.len(), indexer.by_index("tags", "t").unwrap().len()), (10, 10));
    writer.add(object(11)).unwrap();
    assert_eq!(indexer.index_keys("tags", "t").unwrap().len(), 11);
}

#[tokio::test(start_paused = true)]
async fn at_least_waits_for_the_version() {
    let (mut writer, indexer) = store();
    writer.replace(list([thing("x", 5), thing("y", 9)], "10"));
    let soon = || Instant::now() + Duration::from_secs(5);
    let at_least = |name: &'static str, version: &'static str| {
        let (indexer, deadline) = (indexer.clone(), soon());
        tokio::spawn(async move { indexer.at_least(&key(name), version, deadline).await })
    };
    assert_eq!(indexer.at_least(&key("x"), "10", soon()).await.unwrap().unwrap().resource_version(), "5");
    assert_eq!(indexer.at_least(&key("none"), "3", soon()).await, Ok(None));
    let (x, y, far) = (at_least("x", "12"), at_least("y", "14"), at_least("y", "99"));
    tokio::task::yield_now().await;
    writer.update(thing("x", 12)).unwrap();
    assert_eq!(x.await.unwrap().unwrap().unwrap().resource_version(), "12");
    assert!(!y.is_finished());
    writer.bookmark(Bookmark::new("20"));
    assert_eq!(y.await.unwrap().unwrap().unwrap().resource_version(), "9", "nothing newer of it up to 20");
    let expired = AtLeastError::Deadline { key: key("y"), wanted: "99".into(), have: "20".into() };
    assert_eq!(far.await.unwrap(), Err(expired));
    for text in ["", "abc", "0x1", "007"] {
        assert_eq!(
            indexer.at_least(&key("x"), text, soon()).await,
            Err(AtLeastError::NotNumeric(text.into()))
        );
    }
    writer.apply([Delta::Stale { key: key("x"), resource_version: "21".into() }]);
    assert_eq!(indexer.at_least(&key("x"), "21", soon()).await, Err(AtLeastError::Stale(key("x"))));
    let closing = at_least("x", "1000");
    tokio::task::yield_now().await;
    drop(writer);
    assert_eq!(closing.await.unwrap(), Err(AtLeastError::Closed));
    assert_eq!(indexer.at_least(&key("x"), "1000", soon()).await, Err(AtLeastError::Closed));
    assert!(
        indexer.at_least(&key("x"), "12", soon()).await.is_ok(),
        "a closed store still answers for what it has"
    );
}

#[tokio::test(start_paused = true)]
async fn at_least_after_a_restore_is_not_an_object_of_before() {
    let (mut writer, indexer) = store();
    writer.replace(list([thing("x", 7)], "7"));
    // The server is back at version 5, where the object can't be read. Its last good state is one of before.
    let restored = Replacement { stale: vec![(key("x"), "5".into())], rewound: true, ..list([], "5") };
    writer.replace(restored);
    let read = indexer.at_least(&key("x"), "5", Instant::now()).await;
    assert_eq!(read.unwrap_err(), AtLeastError::Stale(key("x")));
}

#[tokio::test(start_paused = true)]
async fn at_least_uses_the_version_of_the_namespace() {
    let (mut writer, indexer) = store();
    let part = |namespace: &str, version: &str| Replacement {
        coverage: Coverage::Namespace(namespace.into()),
        ..list([thing(&format!("{namespace}/x"), 1)], version)
    };
    writer.replace(part("a", "10"));
    writer.replace(part("b", "10"));
    let waiting = tokio::spawn({
        let indexer = indexer.clone();
        async move { indexer.at_least(&key("a/x"), "15", Instant::now() + Duration::from_secs(1)).await }
    });
    tokio::task::yield_now().await;
    writer.add(thing("b/y", 30)).unwrap();
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished(), "the progress of another namespace does not count");
    writer.bookmark(Bookmark { coverage: Coverage::Namespace("a".into()), resource_version: "16".into() });
    assert!(waiting.await.unwrap().unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn at_least_uses_the_version_of_the_object_without_an_order() {
    let (mut writer, indexer) =
        Indexer::<Thing>::with_options(IndexerOptions { in_order: false, ..options() });
    let waiting = tokio::spawn({
        let indexer = indexer.clone();
        async move { indexer.at_least(&key("x"), "15", Instant::now() + Duration::from_secs(1)).await }
    });
    tokio::task::yield_now().await;
    writer.add(thing("y", 30)).unwrap();
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    writer.add(thing("x", 16)).unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().unwrap().resource_version(), "16");
}

#[derive(Clone, Debug)]
enum Op {
    Put(u8, Vec<u8>),
    Delete(u8),
    Batch(Vec<(u8, Vec<u8>)>),
    Replace(Option<u8>, Vec<(u8, Vec<u8>)>),
    AddIndex,
    Snapshot,
}

fn op() -> impl Strategy<Value = Op> {
    let object = || (0..24_u8, prop::collection::vec(0..5_u8, 0..3));
    prop_oneof![
        4 => object().prop_map(|(number, tags)| Op::Put(number, tags)),
        2 => (0..24_u8).prop_map(Op::Delete),
        1 => prop::collection::vec(object(), 0..8).prop_map(Op::Batch),
        1 => (prop::option::of(0..3_u8), prop::collection::vec(object(), 0..12)).prop_map(|(part, list)| Op::Replace(part, list)),
        1 => Just(Op::AddIndex),
        1 => Just(Op::Snapshot),
    ]
}

/// The expected content of the store: tags and value by key.
type Model = BTreeMap<ObjectKey, (BTreeSet<String>, i64)>;

fn check(snapshot: &Snapshot<Thing>, model: &Model) {
    let content: Model = snapshot
        .iter()
        .map(|object| (object.key(), (object.tags.iter().cloned().collect(), object.value)))
        .collect();
    assert_eq!(&content, model);
    assert_eq!((snapshot.len(), snapshot.iter().count()), (model.len(), model.len()));
    for (key, (_, value)) in model {
        assert_eq!(snapshot.get(key).unwrap().value, *value);
    }
    let mut by_namespace: BTreeMap<Str, BTreeSet<ObjectKey>> = BTreeMap::new();
    let mut by_tag: BTreeMap<Str, BTreeSet<ObjectKey>> = BTreeMap::new();
    for (key, (tags, _)) in model {
        by_namespace.entry(key.namespace.clone()).or_default().insert(key.clone());
        for tag in tags {
            by_tag.entry(tag.into()).or_default().insert(key.clone());
        }
    }
    for (index, expected) in [(NAMESPACE_INDEX, by_namespace), ("tags", by_tag.clone()), ("late", by_tag)] {
        let Ok(values) = snapshot.index_values(index) else {
            assert_eq!(index, "late");
            continue;
        };
        let found: BTreeMap<Str, BTreeSet<ObjectKey>> = values
            .map(|value| {
                let objects = snapshot.by_index(index, value).unwrap();
                let (len, keys) = (
                    snapshot.count_by_index(index, value).unwrap(),
                    objects.map(|object| object.key()).collect::<BTreeSet<_>>(),
                );
                assert_eq!(len, keys.len());
                (value.clone(), keys)
            })
            .collect();
        assert_eq!(found, expected, "{index}");
    }
}

proptest! {
    #[test]
    fn behaves_as_plain_maps_and_snapshots_never_change(ops in prop::collection::vec(op(), 0..60)) {
        let (mut writer, indexer) = store();
        let mut model = Model::new();
        let mut snapshots = Vec::new();
        for (now, op) in (1_i64..).zip(ops) {
            let object = |(number, tags): &(u8, Vec<u8>)| {
                let tags: Vec<String> = tags.iter().map(|tag| format!("tag-number-{tag}")).collect();
                let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
                thing(&format!("namespace-{}/object-{number}", number % 3), u64::try_from(now).unwrap()).valued(now).tagged(&tags)
            };
            let put = |model: &mut Model, object: &Thing| {
                model.insert(object.key(), (object.tags.iter().cloned().collect(), object.value));
            };
            match op {
                Op::Put(number, tags) => {
                    let object = object(&(number, tags));
                    let known = model.contains_key(&object.key());
                    put(&mut model, &object);
                    prop_assert_eq!(matches!(writer.add(object).unwrap(), Change::Updated { .. }), known);
                }
                Op::Delete(number) => {
                    let key = object(&(number, Vec::new())).key();
                    prop_assert_eq!(writer.delete(&key).map(|old| old.value), model.remove(&key).map(|old| old.1));
                }
                Op::Batch(objects) => {
                    let objects: Vec<Thing> = objects.iter().map(object).collect();
                    for object in &objects {
                        put(&mut model, object);
                    }
                    let changes = writer.apply(objects.into_iter().map(|object| Delta::Updated(object.shared())));
                    prop_assert!(changes.iter().all(|change| !change.is_deletion()));
                }
                Op::Replace(part, objects) => {
                    let coverage = part.map_or(Coverage::All, |part| Coverage::Namespace(format!("namespace-{part}").into()));
                    // A list contains each object once.
                    let objects: BTreeMap<u8, Vec<u8>> = objects.into_iter().collect();
                    let objects: Vec<Thing> = objects.into_iter().map(|listed| object(&listed)).filter(|object| coverage.contains(object.namespace())).collect();
                    let before = model.len();
                    model.retain(|key, _| !coverage.contains(&key.namespace));
                    let kept = model.len();
                    for object in &objects {
                        put(&mut model, object);
                    }
                    let listed = objects.len();
                    let changes = writer.replace(Replacement { coverage, ..list(objects, "1") });
                    let deleted = changes.iter().filter(|change| change.is_deletion()).count();
                    let updated = changes.iter().filter(|change| matches!(change, Change::Updated { .. })).count();
                    prop_assert_eq!((changes.len() - deleted, deleted + updated), (listed, before - kept));
                }
                Op::AddIndex => {
                    let late = Index::new("late", |object: &Thing| object.tags.clone());
                    let fresh = !indexer.index_names().contains(&"late".into());
                    prop_assert_eq!(indexer.add_indexes([late]).is_ok(), fresh);
                }
                Op::Snapshot => snapshots.push((indexer.snapshot(), model.clone())),
            }
            for (key, (_, value)) in &model {
                prop_assert_eq!(indexer.get(key).map(|object| object.value), Some(*value));
            }
        }
        snapshots.push((indexer.snapshot(), model));
        for (snapshot, model) in &snapshots {
            check(snapshot, model);
        }
    }
}

#[test]
fn an_index_function_may_read_the_store() {
    let (mut writer, indexer) = store();
    let own = indexer.clone();
    let read = Index::new("read", move |object: &Thing| {
        let others = own.index(NAMESPACE_INDEX, object).unwrap().len();
        let values = own.values(NAMESPACE_INDEX, object).unwrap().len();
        [Str::from(format!("{others} {values} {} {}", own.index_panics(), own.len()))]
    });
    indexer.add_indexes([read]).unwrap();
    writer.add(thing("n/a", 1)).unwrap();
    writer.add(thing("n/b", 2)).unwrap();
    writer.replace(list([thing("n/a", 3)], "3"));
    let mut values = indexer.index_values("read").unwrap();
    values.sort();
    assert_eq!(values, ["2 1 0 2"]);
}
