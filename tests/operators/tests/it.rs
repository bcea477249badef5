//! The example operator under simulation, and a few operators of the corpus.

#![allow(clippy::unwrap_used, reason = "tests")]
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use client_rs_operators::app::App;
use client_rs_operators::cases::all;
use client_rs_operators::example::example;
use client_rs_operators::kit::{Case, simulation};
use client_rs_operators::workloads::workloads;
use client_rs_simulation::Simulation;

// A history of two replicas with elections takes longer than others: CI makes a few.
#[client_rs_simulation::test]
fn the_example_operator_survives_faults() -> Simulation {
    example().targeted(false).seeds(12)
}

#[client_rs_simulation::test]
fn the_controllers_of_workloads_survive_faults() -> Simulation {
    workloads().targeted(false).seeds(3)
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
