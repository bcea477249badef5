//! Three candidates with clocks of their own, a Lease, and the network between them.

use std::time::Duration;

use client_rs_leaderelection::sim::{Candidate, Failure, Input, Output};
use client_rs_leaderelection::{LeaderElectionOptions, LeaderElectionRecord};
use client_rs_machinery::MicroTime;
use tokio::time::Instant;

use super::op::{Op, Setup};
use crate::history::{Fact, History, Phase, Verb};

/// The number of candidates.
pub const NODES: u8 = 3;
const NAMES: [&str; 3] = ["a", "b", "c"];

/// A request on its way, or its response.
#[derive(Clone, Debug)]
pub(super) struct Message {
    node: u8,
    /// The request of the candidate that it belongs to; others are ignored.
    id: u32,
    /// When the request was sent. A server gives up a request after a minute.
    sent: Duration,
    content: Content,
}

/// The longest that a request takes: the default of kube-apiserver.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Clone, Debug)]
enum Content {
    Get,
    Create(LeaderElectionRecord),
    /// An update of the record at this version.
    Update(LeaderElectionRecord, u32),
    /// A response, with the version that the candidate knows from then on.
    Response(Input, Option<u32>),
}

impl Content {
    /// Returns the verb and the token of a request.
    fn about(&self) -> (Verb, i64) {
        match self {
            Self::Create(record) => (Verb::Create, record.leader_transitions.into()),
            Self::Update(record, _) => (Verb::Update, record.leader_transitions.into()),
            Self::Get | Self::Response(..) => (Verb::Get, 0),
        }
    }
}

impl Message {
    /// Returns whether it is a response.
    pub(super) fn is_response(&self) -> bool {
        matches!(self.content, Content::Response(..))
    }

    /// Returns whether it is a request that creates the Lease.
    pub(super) fn creates(&self) -> bool {
        matches!(self.content, Content::Create(_))
    }

    /// Returns the candidate.
    pub(super) fn node(&self) -> u8 {
        self.node
    }
}

/// The work of a term. It may continue after the term is lost; its gate is closed then.
#[derive(Clone, Copy, Debug)]
struct Work {
    token: i64,
    gate: Option<Instant>,
}

/// A process with a candidate.
struct Node {
    candidate: Candidate,
    identity: String,
    paused: bool,
    /// The request that it waits for.
    request: Option<u32>,
    requests: u32,
    version: u32,
    work: Option<Work>,
}

/// The state of a simulation.
pub struct World {
    pub(super) setup: Setup,
    base: Instant,
    /// Real time.
    pub(super) now: Duration,
    nodes: Vec<Node>,
    pub(super) messages: Vec<Message>,
    lock: Option<(u32, LeaderElectionRecord)>,
    versions: u32,
    pub(super) deleted: bool,
    campaigns: u64,
    history: History,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("now", &self.now).field("lock", &self.lock).finish_non_exhaustive()
    }
}

impl World {
    /// Makes a world, and starts its candidates. `history` is emptied and used.
    pub fn new(setup: Setup, base: std::time::Instant, mut history: History) -> Self {
        history.clear();
        let nodes = NAMES.map(|name| Node {
            candidate: Candidate::new(LeaderElectionOptions::default(), name, None, setup.seed),
            identity: name.to_owned(),
            paused: false,
            request: None,
            requests: 0,
            version: 0,
            work: None,
        });
        let mut world = Self {
            setup,
            base: Instant::from_std(base),
            now: Duration::ZERO,
            nodes: nodes.into(),
            messages: Vec::new(),
            lock: None,
            versions: 0,
            deleted: false,
            campaigns: 0,
            history,
        };
        for node in 0..NODES {
            world.campaign(node, true);
        }
        world
    }

    /// Returns the history.
    pub fn into_history(self) -> History {
        self.history
    }

