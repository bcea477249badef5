//! The examples are the files beside this one: `cargo run --example NAME`.
