//! The reactors of a fake, and the recorded actions.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::action::FakeAction;
use super::reaction::{Reaction, WatchReaction};

type React = dyn Fn(&mut FakeAction) -> Reaction + Send + Sync;
type ReactToWatch = dyn Fn(&FakeAction) -> WatchReaction + Send + Sync;

/// The number of actions that are kept.
const ACTIONS_MAX: usize = 100_000;

#[derive(Clone)]
pub(super) struct Reactor {
    pub(super) verb: String,
    pub(super) resource: String,
    pub(super) react: Arc<React>,
}

#[derive(Clone)]
pub(super) struct WatchReactor {
    pub(super) resource: String,
    pub(super) react: Arc<ReactToWatch>,
}

/// The reactors and the record of a fake. Reactors are called without a lock, so a reactor may add another.
#[derive(Default)]
pub(super) struct Chain {
    reactors: Mutex<VecDeque<Reactor>>,
    watch_reactors: Mutex<VecDeque<WatchReactor>>,
    actions: Mutex<VecDeque<FakeAction>>,
}

impl Chain {
    pub(super) fn add(&self, reactor: Reactor, first: bool) {
        put(&self.reactors, reactor, first);
    }

    pub(super) fn add_watch(&self, reactor: WatchReactor, first: bool) {
        put(&self.watch_reactors, reactor, first);
    }

    pub(super) fn reactors(&self) -> Vec<Reactor> {
        lock(&self.reactors).iter().cloned().collect()
    }

    pub(super) fn watch_reactors(&self) -> Vec<WatchReactor> {
        lock(&self.watch_reactors).iter().cloned().collect()
    }

    pub(super) fn record(&self, action: FakeAction) {
        let mut actions = lock(&self.actions);
        if actions.len() == ACTIONS_MAX {
            actions.pop_front();
        }
        actions.push_back(action);
    }

    pub(super) fn actions(&self) -> Vec<FakeAction> {
        lock(&self.actions).iter().cloned().collect()
    }

    pub(super) fn clear(&self) {
        lock(&self.actions).clear();
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").finish_non_exhaustive()
    }
}

fn put<T>(chain: &Mutex<VecDeque<T>>, reactor: T, first: bool) {
    let mut chain = lock(chain);
    if first {
        chain.push_front(reactor);
    } else {
        chain.push_back(reactor);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
