//! The process's own writes that the caches of a controller do not show yet.
//!
//! A client reports each write when its response arrives. For each cache that will show the written object, the write becomes
//! a *note*: this object at this version, and the keys whose runs must see it. A key with a note that its cache does not
//! reflect is held back: it leaves the queue, and the store adds it again when it has caught up.

use std::any::Any;
use std::collections::HashMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::{Awaited, Collection, FetchError, ServerVersion, SharedInformer};
use client_rs_machinery::{GroupResource, Object, ObjectKey, Write, WriteLog, WriteObserver, WriteOutcome};
use client_rs_workqueue::WorkQueue;
use tokio::time::Instant;

use crate::ReconcileMetrics;
use crate::enqueue::Keys;
use crate::state::{StaleWait, StaleWaits};

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The number of notes that a controller keeps. Beyond it, notes that the caches reflect are removed; if none is, new writes are
/// not noted.
const MOST_NOTES: usize = 65_536;

/// The delay before a read from the server that failed is tried again.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// The own writes that matter to a controller.
pub(crate) struct OwnWrites {
    caches: Vec<Box<dyn Cache>>,
    timeout: Duration,
    metrics: Option<Arc<dyn ReconcileMetrics>>,
    /// The number of notes, so that an event without notes takes no lock.
    pending: AtomicUsize,
    notes: Mutex<Notes>,
    waits: AtomicU64,
    timeouts: AtomicU64,
    suppressed: AtomicU64,
}

/// A cache that the controller reads.
pub(crate) trait Cache: Send + Sync {
    /// The logs of the clients that fill the cache.
    fn logs(&self) -> Vec<WriteLog>;
    /// The keys to which a written object maps; `None` if the cache will not show the object.
    fn keys(&self, write: &Write<'_>) -> Option<Vec<ObjectKey>>;
    fn reflects(&self, object: &ObjectKey, awaited: &Awaited) -> bool;
    fn reflecting<'a>(&'a self, object: &'a ObjectKey, awaited: &'a Awaited) -> BoxFuture<'a, ()>;
    fn version_on_server<'a>(
        &'a self,
        object: &'a ObjectKey,
    ) -> BoxFuture<'a, Result<Option<ServerVersion>, FetchError>>;
    /// The object, if the cache has it as the server sent it.
    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>>;
    /// The name of its informer.
    fn name(&self) -> &str;
}

/// The informer of a source as a [`Cache`].
pub(crate) struct SourceCache<K: Object> {
    pub(crate) informer: SharedInformer<K>,
    pub(crate) collections: Vec<Collection>,
    pub(crate) keys: Arc<Keys<K>>,
}

/// A cache, by its position, and an object in it.
type Place = (usize, ObjectKey);

#[derive(Default)]
struct Notes {
    objects: HashMap<Place, Note>,
    /// The notes of each key of the controller.
    keys: HashMap<ObjectKey, Vec<Place>>,
    /// The keys that are held back, and since when.
    held: HashMap<ObjectKey, Held>,
    /// Keys whose hold is over: the next run does not wait for notes that are newer than this number.
    released: HashMap<ObjectKey, u64>,
    /// The number of the last note.
    last: u64,
}

struct Note {
    awaited: Awaited,
    /// The outcome of a write is not known: the server must be asked.
    unknown: bool,
    keys: Vec<ObjectKey>,
    number: u64,
}

struct Held {
    since: Instant,
    object: String,
}

/// Whether a key may run.
pub(crate) enum Hold {
    /// It may run.
    Ready,
    /// It is already held back.
    Held,
    /// It must be held back: run [`OwnWrites::wait`].
    Begin,
}

impl OwnWrites {
    pub(crate) fn new(
        caches: Vec<Box<dyn Cache>>,
        timeout: Duration,
        metrics: Option<Arc<dyn ReconcileMetrics>>,
    ) -> Arc<Self> {
        let own = Arc::new(Self {
            caches,
            timeout,
            metrics,
            pending: AtomicUsize::new(0),
            notes: Mutex::default(),
            waits: AtomicU64::new(0),
            timeouts: AtomicU64::new(0),
            suppressed: AtomicU64::new(0),
        });
        let observer: Arc<dyn WriteObserver> = own.clone();
        for cache in &own.caches {
            for log in cache.logs() {
                log.subscribe(&observer);
            }
        }
        own
    }

    /// An observer of the writes of a run of this key.
    pub(crate) fn of_run(self: &Arc<Self>, key: ObjectKey) -> Arc<dyn WriteObserver> {
        Arc::new(RunWrites { own: Arc::clone(self), key })
    }

