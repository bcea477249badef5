//! The keys of one priority: first in, first out, or by turns of the tenants when fairness is on.
//!
//! Turns are stride scheduling. Each tenant has a pass; the tenant with the lowest pass goes next and adds its
//! stride to it. A tenant that joins starts one stride after the pass of the last turn: it earns no credit by
//! being idle, nor by leaving and coming back.

use std::collections::{BTreeSet, HashMap};

use super::slots::{List, Slots};
use super::tenants::Tenants;

/// The order inside one priority.
#[derive(Debug)]
pub(crate) enum LevelQueue {
    Plain(List),
    Fair(Box<Fair>),
}

#[derive(Debug, Default)]
pub(crate) struct Fair {
    /// Tenants with queued keys, by pass; the sequence lets equal passes take turns.
    turns: BTreeSet<(u64, u64, u32)>,
    queues: HashMap<u32, Queue>,
    /// The pass of the last turn.
    pass: u64,
    sequence: u64,
}

#[derive(Debug)]
struct Queue {
    list: List,
    pass: u64,
    sequence: u64,
}

impl LevelQueue {
    pub(crate) fn new(fair: bool) -> Self {
        if fair { Self::Fair(Box::default()) } else { Self::Plain(List::new()) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Plain(list) => list.is_empty(),
            Self::Fair(fair) => fair.turns.is_empty(),
        }
    }

    pub(crate) fn push<K>(&mut self, slots: &mut Slots<K>, tenants: &Tenants, tenant: u32, slot: u32) {
        match self {
            Self::Plain(list) => slots.push_back(list, slot),
            Self::Fair(fair) => fair.push(slots, tenants, tenant, slot),
        }
    }

    pub(crate) fn pop<K>(&mut self, slots: &mut Slots<K>, tenants: &Tenants) -> Option<u32> {
        match self {
            Self::Plain(list) => {
                let slot = list.head()?;
                slots.unlink(list, slot);
                Some(slot)
            }
            Self::Fair(fair) => fair.pop(slots, tenants),
        }
    }

    /// The number of keys, or of those before a slot if there is no fairness between tenants.
    pub(crate) fn count<K>(&self, slots: &Slots<K>, before: Option<u32>) -> usize {
        match self {
            Self::Plain(list) => slots.iter(*list).take_while(|slot| Some(*slot) != before).count(),
            Self::Fair(fair) => {
                let all: usize = fair.queues.values().map(|queue| slots.iter(queue.list).count()).sum();
                all - usize::from(before.is_some())
            }
        }
    }

    pub(crate) fn remove<K>(&mut self, slots: &mut Slots<K>, tenant: u32, slot: u32) {
        match self {
            Self::Plain(list) => slots.unlink(list, slot),
            Self::Fair(fair) => fair.remove(slots, tenant, slot),
        }
    }
}

impl Fair {
    fn push<K>(&mut self, slots: &mut Slots<K>, tenants: &Tenants, tenant: u32, slot: u32) {
        if let Some(queue) = self.queues.get_mut(&tenant) {
            slots.push_back(&mut queue.list, slot);
            return;
        }
        self.sequence += 1;
        let mut queue =
            Queue { list: List::new(), pass: self.pass + tenants.stride(tenant), sequence: self.sequence };
        slots.push_back(&mut queue.list, slot);
        self.turns.insert((queue.pass, queue.sequence, tenant));
        self.queues.insert(tenant, queue);
    }

    fn pop<K>(&mut self, slots: &mut Slots<K>, tenants: &Tenants) -> Option<u32> {
        let (pass, _, tenant) = self.turns.pop_first()?;
        self.pass = pass;
        let queue = self.queues.get_mut(&tenant)?;
        let slot = queue.list.head()?;
        slots.unlink(&mut queue.list, slot);
        if queue.list.is_empty() {
            self.queues.remove(&tenant);
        } else {
            self.sequence += 1;
            queue.pass = pass + tenants.stride(tenant);
            queue.sequence = self.sequence;
            self.turns.insert((queue.pass, queue.sequence, tenant));
        }
        Some(slot)
    }

    fn remove<K>(&mut self, slots: &mut Slots<K>, tenant: u32, slot: u32) {
        let Some(queue) = self.queues.get_mut(&tenant) else { return };
        slots.unlink(&mut queue.list, slot);
        if queue.list.is_empty() {
            self.turns.remove(&(queue.pass, queue.sequence, tenant));
            self.queues.remove(&tenant);
        }
    }
}