    pub(super) fn record(&mut self, node: u8, phase: Phase, op: Fact) {
        let t = u64::try_from(self.now.as_micros()).unwrap_or(u64::MAX);
        self.history.push(t, node, phase, op);
    }

    fn local(&self, node: u8) -> Instant {
        let rate = u32::from(self.setup.rates[usize::from(node)]);
        // Clocks show different times, and pass at different rates.
        self.base + Duration::from_secs(100 * u64::from(node)) + self.now * rate / 100
    }

    /// Returns the real time at which a candidate is due.
    fn due(&self, node: u8) -> Option<Duration> {
        let wake = self.nodes[usize::from(node)].candidate.wake_at()?;
        let left = wake.saturating_duration_since(self.local(node));
        let rate = u32::from(self.setup.rates[usize::from(node)]);
        Some(self.now + left * 100 / rate)
    }

    pub(super) fn is_paused(&self, node: u8) -> bool {
        self.nodes[usize::from(node)].paused
    }

    pub(super) fn is_due(&self, node: u8) -> bool {
        !self.is_paused(node)
            && self.nodes[usize::from(node)].candidate.wake_at().is_some_and(|at| at <= self.local(node))
    }

    pub(super) fn works(&self, node: u8) -> bool {
        self.nodes[usize::from(node)].work.is_some()
    }

    /// Performs a step. Returns false if it is not possible now.
    #[allow(clippy::too_many_lines, reason = "one arm per step")]
    pub fn apply(&mut self, op: Op) -> bool {
        match op {
            Op::Arrive(place) => return self.arrive(place),
            Op::Answer(place) => return self.answer(place),
            Op::Lose(place) => {
                let Some(place) = self.place(place) else { return false };
                let message = self.messages.swap_remove(place);
                self.record(
                    message.node + 1,
                    Phase::Info,
                    Fact::LostMessage { response: message.is_response() },
                );
            }
            Op::Duplicate(place) => {
                let Some(place) = self.place(place).filter(|place| !self.messages[*place].is_response())
                else {
                    return false;
                };
                let copy = self.messages[place].clone();
                self.messages.push(copy);
            }
            Op::Refuse(place) => {
                let Some(place) = self.place(place).filter(|place| !self.messages[*place].is_response())
                else {
                    return false;
                };
                let message = &mut self.messages[place];
                let input = match message.content {
                    Content::Get => Input::Got(Err(Failure::Other)),
                    _ => Input::Wrote(Err(Failure::Other)),
                };
                message.content = Content::Response(input, None);
            }
            Op::Wait(millis) => self.now += Duration::from_millis(millis.into()),
            Op::Next => {
                let next = (0..NODES).filter(|node| !self.is_paused(*node));
                let Some((due, node)) = next.filter_map(|node| Some((self.due(node)?, node))).min() else {
                    return false;
                };
                self.now = self.now.max(due) + Duration::from_micros(1);
                self.handle(node, Input::Tick);
            }
            Op::Tick(node) => {
                let node = node % NODES;
                if !self.is_due(node) {
                    return false;
                }
                self.handle(node, Input::Tick);
            }
            Op::Work(node) => return self.work(node % NODES),
            Op::End(node) => {
                let node = node % NODES;
                if self.is_paused(node) || !self.works(node) {
                    return false;
                }
                self.end_work(node);
                self.handle(node, Input::Cancel);
            }
            Op::Pause(node) => {
                return !std::mem::replace(&mut self.nodes[usize::from(node % NODES)].paused, true);
            }
            Op::Resume(node) => {
                return std::mem::replace(&mut self.nodes[usize::from(node % NODES)].paused, false);
            }
            Op::Kill(node) => {
                let node = node % NODES;
                if !self.setup.kills {
                    return false;
                }
                self.end_work(node);
                let killed = &mut self.nodes[usize::from(node)];
                killed.paused = false;
                killed.version = 0;
                killed.identity.push('+');
                self.campaign(node, true);
            }
            Op::Delete => {
                let known = self.nodes.iter().all(|node| node.candidate.has_observed());
                if self.setup.kills || self.setup.edits || self.deleted || !known || self.lock.is_none() {
                    return false;
                }
                self.deleted = true;
                self.lock = None;
                self.record(0, Phase::Info, Fact::Deleted);
            }
            Op::Quit(node) => {
                let node = node % NODES;
                if self.is_paused(node) || self.works(node) {
                    return false;
                }
                self.handle(node, Input::Cancel);
            }
            Op::Edit => {
                let Some((version, record)) = self.lock.as_mut().filter(|_| self.setup.edits) else {
                    return false;
                };
                self.versions += 1;
                *version = self.versions;
                record.holder_identity = "".into();
                self.record(0, Phase::Info, Fact::Edited);
            }
        }
        true
    }

