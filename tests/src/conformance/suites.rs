//! The suites, by name.

mod clients;
pub(crate) mod controllers;
mod informers;
pub(crate) mod rest;

use client_rs_tests::Suite;

pub(crate) const SUITES: [Suite; 4] = [
    Suite { name: "rest", scenarios: rest::SCENARIOS },
    Suite { name: "clients", scenarios: clients::SCENARIOS },
    Suite { name: "controllers", scenarios: controllers::SCENARIOS },
    Suite { name: "informers", scenarios: informers::SCENARIOS },
];
