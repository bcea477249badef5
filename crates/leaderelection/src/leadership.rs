//! Leadership as a value.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use client_rs_client::{WriteGate, WriteRefused};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::FencingToken;
use crate::machine::{Loss, Release};

/// This process does not lead any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("leadership is lost")]
pub struct NotLeading;

/// A term of leadership, as its work sees it. Cheap to clone; a clone does not keep the term.
///
/// What is promised:
/// - No other candidate's term begins before this one's deadline, which is `renew_deadline` after the last renewal that
///   succeeded was *sent*.
/// - At the deadline at the latest [`is_leading`](Self::is_leading) says no, for ever: it reads the clock.
/// - No write of a client with this scope as its [write gate](WriteGate) starts after the
///   deadline, and none is waited for beyond it, whichever task makes it:
///   `client.with_write_gate(leadership.scope().clone())`.
/// - [`cancelled`](Self::cancelled), [`lost`](Self::lost) and [`token`](Self::token) learn of the end from a task of the
///   runtime: at the deadline too, unless the runtime is too busy, or the process stopped, to run it.
///
/// What that assumes:
/// - Clocks may show any time, but their rates differ by less than `lease_duration / renew_deadline`: with the defaults
///   one may run 50 % faster than another.
/// - Clocks go on while a process is stopped. A monotonic clock does so; that of a machine that is suspended may not.
/// - The lock's object is not removed while a candidate that has never seen it begins to campaign: that one can't know
///   that somebody leads. One that has seen it waits for a whole lease before it creates it again. It is not removed a
///   second time within that lease, either.
///
/// What is not promised: that a write that was started in time *arrives* before another leads. It may be on the wire, or
/// the process may be stopped between the look at the clock and the send. Where that matters, the write carries the
/// [`FencingToken`], and its receiver asks a [`Fence`](crate::Fence).
#[derive(Clone, Debug)]
pub struct LeadershipScope(Arc<Term>);

#[derive(Debug)]
pub(crate) struct Term {
    token: FencingToken,
    scope: CancellationToken,
    deadline: Deadline,
    /// Another deadline, which this term does not outlive.
    within: Option<Arc<Deadline>>,
    loss: watch::Sender<Option<Loss>>,
}

/// An instant that is moved forward, until it is over for ever.
#[derive(Debug)]
pub(crate) struct Deadline {
    epoch: Instant,
    /// Nanoseconds from the epoch; 0 when it is over.
    nanos: AtomicU64,
}

impl Deadline {
    pub(crate) fn new(at: Instant) -> Self {
        // Before now, so that one that has passed is more than 0 from it.
        let now = Instant::now();
        let epoch = now.checked_sub(Duration::from_secs(1)).unwrap_or(now);
        Self { epoch, nanos: AtomicU64::new(since(epoch, at)) }
    }

    pub(crate) fn left(&self) -> Duration {
        let deadline = Duration::from_nanos(self.nanos.load(Ordering::Acquire));
        deadline.saturating_sub(self.epoch.elapsed())
    }

    /// Moves it; one that is over stays so.
    pub(crate) fn extend(&self, at: Instant) {
        let nanos = since(self.epoch, at);
        let _ = self
            .nanos
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |before| (before != 0).then_some(nanos));
    }

    pub(crate) fn end(&self) {
        self.nanos.store(0, Ordering::Release);
    }
}

/// Never 0, which is an end.
fn since(epoch: Instant, at: Instant) -> u64 {
    u64::try_from(at.saturating_duration_since(epoch).as_nanos()).unwrap_or(u64::MAX).max(1)
}

impl LeadershipScope {
    pub(crate) fn new(token: FencingToken, deadline: Instant, within: Option<Arc<Deadline>>) -> Self {
        Self(Arc::new(Term {
            token,
            scope: CancellationToken::new(),
            deadline: Deadline::new(deadline),
            within,
            loss: watch::Sender::new(None),
        }))
    }

