//! `krs new`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use client_rs_client::manifest;
use client_rs_custom::generate::is_keyword;
use client_rs_machinery::{Json, validation};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// A project with a custom resource, its controller, tests on the embedded server and a simulation
    Operator(Operator),
}

#[derive(Debug, clap::Args)]
struct Operator {
    /// The name of the project and of its folder, such as `site-operator`
    name: String,
    /// The API group of the kind: a domain of yours
    #[arg(long, default_value = "example.com")]
    group: String,
    /// The version of the API, such as v1alpha1, v1beta1 or v1
    #[arg(long = "version", default_value = "v1alpha1", value_name = "VERSION")]
    api_version: String,
    /// The kind, such as `Site`; by default the name of the project without `-operator`
    #[arg(long)]
    kind: Option<String>,
    /// Objects of the kind belong to no namespace
    #[arg(long)]
    cluster_scoped: bool,
    /// With a validating webhook: server, certificate, configuration and test
    #[arg(long)]
    webhook: bool,
    /// The client-rs to build with: the folder of a checkout, the URL of a git repository, or `registry` for the published
    /// crate, once there is one. By default the checkout that this program was built from, if it is still there
    #[arg(long, value_name = "DIR|URL|registry")]
    client_rs: Option<String>,
}

/// The files of a project: their paths and templates.
const FILES: [(&str, &str); 19] = [
    ("README.md", include_str!("../../templates/README.md.txt")),
    ("Makefile", include_str!("../../templates/Makefile.txt")),
    ("Cargo.toml", include_str!("../../templates/Cargo.toml.txt")),
    ("src/lib.rs", include_str!("../../templates/lib.rs.txt")),
    ("src/api.rs", include_str!("../../templates/api.rs.txt")),
    ("src/controller.rs", include_str!("../../templates/controller.rs.txt")),
    ("src/setup.rs", include_str!("../../templates/setup.rs.txt")),
    ("src/main.rs", include_str!("../../templates/main.rs.txt")),
    (WEBHOOK, include_str!("../../templates/webhook.rs.txt")),
    ("tests/operator.rs", include_str!("../../templates/test.rs.txt")),
    ("tests/simulation.rs", include_str!("../../templates/simulation.rs.txt")),
    ("config/samples/sample.yaml", include_str!("../../templates/sample.yaml.txt")),
    ("config/manager/manager.yaml", include_str!("../../templates/manager.yaml.txt")),
    ("config/rbac/role.yaml", include_str!("../../templates/rbac.yaml.txt")),
    (WEBHOOK_CONFIG, include_str!("../../templates/webhook.yaml.txt")),
    ("config/crd/@PLURAL@.@GROUP@.yaml", include_str!("../../templates/crd.json.txt")),
    ("Dockerfile", include_str!("../../templates/Dockerfile.txt")),
    (".dockerignore", "/target\n/.git\n"),
    (".gitignore", "/target\n"),
];

/// Only with `--webhook`.
const WEBHOOK: &str = "src/webhook.rs";
const WEBHOOK_CONFIG: &str = "config/webhook/webhook.yaml";

/// Names of crates that a project uses, and those that cargo keeps for itself.
const TAKEN_CRATES: &str =
    "alloc anyhow clap client-rs core proc-macro serde std tempfile test tokio tokio-util tracing";

/// Names of types that a project's files use in addition to its kind.
const TAKEN_KINDS: &str = "Access Action Admitted Api CancellationToken Clone Cli Cluster Condition Conditions Config \
    ConfigMap Context Controller CustomResource Debug Default Denied Deserialize DropGuard Duration EncodeError EnvFilter \
    Event EventBroadcaster EventBroadcasterOptions EventRecorder EventType Finalizing Hook Index Infallible InformerError \
    Json KubeArgs LevelFilter Lister Manager ManagerArgs Namespace Object ObjectKey ObjectMeta Ok OperatorArgs Option \
    Owned OwnerReference Parser PathBuf Prometheus ReconcileError Reconciler RestClient RestEventSink \
    Result Review RunnableController Schema Serialize ServeError Server ServerOptions SharedInformerFactory Simulation SocketAddr Some String User Vec \
    WebhookOptions WebhookServer";

