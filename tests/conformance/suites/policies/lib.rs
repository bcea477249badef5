//! Admission policies: expressions that the server evaluates for each write.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod authorization;
mod matching;
mod mutating;
mod params;
mod requests;
mod setup;
mod validating;
mod written;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub const SCENARIOS: &[Scenario] = &[
    scenario!("a policy refuses with its message, a reason, a code and a cause", validating::refuses),
    scenario!("a binding warns, or only audits", validating::warns),
    scenario!("policies see updates and deletes, and the old object", validating::operations),
    scenario!("errors of expressions follow the failure policy", validating::failures),
    scenario!("variables are composed, and evaluated if they are used", validating::variables),
    scenario!("policies see the request and the namespace", validating::request),
    scenario!("expressions have a cost limit, and policies a budget", validating::costs),
    scenario!("a policy validates custom resources", validating::custom_resources),
    scenario!("match conditions select requests", matching::conditions),
    scenario!("rules, names, labels and exclusions select requests", matching::resources),
    scenario!("a policy matches other versions of a resource, unless it is exact", matching::versions),
    scenario!("a policy matches subresources", matching::subresources),
    scenario!("parameters have a name, and can be missing", params::named),
    scenario!("each parameter that a selector selects is used", params::selected),
    scenario!("parameters have a kind and a scope", params::kinds),
    scenario!("expressions ask the authorizer for the user and for service accounts", authorization::asks),
    scenario!("expressions are compiled when a policy is created", written::expressions),
    scenario!("policies and bindings are validated, and get defaults", written::fields),
    scenario!("the status of a policy has the warnings of the type checker", written::type_checking),
    scenario!("a configuration is applied to an object", mutating::applies),
    scenario!("a JSON patch changes an object, unless a test fails", mutating::patches),
    scenario!("mutations that do not fit follow the failure policy", mutating::failures),
    scenario!("policies are invoked again if the object changed", mutating::reinvocation),
    scenario!("mutating policies are validated", mutating::validation),
];
