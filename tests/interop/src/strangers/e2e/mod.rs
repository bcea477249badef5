//! Kubernetes' own e2e suite against `krs serve`.
//!
//! The suite is a program of the Go module `tests/interop/kubernetes-e2e`, made of packages of the Go module proxy. It runs
//! against `krs serve` with RBAC and simulated nodes, where only the loopback interface exists. Specs that need containers or
//! a kubelet are not run: `excluded.txt` has them with their reasons. A spec that fails is an error, unless `known.txt` has
//! it; and a spec of that list that passes is one too.

mod select;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use client_rs_tests_tools::Report;
use client_rs_tests_tools::workspace::{self, command};

use super::known::Known;
use super::page;
use super::results::{self, Outcome, Test};
use super::sandbox::{self, Sandbox};
use select::{Selection, Spec};

/// The groups whose specs all run without `--focus`; `others.txt` has specs of other groups.
const GROUPS: [&str; 3] = ["api-machinery", "apps", "auth"];
/// How long the suite may take: it ends itself.
const LIMIT: Duration = Duration::from_mins(90);
/// How long the program may take after that.
const GRACE: Duration = Duration::from_mins(2);

/// Starts krs, waits until it serves, and runs the suite. `$1` is krs, `$2` a folder, the rest the suite's command line.
const SCRIPT: &str = r#"krs=$1 folder=$2
shift 2
"$krs" serve --rbac --nodes 3 --write-kubeconfig "$folder/kubeconfig" >"$folder/krs.log" 2>&1 &
server=$!
until [ -s "$folder/kubeconfig" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/krs.log"; exit 1; }
    sleep 0.1
done
"$@"
code=$?
kill "$server" 2>/dev/null
(exit "$code")"#;

/// The specs to run, and the server to run them against.
pub(super) struct Run<'a> {
    pub(super) krs: &'a Path,
    /// Regular expressions of specs; by default all specs of some groups.
    pub(super) focus: &'a [String],
    /// Run only the specs that failed in the last run, and keep the other results.
    pub(super) again: bool,
    /// The number of specs that run at once.
    pub(super) processes: usize,
    /// The server to use instead of krs.
    pub(super) kubeconfig: Option<&'a Path>,
    /// Write docs/fidelity.md.
    pub(super) write: bool,
}

