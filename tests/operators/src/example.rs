//! The example operator under simulation.

use client_rs_examples::operator::{Site, operator};
use client_rs_simulation::Simulation;

/// Returns the simulation of the example operator: two replicas with an election, and sites from the schema.
pub fn example() -> Simulation {
    Simulation::new(|replica| async move {
        operator(&replica.config, "default").await.map_err(|error| error.to_string())
    })
    .generated(&Site::crd(), 2)
    .replicas(2)
}
