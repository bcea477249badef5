//! Odd kubeconfigs, and what they come to: the same as for kubectl.
//!
//! Each case is a directory of files and a `KUBECONFIG` list. What kubectl prints for it is recorded in
//! `tests/corpora/kubeconfigs.json`; [`compare`] holds ours against the record, and once more after it was written and read
//! again. With a kubectl it must print what is recorded, also of what we wrote.
//!
//! A test of `crates/transport` runs it, and the conformance suite `rest`, with the pinned kubectl.

#![allow(clippy::unwrap_used, reason = "a panic is the report, also of a helper")]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use client_rs_transport::kubeconfig::{ConfigAccess, Kubeconfig, LoadingRules, PathOptions};
use serde_json::{Value, json};

struct Case {
    name: &'static str,
    /// The `KUBECONFIG` list, relative to the case's directory.
    kubeconfig: &'static [&'static str],
    files: Vec<(&'static str, Vec<u8>)>,
}

fn case(name: &'static str, kubeconfig: &'static [&'static str], files: &[(&'static str, &str)]) -> Case {
    let files = files.iter().map(|(path, text)| (*path, text.as_bytes().to_vec())).collect();
    Case { name, kubeconfig, files }
}

/// One file, with a context `c` of cluster `k` and user `u` after what is given.
fn one(name: &'static str, text: &str) -> Case {
    case(name, &["config"], &[("config", &format!("{text}{CONTEXT}"))])
}

/// One file as it is.
fn raw(name: &'static str, text: &str) -> Case {
    case(name, &["config"], &[("config", text)])
}

const CONTEXT: &str = "\ncontexts:\n- name: c\n  context: {cluster: k, user: u}\ncurrent-context: c\n";
const CLUSTER: &str = "clusters:\n- name: k\n  cluster: {server: 'https://k:6443'}\n";
const USER: &str = "users:\n- name: u\n  user: {token: t}\n";

fn user(name: &'static str, user: &str) -> Case {
    let user = user.replace('\n', "\n    ");
    one(name, &format!("{CLUSTER}users:\n- name: u\n  user:\n    {user}\n"))
}

fn cluster(name: &'static str, cluster: &str) -> Case {
    let cluster = cluster.replace('\n', "\n    ");
    one(name, &format!("{USER}clusters:\n- name: k\n  cluster:\n    {cluster}\n"))
}

fn encodings() -> Vec<Case> {
    let plain = format!("{CLUSTER}{USER}{CONTEXT}");
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let utf16_be: Vec<u8> =
        "\u{feff}".encode_utf16().chain(plain.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let mut cases = vec![
        raw("plain", &plain),
        raw("bom", &format!("\u{feff}{plain}")),
        raw("crlf", &plain.replace('\n', "\r\n")),
        raw("document-marks", &format!("---\n{plain}...\n")),
        raw("only-the-first-document", &format!("{plain}---\nkind: Pod\napiVersion: v1\n")),
        raw("garbage-after-the-first-document", &format!("{plain}---\n}}{{ not yaml\n")),
        raw("yaml-directive", &format!("%YAML 1.1\n---\n{plain}")),
        raw("comments", &format!("# a kubeconfig\n{plain}# the end")),
        raw("no-line-end", plain.trim_end()),
        raw("kind-and-version", &format!("apiVersion: v1\nkind: Config\n{plain}")),
        raw("wrong-kind", &format!("apiVersion: v1\nkind: Pod\n{plain}")),
        raw("wrong-version", &format!("apiVersion: v2\nkind: Config\n{plain}")),
        raw("not-yaml", "clusters: [\n"),
        raw("tab-indent", "clusters:\n\t- name: k\n"),
        raw("a-list", "- a\n- b\n"),
        raw("a-string", "hello"),
        raw(
            "json",
            r#"{"clusters":[{"name":"k","cluster":{"server":"https://k"}}],"users":[{"name":"u","user":{"token":"t"}}],
               "contexts":[{"name":"c","context":{"cluster":"k","user":"u"}}],"current-context":"c"}"#,
        ),
        raw("control-character", &format!("{plain}x: \"\u{1}\"\n")),
    ];
    for (name, text) in [("utf16-le", utf16), ("utf16-be", utf16_be), ("latin-1", b"x: caf\xe9\n".to_vec())] {
        cases.push(Case { name, kubeconfig: &["config"], files: vec![("config", text)] });
    }
    cases
}

