//! The process's own writes that the caches of a controller do not show yet.
//!
//! A client reports each write when its response arrives. For each cache that will show the written object, the write becomes
//! a *note*: this object at this version, and the keys whose runs must see it. A key with a note that its cache does not
//! reflect is held back: it leaves the queue, and the store adds it again when it has caught up.
//!
//! Notes also close a gap of level triggering. While a watch is interrupted, an object may be written here and then changed or
//! deleted by others. The list that follows skips the state that was written, so no handler is notified of it: an object that
//! was created and deleted in the gap never was in the cache. The key that has written it must run all the same. So keys with notes are
//! enqueued when a list has skipped the write, or when a list does not show it yet.

mod cache;
mod notes;
#[cfg(test)]
mod tests;
mod waits;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::Awaited;
use client_rs_machinery::{
    GroupResource, ObjectKey, Write, WriteLog, WriteObserver, WriteOutcome, collections::sort_by_key,
};
use client_rs_workqueue::WorkQueue;
use futures_util::future::join_all;
use tokio::sync::{Notify, Semaphore};
use tokio::time::Instant;

pub(crate) use self::cache::{Cache, SourceCache};
use self::notes::{Held, Note, Notes, Place};
use crate::recorder::{Log, Name, What, micros};
use crate::state::{StaleWait, StaleWaits};
use crate::{ControllerOptions, ReconcileMetrics};

/// The number of notes that a controller keeps. Beyond it, notes that the caches reflect are removed; if none is, new writes are
/// not noted.
const MOST_NOTES: usize = 65_536;

/// The delay before a read from the server that failed is tried again. It doubles with each try.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// How many reads from the server are made at once, so that many keys do not flood a server that comes back.
const READS_AT_ONCE: usize = 4;

/// The own writes that matter to a controller.
pub(crate) struct OwnWrites {
    caches: Vec<Box<dyn Cache>>,
    queue: WorkQueue<ObjectKey>,
    /// Whether runs wait for notes. Without, notes serve only to find writes that a list has skipped.
    waits_for_caches: bool,
    timeout: Duration,
    metrics: Option<Arc<dyn ReconcileMetrics>>,
    log: Log,
    /// The number of notes, so that an event without notes takes no lock.
    pending: AtomicUsize,
    notes: Mutex<Notes>,
    reads: Semaphore,
    /// Whether there were too many notes at some time, which is logged once.
    is_full: AtomicBool,
    /// Wakes the future that follows a cache: a key waits for it.
    waited_for: Vec<Notify>,
    /// Wakes the future that follows the time limits.
    limited: Notify,
    waits: AtomicU64,
    timeouts: AtomicU64,
    suppressed: AtomicU64,
}

/// Whether a key may run.
pub(crate) enum Hold {
    /// It may run.
    Ready,
    /// It is held back. It is enqueued when the caches have caught up, or when its time is over.
    Held,
    /// It must be held back by a task: run [`OwnWrites::wait`].
    Begin,
}

