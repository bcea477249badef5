//! The notifications that wait for a handler: every event while it keeps up, merged events when it lags.

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use client_rs_machinery::{Object, ObjectKey, canary};

use crate::store::{Change, Stored};

/// Notifications that wait for a handler.
///
/// Up to `limit` of them wait unmerged. Beyond that a new one is merged with the last one that waits for the
/// same key, by the table of [`Delivery`](super::Delivery). The rule behind the table: the handler always gets
/// the state of its last notification as the old one, and the last state before a deletion. So a filter, or a
/// comparison of old and new, reaches the same result however many events were merged.
///
/// A merged event takes the place of the first of the two. So per key at most an update, a deletion and an
/// addition wait beyond the limit. The total is O(limit + keys that exist + deleted keys that the handler
/// knows), for any number of events. All operations take amortized constant time.
///
/// It assumes that the pushed events of each key are a valid history.
pub(crate) struct Pending<K> {
    /// `None` where an event was merged away.
    slots: VecDeque<Option<Waiting<K>>>,
    /// The number of the first slot; the others follow in sequence.
    first: u64,
    live: usize,
    limit: usize,
    /// The last slot of each key. Exists only near the limit.
    index: Option<HashMap<ObjectKey, u64>>,
    merged: u64,
}

struct Waiting<K> {
    change: Change<K>,
    since: Instant,
}

/// The result of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pushed {
    /// The notification waits.
    Appended,
    /// It was merged into one that waits.
    Merged,
    /// It and the waiting addition cancelled each other out.
    Cancelled {
        /// Whether that was an initial addition.
        was_initial: bool,
    },
}

/// The number of holes that are not worth closing.
const FEW: usize = 64;

impl<K: Object> Pending<K> {
    /// Makes an empty queue. With `usize::MAX` there is no limit.
    pub(crate) fn new(limit: usize) -> Self {
        Self { slots: VecDeque::new(), first: 0, live: 0, limit, index: None, merged: 0 }
    }

    /// Returns the number of waiting notifications.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// Returns the number of merged notifications so far.
    pub(crate) fn merged(&self) -> u64 {
        self.merged
    }

    /// Returns the time since which the first one waits.
    pub(crate) fn oldest(&self) -> Option<Instant> {
        self.slots.iter().flatten().next().map(|waiting| waiting.since)
    }

    /// Iterates over the waiting changes.
    #[cfg(feature = "sim")]
    pub(crate) fn changes(&self) -> impl Iterator<Item = &Change<K>> {
        self.slots.iter().flatten().map(|waiting| &waiting.change)
    }

