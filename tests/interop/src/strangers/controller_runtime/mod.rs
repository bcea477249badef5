//! controller-runtime's own tests, unmodified, with `krs` as its control plane.
//!
//! The module comes from the Go module proxy, with the libraries of the Kubernetes release that the control plane has: most of them
//! are compiled for that already. Each package with tests is built, then run where only the loopback
//! address exists, with `KUBEBUILDER_ASSETS` as `krs envtest` sets it. A test that fails is an error, unless the list of
//! known failures has it; and a test of that list that passes is one too.

mod run;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;

use client_rs_testkit::{Binaries, Folders, Progress};
use client_rs_tests_tools::Report;
use client_rs_tests_tools::workspace::{self, command};

use self::run::Plane;
use super::known::Known;
use super::results::{self, Outcome, Results};
use super::sandbox::Sandbox;
use super::{e2e, krs, page};

const MODULE: &str = "sigs.k8s.io/controller-runtime";
const VERSION: &str = "v0.25.2";

/// A run.
pub(super) struct Run<'a> {
    pub(super) krs: &'a Path,
    /// The packages, as paths below `pkg`; all of them if it is empty.
    pub(super) only: &'a [String],
    /// Whether packages that start a control plane run with the real one too.
    pub(super) compare: bool,
    /// Whether docs/fidelity.md gets the results.
    pub(super) write: bool,
}

/// The results of one package.
struct Suite {
    /// The path of the package below `pkg`.
    package: String,
    results: Results,
    /// Those with etcd and kube-apiserver.
    real: Option<Results>,
}

/// Runs the packages, and records for each whether its tests ended as expected.
pub(super) fn run(run: &Run<'_>, report: &mut Report) -> Result<()> {
    let Run { krs, only, compare, write } = *run;
    ensure!(
        !write || only.is_empty(),
        "docs/fidelity.md has the results of all packages: leave out --package"
    );
    let known = Known::of(include_str!("known.txt"))?;
    let assets = krs::assets(krs)?;
    let real = compare.then(real_assets).transpose()?;
    let sandbox = Sandbox::find();
    let folder = copy_module()?;
    let mut suites = Vec::new();
    for package in packages(&folder, only)? {
        let binary = build(&folder, &package)?;
        let results = run::package(&folder, &package, &binary, Plane::Ours(&assets), sandbox)?;
        judge(&package, &results, &known, report);
        let real = match &real {
            Some(real) if starts_control_plane(&folder.join("pkg").join(&package))? => {
                Some(run::package(&folder, &package, &binary, Plane::Real(real.path()), sandbox)?)
            }
            _ => None,
        };
        if let Some(real) = &real {
            report.record(
                &format!("controller-runtime {package}: as with etcd and kube-apiserver"),
                compared(&results, real),
            );
        }
        suites.push(Suite { package, results, real });
    }
    if only.is_empty() {
        let tests = suites.iter().flat_map(|suite| {
            suite.results.tests.iter().map(|test| (suite.package.as_str(), test.name.as_str()))
        });
        for [package, test, _] in known.unused(tests) {
            let why = anyhow!("the list of known failures has a test that does not exist");
            report.record(&format!("controller-runtime {package}: {test}"), Err(why));
        }
    }
    if write {
        page::write("controller-runtime", &table(&suites, &known))?;
    }
    Ok(())
}

/// Records one line for a package, and one for each of its tests that did not end as expected.
fn judge(package: &str, results: &Results, known: &Known, report: &mut Report) {
    let mut unexpected = 0;
    for test in &results.tests {
        let name = format!("controller-runtime {package}: {}", test.name);
        let error = match (&test.outcome, known.reason(package, &test.name)) {
            (Outcome::Failed(why), None) => anyhow!("{why}"),
            (Outcome::Passed, Some(_)) => anyhow!("it passes: remove it from the list of known failures"),
            _ => continue,
        };
        unexpected += 1;
        report.record(&name, Err(error));
    }
    if unexpected == 0 {
        let [passed, failed, skipped] = results.counts();
        let counts = format!("{passed} passed, {failed} known to fail, {skipped} skipped");
        let outcome = if results.tests.is_empty() { Err(anyhow!("no test ran")) } else { Ok(()) };
        report.record(&format!("controller-runtime {package}: {counts}"), outcome);
    }
}

