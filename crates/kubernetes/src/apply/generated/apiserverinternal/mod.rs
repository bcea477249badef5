// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of the group `apiserverinternal`, by version.

pub mod v1alpha1;
