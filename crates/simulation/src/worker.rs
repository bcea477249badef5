//! A worker: a process that makes histories. Each one runs in a copy of the process, so all of them begin in the same state.
//!
//! Parts of tokio take numbers from counters of the process, and hash maps from the thread: a history that runs after another one
//! in the same process would not be the one that its seed has in a new process.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::os;
use crate::plan::{Op, Plan, calm};
use crate::report::Explained;
use crate::simulation::Simulation;
use crate::state::{Objects, differing_paths};
use crate::world::{Base, Outcome, Violation, Warm, World};

/// The longest real time of one history.
const LIMIT: Duration = Duration::from_mins(10);
/// The replicas start with the history.
const COLD: bool = false;
/// The most histories that shrinking tries.
const TRIES: u32 = 400;

/// A request to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// Make a history.
    Run(Plan),
    /// Make a history, and shrink it if it breaks a property.
    Explain(Plan),
}

/// Its response.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// The end of a history.
    Ran { violation: Option<Violation>, digest: u64, writes: u64, cleanup_writes: u64 },
    /// The shrunk history, and the whole one.
    Explained(Box<Explained>),
    /// The simulation can't run.
    Failed(String),
}

/// Serves requests on standard input, which is a socket, until it closes.
pub(crate) fn serve(simulation: &Simulation) -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut lines = BufReader::new(socket.try_clone()?).lines();
    let mut socket = socket;
    os::take_over(0);
    // A thread takes the keys of its hash maps when it makes the first one. This thread may have made some.
    let simulation = simulation.clone();
    let serving = std::thread::spawn(move || -> io::Result<()> {
        fastrand::seed(0);
        let mut worker = Worker::new(simulation);
        while let Some(line) = lines.next().transpose()? {
            let ask = serde_json::from_str(&line).map_err(io::Error::other)?;
            let answer = match &mut worker {
                Ok(worker) => worker.answer(&ask),
                Err(error) => Answer::Failed(error.to_string()),
            };
            let mut text = serde_json::to_string(&answer).map_err(io::Error::other)?;
            text.push('\n');
            socket.write_all(text.as_bytes())?;
        }
        Ok(())
    });
    serving.join().map_err(|_| io::Error::other("the worker panicked"))?
}

/// The parts of a history that somebody needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parts {
    /// The broken property, the digest and the numbers.
    Result,
    /// The final state too.
    State,
    /// The events too.
    All,
}

struct Worker {
    simulation: Simulation,
    base: Base,
    /// The beginning of histories whose replicas run already.
    warm: Option<Warm>,
    /// Fields that differ between two runs without faults, in addition to those that the user ignores.
    ignored: BTreeSet<String>,
    /// The ends of runs without faults, by their steps.
    references: BTreeMap<String, Result<BTreeMap<String, Value>, Outcome>>,
}

impl Worker {
    fn new(simulation: Simulation) -> io::Result<Self> {
        let base = Base::new(&simulation)?;
        let ignored = simulation.ignored.clone();
        let mut worker = Self { simulation, base, warm: None, ignored, references: BTreeMap::new() };
        let ops = calm(&Plan::Calm.ops(&worker.simulation.shape()));
        let (one, other) =
            (worker.run(&ops, COLD, 1, None, Parts::State)?, worker.run(&ops, COLD, 2, None, Parts::State)?);
        let works = one.violation.is_none();
        let (one, other) = (one.state.normal(&worker.ignored), other.state.normal(&worker.ignored));
        worker.ignored.extend(differing_paths(&one, &other));
        // A program that hangs would hang this process, too.
        if works {
            worker.warm = Warm::new(&worker.simulation)?;
        }
        Ok(worker)
    }

