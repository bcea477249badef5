//! The terms of a manager: it campaigns, leads, and campaigns again.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::handle::Standing;
use super::handover::Handover;
use super::runnable::{BoxFuture, Election, Term};
use super::{Manager, ManagerError, lock};

/// The end of a lost leadership; [`ManagerOptions::lost_leadership`](super::ManagerOptions::lost_leadership) sets it. In both
/// cases all runs of the controllers are dropped at once.
///
/// ```
/// use client_rs_controller::{LostLeadership, ManagerOptions};
///
/// let options = ManagerOptions::default().with_lost_leadership(LostLeadership::CampaignAgain);
/// # assert_ne!(options.lost_leadership, ManagerOptions::default().lost_leadership);
/// ```
///
/// A reconcile function for several terms makes its client in each run:
///
/// ```
/// # use client_rs_client::RestClient;
/// # use client_rs_controller::{Action, Context, Result};
/// # use client_rs_machinery::ObjectKey;
/// async fn reconcile(key: ObjectKey, context: Context, rest: RestClient) -> Result<Action> {
///     // Refuses writes as soon as this term is over, also when this replica leads again.
///     let rest = context.gated(&rest);
/// #   drop((key, rest));
///     Ok(Action::done())
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostLeadership {
    /// [`Manager::run`] stops everything and returns [`ManagerError::LeadershipLost`]. The process should end then. This is
    /// the safe choice for work that may outlive its run, such as spawned tasks.
    #[default]
    Exit,
    /// The manager campaigns again. Informers, endpoints, webhooks, runnables and the controllers of every replica continue.
    /// When this replica leads again, its controllers continue with their queues, and look at all of their objects again.
    ///
    /// The caches stay warm, so this suits programs whose start is slow. Reconcilers must not keep anything from one term to
    /// the next that only a leader may have. Above all, a client of
    /// [`LeaderElector::gated`](client_rs_leaderelection::LeaderElector::gated) is for one term, and refuses all writes after
    /// it: use [`Context::gated`](crate::Context::gated) in each run instead.
    CampaignAgain,
}

/// The pause between a lost term and the next campaign.
const AFTER_LOSS: Duration = Duration::from_secs(1);

/// The end of a campaign, and of its term if it had one.
enum Ended {
    /// As the manager's stop asks.
    Stopped,
    SteppedDown,
    Lost,
    /// A controller has failed.
    Failed(ManagerError),
}

/// A term that has begun.
struct Begun {
    term: Term,
    ended: Result<(), ManagerError>,
}

/// Removes the note function, and with it the informers, from an election that may outlive the manager.
struct Noting<'e>(&'e dyn Election);

impl Drop for Noting<'_> {
    fn drop(&mut self) {
        self.0.leave_note(None);
    }
}

impl Manager {
    /// Runs the controllers, under leader election if there is one.
    pub(super) async fn lead(&self, stop: CancellationToken) -> Result<(), ManagerError> {
        let Some(election) = &self.election else {
            self.status.leading.store(true, Ordering::Relaxed);
            return self.leader_work().run(&Term::until(&stop)).await;
        };
        let handover = Arc::new(Handover::new(self.factory.clone()));
        let noted = Arc::clone(&handover);
        election.leave_note(Some(Arc::new(move |found| Some(noted.note(found)))));
        let _noting = Noting(&**election);
        let mut terms = 0;
        loop {
            let pause = match self.campaign(election, &handover, &stop, &mut terms).await {
                Ended::Failed(error) => return Err(error),
                Ended::Stopped => return Ok(()),
                Ended::SteppedDown => election.pause(),
                Ended::Lost if self.options.lost_leadership == LostLeadership::Exit => {
                    return Err(ManagerError::LeadershipLost);
                }
                Ended::Lost => AFTER_LOSS,
            };
            tracing::info!(?pause, "no longer leading; campaigning again after a pause");
            if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                return Ok(());
            }
        }
    }

    /// Campaigns, and leads once. Counts the terms.
    async fn campaign(
        &self,
        election: &Arc<dyn Election>,
        handover: &Arc<Handover>,
        stop: &CancellationToken,
        terms: &mut u64,
    ) -> Ended {
        let _campaign = self.status.standing.campaign();
        handover.campaign();
        // Gives up this term; the manager's stop gives up all.
        let given_up = stop.child_token();
        let begun: Arc<Mutex<Option<Begun>>> = Arc::default();
        let work = {
            let (leader_work, limit) = (self.leader_work(), self.options.catch_up_timeout);
            let (election, handover) = (Arc::clone(election), Arc::clone(handover));
            let (status, stop, given_up) = (self.status(), stop.clone(), given_up.clone());
            let (begun, is_first) = (Arc::clone(&begun), *terms == 0);
            Box::new(move |term: Term| -> BoxFuture<'static, ()> {
                Box::pin(async move {
                    let _leads = Standing::leads(&status, given_up);
                    tracing::info!("leading");
                    let term = term.of_manager(&stop, is_first);
                    *lock(&begun) = Some(Begun { term: term.clone(), ended: Ok(()) });
                    let found = election.found_note();
                    let caught_up = handover.catch_up(found.as_deref(), limit);
                    if term.stopping().run_until_cancelled(caught_up).await.is_none() {
                        return;
                    }
                    if let Err(failure) = leader_work.run(&term).await {
                        *lock(&begun) = Some(Begun { term, ended: Err(failure) });
                        // Ends the election: the leader's work has failed.
                        stop.cancel();
                    }
                })
            })
        };
        election.lead(given_up.clone(), work).await;
        let mut lost = false;
        if let Some(Begun { term, ended }) = lock(&begun).take() {
            *terms += 1;
            lost = term.lost().is_cancelled();
            if let Err(error) = ended {
                return Ended::Failed(error);
            }
        }
        match () {
            () if stop.is_cancelled() => Ended::Stopped,
            () if given_up.is_cancelled() && !lost => Ended::SteppedDown,
            () => Ended::Lost,
        }
    }
}
