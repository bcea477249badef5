//! The clients: typed, dynamic, metadata, scale, discovery; and what is built on them.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod custom;
mod discovery;
mod dynamic;
mod krs;
mod typed;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("aggregated discovery agrees with discovery per version", discovery::both_forms_agree),
    scenario!("a kind is found by each of its names", discovery::names),
    scenario!("schemas are published, and requested once", discovery::schemas),
    scenario!("the server returns its version", discovery::version),
    scenario!("discovery is cached in files", discovery::files),
    scenario!("a failing API group does not affect the others", discovery::broken_group).alone(),
    scenario!("dynamic, metadata and typed client agree on the same objects", dynamic::clients_agree),
    scenario!("an object of any kind is created, changed and deleted", dynamic::life),
    scenario!("a patch of each kind is applied", dynamic::patches),
    scenario!("two managers of one field conflict until one forces it", dynamic::apply_conflict),
    scenario!("anything that has a scale is scaled", dynamic::scales),
    scenario!("waiting for conditions ends when they hold", dynamic::waits),
    scenario!("concurrent changes are all applied", dynamic::races),
    scenario!("a custom resource is found once it is installed", custom::found_when_installed),
    scenario!("the types match the served resources, verb by verb", typed::everything_served),
    scenario!("a typed object is created, changed and deleted, and invalid names are not sent", typed::life),
    scenario!("only differences are patched, and a missing object is no error", typed::differences),
    scenario!("workloads are restarted, nodes are cordoned", typed::upkeep),
    scenario!("unknown fields are refused under strict validation", typed::strict_fields),
    scenario!("an eviction keeps to the disruption budget", typed::eviction),
    scenario!("a token is issued, and an empty log is empty", typed::token_and_log),
    scenario!("krs prints what kubectl prints", krs::same_as_kubectl).alone(),
];
