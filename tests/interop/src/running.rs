//! A program that runs while something is checked.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_tests_tools::workspace;

/// How long something may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A program that ends with this one.
pub(crate) struct Running {
    name: &'static str,
    child: Child,
}

impl Running {
    pub(crate) fn start(name: &'static str, command: &mut Command) -> Result<Self> {
        Ok(Self { name, child: command.spawn().with_context(|| format!("can't start {name}"))? })
    }

    /// The process, for its pipes.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether it still runs; an error contains its exit status.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => bail!("{} ended with {status}", self.name),
        }
    }

    /// Ends it as a cluster does, and waits; it must end without an error.
    pub(crate) fn end(&mut self) -> Result<()> {
        workspace::run(Command::new("kill").args(["-TERM", &self.child.id().to_string()]))?;
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                ensure!(status.success(), "{} ended with {status}", self.name);
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("{} does not end", self.name)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
