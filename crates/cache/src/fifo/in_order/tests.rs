use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::fifo::testing::{Known, drain, drain_flat, list, pop, valued};
use crate::testing::Thing;

/// A queue that hands out a list as a whole.
fn atomic() -> InOrderFifo<Thing> {
    InOrderFifo::new(InOrderFifoOptions::default())
}

/// A queue that compares a list with the known objects, with one delta per batch.
fn comparing(known: &Arc<Known>) -> InOrderFifo<Thing> {
    InOrderFifo::new(InOrderFifoOptions { known: Some(known.clone()), max_batch: 1, ..Default::default() })
}

fn nothing_known() -> InOrderFifo<Thing> {
    comparing(&Known::of([]))
}

#[test]
fn t1_5_01_adds_pop_in_order_with_all_values() {
    let queue = nothing_known();
    assert!(!queue.has_synced());
    for (name, value) in [("foo", 1), ("bar", 2), ("foo", 3)] {
        queue.add(valued(name, value)).unwrap();
    }
    assert!(queue.has_synced(), "an event populates");
    assert_eq!(drain_flat(&queue), ["Added foo 1", "Added bar 2", "Added foo 3"]);
    assert!(queue.has_synced());
}

#[test]
fn t1_5_02_a_queued_object_that_is_not_listed_is_a_tombstone_with_the_queued_value() {
    let queue = nothing_known();
    queue.add(valued("foo", 10)).unwrap();
    queue.update(valued("foo", 11)).unwrap();
    queue.replace(list(&[("bar", 1)]));
    assert_eq!(drain_flat(&queue), ["Added foo 10", "Updated foo 11", "Tombstone foo 11", "Replaced bar 1"]);
}

#[test]
fn t1_5_03_added_then_not_listed_is_added_then_deleted() {
    let queue = nothing_known();
    queue.add(valued("foo", 10)).unwrap();
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["Added foo 10", "Tombstone foo 10"]);
}

#[test]
fn t1_5_04_already_deleted_is_deleted_once() {
    let queue = comparing(&Known::of([valued("foo", 10)]));
    queue.delete(valued("foo", 10)).unwrap();
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["Deleted foo 10"]);
}

#[test]
fn t1_5_05_two_resyncs_then_not_listed_is_deleted_once() {
    let queue = comparing(&Known::of([valued("foo", 10)]));
    queue.resync(Coverage::All);
    queue.resync(Coverage::All);
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["Sync foo 10", "Tombstone foo 10"]);
}

#[test]
fn t1_5_06_two_empty_lists_after_an_add_delete_once() {
    let queue = nothing_known();
    queue.add(valued("foo", 10)).unwrap();
    queue.replace(list(&[]));
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["Added foo 10", "Tombstone foo 10"]);
}

#[test]
fn t1_5_07_add_delete_add_then_not_listed_is_deleted() {
    let queue = nothing_known();
    queue.add(valued("foo", 1)).unwrap();
    queue.delete(valued("foo", 2)).unwrap();
    queue.add(valued("foo", 3)).unwrap();
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["Added foo 1", "Deleted foo 2", "Added foo 3", "Tombstone foo 3"]);
}

#[test]
fn t1_5_08_a_bookmark_leaves_a_comparing_queue_unchanged() {
    let queue = nothing_known();
    queue.add(valued("foo", 1)).unwrap();
    queue.bookmark(Bookmark::new("7"));
    assert_eq!(drain_flat(&queue), ["Added foo 1"]);
    let off = InOrderFifo::<Thing>::new(InOrderFifoOptions { bookmarks: false, ..Default::default() });
    off.bookmark(Bookmark::new("7"));
    assert!(off.is_empty() && !off.has_synced());
}

