//! The whole queue, including the inbox, compared with a simple model.

use std::collections::{BTreeSet, VecDeque};

use client_rs_workqueue::{Item, WorkQueue};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Operation {
    /// A number of adds of consecutive keys, as a list makes them.
    Adds(u16, u16),
    Get,
    /// Releases the nth item in hand.
    Done(usize),
    /// Releases the nth item in hand and gets the next.
    Next(usize),
    Len,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        4 => (0_u16..40, 1_u16..4).prop_map(|(first, count)| Operation::Adds(first, count)),
        1 => (0_u16..600, 500_u16..1100).prop_map(|(first, count)| Operation::Adds(first, count)),
        6 => Just(Operation::Get),
        3 => (0_usize..8).prop_map(Operation::Done),
        3 => (0_usize..8).prop_map(Operation::Next),
        1 => Just(Operation::Len),
    ]
}

#[derive(Default)]
struct Plain {
    queued: VecDeque<u16>,
    /// The same keys as in `queued`.
    in_line: BTreeSet<u16>,
    running: BTreeSet<u16>,
    again: BTreeSet<u16>,
}

impl Plain {
    fn add(&mut self, key: u16) {
        if self.running.contains(&key) {
            self.again.insert(key);
        } else if self.in_line.insert(key) {
            self.queued.push_back(key);
        }
    }

    fn get(&mut self) -> Option<u16> {
        let key = self.queued.pop_front()?;
        self.in_line.remove(&key);
        self.running.insert(key);
        Some(key)
    }

    fn done(&mut self, key: u16) {
        self.running.remove(&key);
        if self.again.remove(&key) && self.in_line.insert(key) {
            self.queued.push_back(key);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn agrees_with_a_plain_queue(operations in proptest::collection::vec(operation(), 0..120)) {
        let queue = WorkQueue::<u16>::default();
        let mut plain = Plain::default();
        let mut items: Vec<Item<u16>> = Vec::new();
        for operation in operations {
            match operation {
                Operation::Adds(first, count) => {
                    for key in first..first + count {
                        queue.add(key);
                        plain.add(key);
                    }
                }
                Operation::Get => {
                    let item = queue.try_get();
                    prop_assert_eq!(item.as_deref().copied(), plain.get());
                    items.extend(item);
                }
                Operation::Done(nth) if !items.is_empty() => {
                    let item = items.remove(nth % items.len());
                    plain.done(*item);
                    item.done();
                }
                Operation::Next(nth) if !items.is_empty() => {
                    let item = items.remove(nth % items.len());
                    plain.done(*item);
                    let expected = plain.get();
                    if expected.is_some() {
                        let item = item.next_blocking();
                        prop_assert_eq!(item.as_deref().copied(), expected);
                        items.extend(item);
                    }
                }
                Operation::Done(_) | Operation::Next(_) => {}
                Operation::Len => {
                    prop_assert_eq!(queue.len(), plain.queued.len());
                    prop_assert_eq!(queue.processing(), plain.running.len());
                }
            }
        }
        queue.shutdown();
        drop(items);
        for key in std::mem::take(&mut plain.running) {
            plain.done(key);
        }
        let mut left: Vec<u16> = std::iter::from_fn(|| queue.get_blocking().map(|item| *item)).collect();
        let mut expected: Vec<u16> = plain.queued.into();
        left.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(left, expected);
    }
}
