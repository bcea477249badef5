//! `cargo xtask codegen`: from `schema` to Rust.

mod apply;
mod clientset;
mod emit;
mod facade;
mod facts;
mod informers;
mod merge_types;
mod names;
mod openapi;
mod parts;
mod plan;
mod resource;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::schema::model::{self, Literal};
use client_rs_tests_tools::workspace;
use plan::{Plan, Target};

/// Writes every Kubernetes type from the committed schema.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Change nothing; fail when the committed output is not what the schema gives
    #[arg(long)]
    check: bool,
}

/// The lines of a `Cargo.toml` between which the features stand.
pub(crate) const FEATURES: (&str, &str) = ("# <features>\n", "# </features>\n");

/// The definitions of all types for the embedded server's `OpenAPI`.
const DEFINITIONS: &str = "crates/apiserver/src/generated/definitions.txt";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let root = workspace::root();
    let schema = model::load(&root.join("schema"))?;
    let plan = Plan::new(&schema);
    let mut files = BTreeMap::new();
    for target in [Target::Machinery, Target::Api] {
        modules(&plan, target, &mut files)?;
    }
    informers::modules(&plan, &mut files)?;
    clientset::files(&plan, &mut files)?;
    apply::files(&plan, &mut files)?;
    merge_types::files(&schema, &mut files)?;
    let mut files = formatted(files)?;
    files.insert(DEFINITIONS.into(), openapi::definitions(&plan)?);
    let mut stale = Vec::new();
    for folder in
        [Target::Machinery.folder(), Target::Api.folder(), clientset::FOLDER.into(), clientset::TABLE.into()]
    {
        stale.extend(leftovers(&root, &folder, &files)?);
    }
    stale.extend(leftovers(&root, Path::new(informers::FOLDER), &files)?);
    stale.extend(leftovers(&root, &merge_types::folder(), &files)?);
    for (path, text) in &files {
        if std::fs::read_to_string(root.join(path)).ok().as_ref() != Some(text) {
            stale.push(path.clone());
        }
    }
    let mut manifests = Vec::new();
    for (path, features) in [
        ("crates/api/Cargo.toml", api_features(&plan)?),
        ("crates/kubernetes/Cargo.toml", clientset_features(&plan)?),
        (facade::MANIFEST, facade::features(&plan)?),
    ] {
        let manifest = root.join(path);
        let old = std::fs::read_to_string(&manifest)
            .with_context(|| format!("can't read {}", manifest.display()))?;
        let new = with_features(path, &old, &features)?;
        if old != new {
            stale.push(path.into());
        }
        manifests.push((manifest, new));
    }
    if args.check {
        for path in &stale {
            println!("stale   {}", path.display());
        }
        println!(
            "codegen: {} passed, {} failed",
            files.len() + 3 - stale.len().min(files.len()),
            stale.len()
        );
        return Ok(if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    for path in &stale {
        let Some(text) = files.get(path) else {
            if !path.ends_with("Cargo.toml") {
                std::fs::remove_file(root.join(path))?;
            }
            continue;
        };
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)?;
    }
    for (manifest, new) in manifests {
        std::fs::write(manifest, new)?;
    }
    println!("codegen: {} files, {} changed", files.len(), stale.len());
    Ok(ExitCode::SUCCESS)
}

/// The files of a crate: one a struct, one `mod.rs` a version and a group, and constants.
fn modules(plan: &Plan<'_>, target: Target, files: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    let stable = plan.stable_groups();
    let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for module in plan.modules.values().filter(|module| module.target == target) {
        let folder = module.folder();
        groups.entry(&module.group).or_default().insert(&module.version);
        let mut index = format!("{}//! `{}`.\n\n", emit::HEADER, module.package.path);
        let mut uses = String::new();
        if let Some(constants) = constants(module.package)? {
            files.insert(folder.join("constants.rs"), constants);
            index.push_str("mod constants;\n");
            uses.push_str("pub use constants::*;\n");
        }
        for of in &module.package.structs {
            if of.name == "TypeMeta" {
                continue;
            }
            let file = names::identifier(names::snake(&of.name));
            files.insert(folder.join(format!("{file}.rs")), emit::file(plan, module, of)?);
            if parts::is_cut(module) {
                let gate = plan.parts.gate(module, of);
                writeln!(index, "{gate}")?;
                writeln!(uses, "{gate}")?;
            }
            writeln!(index, "mod {file};")?;
            writeln!(uses, "pub use {file}::{};", of.name)?;
        }
        files.insert(folder.join("mod.rs"), format!("{index}\n{uses}"));
    }
    let mut crate_index = format!("{}//! Everything generated.\n\n", emit::HEADER);
    if target == Target::Api {
        files.insert(target.folder().join("scheme.rs"), scheme(plan)?);
        files.insert(target.folder().join("served.rs"), served(plan)?);
        crate_index
            .push_str("mod scheme;\nmod served;\n\npub use scheme::scheme;\npub use served::served;\n\n");
    }
    for (group, versions) in groups {
        let mut index = format!("{}//! The group `{group}`, a module a version.\n\n", emit::HEADER);
        for version in versions {
            writeln!(index, "pub mod {version};")?;
        }
        files.insert(target.folder().join(group).join("mod.rs"), index);
        if target == Target::Api {
            let note = if stable.contains(group) { "" } else { " (not a default feature)" };
            writeln!(crate_index, "/// The group `{group}`{note}.\n{}", plan.parts.group_gate(group))?;
        } else {
            writeln!(crate_index, "/// The group `{group}`.")?;
        }
        writeln!(crate_index, "pub mod {group};")?;
    }
    files.insert(target.folder().join("mod.rs"), crate_index);
    Ok(())
}

