// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of the group `flowcontrol`, by version.

pub mod v1;
