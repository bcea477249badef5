// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `apidiscovery`, a module a version.

pub mod v2;
pub mod v2beta1;
