//! The notifications of handlers, and their times.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Asked;

/// All handlers of a client; each has a number.
pub struct Handlers {
    tallies: Vec<Tally>,
    /// The index of the blocked handler; none if it is beyond the last.
    blocked: usize,
    /// Whether times of arrival are recorded.
    noting: AtomicBool,
    over: Sender<()>,
    ends: Mutex<Receiver<()>>,
}

#[derive(Default)]
struct Tally {
    told: AtomicU64,
    lags: Mutex<Vec<u64>>,
}

impl Handlers {
    /// Creates the handlers that the arguments request.
    pub fn new(asked: &Asked) -> Arc<Self> {
        let (over, ends) = channel();
        Arc::new(Self {
            tallies: (0..asked.handlers).map(|_| Tally::default()).collect(),
            blocked: if asked.blocked { 0 } else { usize::MAX },
            noting: AtomicBool::new(false),
            over,
            ends: Mutex::new(ends),
        })
    }

    /// Called when a handler is notified of a change. The server's resource versions are the nanoseconds at which it
    /// sent them.
    pub fn changed(&self, handler: usize, resource_version: &str) {
        if handler == self.blocked {
            loop {
                std::thread::park();
            }
        }
        let tally = &self.tallies[handler];
        tally.told.fetch_add(1, Ordering::Relaxed);
        if self.noting.load(Ordering::Relaxed) {
            let sent: u64 = resource_version.parse().unwrap_or_default();
            let lag = unix_nanos().saturating_sub(sent) / 1000;
            tally.lags.lock().unwrap_or_else(PoisonError::into_inner).push(lag);
        }
    }

    /// Called when a handler is notified of the end of the phase.
    pub fn ended(&self, handler: usize) {
        if handler != self.blocked {
            // The receiver is gone when the process ends.
            let _ = self.over.send(());
        }
    }

    /// Waits until all handlers except the blocked one are notified of the end of the phase.
    pub(crate) fn wait(&self) {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = self.tallies.len() - usize::from(self.blocked == 0);
        for _ in 0..expected {
            ends.recv().expect("this has a sender");
        }
    }

    /// Sets whether times of arrival are recorded from now on.
    pub(crate) fn note_times(&self, note: bool) {
        self.noting.store(note, Ordering::Relaxed);
    }

    /// Returns the number of notifications since the last tally and their sorted delays; resets both.
    pub(crate) fn tally(&self) -> (u64, Vec<u64>) {
        let told = self.tallies.iter().map(|tally| tally.told.swap(0, Ordering::Relaxed)).sum();
        let mut lags = Vec::new();
        for tally in &self.tallies {
            lags.append(&mut tally.lags.lock().unwrap_or_else(PoisonError::into_inner));
        }
        lags.sort_unstable();
        (told, lags)
    }
}

/// Nanoseconds since 1970.
pub(crate) fn unix_nanos() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
