//! The rules of derived collections: map, flat map, group, union, latest, single.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::derived::Rule;
use super::index::KeyIndex;
use super::look::Look;
use super::node::{Nodes, Origin};
use super::reader::Place;
use super::small_set::Numbers;
use super::store::{Output, Same, Store};
use super::table::Table;
use crate::{Key, LiveIndex, LiveSet};

/// No slot.
const NONE: u32 = u32::MAX;

fn same<V: PartialEq>(one: Option<&Arc<V>>, other: Option<&Arc<V>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one == other,
        (None, None) => true,
        _ => false,
    }
}

/// Registers a node as a child of a collection, and returns all of its slots.
fn adopt<K: Key, V: Send + Sync + 'static>(
    nodes: &mut Nodes,
    me: u32,
    tag: u32,
    parent: &LiveSet<K, V>,
    same: Option<Same<V>>,
) -> Vec<(u32, u32)> {
    let slot = parent.handle().slot();
    let store = nodes.node_mut(slot).map(|node| node.store_mut().as_any_mut());
    if let Some(store) = store.and_then(|store| store.downcast_mut::<Store<K, V>>()) {
        store.add_child(me, tag, same);
    }
    nodes.store::<K, V>(slot).table.iter().map(|(slot, ..)| (tag, slot)).collect()
}

fn leave(nodes: &mut Nodes, me: u32, parent: u32) {
    if let Some(node) = nodes.node_mut(parent) {
        node.store_mut().remove_child(me);
    }
}

/// At most one output per entry, with the same key.
pub(crate) struct Map<K, P, V, O, F> {
    pub(crate) parent: LiveSet<K, P>,
    pub(crate) function: F,
    /// Changes between inputs that are the same are ignored.
    pub(crate) same: Option<Same<P>>,
    pub(crate) slots: Vec<u32>,
    /// The row of each own slot.
    pub(crate) rows: Vec<u32>,
    pub(crate) output: std::marker::PhantomData<fn() -> (V, O)>,
}

impl<K, P, V, O, F> Rule for Map<K, P, V, O, F>
where
    K: Key,
    P: Send + Sync + 'static,
    V: PartialEq + Send + Sync + 'static,
    O: Output<V>,
    F: Fn(&K, &Arc<P>, &Look<'_>) -> Option<O> + Send + Sync + 'static,
{
    type K = K;
    type V = V;
    type Out = Option<O>;

    fn compute(&self, _: &Store<K, V>, row: u32, look: &Look<'_>) -> Self::Out {
        let parent = &look.nodes().store::<K, P>(self.parent.handle().slot()).table;
        (self.function)(parent.key(row), parent.value(row)?, look)
    }

    fn same(&self, one: &Self::Out, other: &Self::Out) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => one.value() == other.value(),
            (None, None) => true,
            _ => false,
        }
    }

    fn commit(&mut self, nodes: &Nodes, store: &mut Store<K, V>, row: u32, out: Self::Out) {
        let at = row as usize;
        if self.slots.len() <= at {
            self.slots.resize(at + 1, NONE);
        }
        if self.slots[at] == NONE {
            if out.is_none() {
                return;
            }
            let key = nodes.store::<K, P>(self.parent.handle().slot()).table.key(row);
            let slot = store.table.intern(key);
            self.slots[at] = slot;
            if self.rows.len() <= slot as usize {
                self.rows.resize(slot as usize + 1, NONE);
            }
            self.rows[slot as usize] = row;
        }
        let slot = self.slots[at];
        if out.is_none() {
            self.slots[at] = NONE;
            self.rows[slot as usize] = NONE;
        }
        store.put_output(slot, out);
    }

    fn attach(&self, nodes: &mut Nodes, me: u32) -> Vec<(u32, u32)> {
        adopt(nodes, me, 0, &self.parent, self.same.clone())
    }

    fn is_current(&self, store: &Store<K, V>, row: u32, out: &Self::Out) -> bool {
        let slot = self.slots.get(row as usize).copied().filter(|slot| *slot != NONE);
        match (slot.and_then(|slot| store.table.value(slot)), out) {
            (Some(current), Some(out)) => out.is(current),
            (None, None) => true,
            _ => false,
        }
    }

    fn detach(&self, nodes: &mut Nodes, me: u32) {
        leave(nodes, me, self.parent.handle().slot());
    }

    fn row_text(&self, nodes: &Nodes, _: &Store<K, V>, row: u32) -> String {
        format!("{:?}", nodes.store::<K, P>(self.parent.handle().slot()).table.key(row))
    }

    fn rows_of(&self, _: &Nodes, _: &Store<K, V>, slot: u32) -> Vec<(u32, Vec<Origin>)> {
        let row = self.rows.get(slot as usize).copied().filter(|row| *row != NONE);
        let source = self.parent.handle().slot();
        row.map(|row| (row, vec![Origin { source, place: Place::Keys, token: row }])).into_iter().collect()
    }
}

