//! Rate limiters: how long a retry waits.

mod bucket;
mod exponential;
mod fast_slow;
mod max_of;
mod max_wait;
mod token_bucket;

use std::time::Duration;

pub use self::bucket::BucketRateLimiter;
pub use self::exponential::ExponentialFailure;
pub use self::fast_slow::FastSlow;
pub use self::max_of::MaxOf;
pub use self::max_wait::MaxWait;
pub use self::token_bucket::TokenBucket;

/// Decides how long a key waits before its next try, and counts how often it has failed.
///
/// Implementations: [`ExponentialFailure`] (backoff per key), [`FastSlow`] (two steps per key),
/// [`BucketRateLimiter`] (one rate for all keys), and the combinators [`MaxOf`] and [`MaxWait`]. Implement the
/// trait for anything else:
///
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use client_rs_workqueue::{QueueOptions, RateLimiter, WorkQueue};
///
/// /// Every retry waits a minute.
/// struct EveryMinute;
///
/// impl RateLimiter<&str> for EveryMinute {
///     fn when(&self, _: &&str) -> Duration {
///         Duration::from_secs(60)
///     }
///     fn forget(&self, _: &&str) {}
///     fn num_requeues(&self, _: &&str) -> u32 {
///         0
///     }
/// }
///
/// let options = QueueOptions::default().with_limiter(Arc::new(EveryMinute));
/// assert_eq!(WorkQueue::with_options(options).when(&"web"), Duration::from_secs(60));
/// ```
///
/// # Contract
/// - All producers and workers share it: each function may be called from many threads at once. It must not
///   block for long and must not call the queue that uses it.
/// - Each call of [`when`](RateLimiter::when) counts: it is one more failure, or takes one token.
/// - [`forget`](RateLimiter::forget) ends the history of a key. A key that is never forgotten is remembered for
///   as long as the limiter lives.
/// - [`Duration::MAX`] means never.
pub trait RateLimiter<K: ?Sized>: Send + Sync {
    /// Counts a failure of this key and returns the wait before its next try.
    fn when(&self, key: &K) -> Duration;

    /// Ends the history of a key that succeeded or was given up: its next failure is its first.
    fn forget(&self, key: &K);

    /// Returns how many failures of this key were counted since it was last forgotten.
    fn num_requeues(&self, key: &K) -> u32;
}

impl<K: ?Sized, L: RateLimiter<K> + ?Sized> RateLimiter<K> for std::sync::Arc<L> {
    fn when(&self, key: &K) -> Duration {
        (**self).when(key)
    }

    fn forget(&self, key: &K) {
        (**self).forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        (**self).num_requeues(key)
    }
}

impl<K: ?Sized, L: RateLimiter<K> + ?Sized> RateLimiter<K> for Box<L> {
    fn when(&self, key: &K) -> Duration {
        (**self).when(key)
    }

    fn forget(&self, key: &K) {
        (**self).forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        (**self).num_requeues(key)
    }
}

/// The failures of each key.
#[derive(Debug)]
struct Failures<K> {
    counts: std::sync::Mutex<std::collections::HashMap<K, u32>>,
}

impl<K: std::hash::Hash + Eq + Clone> Failures<K> {
    fn new() -> Self {
        Self { counts: std::sync::Mutex::default() }
    }

    /// Counts one more failure and returns the number before it.
    fn count(&self, key: &K) -> u32 {
        let mut counts = self.lock();
        if let Some(count) = counts.get_mut(key) {
            let before = *count;
            *count = before.saturating_add(1);
            before
        } else {
            counts.insert(key.clone(), 1);
            0
        }
    }

    fn get(&self, key: &K) -> u32 {
        self.lock().get(key).copied().unwrap_or(0)
    }

    fn forget(&self, key: &K) {
        let mut counts = self.lock();
        // Mostly no key fails: then the key is not hashed.
        let forgotten = if counts.is_empty() { None } else { counts.remove_entry(key) };
        drop(counts);
        drop(forgotten);
    }

    /// A panic of a key's `Eq` or `Clone` leaves the map unchanged, so poison can be ignored.
    fn lock(&self) -> std::sync::MutexGuard<'_, std::collections::HashMap<K, u32>> {
        self.counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
