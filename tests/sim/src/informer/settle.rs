//! The end of a history: all faults are over, and everything comes to rest.

use std::time::Duration;

use client_rs_cache::sim::Wants;

use super::op::Op;
use super::world::{HANDLERS, INSTANCES, Trust, World};
use crate::content::{OWNERS, number};
use crate::history::{Fact, Fault, Phase};

/// Longer than any history needs.
const PATIENCE: Duration = Duration::from_mins(20);
/// More rounds without time than any history needs.
const ROUNDS: u32 = 1_000;

impl World {
    /// Ends all faults, and performs steps until nothing is left to do.
    pub fn settle(&mut self) {
        self.heal();
        self.route = 0;
        let mut settled = false;
        let end = self.now + PATIENCE;
        for _ in 0..ROUNDS {
            if self.now > end {
                break;
            }
            for instance in 0..INSTANCES {
                self.apply(Op::CatchUp(instance));
            }
            if self.proceed() {
                continue;
            }
            if self.is_at_rest() {
                settled = true;
                break;
            }
            match self.queue.deadline() {
                Some(deadline) if matches!(self.informer.wants(), Wants::Event) => {
                    self.now = self.now.max(deadline).saturating_add(Duration::from_micros(1));
                }
                _ => {
                    self.apply(Op::Tick);
                }
            }
        }
        self.answer_readers(true);
        self.apply(Op::Process);
        let mut views = [0; OWNERS as usize];
        for owner in 0..OWNERS {
            views[usize::from(owner)] = self.view(owner);
        }
        let version = self.server.etcd.version();
        let unsure = self.trust != Trust::Sure;
        self.record(1, Phase::Info, Fact::Quiet { settled, unsure, version, views });
    }

    /// Performs everything that needs no time. Returns whether there was something.
    fn proceed(&mut self) -> bool {
        let mut any = match self.informer.wants() {
            // A real server waits some seconds, and then refuses.
            Wants::List(_) | Wants::Watch(_) => {
                self.apply(Op::Answer) || self.apply(Op::Fail(Fault::TooLarge))
            }
            Wants::Event => {
                let events = self.apply(Op::DeliverAll);
                let store = number(self.informer.last_version());
                let behind = self.watcher.as_ref().is_some_and(|watcher| {
                    watcher.owes_bookmark || self.server.bookmark(watcher).is_some_and(|at| at != store)
                });
                (behind && self.apply(Op::Bookmark)) || events
            }
            Wants::Time => false,
        };
        while self.apply(Op::Process) {
            any = true;
        }
        for handler in 0..HANDLERS {
            any |= self.apply(Op::Drain(handler));
        }
        for worker in 0..2 {
            any |= self.apply(Op::Finish(worker));
        }
        any | self.apply(Op::Work)
    }

    fn is_at_rest(&self) -> bool {
        let watches = self.watcher.as_ref().is_some_and(|watcher| {
            !watcher.hangs && !watcher.owes_bookmark && self.server.bookmark(watcher).is_some()
        });
        let synced = |number| self.informer.handler(number).is_some_and(|(_, synced)| synced);
        watches
            && self.queue.sizes() == (0, 0, 0)
            && self.handlers.iter().flatten().all(|number| synced(*number))
    }
}
