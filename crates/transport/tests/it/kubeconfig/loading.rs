//! 4.2: the selection of files, and how they are merged.

use std::{
    env,
    ffi::OsString,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use client_rs_transport::kubeconfig::{
    ConfigAccess, Kubeconfig, KubeconfigError, Loader, LoadingRules, PathOptions,
};

use super::Files;

fn listed(files: &Files, names: &[&str]) -> LoadingRules {
    LoadingRules::default().with_precedence(names.iter().map(|name| files.path(name)))
}

fn list(files: &Files, names: &[&str]) -> OsString {
    env::join_paths(names.iter().map(|name| files.path(name))).unwrap()
}

const CLUSTER: &str = "clusters: [{name: k, cluster: {server: 'https://k'}}]\n";

#[test]
fn t4_2_01_explicit_path_that_does_not_exist_fails_loading() {
    let files = Files::new(&[("config", CLUSTER)]);
    let rules = listed(&files, &["config"]).with_explicit_path(files.path("nowhere"));
    let error = rules.load().unwrap_err();
    assert!(error.is_file_not_found());
    assert!(error.to_string().contains("nowhere"), "{error}");
}

#[test]
fn t4_2_02_missing_files_of_the_precedence_list_are_skipped() {
    let files = Files::new(&[("config", CLUSTER)]);
    let mut rules = listed(&files, &["nowhere", "config", "nor/here"]);
    rules.precedence.insert(0, PathBuf::new());
    let config = rules.load().unwrap();
    assert_eq!(config.clusters["k"].server, "https://k");
    assert_eq!(config.clusters["k"].origin, Some(files.path("config")));
}

#[test]
fn t4_2_03_warning_only_when_all_kubeconfig_files_are_missing() {
    let files = Files::new(&[("config", CLUSTER)]);
    let warned = |list: Option<OsString>| {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let sink = heard.clone();
        let rules = LoadingRules::new(list.as_deref(), Some(&files.path("home")))
            .with_warner(Arc::new(move |missing| sink.lock().unwrap().extend(missing.to_vec())));
        rules.load().unwrap();
        heard.lock().unwrap().split_off(0)
    };
    assert_eq!(warned(Some(list(&files, &["a", "b"]))), [files.path("a"), files.path("b")]);
    assert!(warned(Some(list(&files, &["a", "config"]))).is_empty(), "one exists");
    assert!(warned(None).is_empty(), "the user did not name the home file");
    assert!(warned(Some(OsString::new())).is_empty(), "an empty list is the same as no list");
}

#[test]
fn t4_2_04_unparsable_file_yields_an_error_naming_it() {
    let files = Files::new(&[("good", CLUSTER), ("bad", "clusters: [{name: k, cluster: {server: 7}}]")]);
    let error = listed(&files, &["bad", "good"]).load().unwrap_err();
    let text = error.to_string();
    assert!(text.contains(&files.text("bad")) && text.contains("clusters[0].cluster.server"), "{text}");
    let KubeconfigError::Load { errors, rest } = error else { panic!("{error:?}") };
    assert_eq!(errors.len(), 1);
    assert_eq!(rest.clusters["k"].server, "https://k", "the merged rest is available too");
}

#[test]
fn t4_2_05_a_directory_in_the_list_is_an_error() {
    let files = Files::new(&[("config", CLUSTER), ("directory/file", "")]);
    let error = listed(&files, &["directory", "config"]).load().unwrap_err();
    assert!(error.to_string().contains(&files.text("directory")), "{error}");
}

#[test]
fn t4_2_06_conflicting_current_context_first_wins() {
    let files = Files::new(&[
        ("one", "current-context: one\npreferences: {colors: true}\n"),
        (
            "two",
            "current-context: two\nclusters: [{name: k, cluster: {server: 'https://two', tls-server-name: two}}]\n",
        ),
        (
            "three",
            "current-context: three\nclusters: [{name: k, cluster: {server: 'https://three', proxy-url: 'http://p'}}]\n",
        ),
    ]);
    let config = listed(&files, &["one", "two", "three"]).load().unwrap();
    assert_eq!(config.current_context, "one");
    assert_eq!(config.clusters["k"].server, "https://two");
    assert_eq!(config.clusters["k"].proxy_url, "", "entries of the same name are not merged field by field");
    assert!(config.preferences.colors);
    assert_eq!(listed(&files, &["three", "two", "one"]).load().unwrap().current_context, "three");
}

#[test]
fn t4_2_07_duplicates_cluster_context_user_extension() {
    for (list, text) in [
        ("clusters", "clusters: [{name: x, cluster: {}}, {name: x, cluster: {}}]"),
        ("contexts", "contexts: [{name: x, context: {}}, {name: x, context: {}}]"),
        ("users", "users: [{name: x, user: {}}, {name: x, user: {}}]"),
        ("extensions", "extensions: [{name: x, extension: {}}, {name: x, extension: {}}]"),
    ] {
        let error = Kubeconfig::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("duplicate name \"x\"") && error.contains(&format!("{list}[1]")), "{error}");
    }
}