    /// Adds a change. Objects that a merge displaces are added to `displaced`, except those that the change has too: nothing that may be
    /// the last reference to an object is dropped here, as long as the caller has the change itself.
    pub(crate) fn push(&mut self, change: Change<K>, now: Instant, displaced: &mut Vec<Stored<K>>) -> Pushed {
        if self.live < self.limit {
            if self.index.is_some() {
                let (key, number) = (change.key(), self.next_number());
                if let Some(index) = &mut self.index {
                    index.insert(key, number);
                }
            }
            return self.append(change, now);
        }
        let key = change.key();
        let number = self.next_number();
        let index = self.index.get_or_insert_with(|| build_index(&self.slots, self.first));
        let Some(&at) = index.get(&key) else {
            index.insert(key, number);
            return self.append(change, now);
        };
        let slot = &mut self.slots[position(at, self.first)];
        let waiting = slot.take().map(|waiting| (waiting.change, waiting.since));
        let (put, pushed) = match (waiting, change) {
            (Some((Change::Added { object, is_initial }, since)), Change::Updated { old, new }) => {
                displace(object, &old, displaced);
                (Some((Change::Added { object: new, is_initial }, since)), Pushed::Merged)
            }
            (Some((Change::Updated { old, new: between }, since)), Change::Updated { new, old: before }) => {
                displace(between, &before, displaced);
                let old = if canary!(2) { before } else { old };
                (Some((Change::Updated { old, new }, since)), Pushed::Merged)
            }
            // Only a replay waits: the handler already knows the last state.
            (
                Some((Change::Updated { old, new }, since)),
                deleted @ (Change::Deleted(_) | Change::Vanished(_)),
            ) if old.ptr_eq(&new) || canary!(1) => {
                displaced.push(new);
                (Some((deleted, since)), Pushed::Merged)
            }
            (Some((Change::Added { object, is_initial }, _)), Change::Deleted(_) | Change::Vanished(_)) => {
                displaced.push(object);
                (None, Pushed::Cancelled { was_initial: is_initial })
            }
            // An update and the deletion after it: a filter must see both. A deletion and the addition after
            // it. And everything that is not a valid history.
            (waiting, change) => {
                *slot = waiting.map(|(change, since)| Waiting { change, since });
                index.insert(key, number);
                return self.append(change, now);
            }
        };
        self.merged += 1;
        *slot = put.map(|(change, since)| Waiting { change, since });
        if matches!(pushed, Pushed::Cancelled { .. }) {
            // A deletion may wait before the cancelled addition. Nothing merges with it, so the index need not
            // find the key again.
            index.remove(&key);
            self.live -= 1;
            self.close_holes();
        }
        pushed
    }

    /// The next change.
    pub(crate) fn pop(&mut self) -> Option<Change<K>> {
        loop {
            let slot = self.slots.pop_front()?;
            let number = self.first;
            self.first += 1;
            let Some(waiting) = slot else { continue };
            self.live -= 1;
            if let Some(index) = &mut self.index {
                if self.live <= self.limit / 2 {
                    self.index = None;
                } else {
                    let key = waiting.change.key();
                    if index.get(&key) == Some(&number) {
                        index.remove(&key);
                    }
                }
            }
            if self.live == 0 && self.slots.capacity() > 16 * FEW {
                self.first += self.slots.len() as u64;
                self.slots = VecDeque::new();
            }
            return Some(waiting.change);
        }
    }

    /// Takes everything, for the caller to drop.
    #[must_use]
    pub(crate) fn take(&mut self) -> Self {
        let empty = Self { merged: self.merged, ..Self::new(self.limit) };
        std::mem::replace(self, empty)
    }

    fn append(&mut self, change: Change<K>, since: Instant) -> Pushed {
        self.slots.push_back(Some(Waiting { change, since }));
        self.live += 1;
        Pushed::Appended
    }

    fn next_number(&self) -> u64 {
        self.first + self.slots.len() as u64
    }

    /// Closes holes once there are as many as live slots, so that churn costs no memory.
    fn close_holes(&mut self) {
        while matches!(self.slots.back(), Some(None)) {
            self.slots.pop_back();
        }
        if self.slots.len() - self.live > self.live + FEW {
            self.slots.retain(Option::is_some);
            self.index = Some(build_index(&self.slots, self.first));
        }
    }
}

/// Adds an object of a waiting event to those that a merge displaces, unless it is the old state of the change that displaces it.
fn displace<K: Object>(object: Stored<K>, before: &Stored<K>, displaced: &mut Vec<Stored<K>>) {
    if !object.ptr_eq(before) {
        displaced.push(object);
    }
}

fn build_index<K: Object>(slots: &VecDeque<Option<Waiting<K>>>, first: u64) -> HashMap<ObjectKey, u64> {
    let numbers = first..;
    slots
        .iter()
        .zip(numbers)
        .filter_map(|(slot, number)| Some((slot.as_ref()?.change.key(), number)))
        .collect()
}

/// Returns the position of a numbered slot.
fn position(number: u64, first: u64) -> usize {
    usize::try_from(number - first).expect("slots in memory are counted by a usize")
}

#[cfg(test)]
mod tests;
