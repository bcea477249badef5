//! The memory of a process, as the system counts it.

use anyhow::{Context, Result};

/// The memory of a process now, and at most so far, in megabytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) now: u64,
    pub(crate) peak: u64,
}

/// The memory of a process, `self` for this one.
pub(crate) fn of(process: &str) -> Result<Memory> {
    let path = format!("/proc/{process}/status");
    let status = std::fs::read_to_string(&path).with_context(|| format!("can't read {path}"))?;
    let megabytes = |name: &str| -> Result<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number =
            line.and_then(|line| line.split_whitespace().next()).and_then(|text| text.parse::<u64>().ok());
        Ok(number.with_context(|| format!("{path} has no {name}"))? / 1024)
    };
    Ok(Memory { now: megabytes("VmRSS:")?, peak: megabytes("VmHWM:")? })
}

/// Makes the peak what is in memory now.
pub(crate) fn reset_peak(process: &str) -> Result<()> {
    let path = format!("/proc/{process}/clear_refs");
    std::fs::write(&path, "5").with_context(|| format!("can't write {path}"))
}
