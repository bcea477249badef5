//! What a reconcile is told besides its key.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

/// One run of a reconcile function.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) controller: Arc<str>,
    pub(crate) failures: u32,
    pub(crate) stopping: CancellationToken,
}

impl Context {
    /// The controller's name.
    pub fn controller(&self) -> &str {
        &self.controller
    }

    /// How often this key has failed since it last succeeded.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Cancelled when the controller is to stop, or has lost the leadership: whatever this run has not written by then
    /// is another's to write. The run may go on for [`drain_timeout`](crate::ControllerOptions::drain_timeout) and is
    /// then dropped.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }
}
