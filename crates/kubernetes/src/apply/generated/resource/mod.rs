// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of the group `resource`, by version.

pub mod v1;
pub mod v1alpha3;
pub mod v1beta1;
pub mod v1beta2;
