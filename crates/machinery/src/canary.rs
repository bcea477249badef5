//! Seeded faults, to measure how soon the simulation of this repository finds them.
//!
//! A place in the code asks `canary!(7)` whether fault 7 is chosen. Without the feature `canary` the answer is the constant
//! `false`, and the compiler drops the fault.

#[cfg(feature = "canary")]
static CHOSEN: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

/// Chooses the fault of this process; 0 for none.
#[cfg(feature = "canary")]
pub fn choose(fault: u32) {
    CHOSEN.store(fault, std::sync::atomic::Ordering::Relaxed);
}

/// Returns whether this fault is chosen.
#[cfg(feature = "canary")]
pub fn is(fault: u32) -> bool {
    CHOSEN.load(std::sync::atomic::Ordering::Relaxed) == fault
}

/// Returns false.
#[cfg(not(feature = "canary"))]
#[inline]
pub const fn is(_fault: u32) -> bool {
    false
}

/// Returns whether a seeded fault is chosen.
#[doc(hidden)]
#[macro_export]
macro_rules! canary {
    ($fault:literal) => {
        $crate::canary::is($fault)
    };
}
