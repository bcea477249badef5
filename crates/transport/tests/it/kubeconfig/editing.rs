//! 4.5: views of configs, and writing changes back.

use std::{env, fs, sync::Arc};

use client_rs_machinery::collections::VecMap;
use client_rs_transport::{
    auth::{AuthProviderConfig, exec::ExecConfig},
    kubeconfig::{
        AuthInfo, ConfigAccess, KubeCluster, Kubeconfig, KubeconfigError, Loader, LoadingRules, PathOptions,
        modify, persister_for_user,
    },
};

use super::{Files, config, context, server, token};

fn options(files: &Files, names: &[&str]) -> PathOptions {
    let list = env::join_paths(names.iter().map(|name| files.path(name))).unwrap();
    PathOptions::new(Some(&list), Some(&files.path("home")))
}

/// Changes the content of the files.
fn change(access: &PathOptions, edit: impl FnOnce(&mut Kubeconfig)) -> Result<(), KubeconfigError> {
    let mut config = access.starting_config().unwrap();
    edit(&mut config);
    modify(access, &config, true)
}

fn read(files: &Files, name: &str) -> Kubeconfig {
    Kubeconfig::read(&files.path(name)).unwrap()
}

#[test]
fn t4_5_01_with_several_files_a_new_entry_lands_in_the_default_first_file() {
    let files =
        Files::new(&[("one", "current-context: x\n"), ("two", "users: [{name: u, user: {token: t}}]\n")]);
    let access = options(&files, &["one", "two"]);
    let two = files.read("two");
    change(&access, |config| {
        config.clusters.insert("k".to_owned(), server("https://k"));
        config.contexts.insert("c".to_owned(), context("k", "u"));
    })
    .unwrap();
    assert_eq!(read(&files, "one").clusters["k"].server, "https://k");
    assert_eq!(read(&files, "one").contexts["c"].user, "u");
    assert_eq!(read(&files, "one").current_context, "x");
    assert_eq!(files.read("two"), two, "an unchanged file is not touched");

    change(&access, |config| config.users.get_mut("u").unwrap().token = "new".into()).unwrap();
    assert_eq!(
        read(&files, "two").users["u"].token.expose(),
        "new",
        "a change is written to the file of the entry"
    );
    assert!(read(&files, "one").users.is_empty());

    change(&access, |config| {
        config.users.remove("u");
        config.contexts.remove("c");
    })
    .unwrap();
    assert!(read(&files, "two").users.is_empty() && read(&files, "one").contexts.is_empty());
    assert_eq!(read(&files, "one").clusters.len(), 1);
}

#[test]
fn the_current_context_goes_to_the_default_file_and_is_cleared_where_it_counts() {
    let files = Files::new(&[
        ("one", "{}"),
        ("two", "current-context: two\n"),
        ("three", "current-context: three\n"),
    ]);
    let access = options(&files, &["one", "two", "three"]);
    change(&access, |config| config.current_context.clear()).unwrap();
    assert_eq!(read(&files, "two").current_context, "");
    assert_eq!(access.starting_config().unwrap().current_context, "three");
    change(&access, |config| config.current_context = "one".to_owned()).unwrap();
    assert_eq!(read(&files, "one").current_context, "one");

    let explicit = access.clone().with_loading_rules(LoadingRules::explicit(files.path("three")));
    change(&explicit, |config| config.current_context = "new".to_owned()).unwrap();
    assert_eq!(read(&files, "three").current_context, "new");

    change(&access, |config| config.preferences.colors = true).unwrap();
    assert!(read(&files, "one").preferences.colors);
}

#[test]
fn t4_5_02_second_modify_config_while_a_lock_exists_errors_lock_removed_afterwards() {
    let files = Files::new(&[("one", "current-context: x\n"), ("two", "")]);
    let access = options(&files, &["two", "one"]);
    files.write("two.lock", "");
    let error = change(&access, |config| config.current_context = "y".to_owned()).unwrap_err();
    assert!(matches!(&error, KubeconfigError::Locked { file, .. } if *file == files.path("two")), "{error}");
    assert!(error.to_string().contains("two.lock"), "{error}");
    assert_eq!(files.read("one"), "current-context: x\n");
    assert!(!files.path("one.lock").exists(), "the lock that was taken is released");
    assert!(files.path("two.lock").exists(), "the lock of another program stays");

    fs::remove_file(files.path("two.lock")).unwrap();
    change(&access, |config| config.current_context = "y".to_owned()).unwrap();
    assert!(!files.path("one.lock").exists() && !files.path("two.lock").exists());
}