    /// Makes a history in a copy of this process, and returns these parts of it.
    fn run(
        &mut self,
        ops: &[Op],
        is_warm: bool,
        seed: u64,
        reference: Option<&BTreeMap<String, Value>>,
        parts: Parts,
    ) -> io::Result<Outcome> {
        let (simulation, ignored) = (&self.simulation, &self.ignored);
        let (base, mut started) = match &mut self.warm {
            Some(warm) if is_warm => (&mut warm.base, Some(&mut warm.started)),
            _ => (&mut self.base, None),
        };
        let history = || -> Vec<u8> {
            os::reseed(seed);
            let mut made = || -> io::Result<Outcome> {
                fastrand::seed(seed);
                let started = started.as_mut().and_then(|started| started.take());
                let mut world = World::new(simulation, &mut *base, seed, ignored, reference, started)?;
                for op in ops {
                    world.apply(*op)?;
                }
                let mut outcome = world.finish()?;
                outcome.digest = digest(&outcome);
                // The rest is large: a campaign needs it of few histories.
                if parts != Parts::All {
                    outcome.events.clear();
                }
                if parts == Parts::Result {
                    outcome.state = Objects::default();
                }
                Ok(outcome)
            };
            // A new thread has new keys for its hash maps.
            let outcome = std::thread::scope(|scope| scope.spawn(&mut made).join());
            let outcome = match outcome {
                Ok(outcome) => outcome.map_err(|error| error.to_string()),
                Err(panic) => Err(panic_text(panic.as_ref())),
            };
            serde_json::to_vec(&outcome).unwrap_or_default()
        };
        let bytes = os::in_a_copy(LIMIT, history)?;
        let Some(bytes) = bytes else {
            let text = format!("a history crashed, or took more than {} s of real time", LIMIT.as_secs());
            let violation = Violation { property: "the program does not crash or hang".to_owned(), text };
            return Ok(Outcome { violation: Some(violation), ..Outcome::default() });
        };
        let outcome: Result<Outcome, String> = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
        outcome.map_err(io::Error::other)
    }

    /// Makes a history, compared with that of the same changes without faults.
    fn compared(&mut self, ops: &[Op], plan: Plan, parts: Parts) -> io::Result<Outcome> {
        let steps = calm(ops);
        let key = format!("{steps:?}");
        let reference = if let Some(reference) = self.references.remove(&key) {
            reference
        } else {
            let outcome = self.run(&steps, COLD, 1, None, Parts::All)?;
            if outcome.violation.is_some() { Err(outcome) } else { Ok(outcome.state.normal(&self.ignored)) }
        };
        let outcome = match &reference {
            Ok(expected) => self.run(ops, plan.is_warm(), plan.seed(), Some(expected), parts),
            // It needs no fault.
            Err(outcome) => Ok(outcome.clone()),
        };
        self.references.insert(key, reference);
        outcome
    }

    fn answer(&mut self, ask: &Ask) -> Answer {
        let answer = match ask {
            Ask::Run(plan) => {
                let ops = plan.ops(&self.simulation.shape());
                self.compared(&ops, *plan, Parts::Result).map(|outcome| Answer::Ran {
                    digest: outcome.digest,
                    writes: outcome.writes,
                    cleanup_writes: outcome.cleanup_writes,
                    violation: outcome.violation,
                })
            }
            Ask::Explain(plan) => self.explain(*plan).map(|explained| Answer::Explained(Box::new(explained))),
        };
        answer.unwrap_or_else(|error| Answer::Failed(error.to_string()))
    }

    fn explain(&mut self, plan: Plan) -> io::Result<Explained> {
        let ops = plan.ops(&self.simulation.shape());
        let whole = self.compared(&ops, plan, Parts::All)?;
        let Some(violation) = whole.violation.clone() else {
            return Ok(Explained { shrunk: whole.clone(), whole, ops, tries: 0 });
        };
        // A fault that does not matter is removed with everything else.
        let (mut best, mut tries) = (ops, 0);
        let mut parts = 2;
        while !best.is_empty() && tries < TRIES {
            let size = best.len().div_ceil(parts).max(1);
            let mut shorter = None;
            for from in (0..best.len()).step_by(size) {
                let mut rest = best.clone();
                rest.drain(from..(from + size).min(rest.len()));
                tries += 1;
                if self.breaks(&rest, plan, &violation)? {
                    shorter = Some(rest);
                    break;
                }
            }
            match shorter {
                Some(shorter) => {
                    best = shorter;
                    parts = parts.saturating_sub(1).max(2);
                }
                None if size == 1 => break,
                None => parts = (parts * 2).min(best.len()),
            }
        }
        // Then simpler steps. The first states of a generated object are its simplest ones.
        for place in 0..best.len() {
            for simpler in best[place].simpler() {
                let mut rest = best.clone();
                rest[place] = simpler;
                tries += 1;
                if tries < TRIES && self.breaks(&rest, plan, &violation)? {
                    best = rest;
                    break;
                }
            }
        }
        let shrunk = self.compared(&best, plan, Parts::All)?;
        Ok(Explained { whole, ops: best, shrunk, tries })
    }

    /// Whether these steps break the same property.
    fn breaks(&mut self, ops: &[Op], plan: Plan, violation: &Violation) -> io::Result<bool> {
        let outcome = self.compared(ops, plan, Parts::Result)?;
        Ok(outcome.violation.is_some_and(|found| found.property == violation.property))
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("the simulation panicked: {text}")
}

/// A number for the bytes of a history.
fn digest(outcome: &Outcome) -> u64 {
    let bytes = serde_json::to_vec(&outcome.events).unwrap_or_default();
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