pub(super) fn run(run: &Run<'_>, report: &mut Report) -> Result<()> {
    ensure!(
        !run.write || (run.focus.is_empty() && run.kubeconfig.is_none()),
        "docs/fidelity.md has the results of all groups on krs: leave out --focus and --kubeconfig"
    );
    let mut selection = Selection::read(run.focus, &GROUPS)?;
    let known = Known::of(include_str!("known.txt"))?;
    let folder = workspace::target().join("interop/kubernetes-e2e");
    let last = if run.again { last(&folder)? } else { Vec::new() };
    if run.again {
        selection.focus = select::failed(&last, &selection.excluded);
    }
    let mut tests = if run.again && selection.focus.is_empty() {
        println!("no spec failed in the last run: its results are read again");
        last
    } else {
        let programs = build(&folder)?;
        replaced(last, specs(run, &programs, &selection, &folder)?)
    };
    leave_out(&mut tests, &selection.excluded);
    write_report(&folder, &tests)?;
    let specs: Vec<(Spec<'_>, &Outcome)> =
        tests.iter().filter_map(|test| Some((Spec::of(&test.name)?, &test.outcome))).collect();
    for test in tests.iter().filter(|test| Spec::of(&test.name).is_none()) {
        // A step of the suite itself, such as BeforeSuite: those are results only if they fail.
        let why = anyhow!("{:?}", test.outcome);
        report.record(&format!("e2e {}", test.name), Err(why));
    }
    judge(&specs, &selection, &known, report);
    if run.focus.is_empty() || run.again {
        let all = || specs.iter().map(|(spec, _)| (spec.group, spec.name));
        for [group, name, _] in selection.excluded.unused(all()).into_iter().chain(known.unused(all())) {
            let why = anyhow!("a list has a spec that does not exist, or that an earlier entry has");
            report.record(&format!("e2e [sig-{group}] {name}"), Err(why));
        }
        let all: Vec<Spec<'_>> = specs.iter().map(|(spec, _)| *spec).collect();
        for [group, name] in selection.unused(&all) {
            let why = anyhow!("the list of other groups' specs has one that does not exist");
            report.record(&format!("e2e [sig-{group}] {name}"), Err(why));
        }
    }
    if run.write {
        page::write("e2e", &table(&specs, &selection, &known))?;
    }
    Ok(())
}

/// Where the results of the last run are.
const LAST: &str = "last.json";

/// The results of the last run.
fn last(folder: &Path) -> Result<Vec<Test>> {
    let path = folder.join(LAST);
    let text = std::fs::read(&path).with_context(|| format!("no last run: can't read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("can't read {}", path.display()))
}

fn write_report(folder: &Path, tests: &[Test]) -> Result<()> {
    let path = folder.join(LAST);
    std::fs::write(&path, serde_json::to_vec(tests)?)
        .with_context(|| format!("can't write {}", path.display()))
}

/// The results of a run together with those of specs that were not selected in it, from the run before.
fn replaced(last: Vec<Test>, new: Vec<Test>) -> Vec<Test> {
    let mut before: BTreeMap<String, Outcome> =
        last.into_iter().map(|test| (test.name, test.outcome)).collect();
    let keep = |mut test: Test| {
        if test.outcome == Outcome::NotSelected
            && let Some(outcome) = before.remove(&test.name)
        {
            test.outcome = outcome;
        }
        test
    };
    new.into_iter().map(keep).collect()
}

/// Forgets the results of specs that are not run any more.
fn leave_out(tests: &mut [Test], excluded: &Known) {
    for test in tests {
        let is_out =
            Spec::of(&test.name).is_some_and(|spec| excluded.reason(spec.group, spec.name).is_some());
        if is_out {
            test.outcome = Outcome::NotSelected;
        }
    }
}

/// The programs of the suite.
struct Programs {
    ginkgo: PathBuf,
    suite: PathBuf,
    kubectl: PathBuf,
    version: String,
}

fn build(folder: &Path) -> Result<Programs> {
    let module = workspace::root().join("tests/interop/kubernetes-e2e");
    let version = version(&std::fs::read_to_string(module.join("go.mod"))?)?;
    let programs = Programs {
        ginkgo: folder.join("ginkgo"),
        suite: folder.join("e2e.test"),
        kubectl: folder.join("kubectl"),
        version,
    };
    println!("building Kubernetes' e2e suite (the first build takes minutes) …");
    // Specs compare their own version with the server's.
    let package = "k8s.io/component-base/version";
    let mut parts = programs.version.trim_start_matches('v').split('.');
    let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let link = format!(
        "-s -w -X {package}.gitVersion={} -X {package}.gitMajor={major} -X {package}.gitMinor={minor}",
        programs.version
    );
    for (verb, output, package) in [
        (&["build"][..], &programs.ginkgo, "github.com/onsi/ginkgo/v2/ginkgo"),
        (&["build"], &programs.kubectl, "k8s.io/kubernetes/cmd/kubectl"),
        (&["test", "-c"], &programs.suite, "."),
    ] {
        // The flags of the control plane's build: what is compiled for it is not compiled again.
        let mut go = command("go");
        go.current_dir(&module).args(verb).args(["-trimpath", "-mod=readonly", "-buildvcs=false"]);
        go.args(["-ldflags", &link, "-o"]).arg(output).arg(package);
        workspace::run(&mut go)?;
    }
    Ok(programs)
}

/// The version of Kubernetes that a go.mod requires.
pub(super) fn version(go_mod: &str) -> Result<String> {
    let mut lines = go_mod.lines().map(|line| line.trim().trim_start_matches("require "));
    let found = lines.find_map(|line| line.strip_prefix("k8s.io/kubernetes "));
    let version = found.and_then(|rest| rest.split_whitespace().next());
    Ok(version.context("go.mod requires no k8s.io/kubernetes")?.to_owned())
}

/// Runs the specs, and returns the results of all specs of the suite: those that are not selected are
/// `Outcome::NotSelected`.
fn specs(run: &Run<'_>, programs: &Programs, selection: &Selection, folder: &Path) -> Result<Vec<Test>> {
    let place = tempfile::tempdir()?;
    let kubeconfig = match run.kubeconfig {
        Some(given) => given.canonicalize().with_context(|| format!("can't find {}", given.display()))?,
        None => place.path().join("kubeconfig"),
    };
    let json = folder.join("specs.json");
    if json.exists() {
        std::fs::remove_file(&json)?;
    }
    let flag = |name: &str, value: &Path| {
        let mut flag = OsString::from(format!("--{name}="));
        flag.push(value);
        flag
    };
    let mut words: Vec<OsString> = vec![programs.ginkgo.clone().into(), "run".into()];
    words.push(format!("--procs={}", run.processes).into());
    words.push(format!("--timeout={}s", LIMIT.as_secs()).into());
    words.extend(["--no-color", "--succinct", "--json-report=specs.json"].map(OsString::from));
    words.push(flag("output-dir", folder));
    words.extend(selection.focus.iter().map(|focus| format!("--focus={focus}").into()));
    words.extend(selection.skip().into_iter().map(|skip| format!("--skip={skip}").into()));
    words.push(programs.suite.clone().into());
    words.push("--".into());
    words.push(flag("kubeconfig", &kubeconfig));
    words.push(flag("kubectl-path", &programs.kubectl));
    words.extend(
        ["--provider=skeleton", "--dump-logs-on-failure=false", "--node-schedulable-timeout=1m"]
            .map(OsString::from),
    );
    let mut all = vec![OsString::from(run.krs), OsString::from(place.path())];
    all.extend(words.iter().cloned());
    let mut command = match run.kubeconfig {
        Some(_) => {
            let mut command = command(&words[0]);
            command.args(&words[1..]);
            command
        }
        None => Sandbox::find().command(SCRIPT, &all),
    };
    command.current_dir(place.path()).env_remove("KUBECONFIG");
    let log = folder.join("e2e.log");
    println!("e2e of Kubernetes {}: {} at once; {} …", programs.version, run.processes, log.display());
    let ended = sandbox::run(&mut command, &log, LIMIT + GRACE)?;
    let krs_log = place.path().join("krs.log");
    if krs_log.exists() {
        std::fs::copy(krs_log, folder.join("krs.log"))?;
    }
    let read = std::fs::read(&json).with_context(|| format!("no report: {ended}; see {}", log.display()))?;
    let results = results::read("", None, Some(&read))?;
    ensure!(!results.tests.is_empty(), "no spec: {ended}; see {}", log.display());
    Ok(results.tests)
}

/// Records one line for each group, and one for each spec that did not end as expected.
fn judge(specs: &[(Spec<'_>, &Outcome)], selection: &Selection, known: &Known, report: &mut Report) {
    let mut unexpected: BTreeMap<&str, usize> = BTreeMap::new();
    for (spec, outcome) in specs {
        let count = unexpected.entry(spec.group).or_default();
        let excluded = selection.excluded.reason(spec.group, spec.name);
        let error = match (outcome, known.reason(spec.group, spec.name)) {
            (_, Some(_)) if excluded.is_some() => anyhow!("it is in both lists"),
            (Outcome::Failed(why), None) => anyhow!("{why}"),
            (Outcome::Passed, Some(_)) => anyhow!("it passes: remove it from the list of known failures"),
            _ => continue,
        };
        *count += 1;
        report.record(&format!("e2e [sig-{}] {}", spec.group, spec.name), Err(error));
    }
    let counts = counts(specs, selection, false);
    for (group, unexpected) in unexpected {
        let Some(count) = counts.get(group).filter(|count| count.run() > 0) else { continue };
        if unexpected == 0 {
            let text = format!(
                "{} passed, {} known to fail, {} skipped, {} not run",
                count.passed, count.failed, count.skipped, count.excluded
            );
            report.record(&format!("e2e [sig-{group}]: {text}"), Ok(()));
        }
    }
}

/// The outcomes of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
    excluded: usize,
}

impl Counts {
    fn run(self) -> usize {
        self.passed + self.failed + self.skipped
    }

    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.excluded += other.excluded;
    }
}

/// The outcomes of each group; those of conformance specs alone if `conformance`.
fn counts<'a>(
    specs: &[(Spec<'a>, &Outcome)],
    selection: &Selection,
    conformance: bool,
) -> BTreeMap<&'a str, Counts> {
    let mut all: BTreeMap<&str, Counts> = BTreeMap::new();
    for (spec, outcome) in specs.iter().filter(|(spec, _)| !conformance || spec.is_conformance()) {
        let count = all.entry(spec.group).or_default();
        match outcome {
            Outcome::Passed => count.passed += 1,
            Outcome::Failed(_) => count.failed += 1,
            Outcome::Skipped => count.skipped += 1,
            Outcome::NotSelected => count.excluded += usize::from(selection.leaves_out(spec)),
        }
    }
    all
}

/// The results as a table, then the lists with the number of specs of each entry.
fn table(specs: &[(Spec<'_>, &Outcome)], selection: &Selection, known: &Known) -> String {
    let mut text =
        "| specs | run | passed | failed | skipped | not run |\n|---|---|---|---|---|---|\n".to_owned();
    let mut row = |name: &str, count: Counts| {
        let Counts { passed, failed, skipped, excluded } = count;
        // Writing to a string never fails.
        let _ = writeln!(text, "| {name} | {} | {passed} | {failed} | {skipped} | {excluded} |", count.run());
    };
    let all = counts(specs, selection, false);
    let conformance = counts(specs, selection, true);
    let mut sums = [Counts::default(); 2];
    for group in GROUPS.into_iter().chain(selection.other_groups()) {
        for (sum, counts) in sums.iter_mut().zip([&all, &conformance]) {
            sum.add(counts.get(group).copied().unwrap_or_default());
        }
        row(&format!("`[sig-{group}]`"), all.get(group).copied().unwrap_or_default());
        row("of these `[Conformance]`", conformance.get(group).copied().unwrap_or_default());
    }
    row("all", sums[0]);
    row("of these `[Conformance]`", sums[1]);
    let mut list = |title: &str, known: &Known| {
        let _ = write!(text, "\n{title}\n\n| specs | group | name | reason |\n|---|---|---|---|\n");
        for [group, name, reason] in known.entries() {
            let same = |(spec, _): &&(Spec<'_>, _)| {
                spec.group == *group
                    && known.reason(spec.group, spec.name) == Some(*reason)
                    && super::known::matches(name, spec.name)
            };
            let count = specs.iter().filter(same).count();
            let _ = writeln!(text, "| {count} | `{group}` | {} | {reason} |", page::cell(name));
        }
    };
    if !known.entries().is_empty() {
        list("Specs that fail:", known);
    }
    list("Specs that are not run:", &selection.excluded);
    for group in selection.other_groups() {
        let same = |(spec, _): &&(Spec<'_>, _)| {
            spec.group == group
                && selection.leaves_out(spec)
                && selection.excluded.reason(group, spec.name).is_none()
        };
        let count = specs.iter().filter(same).count();
        if count > 0 {
            let _ = writeln!(
                text,
                "| {count} | `{group}` | the others | they need containers, volumes, or a network between nodes |"
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_conformance_specs_are_counted_apart() {
        let excluded = Known::of("auth | pods* | no pods\n").unwrap();
        let selection = Selection { focus: Vec::new(), excluded, others: vec![["node", "d"]] };
        let known = Known::of("auth | c | not yet\n").unwrap();
        let failed = Outcome::Failed("why".to_owned());
        let names = [
            ("[sig-auth] a [Conformance]", &Outcome::Passed),
            ("[sig-auth] c", &failed),
            ("[sig-auth] pods run [Conformance]", &Outcome::NotSelected),
            ("[sig-auth] other", &Outcome::NotSelected),
            ("[sig-api-machinery] b", &Outcome::Skipped),
            ("[sig-node] d", &Outcome::Passed),
            ("[sig-node] e", &Outcome::NotSelected),
        ];
        let specs: Vec<(Spec<'_>, &Outcome)> =
            names.iter().map(|(name, outcome)| (Spec::of(name).unwrap(), *outcome)).collect();
        let written = table(&specs, &selection, &known);
        let rows = "| `[sig-auth]` | 2 | 1 | 1 | 0 | 1 |\n| of these `[Conformance]` | 1 | 1 | 0 | 0 | 1 |\n\
                    | `[sig-node]` | 1 | 1 | 0 | 0 | 1 |\n| of these `[Conformance]` | 0 | 0 | 0 | 0 | 0 |\n\
                    | all | 4 | 2 | 1 | 1 | 2 |\n| of these `[Conformance]` | 1 | 1 | 0 | 0 | 1 |\n";
        assert!(written.contains(rows), "{written}");
        assert!(written.contains("| 1 | `auth` | `c` | not yet |\n"), "{written}");
        assert!(written.contains("| 1 | `auth` | `pods*` | no pods |\n"), "{written}");
        assert!(written.contains("| 1 | `node` | the others | they need"), "{written}");
    }

    #[test]
    fn a_second_run_replaces_what_it_ran() {
        let test = |name: &str, outcome| Test { name: name.to_owned(), outcome };
        let failed = Outcome::Failed("why".to_owned());
        let last = vec![test("a", Outcome::Passed), test("b", failed), test("c", Outcome::NotSelected)];
        let new = ["a", "b", "c", "d"]
            .map(|name| test(name, if name == "b" { Outcome::Passed } else { Outcome::NotSelected }));
        let outcomes: Vec<Outcome> =
            replaced(last, new.into()).into_iter().map(|test| test.outcome).collect();
        let none = Outcome::NotSelected;
        assert_eq!(outcomes, [Outcome::Passed, Outcome::Passed, none.clone(), none]);
    }

    #[test]
    fn results_of_specs_that_are_excluded_later_are_forgotten() {
        let failed = Outcome::Failed("why".to_owned());
        let mut tests = [("[sig-apps] a", failed.clone()), ("[sig-apps] b", failed.clone())]
            .map(|(name, outcome)| Test { name: name.to_owned(), outcome });
        leave_out(&mut tests, &Known::of("apps | a | a script decides\n").unwrap());
        assert_eq!(tests.map(|test| test.outcome), [Outcome::NotSelected, failed]);
    }

    #[test]
    fn the_suite_has_the_version_of_the_control_plane() {
        let of = |folder: &str| {
            let path = workspace::root().join(folder).join("go.mod");
            version(&std::fs::read_to_string(path).unwrap()).unwrap()
        };
        assert_eq!(of("tests/interop/kubernetes-e2e"), of("hack/controlplane"));
    }

    #[test]
    fn the_lists_can_be_read() {
        assert!(Known::of(include_str!("known.txt")).is_ok());
        assert!(Selection::read(&[], &GROUPS).is_ok());
    }
}