fn scalars() -> Vec<Case> {
    vec![
        cluster("yes-is-true", "server: https://k\ninsecure-skip-tls-verify: yes\ndisable-compression: On"),
        cluster("y-is-true", "server: https://k\ninsecure-skip-tls-verify: y"),
        cluster("quoted-bool", "server: https://k\ninsecure-skip-tls-verify: 'true'"),
        cluster("number-as-bool", "server: https://k\ninsecure-skip-tls-verify: 1"),
        cluster(
            "null-fields",
            "server: https://k\ntls-server-name: ~\nproxy-url: null\ndisable-compression:",
        ),
        cluster("other-case", "Server: https://x\nserver: https://k\nProxy-URL: x"),
        cluster("double-key", "server: https://first\nserver: https://second"),
        cluster("empty-server", "server: ''"),
        user("number-as-token", "token: 12345"),
        user("quoted-number-as-token", "token: '012345'"),
        user("tagged-number-as-token", "token: !!str 12345"),
        user("timestamp-as-token", "token: 2001-12-14"),
        user("bool-as-user", "username: yes"),
        user("octal-as-password", "username: me\npassword: 0777"),
        user("colon-in-number-as-password", "username: me\npassword: 22:30:15"),
        user("exponent-as-token", "token: 1e3"),
        user("not-an-exponent-as-token", "token: 1e3x"),
        user("hex-as-token", "token: 0xff"),
        user("infinity-as-token", "token: .inf"),
        user("underscored-number-as-token", "token: 1_000"),
        user("lone-equals-as-token", "token: ="),
        user("escapes", "token: \"a\\tb\\u00e9\\x41\\\n   c\""),
        user("single-quotes", "token: 'it''s'"),
        user("folded", "token: >-\n  one\n  two"),
        user("literal", "token: |\n  one\n  two"),
        user("plain-on-two-lines", "token: one\n  two"),
        user("unicode", "username: Жанна\npassword: pässword"),
        user("binary-tag", "token: !!binary aGVsbG8="),
        user("flow", "{token: a, as: b, as-groups: [c, d], as-user-extra: {e: [f]}}"),
        user(
            "impersonation",
            "as: jane\nas-uid: '42'\nas-groups:\n- a\n- b\nas-user-extra:\n  k/l: [v, w]\n  m: []",
        ),
        user("groups-not-a-list", "as: jane\nas-groups: a"),
        user("user-is-a-string", "hello"),
        user("long-token", &format!("token: {}", "abcdefghij".repeat(200))),
    ]
}

fn bytes() -> Vec<Case> {
    vec![
        cluster("base64", "server: https://k\ncertificate-authority-data: aGVsbG8="),
        cluster("base64-on-lines", "server: https://k\ncertificate-authority-data: |\n  aGVs\n  bG8=\n"),
        cluster("base64-folded", "server: https://k\ncertificate-authority-data: >-\n  aGVs\n  bG8="),
        cluster("base64-without-padding", "server: https://k\ncertificate-authority-data: aGVsbG8"),
        cluster("base64-url-safe", "server: https://k\ncertificate-authority-data: -_-_"),
        cluster("base64-last-bits", "server: https://k\ncertificate-authority-data: aGVsbG9="),
        cluster("base64-empty", "server: https://k\ncertificate-authority-data: ''"),
        cluster("not-base64", "server: https://k\ncertificate-authority-data: '***'"),
    ]
}

