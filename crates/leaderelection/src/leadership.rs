//! Leadership as a value.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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
/// What is promised, if clocks run at rates that differ by less than `lease_duration / renew_deadline`:
/// - no other candidate's term begins before this one's deadline, which is `renew_deadline` after the last renewal that
///   succeeded was *sent*;
/// - at the deadline at the latest [`is_leading`](Self::is_leading) says no, for ever: it reads the clock;
/// - [`cancelled`](Self::cancelled) and [`token`](Self::token)'s like are told by a task of the runtime: at the deadline
///   too, unless the runtime is too busy, or the process stopped, to run it.
///
/// What is not promised: that a write made after looking arrives before another leads. The process may be stopped in
/// between for any time, and clocks may not count a suspended machine's sleep. Where that matters, the write carries
/// the [`FencingToken`], and its receiver asks a [`Fence`](crate::Fence).
#[derive(Clone, Debug)]
pub struct LeadershipScope(Arc<Term>);

#[derive(Debug)]
pub(crate) struct Term {
    token: FencingToken,
    scope: CancellationToken,
    epoch: Instant,
    /// Nanoseconds from the epoch; 0 when the term is over.
    deadline: AtomicU64,
    loss: watch::Sender<Option<Loss>>,
}

impl LeadershipScope {
    pub(crate) fn new(token: FencingToken, deadline: Instant) -> Self {
        let term = Term {
            token,
            scope: CancellationToken::new(),
            epoch: Instant::now(),
            deadline: AtomicU64::new(0),
            loss: watch::Sender::new(None),
        };
        let scope = Self(Arc::new(term));
        scope.extend(deadline);
        scope
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
        let deadline = Duration::from_nanos(self.0.deadline.load(Ordering::Acquire));
        deadline.saturating_sub(self.0.epoch.elapsed())
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
        let nanos = deadline.saturating_duration_since(self.0.epoch).as_nanos();
        self.0.deadline.store(u64::try_from(nanos).unwrap_or(u64::MAX), Ordering::Release);
    }

    /// Asks the work to end while the term goes on.
    pub(crate) fn wind_down(&self) {
        self.0.scope.cancel();
    }

    pub(crate) fn end(&self, loss: Loss) {
        self.0.deadline.store(0, Ordering::Release);
        self.0.scope.cancel();
        self.0.loss.send_if_modified(|told| {
            let first = told.is_none();
            told.get_or_insert(loss);
            first
        });
    }
}

/// A term of leadership, held: it is renewed as long as this lives, and given back when it is dropped.
///
/// Drop it, or call [`release`](Self::release), when its work is over, not before: then another may lead at once.
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
