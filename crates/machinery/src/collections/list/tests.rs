use super::{
    super::testing::{Lab, Probe, hash, panics, send_sync},
    *,
};
use proptest::prelude::*;
use std::{rc::Rc, thread};

const _: () = send_sync::<List<String>>();

fn values(list: &[Probe]) -> Vec<u32> {
    list.iter().map(|probe| *probe.value).collect()
}

#[test]
fn one_word_with_a_niche() {
    assert_eq!(size_of::<List<u128>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<List<u128>>>(), size_of::<usize>());
}

#[test]
fn a_block_is_eight_bytes_and_the_elements() {
    assert_eq!(List::<u64>::EMPTY.heap_size(), 0);
    assert_eq!(List::from([1_u64, 2]).heap_size(), 24);
    assert_eq!(List::from([1_u128, 2]).heap_size(), 48);
    let mut list = List::from([1_u8; 100]);
    list.truncate(3);
    assert_eq!(list.heap_size(), 11);
    list.clear();
    assert_eq!(list.heap_size(), 0);
}

#[test]
fn clones_share_until_one_is_edited() {
    let lab = Lab::default();
    let mut one: List<_> = lab.probes(3).collect();
    let two = one.clone();
    assert!(one.ptr_eq(&two) && !one.is_unique() && one.get_unique_mut().is_none());
    assert_eq!(lab.live(), 3);
    *one[1].value = 9;
    assert!(!one.ptr_eq(&two) && one.is_unique() && two.is_unique());
    assert_eq!((values(&one), values(&two)), (vec![0, 9, 2], vec![0, 1, 2]));
    assert_eq!(lab.live(), 6);
    drop((one, two));
    assert_eq!(lab.live(), 0);
}

#[test]
fn an_edit_of_the_only_handle_copies_no_element() {
    let lab = Lab::default();
    let mut list: List<_> = lab.probes(5).collect();
    lab.panic_after_clones(0);
    list.push(lab.probe(5));
    list.insert(0, lab.probe(6));
    drop((list.remove(1), list.swap_remove(0), list.pop()));
    list.reverse();
    list.retain(|probe| *probe.value != 2);
    list.extend([lab.probe(7)]);
    assert_eq!(values(&list), [3, 1, 5, 7]);
    let vec = list.into_vec();
    assert_eq!((values(&vec), lab.live()), (vec![3, 1, 5, 7], 4));
    let list: List<_> = vec.into();
    assert_eq!(list.into_iter().map(|probe| *probe.value).collect::<Vec<_>>(), [3, 1, 5, 7]);
    assert_eq!(lab.live(), 0);
}

#[test]
fn retain_asks_about_each_element_once() {
    for alone in [true, false] {
        let mut list = List::from([1, 2, 3, 4]);
        let _other = (!alone).then(|| list.clone());
        let mut asked = Vec::new();
        list.retain(|value| {
            asked.push(*value);
            asked.len() % 2 == 1
        });
        assert_eq!((asked, list), (vec![1, 2, 3, 4], List::from([1, 3])));
    }
}

#[test]
fn edits_that_change_nothing_copy_nothing() {
    let list = List::from([1, 2, 3]);
    let mut other = list.clone();
    other.retain(|_| true);
    other.truncate(3);
    other.extend(Vec::<i32>::new());
    other.extend_from_slice(&[]);
    assert!(list.ptr_eq(&other));
    let mut empty = List::<u8>::EMPTY;
    assert_eq!((empty.pop(), empty.make_mut().len()), (None, 0));
}

#[test]
fn iterates_from_both_ends_and_drops_the_rest() {
    let lab = Lab::default();
    for shared in [false, true] {
        let list: List<_> = lab.probes(6).collect();
        let other = shared.then(|| list.clone());
        let mut iter = list.into_iter();
        assert_eq!((iter.len(), iter.size_hint()), (6, (6, Some(6))));
        assert_eq!(*iter.next().unwrap().value, 0);
        assert_eq!(*iter.next_back().unwrap().value, 5);
        assert_eq!(values(iter.as_slice()), [1, 2, 3, 4]);
        drop(iter);
        assert_eq!(lab.live(), if shared { 6 } else { 0 });
        drop(other);
        assert_eq!(lab.live(), 0);
    }
    let mut list = List::from([1, 2, 3]);
    for value in &mut list {
        *value *= 2;
    }
    assert!((&list).into_iter().eq(&[2, 4, 6]));
    assert_eq!(format!("{:?}", list.into_iter()), "IntoIter([2, 4, 6])");
}

