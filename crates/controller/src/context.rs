//! [`Context`]: the second argument of a reconcile function.

use std::sync::Arc;

use client_rs_client::RestClient;
use client_rs_leaderelection::{FencingToken, LeadershipScope};
use tokio_util::sync::CancellationToken;

use crate::run_token::RunToken;

/// One run of a reconcile function: the controller's name, the failures so far, and how the run learns of a shutdown.
///
/// A reconcile function gets it next to the key. Cheap to clone; tasks that the run spawns may keep a clone.
///
/// This reconcile gives up after two retries:
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_controller::{CancellationToken, Context, Controller, ReconcileError};
/// use client_rs_informers::SharedInformerFactory;
/// use client_rs_machinery::ObjectKey;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
/// # let server = client_rs_apiserver::Server::start_with(options).await?;
/// # let factory = SharedInformerFactory::new(server.rest_client()?);
/// let stop = CancellationToken::new();
/// let stopping = stop.clone();
/// let maps = factory.informer_for::<ConfigMap>();
/// let controller = Controller::new("retries", maps).when(|_: &_| false);
/// controller.queue().add(ObjectKey::new("shop", "broken"));
/// let controller = controller.reconcile(move |_: ObjectKey, context: Context| {
///     let stopping = stopping.clone();
///     async move {
///         if context.failures() < 2 {
///             return Err(ReconcileError::message("not yet"));
///         }
///         stopping.cancel();
///         Err(ReconcileError::terminal(format!("{} gives up", context.controller())))
///     }
/// });
/// factory.start();
/// controller.run(stop).await?;
/// let state = controller.state();
/// assert_eq!((state.counts.errors, state.counts.terminal_errors), (2, 1));
/// assert_eq!(state.last_error, Some(("shop/broken".to_owned(), "retries gives up".to_owned())));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) controller: Arc<str>,
    pub(crate) failures: u32,
    pub(crate) stopping: RunToken,
    /// The term of the key's shard, or of the leader.
    pub(crate) scope: Option<LeadershipScope>,
}

impl Context {
    /// The controller's name.
    pub fn controller(&self) -> &str {
        &self.controller
    }

    /// How many runs of this key have failed, or ended with [`Action::requeue`](crate::Action::requeue), since the last
    /// success.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// The fencing token of the key's shard, in a [sharded](crate::Controller::sharded) controller; otherwise that of the
    /// leader's term, in a manager with a [`LeaderElector`](client_rs_leaderelection::LeaderElector). `None` without either.
    ///
    /// Send it with each write to a system that checks it with a [`Fence`](client_rs_leaderelection::Fence).
    pub fn fencing_token(&self) -> Option<&FencingToken> {
        self.scope.as_ref().map(LeadershipScope::fencing_token)
    }

    /// Returns a client for the writes of this run.
    ///
    /// It refuses writes as soon as the clock says that the term is over in which this run began: the term of the key's
    /// shard in a [sharded](crate::Controller::sharded) controller, otherwise the leader's, in a manager with a
    /// [`LeaderElector`](client_rs_leaderelection::LeaderElector). That includes writes of tasks that this run has spawned,
    /// also when this replica leads again. Without either it is a clone of `client`.
    pub fn gated(&self, client: &RestClient) -> RestClient {
        self.scope.as_ref().map_or_else(|| client.clone(), |scope| client.with_write_gate(scope.clone()))
    }

    /// Cancelled when the controller should stop.
    ///
    /// The run may continue for [`drain_timeout`](crate::ControllerOptions::drain_timeout); then it is dropped. When
    /// leadership is lost the run is dropped at once: the next leader does the writes that are left.
    ///
    /// A run that waits should wait for this token too:
    ///
    /// ```
    /// # use std::time::Duration;
    /// use client_rs_controller::{Action, Context, Result};
    ///
    /// async fn wait_for_backup(context: &Context) -> Result<Action> {
    ///     tokio::select! {
    ///         // The key is reconciled again after the restart.
    ///         () = context.stopping().cancelled() => Ok(Action::done()),
    ///         () = backup() => Ok(Action::requeue_after(Duration::from_mins(5))),
    ///     }
    /// }
    /// # async fn backup() {}
    /// ```
    pub fn stopping(&self) -> &CancellationToken {
        self.stopping.own()
    }
}