/// Any number of outputs per entry, with keys of their own. If two entries have an output of the same key, that of
/// the entry with the lower key counts.
pub(crate) struct FlatMap<K, P, L, V, F> {
    parent: LiveSet<K, P>,
    function: F,
    /// The outputs of each row.
    outs: Vec<Vec<(u32, Arc<V>)>>,
    /// The rows of each own slot.
    rows: Vec<Numbers>,
    touched: Vec<u32>,
    output: std::marker::PhantomData<fn() -> L>,
}

impl<K, P, L, V, F> FlatMap<K, P, L, V, F> {
    pub(crate) fn new(parent: LiveSet<K, P>, function: F) -> Self {
        let output = std::marker::PhantomData;
        Self { parent, function, outs: Vec::new(), rows: Vec::new(), touched: Vec::new(), output }
    }
}

impl<K: Key, P: Send + Sync + 'static, L, V, F> FlatMap<K, P, L, V, F> {
    fn first(&self, nodes: &Nodes, slot: u32) -> Option<u32> {
        let parent = &nodes.store::<K, P>(self.parent.handle().slot()).table;
        let mut first: Option<u32> = None;
        self.rows[slot as usize].for_each(|row| {
            if first.is_none_or(|known| parent.key(row) < parent.key(known)) {
                first = Some(row);
            }
        });
        first
    }
}

impl<K, P, L, V, F, I> Rule for FlatMap<K, P, L, V, F>
where
    K: Key,
    P: Send + Sync + 'static,
    L: Key,
    V: PartialEq + Send + Sync + 'static,
    I: IntoIterator<Item = (L, V)>,
    F: Fn(&K, &Arc<P>, &Look<'_>) -> I + Send + Sync + 'static,
{
    type K = L;
    type V = V;
    type Out = Vec<(L, Arc<V>)>;

    fn compute(&self, _: &Store<L, V>, row: u32, look: &Look<'_>) -> Self::Out {
        let parent = &look.nodes().store::<K, P>(self.parent.handle().slot()).table;
        let Some(value) = parent.value(row) else { return Vec::new() };
        let outs = (self.function)(parent.key(row), value, look);
        outs.into_iter().map(|(key, value)| (key, Arc::new(value))).collect()
    }

    fn same(&self, one: &Self::Out, other: &Self::Out) -> bool {
        one == other
    }

    fn commit(&mut self, _: &Nodes, store: &mut Store<L, V>, row: u32, out: Self::Out) {
        let at = row as usize;
        if self.outs.len() <= at {
            self.outs.resize_with(at + 1, Vec::new);
        }
        let old = std::mem::take(&mut self.outs[at]);
        let mut new: Vec<(u32, Arc<V>)> = Vec::with_capacity(out.len());
        for (key, value) in out {
            let slot = store.table.intern(&key);
            // The first of two outputs with one key counts.
            if new.iter().all(|(known, _)| *known != slot) {
                new.push((slot, value));
            }
        }
        for (slot, _) in &old {
            self.touched.push(*slot);
            if new.iter().all(|(kept, _)| kept != slot) {
                self.rows[*slot as usize].remove(row);
            }
        }
        for (slot, _) in &new {
            self.touched.push(*slot);
            if self.rows.len() <= *slot as usize {
                self.rows.resize_with(*slot as usize + 1, Numbers::default);
            }
            if old.iter().all(|(had, _)| had != slot) {
                self.rows[*slot as usize].add(row);
            }
        }
        self.outs[at] = new;
    }

    fn finish(&mut self, nodes: &Nodes, store: &mut Store<L, V>) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        for slot in touched.drain(..) {
            let row = self.first(nodes, slot);
            let out = row.and_then(|row| self.outs[row as usize].iter().find(|(its, _)| *its == slot));
            store.put(slot, out.map(|(_, value)| value.clone()));
        }
        self.touched = touched;
    }

    fn attach(&self, nodes: &mut Nodes, me: u32) -> Vec<(u32, u32)> {
        adopt(nodes, me, 0, &self.parent, None)
    }

    fn detach(&self, nodes: &mut Nodes, me: u32) {
        leave(nodes, me, self.parent.handle().slot());
    }

    fn row_text(&self, nodes: &Nodes, _: &Store<L, V>, row: u32) -> String {
        format!("{:?}", nodes.store::<K, P>(self.parent.handle().slot()).table.key(row))
    }

    fn rows_of(&self, nodes: &Nodes, _: &Store<L, V>, slot: u32) -> Vec<(u32, Vec<Origin>)> {
        let row = (self.rows.len() > slot as usize).then(|| self.first(nodes, slot)).flatten();
        let source = self.parent.handle().slot();
        row.map(|row| (row, vec![Origin { source, place: Place::Keys, token: row }])).into_iter().collect()
    }
}