fn structure() -> Vec<Case> {
    vec![
        one(
            "anchors",
            "clusters:\n- name: k\n  cluster: &k\n    server: https://k\n- name: l\n  cluster: *k\nusers:\n- {name: u, user: {}}",
        ),
        one(
            "merge-keys",
            "base: &base {server: 'https://base', tls-server-name: base}\nclusters:\n- name: k\n  cluster:\n    <<: *base\n    server: https://k\nusers:\n- {name: u, user: {}}",
        ),
        one("double-cluster", &format!("{CLUSTER}- name: k\n  cluster: {{server: 'https://l'}}\n{USER}")),
        one("double-user", &format!("{CLUSTER}{USER}- name: u\n  user: {{}}\n")),
        raw(
            "double-context",
            &format!(
                "{CLUSTER}{USER}{}- name: c\n  context: {{}}\n",
                CONTEXT.replace("current-context: c\n", "")
            ),
        ),
        cluster(
            "double-extension",
            "server: https://k\nextensions:\n- {name: x, extension: {}}\n- {name: x, extension: {}}",
        ),
        cluster(
            "extensions",
            "server: https://k\nextensions:\n- name: b\n  extension: {num: 1, f: 1.5, t: [true, null, 'x']}\n- name: a\n  extension: {}",
        ),
        raw("no-lists", "current-context: c\n"),
        raw("null-lists", "clusters: null\nusers:\ncontexts: ~\ncurrent-context: c\n"),
        raw("null-entries", &format!("clusters:\n- name: k\n  cluster:\nusers:\n- name: u\n{CONTEXT}")),
        one("entry-without-a-name", &format!("{CLUSTER}- cluster: {{server: x}}\n{USER}")),
        one("clusters-not-a-list", &format!("clusters: {{k: {{}}}}\n{USER}")),
        one("unknown-fields", &format!("{CLUSTER}  color: blue\n{USER}future: [1, 2]\n")),
        one(
            "preferences",
            &format!(
                "preferences: {{colors: true, extensions: [{{name: x, extension: {{}}}}]}}\n{CLUSTER}{USER}"
            ),
        ),
        one("empty-preferences", &format!("preferences: {{}}\n{CLUSTER}{USER}")),
        one("top-extensions", &format!("extensions:\n- name: x\n  extension: {{a: b}}\n{CLUSTER}{USER}")),
        raw(
            "context-without-user",
            &format!("{CLUSTER}{USER}contexts:\n- name: c\n  context: {{cluster: k}}\ncurrent-context: c\n"),
        ),
        raw(
            "empty-context",
            &format!("{CLUSTER}{USER}contexts:\n- name: c\n  context: {{}}\ncurrent-context: c\n"),
        ),
        raw(
            "namespace",
            &format!(
                "{CLUSTER}{USER}contexts:\n- name: c\n  context: {{cluster: k, user: u, namespace: n}}\ncurrent-context: c\n"
            ),
        ),
        raw(
            "number-as-namespace",
            &format!(
                "{CLUSTER}{USER}contexts:\n- name: c\n  context: {{cluster: k, user: u, namespace: 7}}\ncurrent-context: c\n"
            ),
        ),
        raw(
            "number-as-name",
            &format!("{CLUSTER}{USER}contexts:\n- name: 1\n  context: {{}}\ncurrent-context: '1'\n"),
        ),
        raw("no-current-context", &format!("{CLUSTER}{USER}")),
        raw("unknown-context", &format!("{CLUSTER}{USER}current-context: x\n")),
        one("unknown-cluster", USER),
        one("unknown-user", CLUSTER),
        raw("empty-file", ""),
        raw("only-a-comment", "# nothing\n"),
        raw("only-null", "null\n"),
        raw(
            "name-with-odd-characters",
            "contexts:\n- name: 'a/b@c: d'\n  context: {cluster: 'ü k', user: '*'}\nclusters:\n- name: ü k\n  cluster: {server: 'https://[::1]:6443/a?b#c'}\nusers:\n- name: '*'\n  user: {}\ncurrent-context: 'a/b@c: d'\n",
        ),
    ]
}

