//! Keys that wait for caches, without a task for each.
//!
//! A key that waits is an entry in a table. The handler that is notified of its last missing write ends the wait. Two futures of the controller
//! do the rest: one per cache ends waits for writes that no handler is notified of (an object that can't be decoded, an informer that
//! has stopped), and one ends the time limits. Only a key whose time is over, or whose write has an unknown outcome, gets a task.

use std::sync::atomic::Ordering;

use client_rs_cache::Awaited;
use client_rs_machinery::ObjectKey;
use futures_util::future::join_all;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::notes::{Held, Note, Notes, Place};
use super::{Hold, OwnWrites, later};
use crate::recorder::{Name, What};

impl OwnWrites {
    /// Whether a key that a handler is about to enqueue waits for a cache: it is enqueued when that has caught up.
    pub(crate) fn holds_back(&self, key: &ObjectKey) -> bool {
        if !self.waits_for_caches || self.pending.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mut notes = self.notes();
        if notes.followers == 0 || notes.released.contains_key(key) {
            return false;
        }
        if notes.held.contains_key(key) {
            return true;
        }
        // Those that a cache already shows are over when its handler is notified.
        let Some(Missing { place, by_server: false, .. }) = Missing::of(&notes, key) else { return false };
        let place = place.clone();
        self.begin_hold(&mut notes, key, place, true);
        self.release(notes);
        true
    }

    /// Holds a key back because of a note.
    pub(super) fn begin_hold(
        &self,
        notes: &mut Notes,
        key: &ObjectKey,
        place: Place,
        by_handler: bool,
    ) -> Hold {
        let number = self.waits.fetch_add(1, Ordering::Relaxed);
        self.log.write(What::Held { key: Name::of(key) });
        let (since, newest) = (Instant::now(), notes.last);
        let mut deadline = None;
        if notes.followers > 0
            && let Some(Missing { by_server: false, caches, .. }) = Missing::of(notes, key)
        {
            for (_, waited_for) in self.waited_for.iter().enumerate().filter(|(cache, _)| caches.has(*cache))
            {
                waited_for.notify_one();
            }
            if notes.deadlines.is_empty() {
                self.limited.notify_one();
            }
            let limit = *deadline.insert((later(since, self.timeout), number));
            notes.deadlines.insert(limit, key.clone());
        }
        notes.held.insert(key.clone(), Held { since, place, newest, by_handler, deadline });
        if deadline.is_none() { Hold::Begin } else { Hold::Held }
    }

    /// A note of these keys is gone: ends the holds of those that wait for nothing else.
    pub(super) fn end_holds(notes: &mut Notes, keys: &[ObjectKey]) {
        for key in keys {
            let held = notes.held.get(key).filter(|held| held.deadline.is_some());
            let Some(newest) = held.map(|held| held.newest) else { continue };
            if notes.of_key(key, newest).next().is_none()
                && let Some(held) = notes.end_hold(key)
            {
                notes.ended.push((key.clone(), held.since.elapsed()));
            }
        }
    }

    /// The keys of a note have waited for it for long enough, or for a part of it: the same as [`end_holds`](Self::end_holds).
    pub(super) fn look_again(notes: &mut Notes, place: &Place) {
        if let Some(note) = notes.objects.get(place) {
            let keys = note.keys.clone();
            Self::end_holds(notes, &keys);
        }
    }

    /// Follows the caches and the time limits, so that keys can wait without a task; calls a function with each key whose time is over,
    /// and which then needs a [wait](Self::wait). Runs until it is dropped; the keys that wait go to the queue then.
    pub(crate) async fn follow(&self, overdue: impl Fn(ObjectKey)) {
        let _following = Following::begin(self);
        let stores = join_all((0..self.caches.len()).map(|cache| self.follow_store(cache)));
        tokio::join!(self.follow_lists(), stores, self.follow_limits(overdue));
    }

