//! The deadline of a call.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// The deadline of a call, if it has one, and the whole time that it was given.
///
/// [`RestClient::deadline`](crate::RestClient) computes it once per call. All attempts, the head and the body share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    /// A deadline this far from now. A limit that the clock can't represent is the same as no limit.
    pub(crate) fn after(limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit))))
    }

    /// The earlier of two.
    pub(super) fn min(self, other: Self) -> Self {
        Self([self.0, other.0].into_iter().flatten().min())
    }

    /// This deadline, or the other one if this is unlimited.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }

    /// The time that is left.
    pub(super) fn remaining(self) -> Option<Duration> {
        self.0.map(|(at, _)| at.saturating_duration_since(Instant::now()))
    }

    /// The result of the work, if it completes in time; else the limit. The work is pinned where it is, because this future would
    /// hold it twice.
    pub(super) async fn run<T>(self, work: Pin<&mut impl Future<Output = T>>) -> Result<T, Duration> {
        match self.0 {
            None => Ok(work.await),
            Some((at, limit)) => tokio::time::timeout_at(at, work).await.map_err(|_| limit),
        }
    }

    /// A timer for a stream to poll; `None` without a limit.
    pub(super) fn timer(self) -> Option<Timer> {
        self.0.map(|(at, limit)| Timer { sleep: Box::pin(tokio::time::sleep_until(at)), limit })
    }
}

/// A [`Deadline`] that can be polled.
#[derive(Debug)]
pub(super) struct Timer {
    sleep: Pin<Box<Sleep>>,
    limit: Duration,
}

impl Timer {
    /// Ready with the limit when the time has passed.
    pub(super) fn poll_elapsed(&mut self, cx: &mut Context<'_>) -> Poll<Duration> {
        self.sleep.as_mut().poll(cx).map(|()| self.limit)
    }
}
