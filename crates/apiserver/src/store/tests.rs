use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

type Seen = (u64, String, Option<u32>);

/// A model of the store: every state that ever existed. The store must agree with it within its window.
struct Model {
    states: Vec<BTreeMap<(usize, String), (u64, u32)>>,
    changes: Vec<(usize, Seen)>,
}

impl Model {
    fn new() -> Self {
        // Revisions 0 and 1 are empty.
        Self { states: vec![BTreeMap::new(); 2], changes: Vec::new() }
    }

    fn revision(&self) -> u64 {
        self.states.len() as u64 - 1
    }

    fn write(&mut self, table: usize, key: &str, expect: Expect, value: Option<u32>) -> bool {
        let mut state = self.states[self.states.len() - 1].clone();
        let at = (table, key.to_owned());
        let fits = match expect {
            Expect::Absent => !state.contains_key(&at),
            Expect::At(revision) => state.get(&at).is_some_and(|(found, _)| *found == revision),
        };
        if fits {
            let revision = self.revision() + 1;
            match value {
                Some(value) => state.insert(at, (revision, value)),
                None => state.remove(&at),
            };
            self.states.push(state);
            self.changes.push((table, (revision, key.to_owned(), value)));
        }
        fits
    }

    fn scan(&self, table: usize, prefix: &str, from: &str, at: u64) -> Vec<(String, u64, u32)> {
        let state = &self.states[usize::try_from(at.min(self.revision())).unwrap()];
        let of = state.iter().filter(|((of, key), _)| *of == table && key.starts_with(prefix));
        of.filter(|((_, key), _)| key.as_str() >= from)
            .map(|((_, key), (revision, value))| (key.clone(), *revision, *value))
            .collect()
    }

    fn after(&self, table: usize, after: u64) -> Vec<Seen> {
        let of = self.changes.iter().filter(|(of, seen)| *of == table && seen.0 > after);
        of.map(|(_, seen)| seen.clone()).collect()
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// Writes with the right expectation.
    Put(usize, String, u32),
    Delete(usize, String),
    /// Writes with an expectation that may be wrong.
    Guess(usize, String, Option<u64>),
    Compact(u64),
    /// Reads a snapshot: table, prefix, first key, how far back.
    Scan(usize, String, String, u64),
    /// Lets one of the watches continue to read.
    Poll(usize),
}

fn key() -> impl Strategy<Value = String> {
    // Namespaces whose order differs by name and by path: `a-b/` sorts before `a/`.
    prop_oneof!["(a|a-b|b)/[xyz]", "[xyz]"]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..2_usize, key(), any::<u32>()).prop_map(|(table, key, value)| Step::Put(table, key, value)),
        3 => (0..2_usize, key()).prop_map(|(table, key)| Step::Delete(table, key)),
        2 => (0..2_usize, key(), proptest::option::of(0..40_u64))
            .prop_map(|(table, key, guess)| Step::Guess(table, key, guess)),
        1 => (0..60_u64).prop_map(Step::Compact),
        3 => (0..2_usize, prop_oneof![Just(String::new()), Just("a/".to_owned()), Just("a".to_owned())], key(), 0..20_u64)
            .prop_map(|(table, prefix, from, back)| Step::Scan(table, prefix, from, back)),
        4 => (0..3_usize).prop_map(Step::Poll),
    ]
}

/// A watch as in the server: a cursor, and the changes that it has received.
struct Watch {
    table: usize,
    started: u64,
    cursor: u64,
    seen: Vec<Seen>,
}

