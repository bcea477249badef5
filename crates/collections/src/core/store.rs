//! [`Store`]: the entries of one collection, with everything that depends on them.

use std::any::Any;
use std::sync::Arc;

use super::failure::caught;
use super::index::AnyIndex;
use super::pending::Pending;
use super::reader::{Edge, Place, Reader, Readers};
use super::scratch::emptied;
use super::table::{Frozen, Table};
use super::wakes::{UNCHANGED, Wakes};
use crate::handles::IndexPlace;
use crate::signal::Signal;
use crate::{Key, LiveChange};

/// The entries of a collection, its indexes, its readers and its observers.
pub(crate) struct Store<K, V> {
    pub(crate) name: String,
    pub(crate) table: Table<K, V>,
    /// The changes of this epoch: at most one per slot once they are published.
    pub(crate) moved: Vec<Moved<V>>,
    /// Whether two values are equal for everybody who reads them.
    pub(crate) same: fn(&V, &V) -> bool,
    all: Readers,
    /// Nodes with a row for each slot.
    children: Vec<Child<V>>,
    indexes: Vec<Option<Box<dyn AnyIndex<K, V>>>>,
    /// The order of each of them.
    index_orders: Vec<u64>,
    next_index: u64,
    observers: Vec<Observing<K, V>>,
}

/// Whether two values of an input are the same for a node that reads it.
pub(crate) type Same<V> = Arc<dyn Fn(&V, &V) -> bool + Send + Sync>;

/// A node with a row for each slot.
struct Child<V> {
    node: u32,
    /// The tag that the node gave to this input.
    tag: u32,
    /// Changes between values that are the same for the node do not wake it.
    same: Option<Same<V>>,
}

impl<V> Child<V> {
    /// Whether the node need not know of a change. A comparison that panics decides nothing.
    fn ignores(&self, moved: &Moved<V>) -> bool {
        match (&self.same, &moved.old, &moved.new) {
            (Some(same), Some(old), Some(new)) => caught(|| same(old, new)).unwrap_or(false),
            _ => false,
        }
    }
}

/// An observer of the collection.
struct Observing<K, V> {
    id: u64,
    pending: Pending<K, V>,
    signal: Arc<Signal>,
}

/// The result of [`AnyStore::publish`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Published {
    /// The number of changes.
    pub(crate) changes: usize,
    /// Whether slots may be free at the end of the epoch.
    pub(crate) sweep: bool,
}

/// The output of a function: a value, or a shared one.
pub(crate) trait Output<V>: Send + 'static {
    fn value(&self) -> &V;

    /// Whether it is the value that is already there.
    fn is(&self, old: &Arc<V>) -> bool;

    fn into_shared(self) -> Arc<V>;
}

/// A value that is not shared yet.
pub(crate) struct Unshared<V>(pub(crate) V);

impl<V: PartialEq + Send + 'static> Output<V> for Unshared<V> {
    fn value(&self) -> &V {
        &self.0
    }

    fn is(&self, old: &Arc<V>) -> bool {
        self.0 == **old
    }

    fn into_shared(self) -> Arc<V> {
        Arc::new(self.0)
    }
}

impl<V: PartialEq + Send + Sync + 'static> Output<V> for Arc<V> {
    fn value(&self) -> &V {
        self
    }

    fn is(&self, old: &Arc<V>) -> bool {
        Arc::ptr_eq(self, old) || **self == **old
    }

    fn into_shared(self) -> Arc<V> {
        self
    }
}

/// A changed value.
#[derive(Debug)]
pub(crate) struct Moved<V> {
    pub(crate) slot: u32,
    pub(crate) old: Option<Arc<V>>,
    pub(crate) new: Option<Arc<V>>,
}

/// A store of any type, for edges and the end of an epoch.
pub(crate) trait AnyStore: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn name(&self) -> &str;
    fn len(&self) -> usize;
    fn edges(&self) -> usize;
    /// Returns for how many entries the function of an index has panicked.
    fn failed(&self) -> usize;
    fn resolve(&mut self, place: Place, read: Box<dyn Any + Send + Sync>) -> u32;
    fn link(&mut self, edge: Edge, reader: Reader);
    fn unlink(&mut self, edge: Edge, reader: Reader);
    fn remove_child(&mut self, node: u32);
    fn add_group(&mut self, index: u16, node: u32);
    fn remove_group(&mut self, index: u16, node: u32);
    fn remove_index(&mut self, index: u16);
    fn remove_observer(&mut self, id: u64);
    /// Brings the changes of this epoch to indexes and observers, and wakes what depends on them.
    fn publish(&mut self, wakes: &mut Wakes) -> Published;
    /// Frees slots that nothing uses. The epoch is over.
    fn sweep(&mut self);
    /// Returns the part that snapshots read.
    fn freeze(&mut self) -> Arc<dyn Any + Send + Sync>;
    /// Returns the text of a slot's key.
    fn key_text(&self, slot: u32) -> String;
    /// Returns the text of a thing that was read, and the slots that the read found.
    fn describe(&self, place: Place, token: u32) -> (String, Vec<u32>);
}

