//! The fuzz targets: for each surface that takes bytes from outside, a function that panics where a promise is broken.
//!
//! A target is named three times: in [`TARGETS`], in `Cargo.toml` and in `fuzz_targets/`, where a binary for libFuzzer calls it.
//! `cargo xtask fuzz` checks that the three agree. The driver (`src/driver`) runs them on stable Rust.

mod targets;

pub use client_rs_test_inputs::hostile::{
    fields_v1, json, json_list, json_watch, protobuf, protobuf_list, protobuf_watch, quantity, selector,
};
pub use client_rs_test_inputs::hostile_kubeconfig::kubeconfig;
pub use targets::apply::server_side_apply;
pub use targets::archive::archive;
pub use targets::cel::{cel, pattern};
pub use targets::certificates::certificates;
pub use targets::client::answers;
pub use targets::collections::collections;
pub use targets::generate::generate;
pub use targets::kubeconfig::{exec_answer, kubeconfig_merge};
pub use targets::manifests::manifests;
pub use targets::patches::{json_patch, merge_patch, strategic_patch};
pub use targets::schema::custom_resource;
pub use targets::server::{api_requests, webhook};
pub use targets::streams::{handshake, spdy, websocket};
pub use targets::texts::{addresses, jsonpath, scalars, selector_pair};

/// A surface.
pub struct Target {
    /// The name of the function, of its binary and of the folder of its seeds.
    pub name: &'static str,
    /// The function.
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($name:ident,)*) => {
        /// All targets, in the order of their names.
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: $name }),*];
    };
}

targets! {
    addresses,
    answers,
    api_requests,
    archive,
    cel,
    certificates,
    collections,
    custom_resource,
    exec_answer,
    fields_v1,
    generate,
    handshake,
    json,
    json_list,
    json_patch,
    json_watch,
    jsonpath,
    kubeconfig,
    kubeconfig_merge,
    manifests,
    merge_patch,
    pattern,
    protobuf,
    protobuf_list,
    protobuf_watch,
    quantity,
    scalars,
    selector,
    selector_pair,
    server_side_apply,
    spdy,
    strategic_patch,
    webhook,
    websocket,
}