/// Every kind of the API crate, and the machinery's own, by name.
fn scheme(plan: &Plan<'_>) -> Result<String> {
    let mut text = format!(
        "{}//! Kinds by name.\n\nuse client_rs_machinery::{{Kind, Scheme}};\n\n\
         /// Every kind of the features that are on, with those of `meta/v1`.\n#[inline(never)]\npub fn scheme() -> Scheme {{\nScheme::new([\n",
        emit::HEADER
    );
    for module in plan.modules.values() {
        for of in module.package.structs.iter().filter(|of| !of.kinds.is_empty()) {
            if module.target == Target::Api {
                writeln!(text, "{}", plan.parts.gate(module, of))?;
            }
            writeln!(text, "Kind::of::<{}::{}>(),", module.path_from(Target::Api), of.name)?;
        }
    }
    text.push_str("])\n}\n");
    Ok(text)
}

/// Every resource of the pinned server's discovery, in its order.
fn served(plan: &Plan<'_>) -> Result<String> {
    let mut text = format!(
        "{}//! What an API server serves.\n\n#[allow(unused_imports, reason = \"the kinds of some features are served nowhere\")]\n\
         use client_rs_machinery::Resource;\nuse client_rs_machinery::ResourceInfo;\n\n\
         /// Every resource that the pinned API server serves with all versions enabled, as far as its feature is on: by\n\
         /// group, then by version, the preferred one first.\n\
         pub fn served() -> &'static [&'static ResourceInfo] {{\n&[\n",
        emit::HEADER
    );
    for group in &plan.schema.discovery.groups {
        for version in &group.versions {
            for resource in &version.resources {
                let is_it = |kind: &model::Gvk| {
                    kind.group == group.name && kind.version == version.version && kind.kind == resource.kind
                };
                let found = plan.modules.values().find_map(|module| {
                    let of = module.package.structs.iter().find(|of| of.kinds.iter().any(is_it))?;
                    Some((module, of))
                });
                let Some((module, of)) = found else {
                    bail!("no type for {} of {}/{}", resource.kind, group.name, version.version);
                };
                writeln!(text, "{}", plan.parts.gate(module, of))?;
                writeln!(text, "<{}::{} as Resource>::INFO,", module.path_from(Target::Api), of.name)?;
            }
        }
    }
    text.push_str("]\n}\n");
    Ok(text)
}

fn feature(group: &str) -> String {
    group.replace('_', "-")
}

fn constants(package: &model::Package) -> Result<Option<String>> {
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    for of in &package.enums {
        for constant in &of.values {
            if !seen.insert(names::screaming(&constant.name)) {
                continue;
            }
            let name = names::screaming(&constant.name);
            writeln!(text, "/// A value of `{}`.", of.name)?;
            match &constant.value {
                Literal::String(value) => writeln!(text, "pub const {name}: &str = {value:?};")?,
                Literal::Int(value) => writeln!(text, "pub const {name}: i64 = {value};")?,
            }
        }
    }
    Ok((!text.is_empty()).then(|| format!("{}//! Constants.\n\n{text}", emit::HEADER)))
}

fn api_features(plan: &Plan<'_>) -> Result<String> {
    let stable = plan.stable_groups();
    let features = plan.features();
    let mut text = format!(
        "default = [\"stable\"]\n# Every group with a stable version.\nstable = [\n{}]\n",
        quoted(stable)
    );
    write!(text, "# Every group there is.\nfull = [\n{}]\n", quoted(features.keys().copied()))?;
    for (group, needs) in &features {
        let parts = plan.parts.of_group(group);
        if parts.is_empty() {
            let needs: Vec<String> = needs.iter().map(|need| format!("{need:?}")).collect();
            writeln!(text, "{} = [{}]", feature(group), needs.join(", "))?;
            continue;
        }
        writeln!(text, "{} = [\n{}]", feature(group), quoted(needs.iter().map(String::as_str)))?;
        writeln!(text, "# One kind of `{group}` and the types inside it.")?;
        for part in parts {
            writeln!(text, "{part} = []")?;
        }
    }
    Ok(text)
}

