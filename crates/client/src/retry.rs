//! Retries with a backoff, and polling.
//!
//! | to | use |
//! |---|---|
//! | write again after a conflict | [`retry_on_conflict`] |
//! | run again after other errors | [`on_error`] |
//! | ask for something until it is true | [`poll`] |
//! | wait for the state of an object | [`Api::wait_for`](crate::Api::wait_for), which watches instead of polling |

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use crate::{Backoff, Error};

/// Runs `work` until it succeeds, fails with an error that is not `retriable`, or has run `backoff.steps` times, with waits in
/// between. Returns the last error.
///
/// The first run starts at once, and there is always at least one. Dropping the future cancels: during a wait, `work` does not
/// run again.
///
/// ```
/// use client_rs_client::{Backoff, retry};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let mut runs = 0;
/// let work = || {
///     runs += 1;
///     let result = if runs < 3 { Err("busy") } else { Ok(runs) };
///     std::future::ready(result)
/// };
/// assert_eq!(retry::on_error(Backoff::DEFAULT_RETRY, |error| *error == "busy", work).await, Ok(3));
/// # }
/// ```
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

/// Waits before the next of `backoff.steps` attempts; returns `false` at once after the last one.
pub(crate) async fn wait_for_next_try(backoff: &mut Backoff) -> bool {
    let again = backoff.steps > 1;
    if again {
        tokio::time::sleep(backoff.step()).await;
    }
    again
}

/// Runs `work` again while the server responds that the object has changed: [`on_error`] with [`Error::is_conflict`].
///
/// `work` must read the object again each time, change it, and write it.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_client::{Api, Backoff, Error, retry_on_conflict};
/// # use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Error> {
/// # let path = "/api/v1/namespaces/default/configmaps/settings";
/// # let server = Canned::new()
/// #     .on(&format!("GET {path}"), r#"{"metadata": {"name": "settings", "resourceVersion": "7"}}"#)
/// #     .fail(&format!("PUT {path}"), 409, "Conflict")
/// #     .echo(&format!("PUT {path}"));
/// # let config_maps = Api::<ConfigMap>::namespaced(&server.client(), "default");
/// let written = retry_on_conflict(Backoff::DEFAULT_RETRY, async || {
///     let mut settings = config_maps.get("settings").await?;
///     settings.data.insert("color", "blue".into());
///     config_maps.update(settings).await
/// })
/// .await?;
/// assert_eq!(written.data["color"], "blue");
/// assert_eq!(server.calls().len(), 4, "two reads and two writes");
/// # Ok(())
/// # }
/// ```
pub async fn retry_on_conflict<T, F>(backoff: Backoff, work: impl FnMut() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    on_error(backoff, Error::is_conflict, work).await
}

client_rs_machinery::options! {
    /// The settings of [`poll`].
    #[derive(Clone, Debug)]
    pub struct PollOptions {
        /// The time between two calls. Default: 1 s.
        pub interval: Duration => with_interval,
        /// The time after which the condition is no longer called. `None`, the default, means no limit.
        pub timeout: Option<Duration> => with_timeout,
        /// Whether the first call happens at once, even if there is no time left. Default: true.
        pub immediate: bool => with_immediate,
    }
}

impl Default for PollOptions {
    fn default() -> Self {
        Self { interval: Duration::from_secs(1), timeout: None, immediate: true }
    }
}

/// The condition was not true in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("timed out waiting for the condition")]
pub struct PollTimeout;

/// Calls `condition` until it returns `true`. An error of the condition ends the wait and is returned. If the time runs out, the
/// error is a [`PollTimeout`].
///
/// Dropping the future cancels. A call that is running when the time runs out is not interrupted.
///
/// ```
/// use std::time::Duration;
/// use client_rs_client::retry::{PollOptions, PollTimeout, poll};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let mut calls = 0;
/// poll::<PollTimeout, _>(PollOptions::default(), || {
///     calls += 1;
///     std::future::ready(Ok(calls == 3))
/// })
/// .await
/// .unwrap();
///
/// let options = PollOptions::default().with_timeout(Duration::from_secs(5));
/// assert_eq!(poll::<PollTimeout, _>(options, || std::future::ready(Ok(false))).await, Err(PollTimeout));
/// # }
/// ```
pub async fn poll<E, F>(options: PollOptions, mut condition: impl FnMut() -> F) -> Result<(), E>
where
    E: From<PollTimeout>,
    F: Future<Output = Result<bool, E>>,
{
    // A timeout that the clock can't represent is the same as no limit.
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
    async fn t8_4_01_after_the_last_attempt_the_last_error_is_returned() {
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
    async fn a_poll_with_an_unlimited_timeout_does_not_panic() {
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
    async fn t8_12_04_without_time_only_an_immediate_poll_calls_the_condition() {
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
    async fn a_poll_calls_at_its_interval_until_true_or_timeout() {
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
