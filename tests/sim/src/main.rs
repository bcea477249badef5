//! `cargo xtask sim`: fault histories against our own state machines.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use client_rs_sim::campaign;
use client_rs_sim::canaries::{self, Outcome};
use client_rs_sim::derived;
use client_rs_sim::election::Elections;
use client_rs_sim::informer::{Informers, exhaustive};
use client_rs_sim::schedule::Mode;
use client_rs_sim::sharding::Sharding;
use client_rs_sim::shrink::shrink;
use client_rs_sim::subject::{Case, Run, Subject};

/// Run fault histories against the state machines of the library.
#[derive(Parser)]
#[command(name = "cargo xtask sim", bin_name = "cargo xtask sim")]
#[allow(clippy::struct_excessive_bools, reason = "each is an argument of its own")]
struct Args {
    /// The tier: `a` has machines without a runtime
    #[arg(long, default_value = "a")]
    tier: Tier,
    /// The number of histories
    #[arg(long, default_value_t = 100_000)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// How steps are chosen
    #[arg(long, default_value = "random")]
    mode: Mode,
    /// The number of steps of exhaustive histories
    #[arg(long, default_value_t = 6)]
    depth: usize,
    /// Repeat one seed, and print its history as JSON lines
    #[arg(long, value_name = "SEED")]
    replay: Option<u64>,
    /// Repeat a file of the corpus, and print its history as JSON lines
    #[arg(long, value_name = "FILE")]
    case: Option<PathBuf>,
    /// The kind of history that `--replay` and `--case` repeat
    #[arg(long, default_value = "informer")]
    subject: Kind,
    /// Run only this kind of history
    #[arg(long, value_name = "SUBJECT")]
    only: Option<Kind>,
    /// Print one digest per history, to compare processes
    #[arg(long)]
    digest: bool,
    /// Count the histories until each seeded fault is found
    #[arg(long)]
    canaries: bool,
    /// Choose this seeded fault for the whole run
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    canary: u32,
    /// Run random graphs of derived collections instead, each epoch compared with a recomputation from scratch
    #[arg(long)]
    collections: bool,
    /// Print which transitions the histories have seen
    #[arg(long)]
    coverage: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    /// Informers with handlers and work queue
    Informer,
    /// Elections with the writes of their leaders
    Election,
    /// Replicas that share keys
    Sharding,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Informer => Informers::NAME,
            Self::Election => Elections::NAME,
            Self::Sharding => Sharding::NAME,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Tier {
    /// Machines without a runtime
    A,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<ExitCode> {
    let Tier::A = args.tier;
    canaries::choose(args.canary);
    if args.collections {
        return Ok(collections(args));
    }
    if let Some(seed) = args.replay {
        return match args.subject {
            Kind::Informer => replay::<Informers>(seed, args.mode),
            Kind::Election => replay::<Elections>(seed, args.mode),
            Kind::Sharding => replay::<Sharding>(seed, args.mode),
        };
    }
    if let Some(file) = &args.case {
        return match args.subject {
            Kind::Informer => case::<Informers>(file),
            Kind::Election => case::<Elections>(file),
            Kind::Sharding => case::<Sharding>(file),
        };
    }
    if args.digest {
        for mode in [Mode::Random, Mode::Pct] {
            digest::<Informers>(args, mode);
            digest::<Elections>(args, mode);
            digest::<Sharding>(args, mode);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.canaries {
        return Ok(find_canaries());
    }
    if args.mode == Mode::Exhaustive {
        return search(args.depth);
    }
    let results = [hunt::<Informers>(args)?, hunt::<Elections>(args)?, hunt::<Sharding>(args)?];
    Ok(results.into_iter().find(|result| *result != ExitCode::SUCCESS).unwrap_or(ExitCode::SUCCESS))
}

fn collections(args: &Args) -> ExitCode {
    if let Some(seed) = args.replay {
        println!("{}", client_rs_collections::sim::explain(seed));
        return client_rs_collections::sim::run(seed).map_or(ExitCode::FAILURE, |_| ExitCode::SUCCESS);
    }
    let report = derived::run(args.from..args.from + args.seeds);
    println!("{report}");
    let Some((seed, error)) = report.failed else { return ExitCode::SUCCESS };
    println!("seed {seed}: {error}");
    println!("{}", client_rs_collections::sim::explain(seed));
    ExitCode::FAILURE
}

fn search(depth: usize) -> Result<ExitCode> {
    let began = Instant::now();
    let search = exhaustive::search(depth);
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "informer: all histories of {depth} steps: {} histories, {} states in {seconds:.1} s",
        search.histories, search.states
    );
    let Some((case, violation)) = search.failed else { return Ok(ExitCode::SUCCESS) };
    println!("{violation}");
    println!("{}", serde_json::to_string(&case)?);
    Ok(ExitCode::FAILURE)
}

fn find_canaries() -> ExitCode {
    if !cfg!(feature = "canary") {
        eprintln!("error: this program has no seeded faults: run `cargo xtask sim --canaries`");
        return ExitCode::from(2);
    }
    let mut alive = 0;
    let informer = canaries::INFORMER.iter().map(|canary| canaries::hunt::<Informers>(*canary));
    let election = canaries::ELECTION.iter().map(|canary| canaries::hunt::<Elections>(*canary));
    let sharding = canaries::SHARDING.iter().map(|canary| canaries::hunt::<Sharding>(*canary));
    let count = canaries::INFORMER.len() + canaries::ELECTION.len() + canaries::SHARDING.len();
    for Outcome { canary, histories } in informer.chain(election).chain(sharding) {
        let found = histories.map_or_else(|| "ALIVE".to_owned(), |histories| histories.to_string());
        println!("{:3}  {found:>8}  {}", canary.number, canary.name);
        alive += usize::from(histories.is_none());
    }
    println!("canaries: {} found, {alive} alive", count - alive);
    if alive == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn hunt<S: Subject>(args: &Args) -> Result<ExitCode> {
    if args.only.is_some_and(|only| only.name() != S::NAME) {
        return Ok(ExitCode::SUCCESS);
    }
    let seeds = args.seeds.div_ceil(S::SHARE);
    let report = campaign::run::<S>(args.from..args.from + seeds, args.mode, true);
    let seconds = report.took.as_secs_f64();
    #[allow(clippy::cast_precision_loss)]
    let rate = report.histories as f64 / seconds;
    println!(
        "{}: {} histories, {} steps, {} faults in {seconds:.1} s: {rate:.0} histories/s; at least {} steps and {} faults each",
        S::NAME,
        report.histories,
        report.steps,
        report.faults,
        report.fewest_steps,
        report.fewest_faults
    );
    if args.coverage && S::NAME == Informers::NAME {
        print!("{}", report.coverage.table());
        let problems = report.coverage.problems();
        for problem in &problems {
            println!("coverage: {problem}");
        }
        if !problems.is_empty() {
            return Ok(ExitCode::FAILURE);
        }
    }
    if let Some(seed) = report.failed {
        return replay::<S>(seed, args.mode);
    }
    Ok(ExitCode::SUCCESS)
}

fn case<S: Subject>(file: &Path) -> Result<ExitCode> {
    let case: Case<S::Setup, S::Op> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let mut run = Run::default();
    let outcome = run.case::<S>(case.setup, &case.ops);
    print!("{}", run.history.json_lines(usize::MAX));
    let Err(violation) = outcome else { return Ok(ExitCode::SUCCESS) };
    println!("{violation}");
    Ok(ExitCode::FAILURE)
}

fn digest<S: Subject>(args: &Args, mode: Mode) {
    let (mut run, mut ops) = (Run::default(), Vec::new());
    for seed in args.from..args.from + args.seeds {
        let _ = run.seed::<S>(seed, mode, &mut ops);
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        for byte in run.history.json_lines(usize::MAX).bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        println!("{} {seed} {digest:016x}", S::NAME);
    }
}

fn replay<S: Subject>(seed: u64, mode: Mode) -> Result<ExitCode> {
    let (mut run, mut ops) = (Run::default(), Vec::new());
    let (setup, outcome) = run.seed::<S>(seed, mode, &mut ops);
    let Err(violation) = outcome else {
        print!("{}", run.history.json_lines(usize::MAX));
        return Ok(ExitCode::SUCCESS);
    };
    println!("seed {seed}: {violation}");
    let (case, violation) = shrink::<S>(setup, &ops, violation, &mut run);
    let outcome = run.case::<S>(case.setup, &case.ops);
    println!("shrunk from {} to {} steps: {violation}", ops.len(), case.ops.len());
    println!("{}", serde_json::to_string(&case)?);
    print!("{}", run.history.json_lines(50));
    debug_assert!(outcome.is_err());
    Ok(ExitCode::FAILURE)
}
