//! The clients: typed, dynamic, metadata, scale, discovery; and what is built on them.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod custom;
mod discovery;
mod dynamic;
mod krs;
mod typed;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub const SCENARIOS: &[Scenario] = &[
    scenario!("one document tells what each version by itself tells", discovery::both_forms_agree),
    scenario!("a kind is found by whatever it is called", discovery::names),
    scenario!("schemas are published and asked for once", discovery::schemas),
    scenario!("the server says its version", discovery::version),
    scenario!("what was learned is kept in files", discovery::files),
    scenario!("a group that does not answer takes nothing from the others", discovery::broken_group).alone(),
    scenario!("dynamic, metadata and typed client agree on the same objects", dynamic::clients_agree),
    scenario!("an object of any kind lives its life", dynamic::life),
    scenario!("a patch of each kind is applied", dynamic::patches),
    scenario!("two managers of one field are in conflict until one forces it", dynamic::apply_conflict),
    scenario!("anything that has a scale is scaled", dynamic::scales),
    scenario!("what is waited for comes about", dynamic::waits),
    scenario!("changes that race are all made", dynamic::races),
    scenario!("a custom resource is found once it is installed", custom::found_when_installed),
    scenario!("the types know what is served, verb by verb, and no more", typed::everything_served),
    scenario!("an object of a known kind lives its life, and bad names stay here", typed::life),
    scenario!("fields that a kind does not have are refused where that is asked for", typed::strict_fields),
    scenario!("an eviction keeps to the disruption budget", typed::eviction),
    scenario!("a token is given, and a log of nothing is empty", typed::token_and_log),
    scenario!("krs prints what kubectl prints", krs::same_as_kubectl).alone(),
];
