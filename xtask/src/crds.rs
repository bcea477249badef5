//! `cargo xtask crds`: definitions that others publish, made into Rust types that compile and lose nothing.
//!
//! Each set comes from its Go module when it is asked for. `krs generate` writes its types into a package of their own below
//! `target/crds`, whose program reads every example that the authors publish and writes it back.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use crate::report::Report;
use crate::workspace::{self, cargo};

/// Generates types from published definitions, compiles them and reads their authors' examples.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sets, by name; all by default
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
}

struct Set {
    name: &'static str,
    module: &'static str,
    definitions: &'static str,
    examples: &'static str,
}

const SETS: [Set; 3] = [
    Set {
        name: "gateway-api",
        module: "sigs.k8s.io/gateway-api@v1.4.0",
        definitions: "config/crd/standard",
        examples: "examples/standard",
    },
    Set {
        name: "cert-manager",
        module: "github.com/cert-manager/cert-manager@v1.18.2",
        definitions: "deploy/crds",
        examples: "test/fixtures",
    },
    Set {
        name: "argo-rollouts",
        module: "github.com/argoproj/argo-rollouts@v1.8.3",
        definitions: "manifests/crds",
        examples: "examples",
    },
];

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(unknown) = args.set.iter().find(|name| !SETS.iter().any(|set| set.name == **name)) {
        bail!("there is no set {unknown}; there are {}", SETS.map(|set| set.name).join(", "));
    }
    let mut report = Report::new("crds");
    for set in SETS.iter().filter(|set| args.set.is_empty() || args.set.iter().any(|name| name == set.name)) {
        println!("{} of {}", set.name, set.module);
        report.record(&format!("{}: types compile and lose nothing", set.name), play(set));
    }
    Ok(report.finish())
}

fn play(set: &Set) -> Result<()> {
    let module = download(set.module)?;
    let folder = workspace::root().join("target/crds").join(set.name);
    std::fs::create_dir_all(folder.join("src")).context("can't make a folder")?;
    let code = folder.join("src/generated.rs");
    let generate =
        ["run", "--quiet", "--locked", "--package", "client-rs-cli", "--bin", "krs", "--", "generate"];
    let mut krs = cargo();
    krs.args(generate)
        .arg("--accessors")
        .arg("--crd")
        .arg(module.join(set.definitions))
        .arg("--output")
        .arg(&code);
    workspace::run(&mut krs)?;
    let kinds = kinds(&std::fs::read_to_string(&code)?);
    ensure!(!kinds.is_empty(), "nothing was generated");
    std::fs::write(folder.join("Cargo.toml"), manifest(set))?;
    std::fs::write(folder.join("src/main.rs"), program(&kinds))?;
    std::fs::copy(workspace::root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut program = cargo();
    program.current_dir(&folder).args(["run", "--quiet", "--offline", "--"]).arg(module.join(set.examples));
    program.env("CARGO_TARGET_DIR", workspace::root().join("target"));
    workspace::run(&mut program)
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

fn manifest(set: &Set) -> String {
    let client_rs = workspace::root().join("crates/client-rs");
    format!(
        "[package]\nname = \"crds-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nclient-rs = {{ path = {:?} }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\n[workspace]\n",
        set.name,
        display(&client_rs),
    )
}

fn display(path: &Path) -> String {
    path.display().to_string()
}

fn program(kinds: &[Generated]) -> String {
    let mut arms = String::new();
    for Generated { module, api_version, kind, root } in kinds {
        let _ = writeln!(
            arms,
            "        ({api_version:?}, {kind:?}) => check::<generated::{module}::{root}>(object),"
        );
    }
    format!(
        r#"//! Reads examples as generated types, and writes them back.

#[allow(dead_code)]
mod generated;

use std::path::Path;

use client_rs::client::manifest;
use client_rs::machinery::Json;
use client_rs::machinery::wire::{{Decoding, Format, Payload}};

fn check<K: Payload>(object: &Json) -> Result<(), String> {{
    let typed = K::decode(Format::Json, &object.to_vec(), &mut Decoding::new()).map_err(|error| error.to_string())?;
    let back = Json::parse(&typed.encode(Format::Json)).map_err(|error| error.to_string())?;
    for part in ["spec", "status"] {{
        if object.get(part).is_some() && object.get(part) != back.get(part) {{
            return Err(format!("{{part}} is {{}} and was {{}}", back[part], object[part]));
        }}
    }}
    Ok(())
}}

fn visit(path: &Path, read: &mut usize, failed: &mut usize) {{
    if let Ok(entries) = std::fs::read_dir(path) {{
        for entry in entries.flatten() {{
            visit(&entry.path(), read, failed);
        }}
        return;
    }}
    // Templates of other tools are no manifests.
    let Ok(manifests) = manifest::read_path(path) else {{ return }};
    for found in manifests {{
        let object = &Json::Map(found.object.object.clone());
        let outcome = match (found.object.api_version(), found.object.kind()) {{
{arms}            _ => continue,
        }};
        *read += 1;
        if let Err(error) = outcome {{
            *failed += 1;
            println!("{{}}: {{}} {{}}: {{error}}", path.display(), found.object.kind(), found.object.name());
        }}
    }}
}}

fn main() {{
    let (mut read, mut failed) = (0, 0);
    for path in std::env::args().skip(1) {{
        visit(path.as_ref(), &mut read, &mut failed);
    }}
    println!("{{read}} examples of {} kinds, {{failed}} of which did not come back as they were");
    std::process::exit(i32::from(read == 0 || failed > 0));
}}
"#,
        kinds.len()
    )
}
