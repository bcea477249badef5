//! `cargo xtask limits`: figures that must not drift, held to `bench/limits.toml`.
//!
//! Wall time says little on a machine that others use. Instructions, live bytes, crates and bytes of a program are the same in
//! every run, so that a few percent more are noticed, and are the fault of the change that brings them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};
use client_rs_tests_tools::workspace::{self, cargo, command};

/// Measures and compares with the committed limits: more, or less, than 2 % off fails.
///
/// Instructions and heap are those of small workloads of objects, of the queue and of a controller with and without its recorder
/// (`bench/limits`), under valgrind.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure programs that are built for release too, which takes minutes
    #[arg(long)]
    full: bool,
    /// Write what was measured as the new limits; the commit says why they change
    #[arg(long)]
    write: bool,
}

/// Names and figures of one section.
type Figures = BTreeMap<String, u64>;
/// Sections by name.
type Limits = BTreeMap<String, Figures>;

const FILE: &str = "bench/limits.toml";
const QUICK: &str = "quick";
const RELEASE: &str = "release";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let path = workspace::root().join(FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let mut limits = parse(&text)?;
    let mut measured = vec![(QUICK, quick()?)];
    if args.full {
        measured.push((RELEASE, release()?));
    }
    let (mut passed, mut failed) = (0, 0);
    for (section, figures) in measured {
        let known = limits.remove(section).unwrap_or_default();
        let problems = compare(section, &known, &figures);
        for (name, seen) in &figures {
            println!("{section:<8} {name:<36} {seen:>14}");
        }
        if !args.write {
            for problem in &problems {
                println!("FAILED  {problem}");
            }
            failed += problems.len();
        }
        passed += figures.len().saturating_sub(problems.len());
        limits.insert(section.to_owned(), figures);
    }
    if args.write {
        std::fs::write(&path, written(&limits)?)
            .with_context(|| format!("can't write {}", path.display()))?;
        println!("limits: written to {FILE}; say in the commit why they change");
        return Ok(ExitCode::SUCCESS);
    }
    println!("limits: {passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Finds figures without a limit, or more than 2 % away from it.
fn compare(section: &str, limits: &Figures, seen: &Figures) -> Vec<String> {
    let how = format!(
        "Where that is wanted, run `cargo xtask limits{} --write`, and say why in the commit",
        if section == RELEASE { " --full" } else { "" }
    );
    let mut problems = Vec::new();
    for (name, &seen) in seen {
        let Some(&limit) = limits.get(name) else {
            problems.push(format!("{name}: no limit in [{section}] of {FILE}, seen {seen}. {how}"));
            continue;
        };
        let (more, less) = (100 * seen > 102 * limit, 100 * seen < 98 * limit);
        if more || less {
            #[allow(clippy::cast_precision_loss, reason = "a percentage to be read")]
            let off = (seen as f64 / limit as f64 - 1.0) * 100.0;
            let what = if more { "more than allowed" } else { "less: keep the gain by a lower limit" };
            problems.push(format!(
                "{name}: expected {limit} within 2 %, seen {seen} ({off:+.1} %), {what}. {how}"
            ));
        }
    }
    for name in limits.keys().filter(|name| !seen.contains_key(*name)) {
        problems.push(format!("{name}: has a limit in [{section}] of {FILE} and is not measured. {how}"));
    }
    problems
}

/// Sections of `name = number`: as much of TOML as the file needs.
fn parse(text: &str) -> Result<Limits> {
    let (mut limits, mut section) = (Limits::new(), None);
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = Some(name.to_owned());
            limits.entry(name.to_owned()).or_default();
            continue;
        }
        let entry = line.split_once('=').map(|(name, value)| (name.trim(), value.trim().replace('_', "")));
        let place = || format!("line {} of {FILE}", number + 1);
        let (name, value) = entry.with_context(place)?;
        let section = section.as_ref().with_context(place)?;
        let value = value.parse().with_context(place)?;
        let old = limits.entry(section.clone()).or_default().insert(name.to_owned(), value);
        ensure!(old.is_none(), "{name} has two limits in [{section}] of {FILE}");
    }
    Ok(limits)
}

fn written(limits: &Limits) -> Result<String> {
    let mut text = String::from(
        "# What `cargo xtask limits` holds figures to, within 2 % both ways; CI runs it.\n\
         # `cargo xtask limits --write` writes this file, with `--full` its section [release] too. A commit that changes a\n\
         # figure says why.\n",
    );
    for (section, figures) in limits {
        writeln!(text, "\n[{section}]")?;
        for (name, figure) in figures {
            writeln!(text, "{name} = {figure}")?;
        }
    }
    Ok(text)
}