    fn place(&self, place: u8) -> Option<usize> {
        let len = self.messages.len();
        (len > 0).then(|| usize::from(place) % len)
    }

    fn campaign(&mut self, node: u8, forgets: bool) {
        self.campaigns += 1;
        let seed = self.setup.seed ^ self.campaigns;
        let next = &mut self.nodes[usize::from(node)];
        let before = (!forgets).then_some(&next.candidate);
        next.candidate = Candidate::new(LeaderElectionOptions::default(), &next.identity, before, seed);
        next.request = None;
        self.handle(node, Input::Start);
    }

    fn handle(&mut self, node: u8, input: Input) {
        let (local, real) = (self.local(node), self.now);
        let seconds = 1_800_000_000 + i64::try_from(real.as_secs()).unwrap_or_default();
        let wall = MicroTime::new(seconds, real.subsec_micros() * 1_000).unwrap_or_else(MicroTime::now);
        let own = &mut self.nodes[usize::from(node)];
        let mut outputs = Vec::new();
        own.candidate.handle(input, local, wall, |output| outputs.push(output));
        let until = own.candidate.leads_until();
        if let (Some(work), Some(until)) = (&mut own.work, until) {
            work.gate = work.gate.map(|_| until);
        }
        for output in outputs {
            match output {
                Output::Get => self.send(node, Content::Get),
                Output::Create(record) => self.send(node, Content::Create(record)),
                Output::Update(record) => {
                    if record.holder_identity.is_empty() {
                        let running = self.works(node);
                        self.record(node + 1, Phase::Info, Fact::Release { running });
                    }
                    let version = self.nodes[usize::from(node)].version;
                    self.send(node, Content::Update(record, version));
                }
                Output::Abort => self.nodes[usize::from(node)].request = None,
                Output::Started(token) => {
                    let token = i64::from(token);
                    self.nodes[usize::from(node)].work = Some(Work { token, gate: until });
                    self.record(node + 1, Phase::Ok, Fact::Term { token });
                }
                Output::Lost => {
                    if let Some(work) = &mut self.nodes[usize::from(node)].work {
                        work.gate = None;
                        let token = work.token;
                        self.record(node + 1, Phase::Info, Fact::Lost { token });
                    }
                }
                Output::Over => {
                    // Without a term that is lost, its work has ended.
                    self.end_work(node);
                    return self.campaign(node, false);
                }
            }
        }
    }

    fn end_work(&mut self, node: u8) {
        self.nodes[usize::from(node)].work = None;
    }

    fn send(&mut self, node: u8, content: Content) {
        let (verb, token) = content.about();
        self.record(node + 1, Phase::Invoke, Fact::Lock { verb, token });
        let own = &mut self.nodes[usize::from(node)];
        own.requests += 1;
        own.request = Some(own.requests);
        let (id, sent) = (own.requests, self.now);
        self.messages.push(Message { node, id, sent, content });
    }

