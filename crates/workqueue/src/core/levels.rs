//! The order when priority or fairness is on: one queue per priority, highest first, with ageing.
//!
//! Ageing counts handouts, not seconds: a level that was skipped `ageing` times in a row gets the next handout,
//! with at least `ageing` handouts between two such turns. So with `L` levels in use, each gets at least one of
//! every `(ageing + 1) * L` handouts regardless of the load above it, and the highest keeps the rest. Seconds
//! would not work: an initial list that takes minutes to drain would age as a whole and then overtake live
//! events.

use std::collections::{BTreeMap, BTreeSet};

use super::level_queue::LevelQueue;
use super::slots::{NIL, Slots};
use super::tenants::Tenants;

/// The order's record of a slot.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The priority at which it is queued, or will be when its run ends.
    priority: i32,
    /// The priority of the run in progress.
    run: i32,
    tenant: u32,
}

#[derive(Debug)]
struct Level {
    queue: LevelQueue,
    /// The number of the handout that last served it, or at which the level was made.
    served: u64,
}

/// All levels.
#[derive(Debug)]
pub(crate) struct Levels {
    by_priority: BTreeMap<i32, Level>,
    /// Ordered by the handout that last served them.
    by_age: BTreeSet<(u64, i32)>,
    places: Vec<Place>,
    pub(crate) tenants: Tenants,
    handouts: u64,
    /// The handout that last went to an aged level.
    aged: u64,
    ageing: Option<u32>,
    priority: bool,
    fair: bool,
}

impl Levels {
    pub(crate) fn new(priority: bool, ageing: Option<u32>, fair: bool) -> Self {
        Self {
            by_priority: BTreeMap::new(),
            by_age: BTreeSet::new(),
            places: Vec::new(),
            tenants: Tenants::default(),
            handouts: 0,
            aged: 0,
            ageing: ageing.filter(|&ageing| ageing > 0),
            priority,
            fair,
        }
    }

    /// Registers a new slot; every other function expects a registered slot.
    pub(crate) fn enter(&mut self, slot: u32, tenant: Option<(&str, u32)>) {
        let tenant = match tenant {
            Some((name, weight)) if self.fair => self.tenants.enter(name, weight),
            _ => NIL,
        };
        let place = Place { priority: 0, run: 0, tenant };
        match self.places.get_mut(slot as usize) {
            Some(old) => *old = place,
            None => self.places.push(place),
        }
    }

    /// Removes a slot.
    pub(crate) fn leave(&mut self, slot: u32) {
        let tenant = self.places[slot as usize].tenant;
        if tenant != NIL {
            self.tenants.leave(tenant);
        }
    }

    pub(crate) fn priority(&self, slot: u32) -> i32 {
        self.places[slot as usize].priority
    }

    pub(crate) fn run_priority(&self, slot: u32) -> i32 {
        self.places[slot as usize].run
    }

    pub(crate) fn set_priority(&mut self, slot: u32, priority: i32) {
        self.places[slot as usize].priority = if self.priority { priority } else { 0 };
    }

    /// Queues a slot at its priority.
    pub(crate) fn push<K>(&mut self, slots: &mut Slots<K>, slot: u32) {
        let Place { priority, tenant, .. } = self.places[slot as usize];
        let level = self.by_priority.entry(priority).or_insert_with(|| {
            self.by_age.insert((self.handouts, priority));
            Level { queue: LevelQueue::new(self.fair), served: self.handouts }
        });
        level.queue.push(slots, &self.tenants, tenant, slot);
    }

    /// Moves a queued slot to the end of another priority.
    pub(crate) fn change<K>(&mut self, slots: &mut Slots<K>, slot: u32, priority: i32) {
        let Place { priority: old, tenant, .. } = self.places[slot as usize];
        if let Some(level) = self.by_priority.get_mut(&old) {
            level.queue.remove(slots, tenant, slot);
            self.retire(old);
        }
        self.set_priority(slot, priority);
        self.push(slots, slot);
    }

    /// The number of keys that are before a queued slot, without ageing; with fairness, all of its priority count.
    pub(crate) fn ahead<K>(&self, slots: &Slots<K>, slot: u32) -> usize {
        let own = self.priority(slot);
        let levels = self.by_priority.range(own..);
        levels.map(|(&priority, level)| level.queue.count(slots, (priority == own).then_some(slot))).sum()
    }

    /// Removes the slot whose turn it is.
    pub(crate) fn pop<K>(&mut self, slots: &mut Slots<K>) -> Option<u32> {
        let turn = self.turn()?;
        self.handouts += 1;
        let level = self.by_priority.get_mut(&turn)?;
        self.by_age.remove(&(level.served, turn));
        level.served = self.handouts;
        self.by_age.insert((level.served, turn));
        let slot = level.queue.pop(slots, &self.tenants)?;
        self.retire(turn);
        let place = &mut self.places[slot as usize];
        place.run = place.priority;
        Some(slot)
    }

    /// Frees the memory of a burst. Call it only when no slot is left.
    pub(crate) fn reset(&mut self) {
        self.places = Vec::new();
    }

    /// Returns the priority whose turn it is: the highest, or a level that was skipped for too long.
    fn turn(&mut self) -> Option<i32> {
        let (&highest, _) = self.by_priority.last_key_value()?;
        let Some(ageing) = self.ageing.map(u64::from) else { return Some(highest) };
        let &(served, oldest) = self.by_age.first()?;
        if oldest != highest && self.handouts - served >= ageing && self.handouts - self.aged >= ageing {
            self.aged = self.handouts + 1;
            return Some(oldest);
        }
        Some(highest)
    }

    /// Removes a level that has become empty.
    fn retire(&mut self, priority: i32) {
        if let Some(level) = self.by_priority.get(&priority)
            && level.queue.is_empty()
        {
            self.by_age.remove(&(level.served, priority));
            self.by_priority.remove(&priority);
        }
    }
}
