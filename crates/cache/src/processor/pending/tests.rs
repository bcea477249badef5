//! The coalescing table as examples, and as properties of any history and any pace of the handler.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use super::*;
use crate::Deleted;
use crate::fixtures::{TestObject, object};
use crate::processor::{EventHandler, Filtered, Notification};

type Told = Change<TestObject>;

fn added(name: &str, version: u64) -> Told {
    Change::Added { object: object(name, version).into(), is_initial: false }
}

fn initial(name: &str, version: u64) -> Told {
    Change::Added { object: object(name, version).into(), is_initial: true }
}

fn updated(name: &str, old: u64, new: u64) -> Told {
    Change::Updated { old: object(name, old).into(), new: object(name, new).into() }
}

/// Notified again, unchanged.
fn again(name: &str, version: u64) -> Told {
    let object = object(name, version);
    Change::Updated { old: object.clone().into(), new: object.into() }
}

fn deleted(name: &str, version: u64) -> Told {
    Change::Deleted(Deleted::Object(object(name, version)))
}

fn all(limit: usize, pushes: Vec<Told>) -> Vec<String> {
    let mut pending = Pending::new(limit);
    let now = Instant::now();
    for notification in pushes {
        pending.push(notification, now, &mut Vec::new());
    }
    let seen: Vec<_> = std::iter::from_fn(|| pending.pop()).map(|seen| format!("{seen:?}")).collect();
    assert_eq!((pending.len(), pending.oldest()), (0, None));
    seen
}

#[test]
fn the_coalescing_table() {
    for (pushes, expected) in [
        (vec![added("a", 1), updated("a", 1, 2), updated("a", 2, 3)], vec!["Added(ns/a@3)"]),
        (vec![initial("a", 1), updated("a", 1, 2)], vec!["Added(ns/a@2, initial)"]),
        (vec![updated("a", 1, 2), updated("a", 2, 3), updated("a", 3, 4)], vec!["Updated(ns/a@1→4)"]),
        (vec![updated("a", 1, 2), deleted("a", 3)], vec!["Updated(ns/a@1→2)", "Deleted(ns/a@3)"]),
        (
            vec![updated("a", 1, 2), updated("a", 2, 3), deleted("a", 4), added("a", 5), updated("a", 5, 6)],
            vec!["Updated(ns/a@1→3)", "Deleted(ns/a@4)", "Added(ns/a@6)"],
        ),
        (
            vec![updated("a", 1, 2), deleted("a", 3), added("a", 4), deleted("a", 5)],
            vec!["Updated(ns/a@1→2)", "Deleted(ns/a@3)"],
        ),
        // A resync, and a relist without a change: the handler already knows the state.
        (vec![again("a", 1), deleted("a", 2)], vec!["Deleted(ns/a@2)"]),
        (vec![again("a", 1), again("a", 1)], vec!["Updated(ns/a@1→1)"]),
        (vec![updated("a", 1, 2), again("a", 2)], vec!["Updated(ns/a@1→2)"]),
        (vec![initial("a", 1), again("a", 1)], vec!["Added(ns/a@1, initial)"]),
        (vec![added("a", 1), deleted("a", 2)], vec![]),
        (vec![added("a", 1), updated("a", 1, 2), deleted("a", 3)], vec![]),
        (vec![deleted("a", 1), added("a", 2)], vec!["Deleted(ns/a@1)", "Added(ns/a@2)"]),
        (vec![deleted("a", 1), added("a", 2), updated("a", 2, 3)], vec!["Deleted(ns/a@1)", "Added(ns/a@3)"]),
        (vec![deleted("a", 1), added("a", 2), deleted("a", 3)], vec!["Deleted(ns/a@1)"]),
        (
            vec![deleted("a", 1), added("a", 2), deleted("a", 3), added("a", 4)],
            vec!["Deleted(ns/a@1)", "Added(ns/a@4)"],
        ),
        (
            vec![updated("a", 1, 2), added("b", 3), updated("a", 2, 4)],
            vec!["Updated(ns/a@1→4)", "Added(ns/b@3)"],
        ),
    ] {
        assert_eq!(all(0, pushes.clone()), expected, "{pushes:?}");
        let as_is: Vec<_> = pushes.iter().map(|seen| format!("{seen:?}")).collect();
        assert_eq!(all(usize::MAX, pushes), as_is, "without a limit, nothing is merged");
    }
}

