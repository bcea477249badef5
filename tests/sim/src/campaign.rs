//! Runs many histories on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::coverage::Coverage;
use crate::schedule::Mode;
use crate::subject::{Run, Subject};

/// How many histories a thread takes at a time.
const PORTION: u64 = 64;

/// The result of a campaign.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of histories.
    pub histories: u64,
    /// The number of steps.
    pub steps: u64,
    /// The number of faults.
    pub faults: u64,
    /// The fewest steps of a history.
    pub fewest_steps: u64,
    /// The fewest faults of a history.
    pub fewest_faults: u64,
    /// The lowest seed that breaks a rule, and the number of those that were seen.
    pub failed: Option<u64>,
    /// The number of histories that break a rule.
    pub failures: u64,
    /// The transitions.
    pub coverage: Coverage,
    /// The time.
    pub took: Duration,
}

/// Runs the histories of a range of seeds. With `first`, stops soon after the first that breaks a rule.
pub fn run<S: Subject>(seeds: Range<u64>, mode: Mode, first: bool) -> Report {
    let (next, stop) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let total = Mutex::new(Report { fewest_steps: u64::MAX, fewest_faults: u64::MAX, ..Report::default() });
    let began = Instant::now();
    let threads = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut report =
                    Report { fewest_steps: u64::MAX, fewest_faults: u64::MAX, ..Report::default() };
                let (mut run, mut ops) = (Run::default(), Vec::new());
                while !stop.load(Ordering::Relaxed) {
                    let from = next.fetch_add(PORTION, Ordering::Relaxed);
                    if from >= seeds.end {
                        break;
                    }
                    for seed in from..(from + PORTION).min(seeds.end) {
                        let (_, outcome) = run.seed::<S>(seed, mode, &mut ops);
                        let faults = ops.iter().filter(|op| S::is_fault(**op)).count() as u64;
                        report.histories += 1;
                        report.steps += ops.len() as u64;
                        report.faults += faults;
                        report.fewest_steps = report.fewest_steps.min(ops.len() as u64);
                        report.fewest_faults = report.fewest_faults.min(faults);
                        if outcome.is_err() {
                            report.failures += 1;
                            report.failed = report.failed.into_iter().chain([seed]).min();
                            if first {
                                stop.store(true, Ordering::Relaxed);
                                break;
                            }
                        }
                    }
                }
                report.coverage = run.coverage;
                total.lock().unwrap_or_else(PoisonError::into_inner).merge(&report);
            });
        }
    });
    let mut report = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.took = began.elapsed();
    report
}

impl Report {
    fn merge(&mut self, other: &Self) {
        self.histories += other.histories;
        self.steps += other.steps;
        self.faults += other.faults;
        self.fewest_steps = self.fewest_steps.min(other.fewest_steps);
        self.fewest_faults = self.fewest_faults.min(other.fewest_faults);
        self.failures += other.failures;
        self.failed = self.failed.into_iter().chain(other.failed).min();
        self.coverage.merge(&other.coverage);
    }
}