    /// Ends the waits for writes that a cache reflects without an event. It waits for the newest write, so it wakes about as often as the cache is
    /// late, not for each event.
    async fn follow_store(&self, cache: usize) {
        loop {
            let Some((place, number, awaited)) = self.newest_in(cache) else {
                self.waited_for[cache].notified().await;
                continue;
            };
            // After the time limit of the keys there are newer writes to follow: a restored server may never reach this one.
            let limit = later(Instant::now(), self.timeout);
            let reflecting = self.caches[cache].reflecting(&place.1, &awaited);
            if tokio::time::timeout_at(limit, reflecting).await.is_err() {
                continue;
            }
            let mut notes = self.notes();
            let newest = notes.objects.get(&place);
            if newest.is_some_and(|note| note.number != number) {
                notes.waited(&place, number);
                Self::look_again(&mut notes, &place);
            }
            // Otherwise the informer has stopped: nothing is waited for.
            let is_late = notes
                .objects
                .get(&place)
                .is_some_and(|note| note.number == number && !self.is_reflected(&place, note));
            let older = notes.objects.iter().filter(|((of, _), note)| *of == cache && note.number <= number);
            let over =
                older.filter(|(place, note)| !note.unknown && (is_late || self.is_reflected(place, note)));
            let over: Vec<Place> = over.map(|(place, _)| place.clone()).collect();
            for place in &over {
                self.remove_reflected(&mut notes, place, None);
            }
            self.release(notes);
        }
    }

    /// The newest write that a cache has to show, if a key waits.
    fn newest_in(&self, cache: usize) -> Option<(Place, u64, Awaited)> {
        let notes = self.notes();
        if notes.deadlines.is_empty() {
            return None;
        }
        let is_awaited = |note: &Note| !note.unknown && !note.expired;
        let known = notes.objects.iter().filter(|((of, _), note)| *of == cache && is_awaited(note));
        let (place, note) = known.max_by_key(|(_, note)| note.number)?;
        Some((place.clone(), note.number, note.awaited.clone()))
    }

    async fn follow_limits(&self, overdue: impl Fn(ObjectKey)) {
        loop {
            let next = self.notes().deadlines.keys().next().map(|(at, _)| *at);
            match next {
                None => self.limited.notified().await,
                Some(at) if at > Instant::now() => tokio::time::sleep_until(at).await,
                Some(_) => {
                    if let Some(key) = self.next_overdue() {
                        overdue(key);
                    }
                }
            }
        }
    }

    /// The key whose time limit ended first. It needs a task from now on.
    fn next_overdue(&self) -> Option<ObjectKey> {
        let mut notes = self.notes();
        let ((at, _), _) = notes.deadlines.first_key_value()?;
        if *at > Instant::now() {
            return None;
        }
        let (_, key) = notes.deadlines.pop_first()?;
        notes.held.get_mut(&key)?.deadline = None;
        Some(key)
    }
}

/// The writes that a key waits for.
struct Missing<'a> {
    place: &'a Place,
    caches: Caches,
    /// Whether only the server knows the state to wait for.
    by_server: bool,
}

impl<'a> Missing<'a> {
    fn of(notes: &'a Notes, key: &ObjectKey) -> Option<Self> {
        let mut all = notes.of_key(key, u64::MAX);
        let (place, note) = all.next()?;
        let mut missing = Self { place, caches: Caches::default(), by_server: note.unknown };
        missing.caches.add(place.0);
        for (place, note) in all {
            missing.caches.add(place.0);
            missing.by_server |= note.unknown;
        }
        Some(missing)
    }
}

/// A set of caches. All that have no bit of their own are in it together.
#[derive(Default)]
struct Caches(u64);

impl Caches {
    fn add(&mut self, cache: usize) {
        self.0 |= 1 << cache.min(63);
    }

    fn has(&self, cache: usize) -> bool {
        self.0 & 1 << cache.min(63) != 0
    }
}

/// While it lives, keys can wait without a task.
struct Following<'a>(&'a OwnWrites);

impl<'a> Following<'a> {
    fn begin(own: &'a OwnWrites) -> Self {
        own.notes().followers += 1;
        Self(own)
    }
}

impl Drop for Following<'_> {
    fn drop(&mut self) {
        let mut notes = self.0.notes();
        notes.followers -= 1;
        if notes.followers > 0 {
            drop(notes);
            // The other ones have slept.
            self.0.waited_for.iter().chain([&self.0.limited]).for_each(Notify::notify_one);
            return;
        }
        // As at a stop: the next workers get the keys.
        let waiting: Vec<ObjectKey> = notes.deadlines.values().cloned().collect();
        for key in &waiting {
            notes.end_hold(key);
        }
        self.0.release(notes);
    }
}
