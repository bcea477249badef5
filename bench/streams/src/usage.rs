//! The resources that children have used, as the system counts them.
//!
//! Soundness: the call takes only a plain-data out-parameter, which is created here and outlives it.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::time::Duration;

/// The resources of children that have ended and were waited for.
pub(crate) struct Used {
    /// User and system time.
    pub(crate) cpu: Duration,
    /// The maximum resident memory, in MB. A child starts with the memory of this process, so this process must be
    /// small.
    pub(crate) peak_mb: f64,
}

pub(crate) fn children() -> Used {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for a `rusage`, which is valid when all zero.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    #[allow(clippy::cast_precision_loss, reason = "megabytes")]
    let peak_mb = usage.ru_maxrss as f64 * 1024.0 / 1e6;
    Used { cpu: duration(usage.ru_utime) + duration(usage.ru_stime), peak_mb }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
}
