//! An operator that derives the configuration of gateways: each [`Gateway`](api::Gateway) gets a config map with the backends of its
//! [`Route`](api::Route)s. There is no reconcile function: README.md is the map.

pub mod api;
mod graph;
mod routing;
mod setup;

pub use setup::{OperatorArgs, crds, manager};

/// The name of the program: its field manager, its lease, the source of its events.
pub const NAME: &str = "gateway-operator";
