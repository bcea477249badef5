// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of the group `certificates`, by version.

pub mod v1;
pub mod v1beta1;
