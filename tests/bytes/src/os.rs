//! The clock and the random numbers of the operating system, which a simulation replaces in its process.
//!
//! Hash maps of std, `select!` and the channels of tokio take random numbers from the operating system, by the function
//! `getrandom` of libc, and `SystemTime` takes the time from `clock_gettime`. Functions of a program come before those of libc
//! when it is linked. So the library needs no seam of its own, and production has no cost.
//!
//! Until [`take_over`] is called, both functions pass everything on to the kernel.
//!
//! # Safety
//!
//! - `getrandom` writes at most `length` bytes to `buffer`, which its caller guarantees to be valid for that, as the
//!   specification of libc does. It returns how many it has written.
//! - `clock_gettime` writes one `timespec` to `time`, which its caller guarantees to be valid for that. `Timespec` has the
//!   layout of `timespec` on Linux with 64 bits, the only platform for which the functions exist.
//! - Both names are those of libc with the same signatures. No other definition is in the program.

#![allow(unsafe_code, reason = "functions of libc: see the header")]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Whether the simulation has taken over.
static OWNED: AtomicBool = AtomicBool::new(false);
/// The state of the random numbers.
static STATE: AtomicU64 = AtomicU64::new(0);
/// The time, in nanoseconds since the start.
static NOW: AtomicU64 = AtomicU64::new(0);

/// The wall-clock time at the start, in seconds since 1970.
pub const START: u64 = 1_800_000_000;

/// Takes over the clock and the random numbers of this process, for good.
pub fn take_over(seed: u64) {
    STATE.store(seed, Ordering::Relaxed);
    NOW.store(0, Ordering::Relaxed);
    OWNED.store(true, Ordering::Relaxed);
}

/// Sets the time since the start.
pub fn set_time(now: Duration) {
    NOW.store(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// Returns the next random number.
fn next() -> u64 {
    // SplitMix64.
    let state = STATE.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux {
    use super::{NOW, OWNED, Ordering, START, next};

    /// The `timespec` of libc.
    #[repr(C)]
    #[derive(Debug)]
    pub(super) struct Timespec {
        seconds: i64,
        nanos: i64,
    }

    /// The `getrandom` of libc.
    ///
    /// # Safety
    ///
    /// `buffer` must be valid for writes of `length` bytes.
    #[unsafe(no_mangle)]
    pub(super) unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
        if buffer.is_null() {
            return -1;
        }
        // SAFETY: the caller guarantees it. Zeroed first, because a slice must be of initialized bytes.
        let bytes = unsafe {
            std::ptr::write_bytes(buffer, 0, length);
            std::slice::from_raw_parts_mut(buffer, length)
        };
        if !OWNED.load(Ordering::Relaxed) {
            let flags = rustix::rand::GetRandomFlags::from_bits_retain(flags);
            return rustix::rand::getrandom(bytes, flags)
                .map_or(-1, |filled| isize::try_from(filled).unwrap_or(-1));
        }
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&next().to_le_bytes()[..chunk.len()]);
        }
        isize::try_from(length).unwrap_or(-1)
    }

    /// The `clock_gettime` of libc.
    ///
    /// # Safety
    ///
    /// `time` must be valid for a write.
    #[unsafe(no_mangle)]
    pub(super) unsafe extern "C" fn clock_gettime(clock: i32, time: *mut Timespec) -> i32 {
        if time.is_null() {
            return -1;
        }
        let (seconds, nanos) = if OWNED.load(Ordering::Relaxed) {
            let now = NOW.load(Ordering::Relaxed);
            (
                i64::try_from(START + now / 1_000_000_000).unwrap_or(i64::MAX),
                i64::try_from(now % 1_000_000_000).unwrap_or(0),
            )
        } else {
            let clock = match clock {
                0 => rustix::time::ClockId::Realtime,
                _ => rustix::time::ClockId::Monotonic,
            };
            let read = rustix::time::clock_gettime(clock);
            (read.tv_sec, read.tv_nsec)
        };
        // SAFETY: the caller guarantees it.
        unsafe { time.write(Timespec { seconds, nanos }) };
        0
    }
}
