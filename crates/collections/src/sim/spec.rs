//! The collections of a random graph: how each is built, and how it is computed from scratch.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use client_rs_machinery::{Map, Str};
use fastrand::Rng;

use crate::{Graph, Input, LabelSet, LiveSet, Look, Selection};

/// Few keys and few values, so that histories meet the same ones again.
pub(super) const KEYS: u8 = 6;

/// A value. Its fields are an amount, labels and a selector, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) amount: u8,
    pub(super) labels: u8,
    pub(super) selector: u8,
}

/// The content of a collection.
pub(super) type Content = BTreeMap<u8, Item>;

/// A collection. Numbers are those of older collections.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spec {
    Input,
    Map(usize, u8),
    Filter(usize, u8),
    /// Its function panics for some amounts.
    Panics(usize, u8),
    /// Reads one key of another, which may be absent.
    ByKey(usize, usize),
    /// Reads a part of one key of another.
    Part(usize, usize),
    FlatMap(usize),
    Group(usize),
    /// Reads an index of another.
    ByIndex(usize, usize),
    /// Reads a key and an index of another.
    KeyAndIndex(usize, usize),
    /// Reads another by its labels.
    Selected(usize, usize),
    /// Reads another by its selectors.
    Selecting(usize, usize),
    Union(usize, usize),
    /// Reads the latest of another.
    Latest(usize, usize),
    /// Reads a value that is computed from all of another.
    Single(usize, usize),
    /// Reads all of another.
    All(usize, usize),
    /// Ignores changes between inputs that are the same for it, and reads one key of another.
    Same(usize, usize),
}

/// A built collection. Inputs keep their inbox.
pub(super) struct Built {
    pub(super) set: LiveSet<u8, Item>,
    pub(super) input: Option<Input<u8, Item>>,
}

impl Item {
    pub(super) fn random(random: &mut Rng) -> Self {
        Self { amount: random.u8(0..12), labels: random.u8(0..18), selector: random.u8(0..10) }
    }

    fn label_set(self) -> LabelSet {
        LABELS[usize::from(self.labels)].clone()
    }

    fn selection(self) -> Option<Selection> {
        SELECTIONS[usize::from(self.selector)].clone()
    }
}

/// The labels by number.
static LABELS: LazyLock<Vec<LabelSet>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for namespace in ["x", "y"] {
        for app in [None, Some("web"), Some("db")] {
            for tier in [None, Some("a"), Some("b")] {
                let app = app.map(|app| ("app", Str::from(app)));
                let labels: Map<Str> =
                    app.into_iter().chain(tier.map(|tier| ("tier", Str::from(tier)))).collect();
                all.push(LabelSet::new(labels).in_namespace(namespace));
            }
        }
    }
    all
});

/// The selectors by number.
static SELECTIONS: LazyLock<Vec<Option<Selection>>> = LazyLock::new(|| {
    let parse = |text| Selection::parse(text).ok();
    vec![
        None,
        parse("app=web"),
        parse("app=web,tier=a").map(|one| one.in_namespace("x")),
        parse("app in (web,db),tier!=a"),
        parse("!app"),
        parse("").map(|one| one.in_namespace("y")),
        parse("tier in (a,b)").map(|one| one.in_namespace("x")),
        Some(Selection::nothing()),
        parse("app"),
        parse("app notin (db)").map(|one| one.in_namespace("y")),
    ]
});

/// Adds entries to an amount. It depends on their order.
fn fold<'a>(start: u8, entries: impl IntoIterator<Item = (&'a u8, &'a Item)>) -> u8 {
    entries.into_iter().fold(start, |sum, (key, item)| {
        sum.wrapping_mul(5).wrapping_add(*key).wrapping_add(item.amount.wrapping_mul(3))
    })
}

fn with_amount(item: Item, amount: u8) -> Item {
    Item { amount: amount % 12, ..item }
}

/// The keys and amounts that an entry is flattened to. Two entries may have the same key.
fn flat(key: u8, item: Item) -> Vec<(u8, Item)> {
    let first = (item.amount % KEYS, with_amount(item, item.amount + 1));
    let second = ((key + 1) % KEYS, with_amount(item, key));
    if item.amount.is_multiple_of(4) { vec![first] } else { vec![first, second] }
}

impl Spec {
    /// Chooses a collection over older ones.
    pub(super) fn random(random: &mut Rng, alive: &[usize]) -> Self {
        let mut one = || alive[random.usize(..alive.len())];
        let (p, q) = (one(), one());
        let salt = random.u8(0..6);
        match random.u8(0..17) {
            0 => Self::Map(p, salt),
            15 => Self::Panics(p, salt % 4),
            1 => Self::Filter(p, salt % 3),
            2 | 3 => Self::ByKey(p, q),
            4 => Self::Part(p, q),
            5 => Self::FlatMap(p),
            6 => Self::Group(p),
            7 => Self::ByIndex(p, q),
            8 => Self::KeyAndIndex(p, q),
            9 => Self::Selected(p, q),
            10 => Self::Selecting(p, q),
            11 => Self::Union(p, q),
            12 => Self::Latest(p, q),
            13 => Self::Single(p, q),
            16 => Self::Same(p, q),
            _ => Self::All(p, q),
        }
    }

