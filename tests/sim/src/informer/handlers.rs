//! The store of the informer, and its handlers.

use std::sync::PoisonError;

use client_rs_cache::{Deleted, Delivery, EventHandler, Notification};
use client_rs_machinery::Object;

use super::world::{FILTERED, HANDLERS, MAPPED, Trust, World};
use crate::content::{KEYS, OWNERS, State, Thing, key_number, names, number, object_key, owner};
use crate::history::{ChangeKind, Fact, Phase};

impl World {
    pub(super) fn committed(&mut self) {
        let first = u32::try_from(self.history.states.len()).unwrap_or(u32::MAX);
        let (mut len, mut stale, mut indexed) = (0, 0, 0);
        for key in 0..KEYS {
            let (namespace, name) = names(key);
            if let Some(object) = self.informer.indexer().find(namespace, name) {
                self.history.states.push((key, State::of(&object)));
                len += 1;
            }
            if self.informer.stale(&object_key(key)).is_some() {
                stale |= 1 << key;
            }
        }
        for number in 0..OWNERS {
            let found = self.informer.indexer().by(&self.by_owner, &i64::from(number)).unwrap_or_default();
            for object in found {
                // An object of another owner does not belong here.
                let key = if owner(object.content) == number { key_number(&object.key()) } else { 7 };
                indexed |= 1_u8.checked_shl(key.into()).unwrap_or_default();
            }
        }
        let version = number(&self.informer.indexer().resource_version());
        let watches = matches!(self.informer.phase(), "opening" | "watching");
        if self.trust == Trust::Noticed && self.informer.queued() == 0 && watches {
            self.trust = Trust::Sure;
        }
        let unsure = self.trust != Trust::Sure;
        self.record(1, Phase::Info, Fact::Commit { version, first, len, stale, indexed, unsure });
        for handler in 0..HANDLERS {
            self.gauge(handler);
        }
        self.answer_readers(false);
    }

    fn gauge(&mut self, handler: u8) {
        let Some(number) = self.handlers[usize::from(handler)] else { return };
        let Some((pending, _)) = self.informer.handler(number) else { return };
        let queued = u32::try_from(self.informer.queued()).unwrap_or(u32::MAX);
        let limit = match handler {
            0 | FILTERED => self.setup.limit.into(),
            MAPPED => self.setup.pace.into(),
            _ => u32::MAX,
        };
        let pending = u32::try_from(pending).unwrap_or(u32::MAX);
        if pending > limit {
            self.record(1, Phase::Info, Fact::Gauge { queued, pending, handler, limit });
        }
    }

    pub(super) fn join(&mut self, handler: u8) -> bool {
        if self.handlers[usize::from(handler)].is_some() {
            return false;
        }
        let delivery = match handler {
            0 | FILTERED => Delivery::Coalesced { limit: self.setup.limit.into() },
            MAPPED => Delivery::Paced { limit: self.setup.pace.into() },
            _ => Delivery::EveryEvent,
        };
        let number = self.informer.add_handler(delivery, None, self.instant());
        self.handlers[usize::from(handler)] = Some(number);
        self.record(1, Phase::Info, Fact::Join { handler, filtered: handler == FILTERED });
        true
    }

    pub(super) fn leave(&mut self, handler: u8) -> bool {
        // The mapped handler stays: its keys are checked at the end.
        let Some(number) = self.handlers[usize::from(handler)].filter(|_| handler != MAPPED) else {
            return false;
        };
        self.informer.remove_handler(number);
        self.handlers[usize::from(handler)] = None;
        self.known[usize::from(handler)] = [State::default(); KEYS as usize];
        self.record(1, Phase::Info, Fact::Leave { handler });
        true
    }

    pub(super) fn take(&mut self, handler: u8) -> bool {
        let Some(number) = self.handlers[usize::from(handler)] else { return false };
        let Some(notification) = self.informer.take(number) else { return false };
        match handler {
            FILTERED => {
                self.recorder.handle(&notification);
                let recorded = self.recorded.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
                if let Some(notification) = recorded {
                    self.notified(handler, &notification);
                }
            }
            MAPPED => {
                self.notified(handler, &notification);
                let now = self.now;
                let owners =
                    notification.objects().fold(0_u8, |set, object| set | 1 << owner(object.content));
                for key in (0..OWNERS).filter(|key| owners >> key & 1 == 1) {
                    self.queue.add(key.into(), now);
                    self.record(1, Phase::Info, Fact::Enqueue { key });
                }
            }
            _ => self.notified(handler, &notification),
        }
        true
    }

    fn notified(&mut self, handler: u8, notification: &Notification<Thing>) {
        let key = key_number(&notification.key());
        let (change, old, new) = match notification {
            Notification::Added { object, .. } => (ChangeKind::Added, State::default(), State::of(object)),
            Notification::Updated { old, new } => (ChangeKind::Updated, State::of(old), State::of(new)),
            Notification::Deleted(deleted) => {
                let last = deleted.object().map(State::of).unwrap_or_default();
                let old = if let Deleted::FinalStateUnknown(_) = deleted { last } else { State::default() };
                (ChangeKind::Deleted, old, last)
            }
        };
        let known = if change == ChangeKind::Deleted { State::default() } else { new };
        self.known[usize::from(handler)][usize::from(key % KEYS)] = known;
        self.record(1, Phase::Info, Fact::Notify { handler, change, key, old, new });
    }

    /// Returns the cached state of an object.
    pub(super) fn stored(&self, key: u8) -> State {
        let (namespace, name) = names(key);
        self.informer.indexer().find(namespace, name).as_ref().map(State::of).unwrap_or_default()
    }
}
