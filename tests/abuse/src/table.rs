//! The outcomes of all attacks, as a table.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace;

/// The outcome of one attack, with its bounds.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) against: &'static str,
    pub(crate) attack: &'static str,
    /// Connections, streams, requests or responses.
    pub(crate) tried: usize,
    /// Megabytes that the attacked process had more at most, and the bound.
    pub(crate) megabytes: (u64, u64),
    /// The slowest honest request, or the slowest hostile response, and the bound.
    pub(crate) slowest: (Duration, Duration),
    /// The first thing that went wrong otherwise.
    pub(crate) problem: Option<String>,
}

impl Row {
    fn problem(&self) -> Option<String> {
        let (more, most) = self.megabytes;
        let (slowest, limit) = self.slowest;
        if more > most {
            return Some(format!("{more} MB more, {most} MB allowed"));
        }
        if slowest > limit {
            return Some(format!("{:.1} s, {:.1} s allowed", slowest.as_secs_f64(), limit.as_secs_f64()));
        }
        self.problem.clone()
    }
}

/// Where the table begins in the design paper.
const BEGIN: &str = "<!-- abuse -->\n";

#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Adds an outcome and prints it.
    pub(crate) fn add(&mut self, row: Row) {
        let name = format!("{}: {}", row.against, row.attack);
        match row.problem() {
            None => println!(
                "ok      {name} ({} tried, +{} MB, {:.2} s)",
                row.tried,
                row.megabytes.0,
                row.slowest.0.as_secs_f64()
            ),
            Some(problem) => println!("FAILED  {name}: {problem}"),
        }
        self.rows.push(row);
    }

    /// Replaces the table in the design paper.
    pub(crate) fn write(&self) -> Result<()> {
        let path = workspace::root().join("docs/design/abuse.md");
        let page =
            std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        let (start, rest) = page.split_once(BEGIN).context("the page has no <!-- abuse -->")?;
        let (_, end) = rest.split_once("<!-- end abuse -->").context("the page has no <!-- end abuse -->")?;
        ensure!(!self.rows.is_empty(), "there is nothing to write");
        let mut table = String::from(
            "| against | attack | tried | memory added, MB (bound) | slowest, s (bound) | held |\n|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let (more, most) = row.megabytes;
            let (slowest, limit) = row.slowest;
            let held = if row.problem().is_none() { "yes" } else { "no" };
            let _ = writeln!(
                table,
                "| {} | {} | {} | {more} ({most}) | {:.2} ({}) | {held} |",
                row.against,
                row.attack,
                row.tried,
                slowest.as_secs_f64(),
                limit.as_secs(),
            );
        }
        std::fs::write(&path, format!("{start}{BEGIN}{table}<!-- end abuse -->{end}"))
            .with_context(|| format!("can't write {}", path.display()))
    }

    /// Prints the summary line and returns the exit code.
    pub(crate) fn finish(&self) -> ExitCode {
        let failed = self.rows.iter().filter(|row| row.problem().is_some()).count();
        let passed = self.rows.len() - failed;
        println!("abuse: {passed} passed, {failed} failed");
        if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
