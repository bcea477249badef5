//! Three replicas with clocks of their own, the Leases of their group, and the network between them.

use std::time::Duration;

use client_rs_machinery::MicroTime;
use tokio::time::Instant;

use super::op::{Op, Setup};
use super::replica::{Life, ODD, Replica, SHARDS};
use super::server::{Content, Message, Name, Response, Server, refusal};
use crate::history::{Fact, History, Phase};

/// The number of replicas.
pub const NODES: u8 = 3;
const NAMES: [&str; 3] = ["a", "b", "c"];
/// The longest that a request takes: the default of kube-apiserver.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);
/// The time that a message takes when nothing fails.
const LATENCY: Duration = Duration::from_millis(1);

/// The state of a simulation.
pub struct World {
    pub(super) setup: Setup,
    base: Instant,
    /// Real time.
    pub(super) now: Duration,
    pub(super) nodes: Vec<Replica>,
    pub(super) messages: Vec<Message>,
    pub(super) server: Server,
    requests: u32,
    pub(super) campaigns: u64,
    deleted: bool,
    history: History,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("now", &self.now).field("server", &self.server).finish_non_exhaustive()
    }
}

impl World {
    /// Makes a world with its replicas. `history` is emptied and used.
    pub fn new(setup: Setup, base: std::time::Instant, mut history: History) -> Self {
        history.clear();
        let mut world = Self {
            setup,
            base: Instant::from_std(base),
            now: Duration::ZERO,
            nodes: Vec::new(),
            messages: Vec::new(),
            server: Server::default(),
            requests: 0,
            campaigns: 0,
            deleted: false,
            history,
        };
        for (node, name) in (0..NODES).zip(NAMES) {
            let count = if setup.odd && node + 1 == NODES { ODD } else { SHARDS };
            let replica = Replica::new(name.to_owned(), count, world.local(node));
            world.nodes.push(replica);
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

    pub(super) fn node(&mut self, node: u8) -> &mut Replica {
        &mut self.nodes[usize::from(node % NODES)]
    }

    pub(super) fn local(&self, node: u8) -> Instant {
        let rate = u32::from(self.setup.rates[usize::from(node)]);
        // Clocks show different times, and pass at different rates.
        self.base + Duration::from_secs(100 * u64::from(node)) + self.now * rate / 100
    }

    pub(super) fn wall(&self) -> MicroTime {
        let seconds = 1_800_000_000 + i64::try_from(self.now.as_secs()).unwrap_or_default();
        MicroTime::new(seconds, self.now.subsec_micros() * 1_000).unwrap_or_else(MicroTime::now)
    }

    pub(super) fn is_paused(&self, node: u8) -> bool {
        self.nodes[usize::from(node % NODES)].paused
    }

    pub(super) fn is_due(&self, node: u8) -> bool {
        let own = &self.nodes[usize::from(node)];
        !own.paused && own.wake_at().is_some_and(|at| at <= self.local(node))
    }

    /// Returns the real time at which the next replica is due.
    fn next_due(&self) -> Option<(Duration, u8)> {
        let due = |node: u8| {
            let own = &self.nodes[usize::from(node)];
            let left = own.wake_at()?.saturating_duration_since(self.local(node));
            (!own.paused)
                .then(|| (self.now + left * 100 / u32::from(self.setup.rates[usize::from(node)]), node))
        };
        (0..NODES).filter_map(due).min()
    }

    /// Performs a step. Returns false if it is not possible now.
    pub fn apply(&mut self, op: Op) -> bool {
        match op {
            Op::Arrive(place) => return self.place(place).is_some_and(|place| self.arrive(place)),
            Op::Answer(place) => return self.place(place).is_some_and(|place| self.deliver(place)),
            Op::Lose(place) => {
                let Some(place) = self.place(place) else { return false };
                let message = self.messages.remove(place);
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
                let Some(place) = self.place(place) else { return false };
                let message = &mut self.messages[place];
                let Some(response) = refusal(&message.content) else { return false };
                message.content = Content::Response(response);
            }
            Op::Wait(millis) => self.now += Duration::from_millis(millis.into()),
            Op::Next => return self.next(None),
            Op::Tick(node) => {
                if !self.is_due(node % NODES) {
                    return false;
                }
                self.tick(node % NODES);
            }
            Op::Calm(millis) => self.calm(Duration::from_millis(millis.into())),
            Op::Claim(node, shard) => return self.claim(node % NODES, shard),
            Op::Write(node, shard) => return self.write(node % NODES, shard),
            Op::Done(node, shard) => return self.done(node % NODES, shard),
            Op::Pause(node) => return !std::mem::replace(&mut self.node(node).paused, true),
            Op::Resume(node) => return std::mem::replace(&mut self.node(node).paused, false),
            Op::Kill(node) => {
                if !self.setup.kills {
                    return false;
                }
                self.restart(node % NODES);
            }
            Op::Stop(node) => {
                let node = node % NODES;
                if !self.setup.kills || self.is_paused(node) || self.node(node).life != Life::Runs {
                    return false;
                }
                self.stop(node);
            }
            Op::Delete(shard) => return self.delete(u32::from(shard) % SHARDS),
            Op::DeleteMember(node) => {
                let name = Name::Member(self.node(node).identity.clone());
                // Another number of shards may begin while a replica without a Lease and without a shard is a member.
                if self.setup.odd || self.server.leases.remove(&name).is_none() {
                    return false;
                }
                self.record(node % NODES + 1, Phase::Info, Fact::Deleted);
            }
        }
        true
    }

    fn place(&self, place: u8) -> Option<usize> {
        let len = self.messages.len();
        (len > 0).then(|| usize::from(place) % len)
    }

    fn delete(&mut self, shard: u32) -> bool {
        let known = (0..NODES).all(|node| self.nodes[usize::from(node)].knows(shard));
        if self.setup.kills || self.setup.odd || self.deleted || !known {
            return false;
        }
        if self.server.leases.remove(&Name::Shard(shard)).is_none() {
            return false;
        }
        self.deleted = true;
        self.record(0, Phase::Info, Fact::Deleted);
        true
    }

    /// A process has ended, and another begins.
    pub(super) fn restart(&mut self, node: u8) {
        let (identity, now) = (format!("{}+", self.node(node).identity), self.local(node));
        let count = self.node(node).count;
        *self.node(node) = Replica::new(identity, count, now);
        self.record(node + 1, Phase::Info, Fact::Began);
    }

    /// Wakes the replica that is due next, not later than the end.
    fn next(&mut self, end: Option<Duration>) -> bool {
        let Some((due, node)) = self.next_due() else { return false };
        let at = self.now.max(due) + Duration::from_micros(1);
        if end.is_some_and(|end| at > end) {
            return false;
        }
        self.now = at;
        self.tick(node);
        true
    }

    /// Everything arrives in order for a while.
    pub(super) fn calm(&mut self, time: Duration) {
        let end = self.now + time;
        let mut steps = 0;
        while self.now < end && steps < 20_000 {
            steps += 1;
            let place = self
                .messages
                .iter()
                .position(|message| !message.is_response() || !self.is_paused(message.node));
            let Some(place) = place else {
                if !self.next(Some(end)) {
                    self.now = end;
                }
                continue;
            };
            self.now += LATENCY;
            if !self.arrive(place) {
                self.deliver(place);
            }
        }
    }

    pub(super) fn send(&mut self, node: u8, content: Content) -> u32 {
        let fact = match &content {
            Content::Create(Name::Shard(shard), record, _)
            | Content::Update(Name::Shard(shard), record, ..) => {
                Some((*shard, i64::from(record.leader_transitions)))
            }
            _ => None,
        };
        if let Some((shard, token)) = fact {
            let shard = u8::try_from(shard).unwrap_or(u8::MAX);
            self.record(node + 1, Phase::Invoke, Fact::ShardLease { shard, token });
        }
        self.requests += 1;
        let (id, sent) = (self.requests, self.now);
        self.messages.push(Message { node, id, sent, content });
        id
    }

    /// The server carries out a request.
    fn arrive(&mut self, place: usize) -> bool {
        if self.messages[place].is_response() {
            return false;
        }
        if self.now > self.messages[place].sent + REQUEST_TIMEOUT {
            self.messages.remove(place);
            return true;
        }
        let request = std::mem::replace(&mut self.messages[place].content, Content::List);
        let response = self.server.answer(request);
        self.messages[place].content = Content::Response(response);
        true
    }

    /// A response reaches its replica, unless it no longer waits for it.
    fn deliver(&mut self, place: usize) -> bool {
        let message = &self.messages[place];
        if !message.is_response() || self.is_paused(message.node) {
            return false;
        }
        let Message { node, id, content, .. } = self.messages.remove(place);
        let Content::Response(response) = content else { return false };
        match response {
            Response::Shard(shard, input, version) => self.answered(node, shard, id, input, version),
            Response::Member(outcome, version) => self.announced(node, id, outcome, version),
            Response::Listed(leases) => self.listed(node, id, leases),
            Response::Deleted => self.left(node, id),
        }
        true
    }

    /// Ends all faults, and lets everything run for a while.
    pub fn settle(&mut self) {
        self.record(0, Phase::Info, Fact::Heal);
        for node in 0..NODES {
            self.apply(Op::Resume(node));
        }
        for _ in 0..110 {
            for node in 0..NODES {
                for shard in 0..u8::try_from(SHARDS).unwrap_or(u8::MAX) {
                    self.apply(Op::Claim(node, shard));
                    self.apply(Op::Write(node, shard));
                    while self.apply(Op::Done(node, shard)) {}
                }
            }
            self.calm(Duration::from_secs(1));
        }
        for node in 0..NODES {
            let (own, now) = (&self.nodes[usize::from(node)], self.local(node));
            let (held, count) = (own.held(now), u8::try_from(own.count).unwrap_or(u8::MAX));
            let takes_part = own.life == Life::Runs;
            self.record(node + 1, Phase::Info, Fact::Share { held, count, takes_part });
        }
        self.record(0, Phase::Info, Fact::Quiet { settled: true, unsure: false, version: 0, views: [0; 4] });
    }
}
