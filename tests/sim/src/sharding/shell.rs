//! The shell of a replica: rounds, campaigns and claims, as the tasks of production do them.

use std::collections::BTreeSet;
use std::time::Duration;

use client_rs_leaderelection::sharding::sim::{
    Action, Event, Found, Holding, MOST, Next, Outcome, Planned, Round as Verdict, Step, next,
};
use client_rs_leaderelection::sim::{Candidate, Input, Output};
use client_rs_leaderelection::{LeaderElectionOptions, LeaderElectionRecord};

use super::replica::{Announcing, Life, Listing, Round, Slot, Term};
use super::server::{Content, Name};
use super::world::World;
use crate::history::{Fact, Phase};

/// How long claims may continue in a hand-over.
const PATIENCE: Duration = Duration::from_secs(10);

fn number(shard: u32) -> u8 {
    u8::try_from(shard).unwrap_or(u8::MAX)
}

impl World {
    fn slot(&mut self, node: u8, shard: u32) -> Option<&mut Slot> {
        self.node(node).slots.get_mut(shard as usize)
    }

    /// A replica wakes up.
    pub(super) fn tick(&mut self, node: u8) {
        let now = self.local(node);
        for shard in 0..self.node(node).count {
            let Some(slot) = self.slot(node, shard) else { continue };
            if slot.campaigns
                && slot.candidate.as_ref().and_then(Candidate::wake_at).is_some_and(|at| at <= now)
            {
                self.handle(node, shard, Input::Tick);
            }
            let Some(slot) = self.slot(node, shard) else { continue };
            if slot.holding.as_ref().and_then(Holding::wake_at).is_some_and(|at| at <= now) {
                self.hold(node, shard, Event::Tick);
            }
        }
        // Terms end with the membership.
        if !self.node(node).group.is_member(now) {
            self.end_terms(node);
        }
        let options = LeaderElectionOptions::default();
        match self.node(node).life {
            Life::Runs | Life::Stops => {
                let own = self.node(node);
                if own.round.as_ref().is_some_and(|round| now >= round.until) {
                    own.round = None;
                }
                if own.round.is_none() && now >= own.next_round {
                    own.next_round = now + options.retry_period;
                    self.begin_round(node);
                }
            }
            Life::Leaves(until, _) if now >= until => self.end(node),
            Life::Leaves(..) | Life::Refused => {}
        }
    }

    // Rounds.

    fn begin_round(&mut self, node: u8) {
        let now = self.local(node);
        let own = self.node(node);
        for slot in own.slots.iter_mut().filter(|slot| slot.over) {
            (slot.runs, slot.over) = (false, false);
        }
        let established = own.group.is_member(now);
        let stops = own.life == Life::Stops;
        let (announcing, listing) = (Announcing::Failed, Listing::Later);
        let until = now + own.group.patience(now);
        own.round = Some(Round { began: now, until, established, announcing, listing });
        self.announce(node, Step::Update, 0);
        if established && !stops {
            self.list(node);
        }
    }

    fn announce(&mut self, node: u8, step: Step, sent: u32) {
        let wall = self.wall();
        let own = self.node(node);
        let (name, count) = (Name::Member(own.identity.clone()), own.count);
        let record = LeaderElectionRecord {
            holder_identity: own.identity.as_str().into(),
            lease_duration_seconds: 15,
            acquire_time: Some(wall),
            renew_time: Some(wall),
            ..LeaderElectionRecord::EMPTY
        };
        let content = match (step, own.version) {
            // Never read.
            (Step::Update, None) => return self.announce(node, Step::Create, sent),
            (Step::Update, Some(version)) => Content::Update(name, record, count, version),
            (Step::Create, _) => Content::Create(name, record, count),
            (Step::Get, _) => Content::Get(name),
        };
        let id = self.send(node, content);
        if let Some(round) = &mut self.node(node).round {
            round.announcing = Announcing::Requests(step, id, sent + 1);
        }
    }

