//! A health check of leadership.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::LeaderElector;
use crate::elector::FailedToRenew;

/// A health check named `leaderElection`. It fails if a leader has not renewed for longer than its lease and a tolerance,
/// which means that its process is stuck. Create it before the candidate; without a candidate it is healthy.
///
/// A controller manager adds this check itself.
///
/// ```
/// use std::time::Duration;
///
/// use client_rs_leaderelection::HealthAdaptor;
///
/// let check = HealthAdaptor::new(Duration::from_secs(20));
/// assert_eq!(check.check(), Ok(())); // No candidate yet.
/// ```
#[derive(Debug)]
pub struct HealthAdaptor {
    tolerance: Duration,
    elector: Mutex<Option<LeaderElector>>,
}

impl HealthAdaptor {
    /// The check's name.
    pub const NAME: &'static str = "leaderElection";

    /// A check with this tolerance beyond the lease.
    pub fn new(tolerance: Duration) -> Self {
        Self { tolerance, elector: Mutex::new(None) }
    }

    /// Sets the candidate to check.
    pub fn set_elector(&self, elector: LeaderElector) {
        *self.elector.lock().unwrap_or_else(PoisonError::into_inner) = Some(elector);
    }

    /// Fails if the candidate is a leader that could not renew.
    pub fn check(&self) -> Result<(), FailedToRenew> {
        let elector = self.elector.lock().unwrap_or_else(PoisonError::into_inner).clone();
        elector.map_or(Ok(()), |elector| elector.check(self.tolerance))
    }
}