/// Every test that passes with the real programs must pass with ours.
fn compared(ours: &Results, real: &Results) -> Result<()> {
    let passed = |results: &Results, name: &str| {
        results.tests.iter().any(|test| test.name == name && test.outcome == Outcome::Passed)
    };
    let lost = real.tests.iter().filter(|test| test.outcome == Outcome::Passed && !passed(ours, &test.name));
    let lost: Vec<&str> = lost.map(|test| test.name.as_str()).collect();
    let [passed, failed, _] = real.counts();
    ensure!(
        passed > failed,
        "{failed} tests fail with etcd and kube-apiserver, and {passed} pass: nothing to compare with"
    );
    ensure!(lost.is_empty(), "these pass with etcd and kube-apiserver alone: {}", lost.join("; "));
    Ok(())
}

/// A folder with the real programs under the names that envtest looks for.
fn real_assets() -> Result<tempfile::TempDir> {
    let binaries = Binaries::ready(&Folders::of_user(), &Progress::stderr())?;
    let folder = tempfile::tempdir()?;
    for program in ["etcd", "kube-apiserver", "kubectl"] {
        std::os::unix::fs::symlink(binaries.path(program), folder.path().join(program))?;
    }
    Ok(folder)
}

/// Whether the tests of a package use envtest's control plane.
fn starts_control_plane(package: &Path) -> Result<bool> {
    for entry in std::fs::read_dir(package)? {
        let path = entry?.path();
        let is_test = path.to_string_lossy().ends_with("_test.go");
        if is_test && std::fs::read_to_string(&path)?.contains("envtest.Environment{") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The results as a table, and the known failures.
fn table(suites: &[Suite], known: &Known) -> String {
    let mut text = "| package | passed | failed | skipped | seconds | with etcd and kube-apiserver |\n\
        |---|---|---|---|---|---|\n"
        .to_owned();
    let mut sums = [0; 3];
    for Suite { package, results, real } in suites {
        let counts = results.counts();
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let [passed, failed, skipped] = counts;
        // Writing to a string never fails.
        let real = real.as_ref().map(|real| format!("{:.1}", real.seconds)).unwrap_or_default();
        let _ = writeln!(
            text,
            "| `{package}` | {passed} | {failed} | {skipped} | {:.1} | {real} |",
            results.seconds
        );
    }
    let [passed, failed, skipped] = sums;
    let seconds: f64 = suites.iter().map(|suite| suite.results.seconds).sum();
    let _ = writeln!(text, "| all | {passed} | {failed} | {skipped} | {seconds:.1} | |");
    let pairs: Vec<[f64; 2]> = suites
        .iter()
        .filter_map(|suite| Some([suite.results.seconds, suite.real.as_ref()?.seconds]))
        .collect();
    if !pairs.is_empty() {
        let [ours, real] = [0, 1].map(|at| pairs.iter().map(|pair| pair[at]).sum::<f64>());
        let _ = writeln!(text, "| those that ran with both | | | | {ours:.1} | {real:.1} |");
    }
    if !known.entries().is_empty() {
        text.push_str("\nKnown failures:\n\n| package | test | reason |\n|---|---|---|\n");
        for [package, test, reason] in known.entries() {
            let _ = writeln!(text, "| `{package}` | {} | {reason} |", page::cell(test));
        }
    }
    text
}

/// Copies the module from Go's cache, which is read-only, and downloads its dependencies.
fn copy_module() -> Result<PathBuf> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Downloaded {
        dir: PathBuf,
    }
    let output = command("go")
        .args(["mod", "download", "-json", &format!("{MODULE}@{VERSION}")])
        .current_dir(std::env::temp_dir())
        .output()
        .context("can't start go")?;
    if !output.status.success() {
        bail!("go mod download: {}", String::from_utf8_lossy(&output.stdout));
    }
    let found: Downloaded = serde_json::from_slice(&output.stdout).context("go mod download")?;
    let release = libraries(&std::fs::read_to_string(workspace::root().join("hack/controlplane/go.mod"))?)?;
    let folder = workspace::target().join("interop/controller-runtime").join(format!("{VERSION}-{release}"));
    let complete = folder.join("complete");
    if !complete.exists() {
        copy(&found.dir, &folder)?;
        let modules = LIBRARIES.map(|name| format!("k8s.io/{name}@{release}"));
        workspace::run(command("go").arg("get").args(modules).current_dir(&folder))?;
        std::fs::write(&complete, "")?;
    }
    workspace::run(command("go").args(["mod", "download"]).current_dir(&folder))?;
    Ok(folder)
}

/// The libraries of Kubernetes that the module requires.
const LIBRARIES: [&str; 5] = ["api", "apiextensions-apiserver", "apimachinery", "apiserver", "client-go"];

/// The version of the libraries, from the version of Kubernetes that a go.mod requires.
fn libraries(go_mod: &str) -> Result<String> {
    let version = e2e::version(go_mod)?;
    let minor = version.strip_prefix("v1.").with_context(|| format!("{version} is not a version 1"))?;
    Ok(format!("v0.{minor}"))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
            make_writable(&target)?;
        }
    }
    Ok(())
}