    fn list(&mut self, node: u8) {
        let id = self.send(node, Content::List);
        if let Some(round) = &mut self.node(node).round {
            round.listing = Listing::Request(id);
        }
    }

    pub(super) fn announced(&mut self, node: u8, id: u32, outcome: Outcome, version: Option<u32>) {
        let now = self.local(node);
        let own = self.node(node);
        let Some(round) = &mut own.round else { return };
        let Announcing::Requests(step, waits, sent) = round.announcing else { return };
        if waits != id {
            return;
        }
        if version.is_some() {
            own.version = version;
        }
        match next(step, outcome) {
            Next::Request(step) if sent < MOST => return self.announce(node, step, sent),
            Next::Announced => round.announcing = Announcing::Done,
            Next::Request(_) | Next::Failed => round.announcing = Announcing::Failed,
        }
        let (done, began, established) =
            (round.announcing == Announcing::Done, round.began, round.established);
        if own.life == Life::Stops {
            if done {
                own.group.renewed(began, now);
            }
            own.round = None;
        } else if established {
            // Too late: the next round reads the Leases again.
            if !(done && own.group.renewed(began, now)) {
                round.announcing = Announcing::Failed;
            }
            self.conclude(node);
        } else if done {
            self.list(node);
        } else {
            own.round = None;
        }
    }

    pub(super) fn listed(&mut self, node: u8, id: u32, leases: Option<Vec<Found>>) {
        let Some(round) = &mut self.node(node).round else { return };
        if !matches!(round.listing, Listing::Request(waits) if waits == id) {
            return;
        }
        round.listing = leases.map_or(Listing::Failed, Listing::Done);
        self.conclude(node);
    }

    /// Ends a round whose requests are over.
    fn conclude(&mut self, node: u8) {
        let now = self.local(node);
        let own = self.node(node);
        let requests = own.round.as_ref().is_none_or(|round| {
            matches!(round.announcing, Announcing::Requests(..))
                || matches!(round.listing, Listing::Later | Listing::Request(_))
        });
        if requests {
            return;
        }
        let Some(Round { began, established, announcing, listing, .. }) = own.round.take() else { return };
        let (Announcing::Done, Listing::Done(leases)) = (announcing, listing) else { return };
        let slots = own.slots.iter().zip(0..);
        let running: BTreeSet<u32> = slots.filter(|(slot, _)| slot.runs).map(|(_, shard)| shard).collect();
        let Planned { begins, plan, gone, .. } =
            match own.group.plan(leases, &running, established, began, now) {
                Verdict::Refused(_) => {
                    self.stop(node);
                    return;
                }
                Verdict::Waits(_) => return,
                Verdict::Planned(planned) => planned,
            };
        if begins {
            for shard in 0..self.node(node).count {
                self.end_term(node, shard);
            }
        }
        for shard in plan.drain {
            self.drain(node, shard);
        }
        for shard in plan.campaign {
            self.campaign(node, shard);
        }
        for member in gone {
            let name = Name::Member(member.to_string());
            let version = self.server.leases.get(&name).map(|lease| lease.version);
            if version.is_some() {
                self.send(node, Content::Delete(name, version));
            }
        }
    }

    // The end.

    /// Ends in order: also a replica that is refused.
    pub(super) fn stop(&mut self, node: u8) {
        let own = self.node(node);
        (own.life, own.round) = (Life::Stops, None);
        for shard in 0..self.node(node).count {
            self.drain(node, shard);
        }
        self.leave(node);
    }

    /// Removes the Lease when no shard is left.
    fn leave(&mut self, node: u8) {
        let own = self.node(node);
        if own.life != Life::Stops || own.slots.iter().any(|slot| slot.runs && !slot.over) {
            return;
        }
        own.round = None;
        let name = Name::Member(own.identity.clone());
        let id = self.send(node, Content::Delete(name, None));
        let until = self.local(node) + LeaderElectionOptions::default().renew_deadline;
        self.node(node).life = Life::Leaves(until, id);
    }

