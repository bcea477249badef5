//! A campaign: many histories, by workers in processes of their own.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::plan::{LONG, Plan};
use crate::record::Event;
use crate::report::{Explained, Failure, Summary};
use crate::simulation::{Mode, Simulation};
use crate::worker::{Answer, Ask, serve};

/// Set in the processes of workers.
const WORKER: &str = "CLIENT_RS_SIMULATION_WORKER";
/// The seed to repeat.
const SEED: &str = "CLIENT_RS_SEED";
/// Whether to print the whole history of a repeated seed.
const EXPLAIN: &str = "CLIENT_RS_EXPLAIN";
/// The number of random histories.
const SEEDS: &str = "CLIENT_RS_SIMULATION_SEEDS";
/// The mode.
const MODE: &str = "CLIENT_RS_SIMULATION_MODE";
/// The most histories of one fault each, in the quick mode.
const TARGETED: u32 = 450;
/// The most writes at which faults are tried if there is time.
const EVERY_WRITE: u32 = 1_000;
/// The most workers.
const WORKERS: usize = 8;

/// The options of glibc's allocator.
const TUNABLES: &str = "GLIBC_TUNABLES";
/// Its options in workers, whose histories are short: freed blocks are kept for the next use, and memory is not returned to the system.
/// Another libc ignores them.
const KEEP_MEMORY: &str = "glibc.malloc.tcache_count=65535:glibc.malloc.top_pad=33554432:\
    glibc.malloc.trim_threshold=1073741824:glibc.malloc.mmap_threshold=33554432";

impl Simulation {
    /// Runs the simulation in a test, and panics with an explanation if a property does not hold.
    ///
    /// `name` is the test's name as `cargo test -- --list` prints it, such as `tests::survives_faults`: histories are made by new
    /// processes of the same program, which run only this test.
    ///
    /// It makes one history without faults, one for each fault at each write of it, then [`seeds`](Self::seeds) random ones, on
    /// all cores. Their order does not matter: the failure is always that of the first one. Variables of the environment:
    ///
    /// | variable | effect |
    /// |---|---|
    /// | `CLIENT_RS_SEED=17` | makes only the history with this seed |
    /// | `CLIENT_RS_EXPLAIN=1` | with a seed: prints everything that happened, and stderr of the program |
    /// | `CLIENT_RS_SIMULATION_SEEDS=10000` | the number of random histories |
    /// | `CLIENT_RS_SIMULATION_MODE=long` | the [`Mode`] |
    ///
    /// # Panics
    ///
    /// If a property does not hold, if the same seed gives two histories, or if the simulation can't run.
    pub fn check(self, name: &str) {
        // Test harnesses name their threads after the tests.
        let thread = thread::current();
        let name = thread.name().filter(|name| *name != "main").unwrap_or(name);
        let arguments = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
        match self.campaign(name, &arguments) {
            Ok(summary) => println!("simulation {name}: {summary}"),
            Err(failure) => panic!("{failure}"),
        }
    }

    /// Runs the simulation in a test of this module: the code that [`test`](crate::test) generates calls it.
    #[doc(hidden)]
    pub fn check_in(self, module: &str, function: &str) {
        // The first part is the name of the program.
        let name = match module.split_once("::") {
            Some((_, module)) => format!("{module}::{function}"),
            None => function.to_owned(),
        };
        self.check(&name);
    }

