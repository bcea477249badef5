//! Histories that have broken a rule once. Each file is the output of `cargo xtask sim`, with a name that tells the cause.

use client_rs_sim::election::Elections;
use client_rs_sim::informer::Informers;
use client_rs_sim::sharding::Sharding;
use client_rs_sim::subject::{Run, Subject, corpus};

fn replay<S: Subject>() {
    let cases = corpus::<S>().unwrap();
    assert!(!cases.is_empty(), "{} has no file", S::NAME);
    let mut run = Run::default();
    for (file, case) in cases {
        let outcome = run.case::<S>(case.setup, &case.ops);
        assert_eq!(outcome, Ok(()), "{}: {}", file.display(), run.history.json_lines(50));
    }
}

#[test]
fn histories_of_informers_that_failed_once() {
    replay::<Informers>();
}

#[test]
fn histories_of_elections_that_failed_once() {
    replay::<Elections>();
}

#[test]
fn histories_of_sharding_that_failed_once() {
    replay::<Sharding>();
}
