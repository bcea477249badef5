//! Which built-in types a selection of features compiles.
#![allow(clippy::unwrap_used, reason = "tests may")]

use std::collections::BTreeSet;
use std::process::Command;

/// The features of `client-rs-api` that are on with these of `client-rs`.
fn api_features(features: &str) -> BTreeSet<String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--manifest-path", manifest, "--no-default-features"]);
    cargo.args(["--features", features, "--edges", "normal", "--invert", "client-rs-api", "--depth", "0"]);
    let output = cargo.args(["--prefix", "none", "--format", "{f}"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.trim().split(',').map(str::to_owned).collect()
}

#[test]
fn an_operator_of_custom_resources_compiles_without_pods() {
    let on = api_features("aws-lc-rs,controller,custom,events,informers,leaderelection,webhook");
    let expected = [
        "admission",
        "apiextensions",
        "authentication",
        "authorization",
        "autoscaling-scale",
        "coordination",
        "core-event",
        "events",
    ];
    assert_eq!(on, expected.map(str::to_owned).into());
}
