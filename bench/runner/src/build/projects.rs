//! The same controller as a project of its own: ours is README's, kube-rs's and client-go's are in `bench/`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace::{self, cargo};
use client_rs_tests_tools::{Readme, Source};
use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;

use super::cost::{Cost, as_in_a_new_shell, measured};

const NAME: &str = "controller";

/// Cargo compiles dependencies from folders incrementally, because it expects changes there, but not those from git
/// or a registry.
const AS_PUBLISHED: &str = "\n[profile.dev.package.\"*\"]\nincremental = false\n";

/// The library that a project uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    Ours,
    KubeRs,
    ClientGo,
}

impl Side {
    /// All that take part.
    pub(super) fn all(peers: bool) -> &'static [Self] {
        if peers { &[Self::Ours, Self::KubeRs, Self::ClientGo] } else { &[Self::Ours] }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::KubeRs => "kube-rs",
            Self::ClientGo => "client-go",
        }
    }
}

/// How a project is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Profile {
    Debug,
    Release,
}

/// One build.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub(super) cost: Cost,
    /// Crates that were compiled, or packages in Go.
    pub(super) crates: usize,
    pub(super) program: PathBuf,
}

impl fmt::Display for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s of CPU, {} crates", self.cost.cpu_seconds, self.crates)
    }
}

/// A project in a folder of its own, with nothing built yet. The folder is removed on drop.
pub(super) struct Project {
    side: Side,
    folder: TempDir,
    /// The dependency of our project: a copy of this checkout, so that nobody changes it meanwhile.
    checkout: Option<TempDir>,
}

impl Project {
    /// Writes the project, and downloads what it needs.
    pub(super) fn new(side: Side) -> Result<Self> {
        let folder = tempfile::tempdir().context("can't make a folder")?;
        let checkout = if side == Side::Ours { Some(clone()?) } else { None };
        let project = Self { side, folder, checkout };
        let (root, here) = (workspace::root(), project.folder.path());
        match side {
            Side::Ours => {
                let readme = Readme::here()?;
                std::fs::create_dir(here.join("src"))?;
                let checkout = project.checkout.as_ref().map_or(&*root, TempDir::path);
                let manifest = readme.manifest(NAME, Source::Checkout(checkout))?;
                std::fs::write(here.join("Cargo.toml"), manifest + AS_PUBLISHED)?;
                std::fs::write(here.join("src/main.rs"), readme.controller()?)?;
                // The versions that are tested here, as the peers have theirs.
                copy(&root.join("Cargo.lock"), &here.join("Cargo.lock"))?;
                workspace::run(project.command("cargo").args(["fetch", "--quiet"]))?;
            }
            Side::KubeRs => {
                let program = root.join("bench/controller-kubers");
                std::fs::create_dir(here.join("src"))?;
                for file in ["Cargo.toml", "src/main.rs"] {
                    copy(&program.join(file), &here.join(file))?;
                }
                copy(&root.join("bench/Cargo.lock"), &here.join("Cargo.lock"))?;
                workspace::run(project.command("cargo").args(["fetch", "--quiet"]))?;
            }
            Side::ClientGo => {
                let module = root.join("bench/go");
                for file in ["go.mod", "go.sum"] {
                    copy(&module.join(file), &here.join(file))?;
                }
                copy(&module.join("cmd/controller/main.go"), &here.join("main.go"))?;
                workspace::run(project.command("go").args(["mod", "download"]))?;
            }
        }
        Ok(project)
    }

    /// Builds what is not built yet.
    pub(super) fn build(&self, profile: Profile) -> Result<Built> {
        match self.side {
            Side::Ours | Side::KubeRs => {
                let mut build = self.command("cargo");
                build.args(["build", "--offline"]);
                if profile == Profile::Release {
                    build.arg("--release");
                }
                built_by_cargo(&mut build)
            }
            Side::ClientGo => {
                let program = self.folder.path().join(NAME);
                let mut build = self.command("go");
                build.args(["build", "-o"]).arg(&program);
                if profile == Profile::Release {
                    build.args(["-ldflags", "-s -w"]);
                }
                let (cost, _) = measured(build.arg("."))?;
                let (_, packages) = measured(self.command("go").args(["list", "-deps", "."]))?;
                let crates = String::from_utf8_lossy(&packages.stdout).lines().count();
                Ok(Built { cost, crates, program })
            }
        }
    }

