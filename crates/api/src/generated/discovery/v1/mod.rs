// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/discovery/v1`.

mod constants;
mod endpoint;
mod endpoint_conditions;
mod endpoint_hints;
mod endpoint_port;
mod endpoint_slice;
mod endpoint_slice_list;
mod for_node;
mod for_zone;

pub use constants::*;
pub use endpoint::Endpoint;
pub use endpoint_conditions::EndpointConditions;
pub use endpoint_hints::EndpointHints;
pub use endpoint_port::EndpointPort;
pub use endpoint_slice::EndpointSlice;
pub use endpoint_slice_list::EndpointSliceList;
pub use for_node::ForNode;
pub use for_zone::ForZone;
