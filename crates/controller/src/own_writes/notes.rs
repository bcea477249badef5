//! The writes that caches do not show yet.

use std::collections::BTreeMap;
use std::time::Duration;

use client_rs_cache::Awaited;
use client_rs_machinery::hash::HashMap;
use client_rs_machinery::{ObjectKey, Str};
use tokio::time::Instant;

/// A cache, by its position, and an object in it.
pub(super) type Place = (usize, ObjectKey);

#[derive(Default)]
pub(super) struct Notes {
    pub(super) objects: HashMap<Place, Note>,
    /// The notes of each key of the controller.
    pub(super) keys: HashMap<ObjectKey, Vec<Place>>,
    /// The keys that are held back, and since when.
    pub(super) held: HashMap<ObjectKey, Held>,
    /// Keys with notes whose hold is over: the next run does not wait for notes that are newer than this number, and until then no
    /// handler holds them back.
    pub(super) released: HashMap<ObjectKey, u64>,
    /// The number of the last note.
    pub(super) last: u64,
    /// The ends of the time limits of the keys that wait for the stores, without a task of their own.
    pub(super) deadlines: BTreeMap<Deadline, ObjectKey>,
    /// How many futures follow the stores. Without, a key that waits needs a task.
    pub(super) followers: usize,
    /// When reflected notes were looked for because there were too many.
    pub(super) swept: Option<Instant>,
    /// Keys to enqueue when the lock is released.
    pub(super) due: Vec<ObjectKey>,
    /// Keys whose waits have ended in time, and how long those took: to be reported when the lock is released.
    pub(super) ended: Vec<(ObjectKey, Duration)>,
}

/// The end of a time limit, and a number that no other has.
pub(super) type Deadline = (Instant, u64);

pub(super) struct Note {
    pub(super) awaited: Awaited,
    /// The version of the first write. If a list skips it, no event may have led to a run.
    pub(super) first: Option<Str>,
    /// The outcome of a write is not known: the server must be asked.
    pub(super) unknown: bool,
    /// A run has waited for it for too long: no other run waits.
    pub(super) expired: bool,
    pub(super) keys: Vec<ObjectKey>,
    /// The number of the newest write. It shows whether others have written the object in the meantime.
    pub(super) number: u64,
    /// The number of the oldest write that the cache may not show. A run waits for the note if that is not newer than the beginning of
    /// its wait, even if others have written the object since.
    pub(super) since: u64,
    /// The number of the newest write with a known outcome: `awaited` is the state after it.
    known: u64,
    /// A write that others have followed. When the cache shows it, the waits up to it end.
    mark: Option<Mark>,
}

pub(super) struct Mark {
    number: u64,
    pub(super) awaited: Awaited,
}

/// A key that is held back.
pub(super) struct Held {
    pub(super) since: Instant,
    /// A note that it waits for.
    pub(super) place: Place,
    /// It does not wait for notes that are newer than this number.
    pub(super) newest: u64,
    /// Whether a handler holds it, perhaps while it runs: then its next run must look at all notes.
    pub(super) by_handler: bool,
    /// The end of the time limit; `None` if a task waits.
    pub(super) deadline: Option<Deadline>,
}

impl Note {
    pub(super) fn mark(&self) -> Option<&Mark> {
        self.mark.as_ref()
    }
}

impl Notes {
    pub(super) fn add(&mut self, place: &Place, awaited: Awaited, unknown: bool, keys: Vec<ObjectKey>) {
        self.last += 1;
        let note = self.objects.entry(place.clone()).or_insert_with(|| Note {
            awaited: Awaited::default(),
            first: None,
            unknown: false,
            expired: false,
            keys: Vec::new(),
            number: 0,
            since: self.last,
            known: 0,
            mark: None,
        });
        if note.known > 0 && note.mark.is_none() {
            note.mark = Some(Mark { number: note.known, awaited: note.awaited.clone() });
        }
        if !unknown {
            note.known = self.last;
        }
        note.number = self.last;
        note.expired = false;
        if note.first.is_none() {
            note.first.clone_from(&awaited.resource_version);
        }
        // An object that is written after its deletion is a new one.
        if awaited.resource_version.is_some() {
            note.awaited.undelete();
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

    /// The server has shown the state of an object.
    pub(super) fn found(&mut self, place: &Place, number: u64, awaited: &Awaited) {
        if let Some(note) = self.objects.get_mut(place).filter(|note| note.number == number) {
            note.awaited = awaited.clone();
            (note.unknown, note.known, note.mark) = (false, number, None);
            if note.first.is_none() {
                note.first.clone_from(&awaited.resource_version);
            }
        }
    }

    /// The cache shows the marked write of an object.
    pub(super) fn reached_mark(&mut self, place: &Place) {
        let Some(note) = self.objects.get_mut(place) else { return };
        let Some(Mark { number, .. }) = note.mark.take() else { return };
        note.since = note.since.max(number + 1);
        if note.known > number {
            note.mark = Some(Mark { number: note.known, awaited: note.awaited.clone() });
        }
    }

    /// The notes of a key that a run must wait for, if it waits for those up to a number.
    pub(super) fn of_key(&self, key: &ObjectKey, newest: u64) -> impl Iterator<Item = (&Place, &Note)> {
        let places = self.keys.get(key).into_iter().flatten();
        places
            .filter_map(|place| self.objects.get_key_value(place))
            .filter(move |(_, note)| note.since <= newest && !note.expired)
    }

    /// Ends the hold of a key, which is enqueued when the lock is released.
    pub(super) fn end_hold(&mut self, key: &ObjectKey) -> Option<Held> {
        let held = self.held.remove(key)?;
        if let Some(deadline) = &held.deadline {
            self.deadlines.remove(deadline);
        }
        if self.keys.contains_key(key) {
            self.released.insert(key.clone(), if held.by_handler { u64::MAX } else { held.newest });
        }
        self.due.push(key.clone());
        Some(held)
    }

    /// A run has waited for a note up to the write with this number. Newer writes concern the runs after it.
    pub(super) fn waited(&mut self, place: &Place, number: u64) {
        if let Some(note) = self.objects.get_mut(place) {
            note.since = note.since.max(number + 1);
        }
    }

    /// Removes a note, and returns it.
    pub(super) fn remove(&mut self, place: &Place) -> Option<Note> {
        let note = self.objects.remove(place)?;
        for key in &note.keys {
            if let Some(places) = self.keys.get_mut(key) {
                places.retain(|other| other != place);
                if places.is_empty() {
                    self.keys.remove(key);
                    // The next run of the key must see all writes from now on.
                    self.released.remove(key);
                }
            }
        }
        Some(note)
    }
}
