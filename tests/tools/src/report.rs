//! The output of every suite: one line per scenario, one summary line, an exit code.

use std::process::ExitCode;

/// The running tally of one suite.
///
/// Each scenario is printed as it ends. A skip counts as failed.
#[derive(Debug)]
pub struct Report {
    suite: String,
    passed: usize,
    failed: usize,
}

impl Report {
    /// Creates the report of a suite that has not run yet.
    pub fn new(suite: impl Into<String>) -> Self {
        Self { suite: suite.into(), passed: 0, failed: 0 }
    }

    /// Records a scenario's outcome and prints it; the error names the failure.
    pub fn record(&mut self, scenario: &str, outcome: anyhow::Result<()>) {
        match outcome {
            Ok(()) => {
                self.passed += 1;
                println!("ok      {scenario}");
            }
            Err(error) => {
                self.failed += 1;
                println!("FAILED  {scenario}: {error:#}");
            }
        }
    }

    /// Whether every scenario passed, and there was one.
    pub fn all_held(&self) -> bool {
        self.failed == 0 && self.passed > 0
    }

    /// Prints the summary line and returns the process's exit code.
    pub fn finish(self) -> ExitCode {
        println!("{}: {} passed, {} failed", self.suite, self.passed, self.failed);
        if self.all_held() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
