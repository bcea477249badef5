//! [`Graph`]: collections, and the epochs in which they advance together.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, Weak};

use client_rs_cache::BoxFuture;
use tokio::sync::watch;

use crate::core::derived::{Derived, Rule};
use crate::core::engine::Engine;
use crate::core::index::{KeyIndex, LabelIndex, SelectorIndex};
use crate::core::input::InputNode;
use crate::core::look::{Look, check_outside};
use crate::core::node::Node;
use crate::core::rules::{FlatMap, Group, Latest, Map, Members, Single, Union};
use crate::core::store::{Output, Same, Store, Unshared};
use crate::handles::{Ended, Garbage, Handle, Place};
use crate::input::{AnyInbox, Bell, Inbox};
use crate::signal::Signal;
use crate::sync::{AtomicBool, Mutex, MutexGuard};
use crate::{
    Batch, ByLabels, BySelector, Input, Key, LabelSet, LiveIndex, LiveSet, LiveSnapshot, Observer, Selection,
};

/// Collections that are derived from each other, and the epochs in which they advance together. Clones are the same
/// graph.
///
/// The crate's page has an example and the promises. Methods lock the graph while an epoch is computed; reads of a
/// [`LiveSnapshot`] take no lock.
#[derive(Clone)]
pub struct Graph {
    pub(crate) shared: Arc<Shared>,
}

/// The part of a graph that its clones, observers and tasks share.
pub(crate) struct Shared {
    id: u64,
    engine: Mutex<Engine>,
    /// The thread that changes inputs now, with the engine locked; 0 for none.
    updating: AtomicUsize,
    garbage: Arc<Garbage>,
    pub(crate) bell: Arc<Bell>,
    inboxes: Mutex<Vec<Weak<dyn AnyInbox>>>,
    /// Futures that end when an informer has synced, until the graph runs.
    pub(crate) joining: Mutex<Vec<BoxFuture<'static, ()>>>,
    /// The number of inputs whose first content is still to come.
    unsynced: Arc<watch::Sender<usize>>,
    /// Whether inputs note the versions of their informers.
    pub(crate) notes: Arc<AtomicBool>,
    /// Whether its task takes nothing.
    pub(crate) held: AtomicBool,
}

/// The part of a reduction that a key belongs to: the same in every process.
fn part_of(key: &impl std::hash::Hash) -> u8 {
    use std::hash::Hasher as _;
    let mut hasher = std::hash::DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish().to_le_bytes()[0]
}

static GRAPHS: AtomicU64 = AtomicU64::new(0);

impl Graph {
    /// Creates an empty graph.
    pub fn new() -> Self {
        let id = GRAPHS.fetch_add(1, Ordering::Relaxed);
        Self {
            shared: Arc::new(Shared {
                id,
                engine: Mutex::new(Engine::new(id)),
                updating: AtomicUsize::new(0),
                garbage: Arc::default(),
                bell: Arc::default(),
                inboxes: Mutex::default(),
                joining: Mutex::default(),
                unsynced: Arc::new(watch::Sender::new(0)),
                notes: Arc::new(AtomicBool::new(false)),
                held: AtomicBool::new(false),
            }),
        }
    }

