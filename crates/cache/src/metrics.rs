//! What an informer can be asked to count.

use std::time::Duration;

use crate::FetchError;

/// Gets what an informer does, to count it: one for each informer, passed in with its options.
///
/// All functions default to doing nothing, must not block, and must not panic. Some are called for every
/// event.
pub trait InformerMetrics: Send + Sync + 'static {
    /// A list was completed, streamed or not: its items, and how long it took.
    fn listed(&self, items: usize, took: Duration) {
        let _ = (items, took);
    }

    /// A watch was opened.
    fn watch_opened(&self) {}

    /// A list or watch failed so that the watch error handler was called.
    fn failed(&self, error: &FetchError) {
        let _ = error;
    }

    /// Objects that could not be read or transformed.
    fn undecodable(&self, count: u64) {
        let _ = count;
    }

    /// A batch went from the queue into the store and to the handlers' queues: its deltas, how long it took,
    /// and how many still wait.
    fn processed(&self, deltas: usize, took: Duration, queued: usize) {
        let _ = (deltas, took, queued);
    }

    /// The version of the store. Only its last 15 digits, as client-go has it; not called for one that is no
    /// number.
    fn store_resource_version(&self, version: u64) {
        let _ = version;
    }
}

/// The last 15 digits of a version that is a number.
pub(crate) fn numeric(version: &str) -> Option<u64> {
    if version.is_empty() || !version.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    version[version.len().saturating_sub(15)..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_cut_to_fifteen_digits() {
        assert_eq!(numeric("42"), Some(42));
        assert_eq!(numeric("1123456789012345"), Some(123_456_789_012_345));
        for odd in ["", "a", "1a", "-1", "٣"] {
            assert_eq!(numeric(odd), None, "{odd}");
        }
    }
}
