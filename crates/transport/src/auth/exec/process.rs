//! Runs a program.

use std::{ffi::OsString, future::Future, path::PathBuf, pin::Pin, process::Stdio, time::Duration};

use tokio::{io::AsyncReadExt, process::Command, runtime::Handle};

/// More than any credential needs; a program that prints without end is stopped here.
const MAX_OUTPUT: u64 = 1 << 20;

/// A program to run.
#[derive(Clone, Debug)]
pub(super) struct Invocation {
    pub(super) program: PathBuf,
    pub(super) args: Vec<String>,
    /// On top of this process's environment.
    pub(super) env: Vec<(String, OsString)>,
    /// Hand standard input through?
    pub(super) stdin: bool,
    pub(super) timeout: Duration,
}

/// Why there is no output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunError {
    Exit(i32),
    TimedOut,
    TooMuch,
    System(String),
}

pub(super) type Running = Pin<Box<dyn Future<Output = Result<Vec<u8>, RunError>> + Send>>;

/// Runs programs: the system, or a test.
pub(super) trait Run: Send + Sync {
    /// Runs the program to its end and returns its standard output. Its standard error is this process's.
    fn run(&self, invocation: Invocation) -> Running;
}

/// Runs programs for real. A program whose time is up, or whose caller is gone, is killed.
#[derive(Debug)]
pub(super) struct System;

impl Run for System {
    fn run(&self, invocation: Invocation) -> Running {
        Box::pin(async move {
            let timeout = invocation.timeout;
            tokio::time::timeout(timeout, run(invocation)).await.unwrap_or(Err(RunError::TimedOut))
        })
    }
}

async fn run(invocation: Invocation) -> Result<Vec<u8>, RunError> {
    let system = |error: std::io::Error| RunError::System(error.to_string());
    let runtime = Handle::current();
    // To start a program can take a while (a slow disk, a large process to fork): not on an async worker.
    let started = tokio::task::spawn_blocking(move || {
        let _context = runtime.enter();
        Command::new(&invocation.program)
            .args(&invocation.args)
            .envs(invocation.env)
            .stdin(if invocation.stdin { Stdio::inherit() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
    });
    let mut child = started.await.map_err(|error| RunError::System(error.to_string()))?.map_err(system)?;
    let mut output = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(MAX_OUTPUT + 1).read_to_end(&mut output).await.map_err(system)?;
    }
    if u64::try_from(output.len()).is_ok_and(|length| length > MAX_OUTPUT) {
        return Err(RunError::TooMuch);
    }
    let status = child.wait().await.map_err(system)?;
    if status.success() { Ok(output) } else { Err(RunError::Exit(status.code().unwrap_or(-1))) }
}
