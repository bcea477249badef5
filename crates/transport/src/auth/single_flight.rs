//! Runs a [`Refresh`] on tokio: one fetch for all requests that wait for it.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use tokio::{sync::watch, time::Instant};

use super::{
    AuthError,
    refresh::{Action, Expiry, Now, Refresh, Serial},
};
use crate::task;

/// The result of a fetch.
pub(crate) type Fetched<T> = Result<(T, Expiry), AuthError>;
/// A running fetch.
pub(crate) type Fetching<T> = Pin<Box<dyn Future<Output = Fetched<T>> + Send>>;

/// The wall clock, which tests can replace.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

/// A credential that many requests share. A clone is a handle to the same one.
///
/// The fetch runs in its own task: a request that is dropped while it waits does not affect the others.
pub(crate) struct SingleFlight<T>(Arc<Shared<T>>);

struct Shared<T> {
    state: Mutex<State<T>>,
    fetch: Box<dyn Fn() -> Fetching<T> + Send + Sync>,
    clock: Clock,
}

struct State<T> {
    refresh: Refresh<T>,
    /// The result for the waiting requests: `None` until the fetch ends.
    outcome: watch::Receiver<Option<Result<(T, Serial), AuthError>>>,
}

impl<T: Clone + Send + Sync + 'static> SingleFlight<T> {
    pub(crate) fn new(
        refresh: Refresh<T>,
        clock: Clock,
        fetch: impl Fn() -> Fetching<T> + Send + Sync + 'static,
    ) -> Self {
        let state = State { refresh, outcome: watch::channel(None).1 };
        Self(Arc::new(Shared { state: Mutex::new(state), fetch: Box::new(fetch), clock }))
    }

    /// The credential for a request that begins now.
    pub(crate) async fn get(&self) -> Result<(T, Serial), AuthError> {
        let now = self.0.clock.now();
        self.run(|refresh| refresh.ask(now)).await
    }

    /// After the server refused the credential with this serial: returns its replacement, and fetches it if necessary.
    pub(crate) async fn refused(&self, serial: Serial) -> Result<(T, Serial), AuthError> {
        self.run(|refresh| refresh.refused(serial)).await
    }

    async fn run(&self, ask: impl FnOnce(&mut Refresh<T>) -> Action<T>) -> Result<(T, Serial), AuthError> {
        let (mut outcome, begin) = {
            let mut state = self.0.lock();
            let begin = match ask(&mut state.refresh) {
                Action::Use(value, serial) => return Ok((value, serial)),
                Action::Fetch => {
                    let (sender, receiver) = watch::channel(None);
                    state.outcome = receiver;
                    Some(sender)
                }
                Action::Wait => None,
            };
            (state.outcome.clone(), begin)
        };
        // Not under the lock: without a runtime, this panics, and then the ticket needs the lock.
        if let Some(sender) = begin {
            let mut ticket = Ticket { shared: self.0.clone(), sender, done: false };
            let fetch = (self.0.fetch)();
            task::spawn(async move {
                let result = fetch.await;
                ticket.finish(result);
            });
        }
        // The sender is dropped only after it has sent, unless its task was dropped, and the ticket handles that case.
        let outcome = outcome.wait_for(Option::is_some).await.map_err(|_| AuthError::Aborted)?;
        outcome.clone().unwrap_or(Err(AuthError::Aborted))
    }
}

/// Ends the fetch in every case, also if its task panics or is dropped with the runtime.
struct Ticket<T: Clone> {
    shared: Arc<Shared<T>>,
    sender: watch::Sender<Option<Result<(T, Serial), AuthError>>>,
    done: bool,
}

impl<T: Clone> Ticket<T> {
    fn finish(&mut self, result: Fetched<T>) {
        self.done = true;
        if let Err(error) = &result {
            tracing::warn!(%error, "cannot refresh credentials");
        }
        let outcome = self.shared.lock().refresh.fetched(result);
        self.sender.send_replace(Some(outcome));
    }
}

impl<T: Clone> Drop for Ticket<T> {
    fn drop(&mut self) {
        if !self.done {
            self.finish(Err(AuthError::Aborted));
        }
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code under this lock can panic halfway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for SingleFlight<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> fmt::Debug for SingleFlight<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SingleFlight").finish_non_exhaustive()
    }
}

impl Clock {
    /// The clock of the operating system.
    pub(crate) fn system() -> Self {
        Self(Arc::new(SystemTime::now))
    }

    pub(crate) fn now(&self) -> Now {
        Now { wall: (self.0)(), monotonic: Instant::now() }
    }
}

/// A clock that starts at the epoch and follows tokio's, so that paused time moves it.
#[cfg(test)]
impl Clock {
    pub(crate) fn paused() -> Self {
        let start = Instant::now();
        Self(Arc::new(move || SystemTime::UNIX_EPOCH + start.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU64, Ordering},
        time::Duration,
    };

    use super::{super::refresh::Failure, *};

    /// Each fetch takes a second and returns its number, valid for ten seconds.
    fn counting() -> (SingleFlight<u64>, Arc<AtomicU64>) {
        let clock = Clock::paused();
        let fetches = Arc::new(AtomicU64::new(0));
        let (count, time) = (fetches.clone(), clock.clone());
        let flight = SingleFlight::new(Refresh::new(Failure::Reported), clock, move || {
            let number = count.fetch_add(1, Ordering::Relaxed) + 1;
            let time = time.clone();
            Box::pin(async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok((number, Expiry::At(time.now().wall + Duration::from_secs(10))))
            })
        });
        (flight, fetches)
    }

    #[tokio::test(start_paused = true)]
    async fn many_requests_share_one_fetch_and_the_next_comes_after_the_end() {
        let (flight, fetches) = counting();
        let tasks: Vec<_> = (0..50)
            .map(|_| {
                let flight = flight.clone();
                tokio::spawn(async move { flight.get().await.unwrap().0 })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), 1);
        }
        assert_eq!(fetches.load(Ordering::Relaxed), 1);
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(flight.get().await.unwrap().0, 1);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(flight.get().await.unwrap().0, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_gives_up_does_not_stop_the_fetch() {
        let (flight, fetches) = counting();
        let gave_up = tokio::time::timeout(Duration::from_millis(10), flight.get()).await;
        assert!(gave_up.is_err());
        assert_eq!(flight.get().await.unwrap().0, 1);
        assert_eq!(fetches.load(Ordering::Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_fetch_that_panics_is_an_error_and_the_next_request_tries_again() {
        let tries = AtomicU64::new(0);
        let flight = SingleFlight::new(Refresh::new(Failure::Reported), Clock::paused(), move || {
            let first = tries.fetch_add(1, Ordering::Relaxed) == 0;
            Box::pin(async move {
                assert!(!first, "the first fetch panics on purpose");
                Ok((7, Expiry::Never))
            })
        });
        assert!(matches!(flight.get().await, Err(AuthError::Aborted)));
        assert_eq!(flight.get().await.unwrap().0, 7);
    }
    #[test]
    fn without_a_runtime_it_panics_and_later_callers_do_not_hang() {
        let flight = SingleFlight::new(Refresh::new(Failure::Reported), Clock::system(), || {
            Box::pin(async { Ok((7, Expiry::Never)) })
        });
        let first = flight.clone();
        let outside = std::thread::spawn(move || {
            let waker = std::task::Waker::noop();
            let mut get = std::pin::pin!(first.get());
            let _ = get.as_mut().poll(&mut std::task::Context::from_waker(waker));
        });
        assert!(outside.join().is_err());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(flight.get()).unwrap().0, 7);
    }
}