    /// Adds a collection that the program writes.
    pub fn input<K: Key, V: Send + Sync + 'static>(&self, name: impl Into<String>) -> Input<K, V> {
        let set = self.add(Box::new(InputNode::<K, V>::new(name.into(), |_, _| false)));
        let inbox = Arc::new(Inbox::new(LiveSet::<K, V>::handle(&set).place(), self.shared.bell.clone()));
        let weak: Weak<Inbox<K, V>> = Arc::downgrade(&inbox);
        self.shared.inboxes().push(weak);
        Input::new(set, inbox)
    }

    /// Adds a collection that does not change.
    pub fn constant<K: Key, V: Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> LiveSet<K, V> {
        let mut node = InputNode::<K, V>::new(name.into(), |_, _| false);
        node.replace(entries.into_iter().map(|(key, value)| (key, Arc::new(value))).collect());
        self.add(Box::new(node))
    }

    /// Derives a collection with one value for each entry.
    pub fn map<K: Key, P: Send + Sync + 'static, V: PartialEq + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        function: impl Fn(&K, &Arc<P>, &Look<'_>) -> V + Send + Sync + 'static,
    ) -> LiveSet<K, V> {
        self.map_to(name, of, move |key, value, look| Some(Unshared(function(key, value, look))))
    }

    /// Derives a collection with one value for each entry. A change of an entry is ignored if `same` returns true for its
    /// old and its new value, so that changes that do not matter (of a status, say) cost one comparison and nothing more.
    ///
    /// `same` compares all that the function uses of the value. If it returns true for values with different outputs, the
    /// collection keeps an old output; debug builds find that, and panic.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// struct Pod { address: &'static str, restarts: u32 }
    ///
    /// let graph = Graph::new();
    /// let pods = graph.input::<&str, Pod>("pods");
    /// let same = |old: &Pod, new: &Pod| old.address == new.address;
    /// let addresses = graph.map_unless_same("addresses", &pods, same, |_, pod, _| pod.address);
    /// graph.update(|batch| batch.insert(&pods, "web", Pod { address: "10.0.0.1", restarts: 0 }));
    /// graph.update(|batch| batch.insert(&pods, "web", Pod { address: "10.0.0.1", restarts: 1 }));
    /// assert_eq!(graph.get(&pods, &"web").unwrap().restarts, 1);
    /// assert_eq!(*graph.get(&addresses, &"web").unwrap(), "10.0.0.1");
    /// ```
    pub fn map_unless_same<K: Key, P: Send + Sync + 'static, V: PartialEq + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        same: impl Fn(&P, &P) -> bool + Send + Sync + 'static,
        function: impl Fn(&K, &Arc<P>, &Look<'_>) -> V + Send + Sync + 'static,
    ) -> LiveSet<K, V> {
        let function =
            move |key: &K, value: &Arc<P>, look: &Look<'_>| Some(Unshared(function(key, value, look)));
        self.map_some(name, of, Some(Arc::new(same)), function)
    }

    /// Derives a collection with one value for each entry, or none.
    pub fn filter_map<K: Key, P: Send + Sync + 'static, V: PartialEq + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        function: impl Fn(&K, &Arc<P>, &Look<'_>) -> Option<V> + Send + Sync + 'static,
    ) -> LiveSet<K, V> {
        self.map_to(name, of, move |key, value, look| function(key, value, look).map(Unshared))
    }

    /// Derives a collection with one shared value for each entry, or none. A function that returns a part of its
    /// input as it is returns the same `Arc`, and copies nothing.
    pub fn derive<K: Key, P: Send + Sync + 'static, V: PartialEq + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        function: impl Fn(&K, &Arc<P>, &Look<'_>) -> Option<Arc<V>> + Send + Sync + 'static,
    ) -> LiveSet<K, V> {
        self.map_to(name, of, function)
    }

    fn map_to<K: Key, P: Send + Sync + 'static, V: PartialEq + Send + Sync + 'static, O: Output<V>>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        function: impl Fn(&K, &Arc<P>, &Look<'_>) -> Option<O> + Send + Sync + 'static,
    ) -> LiveSet<K, V> {
        self.map_some(name, of, None, function)
    }

    fn map_some<K: Key, P: Send + Sync + 'static, V: PartialEq + Send + Sync + 'static, O: Output<V>>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        same: Option<Same<P>>,
        function: impl Fn(&K, &Arc<P>, &Look<'_>) -> Option<O> + Send + Sync + 'static,
    ) -> LiveSet<K, V> {
        self.own(of);
        let output = std::marker::PhantomData;
        let rule = Map { parent: of.clone(), function, same, slots: Vec::new(), rows: Vec::new(), output };
        self.add_derived(name, rule, |one, other| one == other)
    }

    /// Derives a collection of the entries that pass a filter. The values are shared.
    pub fn filter<K: Key, V: PartialEq + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, V>,
        filter: impl Fn(&K, &V, &Look<'_>) -> bool + Send + Sync + 'static,
    ) -> LiveSet<K, V> {
        self.derive(name, of, move |key, value, look| filter(key, value, look).then(|| value.clone()))
    }

    /// Derives a collection with any number of values for each entry, under keys of their own. If two entries have
    /// an output of the same key, that of the entry with the lower key counts.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// let graph = Graph::new();
    /// let pods = graph.constant("pods", [("web", vec![80, 443]), ("db", vec![5432])]);
    /// let ports = graph.flat_map("ports", &pods, |pod, ports, _| {
    ///     let pod = *pod;
    ///     ports.iter().map(|port| (*port, pod)).collect::<Vec<_>>()
    /// });
    /// assert_eq!(graph.get(&ports, &443).as_deref(), Some(&"web"));
    /// ```
    pub fn flat_map<K, P, L, V, I>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        function: impl Fn(&K, &Arc<P>, &Look<'_>) -> I + Send + Sync + 'static,
    ) -> LiveSet<L, V>
    where
        K: Key,
        P: Send + Sync + 'static,
        L: Key,
        V: PartialEq + Send + Sync + 'static,
        I: IntoIterator<Item = (L, V)> + 'static,
    {
        self.own(of);
        self.add_derived(name, FlatMap::new(of.clone(), function), |one, other| one == other)
    }

    /// Derives a collection with one value for each value of an index, from all entries that have it.
    pub fn group<K, P, I, V>(
        &self,
        name: impl Into<String>,
        of: &LiveIndex<K, P, I>,
        function: impl Fn(&I, &Members<'_, K, P>, &Look<'_>) -> Option<V> + Send + Sync + 'static,
    ) -> LiveSet<I, V>
    where
        K: Key,
        P: Send + Sync + 'static,
        I: Key,
        V: PartialEq + Send + Sync + 'static,
    {
        self.own(&of.set);
        let output = std::marker::PhantomData;
        let rule = Group { index: of.clone(), function, slots: Vec::new(), rows: Vec::new(), output };
        self.add_derived(name, rule, |one, other| one == other)
    }

    /// Derives one value from all entries: each becomes a value by `map`, and `combine` makes one of two. It is empty if the collection is. To
    /// reduce groups, use [`group`](Self::group).
    ///
    /// `combine` must be associative and commutative: the values are combined in any order. The entries are combined in parts by a hash of
    /// their keys, so that a change of one entry costs a 256th of the entries, and 256.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// let graph = Graph::new();
    /// let pods = graph.input::<&str, u64>("memory of pods");
    /// let total = graph.reduce("memory", &pods, |_, bytes| *bytes, |one, other| one + other);
    /// graph.update(|batch| {
    ///     batch.insert(&pods, "web", 64);
    ///     batch.insert(&pods, "db", 256);
    /// });
    /// assert_eq!(graph.get(&total, &()).as_deref(), Some(&320));
    /// ```
    pub fn reduce<K: Key, P: Send + Sync + 'static, V: PartialEq + Clone + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, P>,
        map: impl Fn(&K, &P) -> V + Send + Sync + 'static,
        combine: impl Fn(&V, &V) -> V + Send + Sync + 'static,
    ) -> LiveSet<(), V> {
        let name = name.into();
        let combine = Arc::new(combine);
        let parts = self.index(of, |key, _| [part_of(key)]);
        let of_part = Arc::clone(&combine);
        let partial = self.group(format!("{name}, in parts"), &parts, move |_: &u8, entries, _| {
            let values = entries.iter().map(|(key, value)| map(key, value));
            values.reduce(|one, other| of_part(&one, &other))
        });
        self.single(name, move |look| {
            let values = look.all(&partial).into_iter().map(|(_, value)| V::clone(value));
            values.reduce(|one, other| combine(&one, &other))
        })
    }

    /// Derives a collection of the entries of several. For a key that several have, the first of them counts.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// let graph = Graph::new();
    /// let set = graph.input::<&str, u32>("set by users");
    /// let defaults = graph.constant("defaults", [("replicas", 1), ("port", 80)]);
    /// let settings = graph.union("settings", [set.live(), &defaults]);
    /// graph.update(|batch| batch.insert(&set, "replicas", 3));
    /// assert_eq!(graph.get(&settings, &"replicas").as_deref(), Some(&3));
    /// graph.update(|batch| batch.remove(&set, &"replicas"));
    /// assert_eq!(graph.get(&settings, &"replicas").as_deref(), Some(&1));
    /// ```
    pub fn union<'a, K: Key, V: Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: impl IntoIterator<Item = &'a LiveSet<K, V>>,
    ) -> LiveSet<K, V> {
        let parents: Vec<_> = of.into_iter().inspect(|set| self.own(set)).cloned().collect();
        self.add_derived(name, Union { parents }, |_, _| false)
    }

    /// Derives a collection with the one entry that has the highest rank; of several, that with the highest key.
    /// Read it with [`Look::single`].
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// let graph = Graph::new();
    /// let files = graph.input::<&str, u64>("configuration files by their generation");
    /// let current = graph.latest("current", &files, |_, generation| *generation);
    /// graph.update(|batch| {
    ///     batch.insert(&files, "a", 7);
    ///     batch.insert(&files, "b", 9);
    /// });
    /// assert_eq!(graph.get(&current, &()).as_deref(), Some(&9));
    /// graph.update(|batch| batch.remove(&files, &"b"));
    /// assert_eq!(graph.get(&current, &()).as_deref(), Some(&7));
    /// ```
    pub fn latest<K: Key, V: Send + Sync + 'static, T: Ord + Clone + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        of: &LiveSet<K, V>,
        rank: impl Fn(&K, &V) -> T + Send + Sync + 'static,
    ) -> LiveSet<(), V> {
        self.own(of);
        self.add_derived(name, Latest::new(of.clone(), rank), |_, _| false)
    }

    /// Derives one value from other collections, or none.
    pub fn single<V: PartialEq + Send + Sync + 'static>(
        &self,
        name: impl Into<String>,
        function: impl Fn(&Look<'_>) -> Option<V> + Send + Sync + 'static,
    ) -> LiveSet<(), V> {
        self.add_derived(name, Single { function, output: std::marker::PhantomData }, |one, other| {
            one == other
        })
    }

    /// Adds an index: entries by the values that `values` returns for them, an `Option`, an array or a list.
    pub fn index<K: Key, V: Send + Sync + 'static, I: Key, T: IntoIterator<Item = I>>(
        &self,
        of: &LiveSet<K, V>,
        values: impl Fn(&K, &V) -> T + Send + Sync + 'static,
    ) -> LiveIndex<K, V, I> {
        self.own(of);
        let extract = move |key: &K, value: &V, into: &mut Vec<I>| into.extend(values(key, value));
        let index = KeyIndex::new(Box::new(extract));
        let place = self.lock().nodes.store_mut::<K, V>(of.handle().slot()).add_index(Box::new(index));
        LiveIndex::new(of.clone(), place)
    }

    /// Adds an index of the entries by their labels, for [`Look::selected`].
    pub fn index_labels<K: Key, V: Send + Sync + 'static>(
        &self,
        of: &LiveSet<K, V>,
        labels: impl Fn(&K, &V) -> LabelSet + Send + Sync + 'static,
    ) -> ByLabels<K, V> {
        self.own(of);
        let index = LabelIndex::new(Box::new(move |key, value| Some(labels(key, value))));
        let place = self.lock().nodes.store_mut::<K, V>(of.handle().slot()).add_index(Box::new(index));
        ByLabels::new(of.clone(), place)
    }

    /// Adds an index of the entries by their label selector, for [`Look::selecting`]. An entry without a selector
    /// is never found.
    pub fn index_selectors<K: Key, V: Send + Sync + 'static>(
        &self,
        of: &LiveSet<K, V>,
        selector: impl Fn(&K, &V) -> Option<Selection> + Send + Sync + 'static,
    ) -> BySelector<K, V> {
        self.own(of);
        let index = SelectorIndex::new(Box::new(selector));
        let place = self.lock().nodes.store_mut::<K, V>(of.handle().slot()).add_index(Box::new(index));
        BySelector::new(of.clone(), place)
    }

    /// Changes inputs, as one epoch. It also takes what waits in the inboxes. Returns the epoch, which is the last
    /// one if nothing has changed.
    ///
    /// `changes` is called with the graph locked: it must not wait for something that uses the graph.
    ///
    /// # Panics
    ///
    /// If `changes` panics, with its panic: then none of its changes takes effect, and the graph remains usable. `changes` must not use the
    /// graph except through its batch; that panics, too.
    pub fn update(&self, changes: impl FnOnce(&mut Batch<'_>)) -> u64 {
        let mut engine = self.lock();
        let drained = self.shared.drain(&mut engine);
        let updating = Updating::new(&self.shared.updating);
        let mut batch = Batch { engine: &mut engine, graph: self.shared.id };
        let outcome = catch_unwind(AssertUnwindSafe(|| changes(&mut batch)));
        if outcome.is_err() {
            engine.discard();
        }
        drop(updating);
        let epoch = Shared::advance(&mut engine, &drained);
        // A panic that continues with the lock would make the graph unusable.
        drop(engine);
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
        epoch
    }

    /// Takes what waits in the inboxes, as one epoch. Returns the epoch.
    pub fn flush(&self) -> u64 {
        self.shared.flush()
    }

    /// Returns the last epoch.
    pub fn epoch(&self) -> u64 {
        self.lock().epoch
    }

    /// Returns the current value of a key. Several reads may be of different epochs: use a
    /// [snapshot](Self::snapshot) for more than one.
    pub fn get<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>, key: &K) -> Option<Arc<V>> {
        self.own(set);
        self.lock().nodes.store::<K, V>(set.handle().slot()).table.get(key).cloned()
    }

    /// Returns all collections as they are now, at one epoch. It waits for an epoch that is being computed; reads of
    /// the snapshot take no lock. A snapshot shares everything that has not changed since.
    pub fn snapshot(&self) -> LiveSnapshot {
        LiveSnapshot::new(&mut self.lock(), self.shared.id)
    }

    /// Observes a collection, from nothing: the first changes are additions of all existing entries.
    pub fn observe<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>) -> Observer<K, V> {
        self.own(set);
        let signal = Arc::new(Signal::default());
        let mut engine = self.lock();
        let id = engine.observer();
        engine.nodes.store_mut::<K, V>(set.handle().slot()).observe(id, signal.clone());
        drop(engine);
        Observer::new(self.clone(), set.clone(), id, signal)
    }

    /// Returns whether the first content of every input has been computed.
    pub fn has_synced(&self) -> bool {
        self.unsynced_inputs() == 0
    }

    /// Waits until the first content of every input has been computed: informers have their first list, and inputs
    /// that [await](Input::awaiting_sync) their first content have it. The graph must [run](Self::spawn).
    pub async fn synced(&self) {
        let mut unsynced = self.shared.unsynced.subscribe();
        // The sender lives as long as the graph.
        let _ = unsynced.wait_for(|count| *count == 0).await;
    }

    /// Returns how many inputs do not have their first content.
    pub(crate) fn unsynced_inputs(&self) -> usize {
        *self.shared.unsynced.borrow()
    }

    pub(crate) fn id(&self) -> u64 {
        self.shared.id
    }

    pub(crate) fn unsynced(&self) -> Arc<watch::Sender<usize>> {
        self.shared.unsynced.clone()
    }

    pub(crate) fn garbage(&self) -> &Arc<Garbage> {
        &self.shared.garbage
    }

    /// Locks the graph between two epochs.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Engine> {
        self.shared.lock()
    }

    /// Computes rows on several threads even if it does not pay.
    #[cfg(any(test, feature = "sim"))]
    pub(crate) fn compute_in_parallel(&self) {
        self.lock().nodes.parallel = crate::core::parallel::Parallel::Always;
    }

    fn add_derived<R: Rule>(
        &self,
        name: impl Into<String>,
        rule: R,
        same: fn(&R::V, &R::V) -> bool,
    ) -> LiveSet<R::K, R::V> {
        self.add(Box::new(Derived::new(rule, Store::new(name.into(), same))))
    }

    fn add<K, V>(&self, node: Box<dyn Node>) -> LiveSet<K, V> {
        let (slot, order) = self.lock().add(node);
        LiveSet::new(Handle::new(Place { slot, order }, self.shared.id, self.shared.garbage.clone()))
    }

    /// Panics if a collection belongs to another graph.
    #[track_caller]
    pub(crate) fn own<K, V>(&self, set: &LiveSet<K, V>) {
        assert!(set.handle().graph() == self.shared.id, "the collection belongs to another graph");
    }
}

