//! The election as a state machine over (event, time): no clock, no I/O.
//!
//! ```text
//! start ──▶ try ──▶ pause ──▶ try … ──▶ lead: renew ──▶ pause ──▶ renew …
//!            │                            │                │
//!            │ cancel              cancel │                │ deadline, end of term   another holder
//!            │                            │                ▼                               │
//!            │                            │        lost: the work ends                     │
//!            │                            ▼                │ cancel                        ▼
//!            └──────────────────▶ release: get ──▶ update ──────────────────────────────▶ over
//! ```
//!
//! `cancel` means that the work of the term is over: the lock is never released earlier.

use std::time::Duration;

use client_rs_machinery::{MicroTime, Str, canary};
use tokio::time::Instant;

use crate::options::{JITTER_FACTOR, LeaderElectionOptions};
use crate::{FencingToken, LeaderElectionRecord};

/// The current time: monotonic, and wall-clock time for the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) instant: Instant,
    pub(crate) wall: MicroTime,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// Begins the campaign.
    Start,
    /// The time of [`Machine::wake_at`] has come.
    Tick,
    /// The response to [`Action::Get`]; `None` if the object was not found.
    Got(Result<Option<LeaderElectionRecord>, Failed>),
    /// The response to [`Action::Create`] and [`Action::Update`].
    Wrote(Result<(), Failed>),
    /// Ends the campaign, or the term after its work is over.
    Cancel,
}

/// The reason of a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    Conflict,
    Other,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    Get,
    Create(LeaderElectionRecord),
    Update(LeaderElectionRecord),
    /// Drops the request in progress.
    Abort,
    /// A term begins.
    Started(FencingToken),
    /// The term is over.
    Lost(Loss),
    /// The leader has changed; empty if there is none.
    NewLeader(Str),
    /// A renewal had to read first.
    SlowPath,
    /// The campaign is over.
    Over(Release),
}

/// The reason why a term of leadership has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// The lock was released.
    Released,
    /// It could not be renewed in time.
    Deadline,
    /// Another candidate holds the lock.
    Superseded,
    /// The control plane has picked another candidate.
    EndOfTerm,
}

/// The state of the lock after a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// It is free: another candidate can take it at once.
    Released,
    /// It was not released: it was never held, another candidate holds it, or the options do not allow it.
    NotHeld,
    /// The release failed: other candidates wait until the lock expires.
    Failed,
}

/// The memory that outlives a campaign: observations of the lock, so that the next campaign need not wait again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) observed: Option<Observation>,
    pub(crate) reported: Str,
    /// When the lock was first and last seen to be missing, by the local clock.
    absent: Option<(Instant, Instant)>,
    /// The highest count of changes that was seen, and its first holder. A record with a lower one, or of another holder, was
    /// written by a request that was late: another lock, which was deleted meanwhile, had counted as far.
    highest: Option<(i32, Str)>,
    /// Whether a request to create the lock has no response. It may still arrive, when the lock of another leader was deleted.
    unanswered_create: bool,
    /// Whether this candidate has led: its next term is a new one, even if the record still names it.
    had_term: bool,
}

impl Memory {
    /// Remembers an observation, unless the record has not changed.
    pub(crate) fn note(&mut self, observation: Observation) {
        self.count(observation.record.leader_transitions, &observation.record.holder_identity);
        if self.observed.as_ref().is_none_or(|known| known.record != observation.record) {
            self.observed = Some(observation);
        }
    }

    fn count(&mut self, transitions: i32, holder: &Str) {
        if self.highest.as_ref().is_none_or(|(highest, _)| transitions > *highest) {
            self.highest = Some((transitions, holder.clone()));
        }
    }

