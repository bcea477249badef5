//! One target in its process.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::FileExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client_rs_fuzz::Target;

use crate::coverage::Coverage;
use crate::mutate::Mutator;
use crate::{Options, folder, memory};

/// The exit code after a panic, whose input is written already.
pub const EXIT_FINDING: i32 = 1;
/// The exit code of a run whose input took too long.
pub const EXIT_HANG: i32 = 78;

/// How much processor time one input may take.
const MAX_CPU: Duration = Duration::from_secs(5);
/// How long one input may take in all: one that waits for something takes no processor time.
const MAX_WALL: Duration = Duration::from_secs(60);
/// How much memory one input may take, beyond what the process has.
const MAX_MEMORY: usize = 512 << 20;
/// The stack that targets have: that of a tokio worker, with room for what a build without optimization wastes.
const STACK: usize = 4 << 20;
/// How long a finding is made smaller.
const MINIMIZE: Duration = Duration::from_secs(5);

/// The message of the first panic of an execution, on any thread.
static PANIC: Mutex<Option<String>> = Mutex::new(None);
/// Counts executions; odd while one runs.
static RUNNING: AtomicU64 = AtomicU64::new(0);

/// Runs seeds and what is made of them until the time is over.
pub fn fuzz(target: &'static Target, options: &Options, current: &Path) -> ExitCode {
    let file = File::create(current).expect("the file for the current input can be made");
    let corpus = folder().join("corpus").join(target.name);
    let mut folders = vec![folder().join("seeds").join(target.name)];
    if options.keep {
        fs::create_dir_all(&corpus).expect("the folder of the corpus can be made");
        folders.push(corpus.clone());
    }
    let seeds: Vec<Vec<u8>> = folders.iter().flat_map(|folder| read_all(folder)).collect();
    let deadline = Instant::now() + Duration::from_secs_f64(options.seconds);
    let (most, seed, keep) = (options.executions, options.seed, options.keep.then_some(corpus));
    quiet_panics();
    watch();
    let looped = move || {
        Loop { target, file, coverage: Coverage::new(), executions: 0, fresh: false }
            .go(seeds, seed, deadline, most, keep)
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(looped).expect("a thread can be started");
    match worker.join() {
        Ok(true) => ExitCode::SUCCESS,
        _ => ExitCode::from(EXIT_FINDING as u8),
    }
}

/// Runs one input, with its panic shown unless `quiet`.
pub fn replay(target: &'static Target, input: &Path, quiet: bool) -> ExitCode {
    let bytes = match fs::read(input) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("error: {}: {error}", input.display());
            return ExitCode::from(2);
        }
    };
    if quiet {
        quiet_panics();
    } else {
        let shown = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            note(info);
            shown(info);
        }));
    }
    watch();
    let worker = move || execute(target, &bytes);
    let outcome =
        thread::Builder::new().stack_size(STACK).spawn(worker).expect("a thread can be started").join();
    match outcome {
        Ok(None) => {
            println!("{}: held", target.name);
            ExitCode::SUCCESS
        }
        _ => ExitCode::from(EXIT_FINDING as u8),
    }
}

struct Loop {
    target: &'static Target,
    file: File,
    coverage: Coverage,
    executions: u64,
    /// Whether the last input reached something new.
    fresh: bool,
}

impl Loop {
    fn go(
        mut self,
        seeds: Vec<Vec<u8>>,
        seed: u64,
        deadline: Instant,
        most: u64,
        keep: Option<PathBuf>,
    ) -> bool {
        let mut mutator = Mutator::new(seed, &seeds);
        let mut corpus = Vec::new();
        let mut held = true;
        // All seeds run, even when the time is over: they are the regression tests.
        for input in seeds {
            held = self.one(&input);
            corpus.push(input);
            if !held {
                break;
            }
        }
        if corpus.is_empty() {
            corpus.push(Vec::new());
        }
        while held && Instant::now() < deadline && self.executions < most {
            let input = mutator.next(&corpus);
            held = self.one(&input);
            if self.fresh {
                if let Some(folder) = &keep {
                    let _ = fs::write(folder.join(name_of(&input)), &input);
                }
                corpus.push(input);
            }
        }
        println!("{} {} {}", self.executions, self.coverage.edges(), corpus.len());
        held
    }
}