    /// The server carries out a request.
    fn arrive(&mut self, place: u8) -> bool {
        let Some(place) = self.place(place).filter(|place| !self.messages[*place].is_response()) else {
            return false;
        };
        if self.now > self.messages[place].sent + REQUEST_TIMEOUT {
            self.messages.swap_remove(place);
            return true;
        }
        let stored = self.lock.as_ref().map(|(version, _)| *version);
        let content = std::mem::replace(&mut self.messages[place].content, Content::Get);
        let (node, (verb, token)) = (self.messages[place].node, content.about());
        let conflict = Content::Response(Input::Wrote(Err(Failure::Conflict)), None);
        let response = match content {
            Content::Get => match &self.lock {
                Some((version, record)) => {
                    Content::Response(Input::Got(Ok(Some(record.clone()))), Some(*version))
                }
                None => Content::Response(Input::Got(Ok(None)), None),
            },
            Content::Create(record) if stored.is_none() => self.store(record),
            Content::Update(record, version) if stored == Some(version) => self.store(record),
            Content::Update(..) if stored.is_none() => {
                Content::Response(Input::Wrote(Err(Failure::Other)), None)
            }
            Content::Create(_) | Content::Update(..) => conflict,
            response @ Content::Response(..) => response,
        };
        let phase = match response {
            Content::Response(Input::Wrote(Err(_)), _) => Phase::Fail,
            _ => Phase::Ok,
        };
        self.record(node + 1, phase, Fact::Lock { verb, token });
        self.messages[place].content = response;
        true
    }

    fn store(&mut self, record: LeaderElectionRecord) -> Content {
        self.versions += 1;
        self.lock = Some((self.versions, record));
        Content::Response(Input::Wrote(Ok(())), Some(self.versions))
    }

    /// A response reaches its candidate, unless it no longer waits for it.
    fn answer(&mut self, place: u8) -> bool {
        let Some(place) = self.place(place).filter(|place| {
            let message = &self.messages[*place];
            message.is_response() && !self.is_paused(message.node)
        }) else {
            return false;
        };
        let Message { node, id, content, .. } = self.messages.swap_remove(place);
        let Content::Response(input, version) = content else { return false };
        let own = &mut self.nodes[usize::from(node)];
        if own.request != Some(id) {
            return true;
        }
        own.request = None;
        if let Some(version) = version {
            own.version = version;
        }
        if let Input::Got(Ok(Some(record))) = &input {
            let own = record.holder_identity == own.identity;
            let token = record.leader_transitions.into();
            self.record(node + 1, Phase::Ok, Fact::Seen { token, own });
        }
        self.handle(node, input);
        true
    }

    /// The work writes, if the gate is open: the local clock has not reached the end of the term.
    fn work(&mut self, node: u8) -> bool {
        let now = self.local(node);
        let own = &self.nodes[usize::from(node)];
        let Some(work) = own.work.filter(|_| !own.paused) else { return false };
        let open = work.gate.is_some_and(|gate| now < gate);
        let phase = if open { Phase::Ok } else { Phase::Fail };
        self.record(node + 1, phase, Fact::Effect { token: work.token });
        true
    }

    /// Ends all faults, and lets everything run for a while.
    pub fn settle(&mut self) {
        self.record(0, Phase::Info, Fact::Heal);
        for node in 0..NODES {
            self.apply(Op::Resume(node));
        }
        // Work that was lost ends at last.
        let end = self.now + Duration::from_secs(90);
        let mut rounds = 0;
        while self.now < end && rounds < 2_000 {
            rounds += 1;
            for node in 0..NODES {
                let own = &self.nodes[usize::from(node)];
                if own.work.is_some_and(|work| work.gate.is_none()) {
                    self.apply(Op::End(node));
                }
                self.apply(Op::Work(node));
            }
            if self.messages.is_empty() {
                self.apply(Op::Next);
                continue;
            }
            self.now += Duration::from_millis(1);
            self.apply(Op::Arrive(0));
            self.apply(Op::Answer(0));
        }
        let settled = rounds < 2_000;
        self.record(0, Phase::Info, Fact::Quiet { settled, unsure: false, version: 0, views: [0; 4] });
    }
}
