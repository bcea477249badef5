//! 4.3: conversion of a kubeconfig to the config of a client.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use client_rs_transport::{
    Config, Material, ProxyUrl, TlsOptions,
    auth::exec::{ExecConfig, InteractiveMode},
    kubeconfig::{
        AuthInfo, DirectConfig, KubeCluster, KubeContext, Kubeconfig, KubeconfigError, Overrides, Prompt,
    },
};
use serde_json::json;

use super::{Files, config, context, server, token};

/// The config under overrides.
fn built(config: Kubeconfig, overrides: Overrides) -> Result<Config, KubeconfigError> {
    let mut direct = DirectConfig::new(config);
    direct.overrides = overrides;
    direct.client_config()
}

fn plain(config: Kubeconfig) -> Config {
    built(config, Overrides::default()).unwrap()
}

fn data(text: &'static str) -> Material {
    Material::Data(text.into())
}

#[test]
fn t4_3_02_override_insecure_true_drops_file_ca_and_ca_data() {
    let files = Files::new(&[("ca.crt", "CA")]);
    let over = Overrides::default()
        .with_cluster(KubeCluster { insecure_skip_tls_verify: true, ..KubeCluster::default() });
    for cluster in [
        KubeCluster { certificate_authority: files.text("ca.crt"), ..server("https://k") },
        KubeCluster { certificate_authority_data: "CA".into(), ..server("https://k") },
    ] {
        let built = built(config(cluster, AuthInfo::default()), over.clone()).unwrap();
        assert!(built.tls.insecure_skip_verify);
        assert_eq!(built.tls.ca, None);
    }
}

#[test]
fn t4_3_03_override_ca_file_drops_file_ca_data_and_insecure() {
    let files = Files::new(&[("ca.crt", "CA")]);
    let over = Overrides::default()
        .with_cluster(KubeCluster { certificate_authority: files.text("ca.crt"), ..KubeCluster::default() });
    let cluster = KubeCluster {
        certificate_authority_data: "OLD".into(),
        insecure_skip_tls_verify: true,
        ..server("https://k")
    };
    let built = built(config(cluster, AuthInfo::default()), over).unwrap();
    assert_eq!(built.tls.ca, Some(Material::File(files.path("ca.crt"))));
    assert!(!built.tls.insecure_skip_verify);
}

#[test]
fn t4_3_04_tls_server_name_from_file_used_replaced_by_override_cleared_if_only_server_overridden() {
    let cluster = KubeCluster { tls_server_name: "file".to_owned(), ..server("https://k") };
    let name = |over: KubeCluster| {
        let over = Overrides::default().with_cluster(over);
        built(config(cluster.clone(), AuthInfo::default()), over).unwrap().tls.server_name
    };
    assert_eq!(name(KubeCluster::default()).as_deref(), Some("file"));
    assert_eq!(
        name(KubeCluster { tls_server_name: "over".to_owned(), ..KubeCluster::default() }).as_deref(),
        Some("over")
    );
    assert_eq!(name(server("https://other")), None);
    assert_eq!(
        name(KubeCluster { tls_server_name: "over".to_owned(), ..server("https://other") }).as_deref(),
        Some("over")
    );
}

#[test]
fn t4_3_05_user_uid_groups_extra_all_propagate() {
    let user = AuthInfo {
        impersonate: "jane".to_owned(),
        impersonate_uid: "42".to_owned(),
        impersonate_groups: vec!["dev".to_owned()],
        impersonate_user_extra: [("scope".to_owned(), vec!["a".to_owned(), "b".to_owned()])].into(),
        ..AuthInfo::default()
    };
    for url in ["https://k", "http://k"] {
        let built = plain(config(server(url), user.clone())).impersonate.unwrap();
        assert_eq!((&*built.user, built.uid.as_deref()), ("jane", Some("42")));
        assert_eq!(built.groups, ["dev"]);
        assert_eq!(built.extra["scope"], ["a", "b"]);
    }
    assert_eq!(plain(config(server("https://k"), AuthInfo::default())).impersonate, None);
}