impl Shared {
    /// The task of the graph runs the future, now or once there is one.
    pub(crate) fn join(&self, future: BoxFuture<'static, ()>) {
        self.joining.lock().unwrap_or_else(PoisonError::into_inner).push(future);
        // Also if the bell has rung: the task may have looked for futures before, and not answered the bell yet.
        self.bell.notify.notify_one();
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Engine> {
        check_outside();
        // Otherwise it would wait for itself.
        let updating = self.updating.load(Ordering::Relaxed);
        assert!(
            updating == 0 || updating != here(),
            "an update uses its graph: read it before or afterwards"
        );
        let mut engine = self.engine.lock().expect("an epoch of this graph has panicked");
        self.collect(&mut engine);
        engine
    }

    /// Takes what waits in the inboxes, as one epoch.
    pub(crate) fn flush(&self) -> u64 {
        let mut engine = self.lock();
        let drained = self.drain(&mut engine);
        Self::advance(&mut engine, &drained)
    }

    fn drain(&self, engine: &mut Engine) -> Vec<Arc<dyn AnyInbox>> {
        if !self.bell.answer() {
            return Vec::new();
        }
        let mut drained = Vec::new();
        self.inboxes().retain(|inbox| {
            let inbox = inbox.upgrade();
            drained.extend(inbox.clone());
            inbox.is_some()
        });
        for inbox in &drained {
            inbox.drain(engine);
        }
        drained
    }

    fn advance(engine: &mut Engine, drained: &[Arc<dyn AnyInbox>]) -> u64 {
        engine.advance();
        for inbox in drained {
            inbox.settle();
        }
        engine.epoch
    }

    /// Frees the collections, indexes and observers whose last handle was dropped.
    fn collect(&self, engine: &mut Engine) {
        loop {
            let ended = self.garbage.take();
            if ended.is_empty() {
                return;
            }
            for ended in ended {
                let (Ended::Node(place) | Ended::Index(place, _) | Ended::Observer(place, _)) = ended;
                let entry = engine.nodes.entries.get(place.slot as usize);
                if entry.is_none_or(|entry| entry.order != place.order) {
                    continue;
                }
                match ended {
                    Ended::Node(_) => engine.remove(place.slot),
                    Ended::Index(_, number) => {
                        if let Some(node) = engine.nodes.node_mut(place.slot) {
                            node.store_mut().remove_index(number);
                        }
                    }
                    Ended::Observer(_, id) => {
                        if let Some(node) = engine.nodes.node_mut(place.slot) {
                            node.store_mut().remove_observer(id);
                        }
                    }
                }
            }
        }
    }

    fn inboxes(&self) -> MutexGuard<'_, Vec<Weak<dyn AnyInbox>>> {
        self.inboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number of this thread that no other thread has at the same time.
fn here() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| std::ptr::from_ref(here).addr())
}

/// The call of a function that changes inputs.
struct Updating<'a>(&'a AtomicUsize);

impl<'a> Updating<'a> {
    fn new(thread: &'a AtomicUsize) -> Self {
        thread.store(here(), Ordering::Relaxed);
        Self(thread)
    }
}

impl Drop for Updating<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("id", &self.shared.id).finish_non_exhaustive()
    }
}
