//! The results of a test program: Go's tests, and the specs of Ginkgo in one of them.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The results of one package.
#[derive(Debug, Default)]
pub(super) struct Results {
    pub(super) tests: Vec<Test>,
    pub(super) seconds: f64,
}

/// A test, or a spec.
#[derive(Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) outcome: Outcome,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) enum Outcome {
    Passed,
    /// The first lines of its message.
    Failed(String),
    /// Skipped by itself, or marked as pending.
    Skipped,
    /// Left out by the command line.
    NotSelected,
}

impl Results {
    /// The numbers of tests that passed, failed and were skipped.
    pub(super) fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for test in &self.tests {
            counts[match test.outcome {
                Outcome::Passed => 0,
                Outcome::Failed(_) => 1,
                Outcome::Skipped => 2,
                Outcome::NotSelected => continue,
            }] += 1;
        }
        counts
    }

    /// Adds the failure of a program that ended early.
    pub(super) fn broke_off(&mut self, why: &str) {
        self.tests.push(Test {
            name: "the program ends well".to_owned(),
            outcome: Outcome::Failed(why.to_owned()),
        });
    }
}

/// The test function of a package that runs Ginkgo's specs, if there is one.
pub(super) fn suite_function(package: &Path) -> Result<Option<String>> {
    Ok(test_files(package)?.iter().find_map(|text| function_before(text, "RunSpecs(")))
}

/// Whether a package has a test function, and not only examples.
pub(super) fn has_tests(package: &Path) -> Result<bool> {
    let declares = |text: &String| text.lines().any(|line| line.starts_with("func Test"));
    Ok(test_files(package)?.iter().any(declares))
}

/// The test files of a package.
fn test_files(package: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(package)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with("_test.go") {
            let text = std::fs::read_to_string(&path);
            files.push(text.with_context(|| format!("can't read {}", path.display()))?);
        }
    }
    Ok(files)
}

/// The name of the test function in which a call is.
fn function_before(text: &str, call: &str) -> Option<String> {
    let before = &text[..text.find(call)?];
    let name = &before[before.rfind("func Test")? + "func ".len()..];
    Some(name.split('(').next()?.to_owned())
}

