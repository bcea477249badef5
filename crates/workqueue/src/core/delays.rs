//! Keys that wait for a deadline: a four-way heap that knows the position of each slot in it.
//!
//! Ordered by deadline, then by the order of the calls. A slot waits at most once; an earlier deadline moves it
//! forward in place. So memory is one entry per waiting key, however often it is added.

use super::slots::NIL;

/// A point in time, in nanoseconds since the queue was made. `u64::MAX` never comes.
pub(crate) type Nanos = u64;

const ARITY: usize = 4;

#[derive(Clone, Copy, Debug)]
struct Wait {
    deadline: Nanos,
    /// Breaks ties by the order of the calls.
    sequence: u64,
    slot: u32,
    priority: i32,
}

impl Wait {
    fn before(&self, other: &Self) -> bool {
        (self.deadline, self.sequence) < (other.deadline, other.sequence)
    }
}

/// The waiting keys.
#[derive(Debug, Default)]
pub(crate) struct Delays {
    heap: Vec<Wait>,
    /// The position of each slot in the heap, or `NIL`. Grows when a slot waits for the first time.
    places: Vec<u32>,
    sequence: u64,
}

impl Delays {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Returns the earliest deadline.
    #[inline]
    pub(crate) fn next(&self) -> Option<Nanos> {
        self.heap.first().map(|wait| wait.deadline)
    }

    /// Adds a slot that does not wait yet.
    pub(crate) fn insert(&mut self, slot: u32, deadline: Nanos, priority: i32) {
        self.sequence += 1;
        let place = self.heap.len();
        self.heap.push(Wait { deadline, sequence: self.sequence, slot, priority });
        if self.places.len() <= slot as usize {
            self.places.resize(slot as usize + 1, NIL);
        }
        self.rise(place);
    }

    /// Changes a waiting slot: it keeps the earlier deadline and the higher priority.
    pub(crate) fn merge(&mut self, slot: u32, deadline: Nanos, priority: i32) {
        let place = self.places[slot as usize] as usize;
        let wait = &mut self.heap[place];
        wait.priority = wait.priority.max(priority);
        if deadline < wait.deadline {
            wait.deadline = deadline;
            self.sequence += 1;
            wait.sequence = self.sequence;
            self.rise(place);
        }
    }

    /// Returns the priority with which a waiting slot will be queued.
    pub(crate) fn priority(&self, slot: u32) -> Option<i32> {
        let place = *self.places.get(slot as usize)?;
        self.heap.get(place as usize).map(|wait| wait.priority)
    }

    /// Returns the deadline of a waiting slot.
    pub(crate) fn deadline(&self, slot: u32) -> Option<Nanos> {
        let place = *self.places.get(slot as usize)?;
        self.heap.get(place as usize).map(|wait| wait.deadline)
    }

    /// Removes the first slot that is due.
    #[inline]
    pub(crate) fn pop_due(&mut self, now: Nanos) -> Option<(u32, i32)> {
        let first = *self.heap.first()?;
        if first.deadline > now || first.deadline == Nanos::MAX {
            return None;
        }
        self.pop();
        Some((first.slot, first.priority))
    }

    /// Removes the slot with the earliest deadline, due or not.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let first = *self.heap.first()?;
        self.places[first.slot as usize] = NIL;
        let last = self.heap.pop()?;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.sink(0);
        }
        Some(first.slot)
    }

    fn rise(&mut self, mut place: usize) {
        let wait = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if !wait.before(&self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, wait);
    }

    fn sink(&mut self, mut place: usize) {
        let wait = self.heap[place];
        loop {
            let first = place * ARITY + 1;
            if first >= self.heap.len() {
                break;
            }
            let last = (first + ARITY).min(self.heap.len());
            let mut earliest = first;
            for child in first + 1..last {
                if self.heap[child].before(&self.heap[earliest]) {
                    earliest = child;
                }
            }
            if !self.heap[earliest].before(&wait) {
                break;
            }
            self.put(place, self.heap[earliest]);
            place = earliest;
        }
        self.put(place, wait);
    }

    #[allow(clippy::cast_possible_truncation, reason = "a heap holds one entry per slot, and slots are u32")]
    fn put(&mut self, place: usize, wait: Wait) {
        self.heap[place] = wait;
        self.places[wait.slot as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compared with a sorted list: the earlier deadline stays, and ties keep the order of the calls.
        #[test]
        fn agrees_with_a_sorted_list(asks in proptest::collection::vec((0_u32..40, 0_u64..50), 0..200)) {
            let mut delays = Delays::default();
            let mut plain: Vec<(Nanos, usize, u32)> = Vec::new();
            for (asked, &(slot, deadline)) in asks.iter().enumerate() {
                match plain.iter_mut().find(|wait| wait.2 == slot) {
                    None => {
                        delays.insert(slot, deadline, 0);
                        plain.push((deadline, asked, slot));
                    }
                    Some(wait) => {
                        delays.merge(slot, deadline, 0);
                        if deadline < wait.0 {
                            *wait = (deadline, asked, slot);
                        }
                    }
                }
            }
            plain.sort_unstable();
            let mut out = Vec::new();
            while let Some((slot, _)) = delays.pop_due(1_000) {
                out.push(slot);
            }
            prop_assert_eq!(out, plain.iter().map(|wait| wait.2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_key_is_due_early_and_the_last_deadline_never_comes() {
        let mut delays = Delays::default();
        delays.insert(0, 10, 0);
        delays.insert(1, Nanos::MAX, 0);
        assert_eq!(delays.pop_due(9), None);
        assert_eq!(delays.pop_due(10), Some((0, 0)));
        assert_eq!(delays.pop_due(Nanos::MAX), None);
        assert_eq!(delays.len(), 1);
    }
}