#[test]
fn a_builder_fills_the_final_block() {
    let mut builder = ListBuilder::with_capacity(3);
    builder.extend([1_u64, 2]);
    builder.push(3);
    let place = builder.as_slice().as_ptr();
    assert_eq!((builder.len(), builder.capacity()), (3, 3));
    let list = builder.finish();
    assert_eq!((list.as_ptr(), list.heap_size()), (place, 32));

    let mut builder = ListBuilder::from(list);
    assert_eq!(builder.as_slice().as_ptr(), place);
    (4..=1000).for_each(|value| builder.push(value));
    assert_eq!(builder.pop(), Some(1000));
    builder.as_mut_slice()[0] = 0;
    builder.truncate(500);
    let list = builder.finish();
    assert_eq!((list[0], list[499], list.len(), list.heap_size()), (0, 500, 500, 8 + 500 * 8));
    assert!(ListBuilder::<u8>::with_capacity(9).finish().is_empty() && ListBuilder::<u8>::new().is_empty());
}

#[test]
fn a_builder_of_a_shared_list_leaves_it_alone() {
    let list = List::from([1, 2]);
    let mut builder = ListBuilder::from(list.clone());
    builder.push(3);
    assert_eq!((list, builder.finish()), (List::from([1, 2]), List::from([1, 2, 3])));
}

#[test]
fn a_panic_in_clone_leaves_the_list_as_it_was() {
    let lab = Lab::default();
    let edits: [fn(&mut List<Probe>, &Lab); 8] = [
        |list, lab| list.push(lab.probe(9)),
        |list, lab| list.insert(1, lab.probe(9)),
        |list, _| drop(list.remove(1)),
        |list, _| drop(list.pop()),
        |list, _| list.reverse(),
        |list, _| list.truncate(4),
        |list, _| list.retain(|probe| *probe.value > 0),
        |list, lab| list.extend(lab.probes(2)),
    ];
    for edit in edits {
        let mut list: List<_> = lab.probes(5).collect();
        let other = list.clone();
        lab.panic_after_clones(2);
        assert_eq!(panics(|| edit(&mut list, &lab)), "clone");
        assert!(list.ptr_eq(&other));
        assert_eq!((lab.live(), values(&list)), (5, vec![0, 1, 2, 3, 4]));
    }
    let list: List<_> = lab.probes(5).collect();
    lab.panic_after_clones(2);
    assert_eq!(panics(|| List::from(&list[..])), "clone");
    lab.panic_after_clones(2);
    let other = list.clone();
    assert_eq!(panics(|| other.into_vec()), "clone");
    assert!(list.is_unique() && lab.live() == 5);
}

#[test]
fn a_panic_in_drop_drops_and_frees_the_rest() {
    let lab = Lab::default();
    let list = || List::from([lab.probe(0), lab.bomb(1), lab.probe(2), lab.probe(3)]);
    assert_eq!(panics(|| drop(list())), "drop");
    assert_eq!(lab.live(), 0);
    let mut short = list();
    assert_eq!(panics(|| short.truncate(1)), "drop");
    assert_eq!((values(&short), lab.live()), (vec![0], 1));
    drop(short);
    let mut none = list();
    assert_eq!(panics(|| none.clear()), "drop");
    drop(none);
    assert_eq!(lab.live(), 0);
    let mut iter = list().into_iter();
    drop(iter.next());
    assert_eq!(panics(|| drop(iter)), "drop");
    let mut builder = ListBuilder::from(list());
    builder.push(lab.probe(4));
    assert_eq!(panics(|| drop(builder)), "drop");
    assert_eq!(lab.live(), 0);
}

