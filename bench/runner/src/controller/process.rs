//! A program of the benchmark: lines in, lines of JSON out, and the resources that it uses.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;
use serde_json::Value;

/// A running program. All of them end when their standard input closes, so none is left behind if this program is killed.
/// Dropping it kills it.
pub(super) struct Process {
    name: &'static str,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Resources so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Usage {
    pub(super) cpu_ms: f64,
    pub(super) peak_mb: f64,
    pub(super) resident_mb: f64,
}

/// How long a program may take to end.
const TO_END: Duration = Duration::from_mins(1);
/// How often another program is checked while one works.
const CHECK: Duration = Duration::from_millis(200);

impl Process {
    pub(super) fn start(name: &'static str, command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {name}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = channel();
        let process = Self { name, child, input, lines };
        let output = BufReader::new(output.context("no output")?);
        // It ends with the program, which closes its output.
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(process)
    }

    /// Sends a line and returns the next one. Fails as soon as this program or `other` has ended.
    pub(super) fn ask(
        &mut self,
        command: &str,
        within: Duration,
        mut other: Option<&mut Self>,
    ) -> Result<Value> {
        let input = self.input.as_mut().context("its input is closed")?;
        writeln!(input, "{command}").with_context(|| format!("{} is gone", self.name))?;
        let deadline = Instant::now() + within;
        loop {
            match self.lines.recv_timeout(CHECK) {
                Ok(line) => return self.parsed(&line),
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("{} ended with {}", self.name, self.child.wait()?)
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(other) = &mut other
                        && let Some(status) = other.child.try_wait()?
                    {
                        bail!("{} ended with {status}", other.name);
                    }
                    ensure!(
                        Instant::now() < deadline,
                        "{} did not answer {command:?} in {within:?}",
                        self.name
                    );
                }
            }
        }
    }

    /// Returns the next line.
    pub(super) fn line(&mut self, within: Duration) -> Result<Value> {
        match self.lines.recv_timeout(within) {
            Ok(line) => self.parsed(&line),
            Err(RecvTimeoutError::Timeout) => bail!("{} printed nothing for {within:?}", self.name),
            Err(RecvTimeoutError::Disconnected) => bail!("{} ended with {}", self.name, self.child.wait()?),
        }
    }

    fn parsed(&self, line: &str) -> Result<Value> {
        serde_json::from_str(line).with_context(|| format!("{} printed {line:?}", self.name))
    }

    /// Closes its input, waits for its end and returns its last line, if it has printed one.
    pub(super) fn end(mut self) -> Result<Option<Value>> {
        drop(self.input.take());
        let (deadline, mut last) = (Instant::now() + TO_END, None);
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => last = Some(line),
                Err(RecvTimeoutError::Timeout) => bail!("{} did not end within {TO_END:?}", self.name),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = self.child.wait()?;
        ensure!(status.success(), "{} ended with {status}", self.name);
        last.map(|line| self.parsed(&line)).transpose()
    }

    pub(super) fn usage(&self) -> Result<Usage> {
        let read = |file: &str| {
            let path = format!("/proc/{}/{file}", self.child.id());
            std::fs::read_to_string(&path).with_context(|| format!("can't read {path}: this needs Linux"))
        };
        let (peak_mb, resident_mb) =
            memory(&read("status")?).context("/proc has another form than expected")?;
        Ok(Usage { cpu_ms: self.cpu()?.as_secs_f64() * 1e3, peak_mb, resident_mb })
    }

    /// User and system time. `/proc` counts in hundredths of a second, which is too coarse for differences of a few percent.
    fn cpu(&self) -> Result<Duration> {
        let id = i32::try_from(self.child.id()).context("no process has this number")?;
        let clock = clock_getcpuclockid(Pid::from_raw(id)).context("the process has no clock")?;
        Ok(clock.now().context("can't read the clock of the process")?.into())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The largest and the current resident set, in megabytes.
fn memory(status: &str) -> Option<(f64, f64)> {
    let megabytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        Some(kib * 1024.0 / 1e6)
    };
    Some((megabytes("VmHWM:")?, megabytes("VmRSS:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn memory_is_read_from_proc() {
        let status = "Name:\tx\nVmHWM:\t  2000 kB\nVmRSS:\t   1000 kB\n";
        assert_eq!(memory(status), Some((2.048, 1.024)));
        assert_eq!(memory("Name:\tx\n"), None);
    }

    #[test]
    fn a_program_answers_lines_and_ends_when_its_input_closes() {
        let script = r#"while read line; do echo "{\"got\":\"$line\"}"; done; echo '{"end":1}'"#;
        let mut process = Process::start("sh", Command::new("sh").args(["-c", script])).unwrap();
        assert_eq!(process.ask("a", LONG, None).unwrap()["got"], "a");
        let used = process.usage().unwrap();
        assert!(used.cpu_ms > 0.0 && used.peak_mb >= used.resident_mb && used.resident_mb > 0.0, "{used:?}");
        assert_eq!(process.end().unwrap().unwrap()["end"], 1);
    }

    #[test]
    fn a_program_that_fails_is_an_error() {
        let mut silent = Process::start("cat", Command::new("sh").args(["-c", "cat > /dev/null"])).unwrap();
        let mut failing = Process::start("other", Command::new("sh").args(["-c", "exit 4"])).unwrap();
        let error = silent.ask("a", LONG, Some(&mut failing)).unwrap_err();
        assert_eq!(error.to_string(), "other ended with exit status: 4");
        let mut process = Process::start("sh", Command::new("sh").args(["-c", "exit 3"])).unwrap();
        assert!(process.line(LONG).unwrap_err().to_string().contains("exit status: 3"));
    }
}
