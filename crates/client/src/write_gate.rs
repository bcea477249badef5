//! Who may write, and until when.

use std::borrow::Cow;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// Decides whether a client may write: see [`RestClient::with_write_gate`](crate::RestClient::with_write_gate).
///
/// [`permit`](Self::permit) is called directly before each attempt of a write is handed to the transport, and again
/// whenever that attempt makes progress, from whichever task sends it. It must compare a clock and not wait for one: it
/// must not block, and it must not depend on a task that has to run first.
pub trait WriteGate: Debug + Send + Sync + 'static {
    /// For how long a write that starts now may take, or why it may not start. Zero counts as a refusal that names no
    /// reason. The time may be extended later: it is asked for again when it has passed.
    fn permit(&self) -> Result<Duration, WriteRefused>;
}

impl<G: WriteGate + ?Sized> WriteGate for Arc<G> {
    fn permit(&self) -> Result<Duration, WriteRefused> {
        (**self).permit()
    }
}

/// Why a [`WriteGate`] lets no write through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct WriteRefused {
    reason: Cow<'static, str>,
}

impl WriteRefused {
    /// With a text that says why, and what to do.
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

/// After so long it is asked again in any case: a gate may say "for ever" in its own way.
const LONGEST: Duration = Duration::from_hours(24);

/// A write that was not started, or was given up.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) refused: WriteRefused,
    /// Whether the server may have got it.
    pub(crate) sent: bool,
}

/// Polls `attempt` only while the gate is open: the clock is compared before every poll, so that a process that was
/// paused while it waited for a connection does not send when it wakes up too late.
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
        // From here on the attempt may have reached the server.
        this.sent = true;
        if let Poll::Ready(outcome) = this.attempt.as_mut().poll(cx) {
            return Poll::Ready(Ok(outcome));
        }
        this.wake.as_mut().reset(Instant::now() + left.min(LONGEST));
        // Ready at once only if `left` is shorter than the timer can tell: then it is asked again.
        if this.wake.as_mut().poll(cx).is_ready() {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }
}
