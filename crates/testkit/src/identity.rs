//! The identity of a process, beyond its PID.

use std::io;
use std::time::Duration;

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

/// A process, identified by its PID and start time.
///
/// PIDs are reused; a PID with its start time (and, on Linux, its boot) is not. So a process that reuses the PID is
/// never mistaken for the recorded one, and never ended instead of it: on Linux the signal goes through a pidfd that
/// was checked after it was opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcessIdentity {
    pid: u32,
    started: String,
}

impl ProcessIdentity {
    /// Returns the process that has this PID now; `None` if no process has it, or if it is a zombie.
    pub fn of(pid: u32) -> io::Result<Option<Self>> {
        Ok(platform::started(pid)?.map(|started| Self { pid, started }))
    }

    /// Its number.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether this very process runs.
    pub fn is_alive(&self) -> bool {
        matches!(Self::of(self.pid), Ok(Some(now)) if now == *self)
    }

    /// Ends this very process with SIGKILL and waits for its end: false when it still runs after `within`.
    /// A process that has ended already is a success, even if another process has its PID now.
    pub fn end(&self, within: Duration) -> io::Result<bool> {
        match i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
            Some(pid) => platform::end(self, pid, within),
            None => Ok(true),
        }
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::io;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::ProcessIdentity;

    pub(super) fn started(pid: u32) -> io::Result<Option<String>> {
        let stat = match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) => stat,
            // ESRCH: it ended between open and read.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    || error.raw_os_error() == Some(Errno::SRCH.raw_os_error()) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let Some(ticks) = running_since(&stat) else { return Ok(None) };
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?;
        Ok(Some(format!("{}+{ticks}", boot.trim())))
    }

    /// The start in ticks since boot, from a line of `/proc/PID/stat`; none for a zombie.
    pub(super) fn running_since(stat: &str) -> Option<u64> {
        // The name is in parentheses and may hold spaces and parentheses: the fields begin after the last.
        let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
        if matches!(fields.next()?, "Z" | "X") {
            return None;
        }
        fields.nth(18)?.parse().ok()
    }

    pub(super) fn end(process: &ProcessIdentity, pid: Pid, within: Duration) -> io::Result<bool> {
        let handle = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => handle,
            Err(Errno::SRCH) => return Ok(true),
            Err(error) => return Err(error.into()),
        };
        // The handle stays with the process it was opened for: checked after opening, it can't be another.
        if !process.is_alive() {
            return Ok(true);
        }
        match pidfd_send_signal(&handle, Signal::KILL) {
            Ok(()) => (),
            Err(Errno::SRCH) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
        let timeout = Timespec::try_from(within).map_err(io::Error::other)?;
        let ended = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&timeout))?;
        Ok(ended > 0 || !process.is_alive())
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;
    use std::process::Command;
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, kill_process};

    use super::ProcessIdentity;

    pub(super) fn started(pid: u32) -> io::Result<Option<String>> {
        let output = Command::new("ps")
            .env("LC_ALL", "C")
            .args(["-o", "stat=,lstart=", "-p", &pid.to_string()])
            .output()?;
        let line = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(match line.split_once(char::is_whitespace) {
            Some((state, started)) if !state.starts_with('Z') => Some(started.trim().to_owned()),
            _ => None,
        })
    }

    pub(super) fn end(process: &ProcessIdentity, pid: Pid, within: Duration) -> io::Result<bool> {
        let deadline = Instant::now() + within;
        if !process.is_alive() {
            return Ok(true);
        }
        match kill_process(pid, Signal::KILL) {
            Ok(()) => (),
            Err(Errno::SRCH) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
        while process.is_alive() {
            if Instant::now() > deadline {
                return Ok(false);
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};

    /// A process that waits for its standard input to close.
    fn bystander() -> Child {
        Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
    }

    #[test]
    fn a_process_is_identified_by_pid_and_start_time() {
        let me = ProcessIdentity::of(std::process::id()).unwrap().unwrap();
        assert!(me.is_alive());
        assert_eq!(me, ProcessIdentity::of(std::process::id()).unwrap().unwrap());
        let predecessor = ProcessIdentity { started: "an earlier moment".into(), ..me };
        assert!(!predecessor.is_alive());
    }

    #[test]
    fn the_heir_of_a_number_is_not_ended() {
        let mut child = bystander();
        let heir = ProcessIdentity::of(child.id()).unwrap().unwrap();
        let predecessor = ProcessIdentity { started: "an earlier moment".into(), ..heir.clone() };
        assert!(predecessor.end(Duration::from_secs(5)).unwrap());
        assert!(heir.is_alive());
        assert!(heir.end(Duration::from_secs(30)).unwrap());
        assert!(!heir.is_alive(), "a zombie is not alive");
        assert!(!child.wait().unwrap().success());
        assert!(heir.end(Duration::from_secs(5)).unwrap());
        assert_eq!(ProcessIdentity::of(heir.pid()).unwrap(), None);
    }

    #[test]
    fn numbers_without_a_process_have_no_identity() {
        for pid in [0, u32::MAX] {
            assert!(ProcessIdentity { pid, started: String::new() }.end(Duration::ZERO).unwrap());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn stat_lines_with_any_name_parse() {
        let line = |name: &str, state: char| {
            format!("42 ({name}) {state} 1 42 42 0 -1 0 0 0 0 0 1 2 3 4 20 0 5 0 777 8 9")
        };
        assert_eq!(platform::running_since(&line("etcd", 'S')), Some(777));
        assert_eq!(platform::running_since(&line("a) S 1 (b", 'R')), Some(777));
        assert_eq!(platform::running_since(&line("etcd", 'Z')), None);
        assert_eq!(platform::running_since("42 (x"), None);
        assert_eq!(platform::running_since("42 (x) S 1"), None);
        assert_eq!(platform::running_since(""), None);
    }
}
