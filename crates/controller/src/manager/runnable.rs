//! What a manager runs.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;

use tokio_util::sync::CancellationToken;

use crate::{ControllerError, ControllerState, RunnableController};

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type Run =
    Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, Result<(), Box<dyn Error + Send + Sync>>> + Send>;

/// A controller of whatever kind.
pub trait AnyController: Send + Sync + 'static {
    /// What it is called.
    fn name_any(&self) -> &str;

    /// Runs in a term: see [`Term`] for its two ends. Returns when the last run has ended, or has been dropped: whoever
    /// called it takes it that nothing of this controller runs any more. Dropping the future ends it as a loss does, but
    /// nobody learns when its runs are gone.
    fn run_any(&self, term: Term) -> BoxFuture<'_, Result<(), ControllerError>>;

    /// How it is doing.
    fn state_any(&self) -> ControllerState;
}

impl AnyController for RunnableController {
    fn name_any(&self) -> &str {
        self.name()
    }

    fn run_any(&self, term: Term) -> BoxFuture<'_, Result<(), ControllerError>> {
        Box::pin(self.run_in(term))
    }

    fn state_any(&self) -> ControllerState {
        self.state()
    }
}

impl<C: AnyController> AnyController for std::sync::Arc<C> {
    fn name_any(&self) -> &str {
        (**self).name_any()
    }

    fn run_any(&self, term: Term) -> BoxFuture<'_, Result<(), ControllerError>> {
        (**self).run_any(term)
    }

    fn state_any(&self) -> ControllerState {
        (**self).state_any()
    }
}

/// The time in which work may run, and how it ends. Cheap to clone; clones are the same term.
///
/// - *Given up*: [`stopping`](Self::stopping) is cancelled. What has begun is brought to its end, and the work returns.
/// - *Lost*: [`lost`](Self::lost) is cancelled, and `stopping` with it. Another replica may work now, or soon: everything
///   that runs is dropped at once, and the work returns.
#[derive(Clone, Debug, Default)]
pub struct Term {
    stopping: CancellationToken,
    lost: CancellationToken,
}

impl Term {
    /// One that is given up when `stop` is cancelled.
    pub fn until(stop: &CancellationToken) -> Self {
        Self { stopping: stop.child_token(), lost: CancellationToken::new() }
    }

    /// Cancelled when the work is to end, or is lost.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Cancelled when the work must end at once.
    pub fn lost(&self) -> &CancellationToken {
        &self.lost
    }

    /// Ends the term as lost.
    pub fn lose(&self) {
        // In this order: what hears of the stop sees that it is a loss.
        self.lost.cancel();
        self.stopping.cancel();
    }

    /// A part of it, which can be given up by itself.
    pub(super) fn part(&self) -> Self {
        Self { stopping: self.stopping.child_token(), lost: self.lost.clone() }
    }
}

/// The work of a leader, in its term. When it returns, nothing of it runs any more.
pub type Work = Box<dyn FnOnce(Term) -> BoxFuture<'static, ()> + Send>;

/// A way to be the one of several replicas that works.
///
/// What an election promises:
/// - The work begins only when no other replica's work runs, as far as other replicas keep to this contract.
/// - *Given up*: when `stop` is cancelled, so is [`Term::stopping`]. The leadership is kept until the work has returned,
///   and is released then, so that another replica can begin at once.
/// - *Lost*: as soon as another replica might lead, and no later than the deadline of the term, [`Term::lose`] is called.
///   The leadership is not released before the work has returned.
///
/// What it can't promise: the work learns of a loss from a task, which a stopped process or a busy runtime does not run in
/// time, and what it has sent can't be recalled. So writes go through a client with a write gate, which compares the clock
/// itself ([`LeaderElector::gated`](client_rs_leaderelection::LeaderElector::gated)), and where even a write that is on
/// the wire matters, its receiver compares a [`FencingToken`](client_rs_leaderelection::FencingToken).
/// [`LeadershipScope`](client_rs_leaderelection::LeadershipScope) says what is assumed of clocks.
pub trait Election: Send + Sync + 'static {
    /// Waits until this replica leads, then does the work, once. Returns when the work has returned and the leadership is
    /// given up: because `stop` was cancelled, or because the leadership was lost. Dropping the future drops the work and
    /// gives the leadership up.
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()>;

    /// Whether it is well: a leader that could not renew in time and still works is not.
    fn healthy(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Something else that runs.
pub(super) struct Runnable {
    pub(super) name: String,
    pub(super) run: Run,
}