#[test]
fn t1_5_09_the_transform_runs_once_and_not_on_tombstones_or_resyncs() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let transform = Transform::edit(move |object: &mut Thing| {
        counted.fetch_add(1, Ordering::Relaxed);
        object.value += 100;
    });
    let known = Known::of([valued("known", 1), valued("gone", 2)]);
    let queue = InOrderFifo::new(InOrderFifoOptions {
        transform: Some(transform),
        known: Some(known),
        max_batch: 1,
        ..Default::default()
    });
    queue.resync(Coverage::All);
    queue.add(valued("a", 1)).unwrap();
    queue.update(valued("a", 2)).unwrap();
    queue.delete(valued("a", 3)).unwrap();
    let staged = queue.stage(valued("b", 4)).unwrap();
    queue.replace(Replacement::new(vec![staged, valued("known", 1).shared()], "2"));
    assert_eq!(
        drain_flat(&queue),
        [
            "Sync gone 2",
            "Sync known 1",
            "Added a 101",
            "Updated a 102",
            "Deleted a 103",
            "Tombstone gone 2",
            "Replaced b 104",
            "Replaced known 1"
        ]
    );
    assert_eq!(calls.load(Ordering::Relaxed), 4);
}

/// client-go queues nothing. Here the last good version stays, marked as stale, and a deletion is queued.
#[test]
fn a_failing_transform_affects_only_its_object() {
    let transform = Transform::new(|object: Thing| match object.value {
        13 => Err("unlucky".into()),
        14 => panic!("worse"),
        _ => Ok(object),
    });
    let queue = InOrderFifo::new(InOrderFifoOptions { transform: Some(transform), ..Default::default() });
    queue.add(valued("good", 1)).unwrap();
    let error = queue.update(valued("bad", 13)).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.panicked), ("transform of bad failed: unlucky", false));
    let error = queue.add(valued("worse", 14)).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.panicked), ("transform of worse failed: worse", true));
    queue.delete(valued("bad", 13)).unwrap_err();
    assert!(queue.stage(valued("bad", 13)).is_err());
    assert_eq!(drain_flat(&queue), ["Added good 1", "Stale bad ?", "Stale worse ?", "Tombstone bad ?"]);
}

#[test]
fn t1_5_10_the_deletion_of_an_unknown_object_is_queued() {
    let queue = comparing(&Known::of([valued("other", 1)]));
    queue.delete(valued("foo", 10)).unwrap();
    assert_eq!(drain_flat(&queue), ["Deleted foo 10"]);
}

#[test]
fn t1_5_11_a_resync_skips_queued_and_missing_objects() {
    let known = Known::of([valued("a", 1), valued("b", 2)]);
    known.0.lock().unwrap().insert(ObjectKey::cluster("vanished"), None);
    let queue = comparing(&known);
    queue.delete(valued("b", 3)).unwrap();
    queue.resync(Coverage::All);
    assert_eq!(drain_flat(&queue), ["Deleted b 3", "Sync a 1"]);
}

#[test]
fn t1_5_12_the_deletion_of_a_known_object_is_passed_on_unchanged() {
    let queue = comparing(&Known::of([valued("foo", 10)]));
    queue.delete(valued("foo", 11)).unwrap();
    assert_eq!(drain_flat(&queue), ["Deleted foo 11"]);
}

#[test]
fn t1_5_13_a_list_deletes_queued_objects_first_and_then_known_ones() {
    let known = Known::of([valued("foo", 5), valued("bar", 6), valued("baz", 7)]);
    known.0.lock().unwrap().insert(ObjectKey::cluster("lost"), None);
    let queue = comparing(&known);
    queue.delete(valued("baz", 10)).unwrap();
    queue.add(valued("new", 8)).unwrap();
    queue.replace(list(&[("foo", 6)]));
    assert_eq!(
        drain_flat(&queue),
        [
            "Deleted baz 10",
            "Added new 8",
            "Tombstone new 8",
            "Tombstone bar 6",
            "Tombstone lost ?",
            "Replaced foo 6"
        ]
    );
}

#[test]
fn t1_5_14_a_resync_never_overtakes_a_queued_update() {
    let queue = comparing(&Known::of([valued("foo", 10)]));
    queue.update(valued("foo", 15)).unwrap();
    queue.resync(Coverage::All);
    assert_eq!(drain_flat(&queue), ["Updated foo 15"]);
}

/// client-go holds its lock during processing. Here the queue remembers the batch in progress.
#[test]
fn a_delta_in_progress_counts_as_queued() {
    let queue = comparing(&Known::of([]));
    queue.add(valued("foo", 1)).unwrap();
    let popped = queue.try_pop::<Infallible>(|_| {
        queue.resync(Coverage::All);
        queue.replace(list(&[]));
        Ok(())
    });
    assert_eq!(popped, Some(Ok(())));
    assert_eq!(drain_flat(&queue), ["Tombstone foo 1"]);
}