    /// Runs the simulation. Workers are processes of this program with these arguments, which must lead to this same call: there
    /// it makes histories until its input ends, and does not return.
    ///
    /// [`check`](Self::check) does this for tests; use it in a program of your own.
    pub fn campaign(&self, name: &str, arguments: &[String]) -> Result<Summary, Box<Failure>> {
        if std::env::var_os(WORKER).is_some() {
            let code = i32::from(serve(self).is_err());
            std::process::exit(code);
        }
        let failed = |error: io::Error| Box::new(Failure::cannot_run(name, &error.to_string()));
        let other = |text: String| failed(io::Error::other(text));
        if let Some(problem) = &self.problem {
            return Err(other(problem.clone()));
        }
        let seed = std::env::var(SEED).ok();
        if let Some(seed) = seed {
            let plan: Plan = seed.parse().map_err(other)?;
            return self.replay(name, arguments, plan);
        }
        let mode = match std::env::var(MODE) {
            Ok(mode) => Mode::parse(&mode).map_err(other)?,
            Err(_) => self.mode,
        };
        let seeds = match std::env::var(SEEDS) {
            Ok(seeds) => seeds.parse().map_err(|_| other(format!("{SEEDS} is not a number: {seeds}")))?,
            Err(_) => self.seeds.unwrap_or(mode.seeds()),
        };
        let cores = || thread::available_parallelism().map_or(1, Into::into).min(WORKERS);
        let count = self.workers.unwrap_or_else(cores);
        let mut workers = Vec::new();
        // One seed is run in two processes.
        for _ in 0..count.max(2) {
            workers.push(Worker::start(arguments, false).map_err(failed)?);
        }
        let began = std::time::Instant::now();
        let calm = workers[0].run(Plan::Calm).map_err(failed)?;
        let (writes, cleanup_writes) = calm.writes;
        if calm.is_broken {
            return Err(self.explain(name, &mut workers[0], Plan::Calm, 1).map_err(failed)?);
        }
        let diverged = diverges(name, &mut workers, Plan::Random(0)).map_err(failed)?;
        if let Some(failure) = diverged {
            return Err(failure);
        }
        let mut plans = Vec::new();
        if self.targeted {
            let limited = |writes, most| u32::try_from(writes).unwrap_or(u32::MAX).min(most);
            let most = if mode == Mode::Quick { TARGETED / Plan::PER_WRITE } else { EVERY_WRITE };
            let deleting = limited(cleanup_writes, most / 3);
            plans.extend(Plan::targeted(limited(writes, most - deleting), deleting));
        }
        let first = self.first_seed.saturating_add(if mode == Mode::Long { LONG } else { 0 });
        plans.extend((0..seeds).map(|seed| Plan::Random(first.saturating_add(seed))));
        let next = AtomicUsize::new(0);
        // The first plan that fails; those after it need not be made.
        let found = AtomicUsize::new(usize::MAX);
        let errors: Mutex<Vec<io::Error>> = Mutex::default();
        thread::scope(|scope| {
            for worker in workers.iter_mut().take(count) {
                scope.spawn(|| {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(plan) = plans.get(place).filter(|_| place < found.load(Ordering::Relaxed))
                        else {
                            return;
                        };
                        match worker.run(*plan) {
                            Ok(ran) if ran.is_broken => {
                                found.fetch_min(place, Ordering::Relaxed);
                            }
                            Ok(_) => {}
                            Err(error) => {
                                found.fetch_min(place, Ordering::Relaxed);
                                errors.lock().unwrap_or_else(PoisonError::into_inner).push(error);
                                return;
                            }
                        }
                    }
                });
            }
        });
        if let Some(error) = errors.into_inner().unwrap_or_else(PoisonError::into_inner).pop() {
            return Err(failed(error));
        }
        let found = found.into_inner();
        if let Some(plan) = plans.get(found) {
            return Err(self.explain(name, &mut workers[0], *plan, found + 2).map_err(failed)?);
        }
        let writes = writes + cleanup_writes;
        Ok(Summary { histories: plans.len() + 1, writes, seconds: began.elapsed().as_secs_f64() })
    }

    fn explain(
        &self,
        name: &str,
        worker: &mut Worker,
        plan: Plan,
        histories: usize,
    ) -> io::Result<Box<Failure>> {
        let explained = worker.explain(plan)?;
        Ok(Box::new(Failure::of(self, name, plan, histories, &explained)))
    }

    fn replay(&self, name: &str, arguments: &[String], plan: Plan) -> Result<Summary, Box<Failure>> {
        let failed = |error: io::Error| Box::new(Failure::cannot_run(name, &error.to_string()));
        let explains = std::env::var_os(EXPLAIN).is_some_and(|value| value != "0");
        let began = std::time::Instant::now();
        let mut workers = Vec::new();
        for _ in 0..2 {
            workers.push(Worker::start(arguments, explains).map_err(failed)?);
        }
        if let Some(failure) = diverges(name, &mut workers, plan).map_err(failed)? {
            return Err(failure);
        }
        let explained = workers[0].explain(plan).map_err(failed)?;
        if explains {
            for event in &explained.whole.events {
                println!("{event}");
            }
        }
        if explained.whole.violation.is_some() {
            return Err(Box::new(Failure::of(self, name, plan, 1, &explained)));
        }
        let writes = explained.whole.writes + explained.whole.cleanup_writes;
        Ok(Summary { histories: 1, writes, seconds: began.elapsed().as_secs_f64() })
    }
}

