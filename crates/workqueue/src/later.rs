//! What an operation leaves to be done once the lock is free: wakers to call, keys to drop, metrics to tell.

use std::task::Waker;

use crate::core::Added;

/// Most operations leave nothing, so this is one pointer until they do.
#[must_use]
pub(crate) struct Later<K>(Option<Box<Left<K>>>);

pub(crate) struct Left<K> {
    pub(crate) wakers: Vec<Waker>,
    pub(crate) keys: Vec<K>,
    pub(crate) told: Vec<Added>,
}

impl<K> Later<K> {
    #[inline]
    pub(crate) fn nothing() -> Self {
        Self(None)
    }

    #[inline]
    pub(crate) fn wake(&mut self, waker: Option<Waker>) {
        if let Some(waker) = waker {
            self.left().wakers.push(waker);
        }
    }

    #[inline]
    pub(crate) fn drop(&mut self, key: Option<K>) {
        if let Some(key) = key {
            self.left().keys.push(key);
        }
    }

    #[inline]
    pub(crate) fn drop_all(&mut self, keys: Vec<K>) {
        if !keys.is_empty() {
            self.left().keys.extend(keys);
        }
    }

    pub(crate) fn tell(&mut self, added: Added) {
        self.left().told.push(added);
    }

    #[inline]
    pub(crate) fn take(self) -> Option<Box<Left<K>>> {
        self.0
    }

    fn left(&mut self) -> &mut Left<K> {
        self.0
            .get_or_insert_with(|| Box::new(Left { wakers: Vec::new(), keys: Vec::new(), told: Vec::new() }))
    }
}