#[test]
fn t1_5_15_a_first_list_that_deletes_is_synced_after_the_deletions() {
    let queue = comparing(&Known::of([valued("foo", 1)]));
    queue.replace(list(&[]));
    assert!(!queue.has_synced());
    let popped = queue.try_pop::<Infallible>(|batch| {
        assert!(batch.is_initial && !queue.has_synced(), "only once it is processed");
        Ok(())
    });
    assert_eq!(popped, Some(Ok(())));
    assert!(queue.has_synced());
}

#[test]
fn t1_5_16_no_delta_overtakes_another() {
    let queue = nothing_known();
    for (name, value) in [("foo", 10), ("bar", 1), ("foo", 11), ("foo", 13), ("zab", 30)] {
        queue.add(valued(name, value)).unwrap();
    }
    assert_eq!(pop(&queue).unwrap().0, ["Added foo 10"]);
    queue.add(valued("foo", 14)).unwrap();
    assert_eq!(
        drain_flat(&queue),
        ["Added bar 1", "Added foo 11", "Added foo 13", "Added zab 30", "Added foo 14"]
    );
}

#[test]
fn t1_5_17_objects_tombstones_and_deltas_have_the_same_key() {
    let key = ObjectKey::new("ns", "foo");
    let object = valued("ns/foo", 1).shared();
    let tombstone = Deleted::FinalStateUnknown(Tombstone::new(key.clone(), None));
    assert_eq!(object.key(), key);
    for delta in [
        Delta::Added(object.clone()),
        Delta::Sync(object.clone()),
        Delta::Deleted(Deleted::Object(object)),
        Delta::Deleted(tombstone),
        Delta::Stale { key: key.clone(), resource_version: "1".into() },
    ] {
        assert_eq!(delta.key(), Some(key.clone()), "{delta:?}");
    }
    assert_eq!(Delta::<Thing>::SyncAll(Coverage::All).key(), None);
}

#[test]
fn t1_5_18_has_synced_depends_on_queued_and_popped_entries() {
    type Steps = fn(&InOrderFifo<Thing>);
    let table: &[(&str, Steps, usize, bool)] = &[
        ("nothing", |_| (), 0, false),
        ("an event", |queue| queue.add(valued("a", 1)).unwrap(), 0, true),
        ("an empty list", |queue| queue.replace(list(&[])), 0, true),
        ("a list, nothing popped", |queue| queue.replace(list(&[("a", 1), ("b", 2)])), 0, false),
        ("a list, half popped", |queue| queue.replace(list(&[("a", 1), ("b", 2)])), 1, false),
        ("a list, all popped", |queue| queue.replace(list(&[("a", 1), ("b", 2)])), 2, true),
        (
            "a list after an event",
            |queue| {
                queue.add(valued("a", 1)).unwrap();
                queue.replace(list(&[("a", 1), ("b", 2)]));
            },
            0,
            true,
        ),
        ("a bookmark", |queue| queue.bookmark(Bookmark::new("1")), 0, false),
        ("a stale mark", |queue| queue.stale(ObjectKey::cluster("a"), "1".into()), 0, false),
    ];
    for (name, steps, pops, expected) in table {
        let queue = nothing_known();
        steps(&queue);
        for _ in 0..*pops {
            pop(&queue).unwrap();
        }
        assert_eq!(queue.has_synced(), *expected, "{name}");
    }
    let queue = atomic();
    queue.replace(list(&[]));
    assert!(!queue.has_synced(), "the list itself must be processed, even an empty one");
    pop(&queue).unwrap();
    assert!(queue.has_synced());
}

