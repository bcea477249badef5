//! Seats, and the queues of requests that wait for one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::Str;
use tokio::sync::oneshot;

/// The seats of all levels.
#[derive(Debug, Default)]
pub(super) struct Seats(Mutex<HashMap<Str, Level>>);

#[derive(Debug, Default)]
struct Level {
    taken: usize,
    /// Never longer than the `queue` argument of [`Seats::take`].
    waiting: VecDeque<oneshot::Sender<Seat>>,
}

/// A taken seat. Dropping it frees the seat.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Arc<Seats>,
    level: Str,
}

/// The outcome of taking a seat.
#[derive(Debug)]
pub(super) enum Taken {
    Seat(Seat),
    /// Receives a seat when one becomes free.
    Queued(oneshot::Receiver<Seat>),
    Refused,
}

impl Seats {
    /// Takes a seat of a level with `limit` seats and at most `queue` waiting requests.
    pub(super) fn take(self: &Arc<Self>, level: &Str, limit: usize, queue: usize) -> Taken {
        let mut levels = self.lock();
        let own = levels.entry(level.clone()).or_default();
        if own.taken < limit {
            own.taken += 1;
            return Taken::Seat(Seat { seats: Arc::clone(self), level: level.clone() });
        }
        // Requests that were cancelled no longer wait.
        own.waiting.retain(|waiting| !waiting.is_closed());
        if own.waiting.len() >= queue {
            return Taken::Refused;
        }
        let (sender, receiver) = oneshot::channel();
        own.waiting.push_back(sender);
        Taken::Queued(receiver)
    }

    /// Passes the seat to the request that has waited longest, or marks it as free.
    fn free(self: &Arc<Self>, level: &Str) {
        loop {
            let next = {
                let mut levels = self.lock();
                let Some(own) = levels.get_mut(level) else { return };
                let Some(next) = own.waiting.pop_front() else {
                    own.taken = own.taken.saturating_sub(1);
                    if own.taken == 0 {
                        levels.remove(level);
                    }
                    return;
                };
                next
            };
            match next.send(Seat { seats: Arc::clone(self), level: level.clone() }) {
                Ok(()) => return,
                // That receiver is gone: offer the seat to the next.
                Err(seat) => seat.keep(),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Str, Level>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// Drops the value without freeing the seat.
    fn keep(mut self) {
        self.level = Str::EMPTY;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // An empty name marks a seat that must not be freed.
        if !self.level.is_empty() {
            self.seats.free(&self.level);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_seat_goes_to_the_request_that_waited_longest() {
        let seats = Arc::<Seats>::default();
        let level = Str::from("l");
        let Taken::Seat(first) = seats.take(&level, 1, 2) else { panic!("none is taken") };
        let Taken::Queued(gone) = seats.take(&level, 1, 2) else { panic!("there is room to wait") };
        let Taken::Queued(mut waiting) = seats.take(&level, 1, 2) else { panic!("there is room to wait") };
        assert!(matches!(seats.take(&level, 1, 2), Taken::Refused));
        drop(gone);
        assert!(waiting.try_recv().is_err());
        drop(first);
        let second = waiting.try_recv().unwrap();
        assert!(matches!(seats.take(&level, 1, 0), Taken::Refused));
        drop(second);
        assert!(seats.lock().is_empty());
    }

    #[test]
    fn a_seat_passed_to_a_cancelled_request_is_freed() {
        let seats = Arc::<Seats>::default();
        let level = Str::from("l");
        let Taken::Seat(first) = seats.take(&level, 1, 1) else { panic!("none is taken") };
        let Taken::Queued(waiting) = seats.take(&level, 1, 1) else { panic!("there is room to wait") };
        drop(first);
        drop(waiting);
        assert!(seats.lock().is_empty());
    }
}