    /// A cache has received an event of an object.
    pub(crate) fn seen(&self, cache: usize, object: impl FnOnce() -> ObjectKey) {
        if self.pending.load(Ordering::Relaxed) == 0 {
            return;
        }
        let place = (cache, object());
        let mut notes = self.notes();
        let reflected = notes
            .objects
            .get(&place)
            .is_some_and(|note| !note.unknown && self.caches[cache].reflects(&place.1, &note.awaited));
        if reflected {
            notes.remove(&place);
            self.count(&notes);
        }
    }

    /// Whether a key that has left the queue may run. If the result is [`Hold::Begin`], the key counts as held back.
    pub(crate) fn hold(&self, key: &ObjectKey) -> Hold {
        if self.pending.load(Ordering::Relaxed) == 0 {
            return Hold::Ready;
        }
        let mut notes = self.notes();
        if notes.held.contains_key(key) {
            return Hold::Held;
        }
        let newest = notes.released.remove(key).unwrap_or(u64::MAX);
        let Some(object) = self.unreflected(&mut notes, key, newest).into_iter().next() else {
            return Hold::Ready;
        };
        let object = format!("{} {}", self.caches[object.0].name(), object.1);
        notes.held.insert(key.clone(), Held { since: Instant::now(), object });
        self.waits.fetch_add(1, Ordering::Relaxed);
        Hold::Begin
    }

    /// Waits until the caches show the writes that a key must see, at most for the time limit. Then adds the key to the queue.
    /// Dropping the future adds the key too. Returns how long it waited, and whether the caches have caught up.
    pub(crate) async fn wait(&self, key: ObjectKey, queue: &WorkQueue<ObjectKey>) -> (Duration, bool) {
        let newest = self.notes().last;
        let release = Release { own: self, key: &key, queue, newest };
        let (began, mut caught_up) = (Instant::now(), true);
        loop {
            let place = self.unreflected(&mut self.notes(), &key, newest).into_iter().next();
            let Some(place) = place else { break };
            if !self.catch_up(&place, began).await {
                caught_up = false;
                self.timeouts.fetch_add(1, Ordering::Relaxed);
                let (cache, object) = (self.caches[place.0].name(), &place.1);
                tracing::warn!(
                    %key, cache, %object, waited = ?began.elapsed(),
                    "the cache does not show an own write; reconciling with what it has"
                );
                let mut notes = self.notes();
                notes.remove(&place);
                self.count(&notes);
            }
        }
        drop(release);
        (began.elapsed(), caught_up)
    }

    /// The number of writes that were not sent because they would have changed nothing.
    pub(crate) fn suppressed(&self) -> u64 {
        self.suppressed.load(Ordering::Relaxed)
    }

    /// The waits so far, and those in progress.
    pub(crate) fn state(&self) -> StaleWaits {
        let notes = self.notes();
        let mut waiting: Vec<_> = notes.held.iter().collect();
        waiting.sort_by_key(|(_, held)| held.since);
        let wait = |(key, held): (&ObjectKey, &Held)| StaleWait {
            key: key.to_string(),
            object: held.object.clone(),
            seconds: held.since.elapsed().as_secs_f64(),
        };
        StaleWaits {
            total: self.waits.load(Ordering::Relaxed),
            timeouts: self.timeouts.load(Ordering::Relaxed),
            waiting: waiting.into_iter().map(wait).collect(),
        }
    }

    /// Waits until a cache shows an object as it was written. At the time limit it asks the server, because a restore may have
    /// undone the write, and waits once more for what the server has. Returns false if the cache does not show that either.
    async fn catch_up(&self, place: &Place, began: Instant) -> bool {
        let (first, last) = (began + self.timeout, began + 2 * self.timeout);
        let Some((number, awaited)) = self.awaited(place) else { return true };
        if let Some(awaited) = awaited
            && self.reached(place, number, &awaited, first).await
        {
            return true;
        }
        match self.look(place, number, last).await {
            Some(found) => self.reached(place, number, &found, last).await,
            None => false,
        }
    }

    /// Waits until a cache shows a state, and removes its note.
    async fn reached(&self, place: &Place, number: u64, awaited: &Awaited, deadline: Instant) -> bool {
        let reflecting = self.caches[place.0].reflecting(&place.1, awaited);
        if tokio::time::timeout_at(deadline, reflecting).await.is_err() {
            return false;
        }
        let mut notes = self.notes();
        // A newer write of the object has a wait of its own.
        if notes.objects.get(place).is_some_and(|note| note.number == number) {
            notes.remove(place);
            self.count(&notes);
        }
        true
    }

