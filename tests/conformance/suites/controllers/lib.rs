//! Events, leader election and sharding: with processes that are killed, stopped and cut off.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

pub mod child;
mod coordinated;
mod crowd;
mod election;
mod events;
mod loops;
mod own_writes;
mod processes;
mod proxy;
mod sharding;
mod sink;

use std::time::Duration;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("controller: an object is deleted only after its finalizer has cleaned up", loops::finalizers),
    scenario!(
        "controller: ten thousand keys whose runs fail and panic at random are all worked, none twice at once",
        crowd::converges
    )
    .within(Duration::from_mins(4))
    .alone(),
    scenario!(
        "controller: with caches that are two seconds behind, a run that follows its own create creates nothing twice",
        own_writes::nothing_twice
    ),
    scenario!("demo: every claim holds, and the output confirms it", loops::demo),
    scenario!(
        "demo: on a cluster its own controllers do the work, in a namespace of the demo's",
        loops::demo_on_cluster
    ),
    scenario!("events: similar ones are combined, equal ones counted, spam is held back", events::core_v1),
    scenario!("events: a series of events.k8s.io/v1 is one object", events::events_v1),
    scenario!("events: the adapter takes the newer API where the server has it", events::adapter),
    scenario!(
        "election: of three processes one leads when the leader is killed, stopped or cut off",
        election::faults
    )
    .within(Duration::from_mins(4))
    .alone(),
    scenario!(
        "election: a leader that ends releases its Lease, and another leads at once",
        election::hand_over
    )
    .alone(),
    scenario!(
        "election: the control plane picks the candidate of the oldest version, and no two lead at once",
        coordinated::oldest_version
    )
    .within(Duration::from_mins(5))
    .alone(),
    scenario!(
        "sharding: of three replicas one is killed and one stopped: no key is lost, no stale write gets in",
        sharding::faults
    )
    .within(Duration::from_mins(4))
    .alone(),
    scenario!(
        "sharding: controllers of three replicas share the keys when one is killed and one stopped",
        sharding::controllers
    )
    .within(Duration::from_mins(4))
    .alone(),
];
