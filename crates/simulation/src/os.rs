//! The clock and the random numbers of the operating system, which a simulation replaces in its process, and copies of a
//! process.
//!
//! Hash maps of std, `select!` and the channels of tokio take random numbers from the operating system, by the function
//! `getrandom` of libc, and `SystemTime` takes the time from `clock_gettime`. Functions of a program come before those of libc
//! when it is linked: rustc links the functions without a mangled name of every crate of a program. So a program that
//! depends on this crate needs no flags and no seam of its own. Until [`take_over`] is called, both functions pass
//! everything on to the kernel.
//!
//! # Safety
//!
//! - `getrandom` writes at most `length` bytes to `buffer`, which its caller guarantees to be valid for that, as the
//!   specification of libc does. It returns how many it has written.
//! - `clock_gettime` writes one `timespec` to `time`, which its caller guarantees to be valid for that. `Timespec` has the
//!   layout of `timespec` on Linux with 64 bits, the only platform for which the functions exist.
//! - Both names are those of libc with the same signatures. No other definition is in the program.
//! - `fork` copies the calling thread only. A lock that another thread holds would stay locked in the copy. A worker process
//!   has at most one other thread, that of the test harness, which sleeps until the test has ended and holds no lock then; glibc
//!   takes the locks of its allocator itself. The copy ends with `_exit`, so nothing that belongs to the original runs twice.

#![allow(unsafe_code, reason = "functions of libc: see the header")]

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Whether the simulation has taken over.
static OWNED: AtomicBool = AtomicBool::new(false);
/// The state of the random numbers.
static STATE: AtomicU64 = AtomicU64::new(0);
/// The time, in nanoseconds since the start.
static NOW: AtomicU64 = AtomicU64::new(0);
/// The seconds by which the wall clock is wrong.
static SKEW: AtomicI64 = AtomicI64::new(0);

/// The wall-clock time at the start, in seconds since 1970.
pub const START: u64 = 1_800_000_000;

/// Takes over the clock and the random numbers of this process, for good. The time is that of the start.
pub fn take_over(seed: u64) {
    reseed(seed);
    NOW.store(0, Ordering::Relaxed);
    SKEW.store(0, Ordering::Relaxed);
    OWNED.store(true, Ordering::Relaxed);
}

/// Lets the random numbers begin again, from a seed.
pub fn reseed(seed: u64) {
    STATE.store(seed, Ordering::Relaxed);
}