fn plugins() -> Vec<Case> {
    vec![
        user("exec-v1beta1", "exec:\n  apiVersion: client.authentication.k8s.io/v1beta1\n  command: plugin"),
        user(
            "exec-v1",
            "exec:\n  apiVersion: client.authentication.k8s.io/v1\n  command: ./bin/plugin\n  args: [a, '--b']\n  env:\n  - name: NAME\n    value: V\n  interactiveMode: Never\n  provideClusterInfo: true\n  installHint: \"get\\nit\"",
        ),
        user(
            "exec-v1-without-mode",
            "exec:\n  apiVersion: client.authentication.k8s.io/v1\n  command: plugin\n  args:\n  env: null",
        ),
        user(
            "exec-v1alpha1",
            "exec:\n  apiVersion: client.authentication.k8s.io/v1alpha1\n  command: plugin",
        ),
        user(
            "exec-odd-mode",
            "exec:\n  apiVersion: client.authentication.k8s.io/v1\n  command: plugin\n  interactiveMode: Sometimes",
        ),
        user(
            "exec-number-as-argument",
            "exec:\n  apiVersion: client.authentication.k8s.io/v1\n  command: plugin\n  args: [1]",
        ),
        user("exec-empty", "exec: {}"),
        user("exec-null", "exec:"),
        user(
            "auth-provider",
            "auth-provider:\n  name: oidc\n  config:\n    client-id: x\n    idp-issuer-url: https://i",
        ),
        user("auth-provider-empty", "auth-provider: {name: gcp}"),
        user("auth-provider-number", "auth-provider: {name: gcp, config: {a: 1}}"),
        user("auth-provider-number-as-key", "auth-provider: {name: gcp, config: {1: a, true: b, 2.5: c}}"),
        user(
            "everything-at-once",
            "token: t\ntokenFile: f\nusername: u\npassword: p\nclient-certificate-data: YQ==\nclient-key-data: Yg==",
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn files() -> Vec<Case> {
    let ca = "clusters:\n- name: k\n  cluster: {server: 'https://k', certificate-authority: CA}\n";
    let relative = |path: &str| format!("{}{USER}{CONTEXT}", ca.replace("CA", path));
    let first = "clusters:\n- name: k\n  cluster: {server: 'https://first'}\ncurrent-context: c\n";
    let second = "clusters:\n- name: k\n  cluster: {server: 'https://second', tls-server-name: s}\n- name: l\n  cluster: {server: 'https://l'}\ncurrent-context: d\n";
    vec![
        case("relative-ca", &["config"], &[("config", &relative("ca.crt")), ("ca.crt", "PEM")]),
        case(
            "relative-ca-below",
            &["a/config"],
            &[("a/config", &relative("./pki/ca.crt")), ("a/pki/ca.crt", "PEM")],
        ),
        case(
            "relative-ca-above",
            &["a/b/config"],
            &[("a/b/config", &relative("../ca.crt")), ("a/ca.crt", "PEM")],
        ),
        case("missing-ca", &["config"], &[("config", &relative("ca.crt"))]),
        case("empty-ca", &["config"], &[("config", &relative("ca.crt")), ("ca.crt", "")]),
        case(
            "ca-and-data",
            &["config"],
            &[("config", &relative("ca.crt, certificate-authority-data: YQ==")), ("ca.crt", "PEM")],
        ),
        case(
            "unused-parts-are-not-read",
            &["config"],
            &[(
                "config",
                &format!(
                    "{CLUSTER}- name: other\n  cluster: {{server: x, certificate-authority: missing}}\n{USER}{CONTEXT}"
                ),
            )],
        ),
        case(
            "client-certificate",
            &["config"],
            &[
                (
                    "config",
                    &format!(
                        "{CLUSTER}users:\n- name: u\n  user: {{client-certificate: c.crt, client-key: c.key}}\n{CONTEXT}"
                    ),
                ),
                ("c.crt", "CERT"),
                ("c.key", "KEY"),
            ],
        ),
        case(
            "certificate-file-key-data",
            &["config"],
            &[
                (
                    "config",
                    &format!(
                        "{CLUSTER}users:\n- name: u\n  user: {{client-certificate: c.crt, client-key-data: YQ==}}\n{CONTEXT}"
                    ),
                ),
                ("c.crt", "CERT"),
            ],
        ),
        case(
            "token-file-stays",
            &["a/config"],
            &[("a/config", &format!("{CLUSTER}users:\n- name: u\n  user: {{tokenFile: ../t}}\n{CONTEXT}"))],
        ),
        case(
            "first-wins",
            &["one", "two"],
            &[
                (
                    "one",
                    &format!("{first}{USER}contexts:\n- {{name: c, context: {{cluster: k, user: u}}}}\n"),
                ),
                ("two", second),
            ],
        ),
        case(
            "first-wins-the-other-way",
            &["two", "one"],
            &[
                ("one", first),
                (
                    "two",
                    &format!("{second}{USER}contexts:\n- {{name: d, context: {{cluster: k, user: u}}}}\n"),
                ),
            ],
        ),
        case(
            "context-in-another-file",
            &["one", "two"],
            &[
                ("one", "contexts:\n- name: c\n  context: {cluster: k, user: u}\n"),
                ("two", &format!("{CLUSTER}{USER}current-context: c\n")),
            ],
        ),
        case(
            "each-path-from-its-file",
            &["a/one", "b/two"],
            &[
                ("a/one", &format!("{ca}{CONTEXT}").replace("CA", "x.crt")),
                ("b/two", "users:\n- name: u\n  user: {client-certificate: x.crt, client-key: y.key}\n"),
                ("a/x.crt", "A"),
                ("b/x.crt", "B"),
                ("b/y.key", "KEY"),
            ],
        ),
        case(
            "missing-files-are-skipped",
            &["nowhere", "config", "nor/here"],
            &[("config", &format!("{CLUSTER}{USER}{CONTEXT}"))],
        ),
        case("all-missing", &["nowhere", "nor/here"], &[]),
        case("empty-entries", &["", "config", ""], &[("config", &format!("{CLUSTER}{USER}{CONTEXT}"))]),
        case("listed-twice", &["config", "config"], &[("config", &format!("{CLUSTER}{USER}{CONTEXT}"))]),
        case(
            "one-broken",
            &["config", "broken"],
            &[("config", &format!("{CLUSTER}{USER}{CONTEXT}")), ("broken", "}{")],
        ),
        case(
            "a-directory",
            &["config", "a"],
            &[("config", &format!("{CLUSTER}{USER}{CONTEXT}")), ("a/file", "")],
        ),
        case(
            "an-empty-file-first",
            &["empty", "config"],
            &[("empty", ""), ("config", &format!("{CLUSTER}{USER}{CONTEXT}"))],
        ),
        case(
            "colors-from-the-second",
            &["one", "config"],
            &[
                ("one", "preferences: {colors: false}\n"),
                ("config", &format!("preferences: {{colors: true}}\n{CLUSTER}{USER}{CONTEXT}")),
            ],
        ),
    ]
}

fn table() -> Vec<Case> {
    [encodings(), scalars(), bytes(), structure(), plugins(), files()].into_iter().flatten().collect()
}

/// Returns the effective config, if there is one.
fn ours(directory: &Path, files: Vec<PathBuf>) -> Option<Kubeconfig> {
    let loading_rules = LoadingRules::default().with_do_not_resolve_paths(true);
    let access = PathOptions::new(None, None)
        .with_global_file(directory.join("none"))
        .with_env_files(files)
        .with_loading_rules(loading_rules);
    let mut config = access.starting_config().ok()?;
    config.minify().ok()?;
    config.flatten().ok()?;
    Some(config)
}

fn kubectl(kubectl: &str, directory: &Path, files: Vec<PathBuf>) -> Option<Value> {
    let output = Command::new(kubectl)
        .args(["config", "view", "--flatten", "--minify", "--raw", "-o", "json"])
        .current_dir(directory)
        .env("HOME", directory)
        .env("KUBECONFIG", env::join_paths(files).unwrap())
        .output()
        .unwrap();
    output.status.success().then(|| normal(serde_json::from_slice(&output.stdout).unwrap()))
}

fn list(directory: &Path, case: &Case) -> Vec<PathBuf> {
    let place = |file: &&str| if file.is_empty() { PathBuf::new() } else { directory.join(file) };
    case.kubeconfig.iter().map(place).collect()
}

/// Go distinguishes an empty list from an absent one; nothing else does.
fn normal(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, normal(value)));
            fields.filter(|(_, value)| *value != Value::Null).collect()
        }
        Value::Array(values) if values.is_empty() => Value::Null,
        Value::Array(values) => values.into_iter().map(normal).collect(),
        other => other,
    }
}