    /// Adds the collection to a graph.
    pub(super) fn build(self, graph: &Graph, sets: &[Option<Built>]) -> Built {
        let set = |at: usize| sets[at].as_ref().expect("it is alive").set.clone();
        let name = format!("{self:?}");
        let of = |p: usize, function: Function| {
            graph.map(name.clone(), &set(p), move |key, item, look| {
                with_amount(**item, function(*key, **item, look))
            })
        };
        let built = match self {
            Self::Input => {
                let input = graph.input::<u8, Item>(name);
                return Built { set: input.live().clone(), input: Some(input) };
            }
            Self::Map(p, salt) => of(p, Box::new(move |_, item, _| item.amount / 2 + salt)),
            Self::Filter(p, m) => graph.filter(name, &set(p), move |_, item, _| item.amount % 3 != m),
            Self::Panics(p, m) => of(p, Box::new(move |_, item, _| unless_it_panics(item, m))),
            Self::ByKey(p, q) => {
                let other = set(q);
                of(
                    p,
                    Box::new(move |key, item, look| {
                        look.get(&other, &((key + 1) % KEYS)).map_or(7, |found| found.amount + item.amount)
                    }),
                )
            }
            Self::Part(p, q) => {
                let other = set(q);
                of(
                    p,
                    Box::new(move |key, item, look| {
                        let half = look.part(&other, &key, |found: &Item| found.amount / 3);
                        half.map_or(5, |half| half + item.amount)
                    }),
                )
            }
            Self::Same(p, q) => build_same(graph, name, &set(p), set(q)),
            Self::FlatMap(p) => graph.flat_map(name, &set(p), |key, item, _| flat(*key, **item)),
            Self::Group(p) => {
                let by = graph.index(&set(p), |_, item| [item.amount % 4]);
                graph.group(name, &by, |value, members, _| {
                    let (_, first) = members.iter().next()?;
                    let sum = fold(*value, members.iter().map(|(key, item)| (key, &**item)));
                    Some(with_amount(**first, sum))
                })
            }
            Self::ByIndex(p, q) => {
                let by = graph.index(&set(q), |key, item| vec![item.amount % 4, key % 2]);
                of(
                    p,
                    Box::new(move |_, item, look| {
                        fold(1, look.indexed(&by, &(item.amount % 4)).map(|(key, found)| (key, &**found)))
                    }),
                )
            }
            Self::KeyAndIndex(p, q) => {
                let (other, by) = (set(q), graph.index(&set(q), |_, item| (item.amount > 5).then_some(0_u8)));
                of(
                    p,
                    Box::new(move |key, _, look| {
                        let start = look.get(&other, &key).map_or(3, |found| found.amount);
                        fold(start, look.indexed(&by, &0).map(|(key, found)| (key, &**found)))
                    }),
                )
            }
            Self::Selected(p, q) => {
                let by = graph.index_labels(&set(q), |_, item| item.label_set());
                of(
                    p,
                    Box::new(move |_, item, look| match item.selection() {
                        Some(selection) => fold(2, shared(&look.selected(&by, &selection))),
                        None => item.amount,
                    }),
                )
            }
            Self::Selecting(p, q) => {
                let by = graph.index_selectors(&set(q), |_, item| item.selection());
                of(p, Box::new(move |_, item, look| fold(4, shared(&look.selecting(&by, &item.label_set())))))
            }
            Self::Union(p, q) => graph.union(name, [&set(p), &set(q)]),
            Self::Latest(p, q) => {
                let latest = graph.latest("latest", &set(q), |_, item| item.amount);
                of(p, Box::new(move |_, _, look| look.single(&latest).map_or(9, |found| found.labels)))
            }
            Self::Single(p, q) => {
                let other = set(q);
                let sum = graph.single("single", move |look| {
                    let all = look.all(&other);
                    (all.len() > 1).then(|| fold(0, shared(&all)) % 4)
                });
                of(p, Box::new(move |_, item, look| look.single(&sum).map_or(8, |sum| **sum + item.amount)))
            }
            Self::All(p, q) => {
                let other = set(q);
                of(p, Box::new(move |_, _, look| fold(6, shared(&look.all(&other)))))
            }
        };
        Built { set: built, input: None }
    }

