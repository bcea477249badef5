//! Runs a suite and prints its results.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use futures_util::StreamExt as _;

use crate::{Backend, Cluster, Scenario, Stage, Suite};

/// How many scenarios run at the same time: most of them wait for a server.
const SIDE_BY_SIDE: usize = 4;

/// The results of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that held.
    pub passed: usize,
    /// Those that did not.
    pub failed: usize,
    /// Those that are for the other server only.
    pub skipped: usize,
}

/// Runs the scenarios whose name contains `filter`: first those that can run side by side, then the others one by one.
/// Each is printed as it ends. Runs them on the calling thread; what they spawn runs on the runtime's.
///
/// The future is boxed so that it is compiled here, and not in every program that runs a suite.
pub fn run<'a>(
    suite: &'a Suite,
    backend: Backend,
    filter: &'a str,
) -> Pin<Box<dyn Future<Output = Tally> + 'a>> {
    Box::pin(async move { tokio::task::LocalSet::new().run_until(run_here(suite, backend, filter)).await })
}

async fn run_here(suite: &Suite, backend: Backend, filter: &str) -> Tally {
    let chosen: Vec<&'static Scenario> =
        suite.scenarios.iter().filter(|scenario| scenario.name.contains(filter)).collect();
    let mut tally = Tally::default();
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    for scenario in chosen {
        match scenario.only {
            Some((only, reason)) if only != backend => {
                tally.skipped += 1;
                println!("skipped {}: only on the {only} server: {reason}", scenario.name);
            }
            _ if scenario.alone => alone.push(scenario),
            _ => together.push(scenario),
        }
    }
    for (scenarios, width) in [(together, SIDE_BY_SIDE), (alone, 1)] {
        let mut played = futures_util::stream::iter(scenarios)
            .map(|scenario| async move { (scenario, play(scenario, backend).await) })
            .buffer_unordered(width);
        while let Some((scenario, (outcome, took))) = played.next().await {
            let seconds = took.as_secs_f64();
            match outcome {
                Ok(()) => {
                    tally.passed += 1;
                    println!("ok      {} ({seconds:.1} s)", scenario.name);
                }
                Err(error) => {
                    tally.failed += 1;
                    println!("FAILED  {} ({seconds:.1} s): {error:#}", scenario.name);
                }
            }
        }
    }
    let skipped = if tally.skipped == 0 { String::new() } else { format!(", {} skipped", tally.skipped) };
    println!(
        "conformance {backend} {}: {} passed, {} failed{skipped}",
        suite.name, tally.passed, tally.failed
    );
    tally
}

/// Runs one scenario to its end or its deadline, as a task of its own: a panic fails only this scenario.
async fn play(scenario: &'static Scenario, backend: Backend) -> (Result<()>, Duration) {
    let cluster = match backend {
        Backend::Embedded => Cluster::embedded().await,
        Backend::Real => Cluster::real().await,
    };
    let start = Instant::now();
    let outcome = match cluster {
        Ok(cluster) => tokio::task::spawn_local(on_stage(scenario, Stage::new(Arc::new(cluster))))
            .await
            .unwrap_or_else(|panic| Err(anyhow!("{panic}"))),
        Err(error) => Err(error),
    };
    (outcome, start.elapsed())
}

async fn on_stage(scenario: &'static Scenario, stage: Stage) -> Result<()> {
    let outcome = tokio::time::timeout(scenario.deadline, (scenario.play)(&stage)).await;
    stage.strike().await;
    outcome.unwrap_or_else(|_| Err(anyhow!("not over within {:?}", scenario.deadline)))
}
