//! Workers, which take keys from the queue and read the cache, and readers that wait for a version.

use std::time::Duration;

use client_rs_cache::store::AtLeastError;
use client_rs_machinery::Object;

use super::world::{WORKERS, World};
use crate::content::{KEYS, State, names, number, object_key, owner, text};
use crate::history::{Answer, Fact, Phase};

/// The pause before a failed run is repeated.
const RETRY: Duration = Duration::from_millis(500);

impl World {
    /// Returns a digest of the objects of an owner in the cache.
    pub(super) fn view(&self, owned_by: u8) -> u64 {
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        for key in 0..KEYS {
            let (namespace, name) = names(key);
            let Some(object) = self.informer.indexer().find(namespace, name) else { continue };
            if owner(object.content) == owned_by {
                let version = number(object.resource_version());
                for part in [u64::from(key) + 1, u64::from(version), u64::from(object.content)] {
                    digest = (digest ^ part).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        digest
    }

    pub(super) fn work(&mut self) -> bool {
        let Some(worker) = self.workers.iter().position(Option::is_none) else { return false };
        let Some(taken) = self.queue.take(self.now) else { return false };
        self.workers[worker] = Some(taken);
        let key = u8::try_from(taken.key).unwrap_or(u8::MAX);
        let (worker, view) = (u8::try_from(worker).unwrap_or_default(), self.view(key));
        self.record(1, Phase::Invoke, Fact::Run { worker, key, view });
        true
    }

    pub(super) fn finish(&mut self, worker: u8, succeeds: bool) -> bool {
        let place = usize::from(worker) % WORKERS;
        let Some(taken) = self.workers[place].take() else { return false };
        if !succeeds {
            self.queue.retry_at(taken.key, self.now + RETRY, self.now);
        }
        self.queue.end(taken, self.now);
        let key = u8::try_from(taken.key).unwrap_or(u8::MAX);
        let phase = if succeeds { Phase::Ok } else { Phase::Fail };
        self.record(1, phase, Fact::Done { worker: u8::try_from(place).unwrap_or_default(), key });
        true
    }

    /// Answers readers whose version has arrived. At the `end` it also reports those that still wait.
    pub(super) fn answer_readers(&mut self, end: bool) {
        let awaited = std::mem::take(&mut self.awaited);
        let store = number(&self.informer.indexer().resource_version());
        for (key, wanted) in awaited {
            let answer = match self.informer.at_least(&object_key(key), &text(wanted)) {
                None if end => Answer::Waits,
                None => {
                    self.awaited.push((key, wanted));
                    continue;
                }
                Some(Ok(Some(object))) => Answer::Object(State::of(&object)),
                Some(Ok(None)) => Answer::Missing,
                Some(Err(AtLeastError::Stale(_))) => Answer::Stale,
                Some(Err(_)) => Answer::Failed,
            };
            self.record(1, Phase::Ok, Fact::AtLeast { key, wanted, store, answer });
        }
    }
}