proptest! {
    #[test]
    fn agrees_with_a_plain_model(steps in proptest::collection::vec(step(), 1..120), limit in 0..30_usize) {
        let mut store = Store::new(limit);
        let tables = [store.add_table(), store.add_table()];
        let mut model = Model::new();
        let mut watches: Vec<Watch> =
            [0, 1, 0].map(|table| Watch { table, started: 1, cursor: 1, seen: Vec::new() }).into();
        for step in steps {
            match step {
                Step::Put(table, key, value) => {
                    let expect = store.get(tables[table], &key).map_or(Expect::Absent, |(at, _)| Expect::At(at));
                    prop_assert!(model.write(table, &key, expect, Some(value)));
                    let change = store.write(tables[table], &key.as_str().into(), expect, |_| Write::Put(value)).unwrap();
                    prop_assert_eq!(change.revision, model.revision());
                }
                Step::Delete(table, key) => {
                    let found = store.get(tables[table], &key).map(|(at, value)| (at, *value));
                    let expect = found.map_or(Expect::At(1), |(at, _)| Expect::At(at));
                    let written = store.write(tables[table], &key.as_str().into(), expect, |_| Write::Delete(0));
                    prop_assert_eq!(written.is_ok(), model.write(table, &key, expect, None));
                    prop_assert_eq!(written.ok().and_then(|change| change.previous), found.map(|(_, value)| value));
                }
                Step::Guess(table, key, guess) => {
                    let expect = guess.map_or(Expect::Absent, Expect::At);
                    let found = store.get(tables[table], &key).map(|(at, _)| at);
                    let written = store.write(tables[table], &key.as_str().into(), expect, |_| Write::Put(7));
                    prop_assert_eq!(written.is_ok(), model.write(table, &key, expect, Some(7)));
                    if let Err(mismatch) = written {
                        prop_assert_eq!(mismatch, Mismatch(found));
                    }
                }
                Step::Compact(revision) => {
                    let before = store.compacted();
                    store.compact(revision);
                    prop_assert_eq!(store.compacted(), before.max(revision.min(store.revision())));
                }
                Step::Scan(table, prefix, from, back) => {
                    let at = store.revision().saturating_sub(back);
                    let range = Range { prefix: &prefix, from: &from };
                    match store.scan(tables[table], range, at) {
                        Ok(found) => {
                            prop_assert!(at >= store.compacted());
                            let found: Vec<_> =
                                found.map(|(key, revision, value)| (key.to_string(), revision, *value)).collect();
                            prop_assert_eq!(found, model.scan(table, &prefix, &from, at));
                        }
                        Err(Compacted(oldest)) => {
                            prop_assert_eq!(oldest, store.compacted());
                            prop_assert!(at < oldest);
                        }
                    }
                }
                Step::Poll(watch) => {
                    let watch = &mut watches[watch];
                    match store.changes(tables[watch.table], watch.cursor) {
                        Ok(changes) => {
                            watch.seen.extend(changes.map(|change| {
                                let value = (!change.deleted).then_some(change.value);
                                (change.revision, change.key.to_string(), value)
                            }));
                            watch.cursor = store.revision();
                            prop_assert_eq!(&watch.seen, &model.after(watch.table, watch.started));
                        }
                        Err(Compacted(oldest)) => {
                            prop_assert!(watch.cursor < oldest);
                            // It lists and then watches from there, as a client does.
                            watch.started = store.revision();
                            watch.cursor = store.revision();
                            watch.seen.clear();
                        }
                    }
                }
            }
            prop_assert_eq!(store.revision(), model.revision());
            prop_assert!(store.window.len() <= limit);
            let kept: usize = store.tables.iter().map(|table| table.changes.len()).sum();
            prop_assert_eq!(kept, store.window.len());
            for (table, id) in tables.iter().enumerate() {
                let range = Range { prefix: "", from: "" };
                let latest = store.scan(*id, range, store.revision()).unwrap();
                let latest: Vec<_> = latest.map(|(key, at, value)| (key.to_string(), at, *value)).collect();
                prop_assert_eq!(latest, model.scan(table, "", "", u64::MAX));
            }
        }
    }

    #[test]
    fn memory_is_bounded_by_the_live_keys_and_the_window(keys in proptest::collection::vec((key(), any::<bool>()), 0..200)) {
        let mut store = Store::new(5);
        let table = store.add_table();
        for (key, keep) in keys {
            let key = Str::from(key);
            let expect = store.get(table, &key).map_or(Expect::Absent, |(at, ())| Expect::At(at));
            let write = |_| if keep || expect == Expect::Absent { Write::Put(()) } else { Write::Delete(()) };
            store.write(table, &key, expect, write).unwrap();
        }
        store.compact(u64::MAX);
        let live = store.scan(table, Range { prefix: "", from: "" }, u64::MAX).unwrap().count();
        prop_assert_eq!(store.tables[0].chains.len(), live);
        prop_assert!(store.window.is_empty() && store.tables[0].changes.is_empty());
    }
}

