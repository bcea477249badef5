//! Chooses the steps of a history.

use client_rs_cache::sim::Wants;
use fastrand::Rng;

use super::op::{ACTORS, Actor, Op, Setup};
use super::world::{HANDLERS, INSTANCES, World};
use crate::content::{KEYS, content};
use crate::history::Fault;
use crate::schedule::Mode;
use crate::server::Response;

/// The fewest steps of a history.
pub const STEPS: usize = 100;
/// The fewest faults of a history.
pub const FAULTS: usize = 3;

/// Chooses the setup of a history.
pub fn setup(random: &mut Rng) -> Setup {
    Setup {
        watch_list: random.bool(),
        page_size: if random.u8(..4) == 0 { random.u8(1..3) } else { 0 },
        resync: if random.u8(..3) == 0 { random.u8(20..60) } else { 0 },
        selected: random.bool(),
        watch_cache: random.u8(..8) > 0,
        limit: random.u8(..4),
        pace: random.u8(..3),
        keys: random.u8(1..=KEYS),
        restores: random.u8(..6) == 0,
        readable_end: random.u8(..4) == 0,
        seed: random.u64(..),
    }
}

/// Chooses the steps of one history.
#[derive(Debug)]
pub struct Chooser {
    random: Rng,
    mode: Mode,
    priorities: [u8; ACTORS],
    /// Steps at which the actor of the highest priority gets the lowest.
    changes: [usize; 2],
    candidates: Vec<(Op, u32)>,
    faults: usize,
    lowest: u8,
}

impl Chooser {
    /// Makes a chooser for one history.
    pub fn new(random: Rng, mode: Mode) -> Self {
        let mut chooser = Self {
            random,
            mode,
            priorities: [0; ACTORS],
            changes: [0; 2],
            candidates: Vec::new(),
            faults: 0,
            lowest: 100,
        };
        for (place, priority) in chooser.priorities.iter_mut().zip(100..) {
            *place = priority;
        }
        chooser.random.shuffle(&mut chooser.priorities);
        chooser.changes = [chooser.random.usize(..STEPS), chooser.random.usize(..STEPS)];
        chooser
    }

    /// Chooses the next step.
    pub fn next(&mut self, world: &mut World, step: usize) -> Op {
        self.candidates.clear();
        // A history without faults shows little.
        let late = step > STEPS / 2 && self.faults < FAULTS;
        candidates(world, &mut self.random, if late { 20 } else { 1 }, &mut self.candidates);
        match self.mode {
            Mode::Pct if self.random.u8(..3) > 0 => self.by_priority(step),
            _ => self.by_weight(|_| true),
        }
    }

    /// Counts a step that was performed.
    pub fn performed(&mut self, op: Op) {
        self.faults += usize::from(op.is_fault());
    }

    /// Returns the number of faults so far.
    pub fn faults(&self) -> usize {
        self.faults
    }

    fn by_weight(&mut self, wanted: impl Fn(Op) -> bool) -> Op {
        let all = || self.candidates.iter().filter(|(op, _)| wanted(*op));
        let total: u32 = all().map(|(_, weight)| weight).sum();
        let mut at = self.random.u32(..total.max(1));
        for (op, weight) in all() {
            match at.checked_sub(*weight) {
                Some(rest) => at = rest,
                None => return *op,
            }
        }
        Op::Tick
    }

    /// Chooses among the actors that react: the one with the highest priority that can do something. Actors that always
    /// can, such as writers, would starve all others.
    fn by_priority(&mut self, step: usize) -> Op {
        let reacts =
            |op: Op| !matches!(op.actor(), Actor::Writers | Actor::Faults | Actor::Clock | Actor::Readers);
        let priority = |op: Op| self.priorities[op.actor() as usize];
        let highest = self.candidates.iter().map(|(op, _)| *op).filter(|op| reacts(*op));
        let Some(actor) = highest.max_by_key(|op| priority(*op)).map(Op::actor) else {
            return self.by_weight(|_| true);
        };
        if self.changes.contains(&step) {
            self.lowest -= 1;
            self.priorities[actor as usize] = self.lowest;
        }
        self.by_weight(|op| op.actor() == actor)
    }
}

