//! Custom resources that Rust types define: what a server makes of their definitions, and programs of their kinds.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod attributes;
mod gadget;
mod install;
mod kubectl;
mod operating;
mod reach;
mod reading;
mod trinket;
mod webhooks;

use std::time::Duration;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("derive: a definition is taken without a warning, names and all", attributes::accepted).alone(),
    scenario!("derive: defaults, columns, scale, status and selectors work", attributes::behave).alone(),
    scenario!(
        "derive: an object that breaks a rule is refused with the server's message",
        attributes::refused
    )
    .alone(),
    scenario!("derive: two versions are served, and the old one warns", attributes::versions).alone(),
    scenario!(
        "kubectl: explain prints types, descriptions, enum values and required fields",
        kubectl::explains
    )
    .alone(),
    scenario!("kubectl: get knows every name, column and selectable field", kubectl::lists).alone(),
    scenario!("kubectl: defaults, scale, status and merging are the server's", kubectl::changes).alone(),
    scenario!(
        "kubectl: invalid objects are refused with the same message by every server",
        kubectl::refusals
    )
    .alone(),
    scenario!("kubectl: an old version warns, and a newer one reads its objects", kubectl::warnings).alone(),
    scenario!("install: created, unchanged, upgraded, and no data is lost silently", install::life).alone(),
    scenario!("install: a kind whose names are taken reports that", install::names_taken).alone(),
    scenario!(
        "reading: an object that does not fit its type is reported, and the informer continues",
        reading::type_mismatch
    )
    .alone(),
    scenario!("reading: handles, apply, informers and listers work as for a built-in kind", reading::typed)
        .alone(),
    scenario!(
        "reading: typed configurations own the fields that they set, in the object and its status",
        reading::configurations
    )
    .alone(),
    scenario!("reading: krs generate writes types of a definition in the cluster", reading::generated)
        .alone(),
    scenario!(
        "webhook: denies, changes, is late, and has a certificate that nobody trusts",
        webhooks::admission
    )
    .alone(),
    scenario!(
        "webhook: conditions, selectors and policies choose, and errors are reported",
        webhooks::choice
    )
    .alone(),
    scenario!("webhook: changes by other webhooks cause a reinvocation", webhooks::reinvocation).alone(),
    scenario!("webhook: a rule for one version of a resource matches its other versions", reach::equivalent)
        .alone(),
    scenario!("webhook: a service is called by its name", reach::service).alone(),
    scenario!("webhook: connect requests are reviewed", reach::connect).alone(),
    scenario!("webhook: versions are converted through a hub, there and back", webhooks::conversion).alone(),
    scenario!("operator: the example does all that its documentation promises", operating::life)
        .within(Duration::from_mins(3))
        .alone(),
    scenario!("operator: owned objects are applied if they differ, adopted and pruned", operating::kit)
        .alone(),
];
