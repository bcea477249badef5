//! The example operator under simulation, and a few operators of the corpus.

#![allow(clippy::unwrap_used, reason = "tests")]
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use client_rs_examples::operator::{Site, SiteSpec, operator};
use client_rs_operators::cases::all;
use client_rs_operators::kit::{Case, simulation};
use client_rs_simulation::Simulation;

fn site(name: &str, replicas: i32) -> Site {
    Site::new(name, SiteSpec { image: "nginx:1.29".to_owned(), replicas })
}

#[test]
fn the_example_operator_survives_faults() {
    Simulation::new(|replica| async move {
        operator(&replica.config, "default").await.map_err(|error| error.to_string())
    })
    .install([Site::crd()])
    .replicas(2)
    .workload([site("shop", 1), site("shop", 3), site("blog", 1)])
    // A history of two replicas with elections takes longer than others: CI makes a few.
    .targeted(false)
    .seeds(12)
    .check("the_example_operator_survives_faults");
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

#[test]
fn its_twin_passes() {
    simulation(&case("generation-ignored"), false).seeds(5).check("its_twin_passes");
}
