use super::{
    super::testing::{Lab, hash, panics, send_sync},
    *,
};
use proptest::prelude::*;

const _: () = send_sync::<Map<String>>();

fn labels() -> Map<u32> {
    [("tier", 1_u32), ("app.kubernetes.io/name", 2), ("", 3)].into()
}

#[test]
fn one_word_with_a_niche() {
    assert_eq!(size_of::<Map<u128>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Map<u128>>>(), size_of::<usize>());
    assert_eq!((Map::<u8>::EMPTY.heap_size(), labels().heap_size()), (0, 8 + 3 * 16));
}

#[test]
fn reads_in_key_order() {
    let map = labels();
    assert!(map.keys().eq(["", "app.kubernetes.io/name", "tier"]));
    assert!(map.values().eq(&[3, 2, 1]));
    assert!(map.iter().rev().map(|(key, value)| (key.as_str(), *value)).eq([
        ("tier", 1),
        ("app.kubernetes.io/name", 2),
        ("", 3)
    ]));
    assert_eq!(map.iter().len(), 3);
    assert_eq!(map.first().unwrap(), (&"".into(), &3));
    assert_eq!(map.last().unwrap(), (&"tier".into(), &1));
    assert_eq!(map.get_key_value("tier").unwrap().0, "tier");
    assert_eq!(map["tier"], 1);
    assert_eq!(panics(|| map["none"]), "no entry at this key");
    assert_eq!(format!("{map:?}"), r#"{"": 3, "app.kubernetes.io/name": 2, "tier": 1}"#);
    assert!(map.clone().into_keys().eq(map.keys().cloned()) && map.clone().into_values().eq([3, 2, 1]));
}

#[test]
fn clones_share_until_one_is_edited() {
    let mut one = labels();
    let two = one.clone();
    assert!(one.ptr_eq(&two) && !one.is_unique());
    assert_eq!(one.get_mut("none"), None);
    assert_eq!(one.remove("none"), None);
    one.extend::<[(&str, u32); 0]>([]);
    assert!(one.ptr_eq(&two), "edits of absent keys copy nothing");
    *one.get_mut("tier").unwrap() = 9;
    *one.get_or_insert_with("new", || 4) += 1;
    *one.get_or_insert_with("new", || unreachable!()) += 1;
    assert_eq!((one["tier"], one["new"], two["tier"], two.len()), (9, 6, 1, 3));
    for (_, value) in &mut one {
        *value = 0;
    }
    one.values_mut().for_each(|value| *value += 1);
    assert!(one.values().all(|value| *value == 1) && two == labels());
}

#[test]
fn the_last_of_equal_keys_wins() {
    let map: Map<u32> = [("b", 1_u32), ("a", 2), ("b", 3), ("b", 4), ("a", 5)].into();
    assert_eq!(map, [("a", 5_u32), ("b", 4)].into());
    let in_order: Map<u32> = [("a", 1_u32), ("a", 2), ("b", 3)].into();
    assert_eq!(in_order, [("a", 2_u32), ("b", 3)].into());
    let mut extended = in_order.clone();
    extended.extend([("c", 1_u32), ("a", 9), ("c", 2)]);
    assert_eq!(extended, [("a", 9_u32), ("b", 3), ("c", 2)].into());
    assert_eq!(
        serde_json::from_str::<Map<u32>>(r#"{"b":1,"a":2,"b":3}"#).unwrap(),
        [("a", 2_u32), ("b", 3)].into()
    );
}

#[test]
fn entries_in_any_order_become_sorted_and_the_last_of_equal_keys_wins() {
    // Few are sorted in place, many by an order of their keys.
    for count in [2_u32, 19, 20, 21, 22, 63, 500] {
        let entries =
            (0..count).map(|at| (format!("{:03}", at.wrapping_mul(2_654_435_761) % count.max(8)), at));
        let model: BTreeMap<String, u32> = entries.clone().collect();
        let map: Map<u32> = entries.collect();
        assert!(
            map.iter()
                .map(|(key, value)| (key.as_str(), value))
                .eq(model.iter().map(|(key, value)| (&**key, value)))
        );
    }
    let doubled: Map<usize> = (0..300).map(|at| ((at * 7 % 100).to_string(), at)).collect();
    assert_eq!(doubled.len(), 100);
    assert!(doubled.values().all(|at| *at >= 200));
}

#[test]
fn a_builder_fills_the_final_block() {
    let mut builder = MapBuilder::with_capacity(2);
    builder.insert("a", 1);
    let place = builder.as_slice().as_ptr();
    builder.insert("b", 2);
    let map = builder.finish();
    assert_eq!(map.as_slice().as_ptr(), place);
    assert_eq!(map.0, [("a".into(), 1), ("b".into(), 2)]);
}

#[test]
fn converts_from_and_to_std_maps() {
    let tree: BTreeMap<String, u32> = [("b".to_owned(), 1), ("a".to_owned(), 2)].into();
    let map = Map::from(tree.clone());
    assert_eq!(BTreeMap::<String, u32>::from(map.clone()), tree);
    assert_eq!(BTreeMap::<Str, u32>::from(map.clone()).len(), 2);
    assert_eq!(Map::from(tree.into_iter().collect::<HashMap<_, _>>()), map);
}

#[test]
fn json_reads_null_as_empty() {
    let json = r#"{"":3,"app.kubernetes.io/name":2,"tier":1}"#;
    assert_eq!(serde_json::to_string(&labels()).unwrap(), json);
    assert_eq!(serde_json::from_str::<Map<u32>>(json).unwrap(), labels());
    assert_eq!(serde_json::from_value::<Map<u32>>(serde_json::json!(labels())).unwrap(), labels());
    assert!(serde_json::from_str::<Map<u32>>("null").unwrap().is_empty());
    assert!(serde_json::from_str::<Map<u32>>("[]").unwrap_err().to_string().contains("a map"));
}

#[test]
fn a_panic_in_an_edit_leaves_the_map() {
    let lab = Lab::default();
    let map: Map<_> = lab.probes(5).map(|probe| (format!("key {}", probe.value), probe)).collect();
    let whole = |map: &Map<_>| map.keys().eq(["key 0", "key 1", "key 2", "key 3", "key 4"]);

    let mut edited = map.clone();
    lab.panic_after_clones(2);
    assert_eq!(panics(|| edited.retain(|_, _| false)), "clone");
    lab.panic_after_clones(2);
    assert_eq!(panics(|| edited.extend([("new", lab.probe(9))])), "clone");
    lab.panic_after_clones(2);
    assert_eq!(panics(|| edited.insert("new", lab.probe(9))), "clone");
    assert!(edited.ptr_eq(&map));

    let keep = |key: &Str| if key == "key 3" { panic!("keep") } else { key == "key 2" };
    assert_eq!(panics(|| edited.retain(|key, _| keep(key))), "keep");
    assert!(whole(&edited) && !edited.ptr_eq(&map));
    let source =
        || lab.probes(4).map(|probe| if *probe.value == 3 { panic!("source") } else { ("key 0", probe) });
    assert_eq!(panics(|| edited.extend(source())), "source");
    assert!(whole(&edited) && whole(&map) && lab.live() == 10);
    drop((edited, map));
    assert_eq!(lab.live(), 0);
}

#[derive(Clone, Debug)]
enum Op {
    Clone,
    Drop,
    Insert(String, u8),
    Remove(String),
    Set(String, u8),
    GetOrInsert(String, u8),
    Retain(u8),
    Extend(Vec<(String, u8)>),
    AddToAll(u8),
    Collect(Vec<(String, u8)>),
}

fn key() -> impl Strategy<Value = String> {
    // Few keys, so that they meet; some inline and some not.
    prop_oneof!["[a-c]{0,2}", "[ab]{7,9}"]
}

fn op() -> impl Strategy<Value = Op> {
    let entries = || prop::collection::vec((key(), any::<u8>()), 0..10);
    prop_oneof![
        2 => Just(Op::Clone),
        1 => Just(Op::Drop),
        4 => (key(), any::<u8>()).prop_map(|(key, value)| Op::Insert(key, value)),
        3 => key().prop_map(Op::Remove),
        2 => (key(), any::<u8>()).prop_map(|(key, value)| Op::Set(key, value)),
        2 => (key(), any::<u8>()).prop_map(|(key, value)| Op::GetOrInsert(key, value)),
        1 => any::<u8>().prop_map(Op::Retain),
        2 => entries().prop_map(Op::Extend),
        1 => any::<u8>().prop_map(Op::AddToAll),
        1 => entries().prop_map(Op::Collect),
    ]
}

type Value = Box<u8>;

fn apply(op: Op, map: &mut Map<Value>, model: &mut BTreeMap<String, Value>) {
    match op {
        Op::Insert(key, value) => {
            assert_eq!(map.insert(&key, value.into()), model.insert(key, value.into()));
        }
        Op::Remove(key) => assert_eq!(map.remove(&key), model.remove(&key)),
        Op::Set(key, value) => {
            let (ours, theirs) = (map.get_mut(&key), model.get_mut(&key));
            assert_eq!(ours, theirs);
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                **ours = value;
                **theirs = value;
            }
        }
        Op::GetOrInsert(key, value) => {
            let ours = map.get_or_insert_with(&key, || value.into());
            assert_eq!(ours, model.entry(key).or_insert_with(|| value.into()));
        }
        Op::Retain(limit) => {
            map.retain(|key, value| **value < limit && key != "a");
            model.retain(|key, value| **value < limit && key != "a");
        }
        Op::Extend(entries) => {
            map.extend(entries.iter().map(|(key, value)| (key, Box::new(*value))));
            model.extend(entries.into_iter().map(|(key, value)| (key, Box::new(value))));
        }
        Op::AddToAll(n) => {
            for value in map.values_mut().chain(model.values_mut()) {
                **value = value.wrapping_add(n);
            }
        }
        Op::Collect(entries) => {
            *map = entries.iter().map(|(key, value)| (key, Box::new(*value))).collect();
            *model = entries.into_iter().map(|(key, value)| (key, Box::new(value))).collect();
        }
        Op::Clone | Op::Drop => {}
    }
}

proptest! {
    /// Many handles, edited in turn: each behaves like a `BTreeMap` of its own.
    #[test]
    fn agrees_with_btree_map(ops in prop::collection::vec((op(), any::<prop::sample::Index>()), 0..40)) {
        let mut handles = vec![(Map::new(), BTreeMap::new())];
        for (op, on) in ops {
            let on = on.index(handles.len());
            match op {
                Op::Clone => handles.push(handles[on].clone()),
                Op::Drop if handles.len() > 1 => drop(handles.swap_remove(on)),
                op => {
                    let (map, model) = &mut handles[on];
                    apply(op, map, model);
                }
            }
            for (map, model) in &handles {
                prop_assert_eq!(map.len(), model.len());
                let ours = map.iter().map(|(key, value)| (key.as_str(), value));
                prop_assert!(ours.eq(model.iter().map(|(key, value)| (key.as_str(), value))));
                prop_assert!(model.iter().all(|(key, value)| map.get(key) == Some(value)));
            }
        }
        let (map, model) = &handles[0];
        let again: Map<Value> = model.clone().into();
        prop_assert_eq!(map, &again);
        prop_assert_eq!(hash(map), hash(&again));
    }
}
