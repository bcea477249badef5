//! Random graphs of derived collections, on all cores.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use client_rs_collections::sim;

/// How many histories a thread takes at a time.
const PORTION: u64 = 64;

/// The result of many histories. It prints as one line.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of histories.
    pub histories: u64,
    /// The sums over all histories.
    pub total: sim::Summary,
    /// The fewest steps of a history.
    pub fewest_steps: u64,
    /// The fewest collections of a history.
    pub fewest_collections: u64,
    /// The lowest seed with a difference that was seen, and the difference.
    pub failed: Option<(u64, String)>,
    /// The time.
    pub took: Duration,
}

/// Runs the histories of a range of seeds. It stops soon after the first difference.
pub fn run(seeds: Range<u64>) -> Report {
    let (next, stop) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let total =
        Mutex::new(Report { fewest_steps: u64::MAX, fewest_collections: u64::MAX, ..Report::default() });
    let began = Instant::now();
    let threads = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let from = next.fetch_add(PORTION, Ordering::Relaxed);
                    if from >= seeds.end {
                        break;
                    }
                    for seed in from..(from + PORTION).min(seeds.end) {
                        let outcome = sim::run(seed);
                        let mut report = total.lock().unwrap_or_else(PoisonError::into_inner);
                        if report.add(seed, outcome) {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let mut report = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.took = began.elapsed();
    report
}

impl Report {
    /// Adds a history. Returns whether it has a difference.
    fn add(&mut self, seed: u64, outcome: Result<sim::Summary, String>) -> bool {
        self.histories += 1;
        match outcome {
            Ok(summary) => {
                self.total.steps += summary.steps;
                self.total.collections += summary.collections;
                self.total.epochs += summary.epochs;
                self.total.deliveries += summary.deliveries;
                self.total.merged += summary.merged;
                self.fewest_steps = self.fewest_steps.min(summary.steps);
                self.fewest_collections = self.fewest_collections.min(summary.collections);
                false
            }
            Err(error) => {
                if self.failed.as_ref().is_none_or(|(lowest, _)| seed < *lowest) {
                    self.failed = Some((seed, error));
                }
                true
            }
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = &self.total;
        write!(
            f,
            "collections: {} histories, {} collections, {} steps, {} comparisons, {} deliveries ({} merged) in {:.1} s; \
             at least {} collections and {} steps each",
            self.histories,
            total.collections,
            total.steps,
            total.epochs,
            total.deliveries,
            total.merged,
            self.took.as_secs_f64(),
            self.fewest_collections,
            self.fewest_steps
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_reported_with_the_lowest_seed() {
        let mut report = Report::default();
        assert!(!report.add(1, Ok(sim::Summary::default())));
        assert!(report.add(9, Err("late".to_owned())) && report.add(4, Err("early".to_owned())));
        assert_eq!(report.failed, Some((4, "early".to_owned())));
    }
}
