//! The suites, by name.

mod clients;
mod rest;

use client_rs_tests::Suite;

pub(crate) const SUITES: [Suite; 2] = [
    Suite { name: "rest", scenarios: rest::SCENARIOS },
    Suite { name: "clients", scenarios: clients::SCENARIOS },
];
