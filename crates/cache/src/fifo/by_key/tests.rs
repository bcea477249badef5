use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::fifo::testing::{Known, drain, drain_flat, list, pop, short, valued};
use crate::testing::Thing;

fn with_known(known: &Arc<Known>) -> DeltaFifo<Thing> {
    DeltaFifo::new(DeltaFifoOptions { known: Some(known.clone()), ..Default::default() })
}

fn plain() -> DeltaFifo<Thing> {
    DeltaFifo::new(DeltaFifoOptions::default())
}

#[test]
fn t1_6_01_all_deltas_of_a_key_pop_together_and_keys_in_order() {
    let queue = plain();
    for (name, value) in [("foo", 10), ("bar", 1), ("foo", 11), ("foo", 13), ("zab", 30)] {
        queue.add(valued(name, value)).unwrap();
    }
    assert_eq!(queue.len(), 3);
    assert_eq!(pop(&queue).unwrap().0, ["Added foo 10", "Added foo 11", "Added foo 13"]);
    queue.add(valued("foo", 14)).unwrap();
    assert_eq!(drain(&queue), [["Added bar 1"], ["Added zab 30"], ["Added foo 14"]]);
}

#[test]
fn t1_6_01_an_option_selects_the_kind_of_listed_objects() {
    for (replaced, expected) in [(true, "Replaced foo 1"), (false, "Sync foo 1")] {
        let queue = DeltaFifo::new(DeltaFifoOptions { replaced, ..Default::default() });
        queue.replace(list(&[("foo", 1)]));
        assert_eq!(drain_flat(&queue), [expected]);
    }
}

#[test]
fn t1_6_01_not_listed_is_a_tombstone_after_the_list_queued_first_then_known() {
    let queue = with_known(&Known::of([valued("foo", 5), valued("bar", 6), valued("baz", 7)]));
    queue.delete(valued("baz", 10)).unwrap();
    queue.add(valued("new", 8)).unwrap();
    queue.replace(list(&[("foo", 6)]));
    assert_eq!(
        drain(&queue),
        [
            vec!["Deleted baz 10"],
            vec!["Added new 8", "Tombstone new 8"],
            vec!["Replaced foo 6"],
            vec!["Tombstone bar 6"]
        ]
    );
}

#[test]
fn t1_6_01_a_resync_hands_out_only_known_objects_without_queued_deltas() {
    let known = Known::of([valued("a", 1), valued("b", 2)]);
    known.0.lock().unwrap().insert(ObjectKey::cluster("vanished"), None);
    let queue = with_known(&known);
    queue.update(valued("b", 3)).unwrap();
    queue.resync(Coverage::All);
    assert_eq!(drain_flat(&queue), ["Updated b 3", "Sync a 1"]);
    let queue = plain();
    queue.resync(Coverage::All);
    assert!(queue.is_empty());
}

#[test]
fn t1_6_01_has_synced_depends_on_queued_and_popped_entries() {
    type Steps = fn(&DeltaFifo<Thing>);
    let table: &[(&str, Steps, usize, bool)] = &[
        ("nothing", |_| (), 0, false),
        ("an event", |queue| queue.add(valued("a", 1)).unwrap(), 0, true),
        ("the deletion of an unknown object", |queue| queue.delete(valued("a", 1)).unwrap(), 0, true),
        ("an empty list", |queue| queue.replace(list(&[])), 0, true),
        ("a list, nothing popped", |queue| queue.replace(list(&[("a", 1), ("b", 2)])), 0, false),
        ("a list, half popped", |queue| queue.replace(list(&[("a", 1), ("b", 2)])), 1, false),
        ("a list, all popped", |queue| queue.replace(list(&[("a", 1), ("b", 2)])), 2, true),
        ("a list with duplicates", |queue| queue.replace(list(&[("a", 1), ("a", 2)])), 1, true),
        (
            "an event after the list",
            |queue| {
                queue.replace(list(&[("a", 1), ("b", 2)]));
                queue.update(valued("c", 1)).unwrap();
            },
            2,
            true,
        ),
    ];
    for (name, steps, pops, expected) in table {
        let queue = plain();
        steps(&queue);
        for _ in 0..*pops {
            pop(&queue).unwrap();
        }
        assert_eq!(queue.has_synced(), *expected, "{name}");
    }
    let queue = with_known(&Known::of([valued("foo", 1)]));
    queue.replace(list(&[]));
    assert!(!queue.has_synced(), "a first list that deletes is synced after the deletions");
    assert_eq!(pop(&queue), Some((vec!["Tombstone foo 1".into()], true)));
    assert!(queue.has_synced());
}

#[tokio::test]
async fn t1_6_01_close_ends_a_blocked_pop() {
    let queue = Arc::new(plain());
    let blocked = tokio::spawn({
        let queue = queue.clone();
        async move { queue.pop::<Infallible>(|_| Ok(())).await }
    });
    tokio::task::yield_now().await;
    queue.close();
    assert_eq!(blocked.await.unwrap(), Err(PopError::Closed));
}