/// Returns the differences of one case; nothing, if it is correct.
fn check(
    case: &Case,
    real: Option<&str>,
    recorded: &mut BTreeMap<String, Value>,
    record: bool,
) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    for (path, text) in &case.files {
        let path = place.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let config = ours(place, list(place, case));
    let mine = json!(config.as_ref().map(|config| normal(config.to_json())));
    if let (Some(real), true) = (real, record) {
        recorded.insert(case.name.to_owned(), json!(kubectl(real, place, list(place, case))));
    }
    let theirs = recorded.get(case.name).cloned().unwrap_or_else(|| json!("not recorded"));
    let mut problems = Vec::new();
    let mut expect = |what: &str, found: &Value, expected: &Value| {
        if found != expected {
            problems.push(format!("{}: {what}:\n  found    {found}\n  expected {expected}", case.name));
        }
    };
    expect("our effective config", &mine, &theirs);
    if let Some(real) = real {
        expect("what kubectl prints now", &json!(kubectl(real, place, list(place, case))), &theirs);
    }
    if let Some(config) = config {
        let copy = place.join("written");
        config.write(&copy).unwrap();
        let again = ours(place, vec![copy.clone()]).map(|config| normal(config.to_json()));
        expect("what we read of what we wrote", &json!(again), &theirs);
        if let Some(real) = real {
            expect("what kubectl reads of what we wrote", &json!(kubectl(real, place, vec![copy])), &theirs);
        }
    }
    problems
}