#[test]
fn a_panic_in_an_iterator_or_predicate_loses_no_element() {
    let lab = Lab::default();
    let source = || lab.probes(4).inspect(|probe| assert!(*probe.value < 3, "source"));
    assert_eq!(panics(|| source().collect::<List<_>>()), "source");
    assert_eq!(lab.live(), 0);
    let mut list: List<_> = lab.probes(2).collect();
    assert_eq!(panics(|| list.extend(source())), "source");
    assert_eq!(values(&list), [0, 1, 0, 1, 2]);
    assert_eq!(
        panics(|| list.retain_mut(|probe| if *probe.value == 2 {
            panic!("keep")
        } else {
            *probe.value == 1
        })),
        "keep"
    );
    let mut left = values(&list);
    left.sort_unstable();
    assert_eq!((left, lab.live()), (vec![0, 0, 1, 1, 2], 5));
}

#[test]
fn zero_sized_elements_are_counted_and_dropped() {
    let mut list = List::from(vec![(); 1000]);
    list.push(());
    list.insert(500, ());
    list.remove(3);
    assert_eq!((list.len(), list.heap_size()), (1001, 8));
    assert_eq!(list.clone().into_iter().count(), 1001);
    list.retain_mut(|()| false);
    assert!(list.is_empty());

    thread_local!(static LIVE: std::cell::Cell<i32> = const { std::cell::Cell::new(0) });
    struct Unit;
    impl Unit {
        fn new() -> Self {
            LIVE.set(LIVE.get() + 1);
            Self
        }
    }
    impl Clone for Unit {
        fn clone(&self) -> Self {
            Self::new()
        }
    }
    impl Drop for Unit {
        fn drop(&mut self) {
            LIVE.set(LIVE.get() - 1);
        }
    }
    let mut list: List<_> = (0..10).map(|_| Unit::new()).collect();
    let other = list.clone();
    list.truncate(4);
    assert_eq!((list.len(), other.len(), LIVE.get()), (4, 10, 14));
    drop(list.into_iter().nth(1));
    drop(other);
    assert_eq!(LIVE.get(), 0);
}

#[test]
fn lengths_past_the_limit_panic_and_leave_the_list() {
    let most = u32::MAX as usize;
    let mut list = List::from(vec![(); most]);
    assert_eq!(list.len(), most);
    for panic in [
        panics(|| list.push(())),
        panics(|| list.extend([()])),
        panics(|| List::from(vec![(); most + 1])),
        panics(|| ListBuilder::<u8>::with_capacity(most + 1)),
        panics(|| std::iter::repeat_n(0_u64, usize::MAX).collect::<List<_>>()),
    ] {
        assert!(panic.starts_with("capacity overflow"), "{panic}");
    }
    assert_eq!(list.len(), most);
    let mut list = List::from([1]);
    assert!(panics(|| list.extend(std::iter::repeat_n(0, usize::MAX))).starts_with("capacity overflow"));
    assert_eq!(list, [1]);
}

#[test]
fn indexes_out_of_range_panic_and_leave_the_list() {
    let mut list = List::from([1]);
    assert_eq!(panics(|| list.insert(2, 0)), "insert at 2 into a list of 1");
    assert_eq!(panics(|| list.remove(1)), "remove at 1 from a list of 1");
    assert_eq!(panics(|| list.swap_remove(1)), "remove at 1 from a list of 1");
    assert_eq!(panics(|| List::<u8>::new().swap_remove(0)), "remove at 0 from a list of 0");
    assert_eq!(list, [1]);
}

#[test]
fn overaligned_elements_are_aligned() {
    #[derive(Clone, Debug, PartialEq)]
    #[repr(align(64))]
    struct Wide(u8);
    let mut list: List<_> = (0..3).map(Wide).collect();
    list.push(Wide(3));
    assert!(list.as_ptr().is_aligned() && list.heap_size() == 5 * 64);
    assert_eq!(list, [Wide(0), Wide(1), Wide(2), Wide(3)]);
}

#[test]
fn lists_nest_and_need_no_sized_recursion() {
    #[derive(Clone, Default, Debug, PartialEq, Eq, Hash)]
    struct Node {
        children: List<Node>,
    }
    let mut root = Node::default();
    root.children.push(Node::default());
    let copy = root.clone();
    root.children[0].children.push(Node::default());
    assert_ne!(root, copy);
    assert!(copy.children[0].children.is_empty());
}