#[test]
fn t1_6_01_bookmarks_and_the_transform() {
    let transform = Transform::edit(|object: &mut Thing| object.value += 100);
    let known = Known::of([valued("known", 1), valued("gone", 2)]);
    let queue = DeltaFifo::new(DeltaFifoOptions {
        transform: Some(transform),
        known: Some(known),
        ..Default::default()
    });
    queue.bookmark(Bookmark::new("5"));
    queue.resync(Coverage::All);
    queue.add(valued("a", 1)).unwrap();
    queue.replace(Replacement::new(vec![valued("known", 1).shared()], "1"));
    assert_eq!(
        drain(&queue),
        [
            vec!["Sync gone 2", "Tombstone gone 2"],
            vec!["Sync known 1", "Replaced known 1"],
            vec!["Added a 101", "Tombstone a 101"]
        ]
    );
}

#[test]
fn t1_6_02_the_deletion_of_an_unknown_object_is_ignored() {
    let queue = with_known(&Known::of([valued("known", 1)]));
    queue.delete(valued("foo", 10)).unwrap();
    queue.delete_key(ObjectKey::cluster("bar"), Str::EMPTY);
    assert!(queue.is_empty());
    queue.delete_key(ObjectKey::cluster("known"), Str::EMPTY);
    assert_eq!(drain_flat(&queue), ["Tombstone known ?"]);
    let queue = plain();
    queue.add(valued("foo", 1)).unwrap();
    queue.delete(valued("foo", 2)).unwrap();
    assert_eq!(drain_flat(&queue), ["Added foo 1", "Deleted foo 2"]);
}

#[test]
fn t1_6_03_two_deletions_become_one_and_nothing_else_is_merged() {
    let known = Known::of([valued("foo", 1)]);
    let queue = with_known(&known);
    queue.delete(valued("foo", 2)).unwrap();
    queue.delete(valued("foo", 3)).unwrap();
    assert_eq!(drain_flat(&queue), ["Deleted foo 2"], "of two with a state the earlier");
    queue.delete(valued("foo", 2)).unwrap();
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["Deleted foo 2"], "a tombstone is replaced");
    queue.replace(list(&[]));
    queue.delete(valued("foo", 4)).unwrap();
    assert_eq!(drain_flat(&queue), ["Deleted foo 4"], "in either order");
    queue.replace(list(&[]));
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["Tombstone foo 1"]);
    queue.add(valued("foo", 1)).unwrap();
    queue.add(valued("foo", 1)).unwrap();
    queue.update(valued("foo", 1)).unwrap();
    queue.update(valued("foo", 1)).unwrap();
    assert_eq!(queue.len(), 1);
    assert_eq!(drain_flat(&queue).len(), 4);
}

#[test]
fn a_delta_in_progress_counts_as_queued() {
    let queue = plain();
    queue.add(valued("foo", 1)).unwrap();
    let popped = queue.try_pop::<Infallible>(|_| {
        queue.delete(valued("foo", 2)).unwrap();
        Ok(())
    });
    assert_eq!(popped, Some(Ok(())));
    assert_eq!(drain_flat(&queue), ["Deleted foo 2"]);
    queue.add(valued("foo", 1)).unwrap();
    let popped = queue.try_pop::<Infallible>(|_| {
        queue.replace(list(&[]));
        Ok(())
    });
    assert_eq!(popped, Some(Ok(())));
    assert_eq!(drain_flat(&queue), ["Tombstone foo 1"]);
}

#[test]
fn with_requeue_a_failed_batch_is_queued_before_newer_deltas_and_behind_other_keys() {
    let queue = DeltaFifo::new(DeltaFifoOptions { requeue: true, ..Default::default() });
    for (name, value) in [("foo", 1), ("foo", 2), ("foo", 3), ("bar", 1)] {
        queue.update(valued(name, value)).unwrap();
    }
    let failed = queue.try_pop(|batch| {
        batch.deltas.remove(0);
        queue.update(valued("foo", 4)).unwrap();
        Err("later")
    });
    assert_eq!(failed, Some(Err(PopError::Process("later"))));
    assert_eq!(
        drain(&queue),
        [vec!["Updated bar 1"], vec!["Updated foo 2", "Updated foo 3", "Updated foo 4"]]
    );
    queue.update(valued("foo", 5)).unwrap();
    queue.update(valued("bar", 2)).unwrap();
    assert!(queue.try_pop(|_| Err("later")).is_some());
    assert_eq!(drain_flat(&queue), ["Updated bar 2", "Updated foo 5"]);
    let off = plain();
    off.update(valued("foo", 1)).unwrap();
    assert!(off.try_pop(|_| Err("lost")).is_some() && off.is_empty());
}

