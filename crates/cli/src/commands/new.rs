//! `krs new`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

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
    /// What it builds with: the folder of a checkout, the URL of a git repository, or `registry` for the published crate.
    /// Unless said, the checkout that this program was built from, if it is still there
    #[arg(long, value_name = "DIR|URL|registry")]
    client_rs: Option<String>,
}

/// The files of a project: where they go, and what is in them.
const FILES: [(&str, &str); 6] = [
    ("Cargo.toml", include_str!("../../templates/Cargo.toml.txt")),
    ("src/lib.rs", include_str!("../../templates/lib.rs.txt")),
    ("src/main.rs", include_str!("../../templates/main.rs.txt")),
    ("tests/operator.rs", include_str!("../../templates/test.rs.txt")),
    ("sample.yaml", include_str!("../../templates/sample.yaml.txt")),
    (".gitignore", "/target\n"),
];

pub(crate) fn run(args: &Args, out: &mut (dyn Write + Send)) -> Result<()> {
    let What::Operator(operator) = &args.what;
    write(operator, Path::new("."))?;
    writeln!(out, "created {0}; next: cd {0} && cargo test", operator.name)?;
    Ok(())
}

fn write(operator: &Operator, within: &Path) -> Result<()> {
    let name = &operator.name;
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(letter)
        && !name.ends_with('-');
    ensure!(
        fits && name.len() <= 40,
        "{name:?} is no name for it: small letters, digits and '-', at most 40"
    );
    ensure!(
        operator.group.contains('.'),
        "{:?} is no API group: a domain of yours, such as example.com",
        operator.group
    );
    let folder = within.join(name);
    ensure!(!folder.exists(), "{} is there already", folder.display());
    let dependency = match operator.client_rs.as_deref() {
        None => built_from().map_or_else(published, |checkout| in_folder(&checkout)),
        Some("registry") => published(),
        Some(url) if url.contains("://") || url.starts_with("git@") => format!("{{ git = {url:?}, "),
        Some(checkout) => {
            let path = Path::new(checkout).join("crates/client-rs");
            in_folder(&path.canonicalize().with_context(|| format!("there is no client-rs at {checkout}"))?)
        }
    };
    let kind = kind_of(name);
    let values = [
        ("@NAME@", name.clone()),
        ("@CRATE@", name.replace('-', "_")),
        ("@KIND@", kind.clone()),
        ("@kind@", kind.to_lowercase()),
        ("@GROUP@", operator.group.clone()),
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

/// The published crate, as the beginning of a dependency.
fn published() -> String {
    format!("{{ version = \"{}\", ", env!("CARGO_PKG_VERSION"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_written_whole_and_never_over_another() {
        let folder = tempfile::tempdir().unwrap();
        let operator = |name: &str| Operator {
            name: name.to_owned(),
            group: "a.example.com".to_owned(),
            client_rs: Some("registry".to_owned()),
        };
        write(&operator("site-operator"), folder.path()).unwrap();
        let lib = std::fs::read_to_string(folder.path().join("site-operator/src/lib.rs")).unwrap();
        assert!(lib.contains("kind = \"Site\"") && lib.contains("group = \"a.example.com\""), "{lib}");
        for (path, _) in FILES {
            let text = std::fs::read_to_string(folder.path().join("site-operator").join(path)).unwrap();
            assert!(!text.contains('@'), "{path}:\n{text}");
        }
        let manifest = std::fs::read_to_string(folder.path().join("site-operator/Cargo.toml")).unwrap();
        assert!(
            manifest.contains(concat!("client-rs = { version = \"", env!("CARGO_PKG_VERSION"))),
            "{manifest}"
        );
        let again = write(&operator("site-operator"), folder.path()).unwrap_err().to_string();
        assert!(again.contains("is there already"), "{again}");
        for bad in ["", "Site", "-a", "a-", "a/b"] {
            assert!(write(&operator(bad), folder.path()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_project_builds_with_the_checkout_a_repository_or_the_registry() {
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
    }
}