    pub(super) fn left(&mut self, node: u8, id: u32) {
        if matches!(self.node(node).life, Life::Leaves(_, waits) if waits == id) {
            self.end(node);
        }
    }

    /// The process has ended. A replica with another number of shards is not started again.
    fn end(&mut self, node: u8) {
        if self.setup.odd {
            self.node(node).life = Life::Refused;
        } else {
            self.restart(node);
        }
    }

    // Shards.

    fn campaign(&mut self, node: u8, shard: u32) {
        let Some(slot) = self.slot(node, shard) else { return };
        (slot.runs, slot.over) = (true, false);
        if slot.campaigns {
            slot.waits = true;
            return;
        }
        self.start(node, shard);
    }

    fn start(&mut self, node: u8, shard: u32) {
        self.campaigns += 1;
        let seed = self.setup.seed ^ self.campaigns;
        let own = self.node(node);
        let Some(slot) = own.slots.get_mut(shard as usize) else { return };
        let options = LeaderElectionOptions::default();
        let before = slot.candidate.as_ref();
        let candidate = Candidate::for_shard(options, &own.identity, before, &own.group, shard, seed);
        slot.candidate = Some(candidate);
        (slot.campaigns, slot.waits, slot.request) = (true, false, None);
        self.handle(node, shard, Input::Start);
    }

    /// Another replica should get the shard.
    fn drain(&mut self, node: u8, shard: u32) {
        let Some(slot) = self.slot(node, shard) else { return };
        if !slot.runs || slot.over {
            return;
        }
        if slot.holding.is_some() {
            return self.hold(node, shard, Event::End);
        }
        // It was not acquired yet.
        slot.over = true;
        if std::mem::take(&mut slot.waits) {
            return;
        }
        self.handle(node, shard, Input::Cancel);
    }

    fn handle(&mut self, node: u8, shard: u32, input: Input) {
        let (now, wall) = (self.local(node), self.wall());
        let Some(slot) = self.slot(node, shard) else { return };
        let Some(candidate) = &mut slot.candidate else { return };
        let mut outputs = Vec::new();
        candidate.handle(input, now, wall, |output| outputs.push(output));
        let until = candidate.leads_until();
        if let (Some(term), Some(until)) = (&mut slot.term, until) {
            term.gate = term.gate.map(|_| until);
        }
        for output in outputs {
            match output {
                Output::Get => self.request(node, shard, Content::Get(Name::Shard(shard))),
                Output::Create(record) => {
                    let count = self.node(node).count;
                    self.request(node, shard, Content::Create(Name::Shard(shard), record, count));
                }
                Output::Update(record) => {
                    let own = self.node(node);
                    let (count, slot) = (own.count, &own.slots[shard as usize]);
                    let (version, running) = (slot.version, slot.term.is_some_and(|term| term.claims > 0));
                    if record.holder_identity.is_empty() {
                        let shard = number(shard);
                        self.record(node + 1, Phase::Info, Fact::ShardRelease { shard, running });
                    }
                    self.request(node, shard, Content::Update(Name::Shard(shard), record, count, version));
                }
                Output::Abort => {
                    if let Some(slot) = self.slot(node, shard) {
                        slot.request = None;
                    }
                }
                Output::Started(token) => self.started(node, shard, token.into(), until),
                Output::Lost => self.end_term(node, shard),
                Output::Over => return self.campaign_over(node, shard),
            }
        }
    }

    fn started(&mut self, node: u8, shard: u32, token: i64, until: Option<tokio::time::Instant>) {
        let count = number(self.node(node).count);
        if let Some(slot) = self.slot(node, shard) {
            slot.term = Some(Term { token, gate: until, claims: 0 });
            slot.holding = Some(Holding::new(PATIENCE));
        }
        self.record(node + 1, Phase::Ok, Fact::ShardTerm { shard: number(shard), token, count });
    }

    fn campaign_over(&mut self, node: u8, shard: u32) {
        let Some(slot) = self.slot(node, shard) else { return };
        slot.campaigns = false;
        slot.request = None;
        if slot.holding.take().is_some() {
            slot.over = true;
        }
        if slot.waits {
            self.start(node, shard);
        }
        self.leave(node);
    }