    /// Asks the server for the state of an object.
    async fn look(&self, place: &Place, number: u64, deadline: Instant) -> Option<Awaited> {
        let (cache, object) = (&self.caches[place.0], &place.1);
        let found = tokio::time::timeout_at(deadline, async {
            loop {
                match cache.version_on_server(object).await {
                    Ok(found) => return found,
                    Err(error) => {
                        tracing::debug!(cache = cache.name(), %object, %error, "reading an object from the server failed");
                        tokio::time::sleep(READ_AGAIN).await;
                    }
                }
            }
        });
        let awaited = match found.await.ok()? {
            Some(found) => Awaited::version(found.resource_version),
            None => Awaited::deleted(""),
        };
        if let Some(note) = self.notes().objects.get_mut(place).filter(|note| note.number == number) {
            note.awaited = awaited.clone();
            note.unknown = false;
        }
        Some(awaited)
    }

    /// The number of a note and its state, if that is known.
    fn awaited(&self, place: &Place) -> Option<(u64, Option<Awaited>)> {
        let notes = self.notes();
        let note = notes.objects.get(place)?;
        Some((note.number, (!note.unknown).then(|| note.awaited.clone())))
    }

    /// The notes of a key that its caches do not reflect, up to a number. The others are removed.
    fn unreflected(&self, notes: &mut Notes, key: &ObjectKey, newest: u64) -> Vec<Place> {
        let Some(places) = notes.keys.get(key) else { return Vec::new() };
        let (mut left, mut reflected) = (Vec::new(), Vec::new());
        for place in places {
            let Some(note) = notes.objects.get(place) else { continue };
            if !note.unknown && self.caches[place.0].reflects(&place.1, &note.awaited) {
                reflected.push(place.clone());
            } else if note.number <= newest {
                left.push(place.clone());
            }
        }
        if !reflected.is_empty() {
            reflected.iter().for_each(|place| notes.remove(place));
            self.count(notes);
        }
        left
    }

    /// Notes a write, for the keys that map to it and for the key of the run that made it.
    fn note(&self, write: &Write<'_>, run: Option<&ObjectKey>) {
        for (cache, of) in self.caches.iter().enumerate() {
            let Some(mut keys) = of.keys(write) else { continue };
            keys.extend(run.cloned());
            if keys.is_empty() {
                continue;
            }
            let (awaited, unknown) = match write.outcome {
                WriteOutcome::Object(object) => {
                    (Awaited::version(object.metadata.metadata.resource_version.clone()), false)
                }
                WriteOutcome::Deleted { uid } => (Awaited::deleted(uid), false),
                _ => (Awaited::default(), true),
            };
            let place = (cache, write.key.clone());
            let mut notes = self.notes();
            if !notes.objects.contains_key(&place) {
                if !unknown && of.reflects(&place.1, &awaited) {
                    continue;
                }
                if notes.objects.len() >= MOST_NOTES && !self.sweep(&mut notes) {
                    continue;
                }
            }
            notes.add(place, awaited, unknown, keys);
            self.count(&notes);
        }
    }

    /// Removes the notes that the caches reflect. Returns whether there was one.
    fn sweep(&self, notes: &mut Notes) -> bool {
        let is_reflected = |(place, note): &(&Place, &Note)| {
            !note.unknown && self.caches[place.0].reflects(&place.1, &note.awaited)
        };
        let reflected: Vec<Place> =
            notes.objects.iter().filter(is_reflected).map(|(place, _)| place.clone()).collect();
        reflected.iter().for_each(|place| notes.remove(place));
        !reflected.is_empty()
    }