#[test]
fn handles_of_unsendable_elements_work_on_one_thread() {
    let list = List::from([Rc::new(1)]);
    let copy = list.clone();
    assert_eq!(Rc::strong_count(&copy[0]), 1);
    let vec = copy.into_vec();
    assert_eq!(Rc::strong_count(&vec[0]), 2);
}

#[test]
fn equality_hash_and_order_are_those_of_slices() {
    let list = List::from([1, 2]);
    assert_eq!(hash(&list), hash(&[1, 2][..]));
    let (less, greater) = (List::from([1]), List::from([1, 3]));
    assert!(less < list && list < greater && less != list && list != List::EMPTY);
    assert_eq!(list, [1, 2]);
    assert_eq!(list, &[1, 2]);
    assert_eq!(list, &[1, 2][..]);
    assert_eq!([1, 2], list);
    assert_eq!(vec![1, 2], list);
    let nan = List::from([f64::NAN]);
    let other_nan = List::from([f64::NAN]);
    assert!(nan == nan.clone() && nan != other_nan);
}

#[test]
fn json_reads_null_as_empty() {
    let list = List::from([vec![1], vec![]]);
    assert_eq!(serde_json::to_string(&list).unwrap(), "[[1],[]]");
    assert_eq!(serde_json::from_str::<List<Vec<u8>>>("[[1],[]]").unwrap(), list);
    assert_eq!(serde_json::from_value::<List<Vec<u8>>>(serde_json::json!([[1], []])).unwrap(), list);
    assert!(serde_json::from_str::<List<u8>>("null").unwrap().is_empty());
    assert_eq!(serde_json::from_str::<Option<List<u8>>>("null").unwrap(), None);
    assert!(serde_json::from_str::<List<u8>>("{}").unwrap_err().to_string().contains("a sequence"));
    assert!(serde_json::from_str::<List<u8>>("[1,x]").is_err());
}

#[test]
fn threads_edit_their_own_copies() {
    let list: List<String> = (0..20).map(|n| format!("element {n}")).collect();
    let before = list.to_vec();
    thread::scope(|scope| {
        for id in 0..4 {
            let list = list.clone();
            scope.spawn(move || {
                for round in 0..100 {
                    let mut mine = list.clone();
                    mine[id] = format!("{id} {round}");
                    mine.push("last".to_owned());
                    assert_eq!((mine.len(), list.len()), (21, 20));
                    drop(mine.clone());
                    assert_eq!(mine.into_iter().nth(id).unwrap(), format!("{id} {round}"));
                }
            });
        }
    });
    assert!(list.is_unique() && list == before);
}

