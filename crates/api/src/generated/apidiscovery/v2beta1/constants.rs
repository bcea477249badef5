// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `DiscoveryFreshness`.
pub const DISCOVERY_FRESHNESS_CURRENT: &str = "Current";
/// A value of `DiscoveryFreshness`.
pub const DISCOVERY_FRESHNESS_STALE: &str = "Stale";
/// A value of `ResourceScope`.
pub const SCOPE_CLUSTER: &str = "Cluster";
/// A value of `ResourceScope`.
pub const SCOPE_NAMESPACE: &str = "Namespaced";
