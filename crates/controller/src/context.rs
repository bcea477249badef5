//! [`Context`]: what a reconcile gets besides its key.

use std::sync::Arc;

use client_rs_client::RestClient;
use client_rs_leaderelection::{FencingToken, LeadershipScope};
use tokio_util::sync::CancellationToken;

/// One run of a reconcile function.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) controller: Arc<str>,
    pub(crate) failures: u32,
    pub(crate) stopping: CancellationToken,
    /// The term of the key's shard.
    pub(crate) shard: Option<LeadershipScope>,
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
        self.shard.as_ref().map(LeadershipScope::fencing_token)
    }

    /// A client for the writes of this run: in a [sharded](crate::Controller::sharded) controller they are refused as soon
    /// as the term of the key's shard is over, by the clock, those of tasks that this run has spawned included. In others
    /// it is the client that was given.
    pub fn gated(&self, client: &RestClient) -> RestClient {
        self.shard.as_ref().map_or_else(|| client.clone(), |shard| client.with_write_gate(shard.clone()))
    }

    /// Cancelled when the controller is to stop. The run may go on for
    /// [`drain_timeout`](crate::ControllerOptions::drain_timeout) and is then dropped. When the leadership is lost, the run
    /// is dropped at once: whatever it has not written by then is another's to write.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }
}
