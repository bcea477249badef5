//! `cargo xtask features`: every cargo feature builds alone, none and all of them do, and none brings a warning.
//!
//! Features only add, so that what builds alone and what builds with all others also builds with some. The API groups are
//! generated from one plan: by default four sets of them are checked. `--groups` also checks each of them alone, each feature
//! of the façade, which only forwards to the other crates, and each of those crates with all features, which is what
//! the façade with all features builds.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace::{self, cargo};
use serde::Deserialize;

use crate::codegen;

/// Checks that every cargo feature of the published crates builds.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also check each API group alone and each crate with all features, which takes long
    #[arg(long)]
    groups: bool,
    /// Only this package, such as client-rs-client
    #[arg(long, short)]
    package: Option<String>,
}

/// Sets of features in addition to none, all, and each alone.
const SETS: &[(&str, &str)] = &[
    ("client-rs-api", "core"),
    ("client-rs-kubernetes", "core"),
    // The features of a pod controller, and of a custom resource operator with webhooks.
    ("client-rs", "default,core"),
    ("client-rs", "aws-lc-rs,controller,custom,events,informers,leaderelection,webhook"),
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    features: BTreeMap<String, Vec<String>>,
}

/// The features of one build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Selection {
    All,
    Features(String),
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let mut failed = Vec::new();
    let mut passed = 0;
    for (package, selections) in plan(args)? {
        for selection in selections {
            let begun = Instant::now();
            let complaint = check(&package, &selection)?;
            let what = format!("{package} {}", selection.name());
            println!(
                "{:7.1} s  {what}{}",
                begun.elapsed().as_secs_f64(),
                if complaint.is_none() { "" } else { "  FAILED" }
            );
            match complaint {
                None => passed += 1,
                Some(complaint) => {
                    println!("{complaint}");
                    failed.push(what);
                }
            }
        }
    }
    for what in &failed {
        println!("failed   {what}");
    }
    println!("features: {passed} passed, {} failed ({} s)", failed.len(), start.elapsed().as_secs());
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The packages with features, each with its builds.
fn plan(args: &Args) -> Result<Vec<(String, BTreeSet<Selection>)>> {
    let output = cargo()
        .args(["metadata", "--no-deps", "--format-version", "1", "--locked"])
        .stderr(Stdio::inherit())
        .output()
        .context("can't run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed");
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let published = workspace::root().join("crates");
    let mut plan = Vec::new();
    for package in metadata.packages {
        let wanted = args.package.as_ref().is_none_or(|only| *only == package.name);
        if !wanted
            || package.features.is_empty()
            || !package.manifest_path.starts_with(&*published.to_string_lossy())
        {
            continue;
        }
        let manifest = std::fs::read_to_string(&package.manifest_path)
            .with_context(|| format!("can't read {}", package.manifest_path))?;
        let generated = generated(&manifest);
        let alone = package.features.keys().filter(|name| *name != "default");
        // The façade's features are those of its parts by another name: its sets and all of them are enough.
        let parts = package.name != FACADE;
        let alone = alone.filter(|name| args.groups || (parts && !generated.contains(name.as_str())));
        let sets = SETS.iter().filter(|(of, _)| *of == package.name).map(|(_, set)| (*set).to_owned());
        let selections = alone.cloned().chain(sets).chain([String::new()]).map(Selection::Features);
        let all = (args.groups || !parts).then_some(Selection::All);
        let selections = selections.chain(all).collect();
        plan.push((package.name, selections));
    }
    // Those that others are made of first, so that a mistake is reported where it is.
    plan.sort_by_key(|(name, _)| ORDER.iter().position(|one| one == name).unwrap_or(ORDER.len()));
    Ok(plan)
}

/// Passes the features of the other crates through.
const FACADE: &str = "client-rs";

const ORDER: &[&str] = &[
    "client-rs-machinery",
    "client-rs-workqueue",
    "client-rs-cel",
    "client-rs-api",
    "client-rs-transport",
    "client-rs-client",
    "client-rs-cache",
    "client-rs-collections",
    "client-rs-kubernetes",
    "client-rs-custom",
    "client-rs-controller",
];

/// The names of the features that `cargo xtask codegen` writes.
fn generated(manifest: &str) -> BTreeSet<&str> {
    let (begin, end) = codegen::FEATURES;
    let part =
        manifest.split_once(begin).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(part, _)| part);
    let names = part.lines().filter(|line| !line.starts_with(['#', ' ']));
    names.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect()
}

/// Builds the library. Returns the compiler's errors, if any.
fn check(package: &str, selection: &Selection) -> Result<Option<String>> {
    let mut cargo = cargo();
    cargo.args(["check", "--quiet", "--locked", "--lib", "--package", package]);
    match selection {
        Selection::All => cargo.arg("--all-features"),
        Selection::Features(features) => cargo.args(["--no-default-features", "--features", features]),
    };
    let output = cargo.stdin(Stdio::null()).output().context("can't run cargo check")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let clean = output.status.success() && !said.lines().any(|line| line.starts_with("warning"));
    Ok((!clean).then_some(said))
}

impl Selection {
    fn name(&self) -> String {
        match self {
            Self::All => "with all features".to_owned(),
            Self::Features(none) if none.is_empty() => "without features".to_owned(),
            Self::Features(features) => format!("with {features}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_features_stand_between_the_marks() {
        let manifest = "[features]\nown = []\n# <features>\n# One.\ncore = [\n    \"core-pod\",\n]\ncore-pod = []\n# </features>\n";
        assert_eq!(generated(manifest), ["core", "core-pod"].into());
    }
}
