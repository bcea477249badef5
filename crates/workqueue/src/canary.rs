//! Seeded faults, to measure how soon the simulation of this repository finds them.
//!
//! Without the feature `canary` no fault is ever chosen, and the compiler drops them. Its twin for the crates above is
//! in `client-rs-machinery`, which this crate does not depend on.

#[cfg(feature = "canary")]
static CHOSEN: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

/// Chooses the fault of this process; 0 for none. Without the feature `canary` it does nothing.
#[cfg(feature = "sim")]
pub fn choose(fault: u32) {
    #[cfg(feature = "canary")]
    CHOSEN.store(fault, std::sync::atomic::Ordering::Relaxed);
    let _ = fault;
}

/// Returns whether this fault is chosen.
#[cfg(feature = "canary")]
pub(crate) fn is(fault: u32) -> bool {
    CHOSEN.load(std::sync::atomic::Ordering::Relaxed) == fault
}

/// Returns false.
#[cfg(not(feature = "canary"))]
#[inline]
pub(crate) const fn is(_fault: u32) -> bool {
    false
}
