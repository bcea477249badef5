//! `krs new`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use client_rs_custom::generate::is_keyword;
use client_rs_machinery::validation;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// A project with a custom resource, its controller and a test on the embedded server
    Operator(Operator),
}

#[derive(Debug, clap::Args)]
struct Operator {
    /// The name of the project and of its folder, such as `site-operator`
    name: String,
    /// The API group of its kind
    #[arg(long, default_value = "example.com")]
    group: String,
    /// What it builds with: the folder of a checkout, or the URL of a git repository; `registry` for the published crate, once
    /// there is one. Unless said, the checkout that this program was built from, which must still be there
    #[arg(long, value_name = "DIR|URL|registry")]
    client_rs: Option<String>,
}

/// The files of a project: where they go, and what is in them.
const FILES: [(&str, &str); 12] = [
    ("README.md", include_str!("../../templates/README.md.txt")),
    ("Cargo.toml", include_str!("../../templates/Cargo.toml.txt")),
    ("src/lib.rs", include_str!("../../templates/lib.rs.txt")),
    ("src/api.rs", include_str!("../../templates/api.rs.txt")),
    ("src/controller.rs", include_str!("../../templates/controller.rs.txt")),
    ("src/main.rs", include_str!("../../templates/main.rs.txt")),
    ("tests/operator.rs", include_str!("../../templates/test.rs.txt")),
    ("config/sample.yaml", include_str!("../../templates/sample.yaml.txt")),
    ("config/operator.yaml", include_str!("../../templates/operator.yaml.txt")),
    ("Dockerfile", include_str!("../../templates/Dockerfile.txt")),
    (".dockerignore", "/target\n"),
    (".gitignore", "/target\n"),
];

/// Names of crates that a project uses, and those that cargo keeps for itself.
const TAKEN_CRATES: &str = "alloc anyhow clap client-rs core proc-macro serde std test tokio tracing";

/// Names of types that a project's files use beside its kind.
const TAKEN_KINDS: &str = "Action Api CancellationToken Clone Cli Cluster Condition Conditions ConfigMap Context Controller \
    CustomResource Debug Default Deserialize Duration Lister Manager Namespace Ok Option Owned Parser \
    Reconciler Result Schema Serialize Server String Vec";

pub(crate) fn run(args: &Args, out: &mut (dyn Write + Send)) -> Result<()> {
    let What::Operator(operator) = &args.what;
    write(operator, Path::new("."))?;
    format(Path::new(&operator.name));
    writeln!(out, "created {0}; next: cd {0} && cargo test", operator.name)?;
    Ok(())
}

fn write(operator: &Operator, within: &Path) -> Result<()> {
    let Operator { name, group, client_rs } = operator;
    let kind = kind_of(name);
    check(name, &kind, group)?;
    let folder = within.join(name);
    ensure!(!folder.exists(), "{} is there already", folder.display());
    let dependency = match client_rs.as_deref() {
        None => match built_from() {
            Some(checkout) => in_folder(&checkout),
            None => published()?,
        },
        Some("registry") => published()?,
        Some(url) if url.contains("://") || url.starts_with("git@") => format!("{{ git = {url:?}, "),
        Some(checkout) => {
            let path = Path::new(checkout).join("crates/client-rs");
            in_folder(&path.canonicalize().with_context(|| format!("there is no client-rs at {checkout}"))?)
        }
    };
    let values = [
        ("@NAME@", name.clone()),
        ("@CRATE@", name.replace('-', "_")),
        ("@PLURAL@", plural_of(&kind)),
        ("@KIND@", kind.clone()),
        ("@kind@", kind.to_lowercase()),
        ("@GROUP@", group.clone()),
        ("@CLIENT_RS@", dependency),
    ];
    for (path, template) in FILES {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("can't make {}", parent.display()))?;
        }
        let text = values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(key, value));
        std::fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

/// Lines and the order of imports are by the length and place of the names; without rustfmt they stay as they are.
fn format(folder: &Path) {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "src/lib.rs", "src/main.rs", "tests/operator.rs"]).current_dir(folder);
    let _ = rustfmt.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// What cargo, the compiler or a server would refuse is refused before anything is written.