    /// Returns whether the count of a record was already used, by another holder or before a higher one.
    fn has_counted_further(&self, record: &LeaderElectionRecord) -> bool {
        self.highest.as_ref().is_some_and(|(highest, holder)| {
            let others = !record.holder_identity.is_empty() && record.holder_identity != *holder;
            record.leader_transitions < *highest || (record.leader_transitions == *highest && others)
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) record: LeaderElectionRecord,
    /// When the record was seen to change, by the local clock. For an own write, when it was sent.
    pub(crate) at: Instant,
}

#[derive(Debug)]
pub(crate) struct Machine {
    options: LeaderElectionOptions,
    identity: Str,
    random: fastrand::Rng,
    memory: Memory,
    term: Option<Term>,
    phase: Phase,
}

#[derive(Clone, Debug)]
struct Term {
    token: FencingToken,
    /// When leadership ends unless it is renewed.
    deadline: Instant,
}

#[derive(Debug)]
enum Phase {
    Idle,
    /// Until the next attempt.
    Pause {
        until: Instant,
    },
    /// An attempt is in progress since `began`, its last request since `sent`.
    Try {
        step: Step,
        began: Instant,
        sent: Instant,
        /// Whether a write of this attempt has met a conflict.
        conflicted: bool,
    },
    /// The term is lost, and its work may still run.
    Lost {
        token: Option<FencingToken>,
    },
    /// The lock of this term is being released.
    Release {
        step: ReleaseStep,
        token: Option<FencingToken>,
        until: Instant,
    },
    Over,
}

#[derive(Debug)]
enum Step {
    /// A renewal without reading first.
    Optimistic(LeaderElectionRecord),
    Get,
    Write(LeaderElectionRecord),
}

#[derive(Debug)]
enum ReleaseStep {
    Get,
    Update(LeaderElectionRecord),
}

impl Machine {
    pub(crate) fn new(options: LeaderElectionOptions, identity: &str, memory: Memory, seed: u64) -> Self {
        let random = fastrand::Rng::with_seed(seed);
        Self { options, identity: identity.into(), random, memory, term: None, phase: Phase::Idle }
    }

    /// Handles an event. Returns the actions to carry out, in this order.
    pub(crate) fn handle(&mut self, event: Event, now: Now) -> Vec<Action> {
        let mut actions = Vec::new();
        // Any event after the deadline is too late: a process that was paused wakes up here.
        if self.term.as_ref().is_some_and(|term| now.instant >= term.deadline) && !canary!(47) {
            let flying =
                matches!(self.phase, Phase::Try { .. }) && !matches!(event, Event::Got(_) | Event::Wrote(_));
            if flying {
                actions.push(Action::Abort);
            }
            self.lose(Loss::Deadline, now, &mut actions);
            if event == Event::Cancel {
                self.cancel(now, &mut actions);
            }
            return actions;
        }
        match event {
            Event::Start => self.begin(now, &mut actions),
            Event::Tick => self.tick(now, &mut actions),
            Event::Got(answer) => self.got(answer, now, &mut actions),
            Event::Wrote(answer) => self.wrote(answer, now, &mut actions),
            Event::Cancel => self.cancel(now, &mut actions),
        }
        actions
    }

    /// When [`Event::Tick`] is due.
    pub(crate) fn wake_at(&self) -> Option<Instant> {
        let own = match &self.phase {
            Phase::Pause { until } | Phase::Release { until, .. } => Some(*until),
            Phase::Try { began, .. } => Some(*began + self.options.renew_deadline),
            Phase::Idle | Phase::Lost { .. } | Phase::Over => None,
        };
        let deadline = self.term.as_ref().map(|term| term.deadline);
        match (own, deadline) {
            (Some(own), Some(deadline)) => Some(own.min(deadline)),
            (own, deadline) => own.or(deadline),
        }
    }

    /// When leadership ends unless it is renewed; `None` if not leading.
    pub(crate) fn leads_until(&self) -> Option<Instant> {
        self.term.as_ref().map(|term| term.deadline)
    }

    /// Whether the term is lost and its work may still run.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self.phase, Phase::Lost { .. })
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    fn begin(&mut self, now: Now, actions: &mut Vec<Action>) {
        let step = match (&self.term, &self.memory.observed) {
            (Some(term), Some(observed)) if !self.options.coordinated => {
                let record = LeaderElectionRecord {
                    acquire_time: observed.record.acquire_time,
                    leader_transitions: term.token.transitions,
                    ..self.claim(now)
                };
                actions.push(Action::Update(record.clone()));
                Step::Optimistic(record)
            }
            _ => {
                actions.push(Action::Get);
                Step::Get
            }
        };
        self.phase = Phase::Try { step, began: now.instant, sent: now.instant, conflicted: false };
    }

    fn tick(&mut self, now: Now, actions: &mut Vec<Action>) {
        match &self.phase {
            Phase::Pause { until } if now.instant >= *until => self.begin(now, actions),
            Phase::Try { began, .. } if now.instant >= *began + self.options.renew_deadline => {
                actions.push(Action::Abort);
                self.fail(now, actions);
            }
            Phase::Release { until, .. } if now.instant >= *until => {
                actions.push(Action::Abort);
                self.over(Release::Failed, actions);
            }
            _ => {}
        }
    }

    fn got(
        &mut self,
        answer: Result<Option<LeaderElectionRecord>, Failed>,
        now: Now,
        actions: &mut Vec<Action>,
    ) {
        if matches!(self.phase, Phase::Release { .. }) {
            return self.got_for_release(answer, now, actions);
        }
        let Phase::Try { began, conflicted, .. } = self.phase else { return };
        let record = match answer {
            Err(_) => return self.fail(now, actions),
            Ok(None) => {
                let since = self.absent_since(now.instant);
                if self.options.coordinated || (self.term.is_none() && self.may_be_led(since, now.instant)) {
                    return self.fail(now, actions);
                }
                let record = self.record_to_create(now);
                actions.push(Action::Create(record.clone()));
                self.memory.unanswered_create = true;
                self.phase = Phase::Try { step: Step::Write(record), began, sent: now.instant, conflicted };
                return;
            }
            Ok(Some(record)) => record,
        };
        self.memory.absent = None;
        self.observe(&record, now.instant);
        let mine = record.holder_identity == self.identity;
        if let Some(term) = &self.term
            && (!mine || record.leader_transitions != term.token.transitions)
            && !canary!(48)
        {
            return self.lose(Loss::Superseded, now, actions);
        }
        let next = if self.options.coordinated {
            if mine && !record.preferred_holder.is_empty() {
                if self.term.is_some() {
                    return self.lose(Loss::EndOfTerm, now, actions);
                }
                return self.fail(now, actions);
            }
            // The control plane decides about the next leader: an expired lock is neither taken nor renewed.
            if !mine || !self.is_valid(now.instant) {
                return self.fail(now, actions);
            }
            self.next_record(&record, now)
        } else {
            // The leader by a lock that was deleted may not have noticed it yet, so an own record that may be late is no reason
            // to lead before it has expired.
            let is_late = self.term.is_none() && self.may_be_late(&record);
            let is_others = (!mine && !record.holder_identity.is_empty()) || is_late;
            if is_others && self.is_valid(now.instant) {
                return self.fail(now, actions);
            }
            self.next_record(&record, now)
        };
        if self.term.is_some() {
            actions.push(Action::SlowPath);
        }
        actions.push(Action::Update(next.clone()));
        self.phase = Phase::Try { step: Step::Write(next), began, sent: now.instant, conflicted };
    }

    fn wrote(&mut self, answer: Result<(), Failed>, now: Now, actions: &mut Vec<Action>) {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Try { step: Step::Optimistic(record) | Step::Write(record), sent, .. }
                if answer.is_ok() =>
            {
                self.written(record, sent, now, actions);
            }
            Phase::Try { step: Step::Optimistic(_), began, conflicted, .. } => {
                actions.push(Action::Get);
                self.phase = Phase::Try { step: Step::Get, began, sent: now.instant, conflicted };
            }
            // Another writer was faster: a leader must read at once who it is. Once per attempt, so that it does not spin.
            Phase::Try { step: Step::Write(_), began, conflicted: false, .. }
                if self.term.is_some() && answer == Err(Failed::Conflict) =>
            {
                actions.push(Action::Get);
                self.phase = Phase::Try { step: Step::Get, began, sent: now.instant, conflicted: true };
            }
            phase @ Phase::Try { .. } => {
                self.phase = phase;
                self.fail(now, actions);
            }
            Phase::Release { step: ReleaseStep::Update(record), token, until } => match answer {
                Ok(()) => {
                    self.memory.observed = Some(Observation { record, at: now.instant });
                    self.report(actions);
                    self.over(Release::Released, actions);
                }
                Err(Failed::Conflict) => {
                    actions.push(Action::Get);
                    self.phase = Phase::Release { step: ReleaseStep::Get, token, until };
                }
                Err(Failed::Other) => self.over(Release::Failed, actions),
            },
            phase => self.phase = phase,
        }
    }

    /// The lock is held from `sent` on: no candidate can have seen the change earlier.
    fn written(&mut self, record: LeaderElectionRecord, sent: Instant, now: Now, actions: &mut Vec<Action>) {
        let deadline = if canary!(41) { now.instant } else { sent } + self.options.renew_deadline;
        let token = FencingToken { transitions: record.leader_transitions, holder: self.identity.clone() };
        self.memory.count(token.transitions, &token.holder);
        // From here on the count shows that a record is late.
        self.memory.unanswered_create = false;
        self.memory.observed = Some(Observation { record, at: sent });
        self.memory.absent = None;
        self.report(actions);
        match &mut self.term {
            Some(term) => term.deadline = deadline,
            // The response took so long that the term would be over at once: the next attempt renews it.
            None if now.instant >= deadline => return self.fail(now, actions),
            None => {
                actions.push(Action::Started(token.clone()));
                // Now, because a term may also end without another event: its campaign is dropped.
                self.memory.had_term |= !canary!(67);
                self.term = Some(Term { token, deadline });
            }
        }
        self.phase = Phase::Pause { until: now.instant + self.options.retry_period };
    }

    fn cancel(&mut self, now: Now, actions: &mut Vec<Action>) {
        let writing = match &mut self.phase {
            Phase::Release { .. } | Phase::Over => return,
            Phase::Lost { token } => {
                let token = token.take();
                return self.release(token, now, actions);
            }
            Phase::Try { step, .. } => {
                actions.push(Action::Abort);
                !matches!(step, Step::Get)
            }
            Phase::Idle | Phase::Pause { .. } => false,
        };
        if self.term.is_some() {
            self.lose(Loss::Released, now, actions);
        } else if writing && self.options.release_on_cancel {
            // The request may have been carried out.
            self.release(None, now, actions);
        } else {
            self.over(Release::NotHeld, actions);
        }
    }

    fn lose(&mut self, loss: Loss, now: Now, actions: &mut Vec<Action>) {
        let token = self.term.take().map(|term| term.token);
        self.memory.had_term = true;
        self.report(actions);
        actions.push(Action::Lost(loss));
        if !self.options.release_on_cancel || loss == Loss::Superseded {
            self.over(Release::NotHeld, actions);
        } else if loss == Loss::Released || canary!(40) {
            self.release(token, now, actions);
        } else {
            // The work was only just notified: while it runs, the lock must not be free before it expires.
            self.phase = Phase::Lost { token };
        }
    }

    fn release(&mut self, token: Option<FencingToken>, now: Now, actions: &mut Vec<Action>) {
        actions.push(Action::Get);
        let until = now.instant + self.options.renew_deadline;
        self.phase = Phase::Release { step: ReleaseStep::Get, token, until };
    }

    fn got_for_release(
        &mut self,
        answer: Result<Option<LeaderElectionRecord>, Failed>,
        now: Now,
        actions: &mut Vec<Action>,
    ) {
        let Phase::Release { token, until, .. } = std::mem::replace(&mut self.phase, Phase::Over) else {
            return;
        };
        let Ok(Some(record)) = answer else { return self.over(Release::Failed, actions) };
        self.observe(&record, now.instant);
        let ours = (record.holder_identity == self.identity || canary!(43))
            && token.as_ref().is_none_or(|token| token.transitions == record.leader_transitions);
        if !ours {
            return self.over(Release::NotHeld, actions);
        }
        let released = LeaderElectionRecord {
            lease_duration_seconds: 1,
            acquire_time: Some(now.wall),
            renew_time: Some(now.wall),
            leader_transitions: record.leader_transitions,
            ..LeaderElectionRecord::EMPTY
        };
        actions.push(Action::Update(released.clone()));
        self.phase = Phase::Release { step: ReleaseStep::Update(released), token, until };
    }

    fn over(&mut self, release: Release, actions: &mut Vec<Action>) {
        self.phase = Phase::Over;
        actions.push(Action::Over(release));
    }

    /// The attempt has failed.
    fn fail(&mut self, now: Now, actions: &mut Vec<Action>) {
        self.report(actions);
        let until = if let (Some(_), Phase::Try { began, .. }) = (&self.term, &self.phase) {
            // Renewals have a fixed period, regardless of the duration of their requests.
            now.instant.max(*began + self.options.retry_period)
        } else {
            let longer = 1.0 + JITTER_FACTOR * self.random.f64();
            now.instant + self.options.retry_period.mul_f64(longer)
        };
        self.phase = Phase::Pause { until };
    }

    /// Remembers a record, and the time if it has changed.
    fn observe(&mut self, record: &LeaderElectionRecord, at: Instant) {
        if canary!(45) {
            self.memory.observed = None;
        }
        self.memory.note(Observation { record: record.clone(), at });
    }

    fn report(&mut self, actions: &mut Vec<Action>) {
        let Some(observed) = &self.memory.observed else { return };
        let holder = &observed.record.holder_identity;
        if *holder != self.memory.reported {
            self.memory.reported = holder.clone();
            actions.push(Action::NewLeader(holder.clone()));
        }
    }

    /// Whether the last record that was seen is still valid.
    fn is_valid(&self, now: Instant) -> bool {
        self.memory.observed.as_ref().is_some_and(|observed| {
            let seconds = u64::try_from(observed.record.lease_duration_seconds).unwrap_or_default();
            now < observed.at + Duration::from_secs(if canary!(44) { seconds / 2 } else { seconds })
        })
    }

    /// Remembers that the lock is missing, and since when. If the last check is more than a lease ago, the lock may have
    /// existed in between.
    fn absent_since(&mut self, now: Instant) -> Instant {
        let lease = self.options.lease_duration;
        let seen = self.memory.absent.filter(|(_, last)| now < *last + lease);
        let since = seen.map_or(now, |(first, _)| first);
        self.memory.absent = Some((since, now));
        since
    }

    /// Whether there may still be a leader by a lock that no longer exists, and is missing since then.
    ///
    /// Its leader may have renewed it just before it was deleted, unseen by this candidate. A candidate that has never seen
    /// the lock can't know that there was one.
    fn may_be_led(&self, absent: Instant, now: Instant) -> bool {
        !canary!(42)
            && self.memory.observed.as_ref().is_some_and(|observed| {
                let seconds = u64::try_from(observed.record.lease_duration_seconds).unwrap_or_default();
                now < absent + Duration::from_secs(seconds).max(self.options.lease_duration)
            })
    }

    /// Whether a record of this candidate may have been written by a late request, which has created the lock again after that
    /// of another leader was deleted. An update can't do that: it requires the version that it has read.
    fn may_be_late(&self, record: &LeaderElectionRecord) -> bool {
        record.holder_identity == self.identity
            && !self.options.coordinated
            && (self.memory.unanswered_create || self.memory.has_counted_further(record))
            && !canary!(50)
    }

    /// A new claim of this candidate.
    fn claim(&self, now: Now) -> LeaderElectionRecord {
        LeaderElectionRecord {
            holder_identity: self.identity.clone(),
            lease_duration_seconds: self.options.lease_seconds().unwrap_or(i32::MAX),
            acquire_time: Some(now.wall),
            renew_time: Some(now.wall),
            ..LeaderElectionRecord::EMPTY
        }
    }

    fn next_record(&self, before: &LeaderElectionRecord, now: Now) -> LeaderElectionRecord {
        let claim = self.claim(now);
        // The control plane hands over a lock without counting: the term is counted here, so that tokens grow.
        let is_counted = !self.memory.had_term && !self.options.coordinated;
        let is_late = (self.memory.has_counted_further(before)
            || (self.term.is_none() && self.may_be_late(before)))
            && !canary!(49);
        let goes_on =
            before.holder_identity == self.identity && !is_late && (self.term.is_some() || is_counted);
        let strategy = if self.options.coordinated { before.strategy.clone() } else { Str::EMPTY };
        if goes_on {
            LeaderElectionRecord {
                acquire_time: before.acquire_time,
                leader_transitions: before.leader_transitions,
                strategy,
                ..claim
            }
        } else {
            let counted = before.leader_transitions.saturating_add(i32::from(!canary!(46)));
            // A lock that was created here counts from its time. It may have been created by a late request, after others had
            // counted further, so the next count is at least the current time, too.
            let counts_time = before.leader_transitions >= FIRST_TIME;
            let leader_transitions = match () {
                () if is_late => self.next_after_all(now.wall),
                () if counts_time && !canary!(46) => counted.max(first_transition(now.wall)),
                () => counted,
            };
            LeaderElectionRecord { leader_transitions, strategy, ..claim }
        }
    }

    /// A count of changes above all that were seen. Others may have counted further, unseen, so it is at least the current
    /// time, which is higher than any count of changes that began earlier.
    fn next_after_all(&self, wall: MicroTime) -> i32 {
        let counted = self.memory.highest.as_ref().map(|(highest, _)| highest.saturating_add(1));
        first_transition(wall).max(counted.unwrap_or_default())
    }

    /// The record for a missing lock. A leader creates its own record again. Otherwise the count continues, so that tokens
    /// grow.
    fn record_to_create(&self, now: Now) -> LeaderElectionRecord {
        let claim = self.claim(now);
        match (&self.term, &self.memory.observed) {
            (Some(term), Some(observed)) => LeaderElectionRecord {
                acquire_time: observed.record.acquire_time,
                leader_transitions: term.token.transitions,
                ..claim
            },
            _ => LeaderElectionRecord { leader_transitions: self.next_after_all(now.wall), ..claim },
        }
    }
}

/// The lowest count that is a time: 2023. No lock has changed its leader so often.
const FIRST_TIME: i32 = 100_000_000;

/// Seconds since 2020, which fit until 2088; 0 if the clock is not set.
fn first_transition(wall: MicroTime) -> i32 {
    const FROM: i64 = 1_577_836_800;
    i32::try_from(wall.seconds().saturating_sub(FROM).max(0)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod histories;
