//! The core compared with a simple model: vectors that are searched from end to end.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Copy, Debug)]
enum Operation {
    Add {
        key: u32,
        priority: Option<i32>,
    },
    AddAt {
        key: u32,
        priority: Option<i32>,
        after: Nanos,
    },
    Take,
    /// Ends the nth run in progress.
    End(usize),
    EndKey(u32),
    Pass(Nanos),
    ShutDown,
}

fn operation() -> impl Strategy<Value = Operation> {
    let key = 0_u32..12;
    let priority = proptest::option::of(-2_i32..3);
    prop_oneof![
        8 => (key.clone(), priority.clone()).prop_map(|(key, priority)| Operation::Add { key, priority }),
        4 => (key.clone(), priority, 0_u64..20)
            .prop_map(|(key, priority, after)| Operation::AddAt { key, priority, after }),
        8 => Just(Operation::Take),
        6 => (0_usize..4).prop_map(Operation::End),
        1 => key.prop_map(Operation::EndKey),
        3 => (0_u64..15).prop_map(Operation::Pass),
        1 => Just(Operation::ShutDown),
    ]
}

/// The expected behaviour of the core, in the simplest form.
#[derive(Default)]
struct Plain {
    /// Key, priority, when it was queued.
    queued: Vec<(u32, i32, u64)>,
    /// Key, priority of the run, and of the next one if it is wanted again.
    running: Vec<(u32, i32, Option<i32>)>,
    /// Key, deadline, sequence of the call, priority.
    waiting: Vec<(u32, Nanos, u64, i32)>,
    sequence: u64,
    has_priority: bool,
    closed: bool,
}

impl Plain {
    fn number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn kept_priority(&self, key: u32) -> i32 {
        let running = self.running.iter().find(|run| run.0 == key).map(|run| run.1);
        let queued = self.queued.iter().find(|queued| queued.0 == key).map(|queued| queued.1);
        let waiting = self.waiting.iter().find(|wait| wait.0 == key).map(|wait| wait.3);
        running.or(queued).or(waiting).unwrap_or(0)
    }

    fn add(&mut self, key: u32, priority: i32) {
        let priority = if self.has_priority { priority } else { 0 };
        let number = self.number();
        if let Some(run) = self.running.iter_mut().find(|run| run.0 == key) {
            run.2 = Some(run.2.map_or(priority, |wanted| wanted.max(priority)));
        } else if let Some(queued) = self.queued.iter_mut().find(|queued| queued.0 == key) {
            if priority > queued.1 {
                *queued = (key, priority, number);
            }
        } else {
            self.queued.push((key, priority, number));
        }
    }

    fn add_at(&mut self, key: u32, priority: i32, deadline: Nanos) {
        let number = self.number();
        match self.waiting.iter_mut().find(|wait| wait.0 == key) {
            None => self.waiting.push((key, deadline, number, priority)),
            Some(wait) => {
                wait.3 = wait.3.max(priority);
                if deadline < wait.1 {
                    (wait.1, wait.2) = (deadline, number);
                }
            }
        }
    }

    fn advance(&mut self, now: Nanos) {
        self.waiting.sort_by_key(|wait| (wait.1, wait.2));
        while let Some(&(key, deadline, _, priority)) = self.waiting.first()
            && deadline <= now
        {
            self.waiting.remove(0);
            self.add(key, priority);
        }
    }

    fn take(&mut self) -> Option<u32> {
        let first = (0..self.queued.len()).min_by_key(|&i| (-self.queued[i].1, self.queued[i].2))?;
        let (key, priority, _) = self.queued.remove(first);
        self.running.push((key, priority, None));
        Some(key)
    }

    fn end(&mut self, key: u32) -> bool {
        let Some(place) = self.running.iter().position(|run| run.0 == key) else { return false };
        if let (_, _, Some(priority)) = self.running.remove(place) {
            self.add(key, priority);
        }
        true
    }
}

fn entry(key: u32, priority: Option<i32>) -> Entry<'static, u32> {
    // Few hashes, so that keys collide.
    Entry { hash: key % 5, key, priority, tenant: None }
}

