//! Leadership told by callbacks.

use std::fmt;
use std::future::Future;

use futures_core::future::BoxFuture;

use crate::LeadershipScope;

/// Told who leads.
pub(crate) type NewLeader = Box<dyn FnMut(&str) + Send>;
/// The work of a leader.
pub(crate) type StartedLeading = Box<dyn FnOnce(LeadershipScope) -> BoxFuture<'static, ()> + Send>;

/// What a [`LeaderElector`](crate::LeaderElector) calls.
#[allow(clippy::struct_field_names, reason = "the names that client-go gave them")]
pub struct LeaderCallbacks {
    pub(crate) on_started_leading: StartedLeading,
    pub(crate) on_stopped_leading: Box<dyn FnOnce() + Send>,
    pub(crate) on_new_leader: Option<NewLeader>,
}

impl LeaderCallbacks {
    /// The leader's work, and what is done at the end, whether or not this candidate ever led.
    pub fn new<F: Future<Output = ()> + Send + 'static>(
        on_started_leading: impl FnOnce(LeadershipScope) -> F + Send + 'static,
        on_stopped_leading: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self {
            on_started_leading: Box::new(move |scope| Box::pin(on_started_leading(scope))),
            on_stopped_leading: Box::new(on_stopped_leading),
            on_new_leader: None,
        }
    }

    /// Called in a task of its own when another leader than before is seen, this candidate and none (`""`) included. A
    /// slow callback misses those between. Of several callbacks each is called, in the order in which they were given.
    #[must_use]
    pub fn on_new_leader(mut self, mut callback: impl FnMut(&str) + Send + 'static) -> Self {
        self.on_new_leader = Some(match self.on_new_leader.take() {
            None => Box::new(callback),
            Some(mut before) => Box::new(move |leader: &str| {
                before(leader);
                callback(leader);
            }),
        });
        self
    }
}

impl fmt::Debug for LeaderCallbacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LeaderCallbacks")
    }
}
