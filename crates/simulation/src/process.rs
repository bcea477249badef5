//! A process: a runtime of its own on a clock of its own. Killing it drops all of its tasks, also detached ones.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

use crate::os;

/// A simulated process.
///
/// It has a runtime with one thread, the caller's, on a paused clock. It runs only inside [`run`](Self::run) and
/// [`block_on`](Self::block_on). Dropping it kills it: all tasks of its runtime are dropped where they are.
#[derive(Debug)]
pub struct Process {
    runtime: Runtime,
    /// The start, by its own clock and by that of the simulation.
    start: Instant,
    began: Duration,
    /// The time up to which it has run.
    ran: Duration,
    /// The seconds by which its wall clock is ahead.
    skew: i64,
}

impl Process {
    /// Starts a process at this time.
    pub fn new(now: Duration) -> io::Result<Self> {
        os::set_time(now);
        os::set_skew(0);
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
        let start = runtime.block_on(async { Instant::now() });
        Ok(Self { runtime, start, began: now, ran: now, skew: 0 })
    }

    /// Runs all of its tasks up to this time. Timers that fall due on the way do so in their order.
    pub fn run(&mut self, to: Duration) {
        self.take_clock(to);
        let end = self.start + to.saturating_sub(self.began);
        self.runtime.block_on(async move { tokio::time::sleep_until(end).await });
        self.ran = to;
    }

    /// Continues after a pause: its clock has passed, and all timers that fell due meanwhile are due at once.
    pub fn wake(&mut self, now: Duration) {
        self.take_clock(now);
        let missed = now.saturating_sub(self.ran);
        self.runtime.block_on(tokio::time::advance(missed));
        self.ran = now;
    }

    /// Runs a future now, with all tasks that are ready.
    pub fn block_on<T>(&mut self, now: Duration, future: impl Future<Output = T>) -> T {
        self.take_clock(now);
        self.runtime.block_on(future)
    }

    /// Lets its wall clock jump to this many seconds ahead of the simulation's, or behind it. Its timers do not notice.
    pub fn set_skew(&mut self, seconds: i64) {
        self.skew = seconds;
    }

    fn take_clock(&self, now: Duration) {
        os::set_time(now);
        os::set_skew(self.skew);
    }

    /// The runtime.
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }
}
