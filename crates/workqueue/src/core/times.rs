//! The times of adds and handouts. The core keeps them only when metrics are on.

use super::delays::Nanos;
use super::slots::{List, Slots};

#[derive(Clone, Copy, Debug, Default)]
struct Stamp {
    added: Nanos,
    started: Nanos,
}

/// The stamps of each slot, and the list of slots in progress.
#[derive(Debug)]
pub(crate) struct Times {
    stamps: Vec<Stamp>,
    running: List,
}

/// The ages of the runs in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unfinished {
    pub(crate) total: Nanos,
    pub(crate) longest: Nanos,
}

impl Times {
    pub(crate) fn new() -> Self {
        Self { stamps: Vec::new(), running: List::new() }
    }

    pub(crate) fn enter(&mut self, slot: u32) {
        match self.stamps.get_mut(slot as usize) {
            Some(stamp) => *stamp = Stamp::default(),
            None => self.stamps.push(Stamp::default()),
        }
    }

    /// Notes that the key became wanted.
    pub(crate) fn added(&mut self, slot: u32, now: Nanos) {
        self.stamps[slot as usize].added = now;
    }

    /// Notes a handout; returns how long the key was wanted.
    pub(crate) fn started<K>(&mut self, slots: &mut Slots<K>, slot: u32, now: Nanos) -> Nanos {
        let stamp = &mut self.stamps[slot as usize];
        stamp.started = now;
        let waited = now.saturating_sub(stamp.added);
        slots.push_back(&mut self.running, slot);
        waited
    }

    /// Notes the end of a run; returns how long it took.
    pub(crate) fn ended<K>(&mut self, slots: &mut Slots<K>, slot: u32, now: Nanos) -> Nanos {
        slots.unlink(&mut self.running, slot);
        now.saturating_sub(self.stamps[slot as usize].started)
    }

    pub(crate) fn unfinished<K>(&self, slots: &Slots<K>, now: Nanos) -> Unfinished {
        let ages =
            slots.iter(self.running).map(|slot| now.saturating_sub(self.stamps[slot as usize].started));
        ages.fold(Unfinished::default(), |so_far, age| Unfinished {
            total: so_far.total.saturating_add(age),
            longest: so_far.longest.max(age),
        })
    }

    /// Frees the memory of a burst. Call it only when no slot is left.
    pub(crate) fn reset(&mut self) {
        self.stamps = Vec::new();
    }
}