#[test]
fn t4_3_06_override_namespace_merges_into_chosen_context_missing_context_named_by_override_errors() {
    let mut kubeconfig = config(server("https://k"), AuthInfo::default());
    kubeconfig
        .contexts
        .insert("d".to_owned(), KubeContext { namespace: "file".to_owned(), ..context("k", "u") });
    let namespace = |current: &str, namespace: &str| {
        let mut direct = DirectConfig::new(kubeconfig.clone());
        direct.overrides.current_context = current.to_owned();
        direct.overrides.context.namespace = namespace.to_owned();
        (direct.namespace().unwrap(), direct.client_config().map(|config| config.default_namespace))
    };
    let said = |name: &str, overridden| (name.to_owned(), overridden);
    let (answer, config) = namespace("", "");
    assert_eq!((answer, config.unwrap()), (said("default", false), "default".to_owned()));
    assert_eq!(namespace("d", "").0, said("file", false));
    assert_eq!(namespace("d", "over").0, said("over", true));
    let (answer, config) = namespace("missing", "over");
    assert_eq!(answer, said("over", true), "the namespace is known anyway");
    let error = config.unwrap_err();
    assert!(error.is_context_not_found());
    assert_eq!(error.to_string(), "context \"missing\" does not exist; there are: c, d");
}

#[test]
fn t4_3_07_inline_cert_and_key_used() {
    let user = AuthInfo {
        client_certificate_data: "CERT".into(),
        client_key_data: "KEY".into(),
        ..AuthInfo::default()
    };
    let tls = plain(config(server("https://k"), user)).tls;
    assert_eq!((tls.client_certificate, tls.client_key), (Some(data("CERT")), Some(data("KEY"))));
}

#[test]
fn t4_3_08_http_https_socks5_accepted_others_rejected_used_by_resulting_config() {
    let proxy = |url: &str| {
        let cluster = KubeCluster { proxy_url: url.to_owned(), ..server("https://k") };
        built(config(cluster, AuthInfo::default()), Overrides::default())
    };
    for url in ["http://proxy:8080", "https://proxy", "socks5://user:secret@proxy:1080"] {
        assert_eq!(proxy(url).unwrap().proxy.as_ref().map(ProxyUrl::expose), Some(url));
    }
    for url in ["ftp://proxy", "proxy:8080", "proxy", "http://", "::"] {
        let error = proxy(url).unwrap_err();
        assert!(error.to_string().contains("proxy-url"), "{url}: {error}");
    }
    let error = proxy("ftp://user:secret@proxy").unwrap_err().to_string();
    assert!(!error.contains("secret"), "{error}");
    let over = Overrides::default()
        .with_cluster(KubeCluster { proxy_url: "http://over".to_owned(), ..KubeCluster::default() });
    let over = built(config(server("https://k"), AuthInfo::default()), over).unwrap();
    assert_eq!(over.proxy.unwrap().expose(), "http://over");
}

#[test]
fn t4_3_09_username_and_password_propagate() {
    let user = AuthInfo { username: "me".to_owned(), password: "secret".into(), ..AuthInfo::default() };
    let basic = plain(config(server("https://k"), user)).auth.basic.unwrap();
    assert_eq!((&*basic.username, basic.password.expose()), ("me", "secret"));
}

#[test]
fn t4_3_10_token_file_read_with_both_set_both_propagate() {
    let files = Files::new(&[("token", "from-file\n")]);
    let user = AuthInfo { token_file: files.text("token"), ..AuthInfo::default() };
    let auth = plain(config(server("https://k"), user.clone())).auth;
    assert_eq!(auth.token.unwrap().expose(), "from-file");
    assert_eq!(auth.token_file, Some(files.path("token")));

    let both = AuthInfo { token: "inline".into(), ..user };
    let auth = plain(config(server("https://k"), both)).auth;
    assert_eq!(auth.token.unwrap().expose(), "inline");
    assert_eq!(auth.token_file, Some(files.path("token")));

    let missing = AuthInfo { token_file: files.text("nowhere"), ..AuthInfo::default() };
    let error = built(config(server("https://k"), missing), Overrides::default()).unwrap_err();
    assert!(error.to_string().contains(&files.text("nowhere")), "{error}");
}

