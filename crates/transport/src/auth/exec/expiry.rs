//! The earliest expiry among the certificates of all plugins.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use client_rs_machinery::collections::VecMap;

static ENDS: Mutex<VecMap<u64, SystemTime>> = Mutex::new(VecMap::new());
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The entry of one plugin. Dropping it removes the entry.
#[derive(Debug)]
pub(super) struct ExpirySlot(u64);

impl ExpirySlot {
    pub(super) fn new() -> Self {
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Sets this plugin's expiry and returns the earliest of all.
    pub(super) fn set(&self, end: Option<SystemTime>) -> Option<SystemTime> {
        let mut ends = ENDS.lock().unwrap_or_else(PoisonError::into_inner);
        match end {
            Some(end) => ends.insert(self.0, end),
            None => ends.remove(&self.0),
        };
        ends.values().min().copied()
    }
}

impl Drop for ExpirySlot {
    fn drop(&mut self) {
        self.set(None);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_earliest_expiry_counts_until_its_plugin_is_dropped() {
        // The certificates of other tests expire later than these.
        let at = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        let (one, two) = (ExpirySlot::new(), ExpirySlot::new());
        assert_eq!(one.set(at(200)), at(200));
        assert_eq!(two.set(at(100)), at(100));
        assert_eq!(one.set(at(300)), at(100));
        drop(two);
        assert_eq!(one.set(at(300)), at(300));
        assert_ne!(one.set(None), at(300));
    }
}