/// The entries of a group, in the order of their keys.
///
/// ```
/// use client_rs_collections::Graph;
///
/// let graph = Graph::new();
/// let pods = graph.constant("pods", [("web-1", "n1"), ("web-2", "n2"), ("db", "n1")]);
/// let by_node = graph.index(&pods, |_, node| [*node]);
/// let names = graph.group("pods of a node", &by_node, |_, pods, _| {
///     assert!(!pods.is_empty());
///     Some(pods.iter().map(|(name, _)| *name).collect::<Vec<_>>())
/// });
/// assert_eq!(graph.snapshot().get(&names, &"n1").as_deref(), Some(&vec!["db", "web-1"]));
/// ```
pub struct Members<'a, K, V> {
    table: &'a Table<K, V>,
    slots: &'a [u32],
}

impl<'a, K: Key, V: Send + Sync + 'static> Members<'a, K, V> {
    /// Iterates over the entries.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'a K, &'a Arc<V>)> + use<'a, K, V> {
        let table = self.table;
        let entry = move |slot: &u32| (table.key(*slot), table.value(*slot).expect("members have values"));
        self.slots.iter().map(entry)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether the group is empty. A function never gets an empty group.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

impl<K, V> fmt::Debug for Members<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Members").field("len", &self.slots.len()).finish_non_exhaustive()
    }
}

/// One row per value of an index.
pub(crate) struct Group<K, P, I, V, F> {
    pub(crate) index: LiveIndex<K, P, I>,
    pub(crate) function: F,
    pub(crate) slots: Vec<u32>,
    pub(crate) rows: Vec<u32>,
    pub(crate) output: std::marker::PhantomData<fn() -> V>,
}

impl<K: Key, P: Send + Sync + 'static, I: Key, V, F> Group<K, P, I, V, F> {
    fn values<'a>(&self, nodes: &'a Nodes) -> (&'a Table<K, P>, &'a Table<I, Vec<u32>>) {
        let store = nodes.store::<K, P>(self.index.set.handle().slot());
        let index = store.index(self.index.number()).expect("a handle keeps its index");
        let index: &KeyIndex<K, P, I> =
            index.as_any().downcast_ref().expect("a handle has the types of its index");
        (&store.table, &index.values)
    }
}

