// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of the group `core`, by version.

pub mod v1;