fn agree(has_priority: bool, times: bool, operations: Vec<Operation>) -> Result<(), TestCaseError> {
    let mut core = Core::new(Config { priority: has_priority, ageing: None, fair: false, times });
    let mut plain = Plain { has_priority, ..Plain::default() };
    let mut runs: Vec<(u32, Run)> = Vec::new();
    let mut now: Nanos = 0;
    for operation in operations {
        match operation {
            Operation::Add { key, priority } => {
                let kept = plain.kept_priority(key);
                let (added, spare) = core.add(entry(key, priority), now);
                prop_assert_eq!(added == Added::Refused, plain.closed);
                prop_assert!(spare.is_none_or(|spare| spare == key));
                if !plain.closed {
                    plain.add(key, priority.unwrap_or(kept));
                }
            }
            Operation::AddAt { key, priority, after } => {
                let kept = plain.kept_priority(key);
                core.add_at(entry(key, priority), now + after, false, now);
                if !plain.closed && after == 0 {
                    plain.add(key, priority.unwrap_or(kept));
                } else if !plain.closed {
                    plain.add_at(key, priority.unwrap_or(kept), now + after);
                }
            }
            Operation::Take => {
                let taken = core.take(now);
                let key = taken.map(|taken| *core.key(taken.run));
                prop_assert_eq!(key, plain.take());
                runs.extend(taken.map(|taken| (*core.key(taken.run), taken.run)));
            }
            Operation::End(nth) => {
                if !runs.is_empty() {
                    let (key, run) = runs.remove(nth % runs.len());
                    prop_assert_eq!(core.end(run, now).is_some(), plain.end(key));
                    prop_assert!(core.end(run, now).is_none(), "a run ends once");
                }
            }
            Operation::EndKey(key) => {
                prop_assert_eq!(core.end_key(key % 5, &key, now).is_some(), plain.end(key));
                runs.retain(|(other, _)| *other != key);
            }
            Operation::Pass(nanos) => {
                now += nanos;
                core.advance(now, |_| {});
                plain.advance(now);
            }
            Operation::ShutDown => {
                core.shutdown();
                plain.waiting.clear();
                plain.closed = true;
            }
        }
        prop_assert_eq!(core.len(), plain.queued.len());
        prop_assert_eq!(core.processing(), plain.running.len());
        prop_assert_eq!(core.waiting(), plain.waiting.len());
        prop_assert_eq!(core.next_deadline(), plain.waiting.iter().map(|wait| wait.1).min());
        let mut held: Vec<u32> = plain.queued.iter().map(|queued| queued.0).collect();
        held.extend(plain.running.iter().map(|run| run.0));
        held.extend(plain.waiting.iter().map(|wait| wait.0));
        held.sort_unstable();
        held.dedup();
        prop_assert_eq!(core.slots.live(), held.len(), "no key is stored without need");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn agrees_with_a_plain_queue(times: bool, operations in proptest::collection::vec(operation(), 0..150)) {
        agree(false, times, operations)?;
    }

    #[test]
    fn agrees_with_a_plain_priority_queue(operations in proptest::collection::vec(operation(), 0..150)) {
        agree(true, false, operations)?;
    }

    /// With all options on, each wanted key is handed out, and the core holds nothing at the end.
    #[test]
    fn nothing_is_lost_with_all_options_on(
        adds in proptest::collection::vec((0_u32..500, -3_i32..4, 0_u64..10), 0..300),
        ageing in proptest::option::of(0_u32..6),
    ) {
        let mut core = Core::new(Config { priority: true, ageing, fair: true, times: true });
        let mut wanted = std::collections::BTreeSet::new();
        for (key, priority, after) in adds {
            let tenant = format!("tenant-{}", key % 7);
            let tenant = Some((tenant.as_str(), key % 3));
            core.add_at(Entry { hash: key, key, priority: Some(priority), tenant }, after, false, 0);
            wanted.insert(key);
        }
        core.advance(10, |_| {});
        let mut seen = std::collections::BTreeSet::new();
        while let Some(taken) = core.take(11) {
            prop_assert!(seen.insert(*core.key(taken.run)), "handed out twice");
            prop_assert!(core.end(taken.run, 12).is_some());
        }
        prop_assert_eq!(seen, wanted);
        prop_assert_eq!(core.slots.live(), 0);
        if let Order::Levels(levels) = &core.order {
            prop_assert_eq!(levels.tenants.len(), 0, "tenants are removed with their keys");
        }
    }
}

#[test]
fn the_memory_of_a_burst_is_freed() {
    let mut core = Core::new(Config::default());
    for key in 0..100_000_u32 {
        core.add(Entry { hash: key.wrapping_mul(0x9E37_79B1), key, priority: None, tenant: None }, 0);
    }
    assert_eq!(core.slots.high_water(), 100_000);
    while let Some(taken) = core.take(0) {
        core.end(taken.run, 0);
    }
    assert_eq!(core.slots.high_water(), 0);
}

#[test]
fn the_state_of_a_key_names_its_place_its_run_and_its_deadline() {
    let entry = |key: u32, priority| Entry { hash: key, key, priority: Some(priority), tenant: None };
    for (priority, ahead) in [(false, [0, 1, 2]), (true, [1, 0, 2])] {
        let mut core = Core::new(Config { priority, ..Config::default() });
        core.add(entry(1, 0), 0);
        core.add(entry(2, 5), 0);
        core.add(entry(3, 0), 0);
        let places = [1, 2, 3].map(|key| core.standing(key, &key).unwrap().ahead.unwrap());
        assert_eq!(places, ahead, "priority {priority}");
        assert_eq!(core.standing(4, &4), None);
        core.add_at(entry(4, 0), 70, true, 0);
        let waits = Standing { deadline: Some(70), backoff: true, ..Standing::default() };
        assert_eq!(core.standing(4, &4), Some(waits));
        let taken = core.take(0).unwrap();
        let key = *core.key(taken.run);
        core.add(entry(key, 0), 0);
        let runs = Standing { processing: true, again: true, ..Standing::default() };
        assert_eq!(core.standing(key, &key), Some(runs));
    }
    // With fairness all keys of the level count.
    let mut fair = Core::new(Config { fair: true, ..Config::default() });
    for key in 0..4 {
        let tenant = Some((if key < 2 { "a" } else { "b" }, 1));
        fair.add(Entry { hash: key, key, priority: None, tenant }, 0);
    }
    assert_eq!(fair.standing(2, &2).unwrap().ahead, Some(3));
}
