//! `cargo xtask layers`: no module imports one of a higher layer, and no crate depends on one.
//!
//! `layers.txt` at the root declares the layers: of the crates, and of the top-level modules of the crates that have a
//! section. The check reads `Cargo.toml` dependencies and the paths `crate::…`, `self::…` and `super::…` in the sources.
//!
//! Dev-dependencies and code that is compiled only for tests (`#[cfg(test)]`) are not checked: a test may use anything. Comments,
//! documentation links and strings are not imports.

mod source;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Deserialize;

use client_rs_tests_tools::workspace;
use source::Import;
use table::{Section, Table};

/// The committed declaration, at the root of the workspace.
const FILE: &str = "layers.txt";

/// Check that imports and dependencies follow the layers declared in `layers.txt`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print which modules import which, with one place for each, instead of checking
    #[arg(long, value_name = "CRATE")]
    edges: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let root = workspace::root();
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| format!("can't read {FILE}"))?;
    let table = Table::parse(&text).context(FILE)?;
    if let Some(name) = &args.edges {
        let empty = Section::new(name);
        let section = table.modules.iter().find(|section| &section.name == name).unwrap_or(&empty);
        print_edges(&root, section)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut problems = crate_problems(&table.crates, &dependencies()?);
    let mut passed = 1 - usize::from(!problems.is_empty());
    let mut failed = 1 - passed;
    for section in &table.modules {
        let found = module_problems(&root, section)?;
        if found.is_empty() {
            passed += 1;
        } else {
            failed += 1;
        }
        problems.extend(found);
    }
    for problem in &problems {
        println!("{problem}");
    }
    let open: usize = table.modules.iter().map(|section| section.not_yet_cut.len()).sum();
    if open > 0 {
        println!("{open} imports against the layers are listed in {FILE} as not yet cut");
    }
    println!("layers: {passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Finds the problems of one crate's modules.
fn module_problems(root: &Path, section: &Section) -> Result<Vec<String>> {
    let source = source::read(root, &format!("crates/{}/src", section.name))?;
    let mut problems = Vec::new();
    for module in &source.top_level {
        if section.layer(module).is_none() {
            problems.push(format!(
                "{FILE}: module `{module}` of `{}` is in no layer: add it to the section [{}]",
                section.name, section.name
            ));
        }
    }
    for unit in section.units() {
        if !source.modules.contains(unit) {
            problems.push(format!(
                "{FILE}: `{}` has no module `{unit}`: remove it from the section [{}]",
                section.name, section.name
            ));
        }
    }
    let mut seen = BTreeSet::new();
    for import in &source.imports {
        let Some((from, to)) = section.against_the_layers(import) else { continue };
        seen.insert((from.to_owned(), to.to_owned()));
        if !section.is_not_yet_cut(from, to) {
            let problem = upward(&section.name, import, from, to);
            if problems.last() != Some(&problem) {
                problems.push(problem);
            }
        }
    }
    for (from, to) in &section.not_yet_cut {
        if !seen.contains(&(from.clone(), to.clone())) {
            problems.push(format!(
                "{FILE}: `{from}` of `{}` does not import `{to}` against the layers: remove the line `!{from} -> {to}`",
                section.name
            ));
        }
    }
    problems.extend(source.unresolved);
    Ok(problems)
}

/// The message for one import against the layers.
fn upward(name: &str, import: &Import, from: &str, to: &str) -> String {
    format!(
        "{}:{}: `{name}::{from}` imports `{name}::{to}`, which is not in a layer below it ({FILE}): move what both need \
         to a lower module, hand it in as an argument or a trait of the lower module, or move the importing code up",
        import.file, import.line
    )
}

/// A crate's name, and the crates of this workspace that it depends on outside of its tests.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// Finds dependencies between crates that go against the layers.
fn crate_problems(layers: &Section, dependencies: &Dependencies) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, depends_on) in dependencies {
        let Some(own) = layers.layer(name) else {
            problems.push(format!("{FILE}: crate `{name}` is in no layer: add it to the section [crates]"));
            continue;
        };
        for other in depends_on {
            if layers.layer(other).is_some_and(|layer| layer >= own) {
                problems.push(format!(
                    "crates/{name}/Cargo.toml: `{name}` depends on `{other}`, which is not in a layer below it ({FILE}): \
                     move what both need to a lower crate, or the code that needs both to a higher one"
                ));
            }
        }
    }
    for name in layers.units() {
        if !dependencies.contains_key(name) {
            problems.push(format!("{FILE}: there is no crate `{name}`: remove it from the section [crates]"));
        }
    }
    problems
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

/// The crates under `crates/` with their dependencies, as cargo understands them.
fn dependencies() -> Result<Dependencies> {
    let output = workspace::cargo()
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()
        .context("can't start `cargo metadata`")?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("`cargo metadata`")?;
    let folder = workspace::root().join("crates");
    let ours =
        metadata.packages.iter().filter(|package| Path::new(&package.manifest_path).starts_with(&folder));
    Ok(ours
        .map(|package| {
            let depends_on = package
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind.as_deref() != Some("dev"))
                .filter(|dependency| dependency.name.starts_with("client-rs"))
                .map(|dependency| short(&dependency.name))
                .collect();
            (short(&package.name), depends_on)
        })
        .collect())
}