#[test]
fn keys_are_sorted_by_path() {
    let mut store = Store::new(10);
    let table = store.add_table();
    for key in ["a/x", "a-b/x", "a/b", "b/a"] {
        store.write(table, &key.into(), Expect::Absent, |_| Write::Put(())).unwrap();
    }
    let scan = |range| {
        let found = store.scan(table, range, store.revision()).unwrap();
        found.map(|(key, ..)| key.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(scan(Range { prefix: "", from: "" }), ["a-b/x", "a/b", "a/x", "b/a"]);
    assert_eq!(scan(Range { prefix: "a/", from: "" }), ["a/b", "a/x"]);
    assert_eq!(scan(Range { prefix: "a/", from: "a/b\0" }), ["a/x"]);
    assert_eq!(scan(Range { prefix: "", from: "a/b\0" }), ["a/x", "b/a"]);
}

#[test]
fn a_clone_shares_its_tables_until_one_of_them_writes() {
    let mut store = Store::new(10);
    let (one, other) = (store.add_table(), store.add_table());
    let put = |store: &mut Store<u32>, table, key: &str, value| {
        store.write(table, &key.into(), Expect::Absent, |_| Write::Put(value)).map(|change| change.revision)
    };
    assert_eq!(put(&mut store, one, "a", 1), Ok(2));
    assert_eq!(put(&mut store, other, "b", 2), Ok(3));
    let mut clone = store.clone();
    assert!(store.tables.iter().zip(&clone.tables).all(|(ours, theirs)| Arc::ptr_eq(ours, theirs)));
    assert_eq!(put(&mut clone, one, "c", 3), Ok(4));
    assert_eq!(put(&mut store, one, "d", 4), Ok(4));
    assert!(
        !Arc::ptr_eq(&store.tables[0], &clone.tables[0]) && Arc::ptr_eq(&store.tables[1], &clone.tables[1])
    );
    let keys = |store: &Store<u32>| -> Vec<String> {
        store
            .scan(one, Range { prefix: "", from: "" }, u64::MAX)
            .unwrap()
            .map(|(key, ..)| key.to_string())
            .collect()
    };
    assert_eq!(
        (keys(&store), keys(&clone)),
        (vec!["a".to_owned(), "d".to_owned()], vec!["a".to_owned(), "c".to_owned()])
    );
    assert_eq!(clone.changes(one, 1).unwrap().count(), 2, "the history is copied too");
}

#[test]
fn loaded_values_keep_their_revisions_and_have_no_history() {
    let mut store = Store::new(10);
    let table = store.add_table();
    store.load(table, &"a".into(), 7, 1);
    store.load(table, &"b".into(), 5, 2);
    store.resume(9);
    assert_eq!((store.revision(), store.compacted()), (9, 9));
    assert_eq!(store.get(table, "a"), Some((7, &1)));
    assert_eq!(store.changes(table, 8).err(), Some(Compacted(9)));
    let change = store.write(table, &"b".into(), Expect::At(5), |_| Write::Put(3)).unwrap();
    assert_eq!((change.revision, change.previous), (10, Some(2)));
}
