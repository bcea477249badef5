//! The writes that caches do not show yet.

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
    /// Keys with notes whose hold is over: the next run does not wait for notes that are newer than this number.
    pub(super) released: HashMap<ObjectKey, u64>,
    /// The number of the last note.
    pub(super) last: u64,
    /// Keys to enqueue when the lock is released.
    pub(super) due: Vec<ObjectKey>,
}

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
}

pub(super) struct Held {
    pub(super) since: Instant,
    pub(super) place: Place,
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
        });
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

    /// A run has waited for a note up to the write with this number. Newer writes concern the runs after it.
    pub(super) fn waited(&mut self, place: &Place, number: u64) {
        if let Some(note) = self.objects.get_mut(place) {
            note.since = note.since.max(number + 1);
        }
    }

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
