//! Runs the fuzz targets on stable Rust, for a bounded time.
//!
//! Each target runs in a process of its own, so that one that aborts, overflows its stack, hangs or takes too much memory is
//! a finding like a panic. `--help` has the options; `docs/design/fuzzing.md` has the rest.

mod coverage;
mod memory;
mod mutate;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use client_rs_fuzz::{TARGETS, Target};

#[global_allocator]
static ALLOCATOR: memory::Counted = memory::Counted;

const HELP: &str = "\
Runs the fuzz targets: seeds first, then what is made of them.

Usage: driver [OPTIONS]

Options:
  --seconds N      How long all targets run together; each has the same part [default: 20]
  --executions N   At most so many executions of each target [default: no limit]
  --target NAME    Only this target; may be given several times
  --seed N         Where the numbers of the mutator begin [default: 1]
  --keep           Keep inputs that reach new code in fuzz/corpus, and begin with those that are there
  --replay FILE    Run one input of the one target that is given
  --list           Print the names of the targets
";

/// The parsed command line.
struct Options {
    seconds: f64,
    executions: u64,
    targets: Vec<&'static Target>,
    seed: u64,
    keep: bool,
    replay: Option<PathBuf>,
    /// Set in the process of one target: the file with the input that it runs.
    current: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match (&options.current, &options.replay, options.targets.as_slice()) {
        (Some(current), None, [target]) => run::fuzz(target, &options, current),
        (_, Some(input), [target]) => run::replay(target, input, options.current.is_some()),
        (_, Some(_), _) => {
            eprintln!("error: --replay needs one --target");
            ExitCode::from(2)
        }
        _ => all(&options),
    }
}

fn parse(arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options {
        seconds: 20.0,
        executions: u64::MAX,
        targets: Vec::new(),
        seed: 1,
        keep: false,
        replay: None,
        current: None,
    };
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text:?} is not a number"));
        match argument.as_str() {
            "--help" | "-h" => {
                print!("{HELP}");
                return Ok(None);
            }
            "--list" => {
                TARGETS.iter().for_each(|target| println!("{}", target.name));
                return Ok(None);
            }
            "--seconds" => {
                let text = value()?;
                let seconds =
                    text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
                options.seconds = seconds.ok_or_else(|| format!("{text:?} is not a number of seconds"))?;
            }
            "--executions" => options.executions = number(value()?)?,
            "--seed" => options.seed = number(value()?)?,
            "--keep" => options.keep = true,
            "--target" => {
                let name = value()?;
                let target = TARGETS.iter().find(|target| target.name == name);
                options
                    .targets
                    .push(target.ok_or_else(|| format!("there is no target {name:?}: see --list"))?);
            }
            "--replay" => options.replay = Some(value()?.into()),
            "--current" => options.current = Some(value()?.into()),
            other => return Err(format!("{other:?} is not an option")),
        }
    }
    if options.targets.is_empty() {
        options.targets = TARGETS.iter().collect();
    }
    Ok(Some(options))
}

/// The folder of the fuzz targets.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the targets one after the other.
fn all(options: &Options) -> ExitCode {
    let scratch = tempfile::tempdir().expect("there is a folder for temporary files");
    let seconds = options.seconds / options.targets.len() as f64;
    let (mut failed, mut executions) = (0, 0);
    println!("{:<20} {:>10} {:>8} {:>7} {:>7}", "target", "executions", "a second", "edges", "corpus");
    for target in &options.targets {
        let current = scratch.path().join(target.name);
        let begun = Instant::now();
        let mut command = myself();
        command.args(["--target", target.name, "--seconds", &seconds.to_string()]);
        command.args(["--seed", &options.seed.to_string(), "--executions", &options.executions.to_string()]);
        command.arg("--current").arg(&current).args(options.keep.then_some("--keep"));
        let output = command.stdout(Stdio::piped()).output().expect("the driver can start itself");
        let said = String::from_utf8_lossy(&output.stdout);
        let mut numbers = said.lines().last().unwrap_or_default().split(' ').map(|word| word.parse::<u64>());
        let mut number = || numbers.next().and_then(Result::ok).unwrap_or(0);
        let (count, edges, corpus) = (number(), number(), number());
        executions += count;
        let rate = count as f64 / begun.elapsed().as_secs_f64();
        println!("{:<20} {count:>10} {rate:>8.0} {edges:>7} {corpus:>7}", target.name);
        let kind = match output.status.code() {
            Some(0) => continue,
            Some(run::EXIT_FINDING) => {
                eprint!("{}", String::from_utf8_lossy(&output.stderr));
                failed += 1;
                continue;
            }
            Some(memory::EXIT_MEMORY) => "memory",
            Some(run::EXIT_HANG) => "hang",
            _ => "crash",
        };
        failed += 1;
        eprintln!("{}: {kind}: the process ended with {}", target.name, output.status);
        eprint!("{}", last_lines(&String::from_utf8_lossy(&output.stderr)));
        let input = run::read_current(&current);
        let input = if kind == "hang" { input } else { smaller(target, input, scratch.path()) };
        run::report(target, kind, &input);
    }
    println!("{executions} executions");
    println!("fuzz: {} passed, {failed} failed", options.targets.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn myself() -> Command {
    Command::new(std::env::current_exe().expect("the driver knows its own file"))
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(10)..].iter().map(|line| format!("    {line}\n")).collect()
}

/// A smaller input that ends its process too, as far as one is found in a few seconds.
fn smaller(target: &Target, input: Vec<u8>, scratch: &Path) -> Vec<u8> {
    let file = scratch.join("smaller");
    run::minimize(input, Instant::now() + Duration::from_secs(20), |input| {
        fs::write(&file, input).expect("a temporary file can be written");
        let mut command = myself();
        command.args(["--target", target.name, "--replay"]).arg(&file).arg("--current").arg("-");
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        !status.is_ok_and(|status| matches!(status.code(), Some(0 | run::EXIT_FINDING)))
    })
}
