//! Random histories of several candidates: clocks with different rates, late and lost responses, paused processes, a deleted
//! lock. The checks are about the writes that the leaders' work *sends*, not about what the leaders believe.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::*;

const HISTORIES: u64 = 2_000;
const SECONDS: u64 = 180;
const NODES: usize = 3;

/// Microseconds of real time.
type Real = u64;

fn seconds(seconds: f64) -> Real {
    Duration::from_secs_f64(seconds).as_micros().try_into().unwrap()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// The node's machine is due, if its wake-up time has not changed since.
    Wake {
        node: usize,
        turn: u64,
    },
    /// A request reaches the server.
    Arrives {
        request: usize,
    },
    /// The response reaches the node.
    Answered {
        request: usize,
    },
    /// The work of a node writes, if its gate is open.
    Write {
        node: usize,
    },
    /// The work of a node ends; then the term does.
    WorkEnds {
        node: usize,
        campaign: u64,
    },
    Pause {
        node: usize,
    },
    Resume {
        node: usize,
    },
    /// A process is killed, and starts again without memory.
    Restart {
        node: usize,
    },
    Delete,
}

enum Ask {
    Get,
    Create(LeaderElectionRecord),
    Update(LeaderElectionRecord, u64),
}

struct Flying {
    node: usize,
    /// The campaign and the request in it: an aborted request gets no response.
    id: (u64, u64),
    ask: Option<Ask>,
    answer: Option<(Event, Option<u64>)>,
}

struct Node {
    machine: Machine,
    identity: String,
    /// The rate of its clock.
    rate: f64,
    epoch: Instant,
    offset: Duration,
    paused: bool,
    /// Events that arrived while it was paused.
    held_back: Vec<Step>,
    turn: u64,
    campaign: u64,
    request: Option<(u64, u64)>,
    requests: u64,
    /// The version of the lock that it knows.
    version: u64,
    work: Option<Work>,
}

/// The work of a term. It continues after a loss until it is ended.
struct Work {
    began: Real,
    /// The deadline that the shell stored last.
    deadline: Option<Instant>,
}

