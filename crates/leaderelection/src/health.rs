//! Leadership as a health check.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::LeaderElector;
use crate::elector::FailedToRenew;

/// A health check named `leaderElection`: it fails when a leader has not renewed for longer than its lease and a
/// tolerance, which means that its process is stuck. Made before the candidate is, it is healthy until then.
#[derive(Debug)]
pub struct HealthAdaptor {
    tolerance: Duration,
    elector: Mutex<Option<LeaderElector>>,
}

impl HealthAdaptor {
    /// The check's name.
    pub const NAME: &'static str = "leaderElection";

    /// With so much patience beyond the lease.
    pub fn new(tolerance: Duration) -> Self {
        Self { tolerance, elector: Mutex::new(None) }
    }

    /// The candidate that is checked from now on.
    pub fn set_elector(&self, elector: LeaderElector) {
        *self.elector.lock().unwrap_or_else(PoisonError::into_inner) = Some(elector);
    }

    /// Is all well?
    pub fn check(&self) -> Result<(), FailedToRenew> {
        let elector = self.elector.lock().unwrap_or_else(PoisonError::into_inner).clone();
        elector.map_or(Ok(()), |elector| elector.check(self.tolerance))
    }
}
