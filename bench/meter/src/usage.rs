//! The resources that this process has used, as the system and the allocator count them.
//!
//! Soundness: the calls take only plain-data out-parameters, which are created here and outlive them.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::time::Duration;

/// User and system time so far.
pub(crate) fn cpu_time() -> Duration {
    let usage = usage();
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// The most memory that was resident so far, in MB. Not `getrusage`'s: that begins with what the parent had.
pub(crate) fn peak_resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this needs Linux' /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells the peak");
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().expect("the peak is a number");
    kib * 1024.0 / 1e6
}

/// The number of open TCP connections.
pub(crate) fn connections() -> usize {
    let table = |name| std::fs::read_to_string(format!("/proc/self/net/{name}")).unwrap_or_default();
    let tables = [table("tcp"), table("tcp6")];
    // The tenth column is the number of the socket.
    let numbers: Vec<&str> = tables
        .iter()
        .flat_map(|table| table.lines())
        .filter_map(|line| line.split_whitespace().nth(9))
        .collect();
    let folder = std::fs::read_dir("/proc/self/fd").expect("this needs Linux' /proc");
    let target = |entry: std::io::Result<std::fs::DirEntry>| std::fs::read_link(entry.ok()?.path()).ok();
    let is_tcp = |target: &std::path::PathBuf| {
        let target = target.to_string_lossy();
        let number = target.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']'));
        number.is_some_and(|number| numbers.contains(&number))
    };
    folder.filter_map(target).filter(is_tcp).count()
}

/// Bytes that the allocator has handed out: in its arenas, and mapped one by one.
pub(crate) fn allocated() -> u64 {
    // SAFETY: it has no parameters and returns plain data.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks as u64 + info.hblkhd as u64
}

fn usage() -> libc::rusage {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for a `rusage`, which is valid when all zero.
    unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
}
