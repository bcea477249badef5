//! When a key is reconciled again.

use std::time::Duration;

/// When to reconcile a key again after a run without an error: controller-runtime's `Result`.
///
/// Return [`done`](Self::done) if only a change matters, and [`requeue_after`](Self::requeue_after) if time matters too: a
/// certificate that expires, an external system without events. Do not poll objects of the cluster: let the controller
/// [watch](crate::Controller::watches) them. After a failure return a [`ReconcileError`](crate::ReconcileError) instead, so
/// that it is counted and logged.
///
/// A change in the cluster always brings the key back earlier.
///
/// ```
/// use std::time::Duration;
///
/// use client_rs_controller::Action;
///
/// /// Renews ten days before the certificate expires.
/// fn next(expires_in: Duration) -> Action {
///     match expires_in.checked_sub(Duration::from_hours(240)) {
///         Some(wait) => Action::requeue_after(wait),
///         None => Action::requeue(), // Already due, and the renewal is still in progress.
///     }
/// }
/// assert_eq!(next(Duration::from_hours(300)), Action::requeue_after(Duration::from_hours(60)));
/// assert_eq!(next(Duration::from_hours(1)), Action::requeue());
/// assert_eq!(Action::default(), Action::done());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Action {
    pub(crate) again: Again,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Again {
    #[default]
    OnChange,
    After(Duration),
    RateLimited,
}

impl Action {
    /// Reconciles the key again when something changes. Resets its failure count.
    pub const fn done() -> Self {
        Self { again: Again::OnChange }
    }

    /// Reconciles the key again after this time, or earlier if something changes. Resets its failure count.
    ///
    /// The key stays in memory, not in a worker: a long delay costs one entry of the queue. The delay does not survive a
    /// restart of the process. A restart reconciles every key anyway.
    pub const fn requeue_after(delay: Duration) -> Self {
        Self { again: Again::After(delay) }
    }

    /// Reconciles the key again after the rate limiter's delay, as after an error, but counts no error. The delay grows
    /// with each call in a row.
    ///
    /// Prefer [`requeue_after`](Self::requeue_after) if you know how long to wait.
    pub const fn requeue() -> Self {
        Self { again: Again::RateLimited }
    }

    /// The one of two actions that reconciles the key earlier. The rate limiter's delay is unknown here, and counts as the shortest.
    pub(crate) fn earlier(self, other: Self) -> Self {
        match (self.again, other.again) {
            (Again::OnChange, _) => other,
            (_, Again::OnChange) | (Again::RateLimited, _) => self,
            (_, Again::RateLimited) => other,
            (Again::After(one), Again::After(two)) => {
                if one <= two {
                    self
                } else {
                    other
                }
            }
        }
    }
}
