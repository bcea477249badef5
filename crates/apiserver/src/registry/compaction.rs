//! The age at which lists at an old revision expire.
//!
//! A real API server compacts etcd every five minutes, up to the revision of the compaction before. So a continue token, or a
//! list at an exact revision, is good for five to ten minutes. Watches are not affected: they follow the changes of the window,
//! as those of the real server follow its cache.

/// The seconds between two compactions.
const INTERVAL: i64 = 300;

/// The compactions of a registry.
///
/// There is no timer: [`tick`](Self::tick) is called before each write, so the revision at a compaction is the one before the
/// first write after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compactions {
    /// The time of the next one, in seconds since 1970. `None` before the first write.
    next: Option<i64>,
    /// The revision at the latest one.
    noted: u64,
    /// The oldest revision that can be listed.
    oldest: u64,
}

impl Compactions {
    /// Does the compactions up to a time. `revision` is that of the latest write.
    pub(super) fn tick(&mut self, now: i64, revision: u64) {
        let next = *self.next.get_or_insert(now.saturating_add(INTERVAL));
        if now < next {
            return;
        }
        let missed = (now - next) / INTERVAL;
        // Nothing was written between several of them.
        self.oldest = if missed > 0 { revision } else { self.noted };
        self.noted = revision;
        self.next = Some(next.saturating_add(INTERVAL.saturating_mul(missed + 1)));
    }

    /// The oldest revision that can be listed at a time.
    pub(super) fn oldest(mut self, now: i64, revision: u64) -> u64 {
        self.tick(now, revision);
        self.oldest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_can_be_listed_for_five_to_ten_minutes() {
        let mut compactions = Compactions::default();
        compactions.tick(1000, 7);
        assert_eq!((compactions.oldest(1299, 9), compactions.oldest(1300, 9)), (0, 0));
        compactions.tick(1300, 9);
        assert_eq!((compactions.oldest(1599, 20), compactions.oldest(1600, 20)), (0, 9));
        // Without a write for a long time, only the latest revision is left.
        assert_eq!(compactions.oldest(5000, 20), 20);
        compactions.tick(5000, 20);
        assert_eq!((compactions.oldest(5199, 30), compactions.oldest(5200, 30)), (20, 20));
        assert_eq!(compactions.oldest(5500, 30), 30);
        // A clock that is set back changes nothing.
        assert_eq!(compactions.oldest(0, 30), 20);
    }
}
