// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/coordination/v1`.

mod constants;
mod lease;
mod lease_list;
mod lease_spec;

pub use constants::*;
pub use lease::Lease;
pub use lease_list::LeaseList;
pub use lease_spec::LeaseSpec;
