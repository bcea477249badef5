//! How an election is held.

use std::sync::Arc;
use std::time::Duration;

use crate::metrics::{LeaderMetrics, NoLeaderMetrics};

/// By how much more than the retry period a candidate may wait before it tries again: between one and 2.2 times.
pub const JITTER_FACTOR: f64 = 1.2;

client_rs_machinery::options! {
    /// How a [`LeaderElector`](crate::LeaderElector) behaves. The times must satisfy `lease_duration > renew_deadline >
    /// retry_period × 1.2`; all candidates should have the same.
    #[derive(Clone, Debug)]
    pub struct LeaderElectionOptions {
        /// How long candidates wait, from when they last saw the record change, before they take over. In the record it is
        /// whole seconds, rounded up. At least 1 s. Default: 15 s.
        pub lease_duration: Duration => with_lease_duration,
        /// How long after the last renewal that succeeded was sent the leader goes on leading. Default: 10 s.
        pub renew_deadline: Duration => with_renew_deadline,
        /// How long between two tries; a candidate waits up to 1.2 times longer. Default: 2 s.
        pub retry_period: Duration => with_retry_period,
        /// Whether a leader that stops gives its lock back, so that another can take over at once. Default: true, since a
        /// lock is given back only when its [`Leadership`](crate::Leadership) is dropped or released, which is when the work
        /// is over.
        pub release_on_cancel: bool => with_release_on_cancel,
        /// The name of the election in metrics and in the health check. Default: empty.
        pub name: String => with_name,
        /// Whether the control plane picks the leader (see [`LeaseCandidate`](crate::LeaseCandidate)): then the lock is never
        /// created or taken, only renewed. Default: false.
        pub coordinated: bool => with_coordinated,
        /// Default: none.
        pub metrics: Arc<dyn LeaderMetrics> => with_metrics,
    }
}

impl Default for LeaderElectionOptions {
    fn default() -> Self {
        Self {
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
            release_on_cancel: true,
            name: String::new(),
            coordinated: false,
            metrics: Arc::new(NoLeaderMetrics),
        }
    }
}

/// Options that make no election.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// Others would take over before the leader gives up.
    #[error("lease_duration must be greater than renew_deadline")]
    LeaseDuration,
    /// There would be no time for a second try.
    #[error("renew_deadline must be greater than retry_period × 1.2")]
    RenewDeadline,
    /// A lease is whole seconds.
    #[error("lease_duration must be at least one second")]
    LeaseTooShort,
    /// A lease of more seconds than the API can say.
    #[error("lease_duration must be less than 2^31 seconds")]
    LeaseTooLong,
    /// It would try all the time.
    #[error("retry_period must be greater than zero")]
    RetryPeriod,
    /// A candidate must be somebody.
    #[error("the lock's identity is empty")]
    Identity,
}

impl LeaderElectionOptions {
    /// Whether an election can be held so.
    pub fn validate(&self) -> Result<(), OptionsError> {
        if self.lease_duration <= self.renew_deadline {
            return Err(OptionsError::LeaseDuration);
        }
        if self.renew_deadline <= self.retry_period.mul_f64(JITTER_FACTOR) {
            return Err(OptionsError::RenewDeadline);
        }
        if self.retry_period.is_zero() {
            return Err(OptionsError::RetryPeriod);
        }
        if self.lease_duration < Duration::from_secs(1) {
            return Err(OptionsError::LeaseTooShort);
        }
        if self.lease_seconds().is_none() {
            return Err(OptionsError::LeaseTooLong);
        }
        Ok(())
    }

    /// The lease in the record's unit. Rounded up: others must not wait less than they are meant to.
    pub(crate) fn lease_seconds(&self) -> Option<i32> {
        let seconds = self.lease_duration.as_secs() + u64::from(self.lease_duration.subsec_nanos() > 0);
        i32::try_from(seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t7_10_each_invalid_timing_is_rejected() {
        let check = |lease: u64, renew: u64, retry: u64| {
            let [lease_duration, renew_deadline, retry_period] =
                [lease, renew, retry].map(Duration::from_millis);
            LeaderElectionOptions { lease_duration, renew_deadline, retry_period, ..Default::default() }
                .validate()
        };
        assert_eq!(LeaderElectionOptions::default().validate(), Ok(()));
        assert_eq!(check(15_000, 15_000, 2_000), Err(OptionsError::LeaseDuration));
        assert_eq!(check(10_000, 15_000, 2_000), Err(OptionsError::LeaseDuration));
        assert_eq!(check(15_000, 12_000, 10_000), Err(OptionsError::RenewDeadline));
        assert_eq!(check(15_000, 12_001, 10_000), Ok(()));
        assert_eq!(check(15_000, 10_000, 0), Err(OptionsError::RetryPeriod));
        assert_eq!(check(15_000, 0, 0), Err(OptionsError::RenewDeadline));
        assert_eq!(check(0, 0, 0), Err(OptionsError::LeaseDuration));
        assert_eq!(check(900, 500, 100), Err(OptionsError::LeaseTooShort));
        assert_eq!(check(3_000_000_000_000, 10_000, 2_000), Err(OptionsError::LeaseTooLong));
        let odd = LeaderElectionOptions { lease_duration: Duration::from_millis(1500), ..Default::default() };
        assert_eq!(odd.lease_seconds(), Some(2));
    }
}
