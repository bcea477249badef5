//! [`RunningGraph`]: the task that takes the inboxes of a graph.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use client_rs_cache::{BoxFuture, HasSynced};
use tokio::task::{JoinHandle, JoinSet};

use crate::Graph;
use crate::graph::Shared;
use crate::task::logged;

/// A graph that runs. Dropping it ends its task; the collections keep their last state.
#[derive(Debug)]
#[must_use = "dropping it ends the task of the graph"]
pub struct RunningGraph {
    task: JoinHandle<()>,
}

impl Graph {
    /// Starts a task on the current tokio runtime that takes what waits in the inboxes of all inputs, as one epoch,
    /// whenever there is something. Changes that arrive while an epoch is computed become the next one.
    ///
    /// Start it once per graph. The epoch is computed in the task, without an await: a function that takes long
    /// delays other tasks of the same worker.
    pub fn spawn(&self) -> RunningGraph {
        RunningGraph { task: tokio::spawn(logged("the task of a graph", run(self.shared.clone()))) }
    }
}

async fn run(graph: Arc<Shared>) {
    let mut joining = JoinSet::new();
    loop {
        for future in std::mem::take(&mut *graph.joining.lock().unwrap_or_else(PoisonError::into_inner)) {
            joining.spawn(logged("the source of a derived collection", future));
        }
        if !graph.held.load(Ordering::Relaxed) {
            let _ = graph.flush();
        }
        // Observers run before the next epoch if they can.
        tokio::task::yield_now().await;
        tokio::select! {
            () = graph.bell.notify.notified() => {}
            Some(_) = joining.join_next() => {}
        }
    }
}

impl HasSynced for Graph {
    fn sync_name(&self) -> &'static str {
        "derived collections"
    }

    fn has_synced(&self) -> bool {
        Self::has_synced(self)
    }

    fn wait_synced(&self) -> BoxFuture<'_, bool> {
        Box::pin(async {
            self.synced().await;
            true
        })
    }
}

impl RunningGraph {
    /// Ends the task and waits for it. An epoch that is being computed is completed.
    pub async fn shutdown(mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
    }
}

impl Drop for RunningGraph {
    fn drop(&mut self) {
        self.task.abort();
    }
}
