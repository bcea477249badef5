// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `lifecycle`, a module a version.

pub mod v1alpha1;