pub(crate) fn run(args: &Args, out: &mut (dyn Write + Send)) -> Result<()> {
    let What::Operator(operator) = &args.what;
    write(operator, Path::new("."))?;
    format(Path::new(&operator.name));
    writeln!(out, "created {0}; next: cd {0} && cargo test", operator.name)?;
    Ok(())
}

fn write(operator: &Operator, within: &Path) -> Result<()> {
    let Operator { name, group, api_version, cluster_scoped, webhook, client_rs, .. } = operator;
    let kind = operator.kind.clone().unwrap_or_else(|| kind_of(name));
    check(name, &kind, group, api_version)?;
    let folder = within.join(name);
    ensure!(!folder.exists(), "{} exists already", folder.display());
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
    let (namespace, api) = if *cluster_scoped {
        ("object.spec.namespace.as_str()", format!("Api::<{kind}>::cluster(&rest)"))
    } else {
        ("object.namespace()", format!("Api::<{kind}>::namespaced(&rest, key.namespace.clone())"))
    };
    let values = [
        ("@NAME@", name.clone()),
        ("@CRATE@", name.replace('-', "_")),
        ("@PLURAL@", plural_of(&kind)),
        ("@SINGULAR@", kind.to_lowercase()),
        ("@KIND@", kind.clone()),
        ("@kind@", kind.to_lowercase()),
        ("@GROUP@", group.clone()),
        ("@VERSION@", api_version.clone()),
        ("@SCOPE@", if *cluster_scoped { "Cluster" } else { "Namespaced" }.to_owned()),
        ("@NAMESPACE@", namespace.to_owned()),
        ("@API@", api),
        ("@FEATURES@", features(*webhook)),
        ("@WEBHOOK_DEPLOY@", if *webhook { " -f config/webhook" } else { "" }.to_owned()),
        ("@CLIENT_RS@", dependency),
    ];
    let filled =
        |text: &str| values.iter().fold(text.to_owned(), |text, (key, value)| text.replace(key, value));
    let holds = |condition: &str| match condition {
        "webhook" => *webhook,
        "plain" => !*webhook,
        "cluster" => *cluster_scoped,
        _ => !*cluster_scoped,
    };
    for (path, template) in FILES {
        if !*webhook && [WEBHOOK, WEBHOOK_CONFIG].contains(&path) {
            continue;
        }
        let path = folder.join(filled(path));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("can't make {}", parent.display()))?;
        }
        let mut text = filled(&chosen(template, holds));
        if path.parent().is_some_and(|parent| parent.ends_with("config/crd")) {
            let definition = Json::parse(text.as_bytes()).context("the template of the definition")?;
            text = manifest::to_yaml(&definition);
        }
        std::fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}

/// The features of client-rs that a project needs.
fn features(webhook: bool) -> String {
    let mut features = vec!["apply-core", "clap", "core", "manifest"];
    features.extend(webhook.then_some("webhook"));
    let quoted: Vec<String> = features.iter().map(|feature| format!("{feature:?}")).collect();
    quoted.join(", ")
}

