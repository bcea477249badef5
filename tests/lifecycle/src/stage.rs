//! A place of its own for scenarios that drive `cargo xtask cluster` from outside.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_testkit::{Clusters, Folders, ProcessIdentity, Record};

/// No command may take longer, unless it builds: a hang is a failure.
const PATIENCE: Duration = Duration::from_mins(4);

/// Folders of its own for records and data, so that scenarios see no other clusters and none of theirs disturbs
/// others. The built programs are the user's. All remaining processes are ended at the end.
pub(crate) struct Stage {
    /// The program whose command `cluster` is driven.
    xtask: PathBuf,
    temp: tempfile::TempDir,
    commands: AtomicUsize,
}

impl Stage {
    pub(crate) fn new(xtask: &Path) -> Result<Self> {
        let temp = tempfile::Builder::new().prefix("krs-").tempdir().context("can't create a temp folder")?;
        let stage = Self { xtask: xtask.to_owned(), temp, commands: AtomicUsize::new(0) };
        for folder in [stage.runtime(), stage.temporary(), stage.outputs()] {
            std::fs::create_dir(&folder).with_context(|| format!("can't create {}", folder.display()))?;
        }
        Ok(stage)
    }

    /// Returns a path in the stage that belongs to no cluster.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// The xtask, on this stage.
    pub(crate) fn xtask(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.xtask);
        command.args(arguments).stdin(Stdio::null());
        command.env("XDG_RUNTIME_DIR", self.runtime()).env("TMPDIR", self.temporary());
        command.env_remove("CLIENT_RS_KUBECONFIG");
        command
    }

    /// Runs `cargo xtask cluster …` to its end.
    pub(crate) fn cluster(&self, arguments: &[&str]) -> Result<Outcome> {
        self.start(self.xtask(&[&["cluster"], arguments].concat()))?.finish(PATIENCE)
    }

    /// Starts a command whose output is kept.
    pub(crate) fn start(&self, mut command: Command) -> Result<Running> {
        let number = self.commands.fetch_add(1, Ordering::Relaxed);
        let (stdout, stderr) =
            (self.outputs().join(format!("{number}.out")), self.outputs().join(format!("{number}.err")));
        command.stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        let child = command.spawn().context("can't start xtask")?;
        Ok(Running { child, stdout, stderr })
    }

    /// The record of a cluster on this stage.
    pub(crate) fn record(&self, name: &str) -> Result<Record> {
        self.clusters().get(name)?.with_context(|| format!("cluster {name} has no record"))
    }

    pub(crate) fn record_file(&self, name: &str) -> PathBuf {
        self.folders().runtime.join(format!("{name}.json"))
    }

    pub(crate) fn folders(&self) -> Folders {
        let own = self.temporary().join(format!("client-rs-{}", uid(&self.temp)));
        Folders {
            cache: Folders::of_user().cache,
            runtime: self.runtime().join("client-rs"),
            data: own.join("data"),
        }
    }

    /// Fails if a process that was started on this stage lives, or a file of a cluster is left.
    pub(crate) fn is_clean(&self) -> Result<()> {
        for folder in [self.runtime(), self.temporary()] {
            let left: Vec<String> = std::fs::read_dir(&folder)?
                .flatten()
                .map(|entry| entry.path().display().to_string())
                .collect();
            ensure!(left.is_empty(), "left behind: {}", left.join(", "));
        }
        let processes: Vec<String> = self.processes()?.into_iter().map(|(_, line)| line).collect();
        ensure!(processes.is_empty(), "still running: {}", processes.join("; "));
        Ok(())
    }

    /// Returns the PIDs and command lines of processes that name this stage's folders.
    pub(crate) fn processes(&self) -> Result<Vec<(u32, String)>> {
        let folder = self.temp.path().display().to_string();
        Ok(command_lines()?.into_iter().filter(|(_, line)| line.contains(&folder)).collect())
    }

    fn clusters(&self) -> Clusters {
        Clusters::new(self.folders())
    }

    fn runtime(&self) -> PathBuf {
        self.file("run")
    }

    fn temporary(&self) -> PathBuf {
        self.file("tmp")
    }

    fn outputs(&self) -> PathBuf {
        self.file("out")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.cluster(&["down", "--all"]);
        // Processes that a failed scenario left behind. No other process names this folder: its name is random.
        for (pid, _) in self.processes().unwrap_or_default() {
            if let Ok(Some(process)) = ProcessIdentity::of(pid) {
                let _ = process.end(Duration::from_secs(10));
            }
        }
    }
}