#[derive(Clone, Debug)]
enum Op {
    Add(u8),
    Update(u8),
    Delete(u8),
    Replace(Vec<u8>),
    Resync,
    Pop,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (0..6_u8).prop_map(Op::Add),
        3 => (0..6_u8).prop_map(Op::Update),
        3 => (0..6_u8).prop_map(Op::Delete),
        1 => prop::collection::vec(0..6_u8, 0..6).prop_map(Op::Replace),
        1 => Just(Op::Resync),
        4 => Just(Op::Pop),
    ]
}

/// Runs any sequence of events through a queue into a store: the store ends equal to the server.
fn follows_the_server(queue: &impl Queue<Thing>, writer: &mut crate::Writer<Thing>, ops: Vec<Op>) {
    let mut server = std::collections::BTreeMap::new();
    let process = |writer: &mut crate::Writer<Thing>| {
        queue.try_pop::<Infallible>(|batch| {
            for change in writer.apply(batch.deltas.drain(..)) {
                if let crate::Change::Updated { old, new } = &change {
                    assert!(
                        old.object().unwrap().value <= new.object().unwrap().value,
                        "no version goes back: {change:?}"
                    );
                }
            }
            Ok(())
        })
    };
    let name = |key: u8| format!("o{key}");
    for (now, op) in (0_i64..).zip(ops) {
        let object = |key: u8| crate::testing::thing(&name(key), u64::try_from(now).unwrap() + 1).valued(now);
        match op {
            Op::Add(key) | Op::Update(key) => {
                if server.insert(key, now).is_none() {
                    queue.add(object(key)).unwrap();
                } else {
                    queue.update(object(key)).unwrap();
                }
            }
            Op::Delete(key) if server.remove(&key).is_some() => queue.delete(object(key)).unwrap(),
            Op::Delete(_) => {}
            Op::Replace(keys) => {
                // No watch was open: only the listed objects are left, each changed.
                server = keys.iter().map(|key| (*key, now)).collect();
                let objects = server.keys().map(|key| object(*key).shared()).collect();
                queue.replace(Replacement::new(objects, now.to_string()));
            }
            Op::Resync => queue.resync(Coverage::All),
            Op::Pop => {
                process(writer);
            }
        }
    }
    while process(writer).is_some() {}
    let stored: std::collections::BTreeMap<String, i64> =
        writer.indexer().list().iter().map(|object| (object.name().to_owned(), object.value)).collect();
    let expected = server.into_iter().map(|(key, value)| (name(key), value)).collect();
    assert_eq!(stored, expected);
}

proptest! {
    #[test]
    fn a_store_behind_any_queue_ends_as_the_server(ops in prop::collection::vec(op(), 0..60)) {
        use crate::{InOrderFifo, InOrderFifoOptions, Indexer};
        let store = || Indexer::<Thing>::new();

        let (mut writer, indexer) = store();
        let known: Option<Arc<dyn KnownObjects<Thing>>> = Some(Arc::new(indexer));
        let queue = DeltaFifo::new(DeltaFifoOptions { known, ..Default::default() });
        follows_the_server(&queue, &mut writer, ops.clone());

        let (mut writer, indexer) = store();
        let known: Option<Arc<dyn KnownObjects<Thing>>> = Some(Arc::new(indexer));
        let queue = InOrderFifo::new(InOrderFifoOptions { known, max_batch: 3, ..Default::default() });
        follows_the_server(&queue, &mut writer, ops.clone());

        let (mut writer, _) = store();
        follows_the_server(&InOrderFifo::new(InOrderFifoOptions::default()), &mut writer, ops);
    }
}

#[test]
fn a_stale_mark_is_a_delta_of_its_key() {
    let queue = plain();
    queue.add(valued("foo", 1)).unwrap();
    queue.stale(ObjectKey::cluster("foo"), "9".into());
    let mut shown = Vec::new();
    let popped = queue.try_pop::<Infallible>(|batch| {
        shown = batch.deltas.iter().map(short).collect();
        Ok(())
    });
    assert_eq!((popped, shown), (Some(Ok(())), vec!["Added foo 1".to_owned(), "Stale foo ?".to_owned()]));
}

#[test]
fn lists_what_is_queued() {
    let queue = plain();
    queue.add(valued("foo", 1)).unwrap();
    queue.add(valued("bar", 2)).unwrap();
    queue.update(valued("foo", 3)).unwrap();
    queue.delete(valued("bar", 2)).unwrap();
    let keys = ["foo", "bar"].map(ObjectKey::cluster);
    assert_eq!(queue.list_keys(), keys);
    assert_eq!(queue.list().iter().map(|object| object.value).collect::<Vec<_>>(), [3], "bar is deleted");
    assert_eq!((queue.get(&keys[0]).len(), queue.get(&ObjectKey::cluster("x")).len()), (2, 0));
    drain(&queue);
    assert!(queue.list_keys().is_empty());
}