#[test]
fn t4_3_11_clean_creation_with_prefix_default_cluster() {
    for (given, meant) in [
        ("https://anything.com:8080", "https://anything.com:8080"),
        ("https://anything.com:8080/foo/bar", "https://anything.com:8080/foo/bar"),
        ("https://anything.com/foo?query#fragment", "https://anything.com/foo"),
        ("http://anything.com:8080/foo/bar/", "http://anything.com:8080/foo/bar/"),
        ("http://anything.com:8080/", "http://anything.com:8080"),
        ("https://[::1]:6443", "https://[::1]:6443"),
        ("anything.com:8080", "http://anything.com:8080"),
        ("anything", "http://anything"),
    ] {
        let built = plain(config(server(given), token("secret")));
        assert_eq!(built.server_url(), meant, "{given}");
        let https = meant.starts_with("https");
        assert_eq!(built.auth.token.is_some(), https, "{given}: credentials only over https");
    }
    for bad in
        ["anything.com:8080/foo", "ftp://anything", "https://", "https://me:secret@anything", "https://a b"]
    {
        let error = built(config(server(bad), AuthInfo::default()), Overrides::default()).unwrap_err();
        assert!(error.to_string().contains("https://host:port"), "{bad}: {error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }

    let default = Overrides::default().with_cluster_defaults(server("https://default:8443"));
    let built = built(Kubeconfig::default(), default).unwrap();
    assert_eq!(built.server_url(), "https://default:8443");
    assert_eq!((built.qps, built.burst, built.timeout), (0.0, 0, None));
}

#[test]
fn credentials_and_certificates_stay_behind_without_https() {
    let files = Files::new(&[("ca.crt", "CA")]);
    let user = AuthInfo {
        client_certificate_data: "CERT".into(),
        client_key_data: "KEY".into(),
        token_file: files.text("not-even-read"),
        exec: Some(
            ExecConfig::default()
                .with_command("plugin")
                .with_api_version("client.authentication.k8s.io/v1")
                .with_interactive_mode(InteractiveMode::Never),
        ),
        ..AuthInfo::default()
    };
    for url in ["http://k", "k:8080"] {
        let cluster = KubeCluster { certificate_authority: files.text("ca.crt"), ..server(url) };
        let built = plain(config(cluster, user.clone()));
        assert!(built.auth.is_anonymous());
        assert_eq!(built.tls, TlsOptions::default());
    }
}

#[test]
fn t4_3_12_missing_context_with_without_default() {
    let mut kubeconfig = config(server("https://k"), AuthInfo::default());
    kubeconfig.current_context = "missing".to_owned();
    let error = built(kubeconfig.clone(), Overrides::default()).unwrap_err();
    assert!(error.is_context_not_found(), "{error}");
    assert!(error.to_string().contains("context was not found for specified context: missing"), "{error}");
    let default = Overrides::default().with_cluster_defaults(server("https://default"));
    let error = built(kubeconfig, default.clone()).unwrap_err();
    assert!(error.is_context_not_found(), "a default cluster does not excuse it: {error}");

    assert!(built(Kubeconfig::default(), Overrides::default()).unwrap_err().is_empty_config());
    assert_eq!(built(Kubeconfig::default(), default).unwrap().server_url(), "https://default");

    for (what, over) in [
        ("cluster \"x\"", Overrides::default().with_context(context("x", ""))),
        ("user \"x\"", Overrides::default().with_context(context("", "x"))),
    ] {
        let error = built(config(server("https://k"), AuthInfo::default()), over).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{what} does not exist")), "{error}");
    }
}

#[test]
fn t4_3_13_escape_sequences_in_install_hint_are_neutralised() {
    for (hint, printed) in [
        ("plain\ttext,\nünïcode ✓ 漢字\r\n", "plain\ttext,\nünïcode ✓ 漢字\r\n"),
        ("\u{1b}[1mbold\u{1b}[0m", "U+001B[1mboldU+001B[0m"),
        ("\u{9b}31m\u{7}\u{8}\u{0}", "U+009B31mU+0007U+0008U+0000"),
        ("abc\u{202e}cba\u{200b}\u{feff}", "abcU+202EcbaU+200BU+FEFF"),
    ] {
        let exec = ExecConfig::default()
            .with_command("plugin")
            .with_api_version("client.authentication.k8s.io/v1")
            .with_interactive_mode(InteractiveMode::Never)
            .with_install_hint(hint);
        let user = AuthInfo { exec: Some(exec), ..AuthInfo::default() };
        let cluster = KubeCluster {
            extensions: [("client.authentication.k8s.io/exec".to_owned(), json!({"audience": "x"}))].into(),
            ..server("https://k")
        };
        let exec = plain(config(cluster, user)).auth.exec.unwrap();
        assert_eq!(exec.install_hint, printed);
        assert_eq!(exec.cluster_extension, Some(json!({"audience": "x"})));
    }
}

#[test]
fn t4_3_14_override_of_file_or_data_form_clears_the_other_form_for_key_and_cert_separately() {
    let files = Files::new(&[("c.crt", ""), ("c.key", ""), ("d.crt", ""), ("d.key", "")]);
    let in_files = AuthInfo {
        client_certificate: files.text("c.crt"),
        client_key: files.text("c.key"),
        ..AuthInfo::default()
    };
    let in_data =
        AuthInfo { client_certificate_data: "C".into(), client_key_data: "K".into(), ..AuthInfo::default() };
    let tls = |user: &AuthInfo, over: AuthInfo| {
        let over = Overrides::default().with_user(over);
        let tls = built(config(server("https://k"), user.clone()), over).unwrap().tls;
        (tls.client_certificate.unwrap(), tls.client_key.unwrap())
    };
    let file = |name: &str| Material::File(files.path(name));
    let cases = [
        (
            &in_data,
            AuthInfo { client_key: files.text("d.key"), ..AuthInfo::default() },
            (data("C"), file("d.key")),
        ),
        (
            &in_data,
            AuthInfo { client_certificate: files.text("d.crt"), ..AuthInfo::default() },
            (file("d.crt"), data("K")),
        ),
        (
            &in_files,
            AuthInfo { client_key_data: "L".into(), ..AuthInfo::default() },
            (file("c.crt"), data("L")),
        ),
        (
            &in_files,
            AuthInfo { client_certificate_data: "D".into(), ..AuthInfo::default() },
            (data("D"), file("c.key")),
        ),
        (&in_data, in_files.clone(), (file("c.crt"), file("c.key"))),
        (&in_files, in_data.clone(), (data("C"), data("K"))),
    ];
    for (user, over, expected) in cases {
        assert_eq!(tls(user, over), expected);
    }
}

#[test]
fn t4_3_15_merged_raw_config_reflects_overrides_in_user_cluster_context_and_current_context() {
    let mut kubeconfig = config(server("https://k"), token("t"));
    kubeconfig.contexts.insert("d".to_owned(), context("k", "u"));
    let mut direct = DirectConfig::new(kubeconfig.clone());
    assert_eq!(direct.merged_raw_config().unwrap(), kubeconfig, "nothing overridden, nothing changed");
    direct.overrides = Overrides::default()
        .with_user(token("over"))
        .with_cluster(server("https://over"))
        .with_context(KubeContext { namespace: "over".to_owned(), ..KubeContext::default() })
        .with_current_context("d");
    let merged = direct.merged_raw_config().unwrap();
    assert_eq!(merged.users["u"].token.expose(), "over");
    assert_eq!(merged.clusters["k"].server, "https://over");
    assert_eq!(merged.contexts["d"].namespace, "over");
    assert_eq!(merged.contexts["c"].namespace, "");
    assert_eq!(merged.current_context, "d");
    assert_eq!(direct.config, kubeconfig, "the raw config stays as it is");
}

#[test]
fn a_timeout_is_seconds_or_a_duration() {
    let timeout = |text: &str| {
        let over = Overrides::default().with_timeout(text);
        built(config(server("https://k"), AuthInfo::default()), over).map(|config| config.timeout)
    };
    assert_eq!(timeout("").unwrap(), None);
    assert_eq!(timeout("0").unwrap(), None);
    assert_eq!(timeout("30").unwrap(), Some(Duration::from_secs(30)));
    assert_eq!(timeout("1m30s").unwrap(), Some(Duration::from_secs(90)));
    assert_eq!(timeout("1.5s").unwrap(), Some(Duration::from_millis(1500)));
    for bad in ["-1", "-1s", "soon", "1 s", "30d"] {
        assert!(timeout(bad).unwrap_err().to_string().contains(bad), "{bad}");
    }
}

struct Answers(AtomicU32);

impl Prompt for Answers {
    fn ask(&self, what: &str, secret: bool) -> io::Result<String> {
        assert_eq!(secret, what == "Password");
        Ok(format!("{what} {}", self.0.fetch_add(1, Ordering::Relaxed)))
    }
}

#[test]
fn the_user_is_asked_once_and_only_without_credentials() {
    let answers = Arc::new(Answers(AtomicU32::new(0)));
    let mut direct = DirectConfig::new(config(server("https://k"), AuthInfo::default()));
    direct.prompt = Some(answers.clone());
    for _ in 0..2 {
        let basic = direct.client_config().unwrap().auth.basic.unwrap();
        assert_eq!((&*basic.username, basic.password.expose()), ("Username 0", "Password 1"));
    }
    direct.config.users.insert("u".to_owned(), token("t"));
    assert_eq!(direct.client_config().unwrap().auth.basic, None);
    direct.config.users.insert(
        "u".to_owned(),
        AuthInfo { client_certificate_data: "C".into(), client_key_data: "K".into(), ..AuthInfo::default() },
    );
    assert_eq!(direct.client_config().unwrap().auth.basic, None);
    assert_eq!(answers.0.load(Ordering::Relaxed), 2);
}

#[test]
fn a_kubeconfigs_text_is_enough() {
    let text = b"clusters: [{name: k, cluster: {server: 'https://k'}}]\ncontexts: [{name: c, context: {cluster: k, namespace: ns}}]\ncurrent-context: c";
    let config = Config::from_kubeconfig(text).unwrap();
    assert_eq!((config.server_url(), config.default_namespace), ("https://k".to_owned(), "ns".to_owned()));
    assert!(Config::from_kubeconfig(b"").unwrap_err().is_empty_config());
}
