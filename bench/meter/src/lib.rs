//! The measurement and the output of both Rust clients of `cargo xtask bench informer`.
//!
//! A client syncs, becomes idle and prints a line; then it runs its phases. In each phase the server sends changes
//! and at last a deletion, which ends the phase for every handler that is notified of it. When all are, the client
//! prints a line. One line is one JSON object. The Go side (bench/go/cmd/informer) does the same; change both
//! together.
//!
//! Live heap is the count of the allocator: glibc's `mallinfo2`, so chunks with their headers and rounding. Its peak
//! during a relist is counted in every call of the allocator instead, in requested sizes; only then, because counting
//! costs time.

mod counting;
mod handlers;
mod usage;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub use counting::Counting;
pub use handlers::Handlers;

/// The arguments of both clients.
#[derive(clap::Args, Clone, Debug)]
pub struct Asked {
    /// How the server is reached
    #[arg(long)]
    pub kubeconfig: PathBuf,
    /// How many objects there are
    #[arg(long)]
    pub objects: usize,
    /// The resource to cache
    #[arg(long, default_value = "pods")]
    pub resource: String,
    /// The number of handlers
    #[arg(long, default_value_t = 1)]
    pub handlers: usize,
    /// Block the first handler forever in its first change
    #[arg(long)]
    pub blocked: bool,
    /// The phases after the sync, in order
    #[arg(long, value_delimiter = ',')]
    pub phases: Vec<Phase>,
}

/// The actions of the server after the client has synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Phase {
    /// Changes as fast as they are taken
    Burst,
    /// Changes one by one, each with the time at which it was sent
    Paced,
    /// The watch expires, and the list has not changed
    Relist,
}

/// How long a client is left alone before it is measured: garbage is collected and buffers are freed meanwhile.
const REST: Duration = Duration::from_millis(300);

/// How long many informers are left alone before they are observed: threads that helped with the first lists end meanwhile.
const SETTLE: Duration = Duration::from_secs(15);

/// How long many informers are observed while nothing happens.
const IDLE: Duration = Duration::from_secs(20);

/// Measures one client from its start.
pub struct Meter {
    asked: Asked,
    start: Instant,
    heap_before: u64,
}

impl Meter {
    /// Begins; call it first of all.
    pub fn start(asked: &Asked) -> Self {
        if asked.phases.contains(&Phase::Relist) {
            counting::begin();
        }
        Self { asked: asked.clone(), start: Instant::now(), heap_before: usage::allocated() }
    }

    /// Reports the cost of the sync, with the number of connections and the CPU time while nothing happens. `objects` are
    /// in the caches.
    pub fn measure_idle(&self, objects: usize) {
        let mut line = self.synced(objects);
        line["connections"] = usage::connections().into();
        std::thread::sleep(SETTLE);
        let before = usage::cpu_time();
        std::thread::sleep(IDLE);
        let spent = usage::cpu_time() - before;
        line["idle_us_a_second"] = (spent.as_secs_f64() * 1e6 / IDLE.as_secs_f64()).into();
        println!("{line}");
    }

    /// The cost of the sync.
    fn synced(&self, objects: usize) -> Value {
        assert_eq!(objects, self.asked.objects, "objects in the cache");
        let wall = self.start.elapsed();
        std::thread::sleep(REST);
        let heap = usage::allocated().saturating_sub(self.heap_before);
        json!({
            "phase": "synced",
            "wall_ms": wall.as_secs_f64() * 1e3,
            "cpu_ms": usage::cpu_time().as_secs_f64() * 1e3,
            "peak_mb": usage::peak_resident(),
            "heap_bytes": heap,
        })
    }

    /// Reports the cost of the sync, then that of each phase. `objects` are in the cache.
    pub fn measure(&self, objects: usize, handlers: &Handlers) {
        let synced = self.synced(objects);
        let mut phases = self.asked.phases.iter().copied();
        let mut phase = phases.next();
        let mut before = Before::now(phase, handlers);
        // A line sets the server going, so all must be ready when it is printed.
        println!("{synced}");
        while let Some(current) = phase {
            handlers.wait();
            let end = handlers::unix_nanos();
            let peak = counting::peak();
            std::thread::sleep(REST);
            let (told, lags) = handlers.tally();
            let at = |share: usize| lags.get((lags.len() * share / 100).min(lags.len().saturating_sub(1)));
            let line = json!({
                "phase": format!("{current:?}").to_lowercase(),
                "cpu_ms": (usage::cpu_time() - before.cpu).as_secs_f64() * 1e3,
                "end_ns": end,
                "told": told,
                "lag_p50_us": at(50),
                "lag_p99_us": at(99),
                "steady_bytes": before.steady,
                "peak_bytes": peak,
                "peak_mb": usage::peak_resident(),
            });
            phase = phases.next();
            before = Before::now(phase, handlers);
            println!("{line}");
        }
    }
}

/// The state at the start of a phase.
struct Before {
    cpu: Duration,
    steady: i64,
}

impl Before {
    fn now(phase: Option<Phase>, handlers: &Handlers) -> Self {
        handlers.note_times(phase == Some(Phase::Paced));
        counting::forget_peak();
        Self { cpu: usage::cpu_time(), steady: counting::live() }
    }
}
