//! The resources that a process has used, as the system counts them.
//!
//! Soundness: the call takes only a plain-data out-parameter, which is created here and outlives it.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::time::Duration;

/// The process whose time is counted.
#[derive(Clone, Copy)]
pub enum Who {
    /// This process's.
    Own,
    /// That of children that have ended and were waited for.
    Children,
}

/// User and system time so far.
pub fn cpu_time(who: Who) -> Duration {
    let who = match who {
        Who::Own => libc::RUSAGE_SELF,
        Who::Children => libc::RUSAGE_CHILDREN,
    };
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for a `rusage`, which is valid when all zero.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
}
