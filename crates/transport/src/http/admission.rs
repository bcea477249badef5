//! The decisions of the pool, without connections: the connection that each request uses.
//!
//! A server allows a number of streams per connection, and a watch occupies one for as long as it runs. The pool counts
//! streams. A request uses the fullest connection with a free stream: this keeps connections few, and the others become idle
//! and close. If all streams are in use, the pool opens another connection at once, so that no request waits for the end of a
//! watch. HTTP/1.1 works the same way, with one stream per connection.

use std::time::Duration;

use tokio::time::Instant;

/// The number of streams that a connection is expected to carry, before a server has announced its limit.
const EXPECTED: usize = 100;

/// The id of a connection in the pool.
pub(super) type Id = u64;

/// The state of the pool: connections, their streams, running dials.
#[derive(Debug)]
pub(super) struct Admission {
    slots: Vec<Slot>,
    dialing: usize,
    next: Id,
    /// The number of streams that the next connection is expected to carry.
    expected: usize,
}

#[derive(Debug)]
struct Slot {
    id: Id,
    limit: usize,
    active: usize,
    /// The time since when it has no stream; unused while it has one.
    idle_since: Instant,
}

impl Admission {
    /// No connections. `many`: whether a connection may carry more than one stream.
    pub(super) fn new(many: bool) -> Self {
        Self { slots: Vec::new(), dialing: 0, next: 0, expected: if many { EXPECTED } else { 1 } }
    }

    /// Takes a stream on the fullest connection with a free stream.
    pub(super) fn admit(&mut self) -> Option<Id> {
        let slot =
            self.slots.iter_mut().filter(|slot| slot.active < slot.limit).max_by_key(|slot| slot.active)?;
        slot.active += 1;
        Some(slot.id)
    }

    /// Returns the number of connections to open now for this many waiting requests, and counts them as being opened.
    pub(super) fn dial(&mut self, waiting: usize) -> usize {
        let needed = waiting.div_ceil(self.expected);
        let more = needed.saturating_sub(self.dialing);
        self.dialing += more;
        more
    }

    /// A connection was opened, and carries `limit` streams.
    pub(super) fn opened(&mut self, limit: usize, now: Instant) -> Id {
        let id = self.next;
        self.next += 1;
        let limit = limit.max(1);
        self.dialing = self.dialing.saturating_sub(1);
        self.expected = limit;
        self.slots.push(Slot { id, limit, active: 0, idle_since: now });
        id
    }

    /// A connection could not be opened. Returns the number of waiting requests that no other dial will serve.
    pub(super) fn failed(&mut self, waiting: usize) -> usize {
        self.dialing = self.dialing.saturating_sub(1);
        waiting.saturating_sub(self.dialing.saturating_mul(self.expected))
    }

    /// A stream has ended.
    pub(super) fn released(&mut self, id: Id, now: Instant) {
        if let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == id) {
            slot.active = slot.active.saturating_sub(1);
            slot.idle_since = now;
        }
    }

    /// A connection has closed, or accepts no more streams.
    pub(super) fn closed(&mut self, id: Id) {
        self.slots.retain(|slot| slot.id != id);
    }

    /// All connections have closed.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    /// The time at which a connection will have been idle for `timeout`; `None` if it has closed. Close it if that time has passed.
    pub(super) fn idle_until(&self, id: Id, timeout: Duration, now: Instant) -> Option<Instant> {
        let slot = self.slots.iter().find(|slot| slot.id == id)?;
        let since = if slot.active > 0 { now } else { slot.idle_since };
        Some(since + timeout)
    }

    /// Connections without a stream.
    pub(super) fn idle(&self) -> usize {
        self.slots.iter().filter(|slot| slot.active == 0).count()
    }

    /// Connections.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn requests_share_a_connection_up_to_its_limit() {
        let (mut pool, now) = (Admission::new(true), Instant::now());
        assert_eq!((pool.admit(), pool.dial(1)), (None, 1));
        // The connection that is being opened has room for a hundred.
        assert_eq!((pool.dial(100), pool.dial(101)), (0, 1));
        let first = pool.opened(100, now);
        for _ in 0..100 {
            assert_eq!(pool.admit(), Some(first));
        }
        assert_eq!(pool.admit(), None);
        let second = pool.opened(100, now);
        assert_eq!(pool.admit(), Some(second));
    }

    #[test]
    fn three_hundred_watches_and_a_request_need_four_connections() {
        let (mut pool, now) = (Admission::new(true), Instant::now());
        let mut opened = 0;
        for _ in 0..301 {
            while pool.admit().is_none() {
                assert_eq!(pool.dial(1), 1);
                pool.opened(100, now);
                opened += 1;
            }
        }
        assert_eq!(opened, 4);
    }

    #[test]
    fn the_fullest_connection_is_taken_so_that_the_others_run_empty() {
        let (mut pool, now) = (Admission::new(true), Instant::now());
        let (first, second) = (pool.opened(3, now), pool.opened(3, now));
        for _ in 0..4 {
            pool.admit();
        }
        // Three on one, one on the other, in either order.
        let full = if pool.slots[0].active == 3 { first } else { second };
        pool.released(full, now);
        assert_eq!(pool.admit(), Some(full));
    }

    #[test]
    fn a_lower_limit_than_expected_opens_more() {
        let (mut pool, now) = (Admission::new(true), Instant::now());
        assert_eq!(pool.dial(10), 1);
        pool.opened(4, now);
        for _ in 0..4 {
            assert!(pool.admit().is_some());
        }
        assert_eq!(pool.dial(6), 2);
    }

    #[test]
    fn without_multiplexing_every_request_has_a_connection() {
        let (mut pool, now) = (Admission::new(false), Instant::now());
        assert_eq!((pool.dial(1), pool.dial(2), pool.dial(3)), (1, 1, 1));
        let first = pool.opened(1, now);
        assert_eq!((pool.admit(), pool.admit()), (Some(first), None));
        pool.released(first, now);
        assert_eq!(pool.admit(), Some(first));
    }

    #[test]
    fn a_failed_dial_fails_only_the_requests_that_no_other_dial_serves() {
        let mut pool = Admission::new(true);
        assert_eq!(pool.dial(150), 2);
        assert_eq!(pool.failed(150), 50);
        assert_eq!(pool.failed(100), 100);
        assert_eq!(pool.dial(1), 1);
    }

    #[test]
    fn idle_time_counts_from_the_last_stream() {
        let (mut pool, now) = (Admission::new(true), Instant::now());
        let id = pool.opened(10, now);
        assert_eq!(pool.idle_until(id, SECOND, now), Some(now + SECOND));
        pool.admit();
        let later = now + SECOND * 5;
        assert_eq!(pool.idle_until(id, SECOND, later), Some(later + SECOND));
        assert_eq!(pool.idle(), 0);
        pool.released(id, later);
        assert_eq!(pool.idle_until(id, SECOND, later + SECOND * 2), Some(later + SECOND));
        pool.closed(id);
        assert_eq!((pool.idle_until(id, SECOND, later), pool.len()), (None, 0));
    }
}
