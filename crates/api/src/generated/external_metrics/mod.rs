// Made by `cargo xtask codegen` from xtask/schema: change those, not this.
//! The group `external_metrics`, a module a version.

pub mod v1beta1;