#[test]
fn t4_2_08_loading_null_maps_yields_empty_writable_maps() {
    let files =
        Files::new(&[("config", "kind: Config\napiVersion: v1\nclusters: null\ncontexts:\nusers: ~\n")]);
    let mut config = Kubeconfig::read(&files.path("config")).unwrap();
    assert!(config.is_empty());
    config.clusters.insert("k".to_owned(), super::server("https://k"));
    config.write(&files.path("config")).unwrap();
    assert_eq!(Kubeconfig::read(&files.path("config")).unwrap().clusters["k"].server, "https://k");
}

#[test]
fn t4_2_09_paths_resolve_against_each_origin_file_absolute_ones_untouched() {
    let text = |name: &str| {
        format!(
            "clusters: [{{name: {name}, cluster: {{server: x, certificate-authority: pki/ca.crt}}}}]\nusers:\n- name: {name}\n  \
             user: {{client-certificate: ../c.crt, client-key: /etc/../k.key, tokenFile: ./token}}\n- name: {name}-path\n  \
             user: {{exec: {{command: plugin}}}}\n- name: {name}-file\n  user: {{exec: {{command: ./bin/plugin}}}}\n"
        )
    };
    let files = Files::new(&[("a/config", &text("a")), ("b/c/config", &text("b"))]);
    let rules = listed(&files, &["a/config", "b/c/config"]);
    let config = rules.load().unwrap();
    assert_eq!(config.clusters["a"].certificate_authority, files.text("a/pki/ca.crt"));
    assert_eq!(config.clusters["b"].certificate_authority, files.text("b/c/pki/ca.crt"));
    assert_eq!(config.users["b"].client_certificate, files.text("b/c.crt"));
    assert_eq!(config.users["b"].client_key, "/etc/../k.key");
    assert_eq!(config.users["b"].token_file, files.text("b/c/token"));
    assert_eq!(config.users["a-path"].exec.as_ref().unwrap().command, "plugin", "to be found in PATH");
    assert_eq!(config.users["a-file"].exec.as_ref().unwrap().command, files.text("a/bin/plugin"));

    let unresolved = rules.with_do_not_resolve_paths(true).load().unwrap();
    assert_eq!(unresolved.users["b"].client_certificate, "../c.crt");
}