#[test]
fn events_are_merged_only_from_the_limit_on() {
    let pushes = vec![updated("a", 1, 2), updated("a", 2, 3), updated("a", 3, 4), updated("a", 4, 5)];
    assert_eq!(all(2, pushes), ["Updated(ns/a@1→2)", "Updated(ns/a@2→5)"]);
}

#[test]
fn cancelled_initial_additions_are_counted() {
    let mut pending = Pending::new(0);
    let now = Instant::now();
    assert_eq!(pending.push(initial("a", 1), now, &mut Vec::new()), Pushed::Appended);
    assert_eq!(pending.push(updated("a", 1, 2), now, &mut Vec::new()), Pushed::Merged);
    assert_eq!(pending.push(deleted("a", 3), now, &mut Vec::new()), Pushed::Cancelled { was_initial: true });
    assert_eq!(pending.push(added("a", 4), now, &mut Vec::new()), Pushed::Appended);
    assert_eq!(pending.push(deleted("a", 5), now, &mut Vec::new()), Pushed::Cancelled { was_initial: false });
    assert_eq!((pending.len(), pending.merged()), (0, 3));
}

#[test]
fn churn_of_objects_that_the_handler_never_saw_costs_no_memory() {
    let mut pending = Pending::new(0);
    let now = Instant::now();
    pending.push(added("stays", 1), now, &mut Vec::new());
    // One of the two always exists, so that there is never a hole at the end.
    pending.push(added("a", 2), now, &mut Vec::new());
    for version in 0..10_000 {
        let (gone, comes) = if version % 2 == 0 { ("a", "b") } else { ("b", "a") };
        pending.push(added(comes, version), now, &mut Vec::new());
        pending.push(deleted(gone, version), now, &mut Vec::new());
    }
    assert_eq!(pending.len(), 2);
    assert!(pending.slots.len() <= 2 * 2 + FEW + 1, "{}", pending.slots.len());
    assert!(pending.index.as_ref().unwrap().len() <= 2);
}

/// A step: the server changes one of a few keys, or the handler takes some notifications.
#[derive(Clone, Copy, Debug)]
enum Op {
    Write(u8),
    Delete(u8),
    Take(u8),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => (0..12_u8).prop_map(Op::Write),
        3 => (0..12_u8).prop_map(Op::Delete),
        2 => (0..6_u8).prop_map(Op::Take),
    ];
    prop::collection::vec(op, 0..300)
}

/// A handler that checks its notifications.
#[derive(Default)]
struct Handler {
    knows: BTreeMap<ObjectKey, Arc<TestObject>>,
    seen: usize,
}

