//! The same seed gives the same history, in any process.

use std::process::Command;

use client_rs_sim::election::Elections;
use client_rs_sim::informer::Informers;
use client_rs_sim::schedule::Mode;
use client_rs_sim::sharding::Sharding;
use client_rs_sim::subject::{Run, Subject};

fn digests() -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_sim")).args(["--digest", "--seeds", "160"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_seed_gives_the_same_bytes_in_two_processes() {
    let (one, other) = (digests(), digests());
    assert_eq!(one.lines().count(), 960, "three kinds of histories, two modes");
    assert!(one == other, "two processes made different histories of the same seeds");
}

fn repeats<S: Subject>() {
    let (mut run, mut ops) = (Run::default(), Vec::new());
    for seed in 0..100 {
        let (setup, outcome) = run.seed::<S>(seed, Mode::Random, &mut ops);
        let first = run.history.json_lines(usize::MAX);
        assert_eq!(run.case::<S>(setup, &ops), outcome);
        assert!(first == run.history.json_lines(usize::MAX), "seed {seed}: the steps give another history");
        assert!(ops.len() >= S::STEPS && ops.iter().filter(|op| S::is_fault(**op)).count() >= S::FAULTS);
    }
}

#[test]
fn the_steps_of_a_history_repeat_it() {
    repeats::<Informers>();
    repeats::<Elections>();
    repeats::<Sharding>();
}
