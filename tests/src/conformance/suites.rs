//! The suites, by name.

mod clients;
mod informers;
mod rest;

use client_rs_tests::Suite;

pub(crate) const SUITES: [Suite; 3] = [
    Suite { name: "rest", scenarios: rest::SCENARIOS },
    Suite { name: "clients", scenarios: clients::SCENARIOS },
    Suite { name: "informers", scenarios: informers::SCENARIOS },
];