    /// Adds a line to `main` that changes what it does.
    pub(super) fn change(&self, number: usize) -> Result<()> {
        let (file, line) = match self.side {
            Side::Ours | Side::KubeRs => ("src/main.rs", format!("    eprintln!(\"change {number}\");")),
            Side::ClientGo => ("main.go", format!("\tprintln(\"change {number}\")")),
        };
        let path = self.folder.path().join(file);
        let code = std::fs::read_to_string(&path)?;
        std::fs::write(&path, with_line(&code, &line).context("there is no `main`")?)?;
        Ok(())
    }

    /// A command in the project's folder.
    fn command(&self, program: &str) -> Command {
        let here = self.folder.path();
        let mut command = if program == "cargo" { cargo() } else { Command::new(program) };
        as_in_a_new_shell(&mut command).current_dir(here);
        command.env("CARGO_TARGET_DIR", here.join("target")).env("GOCACHE", here.join("cache"));
        command
    }
}

/// The code with one more line at the beginning of `main`.
fn with_line(code: &str, line: &str) -> Option<String> {
    let main = code.find("fn main()").or_else(|| code.find("func main()"))?;
    let at = main + code[main..].find("{\n")? + 2;
    Some(format!("{}{line}\n{}", &code[..at], &code[at..]))
}

/// Runs a `cargo build`, and reads from its messages what it has compiled.
pub(super) fn built_by_cargo(build: &mut Command) -> Result<Built> {
    let (cost, output) = measured(build.args(["--quiet", "--message-format=json-render-diagnostics"]))?;
    let (crates, program) = compiled(&String::from_utf8_lossy(&output.stdout));
    Ok(Built { cost, crates, program: program.context("cargo built no program")? })
}

/// How many crates were compiled, and the program that was linked last.
fn compiled(messages: &str) -> (usize, Option<PathBuf>) {
    let (mut crates, mut program) = (BTreeSet::new(), None);
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    for message in messages.filter(|message| message["reason"] == "compiler-artifact") {
        if message["fresh"] == false
            && let Some(package) = message["package_id"].as_str()
        {
            crates.insert(package.to_owned());
        }
        if let Some(executable) = message["executable"].as_str() {
            program = Some(PathBuf::from(executable));
        }
    }
    (crates.len(), program)
}

/// The size of a program without its symbols.
pub(super) fn stripped(program: &Path) -> Result<u64> {
    let folder = tempfile::tempdir().context("can't make a folder")?;
    let copy = folder.path().join("stripped");
    workspace::run(Command::new("strip").arg("-o").arg(&copy).arg(program))?;
    Ok(copy.metadata().context("strip wrote nothing")?.len())
}

/// The files of this checkout, changed ones as they are now, as a clone would have them.
pub(super) fn clone() -> Result<TempDir> {
    let folder = tempfile::tempdir().context("can't make a folder")?;
    let mut list = workspace::command("git");
    list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let files = list.output().context("can't start git")?;
    ensure!(files.status.success(), "`git ls-files` ended with {}", files.status);
    for file in String::from_utf8_lossy(&files.stdout).split('\0').filter(|file| !file.is_empty()) {
        let from = workspace::root().join(file);
        // A file that was deleted and is still in the index; a link is copied as what it leads to.
        if !from.is_file() {
            continue;
        }
        let to = folder.path().join(file);
        std::fs::create_dir_all(to.parent().unwrap_or(folder.path()))?;
        copy(&from, &to)?;
    }
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    std::fs::copy(from, to).with_context(|| format!("can't copy {}", of(from)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_added_to_main() {
        let changed = with_line("use a;\nasync fn main() -> X {\n    b();\n}\n", "    c();").unwrap();
        assert_eq!(changed, "use a;\nasync fn main() -> X {\n    c();\n    b();\n}\n");
        assert_eq!(with_line("func main() {\n}\n", "\tc()").unwrap(), "func main() {\n\tc()\n}\n");
        assert_eq!(with_line("fn other() {\n}\n", "x"), None);
    }

    #[test]
    fn each_package_that_was_compiled_counts_once() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","package_id":"a","fresh":false,"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","package_id":"a","fresh":false,"executable":"/x/a"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","package_id":"b","fresh":true,"executable":null}"#,
            "\nnot json\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(compiled(messages), (1, Some(PathBuf::from("/x/a"))));
    }
}
