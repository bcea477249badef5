// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `storagemigration`, a module a version.

pub mod v1;
pub mod v1beta1;
