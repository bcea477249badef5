//! Tests of several crates together. One program for all: each would link every crate again.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod custom_resources;
mod informers;
mod k8s_openapi;
mod marker;
mod newcomers;
mod secrets;
mod secrets_transport;
mod sharded_controllers;