    /// Computes the collection from scratch, by scans. An entry whose function panics has the value that it had `before`.
    pub(super) fn compute(self, all: &[Content], before: Option<&Content>) -> Content {
        let of = |p: usize, function: &dyn Fn(u8, Item) -> u8| -> Content {
            all[p].iter().map(|(key, item)| (*key, with_amount(*item, function(*key, *item)))).collect()
        };
        let scan = |q: usize, start: u8, keep: &dyn Fn(u8, &Item) -> bool| {
            fold(start, all[q].iter().filter(|(key, item)| keep(**key, item)))
        };
        match self {
            Self::Input => Content::new(),
            Self::Map(p, salt) => of(p, &|_, item| item.amount / 2 + salt),
            Self::Filter(p, m) => all[p]
                .iter()
                .filter(|(_, item)| item.amount % 3 != m)
                .map(|(key, item)| (*key, *item))
                .collect(),
            Self::Panics(p, m) => {
                let entry = |(key, item): (&u8, &Item)| {
                    if item.amount % 4 == m {
                        return before?.get(key).map(|kept| (*key, *kept));
                    }
                    Some((*key, with_amount(*item, item.amount + 1)))
                };
                all[p].iter().filter_map(entry).collect()
            }
            Self::ByKey(p, q) => of(p, &|key, item| {
                all[q].get(&((key + 1) % KEYS)).map_or(7, |found| found.amount + item.amount)
            }),
            Self::Part(p, q) => {
                of(p, &|key, item| all[q].get(&key).map_or(5, |found| found.amount / 3 + item.amount))
            }
            Self::FlatMap(p) => {
                let mut content = Content::new();
                for (key, item) in all[p].iter().flat_map(|(key, item)| flat(*key, *item)) {
                    content.entry(key).or_insert(item);
                }
                content
            }
            Self::Group(p) => (0..4)
                .filter_map(|value| {
                    let members = || all[p].iter().filter(|(_, item)| item.amount % 4 == value);
                    let (_, first) = members().next()?;
                    Some((value, with_amount(*first, fold(value, members()))))
                })
                .collect(),
            Self::ByIndex(p, q) => of(p, &|_, item| {
                let value = item.amount % 4;
                scan(q, 1, &|key, found| found.amount % 4 == value || key % 2 == value)
            }),
            Self::KeyAndIndex(p, q) => of(p, &|key, _| {
                let start = all[q].get(&key).map_or(3, |found| found.amount);
                scan(q, start, &|_, found| found.amount > 5)
            }),
            Self::Selected(p, q) => of(p, &|_, item| match item.selection() {
                Some(selection) => scan(q, 2, &|_, found| selection.matches(&found.label_set())),
                None => item.amount,
            }),
            Self::Selecting(p, q) => of(p, &|_, item| {
                let labels = item.label_set();
                scan(q, 4, &|_, found| found.selection().is_some_and(|one| one.matches(&labels)))
            }),
            Self::Union(p, q) => all[q].iter().chain(&all[p]).map(|(key, item)| (*key, *item)).collect(),
            Self::Latest(p, q) => {
                let latest = all[q].iter().max_by_key(|(key, item)| (item.amount, **key));
                of(p, &|_, _| latest.map_or(9, |(_, found)| found.labels))
            }
            Self::Single(p, q) => {
                let sum = (all[q].len() > 1).then(|| fold(0, &all[q]) % 4);
                of(p, &|_, item| sum.map_or(8, |sum| sum + item.amount))
            }
            Self::All(p, q) => of(p, &|_, _| fold(6, &all[q])),
            Self::Same(p, q) => all[p]
                .iter()
                .map(|(key, item)| {
                    let found = all[q].get(key).map_or(3, |found| found.amount);
                    (*key, with_amount(coarse(*item), coarse(*item).amount + found))
                })
                .collect(),
        }
    }
}

fn build_same(
    graph: &Graph,
    name: String,
    of: &LiveSet<u8, Item>,
    other: LiveSet<u8, Item>,
) -> LiveSet<u8, Item> {
    let same = |old: &Item, new: &Item| coarse(*old) == coarse(*new);
    graph.map_unless_same(name, of, same, move |key, item, look| {
        let found = look.get(&other, key).map_or(3, |found| found.amount);
        with_amount(coarse(**item), coarse(**item).amount + found)
    })
}

/// The part of an item that [`Spec::Same`] uses.
fn coarse(item: Item) -> Item {
    Item { amount: item.amount / 3, labels: item.labels, selector: 0 }
}

/// The amount of an entry of [`Spec::Panics`]. A panic prints nothing.
fn unless_it_panics(item: Item, m: u8) -> u8 {
    if item.amount % 4 == m {
        std::panic::resume_unwind(Box::new("this amount is not supported"));
    }
    item.amount + 1
}

/// The amount of an entry.
type Function = Box<dyn Fn(u8, Item, &Look<'_>) -> u8 + Send + Sync>;

fn shared<'a>(found: &[(&'a u8, &'a std::sync::Arc<Item>)]) -> Vec<(&'a u8, &'a Item)> {
    found.iter().map(|(key, item)| (*key, &***item)).collect()
}