/// Sets the time since the start.
pub fn set_time(now: Duration) {
    NOW.store(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// Sets the seconds by which the wall clock is ahead; behind, if negative. Monotonic clocks are not affected.
pub fn set_skew(seconds: i64) {
    SKEW.store(seconds, Ordering::Relaxed);
}

/// Returns the next random number.
#[cfg_attr(not(all(target_os = "linux", target_pointer_width = "64")), allow(dead_code))]
fn next() -> u64 {
    // SplitMix64.
    let state = STATE.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mix(state)
}

/// Mixes the bits of a number, so that neighbouring numbers have nothing in common.
pub fn mix(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(crate) use linux::in_a_copy;

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux {
    use std::io::{self, Read as _, Write as _};
    use std::os::fd::AsFd as _;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec as Timeout, poll};
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    use super::{NOW, OWNED, Ordering, SKEW, START, next};

    /// `CLOCK_REALTIME` and `CLOCK_REALTIME_COARSE`.
    const WALL_CLOCKS: [i32; 2] = [0, 5];

    /// The `timespec` of libc.
    #[repr(C)]
    #[derive(Debug)]
    pub(super) struct Timespec {
        seconds: i64,
        nanos: i64,
    }

    unsafe extern "C" {
        fn fork() -> i32;
        fn _exit(code: i32) -> !;
    }

    /// Runs a function in a copy of this process, and returns its result. `None` if it does not end within the limit of real
    /// time, or if it crashes.
    pub(crate) fn in_a_copy(
        limit: Duration,
        function: impl FnOnce() -> Vec<u8>,
    ) -> io::Result<Option<Vec<u8>>> {
        let (mut reader, mut writer) = io::pipe()?;
        // SAFETY: see the header.
        let pid = unsafe { fork() };
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        if pid == 0 {
            drop(reader);
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(function));
            let sent = done.map(|bytes| writer.write_all(&bytes));
            let code = i32::from(!matches!(sent, Ok(Ok(()))));
            // SAFETY: it ends this copy, which owns nothing that others need.
            unsafe { _exit(code) }
        }
        drop(writer);
        let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("a process without a number"))?;
        let mut bytes = Vec::new();
        let mut chunk = vec![0; 64 * 1024];
        let mut late = false;
        loop {
            let mut ready = [PollFd::from_borrowed_fd(reader.as_fd(), PollFlags::IN)];
            let timeout = Timeout { tv_sec: limit.as_secs().cast_signed(), tv_nsec: 0 };
            if poll(&mut ready, Some(&timeout))? == 0 {
                late = true;
                kill_process(pid, Signal::KILL)?;
                break;
            }
            match reader.read(&mut chunk)? {
                0 => break,
                length => bytes.extend_from_slice(&chunk[..length]),
            }
        }
        let ended = waitpid(Some(pid), WaitOptions::empty())?;
        let orderly = ended.is_some_and(|(_, status)| status.exit_status() == Some(0));
        Ok((orderly && !late).then_some(bytes))
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
            let skew = if WALL_CLOCKS.contains(&clock) { SKEW.load(Ordering::Relaxed) } else { 0 };
            (
                i64::try_from(START + now / 1_000_000_000).unwrap_or(i64::MAX).saturating_add(skew),
                i64::try_from(now % 1_000_000_000).unwrap_or(0),
            )
        } else {
            let Ok(clock) = rustix::time::ClockId::try_from(clock) else { return -1 };
            let read = rustix::time::clock_gettime(clock);
            (read.tv_sec, read.tv_nsec)
        };
        // SAFETY: the caller guarantees it.
        unsafe { time.write(Timespec { seconds, nanos }) };
        0
    }
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::*;

    const LIMIT: Duration = Duration::from_mins(1);

    /// 21 random bytes, and the wall-clock time in seconds.
    fn look() -> Vec<u8> {
        let mut bytes = vec![0xff; 21];
        // SAFETY: the buffer has this length.
        let filled = unsafe { linux::getrandom(bytes.as_mut_ptr(), bytes.len(), 0) };
        assert_eq!(filled, 21);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
        bytes.extend(now.as_secs().to_le_bytes());
        bytes
    }

    fn seconds(look: &[u8]) -> u64 {
        u64::from_le_bytes(*look.last_chunk().expect("the time"))
    }

    #[test]
    fn a_copy_that_is_taken_over_has_the_numbers_and_the_time_of_its_seed() {
        let copy = |seed| {
            let function = move || {
                take_over(seed);
                set_time(Duration::from_secs(5));
                look()
            };
            in_a_copy(LIMIT, function).unwrap().expect("the copy ends in order")
        };
        let first = copy(7);
        assert_eq!((copy(7), seconds(&first)), (first.clone(), START + 5));
        assert_ne!(copy(8), first);
    }

    #[test]
    fn a_wall_clock_can_be_wrong() {
        let jump = |skew| {
            let function = move || {
                take_over(7);
                set_skew(skew);
                let (one, wall) = (std::time::Instant::now(), look());
                set_time(Duration::from_secs(2));
                let passed = one.elapsed();
                [wall, passed.as_secs().to_le_bytes().to_vec()].concat()
            };
            in_a_copy(LIMIT, function).unwrap().expect("the copy ends in order")
        };
        for skew in [-3_600, 0, 86_400] {
            let bytes = jump(skew);
            let (wall, passed) = bytes.split_at(29);
            assert_eq!(seconds(wall), START.saturating_add_signed(skew));
            assert_eq!(seconds(passed), 2, "the monotonic clock has jumped");
        }
    }

    #[test]
    fn without_a_simulation_both_come_from_the_kernel() {
        let (one, other) = (look(), look());
        assert_ne!(one[..21], other[..21]);
        assert!(seconds(&one) > 1_700_000_000 && seconds(&other) >= seconds(&one));
    }

    #[test]
    fn a_copy_that_panics_has_no_result() {
        assert_eq!(in_a_copy(LIMIT, || panic!("on purpose")).unwrap(), None);
    }
}
