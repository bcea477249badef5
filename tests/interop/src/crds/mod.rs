//! `cargo xtask crds`: third-party definitions, made into types, with the examples that their authors publish.
//!
//! They come from the authors' published Go modules when this runs, and are not kept. For each set: `krs generate`
//! writes the types, with accessors and apply configurations; they compile; every published object of their kinds is
//! read and written back unchanged, and again with an unknown field in every object of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use client_rs_tests_tools::Report;
use client_rs_tests_tools::workspace::{self, cargo};

/// Generates types from published definitions, compiles them and reads their authors' examples.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sets, by name; all by default
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
    /// Another Go module instead, such as `istio.io/api@v1.31.1`
    #[arg(long, value_name = "PATH@VERSION", conflicts_with = "set", requires = "definitions")]
    module: Option<String>,
    /// Where in that module the definitions are: a folder or a file
    #[arg(long, value_name = "PATH", requires = "module")]
    definitions: Option<String>,
    /// Where in that module objects are: folders and files
    #[arg(long, value_name = "PATH", value_delimiter = ',', requires = "module")]
    examples: Vec<String>,
}

#[derive(Clone, Copy)]
struct Set<'s> {
    name: &'s str,
    module: &'s str,
    definitions: &'s str,
    /// Folders and files with objects.
    examples: &'s [&'s str],
}

const SETS: [Set<'static>; 3] = [
    Set {
        name: "gateway-api",
        module: "sigs.k8s.io/gateway-api@v1.4.0",
        definitions: "config/crd/experimental",
        examples: &["examples", "conformance/base", "conformance/mesh", "conformance/tests"],
    },
    Set {
        name: "cert-manager",
        module: "github.com/cert-manager/cert-manager@v1.18.2",
        definitions: "deploy/crds",
        examples: &["test/fixtures"],
    },
    Set {
        name: "argo-rollouts",
        module: "github.com/argoproj/argo-rollouts@v1.8.3",
        definitions: "manifests/crds",
        examples: &["examples", "docs", "test/e2e", "pkg/kubectl-argo-rollouts"],
    },
];

/// The set that the command line names.
const GIVEN: &str = "given";

/// The result of one set.
struct Row {
    name: String,
    kinds: usize,
    structs: usize,
    lines: usize,
    read: u64,
    planted: u64,
    passed_over: u64,
    unfit: u64,
    seconds: u64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(unknown) = args.set.iter().find(|name| !SETS.iter().any(|set| set.name == **name)) {
        bail!("there is no set {unknown}; there are {}", SETS.map(|set| set.name).join(", "));
    }
    let wanted = |set: &&Set<'_>| args.set.is_empty() || args.set.iter().any(|name| name == set.name);
    let mut sets: Vec<Set<'_>> = SETS.iter().filter(wanted).copied().collect();
    let examples: Vec<&str> = args.examples.iter().map(String::as_str).collect();
    if let (Some(module), Some(definitions)) = (&args.module, &args.definitions) {
        sets = vec![Set { name: GIVEN, module, definitions, examples: &examples }];
    }
    let folder = workspace::target().join("crds");
    lay_out(&folder)?;
    let mut report = Report::new("crds");
    let mut rows = Vec::new();
    for set in &sets {
        println!("{} of {}", set.name, set.module);
        let outcome = play(set, &folder).map(|row| rows.push(row));
        report.record(&format!("{}: types compile and lose nothing", set.name), outcome);
    }
    print!("{}", table(&rows));
    Ok(report.finish())
}

