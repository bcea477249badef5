//! Leader election by a lease, for a manager.

use std::time::Duration;

use client_rs_leaderelection::LeaderElector;
use tokio_util::sync::CancellationToken;

use super::runnable::{BoxFuture, Election, Work};

/// How much longer than its lease a leader may go without a renewal before it counts as unwell: client-go's.
const TOLERANCE: Duration = Duration::from_secs(20);

impl Election for LeaderElector {
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Some(leadership) = stop.run_until_cancelled(self.acquire()).await else { return };
            let leading = stop.child_token();
            let over = leading.clone();
            let mut work = work(leading);
            tokio::select! {
                () = &mut work => {}
                () = leadership.scope().cancelled() => {
                    over.cancel();
                    work.await;
                }
            }
            leadership.release().await;
        })
    }

    fn healthy(&self) -> Result<(), String> {
        self.check(TOLERANCE).map_err(|error| error.to_string())
    }
}
