//! The resources that the process has used, as the system and the allocator count them.
//!
//! Soundness: both calls take only plain-data out-parameters, which are created here and outlive the call.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::time::Duration;

/// User and system time so far.
pub fn cpu_time() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for a `rusage`, which is valid when all zero.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// Bytes that the allocator has given out and not got back.
pub fn live_heap() -> usize {
    // SAFETY: it has no parameters and returns plain numbers.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
}
