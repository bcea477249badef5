//! A term of leadership, as a guard.

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

/// The error of [`LeadershipScope::check`]: this process no longer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this process no longer leads")]
pub struct NotLeading;

/// A term of leadership, for the work in it. Cheap to clone; a clone does not keep the term.
///
/// # Promises
///
/// - No other candidate's term begins before this one's deadline. The deadline is `renew_deadline` after the last successful
///   renewal was *sent*.
/// - From the deadline on, [`is_leading`](Self::is_leading) returns false forever: it reads the clock.
/// - No write of a client with this scope as its [write gate](WriteGate) starts after the deadline, and none is awaited beyond
///   it, in any task: `client.with_write_gate(leadership.scope().clone())`.
/// - [`cancelled`](Self::cancelled), [`lost`](Self::lost) and [`token`](Self::token) are notified by a task of the runtime: at
///   the deadline too, unless the runtime is too busy or the process is paused.
///
/// # Assumptions
///
/// - Clocks may show any time, but their rates differ by less than `lease_duration / renew_deadline`: with the defaults
///   one may run 50 % faster than another.
/// - Clocks continue while a process is paused. A monotonic clock does; that of a suspended machine may not.
/// - The lock's object is not deleted while a candidate that has never seen it begins to campaign: that candidate can't know
///   that there is a leader. A candidate that has seen it waits for a whole lease duration before it creates it again. The
///   object is not deleted a second time within that duration.
///
/// # Not promised
///
/// A write that was started in time may *arrive* after another replica leads. It may be on the wire, or the process may be
/// paused between the check of the clock and the send. If that matters, send the [`FencingToken`] with the write, and let its
/// receiver compare it with a [`Fence`](crate::Fence).
#[derive(Clone, Debug)]
pub struct LeadershipScope(Arc<Term>);

#[derive(Debug)]
pub(crate) struct Term {
    token: FencingToken,
    scope: CancellationToken,
    deadline: Deadline,
    /// Another deadline that also ends this term.
    within: Option<Arc<Deadline>>,
    loss: watch::Sender<Option<Loss>>,
}

/// A deadline that can be extended until it has ended for good.
#[derive(Debug)]
pub(crate) struct Deadline {
    epoch: Instant,
    /// Nanoseconds from the epoch; 0 when it has ended.
    nanos: AtomicU64,
}

impl Deadline {
    pub(crate) fn new(at: Instant) -> Self {
        // An epoch in the past, so that a deadline that has passed is still more than 0 after it.
        let now = Instant::now();
        let epoch = now.checked_sub(Duration::from_secs(1)).unwrap_or(now);
        Self { epoch, nanos: AtomicU64::new(since(epoch, at)) }
    }

    pub(crate) fn left(&self) -> Duration {
        let deadline = Duration::from_nanos(self.nanos.load(Ordering::Acquire));
        deadline.saturating_sub(self.epoch.elapsed())
    }

    /// Extends the deadline. One that has ended stays ended.
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

/// Nanoseconds between two instants; never 0, which means an ended deadline.
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

    /// Whether this process leads right now, by the clock.
    pub fn is_leading(&self) -> bool {
        !self.valid_for().is_zero()
    }

    /// Returns the token if this process leads right now.
    ///
    /// # Errors
    ///
    /// [`NotLeading`] if the term is over.
    pub fn check(&self) -> Result<&FencingToken, NotLeading> {
        if self.is_leading() { Ok(&self.0.token) } else { Err(NotLeading) }
    }

    /// The term's token, whether or not it is over.
    pub fn fencing_token(&self) -> &FencingToken {
        &self.0.token
    }

    /// How long this process leads without another renewal; zero when the term is over.
    pub fn valid_for(&self) -> Duration {
        let left = self.0.deadline.left();
        self.0.within.as_ref().map_or(left, |within| left.min(within.left()))
    }

    /// A token that is cancelled when the term ends. If you cancel it, others are not affected.
    pub fn token(&self) -> CancellationToken {
        self.0.scope.child_token()
    }

    /// Returns when the term has ended, or when its work should end.
    pub async fn cancelled(&self) {
        self.0.scope.cancelled().await;
    }

    /// Waits until the term has ended, and returns the reason.
    pub async fn lost(&self) -> Loss {
        let mut losses = self.0.loss.subscribe();
        match losses.wait_for(Option::is_some).await {
            Ok(loss) => loss.unwrap_or(Loss::Deadline),
            // The term itself holds the sender.
            Err(_) => Loss::Deadline,
        }
    }

    pub(crate) fn extend(&self, deadline: Instant) {
        self.0.deadline.extend(deadline);
    }

    /// Asks the work to end while the term continues.
    pub(crate) fn wind_down(&self) {
        self.0.scope.cancel();
    }

    pub(crate) fn end(&self, loss: Loss) {
        self.0.deadline.end();
        self.0.scope.cancel();
        self.0.loss.send_if_modified(|known| {
            let first = known.is_none();
            known.get_or_insert(loss);
            first
        });
    }
}

/// A write gate that is open in this term only.
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

/// The guard of a term of leadership: the lock is renewed as long as it lives, and released when it is dropped.
///
/// Drop it, or call [`release`](Self::release), when the work is over and not earlier: then another candidate may lead at
/// once. A lost term is no longer renewed; its lock is released too, if it is still this term's. It dereferences to
/// [`LeadershipScope`].
///
/// Do not leak it: a program that leads forever without working blocks all others.
#[derive(Debug)]
#[must_use = "leadership is released when this is dropped"]
pub struct Leadership {
    scope: LeadershipScope,
    stop: CancellationToken,
    task: Option<JoinHandle<Release>>,
}

impl Leadership {
    pub(crate) fn new(scope: LeadershipScope, stop: CancellationToken, task: JoinHandle<Release>) -> Self {
        Self { scope, stop, task: Some(task) }
    }

    /// The term, for the work in it.
    pub fn scope(&self) -> &LeadershipScope {
        &self.scope
    }

    /// Runs work. If leadership is lost, the work is dropped at its next `.await`, and the reason is returned.
    ///
    /// Tasks that the work has spawned are not dropped: let them wait for [`token`](LeadershipScope::token), or use
    /// [gated](crate::LeaderElector::gated) clients.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, Loss> {
        tokio::select! {
            biased;
            loss = self.scope.lost() => Err(loss),
            done = work => Ok(done),
        }
    }

    /// Ends the term without releasing its lock, which then expires: for work that does not end.
    pub(crate) fn abandon(mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }

    /// Releases the lock, and waits until that has succeeded or failed: at most the renew deadline.
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
