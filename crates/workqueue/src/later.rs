//! Work that an operation leaves for when the lock is free: wakers to call, keys to drop, metrics to report.

use std::task::Waker;

use crate::core::Added;

/// The work for later. Most operations leave none, so this is one pointer until there is some.
#[must_use]
pub(crate) struct Later<K>(Option<Box<Left<K>>>);

pub(crate) struct Left<K> {
    pub(crate) wakers: Vec<Waker>,
    pub(crate) keys: Vec<K>,
    pub(crate) reported: Vec<Added>,
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

    pub(crate) fn report(&mut self, added: Added) {
        self.left().reported.push(added);
    }

    #[inline]
    pub(crate) fn take(self) -> Option<Box<Left<K>>> {
        self.0
    }

    fn left(&mut self) -> &mut Left<K> {
        self.0.get_or_insert_with(|| {
            Box::new(Left { wakers: Vec::new(), keys: Vec::new(), reported: Vec::new() })
        })
    }
}
