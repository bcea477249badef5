//! Random graphs with random histories, each epoch compared with a recomputation from scratch.
//!
//! For the simulation of this repository; not part of the public API.

mod spec;

use std::collections::BTreeMap;

use fastrand::Rng;

use crate::{Graph, LiveSnapshot, Observer};
use spec::{Built, Content, Item, KEYS, Spec};

/// The result of a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of steps.
    pub steps: u64,
    /// The number of collections that were ever added.
    pub collections: u64,
    /// The number of epochs that were compared.
    pub epochs: u64,
    /// The number of deliveries to observers that were compared.
    pub deliveries: u64,
    /// The number of deliveries that merged several epochs.
    pub merged: u64,
}

/// Runs the history of a seed: at least 4 collections and 30 steps. Returns the first difference.
pub fn run(seed: u64) -> Result<Summary, String> {
    let mut world = World::new(seed);
    for _ in 0..world.random.usize(30..45) {
        world.step()?;
        world.summary.steps += 1;
    }
    world.end()
}

struct World {
    random: Rng,
    graph: Graph,
    specs: Vec<Spec>,
    /// `None` for a collection whose handle was dropped.
    sets: Vec<Option<Built>>,
    /// The content of inputs.
    inputs: BTreeMap<usize, Content>,
    /// The content of all collections, computed from scratch at the last epoch.
    truth: Vec<Content>,
    observers: Vec<Watching>,
    /// Snapshots with the content that they must keep.
    snapshots: Vec<(LiveSnapshot, Vec<Content>)>,
    summary: Summary,
    log: Vec<String>,
}

