//! Runs others' test programs apart from the rest of the machine.
//!
//! Where Linux' namespaces can be created, a test program has only the loopback interface, so that nothing is downloaded and no
//! other machine is reached, and its processes are in a namespace of their own: those that it leaves behind end with it.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// How programs are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sandbox {
    /// By namespaces that root creates.
    Root,
    /// By namespaces of a user who is root in them.
    User,
    /// Not at all: the programs see the network, and what they leave behind stays.
    Missing,
}

/// How a program ended.
#[derive(Debug)]
pub(super) enum Ended {
    Exited(ExitStatus),
    /// It took longer than its limit, and was killed.
    TookTooLong(Duration),
}

impl Ended {
    pub(super) fn success(&self) -> bool {
        matches!(self, Self::Exited(status) if status.success())
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(status) => write!(f, "the program ended with {status}"),
            Self::TookTooLong(limit) => write!(f, "the program took longer than {} s", limit.as_secs()),
        }
    }
}

impl Sandbox {
    /// The best one that this process can create. Prints a line if there is none.
    pub(super) fn find() -> Self {
        let root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
        let found = if root { Self::Root } else { Self::User };
        let works = found.command("true", &[""]).output().is_ok_and(|output| output.status.success());
        if works {
            return found;
        }
        println!(
            "no namespaces can be created here: the tests see the network of this machine, and processes that they leave behind stay"
        );
        Self::Missing
    }

    /// Lines for the start of a script: a default route, without which kube-apiserver finds no address of its own. It leads to the
    /// loopback interface, and other addresses stay out of reach.
    pub(super) fn default_route(self) -> &'static str {
        match self {
            Self::Missing => "",
            Self::Root | Self::User => {
                "ip addr add 192.0.2.1/32 dev lo || exit\nip route add default dev lo || exit\n\
                 ip rule add pref 100 lookup 100 || exit\nip route add unreachable default table 100 || exit\n"
            }
        }
    }

    /// A command that runs a script of `sh` with these arguments, `$1` and so on. The processes that the script starts end
    /// when it ends.
    pub(super) fn command(self, script: &str, arguments: &[impl AsRef<OsStr>]) -> Command {
        let flags: &[&str] = match self {
            Self::Root => &[],
            Self::User => &["--user", "--map-root-user"],
            Self::Missing => {
                let mut command = Command::new("sh");
                command.args(["-c", script, "sh"]).args(arguments);
                return command;
            }
        };
        let mut command = Command::new("unshare");
        command.args(flags).args(["--net", "--pid", "--fork", "--kill-child", "--mount-proc"]);
        // The shell is the first process of its namespace. `exit` keeps it from being replaced by the last command.
        let script = format!("ip link set lo up || exit\n{script}\nexit $?");
        command.args(["sh", "-c", &script, "sh"]).args(arguments);
        command
    }
}

/// Runs a command whose output goes to a file, and kills it after the limit.
///
/// The output is not a pipe: a process that is left behind would keep it open.
pub(super) fn run(command: &mut Command, log: &Path, limit: Duration) -> Result<Ended> {
    let file = File::create(log).with_context(|| format!("can't write {}", log.display()))?;
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()
        .with_context(|| format!("can't start {}", command.get_program().to_string_lossy()))?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::Exited(status));
        }
        if start.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::TookTooLong(limit));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_ends_leaves_nothing_behind_and_one_that_hangs_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let sandbox = Sandbox::find();
        // A process that is left behind does not keep the caller waiting.
        let script = "sleep 30 & echo $1; [ \"$1\" = 7 ]";
        let good = run(&mut sandbox.command(script, &["7"]), &log, Duration::from_mins(1)).unwrap();
        assert!(good.success(), "{good}");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "7\n");
        let bad = run(&mut sandbox.command(script, &["8"]), &log, Duration::from_mins(1)).unwrap();
        assert!(!bad.success());
        let hung = run(&mut sandbox.command("sleep 30", &[""]), &log, Duration::ZERO).unwrap();
        assert!(matches!(hung, Ended::TookTooLong(_)), "{hung}");
    }
}
