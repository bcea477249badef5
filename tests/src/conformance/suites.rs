//! The suites, by name.

mod clients;
pub(crate) mod controllers;
mod rest;

use client_rs_tests::Suite;

pub(crate) const SUITES: [Suite; 3] = [
    Suite { name: "rest", scenarios: rest::SCENARIOS },
    Suite { name: "clients", scenarios: clients::SCENARIOS },
    Suite { name: "controllers", scenarios: controllers::SCENARIOS },
];
