//! The writes of earlier runs of a key that the watched caches do not show yet.
//!
//! A run reports its writes through the client. Each write becomes a note of the run's key, for every watched cache that will show the object. A key
//! with a note that its cache does not reflect is held back: it leaves the queue, and is added again when the caches have caught up, or when the
//! time is over. Unlike in a [`Controller`](crate::Controller), a write concerns the key of its run alone: what other keys it maps to, and what a list
//! may have skipped, is left to the watches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::Awaited;
use client_rs_machinery::{ObjectKey, Write, WriteObserver, WriteOutcome};
use client_rs_workqueue::WorkQueue;
use tokio::time::Instant;

use super::{Core, ReconcileKey};
use crate::own_writes::{Cache, is_time_to_sweep, later};
use crate::{StaleWait, StaleWaits};

/// The number of notes of a controller. Beyond it, notes that the caches reflect are removed; if none is, new writes are not noted.
const MOST_NOTES: usize = 65_536;

/// The delay before a read from the server that failed is tried again.
const READ_AGAIN: Duration = Duration::from_secs(1);

pub(super) struct KeyedWrites<Q> {
    queue: WorkQueue<Q>,
    timeout: Duration,
    notes: Mutex<Notes<Q>>,
}

struct Notes<Q> {
    of_keys: HashMap<Q, Vec<Note>>,
    count: usize,
    /// The keys that are held back, since when, and for which object.
    held: HashMap<Q, (Instant, String)>,
    waits: u64,
    timeouts: u64,
    /// Whether there were too many notes at some time, which is logged once.
    was_full: bool,
    /// When reflected notes were looked for because there were too many.
    swept: Option<Instant>,
}

impl<Q> Notes<Q> {
    /// Removes the notes that the caches reflect, also those of keys that never run again.
    fn sweep(&mut self) {
        let Self { of_keys, count, swept, .. } = self;
        if !is_time_to_sweep(swept) {
            return;
        }
        of_keys.retain(|_, of_key| {
            let before = of_key.len();
            of_key.retain(|note| !note.is_reflected());
            *count -= before - of_key.len();
            !of_key.is_empty()
        });
    }
}

#[derive(Clone)]
struct Note {
    cache: Arc<dyn Cache>,
    object: ObjectKey,
    /// `None` if the outcome of the write is not known.
    awaited: Option<Awaited>,
}

impl Note {
    fn is_of(&self, cache: &Arc<dyn Cache>, object: &ObjectKey) -> bool {
        Arc::ptr_eq(&self.cache, cache) && self.object == *object
    }

    /// The state of the object on the server. Asks until there is a response.
    async fn on_server(&self) -> Awaited {
        loop {
            match self.cache.version_on_server(&self.object).await {
                Ok(Some(found)) => return Awaited::version(found.resource_version),
                Ok(None) => return Awaited::deleted(""),
                Err(error) => {
                    tracing::debug!(object = %self, %error, "reading an object from the server failed");
                    tokio::time::sleep(READ_AGAIN).await;
                }
            }
        }
    }

    /// Notes another write of the object. Responses may arrive in another order than the server has written.
    fn and(&mut self, later: Option<Awaited>) {
        match (&mut self.awaited, later) {
            (Some(awaited), Some(later)) => {
                // An object that is written after its deletion is a new one.
                if later.resource_version.is_some() {
                    awaited.undelete();
                }
                awaited.and(later);
            }
            (awaited, later) => *awaited = later,
        }
    }

    fn is_reflected(&self) -> bool {
        self.awaited.as_ref().is_some_and(|awaited| self.cache.reflects(&self.object, awaited))
    }
}

impl<Q: ReconcileKey> KeyedWrites<Q> {
    pub(super) fn new(queue: WorkQueue<Q>, timeout: Duration) -> Self {
        let notes = Notes {
            of_keys: HashMap::new(),
            count: 0,
            held: HashMap::new(),
            waits: 0,
            timeouts: 0,
            was_full: false,
            swept: None,
        };
        Self { queue, timeout, notes: Mutex::new(notes) }
    }

    fn note(&self, key: &Q, note: Note) {
        let mut notes = self.lock();
        if notes.count >= MOST_NOTES {
            notes.sweep();
        }
        let full = notes.count >= MOST_NOTES;
        if full && !std::mem::replace(&mut notes.was_full, true) {
            tracing::warn!(
                most = MOST_NOTES, object = %note,
                "the caches lack too many own writes; runs do not wait for further ones"
            );
        }
        let of_key = notes.of_keys.entry(key.clone()).or_default();
        if let Some(known) = of_key.iter_mut().find(|known| known.is_of(&note.cache, &note.object)) {
            known.and(note.awaited);
        } else if !full {
            of_key.push(note);
            notes.count += 1;
        }
    }

    fn has_note(&self, key: &Q, cache: &Arc<dyn Cache>, object: &ObjectKey) -> bool {
        let notes = self.lock();
        notes.of_keys.get(key).is_some_and(|of_key| of_key.iter().any(|note| note.is_of(cache, object)))
    }

