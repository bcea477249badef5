//! A key in a worker's hands.

use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use crate::core::{Run, Taken};
use crate::get::Get;
use crate::options::AddOptions;
use crate::shared::Shared;

/// A key that was handed out. Nobody else gets it until this is dropped.
///
/// Dropping it, [`done`](Item::done) or not, a panic or a cancelled task included, releases the key: if it was
/// added meanwhile it is queued again.
#[must_use = "the key is released when this is dropped"]
pub struct Item<K: Hash + Eq> {
    ticket: Ticket<K>,
    key: K,
    priority: i32,
}

impl<K: Hash + Eq> Item<K> {
    #[inline]
    pub(crate) fn new(shared: Arc<Shared<K>>, key: K, taken: Taken) -> Self {
        Self { ticket: Ticket { shared: Some(shared), run: taken.run }, key, priority: taken.priority }
    }

    /// The key.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The priority it was handed out with; zero in a queue without priorities.
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// Releases the key. The same as dropping the item, said aloud.
    pub fn done(self) {
        drop(self);
    }

    /// Keeps the key in progress after the item is gone: only [`WorkQueue::done`](crate::WorkQueue::done)
    /// releases it then.
    pub fn detach(self) -> K {
        let Self { mut ticket, key, .. } = self;
        ticket.shared = None;
        key
    }
}

impl<K: Hash + Eq + Clone> Item<K> {
    /// Releases the key and gets the next one, in one step: what a worker's loop should do.
    ///
    /// As [`WorkQueue::get`](crate::WorkQueue::get) after [`done`](Item::done), at about two thirds of the
    /// cost. The key is released when the future is first polled or dropped.
    pub fn next(mut self) -> Get<K> {
        let run = self.ticket.run;
        Get::new(self.ticket.shared.take(), Some(run))
    }

    /// As [`next`](Item::next), parking the thread.
    pub fn next_blocking(self) -> Option<Item<K>> {
        self.next().wait()
    }

    /// It failed: again after the limiter's wait, with the same priority. Releases the key.
    pub fn retry(self) {
        self.add_again(None);
    }

    /// Again after `delay`, with the same priority. Releases the key.
    pub fn retry_after(self, delay: Duration) {
        self.add_again(Some(delay));
    }

    /// It succeeded, or is given up: the limiter's next wait is its first. Does not release the key.
    pub fn forget(&self) {
        self.shared().forget(&self.key);
    }

    /// After `delay`, or after the limiter's wait. The key is still in progress.
    pub(crate) fn add_again(&self, delay: Option<Duration>) {
        let options = AddOptions {
            priority: Some(self.priority),
            after: delay.unwrap_or_default(),
            rate_limited: delay.is_none(),
        };
        self.shared().retry(self.key.clone(), &options);
    }

    fn shared(&self) -> &Shared<K> {
        self.ticket.shared.as_ref().expect("an item has its queue until it is consumed")
    }
}

impl<K: Hash + Eq> Deref for Item<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.key
    }
}

impl<K: Hash + Eq + fmt::Debug> fmt::Debug for Item<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Item")
            .field("key", &self.key)
            .field("priority", &self.priority)
            .finish_non_exhaustive()
    }
}

/// The right to end a run. The run's number makes it harmless once somebody else has ended it.
struct Ticket<K: Hash + Eq> {
    /// Empty once the right was passed on.
    shared: Option<Arc<Shared<K>>>,
    run: Run,
}

impl<K: Hash + Eq> Drop for Ticket<K> {
    #[inline]
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.end(self.run);
        }
    }
}
