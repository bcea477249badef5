//! Runs a program.

use std::{ffi::OsString, future::Future, path::PathBuf, pin::Pin, process::Stdio, time::Duration};

use tokio::{io::AsyncReadExt, process::Command, runtime::Handle};

/// A limit above the size of any credential. A program that prints without end is stopped here.
const MAX_OUTPUT: u64 = 1 << 20;

/// A program to run.
#[derive(Clone, Debug)]
pub(super) struct Invocation {
    pub(super) program: PathBuf,
    pub(super) args: Vec<String>,
    /// In addition to this process's environment.
    pub(super) env: Vec<(String, OsString)>,
    /// Whether the program inherits standard input.
    pub(super) stdin: bool,
    pub(super) timeout: Duration,
}

/// The program returned no output.
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
    /// Runs the program to its end and returns its standard output. Its standard error is that of this process.
    fn run(&self, invocation: Invocation) -> Running;
}

/// Runs real programs. A program is killed when its time is up or its caller is dropped.
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
    // Starting a program can take a while (a slow disk, a large process to fork): do not block an async worker.
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