impl<K, P, I, V, F> Rule for Group<K, P, I, V, F>
where
    K: Key,
    P: Send + Sync + 'static,
    I: Key,
    V: PartialEq + Send + Sync + 'static,
    F: Fn(&I, &Members<'_, K, P>, &Look<'_>) -> Option<V> + Send + Sync + 'static,
{
    type K = I;
    type V = V;
    type Out = Option<Arc<V>>;

    fn compute(&self, _: &Store<I, V>, row: u32, look: &Look<'_>) -> Self::Out {
        let (table, values) = self.values(look.nodes());
        let slots = values.value(row)?;
        (self.function)(values.key(row), &Members { table, slots }, look).map(Arc::new)
    }

    fn same(&self, one: &Self::Out, other: &Self::Out) -> bool {
        same(one.as_ref(), other.as_ref())
    }

    fn commit(&mut self, nodes: &Nodes, store: &mut Store<I, V>, row: u32, out: Self::Out) {
        let at = row as usize;
        if self.slots.len() <= at {
            self.slots.resize(at + 1, NONE);
        }
        if self.slots[at] == NONE {
            if out.is_none() {
                return;
            }
            let slot = store.table.intern(self.values(nodes).1.key(row));
            self.slots[at] = slot;
            if self.rows.len() <= slot as usize {
                self.rows.resize(slot as usize + 1, NONE);
            }
            self.rows[slot as usize] = row;
        }
        let slot = self.slots[at];
        if out.is_none() {
            self.slots[at] = NONE;
            self.rows[slot as usize] = NONE;
        }
        store.put(slot, out);
    }

    fn attach(&self, nodes: &mut Nodes, me: u32) -> Vec<(u32, u32)> {
        if let Some(node) = nodes.node_mut(self.index.set.handle().slot()) {
            node.store_mut().add_group(self.index.number(), me);
        }
        self.values(nodes).1.iter().map(|(token, ..)| (0, token)).collect()
    }

    fn detach(&self, nodes: &mut Nodes, me: u32) {
        if let Some(node) = nodes.node_mut(self.index.set.handle().slot()) {
            node.store_mut().remove_group(self.index.number(), me);
        }
    }

    fn row_text(&self, nodes: &Nodes, _: &Store<I, V>, row: u32) -> String {
        format!("{:?}", self.values(nodes).1.key(row))
    }

    fn rows_of(&self, _: &Nodes, _: &Store<I, V>, slot: u32) -> Vec<(u32, Vec<Origin>)> {
        let row = self.rows.get(slot as usize).copied().filter(|row| *row != NONE);
        let (source, place) = (self.index.set.handle().slot(), Place::Index(self.index.number()));
        row.map(|row| (row, vec![Origin { source, place, token: row }])).into_iter().collect()
    }
}

/// The entries of several collections. For a key that several have, the first of them counts.
pub(crate) struct Union<K, V> {
    pub(crate) parents: Vec<LiveSet<K, V>>,
}

impl<K: Key, V: Send + Sync + 'static> Rule for Union<K, V> {
    type K = K;
    type V = V;
    type Out = Option<Arc<V>>;

    fn compute(&self, store: &Store<K, V>, row: u32, look: &Look<'_>) -> Self::Out {
        let key = store.table.key(row);
        let mut parents =
            self.parents.iter().map(|parent| &look.nodes().store::<K, V>(parent.handle().slot()).table);
        parents.find_map(|parent| parent.get(key)).cloned()
    }

    fn same(&self, one: &Self::Out, other: &Self::Out) -> bool {
        one.as_ref().map(Arc::as_ptr) == other.as_ref().map(Arc::as_ptr)
    }

    fn commit(&mut self, _: &Nodes, store: &mut Store<K, V>, row: u32, out: Self::Out) {
        store.put(row, out);
    }

    fn row(&mut self, nodes: &Nodes, store: &mut Store<K, V>, tag: u32, slot: u32) -> u32 {
        let parent = nodes.store::<K, V>(self.parents[tag as usize].handle().slot());
        store.table.intern(parent.table.key(slot))
    }

    fn attach(&self, nodes: &mut Nodes, me: u32) -> Vec<(u32, u32)> {
        (0..).zip(&self.parents).flat_map(|(tag, parent)| adopt(nodes, me, tag, parent, None)).collect()
    }

    fn detach(&self, nodes: &mut Nodes, me: u32) {
        for parent in &self.parents {
            leave(nodes, me, parent.handle().slot());
        }
    }

    fn row_text(&self, _: &Nodes, store: &Store<K, V>, row: u32) -> String {
        format!("{:?}", store.table.key(row))
    }

    fn rows_of(&self, nodes: &Nodes, store: &Store<K, V>, slot: u32) -> Vec<(u32, Vec<Origin>)> {
        let key = store.table.key(slot);
        let origin = self.parents.iter().find_map(|parent| {
            let source = parent.handle().slot();
            let table = &nodes.store::<K, V>(source).table;
            let token = table.find(key).filter(|token| table.value(*token).is_some())?;
            Some(Origin { source, place: Place::Keys, token })
        });
        vec![(slot, origin.into_iter().collect())]
    }
}

/// The entry with the highest rank; of several, that with the highest key.
pub(crate) struct Latest<K, V, T, F> {
    parent: LiveSet<K, V>,
    rank: F,
    order: BTreeSet<(T, K, u32)>,
    ranks: Vec<Option<(T, K)>>,
}