    /// Whether this process leads, right now.
    pub fn is_leading(&self) -> bool {
        !self.valid_for().is_zero()
    }

    /// The token, if this process leads right now.
    pub fn check(&self) -> Result<&FencingToken, NotLeading> {
        if self.is_leading() { Ok(&self.0.token) } else { Err(NotLeading) }
    }

    /// The term's token, whether or not it is over.
    pub fn fencing_token(&self) -> &FencingToken {
        &self.0.token
    }

    /// How long it leads without another renewal; zero when the term is over.
    pub fn valid_for(&self) -> Duration {
        let left = self.0.deadline.left();
        self.0.within.as_ref().map_or(left, |within| left.min(within.left()))
    }

    /// A token that is cancelled when the term ends. Cancelling it oneself changes nothing for others.
    pub fn token(&self) -> CancellationToken {
        self.0.scope.child_token()
    }

    /// Returns when the term has ended, or when its work is asked to end.
    pub async fn cancelled(&self) {
        self.0.scope.cancelled().await;
    }

    /// Why the term ended, when it has.
    pub async fn lost(&self) -> Loss {
        let mut losses = self.0.loss.subscribe();
        match losses.wait_for(Option::is_some).await {
            Ok(loss) => loss.unwrap_or(Loss::Deadline),
            // The sender is in this very term.
            Err(_) => Loss::Deadline,
        }
    }

    pub(crate) fn extend(&self, deadline: Instant) {
        self.0.deadline.extend(deadline);
    }

    /// Asks the work to end while the term goes on.
    pub(crate) fn wind_down(&self) {
        self.0.scope.cancel();
    }

    pub(crate) fn end(&self, loss: Loss) {
        self.0.deadline.end();
        self.0.scope.cancel();
        self.0.loss.send_if_modified(|told| {
            let first = told.is_none();
            told.get_or_insert(loss);
            first
        });
    }
}

/// Open in this term only.
impl WriteGate for LeadershipScope {
    fn permit(&self) -> Result<Duration, WriteRefused> {
        match self.valid_for() {
            Duration::ZERO => Err(WriteRefused::new(format!(
                "the term of leadership {} is over, and another replica may lead; stop the work of that term",
                self.0.token
            ))),
            left => Ok(left),
        }
    }
}

/// A term of leadership, held: it is renewed as long as this lives, and given back when it is dropped.
///
/// Drop it, or call [`release`](Self::release), when its work is over, not before: then another may lead at once. A term
/// that was lost is not renewed any more; its lock is given back then too, if it is still this term's.
#[derive(Debug)]
#[must_use = "leadership is given back when this is dropped"]
pub struct Leadership {
    scope: LeadershipScope,
    stop: CancellationToken,
    task: Option<JoinHandle<Release>>,
}

impl Leadership {
    pub(crate) fn new(scope: LeadershipScope, stop: CancellationToken, task: JoinHandle<Release>) -> Self {
        Self { scope, stop, task: Some(task) }
    }

    /// The term, for those who work in it.
    pub fn scope(&self) -> &LeadershipScope {
        &self.scope
    }

    /// Runs work that is dropped, at its next `await`, when leadership is lost.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, Loss> {
        tokio::select! {
            biased;
            loss = self.scope.lost() => Err(loss),
            done = work => Ok(done),
        }
    }

    /// Ends the term without giving its lock back, which then expires: for work that does not end.
    pub(crate) fn abandon(mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }

    /// Gives it back and waits until that is done, or has failed: at most the renew deadline.
    pub async fn release(mut self) -> Release {
        self.stop.cancel();
        match self.task.take() {
            Some(task) => task.await.unwrap_or(Release::Failed),
            None => Release::NotHeld,
        }
    }
}

impl Drop for Leadership {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl std::ops::Deref for Leadership {
    type Target = LeadershipScope;

    fn deref(&self) -> &LeadershipScope {
        &self.scope
    }
}
