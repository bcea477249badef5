//! Simulations of small operators, correct and wrong ones.

#![allow(clippy::unwrap_used, reason = "tests")]
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

mod operator;
mod recorded;

use client_rs_api::core::v1::ConfigMap;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_simulation::{Failure, Simulation};

use operator::{Fault, build};

/// A config map with a value.
fn map(name: &str, value: &str) -> ConfigMap {
    let mut map =
        ConfigMap { metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }, ..ConfigMap::EMPTY };
    map.metadata.labels.insert("copied", "yes".into());
    map.data.insert("value", value.into());
    map
}

fn simulation(fault: Fault) -> Simulation {
    Simulation::new(move |replica| async move { build(&replica, fault) }).workload([
        map("one", "1"),
        map("one", "2"),
        map("two", "1"),
    ])
}

fn failure(name: &str, simulation: &Simulation) -> Failure {
    let arguments = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
    *simulation.campaign(name, &arguments).unwrap_err()
}

#[test]
fn a_correct_operator_passes() {
    simulation(Fault::None).seeds(40).check("a_correct_operator_passes");
}

#[test]
fn a_create_whose_response_is_lost_is_found() {
    let found =
        failure("a_create_whose_response_is_lost_is_found", &simulation(Fault::CreatesOnce).seeds(40));
    println!("{found}");
    assert!(found.steps.len() <= 12, "{found}");
}
