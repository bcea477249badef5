//! What a reconcile is told besides its key.

use std::sync::Arc;

use client_rs_leaderelection::FencingToken;
use tokio_util::sync::CancellationToken;

/// One run of a reconcile function.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) controller: Arc<str>,
    pub(crate) failures: u32,
    pub(crate) stopping: CancellationToken,
    pub(crate) fencing_token: Option<FencingToken>,
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

    /// The term of the key's shard, in a [sharded](crate::Controller::sharded) controller: to go with writes to where a
    /// [`Fence`](client_rs_leaderelection::Fence) is asked.
    pub fn fencing_token(&self) -> Option<&FencingToken> {
        self.fencing_token.as_ref()
    }

    /// Cancelled when the controller is to stop, or has lost the leadership: whatever this run has not written by then
    /// is another's to write. The run may go on for [`drain_timeout`](crate::ControllerOptions::drain_timeout) and is
    /// then dropped.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }
}
