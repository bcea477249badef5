// Made by `cargo xtask codegen` from schema: change those, not this.
//! Facts of the built-in types.

pub(crate) mod facts;
pub(crate) mod merge_types;