/// The lines of a template without those between `@if CONDITION@` and `@end@` whose condition does not hold.
fn chosen(template: &str, holds: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let mut on = true;
    for line in template.lines() {
        match line.trim().strip_prefix("@if ").and_then(|rest| rest.strip_suffix('@')) {
            Some(condition) => on = holds(condition),
            None if line.trim() == "@end@" => on = true,
            None if on => {
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    text
}

/// How lines break depends on the length of names; without rustfmt they stay as they are.
fn format(folder: &Path) {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024", "src/lib.rs", "src/main.rs"]);
    rustfmt.args(["tests/operator.rs", "tests/simulation.rs"]).current_dir(folder);
    let _ = rustfmt.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Refuses names that cargo, the compiler or a server would refuse, before any file is written.
fn check(name: &str, kind: &str, group: &str, version: &str) -> Result<()> {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(letter)
        && !name.ends_with('-')
        && name.len() <= 40;
    ensure!(
        fits,
        "the name {name:?} does not fit: it may have up to 40 lower-case letters, digits and '-', with a letter first and no \
         '-' last"
    );
    ensure!(
        !TAKEN_CRATES.split(' ').any(|taken| taken == name) && !is_keyword(name),
        "the name {name:?} is taken: by a crate that the project uses, or by Rust itself"
    );
    let is_kind = kind.starts_with(|c: char| c.is_ascii_uppercase())
        && kind.chars().all(|c| c.is_ascii_alphanumeric())
        && kind.len() <= 40;
    ensure!(is_kind, "the kind {kind:?} does not fit: it may have up to 40 letters and digits, `LikeThis`");
    ensure!(
        !TAKEN_KINDS.split_whitespace().any(|taken| taken == kind),
        "the kind {kind:?} is taken by a type that the project uses: choose another with --kind"
    );
    ensure!(
        group.contains('.') && validation::dns1123_subdomain(group).is_ok(),
        "the API group {group:?} does not fit: use a domain of yours, such as example.com"
    );
    ensure!(
        is_version(version),
        "the version {version:?} does not fit: use v1, v2beta1, v1alpha1 and the like"
    );
    Ok(())
}

/// `v1`, `v1beta2`, `v2alpha1`.
fn is_version(version: &str) -> bool {
    let is_number =
        |text: &str| !text.is_empty() && !text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit());
    let Some(rest) = version.strip_prefix('v') else { return false };
    match rest.split_once("alpha").or_else(|| rest.split_once("beta")) {
        Some((major, minor)) => is_number(major) && is_number(minor),
        None => is_number(rest),
    }
}

/// Is this version of client-rs on crates.io? Until it is, a dependency on the name could be anybody's crate.
const RELEASED: bool = false;

/// The published crate, as the beginning of a dependency.
fn published() -> Result<String> {
    ensure!(
        RELEASED,
        "client-rs is not published yet, so a dependency by name could be another crate: pass its location with \
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

    fn named(name: &str) -> Operator {
        Operator {
            name: name.to_owned(),
            group: "a.example.com".to_owned(),
            api_version: "v1".to_owned(),
            kind: None,
            cluster_scoped: false,
            webhook: false,
            client_rs: Some("https://example.com/client-rs.git".to_owned()),
        }
    }

    #[test]
    fn a_project_is_written_whole_and_never_over_another() {
        let folder = tempfile::tempdir().unwrap();
        for (at, cluster_scoped, webhook) in [(0, false, false), (1, true, true)] {
            let name = ["site-operator", "other"][at];
            let operator = Operator { cluster_scoped, webhook, kind: Some("Site".to_owned()), ..named(name) };
            write(&operator, folder.path()).unwrap();
            let project = folder.path().join(name);
            let api = std::fs::read_to_string(project.join("src/api.rs")).unwrap();
            assert!(api.contains("kind = \"Site\"") && api.contains("group = \"a.example.com\""), "{api}");
            for (path, _) in FILES {
                let path = project.join(path.replace("@PLURAL@.@GROUP@", "sites.a.example.com"));
                assert!(path.exists() || !webhook, "{}", path.display());
                let Ok(text) = std::fs::read_to_string(&path) else { continue };
                let left = text.split('@').skip(1).any(|rest| {
                    rest.starts_with(|c: char| c.is_ascii_alphabetic()) && !rest.starts_with("grep")
                });
                assert!(!left, "{}:\n{text}", path.display());
            }
            assert_eq!(project.join(WEBHOOK).exists(), webhook);
        }
        let again = write(&named("site-operator"), folder.path()).unwrap_err().to_string();
        assert!(again.contains("exists already"), "{again}");
        for bad in ["", "Site", "-a", "a-", "a/b", "match", "tokio", "context-operator"] {
            assert!(write(&named(bad), folder.path()).is_err(), "{bad}");
        }
        for bad in [
            Operator { group: "a..b".to_owned(), ..named("b") },
            Operator { api_version: "1".to_owned(), ..named("b") },
            Operator { api_version: "v1beta".to_owned(), ..named("b") },
            Operator { kind: Some("site".to_owned()), ..named("b") },
            Operator { kind: Some("Config".to_owned()), ..named("b") },
        ] {
            assert!(write(&bad, folder.path()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_template_keeps_the_lines_whose_condition_holds() {
        let template = "a\n@if webhook@\nb\n@end@\n  @if plain@\nc\n  @end@\nd\n";
        assert_eq!(chosen(template, |condition| condition == "webhook"), "a\nb\nd\n");
        assert_eq!(chosen(template, |condition| condition == "plain"), "a\nc\nd\n");
    }

    #[test]
    fn a_project_never_depends_on_a_name_that_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = |name: &str, client_rs: Option<&str>| {
            let operator = Operator { client_rs: client_rs.map(str::to_owned), ..named(name) };
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
