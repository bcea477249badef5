//! Campaigns of a simulation in which each history has a process of its own.
//!
//! The process is the same program with the arguments `--one PLAN`. It prints a line with its digest, its length and counts
//! (`name=count`), and if a rule is broken another line that begins with the rule, up to a colon. It ends with 0 if no rule is broken.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read as _;
use std::ops::Range;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use serde_json::Value;

/// The time between two lines of progress.
const PROGRESS: Duration = Duration::from_secs(15);
/// The failures that are shrunk.
const SHRUNK: u64 = 3;

/// A campaign.
#[derive(Clone)]
pub struct Campaign<'a> {
    /// The name of the histories in reports.
    pub name: &'a str,
    /// The seeds.
    pub seeds: Range<u64>,
    /// No history begins after this time.
    pub within: Option<Duration>,
    /// The longest time of a history. One that takes longer is ended, and counts as broken.
    pub limit: Duration,
    /// Whether one digest per history is printed, in the order of the seeds, instead of a report.
    pub digest: bool,
    /// Makes the plan of a seed: JSON with a list `ops`.
    pub plan: &'a (dyn Fn(u64) -> Result<String> + Sync),
}

impl fmt::Debug for Campaign<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Campaign")
            .field("name", &self.name)
            .field("seeds", &self.seeds)
            .finish_non_exhaustive()
    }
}

/// The results so far.
#[derive(Debug, Default)]
struct Results {
    histories: u64,
    failed: Vec<u64>,
    totals: BTreeMap<String, u64>,
    digests: BTreeMap<u64, String>,
    reported: Duration,
}

impl Campaign<'_> {
    /// Runs it on all cores. Failures are printed as they happen, and the counts now and then, so a campaign that is interrupted
    /// has reported what it found.
    pub fn run(&self) -> Result<ExitCode> {
        let (next, began) = (AtomicU64::new(self.seeds.start), Instant::now());
        let results: Mutex<Results> = Mutex::default();
        let worker = || -> Result<()> {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= self.seeds.end || self.within.is_some_and(|within| began.elapsed() >= within) {
                    return Ok(());
                }
                let plan = (self.plan)(seed)?;
                let (succeeded, text) = perform(&plan, self.limit)?;
                lock(&results).note(seed, succeeded, &text, self, began.elapsed());
                if !succeeded && lock(&results).failed.len() as u64 <= SHRUNK && !self.digest {
                    let shrunk = shrink(&plan, rule_of(&text), self.limit)?;
                    println!("seed {seed}, shrunk: {shrunk}");
                }
            }
        };
        thread::scope(|scope| -> Result<()> {
            let count = thread::available_parallelism().map_or(1, Into::into);
            let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
            for worker in workers {
                worker.join().map_err(|_| anyhow!("a worker panicked"))??;
            }
            Ok(())
        })?;
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        if self.digest {
            for (seed, digest) in &results.digests {
                println!("{seed} {digest}");
            }
        } else {
            println!("{}", results.line(self.name, began.elapsed()));
        }
        Ok(if results.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

impl Results {
    fn note(&mut self, seed: u64, succeeded: bool, text: &str, campaign: &Campaign<'_>, now: Duration) {
        self.histories += 1;
        let summary = text.lines().next().unwrap_or_default();
        for (name, count) in summary.split(' ').filter_map(|part| part.split_once('=')) {
            *self.totals.entry(name.to_owned()).or_default() += count.parse::<u64>().unwrap_or_default();
        }
        if campaign.digest {
            self.digests.insert(seed, summary.to_owned());
        }
        if !succeeded {
            self.failed.push(seed);
            // Digests are compared line by line.
            if campaign.digest {
                eprintln!("seed {seed}: {}", text.trim_end());
            } else {
                println!("seed {seed}: {}", text.trim_end());
            }
        }
        if now >= self.reported + PROGRESS {
            self.reported = now;
            eprintln!("… {}", self.line(campaign.name, now));
        }
    }

    fn line(&self, name: &str, took: Duration) -> String {
        let seconds = took.as_secs_f64();
        #[allow(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = self.histories as f64 / seconds.max(0.001);
        let totals: Vec<String> = self.totals.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let failed = match &self.failed[..] {
            [] => String::new(),
            seeds => format!(" (seeds {seeds:?})"),
        };
        format!(
            "{name}: {} histories, {} failed{failed}, in {seconds:.1} s: {rate:.1} histories/s; {}",
            self.histories,
            self.failed.len(),
            totals.join(", ")
        )
    }
}

fn lock(results: &Mutex<Results>) -> MutexGuard<'_, Results> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Performs a plan in a process of its own. Returns whether no rule is broken, and what it prints.
fn perform(plan: &str, limit: Duration) -> Result<(bool, String)> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["--one", plan])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("can't start a process")?;
    let (mut output, mut errors) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let errors = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors.as_mut().map(|pipe| pipe.read_to_end(&mut bytes));
            bytes
        });
        let output = scope.spawn(move || {
            let mut bytes = Vec::new();
            let _ = output.as_mut().map(|pipe| pipe.read_to_end(&mut bytes));
            bytes
        });
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if began.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                break None;
            }
            thread::sleep(Duration::from_millis(5));
        };
        let mut text = String::from_utf8_lossy(&output.join().unwrap_or_default()).into_owned();
        if status.is_none() {
            // In the place of the summary and the broken rule.
            text = format!("no digest\nhangs: no end within {limit:?}\n{text}");
        }
        text += &String::from_utf8_lossy(&errors.join().unwrap_or_default());
        Ok((status.is_some_and(|status| status.success()), text))
    })
}

