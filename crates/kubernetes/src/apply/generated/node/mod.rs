// Made by `cargo xtask codegen` from schema: change those, not this.
//! Configurations of the group `node`, by version.

pub mod v1;
