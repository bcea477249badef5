//! [`Look`]: how a function reads other collections.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use super::index::{KeyIndex, LabelIndex, SelectorIndex};
use super::node::{Identity, Nodes};
use super::reader::{Edge, Place};
use super::store::Store;
use crate::handles::Handle;
use crate::labels::{LabelSet, Selection};
use crate::{ByLabels, BySelector, Key, LiveIndex, LiveSet};

/// The only way for a function to read other collections. It notes each read, and the function is computed again
/// when the answer of one of them may have changed.
///
/// Everything that is read has the state of the same epoch. Lists are in the order of keys.
///
/// ```
/// use client_rs_collections::Graph;
///
/// let graph = Graph::new();
/// let teams = graph.constant("teams", [("shop", "blue"), ("bank", "red")]);
/// let pods = graph.constant("pods", [("web", "shop"), ("db", "lab")]);
/// let owners = graph.map("owners", &pods, move |_, namespace, look| {
///     // That `lab` is absent is noted too: a team that is added later is found.
///     look.get(&teams, namespace).map_or("nobody", |team| **team)
/// });
/// let now = graph.snapshot();
/// assert_eq!(now.get(&owners, &"web").as_deref(), Some(&"blue"));
/// assert_eq!(now.get(&owners, &"db").as_deref(), Some(&"nobody"));
/// ```
pub struct Look<'a> {
    nodes: &'a Nodes,
    me: Identity,
    /// The things that the row read when it was last computed. Most rows read the same again.
    last: &'a [Edge],
    reads: RefCell<Reads>,
}

/// Of more reads than this, none is looked for among the last ones.
const FEW_READS: usize = 4;

/// The reads of one computation.
#[derive(Default)]
pub(crate) struct Reads {
    pub(crate) list: Vec<Read>,
    pub(crate) guards: Vec<Guard>,
}

/// Whether a part of an entry is still what it was.
pub(crate) type Guard = Box<dyn Fn(&Nodes) -> bool + Send + Sync>;

pub(crate) enum Read {
    /// Of something with a token.
    Known(Edge),
    /// Of something that has none yet: an absent key, a new selector. The token of the edge is not set.
    Unknown(Edge, Box<dyn Any + Send + Sync>),
}

thread_local! {
    /// Whether a function of a graph runs on this thread.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// Whether such a function has used its graph in a way that is not allowed.
    static MISUSED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a function has misused its graph since the last call.
pub(crate) fn take_misuse() -> bool {
    MISUSED.replace(false)
}

/// Panics with a message if a function breaks a rule of the graph.
#[track_caller]
fn require(holds: bool, rule: &str) {
    if !holds {
        MISUSED.set(true);
        panic!("{rule}");
    }
}

/// Runs `function` as a function of a graph: other reads of the graph are refused meanwhile.
pub(crate) fn inside<R>(function: impl FnOnce() -> R) -> R {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            INSIDE.set(self.0);
        }
    }
    let _reset = Reset(INSIDE.replace(true));
    function()
}

/// Panics if a function of a graph runs on this thread: it reads past its `Look`.
#[track_caller]
pub(crate) fn check_outside() {
    require(
        !INSIDE.get(),
        "a function of a derived collection uses its graph: read other collections only through `Look`",
    );
}

impl<'a> Look<'a> {
    pub(crate) fn new(nodes: &'a Nodes, me: Identity, last: &'a [Edge], reads: Reads) -> Self {
        Self { nodes, me, last, reads: RefCell::new(reads) }
    }

    /// Returns a token that the row has read before and that passes `is`: it is found without a hash.
    fn again(&self, source: &Handle, place: Place, is: impl Fn(u32) -> bool) -> Option<u32> {
        let last = if self.last.len() > FEW_READS { &[] } else { self.last };
        let mut tokens = last.iter().filter(|edge| edge.source == source.slot() && edge.place == place);
        tokens.find(|edge| is(edge.token)).map(|edge| edge.token)
    }

    pub(crate) fn into_reads(self) -> Reads {
        self.reads.into_inner()
    }

