//! The state machine of a queue for a simulation, which has the clock and the order of all steps in its hands.
//!
//! It is the core of production without its lock, wakers and hashing. It is not part of the public API.

use std::fmt;
use std::time::Duration;

use crate::clock::nanos;
use crate::core::{Config, Core, Entry, Run};

pub use crate::canary::choose;

/// A queue of small numbers.
pub struct Queue {
    core: Core<u32>,
}

/// A key that was taken and not ended.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    run: Run,
    /// The key.
    pub key: u32,
}

impl Default for Queue {
    fn default() -> Self {
        Self { core: Core::new(Config::default()) }
    }
}

impl Queue {
    /// Adds a key.
    pub fn add(&mut self, key: u32, now: Duration) {
        self.core.add(entry(key), nanos(now));
    }

    /// Adds a key after a failure, at a time to come.
    pub fn retry_at(&mut self, key: u32, at: Duration, now: Duration) {
        self.core.add_at(entry(key), nanos(at), true, nanos(now));
    }

    /// Takes the next key.
    pub fn take(&mut self, now: Duration) -> Option<Taken> {
        self.core.advance(nanos(now), |_| ());
        let taken = self.core.take(nanos(now))?;
        Some(Taken { run: taken.run, key: *self.core.key(taken.run) })
    }

    /// Ends a run. Returns whether it was in progress.
    pub fn end(&mut self, taken: Taken, now: Duration) -> bool {
        self.core.end(taken.run, nanos(now)).is_some()
    }

    /// Returns the number of keys that can be taken, are taken, and wait for their time.
    pub fn sizes(&self) -> (usize, usize, usize) {
        (self.core.len(), self.core.processing(), self.core.waiting())
    }

    /// Returns the time of the next delayed key.
    pub fn deadline(&self) -> Option<Duration> {
        self.core.next_deadline().map(Duration::from_nanos)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queue{:?}", self.sizes())
    }
}

fn entry(key: u32) -> Entry<'static, u32> {
    Entry { hash: key.wrapping_mul(0x9e37_79b9), key, priority: None, tenant: None }
}
