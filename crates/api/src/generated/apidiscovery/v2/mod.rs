// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/apidiscovery/v2`.

mod api_group_discovery;
mod api_group_discovery_list;
mod api_resource_discovery;
mod api_subresource_discovery;
mod api_version_discovery;
mod constants;

pub use api_group_discovery::APIGroupDiscovery;
pub use api_group_discovery_list::APIGroupDiscoveryList;
pub use api_resource_discovery::APIResourceDiscovery;
pub use api_subresource_discovery::APISubresourceDiscovery;
pub use api_version_discovery::APIVersionDiscovery;
pub use constants::*;