fn check(name: &str, kind: &str, group: &str) -> Result<()> {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(letter)
        && !name.ends_with('-')
        && name.len() <= 40;
    ensure!(fits, "{name:?} is no name for it: small letters, digits and '-', at most 40");
    ensure!(
        !TAKEN_CRATES.split(' ').any(|taken| taken == name) && !is_keyword(name),
        "{name:?} is the name of something else: a crate, or a word of Rust"
    );
    ensure!(
        !TAKEN_KINDS.split(' ').any(|taken| taken == kind),
        "the kind would be {kind}, which is the name of something else"
    );
    ensure!(
        group.contains('.') && validation::dns1123_subdomain(group).is_ok(),
        "{group:?} is no API group: a domain of yours, such as example.com"
    );
    Ok(())
}

/// Is this version of client-rs on crates.io? Until it is, a dependency on the name could be anybody's crate.
const RELEASED: bool = false;

/// The published crate, as the beginning of a dependency.
fn published() -> Result<String> {
    ensure!(
        RELEASED,
        "client-rs is not published yet, so a dependency on it by name could be a stranger's crate: say where it is, with \
         --client-rs DIR for a checkout or --client-rs URL for its git repository"
    );
    Ok(format!("{{ version = \"{}\", ", env!("CARGO_PKG_VERSION")))
}

fn in_folder(path: &Path) -> String {
    format!("{{ path = {:?}, ", path.display().to_string())
}

/// The crate in the checkout that this program was built from: what it writes fits that one, published or not. An
/// installed program was built from no checkout, or from one that is gone.
fn built_from() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../client-rs");
    path.join("Cargo.toml").is_file().then(|| path.canonicalize().ok()).flatten()
}

/// `site-operator` is about a `Site`.
fn kind_of(name: &str) -> String {
    let name = name.strip_suffix("-operator").or_else(|| name.strip_suffix("-controller")).unwrap_or(name);
    let words = name.split('-').map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    });
    words.collect()
}

/// As Kubernetes guesses it.
fn plural_of(kind: &str) -> String {
    let word = kind.to_lowercase();
    match word.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if word.ends_with('s') => format!("{word}es"),
        None => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_written_whole_and_never_over_another() {
        let folder = tempfile::tempdir().unwrap();
        let operator = |name: &str| Operator {
            name: name.to_owned(),
            group: "a.example.com".to_owned(),
            client_rs: Some("https://example.com/client-rs.git".to_owned()),
        };
        write(&operator("site-operator"), folder.path()).unwrap();
        let api = std::fs::read_to_string(folder.path().join("site-operator/src/api.rs")).unwrap();
        assert!(api.contains("kind = \"Site\"") && api.contains("group = \"a.example.com\""), "{api}");
        for (path, _) in FILES {
            let text = std::fs::read_to_string(folder.path().join("site-operator").join(path)).unwrap();
            let left =
                text.split('@').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
            assert!(!left, "{path}:\n{text}");
        }
        let again = write(&operator("site-operator"), folder.path()).unwrap_err().to_string();
        assert!(again.contains("is there already"), "{again}");
        for bad in ["", "Site", "-a", "a-", "a/b", "match", "tokio", "context-operator"] {
            assert!(write(&operator(bad), folder.path()).is_err(), "{bad}");
        }
        let operator = Operator { group: "a..b".to_owned(), ..operator("b") };
        assert!(write(&operator, folder.path()).is_err());
    }

    #[test]
    fn a_project_never_depends_on_a_name_that_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = |name: &str, client_rs: Option<&str>| {
            let client_rs = client_rs.map(str::to_owned);
            let operator = Operator { name: name.to_owned(), group: "example.com".to_owned(), client_rs };
            write(&operator, folder.path())?;
            Ok::<_, anyhow::Error>(std::fs::read_to_string(folder.path().join(name).join("Cargo.toml"))?)
        };
        let own =
            Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("client-rs").canonicalize().unwrap();
        let path = format!("client-rs = {{ path = {own:?}, features");
        assert!(manifest("a", None).unwrap().contains(&path));
        let checkout = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        assert!(manifest("b", Some(checkout)).unwrap().contains(&path));
        let git = manifest("c", Some("https://example.com/client-rs.git")).unwrap();
        assert!(git.contains("client-rs = { git = \"https://example.com/client-rs.git\", features"), "{git}");
        assert!(
            manifest("d", Some("/nowhere")).unwrap_err().to_string().contains("there is no client-rs at")
        );
        let unpublished = manifest("e", Some("registry")).unwrap_err().to_string();
        assert!(
            unpublished.contains("not published") && unpublished.contains("--client-rs DIR"),
            "{unpublished}"
        );
        assert!(!folder.path().join("e").exists());
    }
}
