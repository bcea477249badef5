// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `resource`, a module a version.

pub mod v1;
pub mod v1alpha3;
pub mod v1beta1;
pub mod v1beta2;
