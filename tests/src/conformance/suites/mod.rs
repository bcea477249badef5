//! The suites, by name.

mod clients;
pub(crate) mod controllers;
mod custom_resources;
mod informers;
pub(crate) mod rest;
pub(crate) mod streams;

use client_rs_tests::Suite;

pub(crate) const SUITES: &[Suite] = &[
    Suite { name: "rest", scenarios: rest::SCENARIOS },
    Suite { name: "clients", scenarios: clients::SCENARIOS },
    Suite { name: "controllers", scenarios: controllers::SCENARIOS },
    Suite { name: "custom-resources", scenarios: custom_resources::SCENARIOS },
    Suite { name: "informers", scenarios: informers::SCENARIOS },
    Suite { name: "streams", scenarios: streams::SCENARIOS },
];