#[test]
fn t4_5_03_path_outside_the_base_stays_absolute_relative_with_backsteps_errors() {
    let files = Files::new(&[("kube/config", "current-context: c\n")]);
    let access = options(&files, &["kube/config"]);
    change(&access, |config| {
        let cluster =
            KubeCluster { certificate_authority: files.text("kube/pki/ca.crt"), ..server("https://k") };
        config.clusters.insert("k".to_owned(), cluster);
        let user = AuthInfo {
            client_certificate: files.text("elsewhere/c.crt"),
            client_key: files.text("kube/c.key"),
            token_file: files.text("kube/../kube/token"),
            exec: Some(ExecConfig::default().with_command(files.text("kube/bin/plugin"))),
            ..AuthInfo::default()
        };
        config.users.insert("u".to_owned(), user);
    })
    .unwrap();
    let written = read(&files, "kube/config");
    assert_eq!(written.clusters["k"].certificate_authority, "pki/ca.crt");
    let user = &written.users["u"];
    assert_eq!(user.client_certificate, files.text("elsewhere/c.crt"));
    assert_eq!((&*user.client_key, &*user.token_file), ("c.key", "token"));
    assert_eq!(user.exec.as_ref().unwrap().command, "bin/plugin");

    let mut config = read(&files, "kube/config");
    config.relativize_paths(&files.path("kube")).unwrap();
    assert_eq!(config.clusters["k"].certificate_authority, "pki/ca.crt", "relative already");
    config.clusters.get_mut("k").unwrap().certificate_authority = "../ca.crt".to_owned();
    let error = config.relativize_paths(&files.path("kube")).unwrap_err();
    assert_eq!(error.to_string(), "../ca.crt requires backsteps and is not absolute");
}

#[test]
fn t4_5_04_keeps_only_current_context_parts_missing_context_cluster_or_user_errors() {
    let mut full = config(server("https://k"), token("t"));
    full.clusters.insert("l".to_owned(), server("https://l"));
    full.users.insert("v".to_owned(), token("v"));
    full.contexts.insert("d".to_owned(), context("l", "v"));
    let mut small = full.clone();
    small.minify().unwrap();
    assert_eq!(small, config(server("https://k"), token("t")));

    let error = |edit: fn(&mut Kubeconfig)| {
        let mut config = full.clone();
        edit(&mut config);
        let before = config.clone();
        let error = config.minify().unwrap_err().to_string();
        assert_eq!(config, before, "nothing is lost on the way");
        error
    };
    assert_eq!(
        error(|config| config.current_context.clear()),
        "current-context must exist in order to minify"
    );
    assert_eq!(error(|config| config.current_context = "x".to_owned()), "cannot locate context x");
    assert_eq!(error(|config| drop(config.clusters.remove("k"))), "cannot locate cluster k");
    assert_eq!(error(|config| drop(config.users.remove("u"))), "cannot locate user u");

    let mut partial = full.clone();
    partial.contexts.insert("c".to_owned(), context("", ""));
    partial.minify().unwrap();
    assert!(partial.clusters.is_empty() && partial.users.is_empty());
}