    pub(crate) fn nodes(&self) -> &'a Nodes {
        self.nodes
    }

    /// Returns the entry of a key.
    pub fn get<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>, key: &K) -> Option<&'a Arc<V>> {
        let store = self.store(set);
        let again = self.again(set.handle(), Place::Keys, |slot| store.table.is(slot, key));
        let slot = again.or_else(|| store.table.find(key));
        self.note_key(set.handle(), slot, key, false);
        store.table.value(slot?)
    }

    /// Returns a part of the entry of a key. The function is computed again only when that part changes, not when
    /// the rest of the entry does.
    ///
    /// `part` must return all that the caller uses. It must be pure.
    pub fn part<K: Key, V: Send + Sync + 'static, T: PartialEq + Clone + Send + Sync + 'static>(
        &self,
        set: &LiveSet<K, V>,
        key: &K,
        part: impl Fn(&V) -> T + Send + Sync + 'static,
    ) -> Option<T> {
        let store = self.store(set);
        let again = self.again(set.handle(), Place::Keys, |slot| store.table.is(slot, key));
        let slot = again.or_else(|| store.table.find(key));
        self.note_key(set.handle(), slot, key, true);
        // If `part` panics, any change of the entry is a reason to try again.
        self.reads.borrow_mut().guards.push(Box::new(|_| false));
        let found = slot.and_then(|slot| store.table.value(slot)).map(|value| part(value));
        let (source, key, seen) = (set.handle().slot(), key.clone(), found.clone());
        let holds = move |nodes: &Nodes| {
            let now = nodes.store::<K, V>(source).table.get(&key).map(|value| part(value));
            now == seen
        };
        if let Some(guard) = self.reads.borrow_mut().guards.last_mut() {
            *guard = Box::new(holds);
        }
        found
    }

    /// Returns the value of a collection that has one entry at most.
    pub fn single<V: Send + Sync + 'static>(&self, set: &LiveSet<(), V>) -> Option<&'a Arc<V>> {
        self.get(set, &())
    }

    /// Returns all entries. The function is computed again after any change of the collection.
    pub fn all<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>) -> Vec<(&'a K, &'a Arc<V>)> {
        let store = self.store(set);
        let edge = Edge { source: set.handle().slot(), place: Place::All, token: 0, guarded: false };
        self.reads.borrow_mut().list.push(Read::Known(edge));
        let mut entries: Vec<_> = store.table.iter().map(|(_, key, value)| (key, value)).collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries
    }

    /// Returns the entries with a value of an index.
    pub fn indexed<K: Key, V: Send + Sync + 'static, I: Key>(
        &self,
        index: &LiveIndex<K, V, I>,
        value: &I,
    ) -> impl ExactSizeIterator<Item = (&'a K, &'a Arc<V>)> + use<'a, K, V, I> {
        let store = self.store(&index.set);
        let found = index_of::<K, V, KeyIndex<K, V, I>>(store, index.number());
        let (source, place) = (index.set.handle(), Place::Index(index.number()));
        let again = self.again(source, place, |token| found.values.is(token, value));
        let token = again.or_else(|| found.values.find(value));
        self.note(source, place, token, || Box::new(value.clone()));
        let slots = token.and_then(|token| found.values.value(token)).map_or(&[][..], |slots| &slots[..]);
        slots.iter().map(|slot| entry(store, *slot))
    }

    /// Returns the entries whose labels a selector selects.
    pub fn selected<K: Key, V: Send + Sync + 'static>(
        &self,
        index: &ByLabels<K, V>,
        selection: &Selection,
    ) -> Vec<(&'a K, &'a Arc<V>)> {
        let store = self.store(&index.set);
        let found = index_of::<K, V, LabelIndex<K, V>>(store, index.number());
        let (source, place) = (index.set.handle(), Place::Index(index.number()));
        let again = self.again(source, place, |token| found.reads.get(token) == Some(selection));
        let token = again.or_else(|| found.reads.find(selection));
        self.note(source, place, token, || Box::new(selection.clone()));
        let mut entries = Vec::new();
        found.matching(selection, |slot| entries.push(entry(store, slot)));
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries
    }

    /// Returns the entries whose selector selects the labels.
    pub fn selecting<K: Key, V: Send + Sync + 'static>(
        &self,
        index: &BySelector<K, V>,
        labels: &LabelSet,
    ) -> Vec<(&'a K, &'a Arc<V>)> {
        let store = self.store(&index.set);
        let found = index_of::<K, V, SelectorIndex<K, V>>(store, index.number());
        let (source, place) = (index.set.handle(), Place::Index(index.number()));
        let again = self.again(source, place, |token| found.reads.get(token) == Some(labels));
        let token = again.or_else(|| found.reads.find(labels));
        self.note(source, place, token, || Box::new(labels.clone()));
        let mut entries = Vec::new();
        found.matching(labels, |slot| entries.push(entry(store, slot)));
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries
    }

    /// Returns the store of a collection, which must be older than the function.
    fn store<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>) -> &'a Store<K, V> {
        let handle = set.handle();
        require(handle.graph() == self.me.graph, "a function can read only collections of its own graph");
        require(
            handle.order() < self.me.order,
            "a function can read only collections that are older than its own",
        );
        self.nodes.store(handle.slot())
    }

    fn note_key<K: Key>(&self, source: &Handle, slot: Option<u32>, key: &K, guarded: bool) {
        let edge =
            Edge { source: source.slot(), place: Place::Keys, token: slot.unwrap_or_default(), guarded };
        let read = match slot {
            Some(_) => Read::Known(edge),
            None => Read::Unknown(edge, Box::new(key.clone())),
        };
        self.reads.borrow_mut().list.push(read);
    }

    fn note(
        &self,
        source: &Handle,
        place: Place,
        token: Option<u32>,
        read: impl FnOnce() -> Box<dyn Any + Send + Sync>,
    ) {
        let edge = Edge { source: source.slot(), place, token: token.unwrap_or_default(), guarded: false };
        let read = if token.is_some() { Read::Known(edge) } else { Read::Unknown(edge, read()) };
        self.reads.borrow_mut().list.push(read);
    }
}

fn index_of<K: Key, V: Send + Sync + 'static, X: 'static>(store: &Store<K, V>, number: u16) -> &X {
    let index = store.index(number).expect("a handle keeps its index");
    index.as_any().downcast_ref().expect("a handle has the types of its index")
}

fn entry<K: Key, V: Send + Sync + 'static>(store: &Store<K, V>, slot: u32) -> (&K, &Arc<V>) {
    (store.table.key(slot), store.table.value(slot).expect("an index has only entries with a value"))
}

impl fmt::Debug for Look<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Look").field("reads", &self.reads.borrow().list.len()).finish_non_exhaustive()
    }
}