/// The figures that CI measures on its own build: programs without optimization.
fn quick() -> Result<Figures> {
    let mut figures = Figures::new();
    figures.insert("krs-crates".to_owned(), crates_of("client-rs-cli")?);
    // As CI builds: other settings make another program.
    let settings = [("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")];
    workspace::run(cargo().args(["build", "--locked", "-p", "client-rs-cli"]).envs(settings))?;
    let target = workspace::target();
    figures.insert("krs-stripped-bytes".to_owned(), stripped(&target.join("debug/krs"))?);
    // With all packages chosen, features are those of the tests, whose artifacts these are.
    workspace::run(cargo().args(["build", "--locked", "--workspace", "--example", "limits"]).envs(settings))?;
    workloads(&target.join("debug/examples/limits"), &mut figures)?;
    Ok(figures)
}

fn release() -> Result<Figures> {
    let mut figures = Figures::new();
    workspace::run(cargo().args(["build", "--release", "--locked", "-p", "client-rs-cli"]))?;
    let target = workspace::target();
    figures.insert("krs-stripped-bytes".to_owned(), stripped(&target.join("release/krs"))?);
    workspace::run(cargo().args([
        "build",
        "--release",
        "--locked",
        "-p",
        "bench-limits",
        "--example",
        "limits",
    ]))?;
    workloads(&target.join("release/examples/limits"), &mut figures)?;
    Ok(figures)
}