#[test]
fn t4_5_05_file_contents_inlined_and_paths_cleared_both_set_errors() {
    let files = Files::new(&[
        (
            "a/config",
            "clusters: [{name: k, cluster: {server: x, certificate-authority: ca.crt}}]\nusers: [{name: u, user: {client-certificate: ../c.crt, client-key: c.key, tokenFile: token}}]",
        ),
        ("a/ca.crt", "CA"),
        ("c.crt", "CERT"),
        ("a/c.key", "KEY"),
    ]);
    let mut config = read(&files, "a/config");
    config.flatten().unwrap();
    let (cluster, user) = (&config.clusters["k"], &config.users["u"]);
    assert_eq!((&*cluster.certificate_authority, &cluster.certificate_authority_data[..]), ("", &b"CA"[..]));
    assert_eq!((&*user.client_certificate, &user.client_certificate_data[..]), ("", &b"CERT"[..]));
    assert_eq!((&*user.client_key, &user.client_key_data[..]), ("", &b"KEY"[..]));
    assert_eq!(user.token_file, "token");

    config.clusters.get_mut("k").unwrap().certificate_authority = "ca.crt".to_owned();
    assert_eq!(config.flatten().unwrap_err().to_string(), "cannot have values for both path and contents");
    let mut config = read(&files, "a/config");
    config.clusters.get_mut("k").unwrap().certificate_authority = "missing".to_owned();
    assert!(config.flatten().unwrap_err().to_string().contains(&files.text("a/missing")));
}

#[test]
fn t4_5_06_secrets_replaced_in_printable_form() {
    let user = AuthInfo {
        client_certificate_data: "CERT".into(),
        client_key_data: "KEY".into(),
        password: "hunter2".into(),
        username: "me".to_owned(),
        ..token("hunter2")
    };
    let full = config(KubeCluster { certificate_authority_data: "CA".into(), ..server("https://k") }, user);

    let mut redacted = full.clone();
    redacted.redact();
    let user = &redacted.users["u"];
    assert_eq!((user.token.expose(), user.password.expose()), ("REDACTED", "REDACTED"));
    assert_eq!(&user.client_key_data[..], b"REDACTED");
    assert_eq!(&user.client_certificate_data[..], b"CERT");

    let mut short = full.clone();
    short.shorten();
    let json = short.to_json();
    let (cluster, user) = (&json["clusters"][0]["cluster"], &json["users"][0]["user"]);
    assert_eq!(cluster["certificate-authority-data"], "DATA+OMITTED");
    assert_eq!(user["client-key-data"], "DATA+OMITTED");
    assert_eq!(user["client-certificate-data"], "DATA+OMITTED");
    assert_eq!((&user["token"], &user["username"]), (&"REDACTED".into(), &"me".into()));

    let debug = format!("{full:?}");
    assert!(!debug.contains("hunter2") && !debug.contains("KEY") && debug.contains("https://k"), "{debug}");
}

#[test]
fn unknown_fields_survive_a_change_of_another_field() {
    let text = "future: {a: [1, 2.5, null]}\npreferences: {shape: round}\nclusters:\n- name: k\n  note: outside\n  cluster:\n    server: https://k\n    \
                color: blue\nusers:\n- name: u\n  user:\n    exec: {command: p, apiVersion: v, sandbox: true, env: [{name: NAME, value: V, from: x}]}\n    \
                auth-provider: {name: x, scope: y}\n    colour: red\ncontexts:\n- name: c\n  context: {cluster: k, user: u, icon: '☸'}\n";
    let files = Files::new(&[("config", text)]);
    change(&options(&files, &["config"]), |config| config.current_context = "c".to_owned()).unwrap();
    let mut expected = Kubeconfig::parse(text.as_bytes()).unwrap();
    expected.current_context = "c".to_owned();
    let written = Kubeconfig::parse(files.read("config").as_bytes()).unwrap();
    assert_eq!(written, expected);
    for word in ["future", "round", "outside", "blue", "sandbox", "from", "scope", "red", "☸"] {
        assert!(files.read("config").contains(word), "{word} in\n{}", files.read("config"));
    }
    let json = written.to_json().to_string();
    assert!(!json.contains("future") && !json.contains("blue"), "kubectl would not show them");
}

