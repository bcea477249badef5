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
pub const SCENARIOS: &[Scenario] = &[
    scenario!("a cache has what was there, and each change is told in order", changes::in_order),
    scenario!("a handler that comes late is told of everything first", changes::late_handler),
    scenario!("handlers are told of everything again and again", changes::resync),
    scenario!("a cache has only what selectors and namespaces let through", changes::selectors),
    scenario!("typed, dynamic and metadata informers agree", changes::three_kinds),
    scenario!("what a write has returned can be waited for", changes::read_your_writes),
    scenario!("a factory has one informer a resource and leaves no task", factories::one_of_each),
    scenario!("dynamic and metadata factories", factories::by_resource),
    scenario!("a factory of several namespaces, tweaked and transformed", factories::tweaked),
    scenario!("when all is stopped no task and no connection is left", factories::nothing_left),
    scenario!("connections that are cut cost no event", faults::cut).within(Duration::from_mins(3)),
    scenario!("410, 429, 500, cut answers, no answer", faults::injected).within(Duration::from_mins(4)),
    scenario!("whatever happens, in the end the cache is the server's", model::random)
        .within(Duration::from_mins(4)),
    scenario!("an object that does not decode stays as it was", odd::undecodable),
    scenario!("a server that goes back in time is followed", odd::back_in_time)
        .within(Duration::from_mins(4))
        .alone(),
];