impl Handler {
    fn take(&mut self, seen: &Told) -> Result<(), TestCaseError> {
        self.seen += 1;
        match Notification::from_change(seen.clone()).unwrap() {
            Notification::Added { object, .. } => {
                prop_assert!(self.knows.insert(object.key(), object.clone()).is_none(), "added twice");
            }
            Notification::Updated { old, new } => {
                let known = self.knows.insert(new.key(), new.clone());
                prop_assert!(
                    known.is_some_and(|known| Arc::ptr_eq(&known, &old)),
                    "old differs from the known state"
                );
            }
            Notification::Deleted(deleted) => {
                prop_assert!(self.knows.remove(&deleted.key()).is_some(), "deleted before it was added");
            }
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn any_history_at_any_pace_is_delivered_as_a_valid_one(limit in 0..20_usize, ops in ops()) {
        let mut pending = Pending::new(limit);
        let mut handler = Handler::default();
        let mut server: BTreeMap<ObjectKey, Arc<TestObject>> = BTreeMap::new();
        let (mut version, mut pushed, mut overflowed) = (0, Vec::new(), false);
        let mut initial_waiting = 0_usize;
        let now = Instant::now();
        for op in ops {
            version += 1;
            let notification = match op {
                Op::Write(key) => {
                    let new = object(&format!("k{key}"), version);
                    Some(match server.insert(new.key(), new.clone()) {
                        None => Change::Added { object: new.into(), is_initial: version % 2 == 0 },
                        Some(old) => Change::Updated { old: old.into(), new: new.into() },
                    })
                }
                Op::Delete(key) => server
                    .remove(&ObjectKey::new("ns", format!("k{key}")))
                    .map(|old| {
                        // A watch reports the deletion, or a list shows it.
                        if version % 2 == 0 {
                            Change::Vanished(old.into())
                        } else {
                            Change::Deleted(Deleted::Object(old))
                        }
                    }),
                Op::Take(count) => {
                    for _ in 0..count {
                        let Some(seen) = pending.pop() else { break };
                        initial_waiting -= usize::from(seen.is_initial());
                        handler.take(&seen)?;
                    }
                    None
                }
            };
            if let Some(notification) = notification {
                overflowed |= pending.len() >= limit;
                initial_waiting += usize::from(notification.is_initial());
                pushed.push(format!("{notification:?}"));
                if let Pushed::Cancelled { was_initial: true } = pending.push(notification, now, &mut Vec::new()) {
                    initial_waiting -= 1;
                }
            }
            let gone_but_known = handler.knows.keys().filter(|key| !server.contains_key(key)).count();
            // An unmerged addition and an update of a deleted object may both wait: one more for each.
            prop_assert!(pending.len() <= limit + limit / 2 + 3 * server.len() + 2 * gone_but_known);
            prop_assert!(pending.slots.len() <= 2 * pending.len() + FEW + 1 + limit);
            prop_assert_eq!(pending.slots.iter().flatten().count(), pending.len());
        }
        while let Some(seen) = pending.pop() {
            initial_waiting -= usize::from(seen.is_initial());
            handler.take(&seen)?;
        }
        prop_assert_eq!(initial_waiting, 0, "every initial addition is delivered or cancelled");
        prop_assert_eq!(handler.knows.len(), server.len());
        for (key, object) in &server {
            prop_assert!(Arc::ptr_eq(object, &handler.knows[key]), "the last state is delivered");
        }
        prop_assert!(overflowed || handler.seen == pushed.len(), "unmerged below the limit");
        prop_assert_eq!(pending.merged() == 0, handler.seen == pushed.len());
        prop_assert!(pending.index.as_ref().is_none_or(HashMap::is_empty));
    }

    #[test]
    fn without_a_limit_every_event_is_delivered_in_order(ops in ops()) {
        let mut pending = Pending::new(usize::MAX);
        let mut live = HashSet::new();
        let (mut pushed, mut seen) = (Vec::new(), Vec::new());
        for (version, op) in (0..).zip(ops) {
            let notification = match op {
                Op::Write(key) if live.insert(key) => added(&format!("k{key}"), version),
                Op::Write(key) => updated(&format!("k{key}"), 0, version),
                Op::Delete(key) if live.remove(&key) => deleted(&format!("k{key}"), version),
                Op::Delete(_) => continue,
                Op::Take(count) => {
                    seen.extend((0..count).map_while(|_| pending.pop()).map(|seen| format!("{seen:?}")));
                    continue;
                }
            };
            pushed.push(format!("{notification:?}"));
            pending.push(notification, Instant::now(), &mut Vec::new());
        }
        seen.extend(std::iter::from_fn(|| pending.pop()).map(|seen| format!("{seen:?}")));
        prop_assert_eq!(seen, pushed);
    }
}

/// Whether an object passes the filter of the handlers below.
fn passes(object: &TestObject) -> bool {
    object.data == "in"
}

/// A handler that decides by content: it records its notifications, and counts old and new states by group, as an index
/// or an autoscaler would.
#[derive(Default)]
struct Informed {
    knows: Mutex<BTreeMap<ObjectKey, Arc<TestObject>>>,
    groups: Mutex<BTreeMap<String, i64>>,
    wrong: Mutex<Vec<String>>,
}

impl Informed {
    fn count(&self, object: &TestObject, by: i64) {
        *self.groups.lock().unwrap().entry(object.data.clone()).or_default() += by;
    }

    fn wrong(&self, what: &str) {
        self.wrong.lock().unwrap().push(what.to_owned());
    }
}

impl EventHandler<TestObject> for Informed {
    fn handle(&self, notification: &Notification<TestObject>) {
        match notification {
            Notification::Added { object, .. } => {
                self.count(object, 1);
                if self.knows.lock().unwrap().insert(object.key(), object.clone()).is_some() {
                    self.wrong("added twice");
                }
            }
            Notification::Updated { old, new } => {
                self.count(old, -1);
                self.count(new, 1);
                let known = self.knows.lock().unwrap().insert(new.key(), new.clone());
                if known.is_none_or(|known| !Arc::ptr_eq(&known, old)) {
                    self.wrong("old differs from the known state");
                }
            }
            Notification::Deleted(deleted) => {
                let known = self.knows.lock().unwrap().remove(&deleted.key());
                match (known, deleted.object()) {
                    (Some(known), Some(last)) if known.data == last.data => self.count(last, -1),
                    _ => self.wrong("deletion of an unknown object or of another state"),
                }
            }
        }
    }
}

/// A change of a key by the server, or the number of events that the handler takes.
#[derive(Clone, Copy, Debug)]
enum Move {
    Put(u8, u8),
    Delete(u8),
    Resync,
    Take(u8),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => (0..4_u8, 0..3_u8).prop_map(|(key, data)| Move::Put(key, data)),
        3 => (0..4_u8).prop_map(Move::Delete),
        1 => Just(Move::Resync),
        2 => (0..4_u8).prop_map(Move::Take),
    ];
    prop::collection::vec(one, 0..60)
}

/// Runs a history through the queue of a handler that merges from `limit` on; returns the final objects.
fn deliver(
    limit: usize,
    moves: &[Move],
    handler: &impl EventHandler<TestObject>,
) -> BTreeMap<ObjectKey, Arc<TestObject>> {
    let mut pending = Pending::new(limit);
    let mut server: BTreeMap<ObjectKey, Arc<TestObject>> = BTreeMap::new();
    let now = Instant::now();
    let take = |pending: &mut Pending<TestObject>| {
        let seen = Notification::from_change(pending.pop()?).unwrap();
        handler.handle(&seen);
        Some(())
    };
    for (version, one) in (1..).zip(moves) {
        match one {
            Move::Put(key, data) => {
                let mut new = crate::fixtures::plain(&format!("k{key}"), version);
                new.data = ["in", "out", "elsewhere"][usize::from(*data)].to_owned();
                let new = Arc::new(new);
                let change = match server.insert(new.key(), new.clone()) {
                    None => Change::Added { object: new.into(), is_initial: version % 2 == 0 },
                    Some(old) => Change::Updated { old: old.into(), new: new.into() },
                };
                pending.push(change, now, &mut Vec::new());
            }
            Move::Delete(key) => {
                if let Some(old) = server.remove(&ObjectKey::new("ns", format!("k{key}"))) {
                    let gone = if version % 2 == 0 {
                        Change::Vanished(old.into())
                    } else {
                        // A watch reports the last state under a version of its own.
                        let mut last = TestObject::clone(&old);
                        last.metadata.resource_version = version.to_string().into();
                        Change::Deleted(Deleted::Object(Arc::new(last)))
                    };
                    pending.push(gone, now, &mut Vec::new());
                }
            }
            Move::Resync => {
                for object in server.values() {
                    let change = Change::Updated { old: object.clone().into(), new: object.clone().into() };
                    pending.push(change, now, &mut Vec::new());
                }
            }
            Move::Take(count) => {
                for _ in 0..*count {
                    take(&mut pending);
                }
            }
        }
    }
    while take(&mut pending).is_some() {}
    server
}

fn check(handler: &Informed, truth: &BTreeMap<ObjectKey, Arc<TestObject>>) -> Result<(), TestCaseError> {
    prop_assert_eq!(&*handler.wrong.lock().unwrap(), &Vec::<String>::new());
    let knows = handler.knows.lock().unwrap();
    prop_assert_eq!(knows.keys().collect::<Vec<_>>(), truth.keys().collect::<Vec<_>>());
    for (key, object) in truth {
        prop_assert!(Arc::ptr_eq(&knows[key], object), "the last state of {}", key);
    }
    let mut groups: BTreeMap<String, i64> = BTreeMap::new();
    for object in truth.values() {
        *groups.entry(object.data.clone()).or_default() += 1;
    }
    let mut counted = handler.groups.lock().unwrap().clone();
    counted.retain(|_, count| *count != 0);
    prop_assert_eq!(counted, groups);
    Ok(())
}

#[test]
fn a_lagging_filtered_handler_is_still_notified_of_the_deletion() {
    let handler = Arc::new(Informed::default());
    let filtered = Filtered::new(passes, handler.clone());
    let history = [Move::Put(0, 0), Move::Take(1), Move::Put(0, 1), Move::Delete(0)];
    assert!(deliver(0, &history, &filtered).is_empty());
    assert!(handler.knows.lock().unwrap().is_empty(), "it no longer passes the filter");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn what_a_filtered_handler_knows_at_the_end_does_not_depend_on_its_pace(limit in 0..4_usize, moves in moves()) {
        let handler = Arc::new(Informed::default());
        let mut truth = deliver(limit, &moves, &Filtered::new(passes, handler.clone()));
        truth.retain(|_, object| passes(object));
        check(&handler, &truth)?;
    }

    #[test]
    fn what_a_comparing_handler_counts_does_not_depend_on_its_pace(limit in 0..4_usize, moves in moves()) {
        let handler = Informed::default();
        let truth = deliver(limit, &moves, &handler);
        check(&handler, &truth)?;
    }
}
