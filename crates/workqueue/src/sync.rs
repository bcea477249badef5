//! The blocking primitives of the queue. The race tests replace them with those of a scheduler.

pub(crate) use std::sync::{Mutex, MutexGuard};
pub(crate) use std::thread::{Thread, current, park, park_timeout};

/// Spins for this many spin-loop hints, without yielding the core.
pub(crate) fn pause(times: u32) {
    for _ in 0..times {
        std::hint::spin_loop();
    }
}
