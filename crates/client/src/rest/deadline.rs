//! Until when a call may go on.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// When a call must be over, if it must, and how much time it was given as a whole.
///
/// It is worked out once for each call, by [`RestClient::deadline`](crate::RestClient), and passed on to whatever reads the
/// answer: all tries, the head and the body share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    /// So long from now; a limit that is further away than the clock can count is none.
    pub(crate) fn after(limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit))))
    }

    /// The earlier of two.
    pub(super) fn min(self, other: Self) -> Self {
        Self([self.0, other.0].into_iter().flatten().min())
    }

    /// This one, or another where this is none.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }

    /// The time that is left.
    pub(super) fn remaining(self) -> Option<Duration> {
        self.0.map(|(at, _)| at.saturating_duration_since(Instant::now()))
    }

    /// What the work gives, if it ends in time; else the limit.
    pub(super) async fn run<T>(self, work: impl Future<Output = T>) -> Result<T, Duration> {
        match self.0 {
            None => Ok(work.await),
            Some((at, limit)) => tokio::time::timeout_at(at, work).await.map_err(|_| limit),
        }
    }

    /// What a stream is polled with; none if there is no limit.
    pub(super) fn timer(self) -> Option<Timer> {
        self.0.map(|(at, limit)| Timer { sleep: Box::pin(tokio::time::sleep_until(at)), limit })
    }
}

/// A [`Deadline`] that wakes whoever polls it.
#[derive(Debug)]
pub(super) struct Timer {
    sleep: Pin<Box<Sleep>>,
    limit: Duration,
}

impl Timer {
    /// Ready once the time is over: with the limit.
    pub(super) fn poll_elapsed(&mut self, cx: &mut Context<'_>) -> Poll<Duration> {
        self.sleep.as_mut().poll(cx).map(|()| self.limit)
    }
}
