//! The queue as a state machine: operations and the time go in, results come out.
//!
//! It has no lock, no clock, no waker and no hashing: the shell adds those. The state of a key is a set of
//! flags (see [`slots::flag`]); a slot without flags is freed. `now` matters only to delays and metrics, and
//! the shell passes zero when neither is in use.

mod delays;
mod index;
mod level_queue;
mod levels;
mod slots;
mod tenants;
mod times;

use self::delays::Delays;
pub(crate) use self::delays::Nanos;
use self::levels::Levels;
use self::slots::{List, Slots, flag};
use self::times::Times;
pub(crate) use self::times::Unfinished;
use crate::canary::is as is_canary;

/// The number of slots that the queue keeps after a burst. It frees a larger table once it holds no key.
const KEPT_SLOTS: usize = 4096;

/// The options of the core.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Config {
    pub(crate) priority: bool,
    pub(crate) ageing: Option<u32>,
    pub(crate) fair: bool,
    pub(crate) times: bool,
}

/// A key to add.
#[derive(Debug)]
pub(crate) struct Entry<'a, K> {
    pub(crate) hash: u32,
    pub(crate) key: K,
    /// `None` keeps the current priority of the key; zero for a new key.
    pub(crate) priority: Option<i32>,
    /// Name and weight, when fairness is on.
    pub(crate) tenant: Option<(&'a str, u32)>,
}

/// The effect of an add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    /// The key can be handed out now.
    Queued { priority: i32 },
    /// The key is in progress, and is queued when the run ends.
    Marked { priority: i32 },
    /// The key was already wanted, at this lower priority.
    Raised { from: i32, to: i32 },
    /// The key was already wanted.
    Known,
    /// The queue is shutting down.
    Refused,
}

/// The identity of a run: the slot of its key, and a number that distinguishes it from other runs of that slot.
///
/// One word, so that it moves in one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run(u64);