impl OwnWrites {
    pub(crate) fn new(
        caches: Vec<Box<dyn Cache>>,
        queue: WorkQueue<ObjectKey>,
        log: Log,
        options: &ControllerOptions,
    ) -> Arc<Self> {
        let own = Arc::new(Self {
            waited_for: caches.iter().map(|_| Notify::new()).collect(),
            limited: Notify::new(),
            caches,
            queue,
            waits_for_caches: options.read_own_writes,
            timeout: options.own_writes_timeout,
            metrics: options.metrics.clone(),
            log,
            pending: AtomicUsize::new(0),
            notes: Mutex::default(),
            reads: Semaphore::new(READS_AT_ONCE),
            is_full: AtomicBool::new(false),
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

    /// The logs of the clients that fill the caches.
    #[cfg(feature = "recording")]
    pub(crate) fn logs(&self) -> Vec<client_rs_machinery::WriteLog> {
        self.caches.iter().flat_map(|cache| cache.logs()).collect()
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
        let Some(note) = notes.objects.get(&place) else { return };
        if self.is_reflected(&place, note) {
            self.remove_reflected(&mut notes, &place, None);
        } else if note.mark().is_some_and(|mark| self.caches[cache].reflects(&place.1, &mark.awaited)) {
            notes.reached_mark(&place);
            Self::look_again(&mut notes, &place);
        } else {
            return;
        }
        self.release(notes);
    }

    /// Enqueues keys whose writes were skipped by a list, whenever a cache gets one. Runs until it is dropped; starts with the
    /// lists that came before.
    pub(crate) async fn follow_lists(&self) {
        let follow = |cache: usize| async move {
            let mut lists = 0;
            loop {
                lists = self.caches[cache].listed(lists).await;
                self.listed(cache);
            }
        };
        let _: Vec<()> = join_all((0..self.caches.len()).map(follow)).await;
        std::future::pending::<()>().await;
    }

    /// A cache has got a list.
    fn listed(&self, cache: usize) {
        if self.pending.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut notes = self.notes();
        let places: Vec<Place> = notes.objects.keys().filter(|(noted, _)| *noted == cache).cloned().collect();
        for place in &places {
            let Some(note) = notes.objects.get(place) else { continue };
            if self.is_reflected(place, note) {
                self.remove_reflected(&mut notes, place, None);
                continue;
            }
            // The list may be older than the write, or of a server that was restored and has lost it. The run waits until that
            // is known.
            let (keys, is_lost) = (note.keys.clone(), note.unknown && note.expired);
            notes.due.extend(keys);
            if is_lost && let Some(note) = notes.remove(place) {
                Self::end_holds(&mut notes, &note.keys);
            }
        }
        self.release(notes);
    }

    /// Whether a key that has left the queue may run. If the result is [`Hold::Begin`], the key counts as held back.
    pub(crate) fn hold(&self, key: &ObjectKey) -> Hold {
        if !self.waits_for_caches || self.pending.load(Ordering::Relaxed) == 0 {
            return Hold::Ready;
        }
        let mut notes = self.notes();
        if notes.held.contains_key(key) {
            return Hold::Held;
        }
        let newest = notes.released.remove(key).unwrap_or(u64::MAX);
        let hold = match self.unreflected(&mut notes, key, newest) {
            Some(place) => self.begin_hold(&mut notes, key, place, false),
            None => Hold::Ready,
        };
        self.release(notes);
        hold
    }

    /// Waits until the caches show the writes that a key must see, at most for the time limit. Then adds the key to the queue.
    /// Dropping the future adds the key too, also before its first poll. Returns how long it waited, and whether the caches have
    /// caught up.
    pub(crate) fn wait(&self, key: ObjectKey) -> impl Future<Output = (Duration, bool)> + Send {
        let notes = self.notes();
        let held = notes.held.get(&key).map(|held| (held.since, held.newest));
        let (began, newest) = held.unwrap_or_else(|| (Instant::now(), notes.last));
        drop(notes);
        self.wait_for(Release { own: self, key, began, newest })
    }

    async fn wait_for(&self, release: Release<'_>) -> (Duration, bool) {
        let Release { key, began, newest, .. } = &release;
        let (began, mut caught_up) = (*began, true);
        loop {
            let Some(place) = self.next_unreflected(key, *newest) else { break };
            if let Err(number) = self.catch_up(&place, key, began).await {
                caught_up = false;
                self.timeouts.fetch_add(1, Ordering::Relaxed);
                let (cache, object) = (self.caches[place.0].name(), &place.1);
                tracing::warn!(
                    %key, cache, %object, waited = ?began.elapsed(),
                    "the cache does not show an own write; reconciling with what it has"
                );
                // The note stays: a later list may still skip the write.
                let mut notes = self.notes();
                // The time of a newer write is not over.
                if let Some(note) = notes.objects.get_mut(&place).filter(|note| note.number == number) {
                    note.expired = true;
                }
                notes.waited(&place, number);
                Self::look_again(&mut notes, &place);
                self.release(notes);
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
        sort_by_key(&mut waiting, |(_, held)| held.since);
        let wait = |(key, held): (&ObjectKey, &Held)| {
            let place = notes.of_key(key, held.newest).next().map_or(&held.place, |(place, _)| place);
            StaleWait {
                key: key.to_string(),
                object: format!("{} {}", self.caches[place.0].name(), place.1),
                seconds: held.since.elapsed().as_secs_f64(),
            }
        };
        StaleWaits {
            total: self.waits.load(Ordering::Relaxed),
            timeouts: self.timeouts.load(Ordering::Relaxed),
            waiting: waiting.into_iter().map(wait).collect(),
        }
    }

    /// Waits until a cache shows an object as it was written. At the time limit it asks the server, because a restore may have
    /// undone the write, and waits once more for what the server has. If the cache does not show that either, returns the number of
    /// the write.
    async fn catch_up(&self, place: &Place, key: &ObjectKey, began: Instant) -> Result<(), u64> {
        let (first, last) = (later(began, self.timeout), later(began, self.timeout.saturating_mul(2)));
        let Some((number, awaited)) = self.awaited(place) else { return Ok(()) };
        if let Some(awaited) = awaited
            && self.reached(place, key, number, &awaited, first).await
        {
            return Ok(());
        }
        match self.look(place, number, last).await {
            Some(found) if self.reached(place, key, number, &found, last).await => Ok(()),
            _ => Err(number),
        }
    }

    /// Waits until a cache shows a state, and removes its note.
    async fn reached(
        &self,
        place: &Place,
        key: &ObjectKey,
        number: u64,
        awaited: &Awaited,
        deadline: Instant,
    ) -> bool {
        let reflecting = self.caches[place.0].reflecting(&place.1, awaited);
        if tokio::time::timeout_at(deadline, reflecting).await.is_err() {
            return false;
        }
        let mut notes = self.notes();
        // A newer write of the object has a wait of its own.
        if notes.objects.get(place).is_some_and(|note| note.number == number) {
            self.remove_reflected(&mut notes, place, Some(key));
        } else {
            notes.waited(place, number);
            Self::look_again(&mut notes, place);
        }
        self.release(notes);
        true
    }

    /// Asks the server for the state of an object.
    async fn look(&self, place: &Place, number: u64, deadline: Instant) -> Option<Awaited> {
        let (cache, object) = (&self.caches[place.0], &place.1);
        let found = tokio::time::timeout_at(deadline, async {
            let mut again = READ_AGAIN;
            loop {
                let permit = self.reads.acquire().await;
                let outcome = cache.version_on_server(object).await;
                drop(permit);
                match outcome {
                    Ok(found) => return found,
                    Err(error) => {
                        tracing::debug!(cache = cache.name(), %object, %error, "reading an object from the server failed");
                        tokio::time::sleep(again).await;
                        again *= 2;
                    }
                }
            }
        });
        let awaited = match found.await.ok()? {
            Some(found) => Awaited::version(found.resource_version),
            None => Awaited::deleted(""),
        };
        self.notes().found(place, number, &awaited);
        Some(awaited)
    }

    /// The number of a note and its state, if that is known.
    fn awaited(&self, place: &Place) -> Option<(u64, Option<Awaited>)> {
        let notes = self.notes();
        let note = notes.objects.get(place)?;
        Some((note.number, (!note.unknown).then(|| note.awaited.clone())))
    }

    fn next_unreflected(&self, key: &ObjectKey, newest: u64) -> Option<Place> {
        let mut notes = self.notes();
        let place = self.unreflected(&mut notes, key, newest);
        self.release(notes);
        place
    }

    /// A note of a key that its cache does not reflect, of a write up to a number. Notes that are reflected are removed.
    fn unreflected(&self, notes: &mut Notes, key: &ObjectKey, newest: u64) -> Option<Place> {
        let places = notes.keys.get(key)?;
        let (mut left, mut reflected) = (None, Vec::new());
        for place in places {
            let Some(note) = notes.objects.get(place) else { continue };
            if self.is_reflected(place, note) {
                reflected.push(place.clone());
            } else if left.is_none() && note.since <= newest && !note.expired {
                left = Some(place.clone());
            }
        }
        for place in &reflected {
            self.remove_reflected(notes, place, Some(key));
        }
        left
    }

    fn is_reflected(&self, place: &Place, note: &Note) -> bool {
        !note.unknown && self.caches[place.0].reflects(&place.1, &note.awaited)
    }

    /// Removes a note that its cache reflects. If a list has skipped the write, no event may have led to runs of its keys: they
    /// are due, except the key that is about to run anyway.
    fn remove_reflected(&self, notes: &mut Notes, place: &Place, about_to_run: Option<&ObjectKey>) {
        let Some(note) = notes.remove(place) else { return };
        let cache = &self.caches[place.0];
        if note.first.is_some_and(|first| !cache.delivers(&place.1, &first)) {
            notes.due.extend(note.keys.iter().filter(|key| Some(*key) != about_to_run).cloned());
        }
        Self::end_holds(notes, &note.keys);
    }

    /// Releases the lock, reports the waits that have ended, and enqueues the keys that are due.
    fn release(&self, mut notes: MutexGuard<'_, Notes>) {
        let (due, ended) = (std::mem::take(&mut notes.due), std::mem::take(&mut notes.ended));
        self.count(&notes);
        drop(notes);
        for (key, waited) in ended {
            self.waited(&key, waited, true);
        }
        for key in due {
            self.queue.add(key);
        }
    }

    /// Reports that a wait has ended.
    pub(crate) fn waited(&self, key: &ObjectKey, waited: Duration, caught_up: bool) {
        self.log.write(What::Released { key: Name::of(key), waited: micros(waited), caught_up });
        self.report(|metrics| metrics.waited_for_caches(waited, caught_up));
    }

    /// Calls the metrics. A panic in them is logged and changes nothing else.
    fn report(&self, report: impl FnOnce(&dyn ReconcileMetrics)) {
        if let Some(metrics) = &self.metrics
            && catch_unwind(AssertUnwindSafe(|| report(&**metrics))).is_err()
        {
            tracing::error!("metrics of the controller panicked");
        }
    }

    fn count(&self, notes: &Notes) {
        self.pending.store(notes.objects.len() + notes.held.len(), Ordering::Relaxed);
    }

    /// Notes a write, for the keys that map to it and for the key of the run that made it.
    fn note(&self, write: &Write<'_>, run: Option<&ObjectKey>) {
        for (cache, of) in self.caches.iter().enumerate() {
            if !of.is_of(write) {
                continue;
            }
            // Mostly the event is faster than the response. Then the cache delivers the state, and no run has to wait for it.
            let has_note = self.has_note(cache, write.key);
            if !has_note && of.shows(write) {
                continue;
            }
            let mut keys = match of.keys(write) {
                Some(keys) => keys,
                // An earlier write comes into the cache, and this one takes it out of the selector again.
                None if has_note => Vec::new(),
                None => continue,
            };
            keys.extend(run.cloned());
            if keys.is_empty() && !has_note {
                continue;
            }
            let (awaited, unknown) = match write.outcome {
                WriteOutcome::Object(object) => (Awaited::version(object.metadata.resource_version()), false),
                WriteOutcome::Deleted { uid } => (Awaited::deleted(uid), false),
                WriteOutcome::Gone { uid } => (Awaited::gone(uid), false),
                // Only a run that waits asks the server for the outcome.
                _ if !self.waits_for_caches => continue,
                _ => (Awaited::default(), true),
            };
            let place = (cache, write.key.clone());
            let mut notes = self.notes();
            if notes.objects.len() >= MOST_NOTES && !notes.objects.contains_key(&place) {
                self.sweep(&mut notes);
                if notes.objects.len() >= MOST_NOTES && !self.is_full.swap(true, Ordering::Relaxed) {
                    tracing::warn!(
                        most = MOST_NOTES,
                        cache = of.name(),
                        "the caches lack too many own writes; runs do not wait for further ones"
                    );
                }
            }
            if notes.objects.len() < MOST_NOTES || notes.objects.contains_key(&place) {
                notes.add(&place, awaited, unknown, keys);
                // Before the look: an event or a list that comes after it finds that there is a note.
                self.count(&notes);
                // It may have caught up by now, without a look at this note.
                if notes.objects.get(&place).is_some_and(|note| self.is_reflected(&place, note)) {
                    self.remove_reflected(&mut notes, &place, None);
                }
            }
            self.release(notes);
        }
    }

    fn has_note(&self, cache: usize, object: &ObjectKey) -> bool {
        self.pending.load(Ordering::Relaxed) > 0
            && self.notes().objects.contains_key(&(cache, object.clone()))
    }

    /// Removes the notes that the caches reflect.
    fn sweep(&self, notes: &mut Notes) {
        if !is_time_to_sweep(&mut notes.swept) {
            return;
        }
        let reflected = notes.objects.iter().filter(|(place, note)| self.is_reflected(place, note));
        let reflected: Vec<Place> = reflected.map(|(place, _)| place.clone()).collect();
        for place in &reflected {
            self.remove_reflected(notes, place, None);
        }
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

    fn forwards_to(&self, other: &Arc<dyn WriteObserver>) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.own), Arc::as_ptr(other))
    }

    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        if !self.own.waits_for_caches {
            return None;
        }
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
        self.own.report(|metrics| metrics.suppressed_write());
        tracing::debug!(key = %self.key, resource = %write.resource, object = %write.key, "a write that changes nothing was not sent");
    }
}

/// Ends a hold when it is dropped: the key goes back to the queue.
struct Release<'a> {
    own: &'a OwnWrites,
    key: ObjectKey,
    began: Instant,
    newest: u64,
}

impl Drop for Release<'_> {
    fn drop(&mut self) {
        let mut notes = self.own.notes();
        notes.end_hold(&self.key);
        self.own.release(notes);
    }
}

/// Whether the last look through all notes is long enough ago. It takes milliseconds.
pub(crate) fn is_time_to_sweep(swept: &mut Option<Instant>) -> bool {
    const PAUSE: Duration = Duration::from_secs(1);
    let now = Instant::now();
    let is_time = swept.is_none_or(|last| now.saturating_duration_since(last) >= PAUSE);
    if is_time {
        *swept = Some(now);
    }
    is_time
}

/// A time limit that begins at a time. One that is too long for a clock does not end in the life of a program.
pub(crate) fn later(began: Instant, limit: Duration) -> Instant {
    const YEAR: Duration = Duration::from_hours(24 * 365);
    began + limit.min(YEAR)
}