/// Makes a history in two processes, and compares them.
fn diverges(name: &str, workers: &mut [Worker], plan: Plan) -> io::Result<Option<Box<Failure>>> {
    let mut digests = Vec::new();
    for worker in workers.iter_mut().take(2) {
        digests.push(worker.run(plan)?.digest);
    }
    if digests.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(None);
    }
    let mut histories: Vec<Vec<Event>> = Vec::new();
    for worker in workers.iter_mut().take(2) {
        histories.push(worker.explain(plan)?.whole.events);
    }
    Ok(Some(Box::new(Failure::diverged(name, plan, &histories[0], &histories[1]))))
}

/// The end of a history.
struct Ran {
    is_broken: bool,
    digest: u64,
    /// The number of writes until the user deletes everything, and after that.
    writes: (u64, u64),
}

/// The process of a worker. Dropping it ends it.
struct Worker {
    child: Child,
    answers: BufReader<UnixStream>,
}

impl Worker {
    fn start(arguments: &[String], shows: bool) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let stderr = if shows { Stdio::inherit() } else { Stdio::null() };
        let child = Command::new(std::env::current_exe()?)
            .args(arguments)
            .env(WORKER, "1")
            .env(TUNABLES, std::env::var_os(TUNABLES).unwrap_or_else(|| KEEP_MEMORY.into()))
            .env_remove(SEED)
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()?;
        Ok(Self { child, answers: BufReader::new(ours) })
    }

    fn ask(&mut self, ask: &Ask) -> io::Result<Answer> {
        let mut text = serde_json::to_string(ask).map_err(io::Error::other)?;
        text.push('\n');
        let lost = || {
            io::Error::other(
                "a worker ended without a response: is the test's name the one that `cargo test -- --list` prints?",
            )
        };
        self.answers.get_mut().write_all(text.as_bytes()).map_err(|_| lost())?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(lost());
        }
        serde_json::from_str(&line).map_err(io::Error::other)
    }

    /// Makes a history.
    fn run(&mut self, plan: Plan) -> io::Result<Ran> {
        match self.ask(&Ask::Run(plan))? {
            Answer::Ran { violation, digest, writes, cleanup_writes } => {
                Ok(Ran { is_broken: violation.is_some(), digest, writes: (writes, cleanup_writes) })
            }
            Answer::Failed(error) => Err(io::Error::other(error)),
            Answer::Explained(_) => Err(io::Error::other("a worker answered another request")),
        }
    }

    fn explain(&mut self, plan: Plan) -> io::Result<Explained> {
        match self.ask(&Ask::Explain(plan))? {
            Answer::Explained(explained) => Ok(*explained),
            Answer::Failed(error) => Err(io::Error::other(error)),
            Answer::Ran { .. } => Err(io::Error::other("a worker answered another request")),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may be in the middle of a history.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