impl Loop {
    /// Runs an input; false if it is a finding, which is then written.
    fn one(&mut self, input: &[u8]) -> bool {
        let length = u32::try_from(input.len()).unwrap_or(u32::MAX).to_le_bytes();
        let written = self.file.write_all_at(&[&length, input].concat(), 0);
        written.expect("the current input can be written");
        self.coverage.reset();
        self.executions += 1;
        let outcome = execute(self.target, input);
        self.fresh = self.coverage.is_on() && self.coverage.is_new();
        let Some(said) = outcome else { return true };
        // The place identifies the finding: the message may show parts of the input.
        let place = place(&said).to_owned();
        let small = minimize(input.to_vec(), Instant::now() + MINIMIZE, |input| {
            execute(self.target, input).is_some_and(|said| self::place(&said) == place)
        });
        let said = execute(self.target, &small).unwrap_or(said);
        eprintln!("{}: panic: {}", self.target.name, said.chars().take(2000).collect::<String>());
        report(self.target, "panic", &small);
        false
    }
}

/// Runs an input. Returns the message of its panic, if it panicked on any thread.
fn execute(target: &Target, input: &[u8]) -> Option<String> {
    memory::limit(MAX_MEMORY);
    RUNNING.fetch_add(1, Ordering::Relaxed);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    RUNNING.fetch_add(1, Ordering::Relaxed);
    let said = PANIC.lock().unwrap().take();
    match outcome {
        Ok(()) => said,
        Err(_) => Some(said.unwrap_or_default()),
    }
}

fn place(said: &str) -> &str {
    said.split(": ").next().unwrap_or_default()
}

fn note(info: &panic::PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let what = info.payload_as_str().unwrap_or_default();
    PANIC.lock().unwrap().get_or_insert_with(|| format!("{place}: {what}"));
}

fn quiet_panics() {
    panic::set_hook(Box::new(note));
}

/// Ends the process when one input takes too long.
fn watch() {
    thread::spawn(move || {
        let mut since = (0, Instant::now(), cpu());
        loop {
            thread::sleep(Duration::from_millis(100));
            let running = RUNNING.load(Ordering::Relaxed);
            if running % 2 == 0 || running != since.0 {
                since = (running, Instant::now(), cpu());
                continue;
            }
            if cpu().saturating_sub(since.2) > MAX_CPU || since.1.elapsed() > MAX_WALL {
                std::process::exit(EXIT_HANG);
            }
        }
    });
}

/// The processor time of this process; where the system does not say, the time since it was first asked.
fn cpu() -> Duration {
    static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let ticks = || {
        let text = fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the program may have spaces; what follows it has none. Linux counts a hundred ticks a second.
        let mut words = text.rsplit(')').next()?.split_whitespace().skip(11);
        let mut next = || words.next()?.parse::<u64>().ok();
        Some(Duration::from_millis((next()? + next()?) * 10))
    };
    ticks().unwrap_or_else(|| BEGUN.elapsed())
}

/// Removes parts of an input as long as it stays a finding: halves first, bytes last.
pub fn minimize(mut input: Vec<u8>, deadline: Instant, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut length = input.len() / 2;
    while length > 0 {
        let mut start = 0;
        while start < input.len() {
            if Instant::now() > deadline {
                return input;
            }
            let mut shorter = input.clone();
            shorter.drain(start..(start + length).min(input.len()));
            if fails(&shorter) {
                input = shorter;
            } else {
                start += length;
            }
        }
        length /= 2;
    }
    input
}

/// The input that a process ran when it ended.
pub fn read_current(file: &Path) -> Vec<u8> {
    let bytes = fs::read(file).unwrap_or_default();
    let Some((length, input)) = bytes.split_at_checked(4) else { return Vec::new() };
    let length = usize::try_from(u32::from_le_bytes(length.try_into().unwrap_or_default())).unwrap_or(0);
    input[..length.min(input.len())].to_vec()
}

/// Writes a finding, and says how to run it again.
pub fn report(target: &Target, kind: &str, input: &[u8]) {
    let folder = folder().join("findings").join(target.name);
    fs::create_dir_all(&folder).expect("the folder of the findings can be made");
    let file = folder.join(format!("{kind}-{}", name_of(input)));
    fs::write(&file, input).expect("the finding can be written");
    let shown: String = String::from_utf8_lossy(input).chars().take(300).collect();
    eprintln!("    {} bytes: {shown:?}", input.len());
    eprintln!("    cargo xtask fuzz --target {} --replay {}", target.name, file.display());
}

fn name_of(input: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The files of a folder, in the order of their names.
fn read_all(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimizing_leaves_what_fails() {
        let later = Instant::now() + Duration::from_secs(60);
        let fails = |input: &[u8]| input.contains(&b'x') && input.contains(&b'y');
        assert_eq!(minimize(b"aaaxbbbbbbbyccccc".to_vec(), later, fails), b"xy");
    }

    #[test]
    fn the_place_of_a_panic_is_separate_from_its_message() {
        assert_eq!(place("src/a.rs:1:2: assertion: x"), "src/a.rs:1:2");
    }
}
