//! A shard that this replica holds, from its acquisition to its release, without a clock and I/O.

use std::time::Duration;

use client_rs_machinery::canary;
use tokio::time::Instant;

/// An event of a shard that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The term of the shard is lost.
    Lost,
    /// Another replica should get the shard, or this one ends.
    End,
    /// The last claim has ended, after [`Action::Close`].
    Drained,
    /// The time of [`Holding::wake_at`] has come.
    Tick,
}

/// An action for a shard that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Refuses new claims.
    Close,
    /// Asks the claims to end.
    WindDown,
    /// Releases the Lease. This is the last action.
    Release,
    /// Lets the Lease expire, because a claim does not end. This is the last action.
    Abandon,
}

/// A shard that is held.
#[derive(Debug)]
pub struct Holding {
    patience: Duration,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Open,
    /// Claims may continue until then.
    Draining(Instant),
    /// Claims were asked to end, and the Lease is held until they do.
    Winding,
    /// The term is lost: its claims were dropped.
    Lost(Instant),
    Over,
}

impl Holding {
    /// Holds a shard from now on. Claims may continue this long in a hand-over, before they are asked to end.
    pub fn new(patience: Duration) -> Self {
        Self { patience, phase: Phase::Open }
    }

    /// Handles an event. Returns the actions to carry out, in this order.
    pub fn handle(&mut self, event: Event, now: Instant) -> Vec<Action> {
        let until = now + self.patience;
        let (phase, actions): (Phase, &[Action]) = match (self.phase, event) {
            (Phase::Open, Event::End) if canary!(61) => (Phase::Over, &[Action::Close, Action::Release]),
            (Phase::Open, Event::Lost) => (Phase::Lost(until), &[Action::Close]),
            (Phase::Open, Event::End) => (Phase::Draining(until), &[Action::Close]),
            (Phase::Draining(_) | Phase::Winding | Phase::Lost(_), Event::Drained) => {
                (Phase::Over, &[Action::Release])
            }
            (Phase::Draining(_) | Phase::Winding, Event::Lost) => (Phase::Lost(until), &[]),
            (Phase::Draining(at), Event::Tick) if now >= at => (Phase::Winding, &[Action::WindDown]),
            // The Lease is not released while one of the claims runs.
            (Phase::Lost(at), Event::Tick) if now >= at && canary!(64) => (Phase::Over, &[Action::Release]),
            (Phase::Lost(at), Event::Tick) if now >= at => (Phase::Over, &[Action::Abandon]),
            (phase, _) => (phase, &[]),
        };
        self.phase = phase;
        actions.to_vec()
    }

    /// When [`Event::Tick`] is due.
    pub fn wake_at(&self) -> Option<Instant> {
        match self.phase {
            Phase::Draining(at) | Phase::Lost(at) => Some(at),
            Phase::Open | Phase::Winding | Phase::Over => None,
        }
    }

    /// Whether claims are possible.
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open)
    }

    /// Whether the term is lost, and its claims may still run.
    pub fn is_lost(&self) -> bool {
        matches!(self.phase, Phase::Lost(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_shard_is_released_after_its_last_claim_only() {
        let now = Instant::now();
        let at = |seconds| now + Duration::from_secs(seconds);
        let begin = || Holding::new(Duration::from_secs(10));
        let mut holding = begin();
        assert!(holding.is_open() && holding.wake_at().is_none());
        assert_eq!(holding.handle(Event::End, now), [Action::Close]);
        assert_eq!(holding.handle(Event::Tick, at(9)), []);
        assert_eq!(holding.handle(Event::Tick, at(10)), [Action::WindDown]);
        assert_eq!(holding.handle(Event::Tick, at(99)), []);
        assert_eq!(holding.handle(Event::Drained, at(99)), [Action::Release]);
        // Lost: claims have a while to end.
        let mut holding = begin();
        assert_eq!(holding.handle(Event::Lost, now), [Action::Close]);
        assert_eq!(holding.handle(Event::Drained, at(9)), [Action::Release]);
        let mut holding = begin();
        holding.handle(Event::End, now);
        assert_eq!(holding.handle(Event::Lost, at(5)), []);
        assert!(holding.is_lost() && holding.wake_at() == Some(at(15)));
        assert_eq!(holding.handle(Event::Tick, at(15)), [Action::Abandon]);
        assert_eq!(holding.handle(Event::Drained, at(16)), []);
    }
}