/// How many crates are compiled for a package, those of its build included.
fn crates_of(package: &str) -> Result<u64> {
    let mut tree = cargo();
    tree.args([
        "tree",
        "--locked",
        "-p",
        package,
        "-e",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let output = tree.stderr(Stdio::inherit()).output().context("can't start cargo")?;
    ensure!(output.status.success(), "`cargo tree` ended with {}", output.status);
    Ok(distinct_crates(&String::from_utf8_lossy(&output.stdout)))
}

/// Each crate is named as often as it is needed.
fn distinct_crates(tree: &str) -> u64 {
    let mut names: Vec<String> = tree
        .lines()
        .map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
        .filter(|name| !name.is_empty())
        .collect();
    names.sort();
    names.dedup();
    names.len() as u64
}

/// The size of a program without its symbols.
fn stripped(program: &Path) -> Result<u64> {
    let folder = tempfile::tempdir().context("can't make a scratch folder")?;
    let copy = folder.path().join("stripped");
    workspace::run(command("strip").arg("-o").arg(&copy).arg(program))?;
    Ok(copy.metadata().context("strip wrote nothing")?.len())
}

/// Instructions and live bytes of every workload.
fn workloads(program: &Path, figures: &mut Figures) -> Result<()> {
    // Runs without work are the same for all objects, for both sides of the queue, and for both controllers.
    for (prefix, count, names) in [
        ("objects", "40", &["json", "protobuf", "pooled"][..]),
        ("objects", "40", &["lines"]),
        ("queue", "4000", &["through", "waiting"]),
        ("controller", "200", &["plain", "recorded"]),
    ] {
        let idle = both(program, &format!("{prefix}-{}", names[0]), "0", 0)?;
        for name in names {
            let workload = format!("{prefix}-{name}");
            let busy = least(program, &workload, count)?;
            figures.insert(format!("{workload}-instructions"), busy.0.saturating_sub(idle.0));
            // A queue that was emptied keeps its tables: the one that waits says more.
            if *name != "through" {
                figures.insert(format!("{workload}-heap-bytes"), busy.1.saturating_sub(idle.1));
            }
        }
    }
    Ok(())
}

/// The least of a few runs. Hash tables take their seed from addresses, and those depend on the size of the environment: some
/// seeds make a table grow once more.
fn least(program: &Path, workload: &str, count: &str) -> Result<(u64, u64)> {
    const PADDINGS: [usize; 4] = [0, 48, 112, 304];
    let mut least = (u64::MAX, u64::MAX);
    for padding in PADDINGS {
        let (instructions, heap) = both(program, workload, count, padding)?;
        least = (least.0.min(instructions), least.1.min(heap));
    }
    Ok(least)
}

/// Instructions and live bytes at the end of one run, measured at the same time, in an environment of this size.
fn both(program: &Path, workload: &str, count: &str, padding: usize) -> Result<(u64, u64)> {
    let valgrind = on_the_path("valgrind")
        .context("valgrind is not there: install it (Debian's package is valgrind)")?;
    let (folder, name) = program.parent().zip(program.file_name()).context("the program has no folder")?;
    let start = |tool: &[&str]| {
        let mut valgrind = Command::new(&valgrind);
        // The same strings on the stack wherever this runs: addresses, and so the seeds of hash tables, depend on them.
        valgrind.env_clear().env("PADDING", "x".repeat(padding)).current_dir(folder);
        valgrind.args(tool).arg(Path::new(".").join(name)).args([workload, count]);
        valgrind.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().context("can't start valgrind")
    };
    let instructions = start(&["--tool=callgrind", "--callgrind-out-file=/dev/null"])?;
    let heap = start(&["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"])?;
    let mut said = Vec::new();
    for run in [instructions, heap] {
        let output = run.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            bail!("{workload} under valgrind ended with {}: {text}", output.status);
        }
        said.push(text);
    }
    let read =
        |text: &str, label: &str| number_after(text, label).with_context(|| format!("no {label} in: {text}"));
    Ok((read(&said[0], "Collected :")?, read(&said[1], "in use at exit:")?))
}

/// Where a program of the system is.
fn on_the_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The number after a label in valgrind's output, which groups digits with commas.
fn number_after(text: &str, label: &str) -> Option<u64> {
    let rest = text.split_once(label)?.1.trim_start();
    rest.split_whitespace().next()?.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(entries: &[(&str, u64)]) -> Figures {
        entries.iter().map(|(name, figure)| ((*name).to_owned(), *figure)).collect()
    }

    #[test]
    fn two_percent_either_way_are_allowed_and_no_more() {
        let limits = figures(&[("heap", 1000)]);
        for allowed in [980, 1000, 1020] {
            assert!(compare(QUICK, &limits, &figures(&[("heap", allowed)])).is_empty(), "{allowed}");
        }
        let more = compare(QUICK, &limits, &figures(&[("heap", 1021)]));
        assert_eq!(more.len(), 1);
        assert!(
            more[0].starts_with("heap: expected 1000 within 2 %, seen 1021 (+2.1 %), more than allowed"),
            "{more:?}"
        );
        assert!(more[0].contains("cargo xtask limits --write"), "{more:?}");
        let less = compare(RELEASE, &limits, &figures(&[("heap", 979)]));
        assert!(less[0].contains("seen 979 (-2.1 %), less: keep the gain"), "{less:?}");
        assert!(less[0].contains("cargo xtask limits --full --write"), "{less:?}");
    }

    #[test]
    fn a_figure_without_a_limit_and_a_limit_without_a_figure_fail() {
        let problems = compare(QUICK, &figures(&[("old", 1)]), &figures(&[("new", 2)]));
        assert_eq!(problems.len(), 2);
        assert!(problems[0].starts_with("new: no limit in [quick]"), "{problems:?}");
        assert!(problems[1].starts_with("old: has a limit in [quick]"), "{problems:?}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let limits = Limits::from([
            (QUICK.to_owned(), figures(&[("a-b", 1), ("c", 20)])),
            (RELEASE.to_owned(), figures(&[("a-b", 3)])),
        ]);
        assert_eq!(parse(&written(&limits).unwrap()).unwrap(), limits);
        assert_eq!(parse("[x]\na = 1_000 # why\n").unwrap()["x"]["a"], 1000);
        for broken in ["a = 1", "[x]\na", "[x]\na = b", "[x]\na = 1\na = 2"] {
            assert!(parse(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn the_committed_limits_can_be_read() {
        let text = std::fs::read_to_string(workspace::root().join(FILE)).unwrap();
        assert!(parse(&text).unwrap()[QUICK].len() >= 8);
    }

    #[test]
    fn valgrind_is_understood_and_a_crate_counts_once() {
        assert_eq!(number_after("==7== Collected : 1234\n", "Collected :"), Some(1234));
        assert_eq!(
            number_after("==7==     in use at exit: 1,234 bytes in 5 blocks", "in use at exit:"),
            Some(1234)
        );
        assert_eq!(number_after("nothing", "Collected :"), None);
        let tree =
            "krs v0.1.0 (/x)\nserde v1.0.0\nserde v1.0.0 (*)\nserde v2.0.0\nmacro v1.0.0 (proc-macro)\n\n";
        assert_eq!(distinct_crates(tree), 4);
    }
}
