//! A set of slot numbers, sorted, four bytes each.

use std::sync::Arc;

/// The largest number of items per run. A change moves or copies one run.
const RUN: usize = 512;

/// A set of numbers. One number needs no heap; clones share unchanged parts.
#[derive(Clone, Debug, Default)]
pub(crate) enum SlotSet {
    #[default]
    Empty,
    One(u32),
    /// Two to `RUN` of them, ascending.
    Few(Arc<Vec<u32>>),
    /// Runs that are not empty, ascending.
    Many(Arc<Vec<Arc<Vec<u32>>>>),
}

impl SlotSet {
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Empty => 0,
            Self::One(_) => 1,
            Self::Few(run) => run.len(),
            Self::Many(runs) => runs.iter().map(|run| run.len()).sum(),
        }
    }

    /// Bytes of heap.
    pub(crate) fn heap_size(&self) -> usize {
        // A strong and a weak count precede each shared value.
        let shared =
            |run: &Vec<u32>| 2 * size_of::<usize>() + size_of_val(run) + run.capacity() * size_of::<u32>();
        match self {
            Self::Empty | Self::One(_) => 0,
            Self::Few(run) => shared(run),
            Self::Many(runs) => {
                let list =
                    2 * size_of::<usize>() + size_of_val(&**runs) + runs.capacity() * size_of::<usize>();
                list + runs.iter().map(|run| shared(run)).sum::<usize>()
            }
        }
    }

    /// Iterates over the numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        let (one, few, many): (_, &[u32], &[Arc<Vec<u32>>]) = match self {
            Self::Empty => (None, &[], &[]),
            Self::One(slot) => (Some(*slot), &[], &[]),
            Self::Few(run) => (None, run, &[]),
            Self::Many(runs) => (None, &[], runs),
        };
        one.into_iter().chain(few.iter().copied()).chain(many.iter().flat_map(|run| run.iter().copied()))
    }

    /// Adds a number; returns whether it is new.
    pub(crate) fn insert(&mut self, slot: u32) -> bool {
        match self {
            Self::Empty => *self = Self::One(slot),
            Self::One(one) if *one == slot => return false,
            Self::One(one) => *self = Self::Few(Arc::new(vec![slot.min(*one), slot.max(*one)])),
            Self::Few(run) => {
                let Err(at) = run.binary_search(&slot) else { return false };
                let run = Arc::make_mut(run);
                run.insert(at, slot);
                if run.len() > RUN {
                    let upper = run.split_off(split_at(run, slot));
                    let lower = std::mem::take(run);
                    *self = Self::Many(Arc::new(vec![Arc::new(lower), Arc::new(upper)]));
                }
            }
            Self::Many(runs) => {
                let number = run_of(runs, slot);
                let Err(at) = runs[number].binary_search(&slot) else { return false };
                let runs = Arc::make_mut(runs);
                let run = Arc::make_mut(&mut runs[number]);
                run.insert(at, slot);
                if run.len() > RUN {
                    let upper = run.split_off(split_at(run, slot));
                    runs.insert(number + 1, Arc::new(upper));
                }
            }
        }
        true
    }

    /// Removes a number; returns whether it existed.
    pub(crate) fn remove(&mut self, slot: u32) -> bool {
        match self {
            Self::One(one) if *one == slot => *self = Self::Empty,
            Self::Empty | Self::One(_) => return false,
            Self::Few(run) => {
                let Ok(at) = run.binary_search(&slot) else { return false };
                let run = Arc::make_mut(run);
                run.remove(at);
                if let [one] = run[..] {
                    *self = Self::One(one);
                }
            }
            Self::Many(runs) => {
                let number = run_of(runs, slot);
                let Ok(at) = runs[number].binary_search(&slot) else { return false };
                let runs = Arc::make_mut(runs);
                Arc::make_mut(&mut runs[number]).remove(at);
                merge(runs, number);
                if let [run] = &runs[..] {
                    *self = Self::Few(run.clone());
                }
            }
        }
        true
    }
}

/// Returns the run that contains the number, or in which it belongs.
fn run_of(runs: &[Arc<Vec<u32>>], slot: u32) -> usize {
    runs.partition_point(|run| run[0] <= slot).saturating_sub(1)
}

/// Returns where to split a full run. Numbers mostly arrive in ascending order, so a run that was filled at its end stays full.
fn split_at(run: &[u32], inserted: u32) -> usize {
    if run.last() == Some(&inserted) { run.len() - 1 } else { run.len() / 2 }
}

/// Joins a run that became small with the next one, so that there are never many small runs.
fn merge(runs: &mut Vec<Arc<Vec<u32>>>, number: usize) {
    // The last run has no next one: start from the previous one.
    let number = if number + 1 == runs.len() { number.saturating_sub(1) } else { number };
    if number + 1 < runs.len() && runs[number].len() + runs[number + 1].len() <= RUN / 2 {
        let next = runs.remove(number + 1);
        Arc::make_mut(&mut runs[number]).extend_from_slice(&next);
    }
    runs.retain(|run| !run.is_empty());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn check(set: &SlotSet, model: &BTreeSet<u32>) {
        assert!(set.iter().eq(model.iter().copied()));
        assert_eq!((set.len(), set.is_empty()), (model.len(), model.is_empty()));
        if let SlotSet::Many(runs) = set {
            assert!(runs.len() > 1 && runs.iter().all(|run| (1..=RUN).contains(&run.len())));
        }
    }

    #[test]
    fn a_hundred_thousand_come_and_go() {
        let (mut set, mut model) = (SlotSet::default(), BTreeSet::new());
        for slot in 0..100_000 {
            assert!(set.insert(slot) && !set.insert(slot));
            model.insert(slot);
        }
        check(&set, &model);
        let SlotSet::Many(runs) = &set else { panic!("it is large") };
        assert!(runs.len() <= 100_000 / RUN + 1, "runs filled from the end are full: {}", runs.len());
        for slot in (0..100_000).filter(|slot| slot % 97 != 0) {
            assert!(set.remove(slot) && !set.remove(slot));
            model.remove(&slot);
        }
        check(&set, &model);
        for slot in (0..100_000).step_by(97) {
            assert!(set.remove(slot));
        }
        assert!(set.is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_as_a_set_and_clones_never_change(
            start in 0..2_000_u32,
            ops in prop::collection::vec((any::<bool>(), 0..2_000_u32), 0..600),
        ) {
            let mut set = SlotSet::default();
            let mut model = BTreeSet::new();
            for slot in 0..start {
                set.insert(slot);
                model.insert(slot);
            }
            let clone = (set.clone(), model.clone());
            for (insert, slot) in ops {
                if insert {
                    prop_assert_eq!(set.insert(slot), model.insert(slot));
                } else {
                    prop_assert_eq!(set.remove(slot), model.remove(&slot));
                }
            }
            check(&set, &model);
            check(&clone.0, &clone.1);
        }
    }
}
