// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `extensions`, a module a version.

pub mod v1beta1;
