// Made by `cargo xtask codegen` from schema: change those, not this.
//! The group `core`, a module a version.

pub mod v1;
