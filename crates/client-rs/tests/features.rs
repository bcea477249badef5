//! The crates that features compile, and the table of features on the crate's page.
#![allow(clippy::unwrap_used, reason = "tests may")]

use std::collections::BTreeSet;
use std::process::Command;

const MANIFEST: &str = include_str!("../Cargo.toml");
const PAGE: &str = include_str!("../src/lib.rs");

/// One line per crate that these features of `client-rs` compile: its name, version and features.
fn tree(features: &str, edges: &str) -> BTreeSet<String> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--manifest-path", manifest, "--no-default-features"]);
    cargo.args(["--features", features, "--edges", edges, "--no-dedupe"]);
    let output = cargo.args(["--prefix", "none", "--format", "{p} {f}"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The features of `client-rs-api` that are on with these of `client-rs`.
fn api_features(features: &str) -> BTreeSet<String> {
    let tree = tree(features, "normal");
    let api = tree.iter().find(|line| line.starts_with("client-rs-api ")).unwrap();
    api.rsplit(' ').next().unwrap().split(',').map(str::to_owned).collect()
}

/// The crates that are compiled, those of builds included.
fn crates(features: &str) -> BTreeSet<String> {
    tree(features, "normal,build").iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
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

#[test]
fn a_controller_compiles_the_kinds_that_it_names() {
    let on = api_features("default,core-pod");
    assert!(on.contains("core-pod"), "{on:?}");
    for other in ["core", "core-secret", "core-node", "apps", "batch", "certificates", "stable"] {
        assert!(!on.contains(other), "{other} is not asked for: {on:?}");
    }
}

#[test]
fn what_brings_dependencies_is_not_in_the_default() {
    let default = crates("default");
    assert!(default.contains("ring"));
    let others = [
        ("aws-lc-rs", "aws-lc-sys"),
        ("certificate", "x509-parser"),
        ("chrono", "chrono"),
        ("clap", "clap"),
        ("copy", "tar"),
        ("disk-cache", "sha2"),
        ("jiff", "jiff"),
        ("k8s-openapi", "k8s-openapi"),
        ("packed", "zstd-sys"),
        ("streams", "client-rs-streams"),
        ("terminal", "rustix"),
        ("apiserver", "client-rs-apiserver"),
    ];
    for (feature, brings) in others {
        assert!(!default.contains(brings), "{brings} is compiled without `{feature}`");
        // Some features only extend a part that another feature adds.
        let with = crates(&format!("transport,{feature}"));
        assert!(with.contains(brings), "{feature} does not bring {brings}");
    }
}

#[test]
fn one_provider_of_cryptography_is_compiled() {
    let everything = "apply,certificate,copy,default,disk-cache,manifest,oidc,streams,webhook";
    let ring = crates(everything);
    assert!(ring.contains("ring") && !ring.contains("aws-lc-sys"));
    let parts = "certificate,controller,custom,informers,kubernetes,webhook";
    let aws = crates(&format!("aws-lc-rs,{parts}"));
    assert!(aws.contains("aws-lc-sys") && !aws.contains("ring"), "{aws:?}");
}

/// The names of the features of a part of the manifest.
fn names(part: &str) -> BTreeSet<&str> {
    let lines = part.lines().filter(|line| !line.starts_with(['#', ' ', '[']));
    lines.filter_map(|line| line.split_once(" = [")).map(|(name, _)| name).collect()
}

#[test]
fn the_page_names_every_feature_and_no_other() {
    let (_, features) = MANIFEST.split_once("[features]").unwrap();
    let (features, _) = features.split_once("\n[dependencies]").unwrap();
    let (own, generated) = features.split_once("# <features>").unwrap();
    let (own, generated) = (names(own), names(generated));
    let (_, table) = PAGE.split_once("//! | feature | default | adds |\n//! |---|---|---|\n").unwrap();
    let rows = table.lines().map_while(|line| line.strip_prefix("//! | "));
    let mut named = BTreeSet::new();
    for row in rows {
        let (features, rest) = row.split_once(" |").unwrap();
        let default = rest.trim_start().starts_with("yes");
        for feature in features.split('`').skip(1).step_by(2) {
            assert!(own.contains(feature) || generated.contains(feature), "there is no feature `{feature}`");
            assert_eq!(default, in_default(feature), "`{feature}`");
            named.insert(feature);
        }
    }
    let missing: Vec<_> = own.difference(&named).filter(|name| **name != "default").collect();
    assert!(missing.is_empty(), "the table of lib.rs does not name {missing:?}");
    for name in ["stable", "full", "apply", "apply-full", "core", "core-pod"] {
        assert!(named.contains(name), "{name}");
    }
}

fn in_default(feature: &str) -> bool {
    let (_, default) = MANIFEST.split_once("\ndefault = [").unwrap();
    default.split_once(']').unwrap().0.split('"').any(|one| one == feature)
}

/// A glob import of the prelude shadows no name of the standard library.
mod prelude_shadows_nothing {
    #[allow(unused_imports, reason = "that nothing changes its meaning is the test")]
    use client_rs::prelude::*;

    #[test]
    fn of_the_standard_library() {
        fn all(text: &str) -> Result<Option<Box<str>>, Vec<String>> {
            if text.is_empty() { Err(Vec::new()) } else { Ok(Some(text.into())) }
        }
        assert!(all("it compiles").is_ok_and(|text| text.is_some()));
        assert!(all("").is_err());
    }
}

#[test]
fn the_prelude_leaves_common_names_alone() {
    let (_, prelude) = PAGE.split_once("pub mod prelude {").unwrap();
    let (prelude, _) = prelude.split_once("\n}").unwrap();
    let names: BTreeSet<&str> = prelude.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    // anyhow, clap, serde_json, futures, tokio, tracing, std.
    let common = [
        "Result",
        "Error",
        "Parser",
        "Args",
        "Subcommand",
        "Map",
        "Value",
        "List",
        "Stream",
        "StreamExt",
        "Future",
        "Instant",
        "Duration",
        "Instrument",
        "Level",
        "Shared",
        "Apply",
        "Option",
        "Box",
        "Vec",
        "String",
    ];
    for name in common {
        assert!(!names.contains(name), "{name} means something else in most programs");
    }
}
