//! The crates of this workspace that are published.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace::cargo;
use serde_json::Value;

/// The names of all of them.
pub(crate) fn all() -> Result<Vec<String>> {
    Ok(names(&metadata()?, |_| true))
}

/// The packages with a library that other programs use. The API of a macro is its input, which no tool compares.
pub(crate) fn libraries() -> Result<Vec<String>> {
    let is_library = |package: &Value| {
        let mut targets = package["targets"].as_array().into_iter().flatten();
        targets.any(|target| {
            target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "lib"))
        })
    };
    Ok(names(&metadata()?, is_library))
}

/// The features that one of them has by default.
pub(crate) fn default_features(name: &str) -> Result<Vec<String>> {
    let metadata = metadata()?;
    let package = packages(&metadata).find(|package| package["name"] == name);
    let features = package.and_then(|package| package["features"]["default"].as_array());
    let features = features.with_context(|| format!("{name} has no default features"))?;
    Ok(features.iter().filter_map(|feature| Some(feature.as_str()?.to_owned())).collect())
}

/// The `rust-version` that they have.
pub(crate) fn rust_version() -> Result<String> {
    let metadata = metadata()?;
    let facade = packages(&metadata).find(|package| package["name"] == "client-rs");
    let version = facade.and_then(|package| package["rust_version"].as_str());
    Ok(version.context("client-rs has no rust-version")?.to_owned())
}

fn names(metadata: &Value, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let published = packages(metadata).filter(|package| package["publish"].is_null());
    published
        .filter(|package| wanted(package))
        .filter_map(|package| Some(package["name"].as_str()?.to_owned()))
        .collect()
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn metadata() -> Result<Value> {
    let mut metadata = cargo();
    metadata.args(["metadata", "--locked", "--no-deps", "--format-version", "1"]);
    let output = metadata.stderr(Stdio::inherit()).output().context("can't start cargo")?;
    ensure!(output.status.success(), "`cargo metadata` ended with {}", output.status);
    serde_json::from_slice(&output.stdout).context("cargo's metadata is not JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_published_is_left_out() {
        let metadata = json!({ "packages": [
            { "name": "a", "publish": null, "targets": [{ "kind": ["lib"] }] },
            { "name": "b", "publish": [], "targets": [{ "kind": ["lib"] }] },
            { "name": "c", "publish": null, "targets": [{ "kind": ["proc-macro"] }] },
        ] });
        assert_eq!(names(&metadata, |_| true), ["a", "c"]);
        assert!(rust_version().is_ok());
        assert!(libraries().unwrap().contains(&"client-rs".to_owned()));
    }
}