impl<K, V, T, F> Latest<K, V, T, F> {
    pub(crate) fn new(parent: LiveSet<K, V>, rank: F) -> Self {
        Self { parent, rank, order: BTreeSet::new(), ranks: Vec::new() }
    }
}

impl<K, V, T, F> Rule for Latest<K, V, T, F>
where
    K: Key,
    V: Send + Sync + 'static,
    T: Ord + Clone + Send + Sync + 'static,
    F: Fn(&K, &V) -> T + Send + Sync + 'static,
{
    type K = ();
    type V = V;
    type Out = Option<T>;

    fn compute(&self, _: &Store<(), V>, row: u32, look: &Look<'_>) -> Self::Out {
        let parent = &look.nodes().store::<K, V>(self.parent.handle().slot()).table;
        Some((self.rank)(parent.key(row), parent.value(row)?))
    }

    fn same(&self, one: &Self::Out, other: &Self::Out) -> bool {
        one == other
    }

    fn commit(&mut self, nodes: &Nodes, _: &mut Store<(), V>, row: u32, out: Self::Out) {
        let at = row as usize;
        if self.ranks.len() <= at {
            self.ranks.resize(at + 1, None);
        }
        if let Some((rank, key)) = self.ranks[at].take() {
            self.order.remove(&(rank, key, row));
        }
        if let Some(rank) = out {
            let key = nodes.store::<K, V>(self.parent.handle().slot()).table.key(row).clone();
            self.order.insert((rank.clone(), key.clone(), row));
            self.ranks[at] = Some((rank, key));
        }
    }

    fn finish(&mut self, nodes: &Nodes, store: &mut Store<(), V>) {
        let parent = &nodes.store::<K, V>(self.parent.handle().slot()).table;
        let value = self.order.last().and_then(|(.., row)| parent.value(*row)).cloned();
        let slot = store.table.intern(&());
        store.put(slot, value);
    }

    fn attach(&self, nodes: &mut Nodes, me: u32) -> Vec<(u32, u32)> {
        adopt(nodes, me, 0, &self.parent, None)
    }

    fn detach(&self, nodes: &mut Nodes, me: u32) {
        leave(nodes, me, self.parent.handle().slot());
    }

    fn row_text(&self, nodes: &Nodes, _: &Store<(), V>, row: u32) -> String {
        format!("{:?}", nodes.store::<K, V>(self.parent.handle().slot()).table.key(row))
    }

    fn rows_of(&self, _: &Nodes, _: &Store<(), V>, _: u32) -> Vec<(u32, Vec<Origin>)> {
        let source = self.parent.handle().slot();
        let last = self.order.last();
        let origin = last.map(|(.., row)| (*row, vec![Origin { source, place: Place::Keys, token: *row }]));
        origin.into_iter().collect()
    }
}

/// One value, computed from other collections.
pub(crate) struct Single<V, F> {
    pub(crate) function: F,
    pub(crate) output: std::marker::PhantomData<fn() -> V>,
}

impl<V, F> Rule for Single<V, F>
where
    V: PartialEq + Send + Sync + 'static,
    F: Fn(&Look<'_>) -> Option<V> + Send + Sync + 'static,
{
    type K = ();
    type V = V;
    type Out = Option<Arc<V>>;

    fn compute(&self, _: &Store<(), V>, _: u32, look: &Look<'_>) -> Self::Out {
        (self.function)(look).map(Arc::new)
    }

    fn same(&self, one: &Self::Out, other: &Self::Out) -> bool {
        same(one.as_ref(), other.as_ref())
    }

    fn commit(&mut self, _: &Nodes, store: &mut Store<(), V>, _: u32, out: Self::Out) {
        let slot = store.table.intern(&());
        store.put(slot, out);
    }

    fn attach(&self, _: &mut Nodes, _: u32) -> Vec<(u32, u32)> {
        vec![(0, 0)]
    }

    fn detach(&self, _: &mut Nodes, _: u32) {}

    fn row_text(&self, _: &Nodes, _: &Store<(), V>, _: u32) -> String {
        "()".to_owned()
    }

    fn rows_of(&self, _: &Nodes, _: &Store<(), V>, _: u32) -> Vec<(u32, Vec<Origin>)> {
        vec![(0, Vec::new())]
    }
}
