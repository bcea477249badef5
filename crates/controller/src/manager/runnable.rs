//! The parts that a manager runs.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use client_rs_cache::BoxFuture;
use client_rs_leaderelection::{HandoverNote, LeadershipScope};
use client_rs_machinery::ObjectKey;
use tokio_util::sync::CancellationToken;

use crate::{ControllerError, ControllerState, ManagerError, RunnableController, Why};

type Run =
    Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, Result<(), Box<dyn Error + Send + Sync>>> + Send>;

/// A controller that a [`Manager`](crate::Manager) can run: a [`RunnableController`], or a loop of your own.
pub trait AnyController: Send + Sync + 'static {
    /// The name, which is unique in a manager.
    fn name_any(&self) -> &str;

    /// Runs in a term; see [`Term`] for its two ends.
    ///
    /// Returns when the last run has ended or has been dropped. The caller relies on it: afterwards no part of this
    /// controller may run. Dropping the future ends the controller as a lost term does, but the caller can't know when its
    /// runs are gone.
    fn run_any(&self, term: Term) -> BoxFuture<'_, Result<(), ControllerError>>;

    /// A snapshot for `/debug/state`.
    fn state_any(&self) -> ControllerState;

    /// Explains a key, for `/debug/why`; `leading` is whether this replica leads. Default: `None`, nothing is known.
    fn why_any(&self, key: &ObjectKey, leading: bool) -> Option<Why> {
        let _ = (key, leading);
        None
    }
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

    fn why_any(&self, key: &ObjectKey, leading: bool) -> Option<Why> {
        Some(self.why_in(key, leading))
    }
}

impl<C: AnyController> AnyController for Arc<C> {
    fn name_any(&self) -> &str {
        (**self).name_any()
    }

    fn run_any(&self, term: Term) -> BoxFuture<'_, Result<(), ControllerError>> {
        (**self).run_any(term)
    }

    fn state_any(&self) -> ControllerState {
        (**self).state_any()
    }

    fn why_any(&self, key: &ObjectKey, leading: bool) -> Option<Why> {
        (**self).why_any(key, leading)
    }
}

/// The time in which work may run, and the two ways in which it ends. Cheap to clone; clones are the same term.
///
/// - *Given up*: [`stopping`](Self::stopping) is cancelled. Runs in progress finish, and the work returns.
/// - *Lost*: [`lost`](Self::lost) is cancelled, and `stopping` with it. Another replica may work now or soon, so everything
///   that runs is dropped at once, and the work returns.
///
/// ```
/// use client_rs_controller::{CancellationToken, Term};
///
/// let stop = CancellationToken::new();
/// let term = Term::until(&stop);
/// stop.cancel();
/// assert!(term.stopping().is_cancelled() && !term.lost().is_cancelled());
/// term.lose();
/// assert!(term.lost().is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Term {
    stopping: CancellationToken,
    lost: CancellationToken,
    scope: Option<LeadershipScope>,
    /// The stop of the manager.
    manager: Option<CancellationToken>,
    is_later: bool,
}

impl Term {
    /// A term that is given up when `stop` is cancelled.
    pub fn until(stop: &CancellationToken) -> Self {
        Self { stopping: stop.child_token(), ..Self::default() }
    }

