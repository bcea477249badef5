//! An operator of the kind [`Database`](api::v1::Database): a stateful set and a service for each, and a last backup before one is
//! deleted. README.md is the map.

pub mod api;
mod backup;
mod children;
mod reconciler;
mod setup;
mod status;
pub mod webhook;

pub use setup::{OperatorArgs, crd, manager};

/// The name of the program: its field manager, its lease, the source of its events.
pub const NAME: &str = "database-operator";