#[tokio::test]
async fn t1_5_19_close_ends_a_blocked_pop() {
    let queue = Arc::new(atomic());
    let blocked = tokio::spawn({
        let queue = queue.clone();
        async move { queue.pop::<Infallible>(|_| Ok(())).await }
    });
    tokio::task::yield_now().await;
    queue.close();
    assert_eq!(blocked.await.unwrap(), Err(PopError::Closed));
    queue.add(valued("late", 1)).unwrap();
    assert_eq!(queue.pop::<Infallible>(|_| Ok(())).await, Ok(()), "queued deltas are handed out");
    assert_eq!(queue.pop::<Infallible>(|_| Ok(())).await, Err(PopError::Closed));
    assert!(queue.is_closed());
    queue.ready().await;
}

#[tokio::test]
async fn a_blocked_pop_wakes_for_a_new_delta() {
    let queue = Arc::new(atomic());
    let popped = Arc::new(Mutex::new(Vec::new()));
    let consumer = tokio::spawn({
        let (queue, popped) = (queue.clone(), popped.clone());
        async move {
            while queue
                .pop::<Infallible>(|batch| {
                    popped.lock().unwrap().extend(batch.deltas.drain(..).map(|delta| format!("{delta:?}")));
                    Ok(())
                })
                .await
                .is_ok()
            {}
        }
    });
    for value in 0..3 {
        queue.add(valued("foo", value)).unwrap();
        tokio::task::yield_now().await;
    }
    queue.synced().await;
    queue.close();
    consumer.await.unwrap();
    assert_eq!(*popped.lock().unwrap(), vec!["Added(foo@1)"; 3]);
}

#[tokio::test]
async fn producers_yield_while_the_consumer_lags() {
    let queue = Arc::new(atomic());
    for number in 0..2_000 {
        queue.ready().await;
        queue.add(valued(&format!("o{number}"), 1)).unwrap();
    }
    let blocked = tokio::spawn({
        let queue = queue.clone();
        async move { queue.ready().await }
    });
    tokio::task::yield_now().await;
    assert!(!blocked.is_finished());
    assert_eq!(pop(&*queue).unwrap().0.len(), 1_000);
    blocked.await.unwrap();
}

#[test]
fn t1_5_20_unique_keys_come_in_one_batch() {
    let queue = atomic();
    for name in ["a", "b", "c"] {
        queue.add(valued(name, 1)).unwrap();
    }
    queue.delete(valued("d", 1)).unwrap();
    assert_eq!(drain(&queue), [["Added a 1", "Added b 1", "Added c 1", "Deleted d 1"]]);
}

#[test]
fn t1_5_21_a_batch_ends_where_the_first_list_does() {
    let queue =
        InOrderFifo::new(InOrderFifoOptions { known: Some(Known::of([])), ..InOrderFifoOptions::default() });
    queue.replace(list(&[("a", 1), ("b", 2)]));
    queue.update(valued("c", 3)).unwrap();
    queue.update(valued("d", 4)).unwrap();
    assert_eq!(pop(&queue), Some((vec!["Replaced a 1".into(), "Replaced b 2".into()], true)));
    assert_eq!(pop(&queue), Some((vec!["Updated c 3".into(), "Updated d 4".into()], false)));
}

#[test]
fn t1_5_22_a_batch_ends_at_a_duplicate() {
    for (names, sizes) in [
        (&["a", "a", "b", "c"][..], &[1, 3][..]),
        (&["a", "b", "b", "c"], &[2, 2]),
        (&["a", "b", "c", "c"], &[3, 1]),
        (&["a", "a", "a"], &[1, 1, 1]),
        (&["a", "b", "a", "b"], &[2, 2]),
    ] {
        let queue = atomic();
        for name in names {
            queue.update(valued(name, 1)).unwrap();
        }
        let batches: Vec<usize> = drain(&queue).iter().map(Vec::len).collect();
        assert_eq!(batches, sizes, "{names:?}");
    }
}

#[test]
fn t1_5_23_a_batch_ends_at_the_limit() {
    let limited = || {
        InOrderFifo::new(InOrderFifoOptions {
            known: Some(Known::of([])),
            max_batch: 2,
            ..InOrderFifoOptions::default()
        })
    };
    let names = [("a", 1), ("b", 1), ("c", 1), ("d", 1)];
    let (initial, later) = (limited(), limited());
    initial.replace(list(&names));
    for (name, value) in names {
        later.add(valued(name, value)).unwrap();
    }
    for (queue, is_initial) in [(initial, true), (later, false)] {
        let batches: Vec<_> =
            std::iter::from_fn(|| pop(&queue)).map(|(batch, initial)| (batch.len(), initial)).collect();
        assert_eq!(batches, [(2, is_initial), (2, is_initial)]);
    }
}

