//! Replays of recordings.

mod collections;
mod compare;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod driver;
mod log;
mod report;
mod server;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use client_rs_controller::Manager;

pub use self::report::{Difference, ReplayReport};
use crate::simulation::{Program, Replica, Simulation};

/// Set in the process of a replay.
const WORKER: &str = "CLIENT_RS_REPLAY_WORKER";

/// A replay of a [recording](client_rs_controller::recording): *your* manager, as it is now, in the situations of then.
///
/// Each recorded run is made again, at its recorded time and with the recorded versions in the caches. Its requests are answered
/// from the recording. Its writes are compared with the recorded ones, byte for byte, after secrets have been hidden.
///
/// ```no_run
/// use client_rs_controller::Manager;
/// use client_rs_simulation::{Replay, Replica};
///
/// # fn manager(replica: &Replica) -> Manager { unimplemented!() }
/// #[test]
/// # fn hidden() {}
/// fn writes_as_in_production() {
///     Replay::new("tests/recording.jsonl", |replica| async move { Ok::<_, String>(manager(&replica)) })
///         .check("writes_as_in_production");
/// }
/// ```
///
/// - **Determinism**: the replay has a process of its own, one thread, a simulated clock, and random numbers from a fixed seed. Values
///   that the recorded program drew at random differ: [`ignore`](Self::ignore) them.
/// - **What is replayed**: runs of [`Controller`](client_rs_controller::Controller)s and
///   [`KeyedController`](client_rs_controller::KeyedController)s. The queue is not asked: each recorded run is made,
///   and no other. Predicates and mapping functions have no effect.
/// - **What is compared**: all requests of a run that it sends itself, not those of tasks that it has spawned. Leases are granted, Events
///   are accepted, neither is compared.
/// - **Caches**: those of the informers that a controller names have exactly the recorded version when a run begins, when it reads through
///   a `ClusterClient`, and when it gets a response. Other reads can differ if the cache changes at that moment. Other informers follow
///   the order in which their events arrived.
/// - **Derived collections** have the recorded state when a run of a `CollectionController` begins, and when an `ApplySink` or a
///   `StatusSink` reads them, as far as it comes from informers. Files, channels and other inputs of a graph are not recorded: a replay
///   reads files as they are now.
/// - **Values**: a recording without them is refused. One whose reader was too slow is replayed up to there, and the report says so
///   ([`ends_early`](ReplayReport::ends_early)).
/// - **A difference** does not stop a run: it gets the recorded response all the same, until it sends another request than the recorded
///   one. That one is refused.
/// - **Limits**: Linux with 64 bits, as for [`Simulation`](crate::Simulation). The whole recording is in memory.
#[derive(Clone)]
#[must_use = "it runs with `check` or `run`"]
pub struct Replay {
    file: PathBuf,
    program: Program,
    ignored: BTreeSet<String>,
    differences: usize,
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Replay {
    /// Replays a file with a manager. The function builds it, as for [`Simulation::new`](crate::Simulation::new).
    pub fn new<F, T, E>(file: impl Into<PathBuf>, build: F) -> Self
    where
        F: Fn(Replica) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Manager, E>> + Send + 'static,
        E: fmt::Display,
    {
        let program = Arc::clone(&Simulation::new(build).program);
        Self { file: file.into(), program, ignored: BTreeSet::new(), differences: 1 }
    }

    /// Leaves a field of bodies out of the comparison, such as `status.lastSeen`, or `status.peers[].seen` in each item of a list.
    pub fn ignore(mut self, field: impl Into<String>) -> Self {
        self.ignored.insert(field.into());
        self
    }

    /// The number of runs that differ after which it stops. Default: 1.
    pub fn differences(mut self, most: usize) -> Self {
        self.differences = most.max(1);
        self
    }

    /// Whether this is the process of a replay. A test that makes its recording itself must not make it again there.
    pub fn is_worker() -> bool {
        std::env::var_os(WORKER).is_some()
    }

    /// Replays in a test, and panics with the differences if there are some. `name` is that of the test, as for
    /// [`Simulation::check`](crate::Simulation::check).
    ///
    /// # Panics
    ///
    /// If a run differs, or if the recording can't be replayed.
    pub fn check(self, name: &str) {
        let thread = std::thread::current();
        let name = thread.name().filter(|name| *name != "main").unwrap_or(name);
        let arguments = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
        match self.run(&arguments) {
            Ok(report) if report.differences.is_empty() => println!("replay {name}: {report}"),
            Ok(report) => panic!("replay {name}: {report}"),
            Err(error) => panic!("replay {name}: {error}"),
        }
    }

    /// Replays. The process of the replay is one of this program with these arguments, which must lead to this same call: there it
    /// does not return.
    ///
    /// # Errors
    ///
    /// If the file can't be read, or if the program does not run the controllers of the recording.
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    pub fn run(&self, arguments: &[String]) -> io::Result<ReplayReport> {
        use std::io::{Read as _, Write as _};
        use std::os::fd::{AsFd as _, OwnedFd};
        use std::os::unix::net::UnixStream;
        use std::process::{Command, Stdio};

        if Self::is_worker() {
            let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
            let replay = self.clone();
            crate::os::take_over(0);
            // A new thread has new keys for its hash maps.
            let replayed = std::thread::spawn(move || {
                fastrand::seed(0);
                driver::replay(&replay.file, &replay.program, &replay.ignored, replay.differences)
                    .map_err(|error| error.to_string())
            });
            let replayed = replayed.join().unwrap_or_else(|_| Err("the replay panicked".to_owned()));
            let sent = serde_json::to_vec(&replayed).map(|bytes| socket.write_all(&bytes));
            std::process::exit(i32::from(!matches!(sent, Ok(Ok(())))));
        }
        let (mut ours, theirs) = UnixStream::pair()?;
        let mut child = Command::new(std::env::current_exe()?)
            .args(arguments)
            .env(WORKER, "1")
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .spawn()?;
        let mut bytes = Vec::new();
        let read = ours.read_to_end(&mut bytes);
        child.wait()?;
        read?;
        let replayed: Result<ReplayReport, String> = serde_json::from_slice(&bytes).map_err(|_| {
            io::Error::other(
                "the replay ended without a result: is the test's name the one that `cargo test -- --list` prints?",
            )
        })?;
        replayed.map_err(io::Error::other)
    }

    /// Replays. Not on this system: it always fails.
    ///
    /// # Errors
    ///
    /// Always.
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    pub fn run(&self, _: &[String]) -> io::Result<ReplayReport> {
        Err(io::Error::other("the replay needs Linux with 64 bits"))
    }
}