fn clientset_features(plan: &Plan<'_>) -> Result<String> {
    let stable = plan.stable_groups();
    let features = clientset::features(plan)?;
    let default = features.keys().map(String::as_str).filter(|group| stable.contains(group));
    let mut text = format!(
        "default = [\"stable\"]\n# Every group with a stable version.\nstable = [\n{}]\n",
        quoted(default)
    );
    write!(text, "# Every group there is.\nfull = [\n{}]\n", quoted(features.keys().map(String::as_str)))?;
    for (group, needs) in &features {
        let needs: Vec<String> =
            needs.iter().map(|need| format!("\"client-rs-api/{}\"", feature(need))).collect();
        writeln!(text, "{} = [{}]", feature(group), needs.join(", "))?;
    }
    let applied = apply::features(plan)?;
    let of_stable = applied.keys().filter(|group| stable.contains(group.as_str()));
    let of_stable: Vec<String> = of_stable.map(|group| format!("apply-{group}")).collect();
    let of_all: Vec<String> = applied.keys().map(|group| format!("apply-{group}")).collect();
    write!(
        text,
        "# Apply configurations: of the stable groups, of all, of one.\napply = [\n{}]\napply-full = [\n{}]\n",
        quoted(of_stable.iter().map(String::as_str)),
        quoted(of_all.iter().map(String::as_str))
    )?;
    for (group, needs) in &applied {
        let own = (group != "meta").then(|| format!("{:?}", feature(group)));
        let needs = needs.iter().map(|need| format!("\"apply-{}\"", feature(need)));
        let needs: Vec<String> = own.into_iter().chain(needs).collect();
        let needs = needs.join(", ");
        writeln!(text, "apply-{} = [{needs}]", feature(group))?;
    }
    Ok(text)
}

fn quoted<'g>(groups: impl IntoIterator<Item = &'g str>) -> String {
    groups.into_iter().fold(String::new(), |list, group| format!("{list}    {:?},\n", feature(group)))
}

fn with_features(path: &str, manifest: &str, features: &str) -> Result<String> {
    let (Some((before, rest)), (begin, end)) = (manifest.split_once(FEATURES.0), FEATURES) else {
        bail!("{path} has no line `{}`", FEATURES.0.trim());
    };
    let Some((_, after)) = rest.split_once(end) else {
        bail!("{path} has no line `{}`", end.trim());
    };
    Ok(format!("{before}{begin}{features}{end}{after}"))
}

/// Files in a generated folder that nothing generates any more.
fn leftovers(root: &Path, folder: &Path, files: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>> {
    let mut leftovers = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(root)?.to_path_buf();
            if !files.contains_key(&relative) {
                leftovers.push(relative);
            }
        }
    }
    Ok(leftovers)
}

/// The files as rustfmt writes them.
fn formatted(files: BTreeMap<PathBuf, String>) -> Result<BTreeMap<PathBuf, String>> {
    let config = workspace::root().join("rustfmt.toml");
    let scratch = tempfile::tempdir()?;
    let mut formatted = BTreeMap::new();
    let mut leaves = Vec::new();
    for (path, text) in files {
        if path.ends_with("mod.rs") {
            // Through its standard input, rustfmt does not follow `mod` lines.
            formatted.insert(path, piped(&text, &config)?);
        } else {
            let name = format!("{}.rs", leaves.len());
            std::fs::write(scratch.path().join(&name), text)?;
            leaves.push((path, name));
        }
    }
    for some in leaves.chunks(200) {
        let mut rustfmt = Command::new("rustfmt");
        rustfmt.current_dir(scratch.path()).arg("--config-path").arg(&config);
        workspace::run(rustfmt.args(some.iter().map(|(_, name)| name)))?;
    }
    for (path, name) in leaves {
        formatted.insert(path, std::fs::read_to_string(scratch.path().join(name))?);
    }
    Ok(formatted)
}

fn piped(text: &str, config: &Path) -> Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .arg("--config-path")
        .arg(config)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("can't start rustfmt")?;
    if let Some(mut stdin) = rustfmt.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    let output = rustfmt.wait_with_output()?;
    if !output.status.success() {
        bail!("rustfmt ended with {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}
