//! Those who wait until a store has a version.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;

use super::versions::{Numeric, Versions};
use crate::Coverage;
use crate::sync::Mutex;

/// Waiters by part of the store and version, so that a write wakes only those that it may concern.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    /// How many wait: a write with nobody waiting takes no lock.
    count: AtomicUsize,
    list: Mutex<List>,
}

#[derive(Debug, Default)]
struct List {
    waiting: BTreeMap<Ticket, oneshot::Sender<()>>,
    next: u64,
    closed: bool,
}

type Ticket = (Coverage, Numeric, u64);

/// A waiter. Dropping it ends the wait.
#[derive(Debug)]
pub(super) struct Waiter<'a> {
    waiters: &'a Waiters,
    ticket: Ticket,
    woken: oneshot::Receiver<()>,
}

impl Waiters {
    pub(super) fn any(&self) -> bool {
        // Behind the store's lock: a waiter counts itself before it looks at the store, a writer looks here after it has
        // changed it, so that one of the two sees the other.
        self.count.load(Ordering::SeqCst) > 0
    }

    /// Takes part; nothing once the store is closed. The caller then looks at the store, and waits if it must.
    pub(super) fn join(&self, coverage: Coverage, version: Numeric) -> Option<Waiter<'_>> {
        let (sender, woken) = oneshot::channel();
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if list.closed {
            return None;
        }
        list.next += 1;
        let ticket = (coverage, version, list.next);
        list.waiting.insert(ticket.clone(), sender);
        self.count.fetch_add(1, Ordering::SeqCst);
        Some(Waiter { waiters: self, ticket, woken })
    }

    /// Wakes those whose version has come.
    pub(super) fn wake(&self, versions: &Versions) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        for (coverage, version) in versions.parts() {
            // Versions that do not compare are the waiter's to report.
            let reached = |wanted: &Numeric| Numeric::parse(version).is_none_or(|version| *wanted <= version);
            while let Some((ticket, _)) = list.waiting.range(first_of(&coverage)..).next()
                && ticket.0 == coverage
                && reached(&ticket.1)
            {
                let ticket = ticket.clone();
                self.wake_one(&mut list, &ticket);
            }
        }
    }

    /// Wakes everyone: where versions say nothing about what the store has.
    pub(super) fn wake_all(&self) {
        if self.any() {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(ticket) = list.waiting.keys().next().cloned() {
                self.wake_one(&mut list, &ticket);
            }
        }
    }

    /// Nothing will be written any more.
    pub(super) fn close(&self) {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.wake_all();
    }

    fn wake_one(&self, list: &mut List, ticket: &Ticket) {
        if let Some(sender) = list.waiting.remove(ticket) {
            self.count.fetch_sub(1, Ordering::SeqCst);
            // Those who gave up meanwhile need no answer.
            let _ = sender.send(());
        }
    }
}

fn first_of(coverage: &Coverage) -> Ticket {
    let zero = Numeric::parse("0").expect("zero is a number");
    (coverage.clone(), zero, 0)
}

impl Waiter<'_> {
    /// Waits for a write that may have brought the version.
    pub(super) async fn wait(mut self) {
        // An error means that the sender was dropped, which only a wake-up does.
        let _ = (&mut self.woken).await;
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut list = self.waiters.list.lock().unwrap_or_else(PoisonError::into_inner);
        if list.waiting.remove(&self.ticket).is_some() {
            self.waiters.count.fetch_sub(1, Ordering::SeqCst);
        }
    }
}
