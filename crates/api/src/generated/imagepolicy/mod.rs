// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `imagepolicy`, a module a version.

pub mod v1alpha1;