fn rule_of(text: &str) -> &str {
    text.lines().nth(1).and_then(|line| line.split([':', ' ']).next()).unwrap_or_default()
}

/// Returns a plan with fewer steps that breaks the same rule, by delta debugging.
fn shrink(plan: &str, rule: &str, limit: Duration) -> Result<String> {
    let mut best: Value = serde_json::from_str(plan)?;
    let length = |plan: &Value| plan["ops"].as_array().map_or(0, Vec::len);
    let mut size = length(&best).div_ceil(2);
    while size > 0 {
        let mut from = 0;
        while from < length(&best) {
            let mut shorter = best.clone();
            let Some(ops) = shorter["ops"].as_array_mut() else { break };
            ops.drain(from..(from + size).min(ops.len()));
            let (succeeded, text) = perform(&shorter.to_string(), limit)?;
            if !succeeded && rule_of(&text) == rule {
                best = shorter;
            } else {
                from += size;
            }
        }
        size /= 2;
    }
    Ok(best.to_string())
}

/// Returns a digest of a history, for the line that a process prints.
pub fn digest(history: &str) -> u64 {
    // FNV-1a.
    history
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_and_failures_named() {
        let plan = |_: u64| -> Result<String> { Ok(String::new()) };
        let campaign = Campaign {
            name: "bytes",
            seeds: 0..2,
            within: None,
            limit: Duration::ZERO,
            digest: true,
            plan: &plan,
        };
        let mut results = Results::default();
        results.note(0, true, "00ff 12 cuts=3 ok=1\n", &campaign, Duration::ZERO);
        results.note(1, false, "00fe 10 cuts=2\nconvergence: no\n", &campaign, Duration::ZERO);
        let line = results.line("bytes", Duration::from_secs(2));
        assert_eq!(line, "bytes: 2 histories, 1 failed (seeds [1]), in 2.0 s: 1.0 histories/s; cuts 5, ok 1");
        assert_eq!(results.digests[&1], "00fe 10 cuts=2");
        assert_eq!(rule_of("00fe 10 cuts=2\nconvergence at entry 7: no\n"), "convergence");
    }

    #[test]
    fn the_digest_is_that_of_the_bytes() {
        assert_eq!(digest(""), 0xcbf2_9ce4_8422_2325);
        assert_ne!(digest("a"), digest("b"));
    }
}