/// Returns the differences of all cases from the record and, if one is named, from a kubectl.
pub fn compare(real: Option<&str>) -> Vec<String> {
    let mut corpus: Value = serde_json::from_str(include_str!("../../corpora/kubeconfigs.json")).unwrap();
    let mut recorded: BTreeMap<String, Value> = serde_json::from_value(corpus["views"].take()).unwrap();
    let cases = table();
    let mut problems = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        if cases[..index].iter().any(|other| other.name == case.name) {
            problems.push(format!("two cases are called {}", case.name));
        }
        problems.extend(check(case, real, &mut recorded, false));
    }
    if recorded.len() != cases.len() {
        problems.push(format!("{} cases, {} of them recorded", cases.len(), recorded.len()));
    }
    problems
}

/// Records kubectl's output for all cases.
pub fn record(real: &str) {
    let mut recorded = BTreeMap::new();
    for case in table() {
        check(&case, Some(real), &mut recorded, true);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/kubeconfigs.json");
    let head = json!({"by": "cargo xtask record kubeconfigs", "from": version(real)});
    let views: Vec<String> = recorded.iter().map(|(name, view)| format!("{}:{view}", json!(name))).collect();
    let text = format!("{{\"recorded\":{head},\n\"views\":{{\n{}\n}}}}\n", views.join(",\n"));
    fs::write(path, text).unwrap();
}

/// Returns the version of a kubectl.
fn version(real: &str) -> String {
    let output = Command::new(real).args(["version", "--client", "-o", "json"]).output().unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    format!("kubectl {}", said["clientVersion"]["gitVersion"].as_str().unwrap())
}