#[cfg(unix)]
#[test]
fn files_are_private_links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let files = Files::new(&[("real", "current-context: x\n")]);
    let mode = |name: &str| files.path(name).metadata().unwrap().permissions().mode() & 0o777;
    change(&options(&files, &["new/directory/config"]), |config| config.current_context = "y".to_owned())
        .unwrap();
    assert_eq!((mode("new/directory/config"), mode("new/directory") & 0o700), (0o600, 0o700));

    fs::set_permissions(files.path("real"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink(files.path("real"), files.path("link")).unwrap();
    change(&options(&files, &["link"]), |config| config.current_context = "y".to_owned()).unwrap();
    assert!(files.path("link").symlink_metadata().unwrap().is_symlink());
    assert_eq!(read(&files, "real").current_context, "y");
    assert_eq!(mode("real"), 0o640);

    fs::hard_link(files.path("real"), files.path("twin")).unwrap();
    change(&options(&files, &["real"]), |config| config.current_context = "z".to_owned()).unwrap();
    assert_eq!(read(&files, "twin").current_context, "z", "a hard link is preserved");
    assert_eq!(fs::read_dir(files.root()).unwrap().count(), 4, "no drafts are left");
}

#[cfg(unix)]
#[test]
fn an_existing_file_with_the_name_of_a_draft_is_left_alone() {
    use std::os::unix::fs::MetadataExt;
    let files = Files::new(&[("config", "current-context: x\n")]);
    let foreign = format!("config.{}.tmp", std::process::id());
    files.write(&foreign, "someone else's");
    let before = files.path("config").metadata().unwrap().ino();
    change(&options(&files, &["config"]), |config| config.current_context = "y".to_owned()).unwrap();
    assert_eq!(files.read(&foreign), "someone else's");
    assert_eq!(read(&files, "config").current_context, "y");
    assert_ne!(files.path("config").metadata().unwrap().ino(), before, "replaced as a whole, not in place");
}

#[cfg(unix)]
#[test]
fn a_file_that_gets_a_secret_becomes_readable_only_for_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let files = Files::new(&[("config", "current-context: x\n")]);
    let mode = || files.path("config").metadata().unwrap().permissions().mode() & 0o777;
    fs::set_permissions(files.path("config"), fs::Permissions::from_mode(0o644)).unwrap();
    change(&options(&files, &["config"]), |config| config.current_context = "y".to_owned()).unwrap();
    assert_eq!(mode(), 0o644, "it contains no secret");
    change(&options(&files, &["config"]), |config| {
        drop(config.users.insert("u".to_owned(), token("hunter2")));
    })
    .unwrap();
    assert_eq!(mode(), 0o600);
    // Also if it can't be replaced atomically.
    fs::set_permissions(files.path("config"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::hard_link(files.path("config"), files.path("twin")).unwrap();
    change(&options(&files, &["config"]), |config| config.current_context = "z".to_owned()).unwrap();
    assert_eq!((mode(), read(&files, "twin").current_context.as_str()), (0o600, "z"));
}

#[test]
fn t3_10_01_wrap_order_persistence_nil_persister() {
    let text = "users: [{name: u, user: {auth-provider: {name: oidc, config: {id-token: old}}}}, {name: v, user: {token: t}}]";
    let files = Files::new(&[("one", "{}"), ("two", text)]);
    let access: Arc<dyn ConfigAccess> = Arc::new(options(&files, &["one", "two"]));
    let settings: VecMap<_, _> = [("id-token".to_owned(), "new".to_owned())].into();
    persister_for_user(access.clone(), "u".to_owned()).0.persist(&settings).unwrap();
    let expected = AuthProviderConfig::default().with_name("oidc").with_config(settings.clone());
    assert_eq!(read(&files, "two").users["u"].auth_provider, Some(expected));
    for other in ["v", "nobody"] {
        let before = files.read("two");
        persister_for_user(access.clone(), other.to_owned()).0.persist(&settings).unwrap();
        assert_eq!(files.read("two"), before, "{other} has no provider");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_never_overwritten() {
    let files = Files::new(&[("config", "clusters: [oops")]);
    let access = options(&files, &["config"]);
    let new = Kubeconfig { current_context: "c".to_owned(), ..Kubeconfig::default() };
    assert!(modify(&access, &new, false).is_err());
    assert_eq!(files.read("config"), "clusters: [oops");
    let rules = LoadingRules::default().with_precedence([files.path("config")]);
    assert!(rules.load().is_err());
}