#[test]
fn threads_race_to_be_the_last_handle() {
    for _ in 0..100 {
        let list = List::from(["a", "b"].map(str::to_owned));
        let handles: Vec<_> = (0..4).map(|_| list.clone()).collect();
        drop(list);
        let all: usize = thread::scope(|scope| {
            let threads: Vec<_> =
                handles.into_iter().map(|handle| scope.spawn(move || handle.into_vec().len())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(all, 8);
    }
}

#[derive(Clone, Debug)]
enum Op {
    Clone,
    Drop,
    Push(u8),
    Pop,
    Insert(usize, u8),
    Remove(usize),
    SwapRemove(usize),
    Truncate(usize),
    Retain(u8),
    RetainMut(u8),
    Extend(Vec<u8>),
    Set(usize, u8),
    Sort,
    Clear,
    Rebuild(usize),
    IntoIter(usize, usize),
}

fn op() -> impl Strategy<Value = Op> {
    let index = 0..12_usize;
    prop_oneof![
        3 => Just(Op::Clone),
        1 => Just(Op::Drop),
        4 => any::<u8>().prop_map(Op::Push),
        1 => Just(Op::Pop),
        2 => (index.clone(), any::<u8>()).prop_map(|(at, value)| Op::Insert(at, value)),
        1 => index.clone().prop_map(Op::Remove),
        1 => index.clone().prop_map(Op::SwapRemove),
        1 => index.clone().prop_map(Op::Truncate),
        1 => any::<u8>().prop_map(Op::Retain),
        1 => any::<u8>().prop_map(Op::RetainMut),
        2 => prop::collection::vec(any::<u8>(), 0..9).prop_map(Op::Extend),
        2 => (index.clone(), any::<u8>()).prop_map(|(at, value)| Op::Set(at, value)),
        1 => Just(Op::Sort),
        1 => Just(Op::Clear),
        1 => index.clone().prop_map(Op::Rebuild),
        1 => (index.clone(), index).prop_map(|(front, back)| Op::IntoIter(front, back)),
    ]
}

/// On the heap each, so that sanitizers see every wrong drop.
type Element = Box<u8>;

#[allow(clippy::boxed_local)]
fn apply(op: Op, list: &mut List<Element>, model: &mut Vec<Element>) {
    let len = model.len();
    match op {
        Op::Push(value) => {
            list.push(value.into());
            model.push(value.into());
        }
        Op::Pop => assert_eq!(list.pop(), model.pop()),
        Op::Insert(at, value) => {
            list.insert(at.min(len), value.into());
            model.insert(at.min(len), value.into());
        }
        Op::Remove(at) if at < len => assert_eq!(list.remove(at), model.remove(at)),
        Op::SwapRemove(at) if at < len => assert_eq!(list.swap_remove(at), model.swap_remove(at)),
        Op::Truncate(to) => {
            list.truncate(to);
            model.truncate(to);
        }
        Op::Retain(limit) => {
            list.retain(|value| **value < limit);
            model.retain(|value| **value < limit);
        }
        Op::RetainMut(limit) => {
            let keep = |value: &mut Element| {
                **value = value.wrapping_add(1);
                **value < limit
            };
            list.retain_mut(keep);
            model.retain_mut(keep);
        }
        Op::Extend(values) => {
            list.extend(values.iter().copied().map(Box::new));
            model.extend(values.into_iter().map(Box::new));
        }
        Op::Set(at, value) if at < len => {
            list[at] = value.into();
            model[at] = value.into();
        }
        Op::Sort => {
            list.sort();
            model.sort();
        }
        Op::Clear => {
            list.clear();
            model.clear();
        }
        Op::Rebuild(extra) => {
            let mut builder = ListBuilder::from(mem::take(list));
            builder.reserve_exact(extra);
            *list = builder.finish();
        }
        Op::IntoIter(front, back) => {
            let mut ours = mem::take(list).into_iter();
            let mut theirs = mem::take(model).into_iter();
            let taken = |iter: &mut dyn DoubleEndedIterator<Item = Element>| {
                let front: Vec<_> = (0..front).map(|_| iter.next()).collect();
                let back: Vec<_> = (0..back).map(|_| iter.next_back()).collect();
                (front, back)
            };
            assert_eq!(taken(&mut ours), taken(&mut theirs));
            *list = ours.collect();
            *model = theirs.collect();
        }
        Op::Remove(_) | Op::SwapRemove(_) | Op::Set(..) | Op::Clone | Op::Drop => {}
    }
}

proptest! {
    /// Many handles, edited in turn: each behaves like a `Vec` of its own.
    #[test]
    fn agrees_with_vec(ops in prop::collection::vec((op(), any::<prop::sample::Index>()), 0..60)) {
        let mut handles: Vec<(List<Element>, Vec<Element>)> = vec![(List::new(), Vec::new())];
        for (op, on) in ops {
            let on = on.index(handles.len());
            match op {
                Op::Clone => handles.push(handles[on].clone()),
                Op::Drop if handles.len() > 1 => drop(handles.swap_remove(on)),
                op => {
                    let (list, model) = &mut handles[on];
                    apply(op, list, model);
                }
            }
            for (list, model) in &handles {
                prop_assert_eq!(list, model);
                let expected = if model.is_empty() { 0 } else { 8 + size_of::<Element>() * model.len() };
                prop_assert_eq!(list.heap_size(), expected);
            }
        }
    }
}