/// The part of a store that snapshots share.
pub(crate) struct FrozenStore<K, V> {
    pub(crate) table: Frozen<K, V>,
    /// By number, each with its order.
    indexes: Vec<(u64, Option<Arc<dyn Any + Send + Sync>>)>,
}

impl<K, V> FrozenStore<K, V> {
    /// Returns an index; `None` if it was added later, or is not part of snapshots.
    pub(crate) fn index(&self, place: IndexPlace) -> Option<&(dyn Any + Send + Sync)> {
        let (order, index) = self.indexes.get(usize::from(place.number))?;
        // Another index may have had the number before.
        if *order == place.order { index.as_deref() } else { None }
    }
}

impl<K: Key, V: Send + Sync + 'static> Store<K, V> {
    pub(crate) fn new(name: String, same: fn(&V, &V) -> bool) -> Self {
        Self {
            name,
            table: Table::default(),
            moved: Vec::new(),
            same,
            all: Readers::default(),
            children: Vec::new(),
            indexes: Vec::new(),
            index_orders: Vec::new(),
            next_index: 0,
            observers: Vec::new(),
        }
    }

    /// Adds a node with a row for each slot.
    pub(crate) fn add_child(&mut self, node: u32, tag: u32, same: Option<Same<V>>) {
        self.children.push(Child { node, tag, same });
    }

    /// Sets or removes a value, unless it is the same.
    pub(crate) fn put(&mut self, slot: u32, new: Option<Arc<V>>) {
        match (self.table.value(slot), &new) {
            (None, None) => return,
            (Some(old), Some(new)) if Arc::ptr_eq(old, new) || (self.same)(old, new) => return,
            _ => {}
        }
        let old = self.table.set(slot, new.clone());
        self.moved.push(Moved { slot, old, new });
    }

    /// Sets or removes the output of a function, unless it is the same. An output that is the same is not allocated.
    pub(crate) fn put_output<O: Output<V>>(&mut self, slot: u32, new: Option<O>)
    where
        V: PartialEq,
    {
        let new = match (self.table.value(slot), new) {
            (None, None) => return,
            (Some(old), Some(new)) if new.is(old) => return,
            (_, new) => new.map(Output::into_shared),
        };
        let old = self.table.set(slot, new.clone());
        self.moved.push(Moved { slot, old, new });
    }

    /// Merges several changes of one slot in one epoch.
    pub(crate) fn merge(&mut self) {
        if self.moved.len() < 2 {
            return;
        }
        // The sort is stable: the changes of a slot stay in their order.
        self.moved.sort_by_key(|moved| moved.slot);
        self.moved.dedup_by(|later, first| {
            let merged = later.slot == first.slot;
            if merged {
                first.new = later.new.take();
            }
            merged
        });
        let same = self.same;
        self.moved.retain(|moved| match (&moved.old, &moved.new) {
            (Some(old), Some(new)) => !Arc::ptr_eq(old, new) && !same(old, new),
            (None, None) => false,
            _ => true,
        });
    }

    pub(crate) fn index(&self, number: u16) -> Option<&dyn AnyIndex<K, V>> {
        self.indexes.get(usize::from(number))?.as_deref()
    }

    /// Adds an index of all entries and returns its place.
    pub(crate) fn add_index(&mut self, mut index: Box<dyn AnyIndex<K, V>>) -> IndexPlace {
        let mut unread = Wakes::default();
        for (slot, _, value) in self.table.iter() {
            index.update(&self.table, slot, Some(value), &mut unread);
        }
        let free = self.indexes.iter().position(Option::is_none);
        let number = free.unwrap_or_else(|| {
            self.indexes.push(None);
            self.index_orders.push(0);
            self.indexes.len() - 1
        });
        let order = self.next_index;
        self.next_index += 1;
        self.indexes[number] = Some(index);
        self.index_orders[number] = order;
        let number = u16::try_from(number).expect("a collection has fewer than 65,536 indexes at a time");
        IndexPlace { number, order }
    }

    pub(crate) fn observe(&mut self, id: u64, signal: Arc<Signal>) {
        let pending = Pending::everything(&self.table);
        if !pending.is_empty() {
            signal.raise();
        }
        self.observers.push(Observing { id, pending, signal });
    }

    /// Takes the changes that an observer has not seen; `None` if there are none.
    pub(crate) fn take(&mut self, id: u64) -> Option<Vec<LiveChange<K, V>>> {
        let observer = self.observers.iter_mut().find(|observer| observer.id == id)?;
        observer.signal.lower();
        if observer.pending.is_empty() {
            return None;
        }
        let changes = observer.pending.take(&self.table, self.same);
        (!changes.is_empty()).then_some(changes)
    }

    fn any_index(&mut self, number: u16) -> Option<&mut Box<dyn AnyIndex<K, V>>> {
        self.indexes.get_mut(usize::from(number))?.as_mut()
    }
}

