//! `cargo xtask deny`: licences, sources and versions of the dependencies, as `deny.toml` allows them.
//!
//! The file is that of cargo-deny, which the forge runs with the advisory database. This check needs no network and no
//! installed tool: it compares the output of `cargo metadata` with the sections `[licenses]`, `[sources]` and `[bans]`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace::{self, cargo};
use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};

/// Check licences, sources and versions of the dependencies against deny.toml.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    let path = workspace::root().join("deny.toml");
    let text = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let rules: Rules = toml::from_str(&text).with_context(|| format!("{} is not valid", path.display()))?;
    let metadata: Metadata = serde_json::from_slice(&metadata("Cargo.toml")?)
        .context("can't read the output of cargo metadata")?;
    let mut problems = rules.problems(&metadata.packages)?;
    problems.extend(OTHER_WORKSPACES.iter().filter_map(|manifest| {
        let error = self::metadata(manifest).err()?;
        Some(format!("{manifest}: {error:#}"))
    }));
    for problem in &problems {
        println!("failed   {problem}");
    }
    println!("deny: {} passed, {} failed", metadata.packages.len(), problems.len());
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Workspaces whose lock files are only checked for being current: they are never published.
const OTHER_WORKSPACES: [&str; 3] =
    ["bench/Cargo.toml", "fuzz/Cargo.toml", "tests/interop/kube-rs/Cargo.toml"];

/// The output of `cargo metadata`. Fails if the lock file of the workspace is not current.
fn metadata(manifest: &str) -> Result<Vec<u8>> {
    let output = cargo()
        .args([
            "metadata",
            "--locked",
            "--all-features",
            "--format-version",
            "1",
            "--manifest-path",
            manifest,
        ])
        .output()
        .context("can't run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(output.stdout)
}

/// The part of `deny.toml` that this check reads.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    sources: Sources,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Entry>,
    skip: Vec<Entry>,
}

/// A crate, or some versions of it (`name@0.2`), and the reason for the entry.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "crate")]
    spec: String,
    reason: String,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

impl Rules {
    /// Returns the rules that these packages break, and the entries of the file that no package needs any more.
    fn problems(&self, packages: &[Package]) -> Result<Vec<String>> {
        let allowed = self.allowed()?;
        let mut problems = Vec::new();
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for package in packages {
            let Package { name, version, .. } = package;
            if let Some(problem) = license_problem(package, &allowed) {
                problems.push(format!("{name} {version}: {problem}"));
            }
            if let Some(problem) = self.source_problem(package) {
                problems.push(format!("{name} {version}: {problem}"));
            }
            let banned = self.bans.deny.iter().filter(|entry| entry.matches(package));
            problems.extend(banned.map(|entry| format!("{name} {version} is banned: {}", entry.reason)));
            if !self.bans.skip.iter().any(|entry| entry.matches(package)) {
                versions.entry(name).or_default().insert(version);
            }
        }
        for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
            let versions: Vec<&str> = versions.iter().copied().collect();
            problems.push(format!(
                "{name} has several versions ({}): update what needs the old one, or add it to `skip` with the reason",
                versions.join(", ")
            ));
        }
        let unused =
            self.bans.skip.iter().filter(|entry| !packages.iter().any(|package| entry.matches(package)));
        problems
            .extend(unused.map(|entry| format!("skip: no dependency is {}: remove the entry", entry.spec)));
        Ok(problems)
    }

    fn allowed(&self) -> Result<Vec<Licensee>> {
        let parse = |name: &String| {
            Licensee::parse(name).with_context(|| format!("deny.toml allows {name}, which is not a licence"))
        };
        self.licenses.allow.iter().map(parse).collect()
    }

    fn source_problem(&self, package: &Package) -> Option<String> {
        // A package without a source is one of this workspace.
        let source = package.source.as_deref()?;
        let registry = source.strip_prefix("registry+");
        let is_allowed =
            registry.is_some_and(|url| self.sources.allow_registry.iter().any(|known| known == url));
        (!is_allowed).then(|| format!("comes from {source}, which `sources` does not allow"))
    }
}

impl Entry {
    fn matches(&self, package: &Package) -> bool {
        match self.spec.split_once('@') {
            None => self.spec == package.name,
            Some((name, version)) => {
                let rest = package.version.strip_prefix(version);
                name == package.name && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
        }
    }
}

fn license_problem(package: &Package, allowed: &[Licensee]) -> Option<String> {
    let Some(license) = &package.license else { return Some("states no licence".to_owned()) };
    // Older manifests separate alternatives by a slash.
    let Ok(expression) = Expression::parse_mode(license, ParseMode::LAX) else {
        return Some(format!("its licence `{license}` can't be read"));
    };
    let is_allowed =
        expression.evaluate(|required| allowed.iter().any(|license| license.satisfies(required)));
    (!is_allowed).then(|| format!("its licence `{license}` is not allowed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        toml::from_str(
            "[licenses]\nallow = [\"MIT\", \"ISC\"]\n[sources]\nallow-registry = [\"https://one\"]\n[bans]\n\
             deny = [{ crate = \"evil\", reason = \"it is\" }]\nskip = [{ crate = \"old@1\", reason = \"needed\" }]\n",
        )
        .unwrap()
    }

    fn package(name: &str, version: &str, license: Option<&str>, source: Option<&str>) -> Package {
        let [name, version] = [name, version].map(str::to_owned);
        Package { name, version, license: license.map(str::to_owned), source: source.map(str::to_owned) }
    }

    const ONE: Option<&str> = Some("registry+https://one");

    #[test]
    fn what_the_file_allows_passes() {
        let packages = [
            package("ours", "0.1.0", Some("MIT"), None),
            package("a", "1.2.3", Some("GPL-3.0/MIT"), ONE),
            package("old", "1.9.0", Some("ISC AND (MIT OR GPL-3.0)"), ONE),
            package("old", "2.0.0", Some("MIT"), ONE),
        ];
        assert_eq!(rules().problems(&packages).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn every_other_package_is_named_with_the_rule_that_it_breaks() {
        let packages = [
            package("a", "1.0.0", Some("GPL-3.0"), ONE),
            package("b", "1.0.0", None, ONE),
            package("c", "1.0.0", Some("MIT"), Some("git+https://somewhere")),
            package("evil", "1.0.0", Some("MIT"), ONE),
            package("d", "1.0.0", Some("MIT"), ONE),
            package("d", "2.0.0", Some("MIT"), ONE),
        ];
        let problems = rules().problems(&packages).unwrap();
        for part in [
            "a 1.0.0: its licence",
            "b 1.0.0: states no licence",
            "c 1.0.0: comes from git+",
            "evil 1.0.0 is banned",
            "d has several",
            "old@1",
        ] {
            assert!(problems.iter().any(|problem| problem.contains(part)), "{part}: {problems:?}");
        }
        assert_eq!(problems.len(), 6, "{problems:?}");
    }
}
