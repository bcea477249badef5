//! Histories that have broken a rule once. Each file is the output of `cargo xtask sim`, with a name that tells the cause.

use std::path::Path;

use client_rs_sim::election::Elections;
use client_rs_sim::informer::Informers;
use client_rs_sim::subject::{Case, Run, Subject};

fn replay<S: Subject>() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(S::NAME);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no file", folder.display());
    let mut run = Run::default();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let case: Case<S::Setup, S::Op> = serde_json::from_str(&text).unwrap();
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