/// Reads the output of `-test.v`, and the report of Ginkgo, which replaces the test function `suite`.
pub(super) fn read(printed: &str, suite: Option<&str>, specs: Option<&[u8]>) -> Result<Results> {
    let mut tests = Vec::new();
    for line in printed.lines() {
        let Some(rest) = line.trim_start().strip_prefix("--- ") else { continue };
        let Some((outcome, name)) = rest.split_once(": ") else { continue };
        let name = name.split(" (").next().unwrap_or(name).to_owned();
        let outcome = match outcome {
            "PASS" => Outcome::Passed,
            "FAIL" => Outcome::Failed("see the log".to_owned()),
            "SKIP" => Outcome::Skipped,
            _ => continue,
        };
        tests.push(Test { name, outcome });
    }
    // A test with subtests counts as its subtests.
    let parents: Vec<String> = tests
        .iter()
        .filter_map(|test| test.name.rsplit_once('/'))
        .map(|(parent, _)| parent.to_owned())
        .collect();
    tests.retain(|test| {
        !parents.contains(&test.name) && (specs.is_none() || Some(test.name.as_str()) != suite)
    });
    if let Some(json) = specs {
        let reports: Vec<SuiteReport> = serde_json::from_slice(json).context("the report of Ginkgo")?;
        let specs = reports.into_iter().flat_map(|report| report.spec_reports.unwrap_or_default());
        tests.extend(specs.filter_map(SpecReport::into_test));
    }
    Ok(Results { tests, seconds: 0.0 })
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SuiteReport {
    spec_reports: Option<Vec<SpecReport>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SpecReport {
    container_hierarchy_texts: Option<Vec<String>>,
    leaf_node_type: String,
    leaf_node_text: String,
    state: String,
    failure: Option<Failure>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Failure {
    message: Option<String>,
}

impl SpecReport {
    /// Specs are tests. Steps around them (`BeforeSuite`) are only if they fail.
    fn into_test(self) -> Option<Test> {
        let outcome = match self.state.as_str() {
            "passed" => Outcome::Passed,
            // A spec that skips itself says why.
            "skipped" if self.failure.as_ref().is_none_or(|failure| failure.message.is_none()) => {
                Outcome::NotSelected
            }
            "pending" | "skipped" => Outcome::Skipped,
            _ => {
                let message = self.failure.and_then(|failure| failure.message).unwrap_or_default();
                let first: Vec<&str> =
                    message.lines().map(str::trim).filter(|line| !line.is_empty()).take(6).collect();
                Outcome::Failed(format!("{}: {}", self.state, first.join(" ")))
            }
        };
        let is_spec = self.leaf_node_type == "It";
        if !is_spec && !matches!(outcome, Outcome::Failed(_)) {
            return None;
        }
        let own = if is_spec { self.leaf_node_text } else { self.leaf_node_type };
        let mut words = self.container_hierarchy_texts.unwrap_or_default();
        words.push(own);
        Some(Test { name: words.join(" "), outcome })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_with_only_examples_has_no_tests() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a_test.go"), "package a\n\nfunc Example() {\n}\n").unwrap();
        assert!(!has_tests(folder.path()).unwrap());
        let suite = "package a\n\nfunc TestA(t *testing.T) {\n\tRunSpecs(t, \"a\")\n}\n";
        std::fs::write(folder.path().join("b_test.go"), suite).unwrap();
        assert!(has_tests(folder.path()).unwrap());
        assert_eq!(suite_function(folder.path()).unwrap().as_deref(), Some("TestA"));
    }

    #[test]
    fn tests_of_go_count_by_their_subtests_and_the_suite_by_its_specs() {
        let printed = "=== RUN   TestAll\n--- PASS: TestAll (1.00s)\n--- FAIL: TestMapper (0.10s)\n    \
                       --- PASS: TestMapper/one_(x) (0.00s)\n    --- FAIL: TestMapper/two (0.00s)\n\
                       --- SKIP: TestOther (0.00s)\n";
        let specs = r#"[{"SpecReports": [
            {"ContainerHierarchyTexts": ["client", "Get"], "LeafNodeType": "It", "LeafNodeText": "works", "State": "passed"},
            {"ContainerHierarchyTexts": null, "LeafNodeType": "BeforeSuite", "LeafNodeText": "", "State": "passed"},
            {"ContainerHierarchyTexts": [], "LeafNodeType": "It", "LeafNodeText": "later", "State": "pending"},
            {"ContainerHierarchyTexts": ["a"], "LeafNodeType": "It", "LeafNodeText": "b", "State": "panicked",
             "Failure": {"Message": "\nnil map\n"}}
        ]}]"#;
        let results = read(printed, Some("TestAll"), Some(specs.as_bytes())).unwrap();
        let seen: Vec<(&str, &Outcome)> =
            results.tests.iter().map(|test| (test.name.as_str(), &test.outcome)).collect();
        let failed = |why: &str| Outcome::Failed(why.to_owned());
        assert_eq!(
            seen,
            [
                ("TestMapper/one_(x)", &Outcome::Passed),
                ("TestMapper/two", &failed("see the log")),
                ("TestOther", &Outcome::Skipped),
                ("client Get works", &Outcome::Passed),
                ("later", &Outcome::Skipped),
                ("a b", &failed("panicked: nil map")),
            ]
        );
        assert_eq!(results.counts(), [2, 2, 2]);
        // Without a report, the suite counts as one test.
        assert_eq!(read(printed, Some("TestAll"), None).unwrap().tests.len(), 4);
    }

    #[test]
    fn the_function_of_the_suite_is_found_by_its_call() {
        let text =
            "func TestOther(t *testing.T) {}\nfunc TestSource(t *testing.T) {\n\tRunSpecs(t, \"x\")\n}\n";
        assert_eq!(function_before(text, "RunSpecs(").as_deref(), Some("TestSource"));
        assert_eq!(function_before("func TestOther() {}", "RunSpecs("), None);
    }
}