#[test]
fn t4_2_10_migration_happens_existing_kept_source_missing() {
    let files = Files::new(&[("home/.kube/.kubeconfig", "current-context: old\n")]);
    let rules = LoadingRules::new(None, Some(&files.path("home")));
    assert_eq!(rules.load().unwrap().current_context, "old");
    assert_eq!(files.read("home/.kube/config"), "current-context: old\n");

    files.write("home/.kube/config", "current-context: new\n");
    assert_eq!(rules.load().unwrap().current_context, "new", "an existing file is kept");

    let files = Files::new(&[]);
    let rules = LoadingRules::new(None, Some(&files.path("home")));
    assert!(rules.load().unwrap().is_empty(), "no source, no work");
    assert!(!files.path("home/.kube/config").exists());

    fs::create_dir_all(files.path("home/.kube/.kubeconfig")).unwrap();
    assert!(rules.load().is_err(), "a directory can't be migrated");
}

#[cfg(unix)]
#[test]
fn t4_2_10_migration_keeps_the_sources_permissions_but_never_makes_executable() {
    use std::os::unix::fs::PermissionsExt;
    let files = Files::new(&[("home/.kube/.kubeconfig", "current-context: old\n")]);
    fs::set_permissions(files.path("home/.kube/.kubeconfig"), fs::Permissions::from_mode(0o700)).unwrap();
    LoadingRules::new(None, Some(&files.path("home"))).migrate().unwrap();
    let mode = files.path("home/.kube/config").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn t4_2_11_repeated_entries_are_read_once_order_kept() {
    let files = Files::new(&[]);
    let rules = LoadingRules::new(Some(&list(&files, &["b", "a", "b", "c", "a"])), None);
    assert_eq!(rules.precedence, ["b", "a", "c"].map(|name| files.path(name)));
    assert_eq!(
        LoadingRules::new(None, Some("/home/me".as_ref())).precedence,
        [PathBuf::from("/home/me/.kube/config")]
    );
}

#[test]
fn t4_2_12_explicit_path_hides_the_list_otherwise_list_returned_as_copy() {
    let files = Files::new(&[]);
    let rules = listed(&files, &["b", "a"]);
    let mut copy = rules.loading_precedence();
    copy.sort();
    assert_eq!(rules.loading_precedence(), [files.path("b"), files.path("a")]);
    let rules = rules.with_explicit_path(files.path("x"));
    assert_eq!(rules.loading_precedence(), [files.path("x")]);
    assert_eq!(rules.explicit_file(), Some(files.path("x")));
}

#[test]
fn the_default_file_is_the_first_that_exists() {
    let files = Files::new(&[("c", "")]);
    assert_eq!(listed(&files, &["a", "b"]).default_filename(), files.path("a"), "none exists: the first");
    assert_eq!(listed(&files, &["a", "c"]).default_filename(), files.path("c"));

    let options = |names: &[&str]| PathOptions::new(Some(&list(&files, names)), Some(&files.path("home")));
    assert_eq!(options(&["a"]).default_filename(), files.path("a"));
    assert_eq!(
        options(&["a", "b"]).default_filename(),
        files.path("b"),
        "none exists: the last, for kubectl"
    );
    assert_eq!(options(&["a", "c", "b"]).default_filename(), files.path("c"));
    let options = PathOptions::new(None, Some(&files.path("home")));
    assert_eq!(options.default_filename(), files.path("home/.kube/config"));
    assert_eq!(options.loading_precedence(), [files.path("home/.kube/config")]);
}

#[test]
fn without_a_home_no_file_of_the_current_directory_is_read() {
    let rules = LoadingRules::new(None, None);
    assert!(rules.precedence.is_empty() && rules.migration.is_empty(), "{rules:?}");
    assert!(rules.load().unwrap().is_empty());
    let rules = LoadingRules::new(None, Some("".as_ref()));
    assert!(rules.precedence.is_empty() && rules.migration.is_empty(), "{rules:?}");
    let options = PathOptions::new(None, None);
    assert!(options.loading_precedence().is_empty());
    let new = Kubeconfig { current_context: "c".to_owned(), ..Kubeconfig::default() };
    let error = client_rs_transport::kubeconfig::modify(&options, &new, false).unwrap_err().to_string();
    assert!(error.contains("KUBECONFIG"), "{error}");
}