/// `machinery` for `client-rs-machinery`; the façade keeps its whole name.
fn short(package: &str) -> String {
    package.strip_prefix("client-rs-").unwrap_or(package).to_owned()
}

fn print_edges(root: &Path, section: &Section) -> Result<()> {
    let source = source::read(root, &format!("crates/{}/src", section.name))?;
    let mut edges: BTreeMap<(&str, &str), (usize, String)> = BTreeMap::new();
    for import in &source.imports {
        let (from, to) = (section.unit(&import.from), section.unit(&import.to));
        if from != to && !from.is_empty() {
            let edge =
                edges.entry((from, to)).or_insert_with(|| (0, format!("{}:{}", import.file, import.line)));
            edge.0 += 1;
        }
    }
    for ((from, to), (count, place)) in edges {
        println!("{from} -> {to} {count} {place}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The problems that the check finds in a crate `house` with these files under `src`.
    fn problems(layers: &str, files: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join("crates/house/src").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let table = Table::parse(&format!("[crates]\nhouse\n[house]\n{layers}")).unwrap();
        module_problems(root.path(), &table.modules[0]).unwrap()
    }

    #[test]
    fn imports_that_follow_the_layers_pass() {
        let found = problems(
            "floor\nwalls doors\nroof",
            &[
                ("lib.rs", "mod doors;\nmod floor;\nmod roof;\nmod walls;\npub use roof::Tile;\n"),
                ("floor.rs", "pub struct Plank;"),
                ("walls/mod.rs", "mod brick;\nuse crate::floor::Plank;\npub use brick::Brick;"),
                ("walls/brick.rs", "use super::super::floor;\nuse super::Brick as _;\npub struct Brick;"),
                ("doors.rs", "use crate::floor::Plank;"),
                ("roof.rs", "use crate::{walls::Brick, floor::*};\npub struct Tile;"),
            ],
        );
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn an_upward_import_fails_and_says_where_and_what_to_do() {
        let found = problems(
            "floor\nroof",
            &[
                ("lib.rs", "mod floor;\nmod roof;"),
                ("floor.rs", "\n\nuse crate::roof::Tile;"),
                ("roof.rs", ""),
            ],
        );
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("crates/house/src/floor.rs:3: `house::floor` imports `house::roof`"),
            "{found:?}"
        );
        assert!(found[0].contains("move what both need to a lower module"), "{found:?}");
    }

    #[test]
    fn modules_of_one_layer_do_not_import_each_other() {
        let found = problems(
            "walls doors",
            &[
                ("lib.rs", "mod walls;\nmod doors;"),
                ("walls.rs", ""),
                ("doors.rs", "fn f() { crate::walls::lean(); }"),
            ],
        );
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("doors.rs:1"), "{found:?}");
    }

    #[test]
    fn what_the_root_exports_and_macros_belong_to_their_modules() {
        let files = [
            (
                "lib.rs",
                "mod floor;\nmod roof;\npub use roof::{tile::Tile as Shingle, gutter};\npub use floor::*;",
            ),
            ("floor.rs", "use crate::Shingle;\nuse crate::gutter;\ncrate::nail!();\nuse crate::Plank;"),
            ("roof.rs", "#[macro_export]\nmacro_rules! nail { () => { $crate::floor::hold() } }"),
        ];
        let found = problems("floor\nroof", &files);
        let lines: Vec<_> = found.iter().map(|problem| problem.split(": ").next().unwrap()).collect();
        let at = |line| format!("crates/house/src/floor.rs:{line}");
        assert_eq!(lines, [at(1), at(2), at(3)]);
    }

    #[test]
    fn comments_strings_and_tests_are_no_imports() {
        let files = [
            ("lib.rs", "mod floor;\nmod roof;"),
            (
                "floor.rs",
                r##"
// use crate::roof::A;
/* use crate::roof::B; /* crate::roof::C */ crate::roof::D */
/// See [`crate::roof::E`].
const TEXT: &str = "crate::roof::F \" crate::roof::G";
const RAW: &str = r#"crate::roof::H " crate::roof::I"#;
const QUOTE: char = '"'; const LIFE: &'static str = "crate::roof::J";
#[cfg(test)]
use crate::roof::{K, L};
#[cfg(test)]
fn helper<A, B>() { crate::roof::m(); }
#[cfg(all(test, unix))]
mod more;
#[cfg(test)]
mod tests { use crate::roof::N; }
pub(crate) struct P;
"##,
            ),
            ("roof.rs", ""),
        ];
        assert_eq!(problems("floor\nroof", &files), Vec::<String>::new());
        let (mut files, late) = (files.to_vec(), format!("{}\nuse crate::roof::Late;", files[1].1));
        files[1].1 = &late;
        assert_eq!(problems("floor\nroof", &files).len(), 1);
    }

    #[test]
    fn the_list_of_edges_not_yet_cut_only_shrinks() {
        let files =
            |floor: &'static str| [("lib.rs", "mod floor;\nmod roof;"), ("floor.rs", floor), ("roof.rs", "")];
        let layers = "floor\nroof\n!floor -> roof";
        assert!(problems(layers, &files("use crate::roof;")).is_empty());
        let found = problems(layers, &files(""));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("remove the line `!floor -> roof`"), "{found:?}");
    }

    #[test]
    fn every_module_has_a_layer_and_every_layer_its_modules() {
        let found = problems(
            "floor cellar",
            &[("lib.rs", "mod floor;\nmod roof;"), ("floor.rs", ""), ("roof.rs", "")],
        );
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("module `roof` of `house` is in no layer"), "{found:?}");
        assert!(found[1].contains("has no module `cellar`"), "{found:?}");
    }

    #[test]
    fn a_part_of_a_module_can_have_a_layer_of_its_own() {
        let files = [
            ("lib.rs", "mod floor;\nmod roof;"),
            ("floor.rs", "use crate::roof::gutter::Gutter;\nuse crate::roof::Tile;"),
            ("roof/mod.rs", "pub mod gutter;\nuse crate::floor;\nuse gutter::Gutter;"),
            ("roof/gutter.rs", "use super::Tile;"),
        ];
        let found = problems("roof::gutter\nfloor\nroof", &files);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("floor.rs:2"), "{found:?}");
        assert!(found[1].contains("gutter.rs:1"), "{found:?}");
    }

    #[test]
    fn a_crate_depends_on_lower_crates_only() {
        let layers = Table::parse("[crates]\nfloor\nwalls doors\nroof").unwrap().crates;
        let tree = |edges: &[(&str, &[&str])]| -> Dependencies {
            let of = |others: &[&str]| others.iter().map(|&other| other.to_owned()).collect();
            edges.iter().map(|(name, others)| ((*name).to_owned(), of(others))).collect()
        };
        let good =
            tree(&[("floor", &[]), ("walls", &["floor"]), ("doors", &[]), ("roof", &["walls", "floor"])]);
        assert!(crate_problems(&layers, &good).is_empty());
        let bad = tree(&[("floor", &["roof"]), ("walls", &["doors"]), ("doors", &[]), ("roof", &[])]);
        let found = crate_problems(&layers, &bad);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("crates/floor/Cargo.toml: `floor` depends on `roof`"), "{found:?}");
    }
}