    /// Whether a key must wait for a cache. If so, it counts as held back until [`wait`](Self::wait) ends; `None` if it already is.
    pub(super) fn hold(&self, key: &Q) -> Option<bool> {
        let mut notes = self.lock();
        if notes.held.contains_key(key) {
            return None;
        }
        let Some(of_key) = notes.of_keys.get_mut(key) else { return Some(false) };
        let before = of_key.len();
        of_key.retain(|note| !note.is_reflected());
        let (gone, first) = (before - of_key.len(), of_key.first().map(Note::to_string));
        notes.count -= gone;
        let Some(object) = first else {
            notes.of_keys.remove(key);
            return Some(false);
        };
        notes.held.insert(key.clone(), (Instant::now(), object));
        notes.waits += 1;
        Some(true)
    }

    /// Waits until the caches show the writes of a key that is held back, at most for the time limit; then adds the key to the queue. Dropping
    /// the future adds it too, also before its first poll. Returns how long it waited, and whether the caches have caught up.
    pub(super) fn wait(&self, key: Q) -> impl Future<Output = (Duration, bool)> + Send + '_ {
        let release = Release { own: self, key };
        async move {
            let (began, key) = (Instant::now(), &release.key);
            let deadline = later(began, self.timeout);
            let waited_for = self.lock().of_keys.get(key).cloned().unwrap_or_default();
            let mut caught_up = true;
            for note in &waited_for {
                let reached = async {
                    let awaited = match &note.awaited {
                        Some(awaited) => awaited.clone(),
                        // Only the server knows the outcome.
                        None => note.on_server().await,
                    };
                    note.cache.reflecting(&note.object, &awaited).await;
                };
                if tokio::time::timeout_at(deadline, reached).await.is_err() {
                    caught_up = false;
                    tracing::warn!(
                        %key, object = %note, waited = ?began.elapsed(),
                        "the cache does not show an own write; reconciling with what it has"
                    );
                }
            }
            let mut notes = self.lock();
            notes.timeouts += u64::from(!caught_up);
            // A task that a run has left behind may have written in the meantime: that stays.
            if let Some(of_key) = notes.of_keys.get_mut(key) {
                let before = of_key.len();
                of_key.retain(|note| {
                    !waited_for
                        .iter()
                        .any(|one| one.is_of(&note.cache, &note.object) && one.awaited == note.awaited)
                });
                let gone = before - of_key.len();
                notes.count -= gone;
            }
            drop(notes);
            drop(release);
            (began.elapsed(), caught_up)
        }
    }

    /// Forgets the writes to a cache that is no longer watched.
    pub(super) fn forget(&self, cache: &Arc<dyn Cache>) {
        let mut notes = self.lock();
        let Notes { of_keys, count, .. } = &mut *notes;
        of_keys.retain(|_, of_key| {
            let before = of_key.len();
            of_key.retain(|note| !Arc::ptr_eq(&note.cache, cache));
            *count -= before - of_key.len();
            !of_key.is_empty()
        });
    }

    /// The object that a key waits for, and for how long it has.
    pub(super) fn waits_for(&self, key: &Q) -> Option<StaleWait> {
        self.lock().held.get(key).map(|held| stale(key, held))
    }

    pub(super) fn state(&self) -> StaleWaits {
        let notes = self.lock();
        let mut waiting: Vec<StaleWait> = notes.held.iter().map(|(key, held)| stale(key, held)).collect();
        waiting.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        StaleWaits { total: notes.waits, timeouts: notes.timeouts, waiting }
    }

    fn lock(&self) -> MutexGuard<'_, Notes<Q>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stale<Q: ReconcileKey>(key: &Q, (since, object): &(Instant, String)) -> StaleWait {
    StaleWait { key: key.to_string(), object: object.clone(), seconds: since.elapsed().as_secs_f64() }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.cache.name(), self.object)
    }
}

/// The writes of one run.
pub(super) struct RunWrites<Q: ReconcileKey> {
    pub(super) core: Arc<Core<Q>>,
    pub(super) key: Q,
}

impl<Q: ReconcileKey> WriteObserver for RunWrites<Q> {
    fn written(&self, write: &Write<'_>) {
        let caches: Vec<Arc<dyn Cache>> = self.core.caches();
        let own_writes = &self.core.own_writes;
        // An earlier write may come into a cache, and this one may take it out of the selector again.
        let is_waited_for = |cache: &Arc<dyn Cache>| {
            cache.is_of(write)
                && (cache.keys(write).is_some() || own_writes.has_note(&self.key, cache, write.key))
        };
        for cache in caches.into_iter().filter(is_waited_for) {
            let awaited = match write.outcome {
                WriteOutcome::Object(object) => Some(Awaited::version(object.metadata.resource_version())),
                WriteOutcome::Deleted { uid } => Some(Awaited::deleted(uid)),
                WriteOutcome::Gone { uid } => Some(Awaited::gone(uid)),
                _ => None,
            };
            let note = Note { cache, object: write.key.clone(), awaited };
            // The cache may be faster than the response.
            if !note.is_reflected() {
                own_writes.note(&self.key, note);
            }
        }
    }
}

/// Ends a hold when it is dropped: the key goes back to the queue.
struct Release<'a, Q: ReconcileKey> {
    own: &'a KeyedWrites<Q>,
    key: Q,
}

impl<Q: ReconcileKey> Drop for Release<'_, Q> {
    fn drop(&mut self) {
        self.own.lock().held.remove(&self.key);
        self.own.queue.add(self.key.clone());
    }
}