    fn count(&self, notes: &Notes) {
        self.pending.store(notes.objects.len() + notes.held.len(), Ordering::Relaxed);
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writes of others in this process: detached tasks, other controllers.
impl WriteObserver for OwnWrites {
    fn written(&self, write: &Write<'_>) {
        self.note(write, None);
    }
}

/// The writes of one run.
struct RunWrites {
    own: Arc<OwnWrites>,
    key: ObjectKey,
}

impl WriteObserver for RunWrites {
    fn written(&self, write: &Write<'_>) {
        self.own.note(write, Some(&self.key));
    }

    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        let mut cached = self.own.caches.iter().filter_map(|cache| cache.cached(log, resource, key));
        let found = cached.next()?;
        // A write that the cache does not show yet: compare with nothing.
        let notes = self.own.notes();
        let written =
            (0..self.own.caches.len()).any(|cache| notes.objects.contains_key(&(cache, key.clone())));
        (!written).then_some(found)
    }

    fn suppressed(&self, write: &Write<'_>) {
        self.own.suppressed.fetch_add(1, Ordering::Relaxed);
        if let Some(metrics) = &self.own.metrics
            && catch_unwind(AssertUnwindSafe(|| metrics.suppressed_write())).is_err()
        {
            tracing::error!("metrics of the controller panicked");
        }
        tracing::debug!(key = %self.key, resource = %write.resource, object = %write.key, "a write that changes nothing was not sent");
    }
}

impl Notes {
    fn add(&mut self, place: Place, awaited: Awaited, unknown: bool, keys: Vec<ObjectKey>) {
        self.last += 1;
        let note = self.objects.entry(place.clone()).or_insert_with(|| Note {
            awaited: Awaited::default(),
            unknown: false,
            keys: Vec::new(),
            number: 0,
        });
        note.number = self.last;
        // An object that is written after its deletion is a new one.
        if awaited.resource_version.is_some() {
            note.awaited.deleted = None;
        }
        note.awaited.and(awaited);
        note.unknown |= unknown;
        for key in keys {
            if !note.keys.contains(&key) {
                self.keys.entry(key.clone()).or_default().push(place.clone());
                note.keys.push(key);
            }
        }
    }

    fn remove(&mut self, place: &Place) {
        let Some(note) = self.objects.remove(place) else { return };
        for key in note.keys {
            if let Some(places) = self.keys.get_mut(&key) {
                places.retain(|other| other != place);
                if places.is_empty() {
                    self.keys.remove(&key);
                }
            }
        }
    }
}

/// Ends a hold when it is dropped: the key goes back to the queue.
struct Release<'a> {
    own: &'a OwnWrites,
    key: &'a ObjectKey,
    queue: &'a WorkQueue<ObjectKey>,
    newest: u64,
}

impl Drop for Release<'_> {
    fn drop(&mut self) {
        let mut notes = self.own.notes();
        notes.held.remove(self.key);
        if notes.keys.contains_key(self.key) {
            notes.released.insert(self.key.clone(), self.newest);
        }
        self.own.count(&notes);
        drop(notes);
        self.queue.add(self.key.clone());
    }
}

impl<K: Object> Cache for SourceCache<K> {
    fn logs(&self) -> Vec<WriteLog> {
        self.collections.iter().map(|collection| collection.writes.clone()).collect()
    }

    fn keys(&self, write: &Write<'_>) -> Option<Vec<ObjectKey>> {
        let mut collections = self.collections.iter().filter(|collection| {
            collection.writes.is_same_server(write.log)
                && collection.resource == *write.resource
                && collection.namespace.as_ref().is_none_or(|own| *own == write.key.namespace)
        });
        let first = collections.next()?;
        let old = self.informer.indexer().get(write.key);
        let WriteOutcome::Object(object) = write.outcome else {
            return Some(self.keys.of_key(write.key, old.as_ref()));
        };
        // An object that leaves the cache is waited for too: the cache removes it.
        let shows = old.is_some()
            || std::iter::once(first)
                .chain(collections)
                .any(|collection| collection.includes(object.metadata) == Some(true));
        shows.then(|| self.keys.of_written(write.key, &object, old.as_ref()))
    }

    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        let is_own = |collection: &Collection| {
            collection.writes.is_same_server(log) && collection.resource == *resource
        };
        if self.informer.is_transformed() || !self.collections.iter().any(is_own) {
            return None;
        }
        Some(self.informer.indexer().get(key)?)
    }

    fn reflects(&self, object: &ObjectKey, awaited: &Awaited) -> bool {
        self.informer.indexer().reflects(object, awaited)
    }

    fn reflecting<'a>(&'a self, object: &'a ObjectKey, awaited: &'a Awaited) -> BoxFuture<'a, ()> {
        Box::pin(self.informer.indexer().reflecting(object, awaited))
    }

    fn version_on_server<'a>(
        &'a self,
        object: &'a ObjectKey,
    ) -> BoxFuture<'a, Result<Option<ServerVersion>, FetchError>> {
        Box::pin(self.informer.version_on_server(object))
    }

    fn name(&self) -> &str {
        self.informer.name()
    }
}
