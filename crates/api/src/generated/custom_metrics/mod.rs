// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `custom_metrics`, a module a version.

pub mod v1beta1;
pub mod v1beta2;
