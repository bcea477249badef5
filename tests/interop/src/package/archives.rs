//! The `.crate` files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use client_rs_tests_tools::workspace::{self, cargo, command};
use serde_json::Value;

/// The maximum size that crates.io accepts.
const MOST_BYTES: u64 = 10 << 20;
/// The files that every package has.
const NEEDED: [&str; 4] = ["Cargo.toml", "LICENSE", "README.md", "src/"];
/// Folders that a package may have.
const ALLOWED: [&str; 2] = ["src/", "templates/"];

/// A crate that is published.
#[derive(Clone, Debug)]
pub(super) struct Published {
    pub(super) name: String,
    pub(super) version: String,
}

impl Published {
    /// Its name as a folder and as an archive.
    pub(super) fn full_name(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// Where `cargo package` puts it.
    pub(super) fn archive(&self) -> PathBuf {
        workspace::target().join("package").join(format!("{}.crate", self.full_name()))
    }
}

/// The crates that are published, each behind those that it needs.
pub(super) fn published() -> Result<Vec<Published>> {
    let mut metadata = cargo();
    metadata.args(["metadata", "--locked", "--no-deps", "--format-version", "1"]);
    let output = metadata.stderr(Stdio::inherit()).output().context("can't start cargo")?;
    ensure!(output.status.success(), "`cargo metadata` ended with {}", output.status);
    ordered(&serde_json::from_slice(&output.stdout).context("cargo's metadata is not JSON")?)
}

fn ordered(metadata: &Value) -> Result<Vec<Published>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]).into_iter().filter(|package| package["publish"].is_null());
    let mut waiting: BTreeMap<String, (String, BTreeSet<String>)> = packages
        .map(|package| {
            // A dependency that only tests have, by path and without a version, is left out of the package.
            let is_needed = |dependency: &Value| dependency["kind"] != "dev" || dependency["req"] != "*";
            let needs = list(&package["dependencies"]).into_iter().filter(is_needed);
            let needs = needs.map(|dependency| text(&dependency["name"])).collect();
            (text(&package["name"]), (text(&package["version"]), needs))
        })
        .collect();
    let mut ordered = Vec::new();
    while !waiting.is_empty() {
        let is_ready = |needs: &BTreeSet<String>| !needs.iter().any(|need| waiting.contains_key(need));
        let ready: Vec<String> =
            waiting.iter().filter(|(_, (_, needs))| is_ready(needs)).map(|(name, _)| name.clone()).collect();
        if ready.is_empty() {
            bail!("these crates need each other: {}", waiting.into_keys().collect::<Vec<_>>().join(", "));
        }
        for name in ready {
            let version = waiting.remove(&name).map(|(version, _)| version).unwrap_or_default();
            ordered.push(Published { name, version });
        }
    }
    Ok(ordered)
}

/// Makes the archives. Cargo resolves the crates that are not yet published from each other's.
pub(super) fn package(published: &[Published], verify: bool) -> Result<()> {
    let mut package = cargo();
    package.args(["package", "--quiet", "--locked", "--allow-dirty"]);
    if !verify {
        package.arg("--no-verify");
    }
    for Published { name, .. } in published {
        package.args(["--package", name]);
    }
    workspace::run(&mut package)
}

/// Looks at sizes and files, and prints a line for each crate, in the order of publishing.
pub(super) fn check(published: &[Published]) -> Result<()> {
    let mut problems = Vec::new();
    for published in published {
        let archive = published.archive();
        let bytes =
            archive.metadata().with_context(|| format!("there is no {}.crate", published.full_name()))?.len();
        let output = command("tar").arg("-tzf").arg(&archive).output().context("can't start tar")?;
        ensure!(output.status.success(), "tar can't read {}.crate", published.full_name());
        let listing = String::from_utf8_lossy(&output.stdout).into_owned();
        println!("  {:<26} {:>5} files {:>6} KB", published.name, listing.lines().count(), bytes >> 10);
        problems.extend(wrong(&published.full_name(), &listing));
        if bytes > MOST_BYTES {
            problems.push(format!("{} has {bytes} bytes; crates.io takes {MOST_BYTES}", published.name));
        }
    }
    ensure!(problems.is_empty(), "{}", problems.join("; "));
    Ok(())
}

/// Returns the missing and the superfluous files of an archive.
fn wrong(name: &str, listing: &str) -> Vec<String> {
    let prefix = format!("{name}/");
    let files: Vec<&str> = listing.lines().filter_map(|line| line.strip_prefix(&prefix)).collect();
    let missing = NEEDED.iter().filter(|needed| !files.iter().any(|file| file.starts_with(**needed)));
    let missing = missing.map(|needed| format!("{name} has no {needed}"));
    let strays = files
        .iter()
        .filter(|file| file.contains('/') && !ALLOWED.iter().any(|folder| file.starts_with(folder)));
    missing.chain(strays.map(|file| format!("{name} has {file}, which users don't need"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_crate_follows_those_that_it_needs() {
        let metadata = json!({ "packages": [
            { "name": "a", "version": "0.1.0", "publish": null, "dependencies": [{ "name": "c", "req": "^0.1", "kind": null }] },
            { "name": "b", "version": "0.1.0", "publish": [], "dependencies": [] },
            { "name": "c", "version": "0.2.0", "publish": null, "dependencies": [
                { "name": "a", "req": "*", "kind": "dev" }, { "name": "serde", "req": "^1", "kind": null },
            ] },
        ] });
        let names: Vec<String> = ordered(&metadata).unwrap().iter().map(Published::full_name).collect();
        assert_eq!(names, ["c-0.2.0", "a-0.1.0"]);
        let mut circle = metadata;
        circle["packages"][2]["dependencies"][0]["req"] = json!("^0.1");
        assert_eq!(ordered(&circle).unwrap_err().to_string(), "these crates need each other: a, c");
    }

    #[test]
    fn packages_have_a_readme_and_no_tests() {
        let listing = "x-1/Cargo.toml\nx-1/LICENSE\nx-1/README.md\nx-1/src/lib.rs\n";
        assert_eq!(wrong("x-1", listing), Vec::<String>::new());
        let other = "x-1/Cargo.toml\nx-1/LICENSE\nx-1/src/lib.rs\nx-1/tests/corpus.json\n";
        assert_eq!(
            wrong("x-1", other),
            ["x-1 has no README.md", "x-1 has tests/corpus.json, which users don't need"]
        );
    }
}
