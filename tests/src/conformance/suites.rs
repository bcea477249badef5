//! The suites, by name.

mod rest;

use client_rs_tests::Suite;

pub(crate) const SUITES: [Suite; 1] = [Suite { name: "rest", scenarios: rest::SCENARIOS }];
