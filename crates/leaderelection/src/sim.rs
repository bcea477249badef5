//! The state machine of an election for a simulation, which has the clocks, the lock and the order of all steps in its hands.
//!
//! It is the machine of production without its tasks and requests. It is not part of the public API.

use client_rs_machinery::MicroTime;
use tokio::time::Instant;

use crate::machine::{Action, Event, Failed, Machine, Memory, Now};
use crate::sharding::sim::Group;
use crate::{LeaderElectionOptions, LeaderElectionRecord};

/// A candidate.
#[derive(Debug)]
pub struct Candidate {
    machine: Machine,
}

/// An input.
#[derive(Clone, Debug)]
pub enum Input {
    /// Begins the campaign.
    Start,
    /// The time of [`Candidate::wake_at`] has come.
    Tick,
    /// The response to a read: the record, or `None` if there is none.
    Got(Result<Option<LeaderElectionRecord>, Failure>),
    /// The response to a write.
    Wrote(Result<(), Failure>),
    /// The work of the term is over, or the campaign is to end.
    Cancel,
}

/// The reason of a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The record was changed.
    Conflict,
    /// Any other.
    Other,
}

/// An action of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Reads the record.
    Get,
    /// Creates the record.
    Create(LeaderElectionRecord),
    /// Writes the record.
    Update(LeaderElectionRecord),
    /// Drops the request in progress.
    Abort,
    /// A term begins, with this number.
    Started(i32),
    /// The term is over.
    Lost,
    /// The campaign is over.
    Over,
}

impl Candidate {
    /// Makes a candidate, with the memory of an earlier campaign of the same process.
    pub fn new(options: LeaderElectionOptions, identity: &str, before: Option<&Self>, seed: u64) -> Self {
        let memory = before.map_or_else(Memory::default, |before| before.machine.memory().clone());
        Self { machine: Machine::new(options, identity, memory, seed) }
    }

    /// Makes a candidate for a shard, which also knows what its replica has seen of the shard's Lease.
    pub fn for_shard(
        options: LeaderElectionOptions,
        identity: &str,
        before: Option<&Self>,
        group: &Group,
        shard: u32,
        seed: u64,
    ) -> Self {
        let mut memory = before.map_or_else(Memory::default, |before| before.machine.memory().clone());
        if let Some(seen) = group.seen(shard) {
            memory.note(seen.clone());
        }
        Self { machine: Machine::new(options, identity, memory, seed) }
    }

    /// Handles an input, and passes each action on.
    pub fn handle(&mut self, input: Input, instant: Instant, wall: MicroTime, mut act: impl FnMut(Output)) {
        let failed = |failure| match failure {
            Failure::Conflict => Failed::Conflict,
            Failure::Other => Failed::Other,
        };
        let event = match input {
            Input::Start => Event::Start,
            Input::Tick => Event::Tick,
            Input::Got(answer) => Event::Got(answer.map_err(failed)),
            Input::Wrote(answer) => Event::Wrote(answer.map_err(failed)),
            Input::Cancel => Event::Cancel,
        };
        for action in self.machine.handle(event, Now { instant, wall }) {
            act(match action {
                Action::Get => Output::Get,
                Action::Create(record) => Output::Create(record),
                Action::Update(record) => Output::Update(record),
                Action::Abort => Output::Abort,
                Action::Started(token) => Output::Started(token.transitions),
                Action::Lost(_) => Output::Lost,
                Action::Over(_) => Output::Over,
                Action::NewLeader(_) | Action::SlowPath => continue,
            });
        }
    }

    /// Returns when [`Input::Tick`] is due.
    pub fn wake_at(&self) -> Option<Instant> {
        self.machine.wake_at()
    }

    /// Returns when leadership ends unless it is renewed.
    pub fn leads_until(&self) -> Option<Instant> {
        self.machine.leads_until()
    }

    /// Returns whether it has ever seen a record.
    pub fn has_observed(&self) -> bool {
        self.machine.memory().observed.is_some()
    }
}