/// An observer, and the content that it knows.
struct Watching {
    of: usize,
    observer: Observer<u8, Item>,
    known: Content,
    epoch: u64,
    /// The epoch of the graph at the last delivery or look.
    looked: u64,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut world = Self {
            random: Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x94d0_49bb_1331_11eb),
            graph: Graph::new(),
            specs: Vec::new(),
            sets: Vec::new(),
            inputs: BTreeMap::new(),
            truth: Vec::new(),
            observers: Vec::new(),
            snapshots: Vec::new(),
            summary: Summary::default(),
            log: Vec::new(),
        };
        // Threads cost more than all the rest of a history.
        if seed % 64 == 5 {
            world.graph.compute_in_parallel();
        }
        for _ in 0..world.random.usize(1..=2) {
            world.add(Spec::Input);
        }
        for _ in 0..world.random.usize(3..=6) {
            let alive = world.alive();
            let spec = Spec::random(&mut world.random, &alive);
            world.add(spec);
        }
        world
    }

    fn step(&mut self) -> Result<(), String> {
        match self.random.u8(0..20) {
            0..=7 => self.change(1),
            8..=10 => {
                let count = self.random.usize(2..6);
                self.change(count);
            }
            11 => self.relist(),
            12 => {
                let alive = self.alive();
                let spec = Spec::random(&mut self.random, &alive);
                self.add(spec);
            }
            13 => self.drop_one(),
            14 => self.observe(),
            15..=17 => self.deliver()?,
            18 => self.keep_snapshot()?,
            _ => self.write_and_flush(),
        }
        self.compare()
    }

    fn alive(&self) -> Vec<usize> {
        (0..self.sets.len()).filter(|at| self.sets[*at].is_some()).collect()
    }

    /// Returns an input that is alive.
    fn input(&mut self) -> Option<usize> {
        let inputs: Vec<_> =
            self.alive().into_iter().filter(|at| matches!(self.specs[*at], Spec::Input)).collect();
        self.random.choice(inputs)
    }

    fn add(&mut self, spec: Spec) {
        self.log.push(format!("add {}: {spec:?}", self.specs.len()));
        self.summary.collections += 1;
        let built = spec.build(&self.graph, &self.sets);
        if matches!(spec, Spec::Input) {
            self.inputs.insert(self.specs.len(), Content::new());
        }
        self.specs.push(spec);
        self.sets.push(Some(built));
        self.recompute();
    }

    /// Changes inputs, all in one epoch.
    fn change(&mut self, count: usize) {
        let mut changes = Vec::new();
        for _ in 0..count {
            let Some(input) = self.input() else { return self.add(Spec::Input) };
            let (key, item) = (self.random.u8(0..KEYS), Item::random(&mut self.random));
            let delete = self.random.u8(0..4) == 0;
            changes.push((input, key, (!delete).then_some(item)));
        }
        self.log.push(format!("change {changes:?}"));
        let (sets, inputs) = (&self.sets, &mut self.inputs);
        self.graph.update(|batch| {
            for (input, key, item) in &changes {
                let handle =
                    sets[*input].as_ref().and_then(|built| built.input.as_ref()).expect("it is an input");
                let content = inputs.entry(*input).or_default();
                if let Some(item) = item {
                    batch.insert(handle, *key, *item);
                    content.insert(*key, *item);
                } else {
                    batch.remove(handle, key);
                    content.remove(key);
                }
            }
        });
        self.recompute();
    }

    /// Replaces an input: some entries are as before, some changed, some missing.
    fn relist(&mut self) {
        let Some(input) = self.input() else { return self.add(Spec::Input) };
        let mut content = self.inputs[&input].clone();
        content.retain(|_, _| self.random.u8(0..3) > 0);
        for _ in 0..self.random.usize(0..3) {
            content.insert(self.random.u8(0..KEYS), Item::random(&mut self.random));
        }
        self.log.push(format!("relist {input}: {content:?}"));
        let handle = self.sets[input].as_ref().and_then(|built| built.input.clone()).expect("it is an input");
        self.graph.update(|batch| batch.replace(&handle, content.clone()));
        self.inputs.insert(input, content);
        self.recompute();
    }

    /// Writes through the inbox, which merges.
    fn write_and_flush(&mut self) {
        let Some(input) = self.input() else { return self.add(Spec::Input) };
        let handle = self.sets[input].as_ref().and_then(|built| built.input.clone()).expect("it is an input");
        for _ in 0..self.random.usize(1..5) {
            let (key, item) = (self.random.u8(0..KEYS), Item::random(&mut self.random));
            self.log.push(format!("write {input}: {key} {item:?}"));
            let content = self.inputs.entry(input).or_default();
            match self.random.u8(0..5) {
                0 => {
                    handle.remove(&key);
                    content.remove(&key);
                }
                1 => {
                    handle.replace([(key, item)]);
                    *content = Content::from([(key, item)]);
                }
                _ => {
                    handle.insert(key, item);
                    content.insert(key, item);
                }
            }
        }
        self.graph.flush();
        self.recompute();
    }

    /// Drops the handle of a collection, and its observers. Others may still read it.
    fn drop_one(&mut self) {
        let alive = self.alive();
        if alive.len() < 3 {
            return;
        }
        let at = alive[self.random.usize(..alive.len())];
        self.log.push(format!("drop {at}"));
        self.observers.retain(|watching| watching.of != at);
        self.sets[at] = None;
    }

    fn observe(&mut self) {
        let alive = self.alive();
        let of = alive[self.random.usize(..alive.len())];
        self.log.push(format!("observe {of}"));
        let set = &self.sets[of].as_ref().expect("it is alive").set;
        let looked = self.graph.epoch();
        let observer = self.graph.observe(set);
        self.observers.push(Watching { of, observer, known: Content::new(), epoch: 0, looked });
    }

    fn deliver(&mut self) -> Result<(), String> {
        if self.observers.is_empty() {
            return Ok(());
        }
        let at = self.random.usize(..self.observers.len());
        self.log.push(format!("deliver to observer {at}"));
        self.check_delivery(at)
    }

    fn check_delivery(&mut self, at: usize) -> Result<(), String> {
        let epoch = self.graph.epoch();
        let watching = &mut self.observers[at];
        let (of, lag) = (watching.of, epoch - watching.looked);
        watching.looked = epoch;
        if let Some((changes, snapshot)) = watching.observer.take_with_snapshot() {
            if changes.epoch != snapshot.epoch() || changes.epoch != epoch || changes.epoch <= watching.epoch
            {
                return Err(format!("observer of {of}: epoch {} after {}", changes.epoch, watching.epoch));
            }
            watching.epoch = changes.epoch;
            let mut seen = Content::new();
            for change in &changes.list {
                let old = change.old.as_deref().copied();
                if watching.known.get(&change.key).copied() != old {
                    return Err(format!("observer of {of}: key {} was not {old:?}", change.key));
                }
                let new = change.new.as_deref().copied();
                if old.is_none() && new.is_none()
                    || seen.insert(change.key, Item::random(&mut Rng::with_seed(0))).is_some()
                {
                    return Err(format!(
                        "observer of {of}: key {} is delivered without a change or twice",
                        change.key
                    ));
                }
                match new {
                    Some(item) => watching.known.insert(change.key, item),
                    None => watching.known.remove(&change.key),
                };
            }
            self.summary.deliveries += 1;
            self.summary.merged += u64::from(lag > 1);
            let (sets, truth) = (&self.sets, &self.truth);
            compare(&snapshot, sets, truth).map_err(|error| format!("snapshot of a delivery: {error}"))?;
        }
        let watching = &self.observers[at];
        if watching.known != self.truth[of] {
            return Err(format!("observer of {of} knows {:?}, not {:?}", watching.known, self.truth[of]));
        }
        Ok(())
    }

    fn keep_snapshot(&mut self) -> Result<(), String> {
        self.log.push("keep a snapshot".to_owned());
        if self.snapshots.len() > 2 {
            let (oldest, truth) = self.snapshots.remove(0);
            self.check_kept(&oldest, &truth)?;
        }
        self.snapshots.push((self.graph.snapshot(), self.truth.clone()));
        Ok(())
    }

    /// Checks that later epochs have left a snapshot alone.
    fn check_kept(&self, snapshot: &LiveSnapshot, truth: &[Content]) -> Result<(), String> {
        compare(snapshot, &self.sets, truth).map_err(|error| format!("kept snapshot: {error}"))
    }

    fn recompute(&mut self) {
        let before = std::mem::take(&mut self.truth);
        for (at, spec) in self.specs.iter().enumerate() {
            let content = match self.inputs.get(&at) {
                Some(content) => content.clone(),
                None => spec.compute(&self.truth, before.get(at)),
            };
            self.truth.push(content);
        }
    }

    fn compare(&mut self) -> Result<(), String> {
        self.summary.epochs += 1;
        compare(&self.graph.snapshot(), &self.sets, &self.truth)
    }

    fn end(mut self) -> Result<Summary, String> {
        for at in 0..self.observers.len() {
            self.check_delivery(at)?;
        }
        for (snapshot, truth) in &self.snapshots {
            self.check_kept(snapshot, truth)?;
        }
        self.observers.clear();
        self.sets.clear();
        let left = self.graph.state().collections;
        if !left.is_empty() {
            return Err(format!("without handles there is still {left:?}"));
        }
        Ok(self.summary)
    }
}

