//! Tasks that wait until a store has a version.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;

use super::versions::{Numeric, Versions};
use crate::Coverage;
use crate::sync::Mutex;

/// Waiters by part of the store and version, so that a write wakes only the affected ones.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    /// The number of waiters: a write without waiters takes no lock.
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
        // A waiter counts itself before it checks the store, and a writer reads the count after it has changed
        // the store. Both use the lock of the store, so that one of the two sees the other.
        self.count.load(Ordering::SeqCst) > 0
    }

    /// Registers a waiter; `None` once the store is closed. The caller then checks the store, and waits if needed.
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

    /// Wakes the waiters whose version was reached.
    pub(super) fn wake(&self, versions: &Versions) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        for (coverage, version) in versions.parts() {
            // The waiter reports versions that cannot be compared.
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

    /// Wakes all waiters, for a store whose version is meaningless.
    pub(super) fn wake_all(&self) {
        if self.any() {
            let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(ticket) = list.waiting.keys().next().cloned() {
                self.wake_one(&mut list, &ticket);
            }
        }
    }

    /// Closes the list: there will be no more writes.
    pub(super) fn close(&self) {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.wake_all();
    }

    fn wake_one(&self, list: &mut List, ticket: &Ticket) {
        if let Some(sender) = list.waiting.remove(ticket) {
            self.count.fetch_sub(1, Ordering::SeqCst);
            // A waiter that was dropped in the meantime needs no wake-up.
            let _ = sender.send(());
        }
    }
}

fn first_of(coverage: &Coverage) -> Ticket {
    let zero = Numeric::parse("0").expect("zero is a number");
    (coverage.clone(), zero, 0)
}

impl Waiter<'_> {
    /// Waits for a write that may have reached the version.
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
