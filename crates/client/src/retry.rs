//! Doing something again.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use crate::{Backoff, Error};

/// Runs `work` until it succeeds, fails with an error that is not `retriable`, or has run `backoff.steps` times;
/// waits in between. The last error is what comes back.
///
/// Runs at once the first time, and at least once. Cancelled by drop: during a wait nothing runs again.
pub async fn on_error<T, E, F>(
    mut backoff: Backoff,
    mut retriable: impl FnMut(&E) -> bool,
    mut work: impl FnMut() -> F,
) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    loop {
        let error = match work().await {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        if !retriable(&error) || !wait_for_next_try(&mut backoff).await {
            return Err(error);
        }
    }
}

/// Waits before the next of `backoff.steps` tries; `false`, at once, after the last one.
pub(crate) async fn wait_for_next_try(backoff: &mut Backoff) -> bool {
    let again = backoff.steps > 1;
    if again {
        tokio::time::sleep(backoff.step()).await;
    }
    again
}

/// Runs `work` again while the server answers that the object has changed: [`on_error`] with
/// [`Error::is_conflict`].
///
/// `work` must read the object anew each time, change it, and write it.
pub async fn retry_on_conflict<T, F>(backoff: Backoff, work: impl FnMut() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    on_error(backoff, Error::is_conflict, work).await
}

/// How [`poll`] asks.
#[derive(Clone, Debug)]
pub struct PollOptions {
    /// Between two questions. Default: 1 s.
    pub interval: Duration,
    /// After which no further question is asked. `None`, the default: never.
    pub timeout: Option<Duration>,
    /// Whether the first question is asked at once, even if there is no time left. Default: yes.
    pub immediate: bool,
}

impl Default for PollOptions {
    fn default() -> Self {
        Self { interval: Duration::from_secs(1), timeout: None, immediate: true }
    }
}

/// There was no yes in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("timed out waiting for the condition")]
pub struct PollTimeout;

/// Asks `condition` until it says yes. An error of its own ends the wait and comes back; time that runs out is
/// a [`PollTimeout`].
///
/// Cancelled by drop. A question that is being asked when the time runs out is heard out.
pub async fn poll<E, F>(options: PollOptions, mut condition: impl FnMut() -> F) -> Result<(), E>
where
    E: From<PollTimeout>,
    F: Future<Output = Result<bool, E>>,
{
    // A time that has no end is no limit.
    let deadline = options.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    if options.immediate && condition().await? {
        return Ok(());
    }
    loop {
        let next = Instant::now().checked_add(options.interval);
        if let Some(deadline) = deadline.filter(|deadline| next.is_none_or(|next| *deadline <= next)) {
            tokio::time::sleep_until(deadline).await;
            return Err(PollTimeout.into());
        }
        match next {
            Some(next) => tokio::time::sleep_until(next).await,
            None => std::future::pending().await,
        }
        if condition().await? {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use client_rs_machinery::{ApiError, GroupResource};

    use super::*;
    use crate::error::Call;

    fn conflict() -> Error {
        let error = ApiError::conflict(&GroupResource::new("", "pods"), "a", "changed");
        Error::Api { call: Call::new("PUT", "http://h/"), error: error.into() }
    }

    #[tokio::test(start_paused = true)]
    async fn t8_4_01_retry_until_success() {
        let (tries, start) = (Cell::new(0), Instant::now());
        let done = retry_on_conflict(Backoff { jitter: 0.0, ..Backoff::DEFAULT_RETRY }, || async {
            tries.set(tries.get() + 1);
            if tries.get() < 4 { Err(conflict()) } else { Ok("done") }
        });
        assert_eq!(done.await.unwrap(), "done");
        assert_eq!((tries.get(), start.elapsed().as_millis()), (4, 30));
    }

    #[tokio::test(start_paused = true)]
    async fn t8_4_01_exhausted_gives_the_last_error() {
        let tries = Cell::new(0);
        let outcome: Result<(), u32> = on_error(
            Backoff::DEFAULT_BACKOFF,
            |_| true,
            || async {
                tries.set(tries.get() + 1);
                Err(tries.get())
            },
        )
        .await;
        assert_eq!(outcome, Err(4));
    }

    #[tokio::test(start_paused = true)]
    async fn a_poll_without_an_end_is_no_panic() {
        let asked = Cell::new(0);
        let ask = || async {
            asked.set(asked.get() + 1);
            Ok::<_, PollTimeout>(asked.get() == 3)
        };
        let patient = PollOptions { timeout: Some(Duration::MAX), ..PollOptions::default() };
        assert!(poll(patient.clone(), ask).await.is_ok());
        let once = PollOptions { interval: Duration::MAX, ..patient };
        assert!(tokio::time::timeout(Duration::from_hours(1), poll(once.clone(), ask)).await.is_err());
        let short = PollOptions { timeout: Some(Duration::from_secs(1)), ..once };
        assert!(poll(short, ask).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn t8_4_01_another_error_ends_it_at_once() {
        let tries = Cell::new(0);
        let outcome: Result<(), _> = retry_on_conflict(Backoff::DEFAULT_RETRY, || async {
            tries.set(tries.get() + 1);
            let error = ApiError::not_found(&GroupResource::new("", "pods"), "a");
            Err(Error::Api { call: Call::new("PUT", "http://h/"), error: error.into() })
        })
        .await;
        assert!(outcome.unwrap_err().is_not_found());
        assert_eq!(tries.get(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn t8_4_01_no_steps_still_runs_once() {
        let outcome =
            on_error(Backoff { steps: 0, ..Backoff::DEFAULT_RETRY }, |_| true, || async { Err::<(), _>(7) });
        assert_eq!(outcome.await, Err(7));
    }

    #[tokio::test(start_paused = true)]
    async fn t8_12_03_cancel_during_a_wait_runs_nothing_again() {
        let tries = Cell::new(0);
        let backoff = Backoff { duration: Duration::from_mins(1), ..Backoff::DEFAULT_RETRY };
        let work = on_error(
            backoff,
            |()| true,
            || async {
                tries.set(tries.get() + 1);
                Err::<(), _>(())
            },
        );
        assert!(tokio::time::timeout(Duration::from_secs(30), work).await.is_err());
        tokio::time::sleep(Duration::from_mins(10)).await;
        assert_eq!(tries.get(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn t8_12_04_without_time_only_an_immediate_poll_asks() {
        for (immediate, expected) in [(true, 1), (false, 0)] {
            let asked = Cell::new(0);
            let options = PollOptions { timeout: Some(Duration::ZERO), immediate, ..PollOptions::default() };
            let outcome = poll(options, || async {
                asked.set(asked.get() + 1);
                Ok::<_, PollTimeout>(false)
            });
            assert_eq!(outcome.await, Err(PollTimeout));
            assert_eq!(asked.get(), expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_poll_asks_at_its_interval_until_yes_or_late() {
        let start = Instant::now();
        let yes = poll(PollOptions::default(), || async {
            Ok::<_, PollTimeout>(start.elapsed() >= Duration::from_secs(3))
        });
        assert_eq!((yes.await, start.elapsed().as_secs()), (Ok(()), 3));
        let options = PollOptions { timeout: Some(Duration::from_millis(2500)), ..PollOptions::default() };
        let (asked, start) = (Cell::new(0), Instant::now());
        let late = poll(options, || async {
            asked.set(asked.get() + 1);
            Ok::<_, PollTimeout>(false)
        });
        assert_eq!(late.await, Err(PollTimeout));
        assert_eq!((asked.get(), start.elapsed().as_millis()), (3, 2500));
    }
}