    fn request(&mut self, node: u8, shard: u32, content: Content) {
        let id = self.send(node, content);
        if let Some(slot) = self.slot(node, shard) {
            slot.request = Some(id);
        }
    }

    pub(super) fn answered(&mut self, node: u8, shard: u32, id: u32, input: Input, version: Option<u32>) {
        let Some(slot) = self.slot(node, shard) else { return };
        if slot.request != Some(id) {
            return;
        }
        slot.request = None;
        if let Some(version) = version {
            slot.version = version;
        }
        self.handle(node, shard, input);
    }

    /// Ends the terms that are over by the clock.
    fn end_terms(&mut self, node: u8) {
        let now = self.local(node);
        for shard in 0..self.node(node).count {
            let own = self.node(node);
            let term = own.slots[shard as usize].term;
            if term.is_some_and(|term| term.gate.is_some() && !own.may_write(term, now)) {
                self.end_term(node, shard);
            }
        }
    }

    fn end_term(&mut self, node: u8, shard: u32) {
        let Some(slot) = self.slot(node, shard) else { return };
        let Some(term) = slot.term.as_mut().filter(|term| term.gate.is_some()) else { return };
        term.gate = None;
        self.hold(node, shard, Event::Lost);
    }

    fn hold(&mut self, node: u8, shard: u32, event: Event) {
        let now = self.local(node);
        let Some(slot) = self.slot(node, shard) else { return };
        let Some(holding) = &mut slot.holding else { return };
        for action in holding.handle(event, now) {
            match action {
                Action::Close => self.drained(node, shard),
                Action::WindDown => {}
                Action::Release => self.handle(node, shard, Input::Cancel),
                Action::Abandon => {
                    if let Some(slot) = self.slot(node, shard) {
                        // The claims are left; their gate is closed.
                        slot.term = None;
                    }
                    self.campaign_over(node, shard);
                }
            }
        }
    }

    /// Notifies a closed shard, if no claim is left.
    fn drained(&mut self, node: u8, shard: u32) {
        let Some(slot) = self.slot(node, shard) else { return };
        let closed = slot.holding.as_ref().is_some_and(|holding| !holding.is_open());
        if closed && slot.term.is_none_or(|term| term.claims == 0) {
            self.hold(node, shard, Event::Drained);
        }
    }

    // Claims.

    pub(super) fn claim(&mut self, node: u8, shard: u8) -> bool {
        let now = self.local(node);
        let own = self.node(node);
        let member = own.group.is_member(now);
        let Some(slot) = own.slots.get_mut(usize::from(shard)) else { return false };
        let open = slot.holding.as_ref().is_some_and(Holding::is_open);
        let Some(term) = slot.term.as_mut().filter(|_| open && member && !own.paused) else { return false };
        if term.claims >= 2 || term.gate.is_none_or(|gate| now >= gate) {
            return false;
        }
        term.claims += 1;
        true
    }

    pub(super) fn write(&mut self, node: u8, shard: u8) -> bool {
        let now = self.local(node);
        let own = self.node(node);
        let term = own.slots.get(usize::from(shard)).and_then(|slot| slot.term);
        let Some(term) = term.filter(|term| term.claims > 0 && !own.paused) else { return false };
        let phase = if own.may_write(term, now) { Phase::Ok } else { Phase::Fail };
        let count = number(own.count);
        self.record(node + 1, phase, Fact::ShardWrite { shard, token: term.token, count });
        true
    }

    pub(super) fn done(&mut self, node: u8, shard: u8) -> bool {
        let own = self.node(node);
        let paused = own.paused;
        let Some(term) = own.slots.get_mut(usize::from(shard)).and_then(|slot| slot.term.as_mut()) else {
            return false;
        };
        if paused || term.claims == 0 {
            return false;
        }
        term.claims -= 1;
        self.drained(node, shard.into());
        true
    }
}
