//! Leader election with a Lease, for a manager.

use std::time::Duration;

use client_rs_leaderelection::{HandoverNote, LeaderElector};
use tokio_util::sync::CancellationToken;

use super::runnable::{BoxFuture, Election, Term, Work};

/// How much longer than its lease a leader may go without a renewal before its health check fails: client-go's value.
const TOLERANCE: Duration = Duration::from_secs(20);

impl Election for LeaderElector {
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Some(leadership) = stop.run_until_cancelled(self.acquire()).await else { return };
            let term = Term::until(&stop).with_scope(leadership.scope().clone());
            // If this future is dropped, the work is dropped before the leadership.
            let mut work = work(term.clone());
            tokio::select! {
                biased;
                loss = leadership.lost() => {
                    tracing::warn!(?loss, "leadership was lost; dropping the leader's work");
                    term.lose();
                    work.await;
                }
                () = &mut work => {}
            }
            // No work of the term runs any more.
            leadership.release().await;
        })
    }

    fn healthy(&self) -> Result<(), String> {
        self.check(TOLERANCE).map_err(|error| error.to_string())
    }

    fn leave_note(&self, note: Option<HandoverNote>) {
        Self::leave_note(self, note);
    }

    fn found_note(&self) -> Option<String> {
        Self::found_note(self)
    }

    /// The duration of the lease: in that time each candidate looks at it several times.
    fn pause(&self) -> Duration {
        self.options().lease_duration
    }
}
