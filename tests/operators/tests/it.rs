//! The example operator under simulation, and a few operators of the corpus.

#![allow(clippy::unwrap_used, reason = "tests")]
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use client_rs_operators::app::App;
use client_rs_operators::cases::all;
use client_rs_operators::example::example;
use client_rs_operators::kit::{Case, simulation};
use client_rs_operators::recorded::{Story, record, replay};
use client_rs_operators::workloads::workloads;
use client_rs_simulation::{Replay, Simulation};

// A history of two replicas with elections takes longer than others: CI makes a few.
#[client_rs_simulation::test]
fn the_example_operator_survives_faults() -> Simulation {
    example().targeted(false).seeds(12)
}

#[client_rs_simulation::test]
fn the_controllers_of_workloads_survive_faults() -> Simulation {
    workloads().targeted(false).seeds(3)
}

#[test]
fn a_recording_of_the_example_operator_is_replayed() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("example.jsonl");
    if !Replay::is_worker() {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let summary = runtime.block_on(record(&file, Story { sites: 20, changes: 100, seed: 1 })).unwrap();
        assert!(summary.runs >= 20, "{summary:?}");
    }
    replay(&file).check("a_recording_of_the_example_operator_is_replayed");
}

fn case(name: &str) -> Case {
    all().into_iter().find(|case| case.name == name).unwrap()
}

#[test]
fn a_bug_is_found() {
    let name = "a_bug_is_found";
    let arguments = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
    let failure = simulation(&case("generation-ignored"), true).campaign(name, &arguments).unwrap_err();
    assert_eq!(failure.property, "observed generation", "{failure}");
}

#[client_rs_simulation::test]
fn it_passes_with_objects_from_the_schema() -> Simulation {
    simulation(&case("generation-ignored"), false).generated(&App::crd(), 1).targeted(false).seeds(10)
}

#[client_rs_simulation::test]
fn its_twin_passes() -> Simulation {
    simulation(&case("generation-ignored"), false).seeds(5)
}