impl<K: Key, V: Send + Sync + 'static> AnyStore for Store<K, V> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn edges(&self) -> usize {
        self.table.edges()
            + self.all.len()
            + self.indexes.iter().flatten().map(|index| index.edges()).sum::<usize>()
    }

    fn failed(&self) -> usize {
        self.indexes.iter().flatten().map(|index| index.failed()).sum()
    }

    fn resolve(&mut self, place: Place, read: Box<dyn Any + Send + Sync>) -> u32 {
        match place {
            Place::All => 0,
            Place::Keys => {
                self.table.intern(read.downcast_ref::<K>().expect("a key of this collection was read"))
            }
            Place::Index(number) => {
                self.any_index(number).expect("a reader keeps the index that it reads").resolve(read)
            }
        }
    }

    fn link(&mut self, edge: Edge, reader: Reader) {
        match edge.place {
            Place::All => self.all.add(reader),
            Place::Keys => self.table.link(edge.token, reader),
            Place::Index(number) => {
                if let Some(index) = self.any_index(number) {
                    index.link(edge.token, reader);
                }
            }
        }
    }

    fn unlink(&mut self, edge: Edge, reader: Reader) {
        match edge.place {
            Place::All => {
                self.all.remove(reader);
            }
            Place::Keys => self.table.unlink(edge.token, reader),
            Place::Index(number) => {
                if let Some(index) = self.any_index(number) {
                    index.unlink(edge.token, reader);
                }
            }
        }
    }

    fn remove_child(&mut self, node: u32) {
        self.children.retain(|child| child.node != node);
    }

    fn add_group(&mut self, index: u16, node: u32) {
        if let Some(index) = self.any_index(index) {
            index.add_group(node);
        }
    }

    fn remove_group(&mut self, index: u16, node: u32) {
        if let Some(index) = self.any_index(index) {
            index.remove_group(node);
        }
    }

    fn remove_index(&mut self, index: u16) {
        if let Some(index) = self.indexes.get_mut(usize::from(index)) {
            *index = None;
        }
    }

    fn remove_observer(&mut self, id: u64) {
        self.observers.retain(|observer| observer.id != id);
    }

    fn publish(&mut self, wakes: &mut Wakes) -> Published {
        let moved = std::mem::take(&mut self.moved);
        let is_read = self.table.edges() > 0;
        for change in &moved {
            let Moved { slot, new, .. } = change;
            if is_read {
                wakes.readers(self.table.readers(*slot));
            }
            for child in &self.children {
                let ignores = child.ignores(change);
                // A debug build wakes the node nevertheless, to check that the comparison is right.
                if !ignores || cfg!(debug_assertions) {
                    wakes.row(child.node, child.tag | if ignores { UNCHANGED } else { 0 }, *slot);
                }
            }
            for index in self.indexes.iter_mut().flatten() {
                index.update(&self.table, *slot, new.as_deref(), wakes);
            }
        }
        if !moved.is_empty() {
            wakes.readers(&self.all);
        }
        if !moved.is_empty() {
            for observer in &mut self.observers {
                let first = observer.pending.is_empty();
                observer.pending.add(&self.table, &moved);
                if first {
                    observer.signal.raise();
                }
            }
        }
        let changes = moved.len();
        self.moved = emptied(moved);
        Published { changes, sweep: self.table.is_idle() || changes > 0 && !self.indexes.is_empty() }
    }

    fn sweep(&mut self) {
        if self.table.is_idle() {
            self.table.sweep();
        }
        for index in self.indexes.iter_mut().flatten() {
            index.sweep();
        }
    }

    fn freeze(&mut self) -> Arc<dyn Any + Send + Sync> {
        let indexes = self.indexes.iter_mut().map(|index| index.as_mut().and_then(|index| index.freeze()));
        let indexes = self.index_orders.iter().copied().zip(indexes).collect();
        Arc::new(FrozenStore { table: self.table.freeze(), indexes })
    }

    fn key_text(&self, slot: u32) -> String {
        format!("{:?}", self.table.key(slot))
    }

    fn describe(&self, place: Place, token: u32) -> (String, Vec<u32>) {
        match place {
            Place::All => ("everything".to_owned(), self.table.iter().map(|(slot, ..)| slot).collect()),
            Place::Keys => {
                let text = format!("key {:?}", self.table.key(token));
                (text, self.table.value(token).map(|_| token).into_iter().collect())
            }
            Place::Index(number) => self
                .index(number)
                .map(|index| (index.describe(token), index.members(token)))
                .unwrap_or_default(),
        }
    }
}
