//! Callbacks of an election.

use std::fmt;
use std::future::Future;

use futures_core::future::BoxFuture;

use crate::LeadershipScope;

/// A callback with the identity of the new leader.
pub(crate) type NewLeader = Box<dyn FnMut(&str) + Send>;
/// The work of a leader.
pub(crate) type StartedLeading = Box<dyn FnOnce(LeadershipScope) -> BoxFuture<'static, ()> + Send>;

/// The callbacks of [`LeaderElector::run`](crate::LeaderElector::run), as in client-go.
///
/// In new code [`acquire`](crate::LeaderElector::acquire) is usually simpler: it returns a guard instead.
///
/// ```
/// use client_rs_leaderelection::{LeaderCallbacks, LeadershipScope};
///
/// let callbacks = LeaderCallbacks::new(
///     |scope: LeadershipScope| async move {
///         // The leader's work, until the term ends.
///         scope.cancelled().await;
///     },
///     || println!("stopped"),
/// )
/// .on_new_leader(|leader| println!("{leader} leads"));
/// # drop(callbacks);
/// ```
#[allow(clippy::struct_field_names, reason = "the names that client-go gave them")]
pub struct LeaderCallbacks {
    pub(crate) on_started_leading: StartedLeading,
    pub(crate) on_stopped_leading: Box<dyn FnOnce() + Send>,
    pub(crate) on_new_leader: Option<NewLeader>,
}

impl LeaderCallbacks {
    /// The leader's work, and a function that is called at the end, even if this candidate never led.
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

    /// Adds a callback for changes of the leader, including this candidate and no leader (`""`). It runs in its own task. A
    /// slow callback misses intermediate leaders. Several callbacks are called in the order in which they were added.
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
