//! Informers and their factories.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod changes;
mod factories;
mod faults;
mod history;
mod model;
mod odd;
mod scene;

use std::time::Duration;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("a cache has the existing objects, and changes are delivered in order", changes::in_order),
    scenario!("a late handler gets a replay of all objects first", changes::late_handler),
    scenario!("a resync delivers all objects again to each handler", changes::resync),
    scenario!("a cache contains only objects that match its selectors and namespaces", changes::selectors),
    scenario!("the caches of shards have each object once", changes::shards),
    scenario!("typed, dynamic and metadata informers agree", changes::three_kinds),
    scenario!("a cache can be waited for until it has a write", changes::read_your_writes),
    scenario!("a factory has one informer per resource and leaves no task", factories::one_of_each),
    scenario!("dynamic and metadata factories", factories::by_resource),
    scenario!("a factory of several namespaces, tweaked and transformed", factories::tweaked),
    scenario!("after shutdown no task and no connection is left", factories::nothing_left),
    scenario!("no event is lost when connections are cut", faults::cut).within(Duration::from_mins(3)),
    scenario!("410, 429, 500, cut answers, no answer", faults::injected).within(Duration::from_mins(4)),
    scenario!("after random faults the cache equals the server", model::random)
        .within(Duration::from_mins(4)),
    scenario!("an object that does not decode keeps its last version", odd::undecodable),
    scenario!("a cache follows a server whose resource versions go back", odd::back_in_time)
        .within(Duration::from_mins(4))
        .alone(),
];
