//! The blocking primitives that the shell is built on. The race tests put a scheduler's in their place.

pub(crate) use std::sync::{Mutex, MutexGuard};
pub(crate) use std::thread::{Thread, current, park, park_timeout};

/// Waits without giving up the core: so many of the processor's pauses.
pub(crate) fn pause(times: u32) {
    for _ in 0..times {
        std::hint::spin_loop();
    }
}