/// Makes a file writable. An archive of the proxy does not keep which files are programs: scripts are.
fn make_writable(path: &Path) -> Result<()> {
    let script = path.extension().is_some_and(|ending| ending == "sh");
    let mut permissions = std::fs::metadata(path)?.permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, if script { 0o755 } else { 0o644 });
    Ok(std::fs::set_permissions(path, permissions)?)
}

/// The packages with tests: their paths below `pkg`. A package whose test files have only examples has none.
fn packages(folder: &Path, only: &[String]) -> Result<Vec<String>> {
    let form = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}";
    let output = command("go").args(["list", "-f", form, "./pkg/..."]).current_dir(folder).output()?;
    ensure!(output.status.success(), "go list: {}", String::from_utf8_lossy(&output.stderr));
    let prefix = format!("{MODULE}/pkg/");
    let text = String::from_utf8(output.stdout)?;
    let all: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect();
    for name in only {
        ensure!(all.contains(name), "controller-runtime has no package {name} with tests");
    }
    let mut wanted = Vec::new();
    for name in all.into_iter().filter(|name| only.is_empty() || only.contains(name)) {
        if results::has_tests(&folder.join("pkg").join(&name))? {
            wanted.push(name);
        }
    }
    Ok(wanted)
}

fn build(folder: &Path, package: &str) -> Result<PathBuf> {
    let binary = workspace::target().join("interop/controller-runtime/bin").join(package.replace('/', "-"));
    let mut go = command("go");
    // Without debug information the linker needs less time. -trimpath is a flag of the control plane's build too, so that packages
    // of both are compiled once.
    go.args(["test", "-c", "-trimpath", "-ldflags=-s -w", "-o"]);
    go.arg(&binary).arg(format!("./pkg/{package}")).current_dir(folder);
    workspace::run(&mut go)?;
    Ok(binary)
}

#[cfg(test)]
mod tests {
    use super::super::results::Test;
    use super::*;

    #[test]
    fn the_libraries_have_the_release_of_the_control_plane() {
        assert_eq!(libraries("require k8s.io/kubernetes v1.37.1 // all\n").unwrap(), "v0.37.1");
        assert_eq!(libraries("require (\n\tk8s.io/kubernetes v1.40.0\n)\n").unwrap(), "v0.40.0");
        assert!(libraries("module x\n").is_err());
    }

    #[test]
    fn what_passes_with_the_real_programs_passes_with_ours() {
        let of = |outcomes: [Outcome; 2]| {
            let names = ["a", "b"].map(str::to_owned);
            let tests = names.into_iter().zip(outcomes).map(|(name, outcome)| Test { name, outcome });
            Results { tests: tests.collect(), seconds: 0.0 }
        };
        let failed = || Outcome::Failed("no".to_owned());
        assert!(compared(&of([Outcome::Passed, failed()]), &of([Outcome::Passed, Outcome::Skipped])).is_ok());
        let nothing = compared(&of([Outcome::Passed, Outcome::Passed]), &of([failed(), Outcome::Skipped]));
        assert!(nothing.unwrap_err().to_string().contains("nothing to compare with"));
        let lost =
            compared(&of([Outcome::Passed, Outcome::Skipped]), &of([Outcome::Passed, Outcome::Passed]));
        assert!(lost.unwrap_err().to_string().ends_with(": b"));
    }

    #[test]
    fn the_table_has_a_row_per_package_and_a_sum() {
        let test = |outcome| Test { name: "x".to_owned(), outcome };
        let results = Results { tests: vec![test(Outcome::Passed), test(Outcome::Skipped)], seconds: 1.5 };
        let real = Results { tests: Vec::new(), seconds: 9.0 };
        let suites = [Suite { package: "client".to_owned(), results, real: Some(real) }];
        let known = Known::of("client | a|b | no pods\n").unwrap();
        let written = table(&suites, &known);
        assert!(written.contains("| `client` | 1 | 0 | 1 | 1.5 | 9.0 |\n"), "{written}");
        assert!(written.contains("| all | 1 | 0 | 1 | 1.5 | |\n"), "{written}");
        assert!(written.contains("| those that ran with both | | | | 1.5 | 9.0 |\n"), "{written}");
        assert!(written.ends_with("| `client` | `a\\|b` | no pods |\n"), "{written}");
    }
}
