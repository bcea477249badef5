//! The tasks and threads that wait for something: their wakers, the latest first.
//!
//! Workers are interchangeable, so the one that went idle last is woken first: its memory is still in the
//! cache, and workers that have been idle for long stay idle.

use std::task::Waker;

const NIL: u32 = u32::MAX;

#[derive(Debug)]
struct Waiter {
    /// `None` once the waiter is notified.
    waker: Option<Waker>,
    /// Neighbours among the waiters that are not notified; `older` also links the free entries.
    older: u32,
    newer: u32,
}

/// A stack of waiters. A number identifies each until it is removed.
#[derive(Debug)]
pub(crate) struct Waiters {
    table: Vec<Waiter>,
    newest: u32,
    oldest: u32,
    free: u32,
}

impl Waiters {
    pub(crate) fn new() -> Self {
        Self { table: Vec::new(), newest: NIL, oldest: NIL, free: NIL }
    }

    /// Returns whether no waiter is left to notify.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.newest == NIL
    }

    pub(crate) fn insert(&mut self, waker: Waker) -> u32 {
        let waiter = Waiter { waker: Some(waker), older: NIL, newer: NIL };
        let number = if self.free == NIL {
            self.table.push(waiter);
            u32::try_from(self.table.len() - 1).expect("fewer than 2^32 waiters")
        } else {
            let number = self.free;
            self.free = self.table[number as usize].older;
            self.table[number as usize] = waiter;
            number
        };
        self.link(number);
        number
    }

    /// Waits again with this waker, whether or not the waiter was notified in the meantime.
    pub(crate) fn renew(&mut self, number: u32, waker: &Waker) {
        let waiter = &mut self.table[number as usize];
        if let Some(old) = &mut waiter.waker {
            old.clone_from(waker);
        } else {
            waiter.waker = Some(waker.clone());
            self.link(number);
        }
    }

    /// Removes a waiter; returns whether it had been notified.
    pub(crate) fn remove(&mut self, number: u32) -> bool {
        let notified = self.table[number as usize].waker.take().is_none();
        if !notified {
            self.unlink(number);
        }
        self.table[number as usize].older = self.free;
        self.free = number;
        notified
    }

    /// Notifies the newest waiter: returns its waker, for the caller to wake outside all locks.
    #[inline]
    pub(crate) fn notify(&mut self) -> Option<Waker> {
        if self.newest == NIL {
            return None;
        }
        let number = self.newest;
        self.unlink(number);
        self.table[number as usize].waker.take()
    }

    /// Returns the waker of this waiter, so that it looks again while it stays in the stack.
    pub(crate) fn poke(&self, number: u32) -> Option<Waker> {
        self.table.get(number as usize)?.waker.clone()
    }

    /// Returns the waker of the waiter that has waited longest, likewise.
    pub(crate) fn poke_oldest(&self) -> Option<Waker> {
        self.poke(self.oldest)
    }

    fn link(&mut self, number: u32) {
        let waiter = &mut self.table[number as usize];
        waiter.older = self.newest;
        waiter.newer = NIL;
        if self.newest == NIL {
            self.oldest = number;
        } else {
            self.table[self.newest as usize].newer = number;
        }
        self.newest = number;
    }

    fn unlink(&mut self, number: u32) {
        let Waiter { older, newer, .. } = self.table[number as usize];
        if older == NIL {
            self.oldest = newer;
        } else {
            self.table[older as usize].newer = newer;
        }
        if newer == NIL {
            self.newest = older;
        } else {
            self.table[newer as usize].older = older;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_is_notified_first_and_each_once() {
        let mut waiters = Waiters::new();
        let numbers: Vec<u32> = (0..3).map(|_| waiters.insert(Waker::noop().clone())).collect();
        assert!(waiters.notify().is_some());
        assert!(waiters.remove(numbers[2]), "the newest was notified");
        assert!(!waiters.remove(numbers[0]), "the oldest was not");
        assert!(waiters.notify().is_some());
        assert!(waiters.is_empty());
        assert!(waiters.notify().is_none());
        assert!(waiters.remove(numbers[1]));
        assert_eq!(waiters.insert(Waker::noop().clone()), numbers[1], "numbers are reused");
    }

    #[test]
    fn a_notified_waiter_that_renews_waits_again() {
        let mut waiters = Waiters::new();
        let number = waiters.insert(Waker::noop().clone());
        assert!(waiters.notify().is_some());
        waiters.renew(number, Waker::noop());
        assert!(waiters.poke(number).is_some());
        assert!(waiters.poke_oldest().is_some());
        assert!(!waiters.remove(number));
    }
}