fn compare(snapshot: &LiveSnapshot, sets: &[Option<Built>], truth: &[Content]) -> Result<(), String> {
    for (at, (built, expected)) in sets.iter().zip(truth).enumerate() {
        let Some(built) = built else { continue };
        let content: Content = snapshot.iter(&built.set).map(|(key, item)| (*key, **item)).collect();
        if content != *expected || snapshot.len(&built.set) != expected.len() {
            return Err(format!("collection {at} has {content:?}, not {expected:?}"));
        }
        for key in 0..KEYS {
            if snapshot.get(&built.set, &key).as_deref() != expected.get(&key) {
                return Err(format!("key {key} of collection {at} is not {:?}", expected.get(&key)));
            }
        }
    }
    Ok(())
}

/// Prints the steps of a seed, and the difference.
pub fn explain(seed: u64) -> String {
    let mut world = World::new(seed);
    let mut outcome = Ok(());
    for _ in 0..world.random.usize(30..45) {
        outcome = world.step();
        if outcome.is_err() {
            break;
        }
    }
    let steps = world.log.join("\n");
    let error = outcome.and_then(|()| world.end().map(|_| ())).err().unwrap_or_default();
    format!("{steps}\n{error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cargo xtask sim --collections` runs a million of them.
    #[test]
    fn every_epoch_equals_recomputation_from_scratch() {
        let mut total = Summary::default();
        for seed in 0..2000 {
            match run(seed) {
                Ok(summary) => {
                    assert!(summary.steps >= 30 && summary.collections >= 4);
                    total.deliveries += summary.deliveries;
                    total.merged += summary.merged;
                }
                Err(error) => panic!("seed {seed}: {error}\n{}", explain(seed)),
            }
        }
        assert!(total.deliveries > 1000 && total.merged > 500, "the histories exercise observers: {total:?}");
    }
}
