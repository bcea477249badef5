//! A gate that permits or refuses the writes of a client.

use std::borrow::Cow;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// Decides whether a client may write: see [`RestClient::with_write_gate`](crate::RestClient::with_write_gate), which has an
/// example. Leader election implements it, so that a process that has lost its lease stops writing.
///
/// [`permit`](Self::permit) is called directly before each attempt of a write is passed to the transport, and again whenever that
/// attempt makes progress, from the task that sends it. It must only compare the time: it must not block, and it must not
/// depend on another task that has to run first.
pub trait WriteGate: Debug + Send + Sync + 'static {
    /// Returns how long a write that starts now may take, or the reason why it may not start. Zero counts as a refusal without
    /// a reason. The time may be extended later: the gate is called again when it has passed.
    fn permit(&self) -> Result<Duration, WriteRefused>;
}

impl<G: WriteGate + ?Sized> WriteGate for Arc<G> {
    fn permit(&self) -> Result<Duration, WriteRefused> {
        (**self).permit()
    }
}

/// The reason why a [`WriteGate`] refuses a write.
///
/// ```
/// use client_rs_client::WriteRefused;
///
/// let refused = WriteRefused::new("the lease has expired: restart the work after the next election");
/// assert!(refused.to_string().contains("the lease has expired"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct WriteRefused {
    reason: Cow<'static, str>,
}

impl WriteRefused {
    /// A refusal with a reason, which should also name a remedy.
    pub fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { reason: reason.into() }
    }
}

/// Two gates that must both be open.
#[derive(Debug)]
pub(crate) struct Both(pub(crate) Arc<dyn WriteGate>, pub(crate) Arc<dyn WriteGate>);

impl WriteGate for Both {
    fn permit(&self) -> Result<Duration, WriteRefused> {
        Ok(self.0.permit()?.min(self.1.permit()?))
    }
}

/// The longest time until the gate is called again, because a gate may return a time without an end.
const LONGEST: Duration = Duration::from_hours(24);

/// A write that was not started, or was cancelled.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) refused: WriteRefused,
    /// Whether the server may have received it.
    pub(crate) sent: bool,
}

/// Polls `attempt` only while the gate is open. The time is compared before every poll, so that a process that was paused while
/// it waited for a connection does not send when it wakes up too late.
pub(crate) struct Gated<'g, F> {
    gate: &'g dyn WriteGate,
    attempt: Pin<Box<F>>,
    wake: Pin<Box<Sleep>>,
    sent: bool,
}

impl<'g, F: Future> Gated<'g, F> {
    pub(crate) fn new(gate: &'g dyn WriteGate, attempt: F) -> Self {
        let wake = Box::pin(tokio::time::sleep_until(Instant::now()));
        Self { gate, attempt: Box::pin(attempt), wake, sent: false }
    }
}

impl<F: Future> Future for Gated<'_, F> {
    type Output = Result<F::Output, Closed>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let left = match this.gate.permit() {
            Ok(left) if !left.is_zero() => left,
            Ok(_) => {
                let refused = WriteRefused::new("there is no time left for it");
                return Poll::Ready(Err(Closed { refused, sent: this.sent }));
            }
            Err(refused) => return Poll::Ready(Err(Closed { refused, sent: this.sent })),
        };
        // From here on, the server may have received the attempt.
        this.sent = true;
        if let Poll::Ready(outcome) = this.attempt.as_mut().poll(cx) {
            return Poll::Ready(Ok(outcome));
        }
        this.wake.as_mut().reset(Instant::now() + left.min(LONGEST));
        // Ready at once only if `left` is shorter than the timer's resolution: then the gate is called again.
        if this.wake.as_mut().poll(cx).is_ready() {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }
}