/// client-go's items without a key cannot exist here: a delta without a key concerns all objects, and comes alone.
#[test]
fn t1_5_24_a_delta_without_a_key_ends_a_batch_and_is_handed_out() {
    let queue = atomic();
    queue.add(valued("a", 1)).unwrap();
    queue.resync(Coverage::All);
    queue.add(valued("b", 1)).unwrap();
    queue.bookmark(Bookmark::new("5"));
    assert_eq!(drain(&queue), [["Added a 1"], ["SyncAll"], ["Added b 1"], ["Bookmark@5"]]);
}

#[test]
fn t1_5_25_a_list_is_one_delta_with_its_version_and_transformed_objects() {
    let transform = Transform::edit(|object: &mut Thing| object.value += 1);
    let queue = InOrderFifo::new(InOrderFifoOptions { transform: Some(transform), ..Default::default() });
    let objects = [("a", 1), ("b", 2)].map(|(name, value)| queue.stage(valued(name, value)).unwrap());
    queue.replace(Replacement::new(objects.into(), "77"));
    assert_eq!((queue.len(), drain_flat(&queue)), (1, vec!["ReplacedAll@77 [a 2, b 3]".to_owned()]));
}

#[test]
fn t1_5_26_two_lists_pop_in_order_with_the_deltas_between_them() {
    let queue = atomic();
    queue.replace(list(&[("a", 1)]));
    queue.add(valued("b", 2)).unwrap();
    queue.replace(list(&[]));
    assert_eq!(drain_flat(&queue), ["ReplacedAll@1 [a 1]", "Added b 2", "ReplacedAll@1 []"]);
}

#[test]
fn t1_5_27_bookmarks_stay_apart_around_a_list() {
    let queue = atomic();
    queue.bookmark(Bookmark::new("1"));
    queue.replace(list(&[("a", 1)]));
    queue.bookmark(Bookmark::new("2"));
    queue.bookmark(Bookmark::new("3"));
    assert_eq!(drain(&queue), [["Bookmark@1"], ["ReplacedAll@1 [a 1]"], ["Bookmark@2"], ["Bookmark@3"]]);
}

#[test]
fn t1_5_28_a_resync_is_one_delta_behind_the_queued_ones() {
    let queue = atomic();
    queue.add(valued("a", 1)).unwrap();
    queue.update(valued("a", 2)).unwrap();
    queue.resync(Coverage::All);
    assert_eq!(drain_flat(&queue), ["Added a 1", "Updated a 2", "SyncAll"]);
}

#[test]
fn several_parts_are_synced_once_all_are() {
    let queue = InOrderFifo::new(InOrderFifoOptions { parts: 2, ..Default::default() });
    let part = |namespace: &str, name: &str| Replacement {
        coverage: Coverage::Namespace(namespace.into()),
        ..Replacement::new(vec![valued(&format!("{namespace}/{name}"), 1).shared()], "1")
    };
    queue.add(valued("a/x", 1)).unwrap();
    queue.replace(part("a", "x"));
    queue.replace(part("a", "x"));
    assert_eq!(drain(&queue).len(), 3);
    assert!(!queue.has_synced());
    queue.replace(part("b", "y"));
    assert!(!queue.has_synced());
    assert!(pop(&queue).unwrap().1, "the last part's list is initial too");
    assert!(queue.has_synced());
}

#[test]
fn a_failed_or_panicking_batch_is_not_queued_again_and_counts() {
    let queue = atomic();
    queue.replace(list(&[("a", 1)]));
    assert_eq!(queue.try_pop(|_| Err("no")), Some(Err(PopError::Process("no"))));
    assert!(queue.is_empty() && queue.has_synced());
    let queue = atomic();
    queue.replace(list(&[("a", 1)]));
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        queue.try_pop::<Infallible>(|_| panic!("processing"))
    }));
    assert!(panic.is_err() && queue.is_empty() && queue.has_synced());
}
