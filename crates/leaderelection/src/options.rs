//! The options of an election.

use std::sync::Arc;
use std::time::Duration;

use crate::metrics::{LeaderMetrics, NoLeaderMetrics};

/// The jitter of a candidate's retries: it waits between 1 and 2.2 times the retry period.
pub const JITTER_FACTOR: f64 = 1.2;

client_rs_machinery::options! {
    /// The options of a [`LeaderElector`](crate::LeaderElector). The durations must satisfy `lease_duration > renew_deadline >
    /// retry_period × 1.2`. All candidates should have the same.
    ///
    /// Shorter durations make the takeover faster after a crash, and cost more requests. A graceful stop releases the lock, so
    /// it does not depend on them.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use client_rs_leaderelection::{LeaderElectionOptions, OptionsError};
    ///
    /// let options = LeaderElectionOptions::default().with_lease_duration(Duration::from_secs(30));
    /// assert_eq!(options.validate(), Ok(()));
    /// let too_long = options.with_renew_deadline(Duration::from_secs(30));
    /// assert_eq!(too_long.validate(), Err(OptionsError::LeaseDuration));
    /// ```
    #[derive(Clone, Debug)]
    pub struct LeaderElectionOptions {
        /// How long candidates wait after they last saw the record change before they take over. The record has whole
        /// seconds, rounded up. At least 1 s. Default: 15 s.
        pub lease_duration: Duration => with_lease_duration,
        /// How long the leader continues to lead after its last successful renewal was sent. Default: 10 s.
        pub renew_deadline: Duration => with_renew_deadline,
        /// The time between two attempts; a candidate waits up to 1.2 times longer. Default: 2 s.
        pub retry_period: Duration => with_retry_period,
        /// Whether a leader that stops releases its lock, so that another candidate can take over at once. Default: true.
        /// That is safe, because the lock is released only when its [`Leadership`](crate::Leadership) is dropped or released,
        /// which is when the work is over.
        pub release_on_cancel: bool => with_release_on_cancel,
        /// The name of the election in metrics and in the health check. Default: empty.
        pub name: String => with_name,
        /// Whether the control plane picks the leader (see [`LeaseCandidate`](crate::LeaseCandidate)): then the lock is only
        /// renewed, never created or taken. Default: false.
        pub coordinated: bool => with_coordinated,
        /// The receiver of metrics. Default: none.
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

/// The reason why options are not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// Other candidates would take over before the leader gives up.
    #[error("lease_duration must be greater than renew_deadline")]
    LeaseDuration,
    /// There would be no time for a second attempt.
    #[error("renew_deadline must be greater than retry_period × 1.2")]
    RenewDeadline,
    /// A lease has at least one second.
    #[error("lease_duration must be at least one second")]
    LeaseTooShort,
    /// The lease has more seconds than the API can represent.
    #[error("lease_duration must be less than 2^31 seconds")]
    LeaseTooLong,
    /// The candidate would retry without a pause.
    #[error("retry_period must be greater than zero")]
    RetryPeriod,
    /// A candidate needs an identity.
    #[error("the lock's identity is empty")]
    Identity,
}

impl LeaderElectionOptions {
    /// Checks the durations.
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

    /// The lease duration in seconds, rounded up: other candidates must not wait less.
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
