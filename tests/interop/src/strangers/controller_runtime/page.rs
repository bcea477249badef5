//! docs/fidelity.md: the results, written by the command.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use client_rs_tests_tools::workspace;

use super::known::Known;
use super::{Suite, VERSION};

/// Writes the page.
pub(super) fn write(suites: &[Suite], known: &Known) -> Result<()> {
    let path = workspace::root().join("docs/fidelity.md");
    std::fs::write(&path, page(suites, known)).with_context(|| format!("can't write {}", path.display()))
}

fn page(suites: &[Suite], known: &Known) -> String {
    let mut text = format!(
        "# Fidelity\n\n\
         controller-runtime {VERSION} has tests that start etcd and kube-apiserver.\n\
         `cargo xtask strangers --only controller-runtime --write` runs all of them, unmodified, with [`krs envtest`](design/envtest.md) instead, and writes this page. Root runs them without a network except\n\
         the loopback interface. A test is a spec of Ginkgo or a test of Go; tests that skip themselves or are marked as pending are \"skipped\".\n\n\
         | package | passed | failed | skipped | seconds |\n|---|---|---|---|---|\n"
    );
    let mut sums = [0; 3];
    for Suite { package, results } in suites {
        let counts = results.counts();
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let [passed, failed, skipped] = counts;
        // Writing to a string never fails.
        let _ = writeln!(text, "| `{package}` | {passed} | {failed} | {skipped} | {:.1} |", results.seconds);
    }
    let [passed, failed, skipped] = sums;
    let seconds: f64 = suites.iter().map(|suite| suite.results.seconds).sum();
    let _ = writeln!(text, "| all | {passed} | {failed} | {skipped} | {seconds:.1} |");
    text.push_str("\n## Known failures\n\n");
    if known.entries().is_empty() {
        text.push_str("None.\n");
    } else {
        text.push_str("| package | test | reason |\n|---|---|---|\n");
        for [package, test, reason] in known.entries() {
            let _ = writeln!(text, "| `{package}` | `{}` | {reason} |", test.replace('|', "\\|"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::results::{Outcome, Results, Test};
    use super::*;

    #[test]
    fn the_page_has_a_row_per_package_and_a_sum() {
        let test = |outcome| Test { name: "x".to_owned(), outcome };
        let results = Results { tests: vec![test(Outcome::Passed), test(Outcome::Skipped)], seconds: 1.5 };
        let suites = [Suite { package: "client".to_owned(), results }];
        let written = page(&suites, &Known::read().unwrap());
        assert!(written.contains("| `client` | 1 | 0 | 1 | 1.5 |\n"), "{written}");
        assert!(written.contains("| all | 1 | 0 | 1 | 1.5 |\n"), "{written}");
    }
}
