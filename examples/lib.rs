//! The examples are the files next to this one: `cargo run --example NAME`.

#[cfg(feature = "operator")]
#[allow(dead_code, reason = "it is a program: its `main` is not called here")]
pub mod operator;