impl Run {
    #[inline]
    fn new(slot: u32, number: u32) -> Self {
        Self(u64::from(number) << 32 | u64::from(slot))
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the lower half")]
    fn slot(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
    fn number(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// A key that was handed out: the identity of the run, and the data for the metrics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) run: Run,
    pub(crate) priority: i32,
    pub(crate) waited: Nanos,
}

/// The end of a run.
#[derive(Debug)]
pub(crate) struct Ended<K> {
    /// Whether the key was added in the meantime and is queued again.
    pub(crate) requeued: bool,
    /// Whether no run is left in progress.
    pub(crate) idle: bool,
    pub(crate) worked: Nanos,
    /// The key, if the queue no longer needs it. The caller drops it outside all locks.
    pub(crate) key: Option<K>,
}

/// The state of one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// The number of keys before it, if it is queued.
    pub(crate) ahead: Option<usize>,
    pub(crate) processing: bool,
    /// Added again while in progress.
    pub(crate) again: bool,
    pub(crate) deadline: Option<Nanos>,
    pub(crate) backoff: bool,
}

/// The queue's state.
pub(crate) struct Core<K> {
    slots: Slots<K>,
    order: Order,
    queued: usize,
    processing: usize,
    /// Number of the next run.
    run: u32,
    delays: Delays,
    times: Option<Box<Times>>,
    shutting_down: bool,
}

enum Order {
    Plain(List),
    Levels(Box<Levels>),
}

impl<K> Core<K> {
    pub(crate) fn new(config: Config) -> Self {
        let order = if config.priority || config.fair {
            Order::Levels(Box::new(Levels::new(config.priority, config.ageing, config.fair)))
        } else {
            Order::Plain(List::new())
        };
        Self {
            slots: Slots::new(),
            order,
            queued: 0,
            processing: 0,
            run: 0,
            delays: Delays::default(),
            times: config.times.then(|| Box::new(Times::new())),
            shutting_down: false,
        }
    }

    /// Prepares for adds of keys with these hashes.
    pub(crate) fn warm(&self, hashes: impl Iterator<Item = u32>) {
        self.slots.warm(hashes);
    }

    /// Keys that can be handed out now.
    pub(crate) fn len(&self) -> usize {
        self.queued
    }

    /// Keys handed out and not done.
    pub(crate) fn processing(&self) -> usize {
        self.processing
    }

    /// Keys that wait for their time.
    pub(crate) fn waiting(&self) -> usize {
        self.delays.len()
    }

    pub(crate) fn has_delays(&self) -> bool {
        !self.delays.is_empty()
    }

    pub(crate) fn next_deadline(&self) -> Option<Nanos> {
        self.delays.next()
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// The key of a run in progress.
    #[inline]
    pub(crate) fn key(&self, run: Run) -> &K {
        self.slots.key(run.slot()).expect("a slot has its key until its run has ended")
    }

    /// Queues a slot, or marks it to be queued when its run ends, or raises its priority.
    #[inline]
    fn want(&mut self, slot: u32, priority: i32, now: Nanos) -> Added {
        let flags = self.slots.flags(slot);
        if flags & (flag::QUEUED | flag::DIRTY) != 0 {
            let Order::Levels(levels) = &mut self.order else { return Added::Known };
            let from = levels.priority(slot);
            if priority <= from {
                return Added::Known;
            }
            if flags & flag::QUEUED != 0 {
                levels.change(&mut self.slots, slot, priority);
            } else {
                levels.set_priority(slot, priority);
            }
            let to = levels.priority(slot);
            return if to == from { Added::Known } else { Added::Raised { from, to } };
        }
        if let Some(times) = &mut self.times {
            times.added(slot, now);
        }
        let mut priority = priority;
        if let Order::Levels(levels) = &mut self.order {
            levels.set_priority(slot, priority);
            priority = levels.priority(slot);
        }
        if flags & flag::PROCESSING != 0 {
            if !is_canary(30) {
                self.slots.set(slot, flag::DIRTY);
            }
            return Added::Marked { priority };
        }
        self.enqueue(slot);
        Added::Queued { priority }
    }

    #[inline]
    fn enqueue(&mut self, slot: u32) {
        self.slots.set(slot, flag::QUEUED);
        self.queued += 1;
        match &mut self.order {
            Order::Plain(list) => self.slots.push_back(list, slot),
            Order::Levels(levels) => levels.push(&mut self.slots, slot),
        }
    }

    #[inline]
    fn enter(&mut self, hash: u32, key: K, tenant: Option<(&str, u32)>) -> u32 {
        let slot = self.slots.insert(hash, key);
        if let Order::Levels(levels) = &mut self.order {
            levels.enter(slot, tenant);
        }
        if let Some(times) = &mut self.times {
            times.enter(slot);
        }
        slot
    }

    /// Returns the priority for an entry without one.
    fn kept_priority(&self, slot: u32) -> i32 {
        let Order::Levels(levels) = &self.order else { return 0 };
        let flags = self.slots.flags(slot);
        if flags & flag::PROCESSING != 0 {
            levels.run_priority(slot)
        } else if flags & flag::QUEUED != 0 {
            levels.priority(slot)
        } else {
            self.delays.priority(slot).unwrap_or(0)
        }
    }

    /// Hands out the next key: the caller clones it through [`Core::key`].
    #[inline]
    pub(crate) fn take(&mut self, now: Nanos) -> Option<Taken> {
        let slot = match &mut self.order {
            Order::Plain(list) => {
                let slot = list.head()?;
                self.slots.unlink(list, slot);
                slot
            }
            Order::Levels(levels) => levels.pop(&mut self.slots)?,
        };
        self.queued -= 1;
        self.processing += 1;
        self.slots.clear(slot, flag::QUEUED);
        if !is_canary(31) {
            self.slots.set(slot, flag::PROCESSING);
        }
        if self.slots.has(slot, flag::BACKOFF) {
            self.slots.set(slot, flag::EARLY);
        }
        let run = self.run;
        self.run = self.run.wrapping_add(1);
        self.slots.start_run(slot, run);
        let priority = match &self.order {
            Order::Plain(_) => 0,
            Order::Levels(levels) => levels.run_priority(slot),
        };
        let waited = match &mut self.times {
            None => 0,
            Some(times) => times.started(&mut self.slots, slot, now),
        };
        Some(Taken { run: Run::new(slot, run), priority, waited })
    }

    /// Ends a run; `None` if it is not in progress.
    #[inline]
    pub(crate) fn end(&mut self, run: Run, now: Nanos) -> Option<Ended<K>> {
        if !self.slots.is_run(run.slot(), run.number()) {
            return None;
        }
        Some(self.end_slot(run.slot(), now))
    }

    #[inline]
    fn end_slot(&mut self, slot: u32, now: Nanos) -> Ended<K> {
        self.processing -= 1;
        let worked = match &mut self.times {
            None => 0,
            Some(times) => times.ended(&mut self.slots, slot, now),
        };
        let requeued = self.slots.has(slot, flag::DIRTY);
        self.slots.clear(slot, flag::PROCESSING | flag::DIRTY);
        let mut key = None;
        if requeued {
            self.enqueue(slot);
        } else {
            key = self.release(slot);
        }
        Ended { requeued, idle: self.processing == 0, worked, key }
    }

    /// Removes a key that was just taken and that its caller never got. Returns whether no run is left, and the
    /// key unless it waits for a deadline.
    pub(crate) fn discard(&mut self, run: Run, now: Nanos) -> (bool, Option<K>) {
        let ended = self.end_slot(run.slot(), now);
        (ended.idle, ended.key)
    }

    /// Frees the slot if the key is neither queued, nor in progress, nor waiting.
    #[inline]
    fn release(&mut self, slot: u32) -> Option<K> {
        if self.slots.flags(slot) & (flag::QUEUED | flag::PROCESSING | flag::WAITING) != 0 {
            return None;
        }
        if let Order::Levels(levels) = &mut self.order {
            levels.leave(slot);
        }
        let key = self.slots.remove(slot);
        if self.slots.live() == 0 && self.slots.high_water() > KEPT_SLOTS {
            self.reset();
        }
        key
    }

    /// Frees the memory of a burst. The queue holds no key, so this runs no drop code of the user.
    #[cold]
    fn reset(&mut self) {
        self.slots = Slots::new();
        self.delays = Delays::default();
        if let Order::Levels(levels) = &mut self.order {
            levels.reset();
        }
        if let Some(times) = &mut self.times {
            times.reset();
        }
    }

    /// Queues the keys that are due, and passes each to `seen`.
    #[inline]
    pub(crate) fn advance(&mut self, now: Nanos, mut seen: impl FnMut(Added)) {
        while let Some((slot, priority)) = self.delays.pop_due(now) {
            self.slots.clear(slot, flag::WAITING | flag::BACKOFF | flag::EARLY);
            if !is_canary(32) {
                seen(self.want(slot, priority, now));
            }
        }
    }

    pub(crate) fn unfinished(&self, now: Nanos) -> Unfinished {
        self.times.as_ref().map_or(Unfinished::default(), |times| times.unfinished(&self.slots, now))
    }

    /// Refuses further adds. Returns the keys that wait for a deadline, for the caller to drop.
    pub(crate) fn shutdown(&mut self) -> Vec<K> {
        self.shutting_down = true;
        let mut dropped = Vec::new();
        while let Some(slot) = self.delays.pop() {
            self.slots.clear(slot, flag::WAITING | flag::BACKOFF | flag::EARLY);
            dropped.extend(self.release(slot));
        }
        dropped
    }
}

impl<K: Eq> Core<K> {
    /// Marks a key as wanted. Returns the key if the core does not keep it, for the caller to drop.
    #[inline]
    pub(crate) fn add(&mut self, entry: Entry<'_, K>, now: Nanos) -> (Added, Option<K>) {
        if self.shutting_down {
            return (Added::Refused, Some(entry.key));
        }
        if let Some(slot) = self.slots.find(entry.hash, |key| *key == entry.key) {
            let priority = entry.priority.unwrap_or_else(|| self.kept_priority(slot));
            (self.want(slot, priority, now), Some(entry.key))
        } else {
            let slot = self.enter(entry.hash, entry.key, entry.tenant);
            (self.want(slot, entry.priority.unwrap_or(0), now), None)
        }
    }

    /// Does the work of [`Core::add`] when neither time nor priority nor tenant matter.
    #[inline]
    pub(crate) fn add_plain(&mut self, hash: u32, key: K) -> (Added, Option<K>) {
        if let Some(slot) = self.slots.find(hash, |other| *other == key) {
            return (self.want(slot, 0, 0), Some(key));
        }
        let slot = self.slots.insert(hash, key);
        self.enqueue(slot);
        (Added::Queued { priority: 0 }, None)
    }

    /// Makes a key wanted at `deadline`, or at an earlier deadline for which it already waits.
    ///
    /// `backoff`: the limiter has counted a failure for this delay.
    pub(crate) fn add_at(
        &mut self,
        entry: Entry<'_, K>,
        deadline: Nanos,
        backoff: bool,
        now: Nanos,
    ) -> (Added, Option<K>) {
        if deadline <= now {
            return self.add(entry, now);
        }
        if self.shutting_down {
            return (Added::Refused, Some(entry.key));
        }
        let found = self.slots.find(entry.hash, |key| *key == entry.key);
        let priority = entry.priority.unwrap_or_else(|| found.map_or(0, |slot| self.kept_priority(slot)));
        let (slot, spare) = match found {
            Some(slot) => (slot, Some(entry.key)),
            None => (self.enter(entry.hash, entry.key, entry.tenant), None),
        };
        if self.slots.has(slot, flag::WAITING) {
            self.delays.merge(slot, deadline, priority);
        } else {
            self.slots.set(slot, flag::WAITING);
            self.delays.insert(slot, deadline, priority);
        }
        if backoff {
            // The run that asks for it, if there is one, was not early: its failure has just been counted.
            self.slots.set(slot, flag::BACKOFF);
            self.slots.clear(slot, flag::EARLY);
        }
        (Added::Known, spare)
    }

    /// Returns the state of a key; `None` if the queue does not have it. Takes time in proportion to the keys before it.
    pub(crate) fn standing(&self, hash: u32, key: &K) -> Option<Standing> {
        let slot = self.slots.find(hash, |other| other == key)?;
        let has = |flag| self.slots.has(slot, flag);
        let ahead = has(flag::QUEUED).then(|| match &self.order {
            Order::Plain(list) => self.slots.iter(*list).take_while(|other| *other != slot).count(),
            Order::Levels(levels) => levels.ahead(&self.slots, slot),
        });
        let deadline = if has(flag::WAITING) { self.delays.deadline(slot) } else { None };
        Some(Standing {
            ahead,
            processing: has(flag::PROCESSING),
            again: has(flag::DIRTY),
            deadline,
            backoff: has(flag::BACKOFF),
        })
    }

    /// Returns whether the current run of this key began during a backoff that is still pending.
    pub(crate) fn is_early(&self, hash: u32, key: &K) -> bool {
        self.slots.find(hash, |other| other == key).is_some_and(|slot| {
            self.slots.flags(slot) & (flag::BACKOFF | flag::EARLY) == flag::BACKOFF | flag::EARLY
        })
    }

    /// Notes that the pending backoff of this key, if any, no longer belongs to a counted failure.
    pub(crate) fn forget(&mut self, hash: u32, key: &K) {
        if let Some(slot) = self.slots.find(hash, |other| other == key) {
            self.slots.clear(slot, flag::BACKOFF | flag::EARLY);
        }
    }

    /// Ends the run of a key, regardless of its worker; `None` if the key is not in progress.
    pub(crate) fn end_key(&mut self, hash: u32, key: &K, now: Nanos) -> Option<Ended<K>> {
        let slot = self.slots.find(hash, |other| other == key)?;
        self.slots.has(slot, flag::PROCESSING).then(|| self.end_slot(slot, now))
    }
}

#[cfg(test)]
mod tests;