struct World {
    now: Real,
    random: fastrand::Rng,
    queue: BinaryHeap<Reverse<(Real, u64, Step)>>,
    order: u64,
    lock: Option<(u64, LeaderElectionRecord)>,
    versions: u64,
    nodes: Vec<Node>,
    flying: Vec<Flying>,
    /// Whether responses are late or lost.
    bad_network: bool,
    writes: usize,
    refused: usize,
    terms: usize,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let epoch = Instant::now();
        let nodes = (0..NODES).map(|index| Node {
            machine: Machine::new(options(), "?", Memory::default(), 0),
            identity: format!("node-{index}"),
            // The fastest runs less than 1.5 times as fast as the slowest.
            rate: 0.82 + 0.4 * random.f64(),
            epoch,
            offset: Duration::from_secs_f64(1_000.0 * random.f64()),
            paused: false,
            held_back: Vec::new(),
            turn: 0,
            campaign: 0,
            request: None,
            requests: 0,
            version: 0,
            work: None,
        });
        let nodes = nodes.collect();
        let bad_network = random.bool();
        Self {
            now: 0,
            random,
            queue: BinaryHeap::new(),
            order: 0,
            lock: None,
            versions: 0,
            nodes,
            flying: Vec::new(),
            bad_network,
            writes: 0,
            refused: 0,
            terms: 0,
        }
    }

    fn run(mut self) -> Self {
        for node in 0..NODES {
            let at = seconds(2.0 * self.random.f64());
            self.at(at, Step::Restart { node });
            self.at(at, Step::Write { node });
        }
        // Either the lock is deleted now and then, or processes lose their memory.
        let (with_deletion, mut deleted) = (self.random.bool(), false);
        let mut at = 0.0;
        loop {
            at += 1.0 + 25.0 * self.random.f64();
            let node = self.random.usize(..NODES);
            let step = match self.random.u8(..4) {
                // Once: a candidate can't see that a lock was created and deleted again between two reads.
                0 if with_deletion && !deleted => {
                    deleted = true;
                    Step::Delete
                }
                0 if !with_deletion => Step::Restart { node },
                1 => {
                    let lasts = 20.0 * self.random.f64();
                    self.at(seconds(at + lasts), Step::Resume { node });
                    Step::Pause { node }
                }
                _ => Step::WorkEnds { node, campaign: 0 },
            };
            if at > 180.0 {
                break;
            }
            self.at(seconds(at), step);
        }
        while let Some(Reverse((at, _, step))) = self.queue.pop() {
            if at > SECONDS * 1_000_000 {
                break;
            }
            self.now = at;
            self.step(step);
        }
        self
    }

    fn at(&mut self, at: Real, step: Step) {
        self.order += 1;
        self.queue.push(Reverse((at.max(self.now), self.order, step)));
    }

    fn after(&mut self, after: f64, step: Step) {
        self.at(self.now + seconds(after), step);
    }

    fn local(&self, node: usize) -> Instant {
        let node = &self.nodes[node];
        node.epoch + node.offset + Duration::from_micros(self.now).mul_f64(node.rate)
    }

    fn step(&mut self, step: Step) {
        let at_node = match &step {
            Step::Wake { node, .. } | Step::Write { node } | Step::WorkEnds { node, .. } => Some(*node),
            Step::Answered { request } => Some(self.flying[*request].node),
            _ => None,
        };
        if let Some(node) = at_node.filter(|node| self.nodes[*node].paused) {
            self.nodes[node].held_back.push(step);
            return;
        }
        match step {
            Step::Wake { node, turn } if self.nodes[node].turn == turn => self.handle(node, Event::Tick),
            Step::Wake { .. } => {}
            Step::Arrives { request } => self.arrives(request),
            Step::Answered { request } => {
                let Flying { node, id, answer, .. } = &mut self.flying[request];
                let (node, id) = (*node, *id);
                if let Some((event, version)) = answer.take()
                    && self.nodes[node].request == Some(id)
                {
                    self.nodes[node].request = None;
                    if let Some(version) = version {
                        self.nodes[node].version = version;
                    }
                    self.handle(node, event);
                }
            }
            Step::Write { node } => {
                self.write(node);
                let next = 0.05 + 0.5 * self.random.f64();
                self.after(next, Step::Write { node });
            }
            Step::WorkEnds { node, campaign } => {
                // 0: an orderly stop; else what follows a loss.
                if campaign == 0 || campaign == self.nodes[node].campaign {
                    self.nodes[node].work = None;
                    self.handle(node, Event::Cancel);
                }
            }
            Step::Pause { node } => self.nodes[node].paused = true,
            Step::Resume { node } => {
                self.nodes[node].paused = false;
                let mut held_back = std::mem::take(&mut self.nodes[node].held_back);
                // A process that wakes up handles all due events, in any order.
                self.random.shuffle(&mut held_back);
                for step in held_back {
                    self.step(step);
                }
            }
            Step::Restart { node } => {
                let next = &mut self.nodes[node];
                (next.work, next.paused, next.version) = (None, false, 0);
                next.held_back.retain(|step| matches!(step, Step::Write { .. }));
                for step in std::mem::take(&mut next.held_back) {
                    self.after(0.1, step);
                }
                self.nodes[node].identity.push('\'');
                self.campaign(node, Memory::default());
            }
            Step::Delete => {
                // A candidate that has never seen the lock can't know that there was one: that is not promised.
                if self.nodes.iter().all(|node| node.machine.memory().observed.is_some()) {
                    self.lock = None;
                }
            }
        }
    }

    fn campaign(&mut self, node: usize, memory: Memory) {
        let seed = self.random.u64(..);
        let next = &mut self.nodes[node];
        next.campaign += 1;
        next.request = None;
        next.machine = Machine::new(options(), &next.identity, memory, seed);
        self.handle(node, Event::Start);
    }

    fn handle(&mut self, node: usize, event: Event) {
        let instant = self.local(node);
        // Wall clocks show different times too.
        let wall = MicroTime::new(1_800_000_000, 0).unwrap();
        let wall = wall.checked_add((instant - self.nodes[node].epoch).into()).unwrap().truncated();
        let now = Now { instant, wall };
        let actions = self.nodes[node].machine.handle(event, now);
        let until = self.nodes[node].machine.leads_until();
        if let (Some(work), Some(until)) = (&mut self.nodes[node].work, until) {
            work.deadline = work.deadline.map(|_| until);
        }
        for action in actions {
            match action {
                Action::Get => self.send(node, Ask::Get),
                Action::Create(record) => self.send(node, Ask::Create(record)),
                Action::Update(record) => {
                    assert!(
                        !record.holder_identity.is_empty() || self.nodes[node].work.is_none(),
                        "the lock is released while work of the term runs"
                    );
                    let version = self.nodes[node].version;
                    self.send(node, Ask::Update(record, version));
                }
                Action::Abort => self.nodes[node].request = None,
                Action::Started(_) => {
                    self.terms += 1;
                    self.nodes[node].work = Some(Work { began: self.now, deadline: until });
                }
                Action::Lost(_) => {
                    if let Some(work) = &mut self.nodes[node].work {
                        work.deadline = None;
                    }
                    // Work that ignores cancellation continues for a while: only its gate refuses its writes.
                    let ends = 30.0 * self.random.f64().powi(3);
                    let campaign = self.nodes[node].campaign;
                    self.after(ends, Step::WorkEnds { node, campaign });
                }
                Action::Over(_) => {
                    let memory = self.nodes[node].machine.memory().clone();
                    return self.campaign(node, memory);
                }
                Action::NewLeader(_) | Action::SlowPath => {}
            }
        }
        self.nodes[node].turn += 1;
        let turn = self.nodes[node].turn;
        if let Some(wake) = self.nodes[node].machine.wake_at() {
            let left = wake.saturating_duration_since(self.local(node)).div_f64(self.nodes[node].rate);
            self.at(self.now + u64::try_from(left.as_micros()).unwrap() + 1, Step::Wake { node, turn });
        }
    }

    fn takes(&mut self) -> f64 {
        if self.bad_network && self.random.u8(..8) == 0 {
            15.0 * self.random.f64()
        } else {
            0.3 * self.random.f64()
        }
    }

    fn send(&mut self, node: usize, ask: Ask) {
        self.nodes[node].requests += 1;
        let id = (self.nodes[node].campaign, self.nodes[node].requests);
        self.nodes[node].request = Some(id);
        let request = self.flying.len();
        self.flying.push(Flying { node, id, ask: Some(ask), answer: None });
        if !(self.bad_network && self.random.u8(..12) == 0) {
            let takes = self.takes();
            self.after(takes, Step::Arrives { request });
        }
    }

    fn arrives(&mut self, request: usize) {
        let Some(ask) = self.flying[request].ask.take() else { return };
        let stored = self.lock.as_ref().map(|(version, _)| *version);
        let mut store = |record| {
            self.versions += 1;
            self.lock = Some((self.versions, record));
            (Event::Wrote(Ok(())), Some(self.versions))
        };
        let answer = match ask {
            Ask::Get => match &self.lock {
                Some((version, record)) => (Event::Got(Ok(Some(record.clone()))), Some(*version)),
                None => (Event::Got(Ok(None)), None),
            },
            Ask::Create(record) if stored.is_none() => store(record),
            Ask::Create(_) => (Event::Wrote(Err(Failed::Conflict)), None),
            Ask::Update(record, version) if stored == Some(version) => store(record),
            Ask::Update(..) if stored.is_some() => (Event::Wrote(Err(Failed::Conflict)), None),
            Ask::Update(..) => (Event::Wrote(Err(Failed::Other)), None),
        };
        self.flying[request].answer = Some(answer);
        if !(self.bad_network && self.random.u8(..12) == 0) {
            let takes = self.takes();
            self.after(takes, Step::Answered { request });
        }
    }

    /// The gate of a client: compares the node's clock with the deadline that was stored last.
    fn write(&mut self, node: usize) {
        let now = self.local(node);
        let Some(work) = &self.nodes[node].work else { return };
        if work.deadline.is_none_or(|deadline| now >= deadline) {
            self.refused += 1;
            return;
        }
        self.writes += 1;
        let later = self.nodes.iter().enumerate().find(|(other, others)| {
            *other != node && others.work.as_ref().is_some_and(|others| others.began > work.began)
        });
        assert!(later.is_none(), "at {} node {node} writes in a term that {later:?} has followed", self.now);
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({:?})", self.identity, self.machine)
    }
}

fn options() -> LeaderElectionOptions {
    LeaderElectionOptions::default()
}

#[test]
fn no_write_starts_after_another_term_has_begun() {
    let (mut writes, mut refused, mut terms) = (0, 0, 0);
    for seed in 0..HISTORIES {
        let history = std::panic::catch_unwind(|| World::new(seed).run());
        let history = history.unwrap_or_else(|_| panic!("seed {seed}"));
        writes += history.writes;
        refused += history.refused;
        terms += history.terms;
    }
    // There are leaders, and gates do refuse writes of work that continues.
    let histories = usize::try_from(HISTORIES).unwrap();
    assert!(
        terms > 3 * histories && writes > 100 * histories && refused > histories,
        "{terms} {writes} {refused}"
    );
}