/// A command that runs; dropped, it is ended.
pub(crate) struct Running {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Running {
    /// Waits for its end.
    pub(crate) fn finish(mut self, limit: Duration) -> Result<Outcome> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Outcome {
                    status,
                    stdout: self.stdout()?,
                    stderr: std::fs::read_to_string(&self.stderr)?,
                });
            }
            if Instant::now() > deadline {
                bail!(
                    "no end after {} s; it said: {}",
                    limit.as_secs(),
                    std::fs::read_to_string(&self.stderr)?.trim()
                );
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Returns its output so far.
    pub(crate) fn stdout(&self) -> Result<String> {
        Ok(std::fs::read_to_string(&self.stdout)?)
    }

    pub(crate) fn is_running(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// Ends it as nothing can be prepared for: with SIGKILL.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Closes its standard input.
    pub(crate) fn close_stdin(&mut self) {
        drop(self.child.stdin.take());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// The exit status and the output of a command.
pub(crate) struct Outcome {
    status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// It ended well.
    pub(crate) fn success(self) -> Result<Self> {
        ensure!(self.status.success(), "{}: {}", self.status, self.stderr.trim());
        Ok(self)
    }

    /// It ended with exit code 1 and one line of error that holds `words`.
    pub(crate) fn fails_with(&self, words: &str) -> Result<()> {
        ensure!(self.status.code() == Some(1), "exit {} instead of 1: {}", self.status, self.stdout);
        let mut errors = self.stderr.lines().skip_while(|line| !line.starts_with("error: "));
        let line = errors.next().with_context(|| format!("no error line: {}", self.stderr))?;
        ensure!(line.contains(words), "the error does not say `{words}`: {line}");
        ensure!(errors.next().is_none(), "more than one line: {}", self.stderr);
        Ok(())
    }

    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The last line, where `cluster up` prints the kubeconfig.
    pub(crate) fn last_line(&self) -> Result<&str> {
        self.stdout.lines().last().context("it printed nothing")
    }
}

/// Waits for something to hold.
pub(crate) fn eventually(limit: Duration, mut holds: impl FnMut() -> Result<()>) -> Result<()> {
    let deadline = Instant::now() + limit;
    loop {
        match holds() {
            Ok(()) => return Ok(()),
            Err(error) if Instant::now() > deadline => {
                return Err(error.context(format!("not within {} s", limit.as_secs())));
            }
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// Whether anyone accepts connections there; `server` is an address such as `https://127.0.0.1:6443`.
pub(crate) fn listens(server: &str) -> Result<bool> {
    let port: u16 =
        server.rsplit(':').next().and_then(|port| port.parse().ok()).context("no port in the address")?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    Ok(TcpStream::connect_timeout(&address, Duration::from_secs(5)).is_ok())
}

/// Every process with its command line. Not every Linux has `ps`, and nothing else has Linux's `/proc`.
fn command_lines() -> Result<Vec<(u32, String)>> {
    if cfg!(target_os = "linux") {
        let entries = std::fs::read_dir("/proc").context("can't read /proc")?.flatten();
        let line = |entry: std::fs::DirEntry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            Some((pid, String::from_utf8_lossy(&line).replace('\0', " ")))
        };
        return Ok(entries.filter_map(line).collect());
    }
    let output =
        Command::new("ps").args(["-A", "-ww", "-o", "pid=,args="]).output().context("can't run ps")?;
    let lines = String::from_utf8_lossy(&output.stdout);
    let line = |line: &str| {
        let (pid, line) = line.trim_start().split_once(' ')?;
        Some((pid.parse().ok()?, line.to_owned()))
    };
    Ok(lines.lines().filter_map(line).collect())
}

/// The user's number, read off a folder of theirs.
fn uid(folder: &tempfile::TempDir) -> u32 {
    use std::os::unix::fs::MetadataExt;
    folder.path().metadata().map(|metadata| metadata.uid()).unwrap_or_default()
}