    /// Adds the term of a [`LeaderElector`](client_rs_leaderelection::LeaderElector), for
    /// [`Context::gated`](crate::Context::gated) and [`Context::fencing_token`](crate::Context::fencing_token).
    #[must_use]
    pub fn with_scope(mut self, scope: LeadershipScope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// The term of the elector, if there is one.
    pub fn scope(&self) -> Option<&LeadershipScope> {
        self.scope.as_ref()
    }

    /// Whether this process has led before. Other replicas may have worked since, and failed. So a controller should look at
    /// all of its objects again, as after a restart; a [`RunnableController`] does.
    pub fn is_later(&self) -> bool {
        self.is_later
    }

    /// Cancelled when the work should end, and when the term is lost.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Cancelled when the work must end at once.
    pub fn lost(&self) -> &CancellationToken {
        &self.lost
    }

    /// Ends the term as lost.
    pub fn lose(&self) {
        // In this order, so that a task that sees `stopping` also sees that the term is lost.
        self.lost.cancel();
        self.stopping.cancel();
    }

    /// A part of the term that can be given up separately.
    pub(super) fn part(&self) -> Self {
        Self { stopping: self.stopping.child_token(), ..self.clone() }
    }

    /// The same term, in a manager that runs until `stop`.
    pub(super) fn of_manager(self, stop: &CancellationToken, is_first: bool) -> Self {
        Self { manager: Some(stop.clone()), is_later: !is_first, ..self }
    }

    /// Whether the work ends while its manager continues: another term may follow.
    pub(crate) fn may_return(&self) -> bool {
        self.lost.is_cancelled() || self.manager.as_ref().is_some_and(|manager| !manager.is_cancelled())
    }
}

/// The work of a leader, in its term. When it returns, no part of it runs any more.
pub type Work = Box<dyn FnOnce(Term) -> BoxFuture<'static, ()> + Send>;

/// A way to choose the one replica that works. [`LeaderElector`](client_rs_leaderelection::LeaderElector) implements it with
/// a Lease; implement it yourself for another lock.
///
/// An implementation must guarantee:
/// - The work begins only when no other replica's work runs, provided that the other replicas follow this contract too.
/// - *Given up*: when `stop` is cancelled, [`Term::stopping`] is cancelled. Leadership is kept until the work has returned,
///   and is released then, so that another replica can begin at once.
/// - *Lost*: as soon as another replica might lead, and no later than the deadline of the term, [`Term::lose`] is called.
///   Leadership is not released before the work has returned.
///
/// Not promised: that the work stops in time. A task delivers the loss, and a paused process or a busy runtime may run it
/// late. Requests that were sent can't be recalled. So let writes go through a client with a write gate, which compares the
/// clock itself ([`LeaderElector::gated`](client_rs_leaderelection::LeaderElector::gated)). If a write that is already on the
/// wire matters too, let its receiver compare a [`FencingToken`](client_rs_leaderelection::FencingToken).
/// [`LeadershipScope`](client_rs_leaderelection::LeadershipScope) lists the assumptions about clocks.
///
/// ```
/// use std::pin::Pin;
///
/// use client_rs_cache::InformerFactory;
/// use client_rs_controller::{CancellationToken, Election, Manager, ManagerError, Term, Work};
///
/// /// Leads at once and loses leadership at once: a test of what a program does then.
/// struct LosesAtOnce;
///
/// impl Election for LosesAtOnce {
///     fn lead(&self, stop: CancellationToken, work: Work) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
///         let term = Term::until(&stop);
///         term.lose();
///         work(term)
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let manager = Manager::new(InformerFactory::new()).election(LosesAtOnce);
/// let ended = manager.run(CancellationToken::new()).await;
/// assert!(matches!(ended, Err(ManagerError::LeadershipLost)));
/// # }
/// ```
pub trait Election: Send + Sync + 'static {
    /// Waits until this replica leads, then does the work once. Returns when the work has returned and leadership is given
    /// up: because `stop` was cancelled, or because leadership was lost. Dropping the future drops the work and gives up
    /// leadership. It may be called again afterwards, for another term.
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()>;

    /// A health check. It fails for a leader that could not renew in time and still works.
    fn healthy(&self) -> Result<(), String> {
        Ok(())
    }

    /// Sets the function that writes the note for the next leader; `None` removes it. A leader must call it, and publish its
    /// result, before it gives up leadership, and now and then before that. See
    /// [`LeaderElector::leave_note`](client_rs_leaderelection::LeaderElector::leave_note).
    ///
    /// Default: there are no notes, so a new leader does not wait for its caches.
    fn leave_note(&self, note: Option<HandoverNote>) {
        let _ = note;
    }

    /// The note that the last leader had left when the current term began. Default: none.
    fn found_note(&self) -> Option<String> {
        None
    }

    /// How long this replica pauses after it has [stepped down](super::ManagerHandle::step_down), so that another replica
    /// leads first. Default: 15 seconds.
    fn pause(&self) -> Duration {
        Duration::from_secs(15)
    }
}

/// A task of [`Manager::runnable`](super::Manager::runnable).
pub(super) struct Runnable {
    pub(super) name: String,
    pub(super) run: Run,
}

type RunInTerm =
    Arc<dyn Fn(Term) -> BoxFuture<'static, Result<(), Box<dyn Error + Send + Sync>>> + Send + Sync>;

/// A task of [`Manager::leader_runnable`](super::Manager::leader_runnable).
#[derive(Clone)]
pub(super) struct LeaderRunnable {
    pub(super) name: String,
    pub(super) run: RunInTerm,
}

impl LeaderRunnable {
    /// Runs in a term. After the term is given up it has `patience` to end; when it is lost it is dropped at once.
    pub(super) async fn run_in(self, term: Term, patience: Duration) -> Result<(), ManagerError> {
        let Self { name, run } = self;
        let late = async {
            term.stopping().cancelled().await;
            tokio::time::sleep(patience).await;
        };
        tokio::select! {
            biased;
            () = term.lost().cancelled() => Ok(()),
            ended = run(term.clone()) => ended.map_err(|error| ManagerError::Runnable { name, error }),
            () = late => {
                tracing::warn!(name, after = ?patience, "a runnable of the leader did not stop in time");
                Ok(())
            }
        }
    }
}