/// The package that everything is compiled in. Kept between runs, so that what it depends on is built once.
fn lay_out(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder.join("src/bin")).context("can't make a folder")?;
    // A program whose code was not generated this time is not to be built either.
    for name in SETS.map(|set| set.name).into_iter().chain([GIVEN]) {
        let _ = std::fs::remove_dir_all(folder.join("src/bin").join(name));
    }
    let client_rs = workspace::root().join("crates/client-rs").display().to_string();
    let manifest = format!(
        "[package]\nname = \"crds\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         client-rs = {{ path = {client_rs:?}, features = [\"manifest\"] }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\n\
         [profile.dev]\ndebug = \"line-tables-only\"\n\n[workspace]\n",
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::write(folder.join("src/lib.rs"), include_str!("check.rs.txt"))?;
    std::fs::copy(workspace::root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

fn play(set: &Set<'_>, folder: &Path) -> Result<Row> {
    let start = Instant::now();
    let module = download(set.module)?;
    let program_folder = folder.join("src/bin").join(set.name);
    std::fs::create_dir_all(&program_folder).context("can't make a folder")?;
    let code = program_folder.join("generated.rs");
    let generate =
        ["run", "--quiet", "--locked", "--package", "client-rs-cli", "--bin", "krs", "--", "generate"];
    let mut krs = cargo();
    krs.args(generate).args(["--accessors", "--apply", "--crd"]).arg(module.join(set.definitions));
    krs.arg("--output").arg(&code);
    workspace::run(&mut krs)?;
    let text = std::fs::read_to_string(&code)?;
    let kinds = kinds(&text);
    ensure!(!kinds.is_empty(), "nothing was generated");
    std::fs::write(program_folder.join("main.rs"), program(&kinds))?;

    let mut program = cargo();
    program.current_dir(folder).args(["run", "--quiet", "--offline", "--bin", set.name, "--"]);
    program.arg(module.join(set.definitions)).args(set.examples.iter().map(|place| module.join(place)));
    program.env("CARGO_TARGET_DIR", workspace::target());
    let output = program.stderr(Stdio::inherit()).output().context("can't start cargo")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let Some((complaints, counts)) = said.rsplit_once("COUNTS ") else {
        bail!("it does not compile, or does not run: {}", output.status);
    };
    let counts: serde_json::Value = serde_json::from_str(counts)?;
    let count = |key: &str| counts[key].as_u64().unwrap_or_default();
    print!("{complaints}");
    ensure!(count("failed") == 0, "{} of {} objects failed", count("failed"), count("read"));
    let expected = set.name != GIVEN || !set.examples.is_empty();
    ensure!(!expected || (count("read") > 0 && count("planted") > 0), "there are no examples");
    Ok(Row {
        name: set.name.to_owned(),
        kinds: kinds.len(),
        structs: text.matches("pub struct ").count(),
        lines: text.lines().count(),
        read: count("read"),
        planted: count("planted"),
        passed_over: count("passedOver"),
        unfit: count("unfit"),
        seconds: start.elapsed().as_secs(),
    })
}

fn table(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<14} {:>6} {:>8} {:>7} {:>8} {:>15} {:>8} {:>12} {:>8}\n",
        "set", "kinds", "structs", "lines", "objects", "unknown fields", "invalid", "no manifest", "seconds"
    );
    for row in rows {
        let Row { name, kinds, structs, lines, read, planted, passed_over, unfit, seconds } = row;
        let _ = writeln!(
            out,
            "{name:<14} {kinds:>6} {structs:>8} {lines:>7} {read:>8} {planted:>15} {unfit:>8} {passed_over:>12} {seconds:>8}"
        );
    }
    out
}

fn download(module: &str) -> Result<PathBuf> {
    let output = workspace::command("go")
        .args(["mod", "download", "-json", module])
        .current_dir(workspace::root().join("hack/schema"))
        .output()
        .context("can't start `go`: install Go, which brings the definitions")?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).with_context(|| {
        format!("`go mod download` failed: {}", String::from_utf8_lossy(&output.stderr).trim())
    })?;
    match (answer["Dir"].as_str(), answer["Error"].as_str()) {
        (Some(folder), _) => Ok(folder.into()),
        (None, error) => bail!("can't fetch {module}: {}", error.unwrap_or("no folder")),
    }
}

struct Generated {
    module: String,
    api_version: String,
    kind: String,
    root: String,
}

/// The kinds in generated code, by the attributes that every one has.
fn kinds(code: &str) -> Vec<Generated> {
    let mut kinds: Vec<Generated> = Vec::new();
    let word = |line: &str, key: &str| {
        let rest = line.trim().strip_prefix("#[resource(")?.strip_prefix(key)?.strip_prefix(" = ")?;
        Some(rest.trim_end_matches(")]").trim_matches('"').to_owned())
    };
    for line in code.lines() {
        if let Some(module) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(" {")) {
            let (api_version, kind, root) = (String::new(), String::new(), String::new());
            kinds.push(Generated { module: module.to_owned(), api_version, kind, root });
        }
        let Some(kind) = kinds.last_mut() else { continue };
        if let Some(group) = word(line, "group") {
            kind.api_version = group;
        } else if let Some(version) = word(line, "version") {
            kind.api_version = format!("{}/{version}", kind.api_version);
        } else if let Some(name) = word(line, "kind") {
            kind.root.clone_from(&name);
            kind.kind = name;
        } else if let Some(root) = word(line, "root") {
            kind.root = root;
        }
    }
    kinds
}

fn program(kinds: &[Generated]) -> String {
    let mut arms = String::new();
    for Generated { module, api_version, kind, root } in kinds {
        let _ = writeln!(
            arms,
            "        ({api_version:?}, {kind:?}) => crds::there_and_back::<generated::{module}::{root}>(object),"
        );
    }
    format!(
        "#[allow(dead_code)]\nmod generated;\n\nuse client_rs::machinery::Json;\n\n\
         fn check(api_version: &str, kind: &str, object: &Json) -> Option<Result<(), String>> {{\n    \
         Some(match (api_version, kind) {{\n{arms}        _ => return None,\n    }})\n}}\n\n\
         fn main() {{\n    crds::main(check);\n}}\n"
    )
}
