//! How long a retry waits.

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

/// Decides how long a key waits before its next try, and remembers how often it has failed.
///
/// # Contract
/// - Shared by all producers and workers: every function may be called from many threads at once, and must
///   neither block for long nor call the queue that uses it.
/// - [`when`](RateLimiter::when) charges: each call is one more failure or one token less.
/// - [`forget`](RateLimiter::forget) ends the history of a key. One that is never forgotten is remembered for
///   as long as the limiter lives.
/// - [`Duration::MAX`] means never.
pub trait RateLimiter<K: ?Sized>: Send + Sync {
    /// Counts a failure of this key and gives the wait before its next try.
    fn when(&self, key: &K) -> Duration;

    /// The key succeeded, or is given up: its next failure is its first.
    fn forget(&self, key: &K);

    /// How many failures of this key were counted since it was last forgotten.
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

    /// Counts one more and gives how many there were before.
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
        let forgotten = self.lock().remove_entry(key);
        drop(forgotten);
    }

    /// A panic of a key's `Eq` or `Clone` leaves the map as it was, so a poisoned lock is as good as any.
    fn lock(&self) -> std::sync::MutexGuard<'_, std::collections::HashMap<K, u32>> {
        self.counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
