//! [`ManagerHandle`]: leadership of a running manager.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use client_rs_machinery::ObjectKey;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Status, lock};
use crate::Why;

/// A handle of a [`Manager`](super::Manager) that runs: shows whether it leads, explains keys, and lets it step down.
///
/// [`Manager::handle`](super::Manager::handle) returns it. Cheap to clone; give it to a [runnable](super::Manager::runnable), a
/// webhook or a signal handler.
#[derive(Clone)]
pub struct ManagerHandle(Arc<Status>);

/// The current term of a manager.
pub(crate) struct Standing {
    /// The token that gives up the term while this replica leads.
    term: Mutex<Option<CancellationToken>>,
    /// The number of campaigns that are over. With them ends the term, if there was one.
    over: watch::Sender<u64>,
}

impl Default for Standing {
    fn default() -> Self {
        Self { term: Mutex::default(), over: watch::Sender::new(0) }
    }
}

impl Standing {
    /// This replica leads until the guard is dropped; `token` gives up the term.
    pub(super) fn leads(status: &Arc<Status>, token: CancellationToken) -> Leads {
        *lock(&status.standing.term) = Some(token);
        status.leading.store(true, Ordering::Relaxed);
        Leads(Arc::clone(status))
    }

    /// A campaign, which is over when the guard is dropped.
    pub(super) fn campaign(&self) -> Campaign<'_> {
        Campaign(self)
    }
}

/// The guard of a term.
pub(super) struct Leads(Arc<Status>);

impl Drop for Leads {
    fn drop(&mut self) {
        self.0.leading.store(false, Ordering::Relaxed);
        *lock(&self.0.standing.term) = None;
    }
}

/// The guard of a campaign and its term.
pub(super) struct Campaign<'s>(&'s Standing);

impl Drop for Campaign<'_> {
    fn drop(&mut self) {
        self.0.over.send_modify(|over| *over += 1);
    }
}

impl ManagerHandle {
    pub(super) fn new(status: Arc<Status>) -> Self {
        Self(status)
    }

    /// Whether this replica leads, or needs no election and runs its controllers. May be out of date when it returns.
    pub fn is_leading(&self) -> bool {
        self.0.leading.load(Ordering::Relaxed)
    }

    /// Explains a key of a controller: why it ran, or why it did not. `None` if the manager has no such controller. See
    /// [`RunnableController::why`](crate::RunnableController::why).
    pub fn why(&self, controller: &str, key: &ObjectKey) -> Option<Why> {
        self.0.why(controller, key)
    }

    /// Gives up leadership, so that another replica can lead at once, and campaigns again later: before this replica's node
    /// is drained, for example.
    ///
    /// The runs in progress are drained first, as at a stop ([`drain_timeout`](crate::ControllerOptions::drain_timeout));
    /// then the lease is released. Returns when that is done. Returns false, and does nothing, if this replica does not lead
    /// or has no election.
    ///
    /// The next campaign begins after [`Election::pause`](super::Election::pause), so that another replica leads first. With
    /// a Lease that is its duration, 15 seconds by default. If there is no other replica, nobody leads for that time.
    ///
    /// A client of [`LeaderElector::gated`](client_rs_leaderelection::LeaderElector::gated) is for one term: it refuses all writes when this
    /// replica leads again. Reconcilers use [`Context::gated`](crate::Context::gated).
    ///
    /// Cancellation: dropping the future does not change that the manager steps down.
    ///
    /// ```
    /// # use std::pin::Pin;
    /// use client_rs_cache::InformerFactory;
    /// use client_rs_controller::{CancellationToken, Manager};
    /// # use client_rs_controller::{Election, Term, Work};
    /// # struct Alone;
    /// # impl Election for Alone {
    /// #     fn lead(&self, stop: CancellationToken, work: Work) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
    /// #         work(Term::until(&stop))
    /// #     }
    /// # }
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let elector = Alone;
    /// let manager = Manager::new(InformerFactory::new()).election(elector);
    /// let handle = manager.handle();
    /// let stop = CancellationToken::new();
    /// # let (stopping, stepped) = (stop.clone(), handle.clone());
    /// let manager = manager.runnable("drain", move |_: CancellationToken| async move {
    ///     while !handle.step_down().await {
    ///         tokio::task::yield_now().await;
    ///     }
    ///     assert!(!handle.is_leading());
    /// #   stopping.cancel();
    ///     Ok::<(), std::io::Error>(())
    /// });
    /// manager.run(stop).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn step_down(&self) -> bool {
        let mut over = self.0.standing.over.subscribe();
        let before = {
            let term = lock(&self.0.standing.term);
            let Some(term) = &*term else { return false };
            term.cancel();
            // Under the lock: the campaign of this term is not over yet.
            *over.borrow_and_update()
        };
        tracing::info!("stepping down as requested");
        // `self` has the sender.
        let _ = over.wait_for(|over| *over > before).await;
        true
    }
}

impl std::fmt::Debug for ManagerHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ManagerHandle").field("leading", &self.is_leading()).finish()
    }
}