/// Collects the steps that are possible, with their weights; faults `boost` times as likely.
pub fn candidates(world: &mut World, random: &mut Rng, boost: u32, out: &mut Vec<(Op, u32)>) {
    let key = random.u8(..world.setup.keys);
    let written = content(random.bool(), random.u8(..4), random.u8(..4) > 0, random.u8(..16) == 0);
    out.push((Op::Write(key, written), 12));
    if world.server.etcd.state(key, world.server.etcd.version()).exists() {
        out.push((Op::Delete(key), 5));
        out.push((Op::Await(key), 2));
    }
    for instance in 0..INSTANCES {
        if world.server.instances[usize::from(instance)].at < world.server.etcd.version() {
            out.push((Op::Advance(instance), 7));
            out.push((Op::CatchUp(instance), 3));
        }
    }
    requests(world, random, boost, out);
    if world.informer.can_process() {
        out.push((Op::Process, 14));
    }
    for handler in 0..HANDLERS {
        match world.handlers[usize::from(handler)] {
            None => out.push((Op::Join(handler), 2)),
            Some(number) => {
                if world.informer.handler(number).is_some_and(|(pending, _)| pending > 0) {
                    out.push((Op::Take(handler), 5));
                    out.push((Op::Drain(handler), 1));
                }
                if handler == 3 || random.u8(..16) == 0 {
                    out.push((Op::Leave(handler), 1));
                }
            }
        }
    }
    let (ready, _, waiting) = world.queue.sizes();
    if ready + waiting > 0 {
        out.push((Op::Work, 6));
    }
    for (worker, taken) in world.workers.iter().enumerate() {
        if taken.is_some() {
            let worker = u8::try_from(worker).unwrap_or_default();
            out.push((Op::Finish(worker), 5));
            out.push((Op::Retry(worker), 2));
        }
    }
    out.push((Op::Sleep(random.u16(1..2_000)), 3));
    out.push((Op::Read(key), 1));
    let back = random.u8(..6);
    out.push((Op::Compact(back), boost));
    out.push((Op::Evict(random.u8(..INSTANCES)), boost));
    out.push((Op::Restart(random.u8(..INSTANCES)), boost));
    out.push((Op::Route(1 - world.route), 2 * boost));
    let fault = FAULTS_OF_REQUESTS[random.usize(..FAULTS_OF_REQUESTS.len() - 1)];
    match random.u8(..8) {
        0 => out.push((Op::Restore(back), boost)),
        1 => out.push((Op::RestoreBumped(back), boost)),
        2 => out.push((Op::Flap, boost)),
        3 => out.push((Op::Storm(fault), boost)),
        _ if world.setup.restores => out.push((Op::Restore(back), boost)),
        _ => {}
    }
}

const FAULTS_OF_REQUESTS: [Fault; 8] = [
    Fault::Refused,
    Fault::Busy,
    Fault::Internal,
    Fault::Unavailable,
    Fault::Expired,
    Fault::Eof,
    Fault::Cut,
    Fault::TooLarge,
];

fn requests(world: &mut World, random: &mut Rng, boost: u32, out: &mut Vec<(Op, u32)>) {
    let waits = match world.informer.wants() {
        Wants::List(options) => matches!(world.server.list(world.route, options), Response::Waits),
        Wants::Watch(options) => matches!(world.server.watch(world.route, options), Response::Waits),
        Wants::Time => return out.push((Op::Tick, 12)),
        Wants::Event => {
            out.push((Op::Tick, 1));
            let Some(watcher) = &world.watcher else { return };
            if world.server.has_event(watcher) {
                out.push((Op::Deliver, 14));
                out.push((Op::DeliverAll, 3));
            }
            if watcher.owes_bookmark && watcher.initial.is_empty() {
                out.push((Op::Bookmark, 12));
            } else if world.server.bookmark(watcher).is_some() {
                out.push((Op::Bookmark, 3));
            }
            let fault = FAULTS_OF_REQUESTS[random.usize(..FAULTS_OF_REQUESTS.len())];
            match fault {
                Fault::Cut => out.push((Op::Cut(fault), 3 * boost)),
                // The server ends the watch in good order, or the body ends too early.
                Fault::Eof => out.extend([(Op::Close(fault), 2 * boost), (Op::Cut(fault), 2 * boost)]),
                Fault::Refused | Fault::TooLarge => out.push((Op::Hang, boost)),
                _ => out.push((Op::Close(fault), 2 * boost)),
            }
            return;
        }
    };
    if waits {
        out.push((Op::Fail(Fault::TooLarge), 4));
    } else {
        out.push((Op::Answer, 14));
    }
    let fault = FAULTS_OF_REQUESTS[random.usize(..FAULTS_OF_REQUESTS.len() - 1)];
    out.push((Op::Fail(fault), 2 * boost));
    out.push((Op::Tick, 1));
}
