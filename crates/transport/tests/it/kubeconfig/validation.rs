//! [T4.5-07] Valid and invalid configs.

use client_rs_transport::{
    auth::{
        AuthProviderConfig,
        exec::{ExecConfig, ExecEnv, InteractiveMode, PluginPolicy},
    },
    kubeconfig::{AuthInfo, KubeCluster, Kubeconfig, KubeconfigError, Problem},
};

use super::{Files, config, context, server, token};

fn problems(config: &Kubeconfig) -> Vec<String> {
    match config.validate() {
        Ok(()) => Vec::new(),
        Err(KubeconfigError::Invalid(problems)) => problems.iter().map(ToString::to_string).collect(),
        Err(error) => panic!("{error}"),
    }
}

/// The one problem of a user.
fn user(user: AuthInfo) -> String {
    let config = config(server("https://k"), user);
    let whole = problems(&config);
    let in_use = config.confirm_usable("").err().map(|error| error.to_string()).unwrap_or_default();
    assert!(whole.len() <= 1, "{whole:?}");
    let problem = whole.into_iter().next().unwrap_or_default();
    assert!(in_use.ends_with(&problem), "both validations report the same: {in_use} / {problem}");
    problem
}

fn cluster(cluster: KubeCluster) -> String {
    let whole = problems(&config(cluster, AuthInfo::default()));
    assert!(whole.len() <= 1, "{whole:?}");
    whole.into_iter().next().unwrap_or_default()
}

fn exec() -> ExecConfig {
    ExecConfig::default()
        .with_command("plugin")
        .with_api_version("client.authentication.k8s.io/v1")
        .with_interactive_mode(InteractiveMode::IfAvailable)
}

fn with_exec(exec: ExecConfig) -> String {
    user(AuthInfo { exec: Some(exec), ..AuthInfo::default() })
}

#[test]
fn t4_5_07_validation_tables_users() {
    let files = Files::new(&[("c.crt", ""), ("c.key", "")]);
    let certificate = || AuthInfo {
        client_certificate: files.text("c.crt"),
        client_key: files.text("c.key"),
        ..AuthInfo::default()
    };
    assert_eq!(user(AuthInfo::default()), "");
    assert_eq!(user(token("t")), "");
    assert_eq!(user(certificate()), "");
    assert_eq!(
        user(AuthInfo { token: "t".into(), ..certificate() }),
        "",
        "a certificate may be combined with a token"
    );
    assert_eq!(user(AuthInfo { username: "u".to_owned(), password: "p".into(), ..certificate() }), "");
    assert_eq!(
        user(AuthInfo { client_key: files.text("missing"), ..AuthInfo::default() }),
        "",
        "an incomplete certificate is not used"
    );
    assert_eq!(
        user(AuthInfo {
            client_certificate_data: "C".into(),
            client_key_data: "K".into(),
            ..AuthInfo::default()
        }),
        ""
    );
    assert_eq!(
        user(AuthInfo { client_certificate_data: "C".into(), ..certificate() }),
        "user \"u\": client-certificate-data and client-certificate are both specified: keep one"
    );
    assert_eq!(
        user(AuthInfo { client_key_data: "K".into(), ..certificate() }),
        "user \"u\": client-key-data and client-key are both specified: keep one"
    );
    assert_eq!(
        user(AuthInfo { client_key: String::new(), ..certificate() }),
        "user \"u\": client-key-data or client-key must be specified to use the client certificate"
    );
    for (name, broken) in [
        ("client-certificate", AuthInfo { client_certificate: files.text("missing"), ..certificate() }),
        ("client-key", AuthInfo { client_key: files.text("missing"), ..certificate() }),
    ] {
        let problem = user(broken);
        let expected = format!("user \"u\": unable to read {name} {}", files.text("missing"));
        assert!(problem.starts_with(&expected), "{problem}");
    }
    for both in
        [AuthInfo { username: "u".to_owned(), ..token("t") }, AuthInfo { password: "p".into(), ..token("t") }]
    {
        assert!(user(both).contains("more than one authentication method found"));
    }
    let impersonate = AuthInfo { impersonate: "jane".to_owned(), ..AuthInfo::default() };
    assert_eq!(user(impersonate.clone()), "");
    for partial in [
        AuthInfo { impersonate_uid: "1".to_owned(), ..AuthInfo::default() },
        AuthInfo { impersonate_groups: vec!["g".to_owned()], ..AuthInfo::default() },
        AuthInfo { impersonate_user_extra: [("k".to_owned(), vec![])].into(), ..AuthInfo::default() },
    ] {
        let complete = AuthInfo { impersonate: "jane".to_owned(), ..partial.clone() };
        assert_eq!(user(complete), "");
        assert!(user(partial).contains("without impersonating a user"));
    }
}

#[test]
fn t4_5_07_validation_tables_exec() {
    assert_eq!(with_exec(exec()), "");
    for mode in ["Never", "IfAvailable", "Always"] {
        assert_eq!(with_exec(exec().with_interactive_mode(mode.into())), "");
    }
    for (expected, broken) in [
        ("command must be specified", exec().with_command(String::new())),
        ("apiVersion must be specified", exec().with_api_version(String::new())),
        ("interactiveMode must be specified", exec().with_interactive_mode(InteractiveMode::Unset)),
        ("invalid interactiveMode \"never\"", exec().with_interactive_mode("never".into())),
        ("every env variable must have a name", exec().with_env([ExecEnv::default().with_value("v")])),
        ("the allowlist is empty", exec().with_policy(PluginPolicy::Allowlist(vec![]))),
    ] {
        let problem = with_exec(broken);
        assert!(problem.contains(expected), "{problem}");
    }
    let named = ExecEnv::default().with_name("N");
    assert_eq!(with_exec(exec().with_env([named])), "", "a value may be empty");
    assert_eq!(with_exec(exec().with_policy(PluginPolicy::DenyAll)), "");
    let both = AuthInfo {
        exec: Some(exec()),
        auth_provider: Some(AuthProviderConfig::default().with_name("oidc")),
        ..AuthInfo::default()
    };
    assert!(user(both).contains("auth-provider cannot be provided in combination with an exec plugin"));
}

#[test]
fn t4_5_07_validation_tables_clusters() {
    let files = Files::new(&[("ca.crt", "")]);
    assert_eq!(cluster(server("https://k")), "");
    assert_eq!(cluster(KubeCluster::default()), "cluster has no server defined");
    assert_eq!(
        cluster(KubeCluster { tls_server_name: "s".to_owned(), ..KubeCluster::default() }),
        "cluster \"k\": no server found"
    );
    assert_eq!(
        cluster(KubeCluster { certificate_authority: files.text("ca.crt"), ..server("https://k") }),
        ""
    );
    assert_eq!(
        cluster(KubeCluster {
            certificate_authority: files.text("ca.crt"),
            certificate_authority_data: "CA".into(),
            ..server("https://k")
        }),
        "cluster \"k\": certificate-authority-data and certificate-authority are both specified: keep one"
    );
    let problem =
        cluster(KubeCluster { certificate_authority: files.text("missing"), ..server("https://k") });
    assert!(problem.starts_with("cluster \"k\": unable to read certificate-authority"), "{problem}");
    let problem = cluster(KubeCluster { proxy_url: "ftp://me:secret@p".to_owned(), ..server("https://k") });
    assert!(problem.contains("unsupported scheme \"ftp\"") && !problem.contains("secret"), "{problem}");
    assert_eq!(cluster(KubeCluster { proxy_url: "socks5://p".to_owned(), ..server("https://k") }), "");
}

#[test]
fn t4_5_07_validation_tables_contexts_and_the_whole() {
    let problem = |edit: fn(&mut Kubeconfig)| {
        let mut config = config(server("https://k"), AuthInfo::default());
        edit(&mut config);
        problems(&config).join("; ")
    };
    assert_eq!(problem(|_| ()), "");
    assert_eq!(
        problem(|config| config.current_context = "x".to_owned()),
        "context was not found for specified context: x"
    );
    assert_eq!(problem(|config| config.current_context.clear()), "", "no selected context is not a problem");
    assert_eq!(
        problem(|config| drop(config.contexts.insert("c".to_owned(), context("", "u")))),
        "context \"c\": cluster was not specified"
    );
    assert_eq!(
        problem(|config| drop(config.contexts.insert("c".to_owned(), context("k", "")))),
        "context \"c\": user was not specified"
    );
    assert_eq!(
        problem(|config| drop(config.contexts.insert("c".to_owned(), context("x", "y")))),
        "context \"c\": user \"y\" was not found; context \"c\": cluster \"x\" was not found"
    );
    assert_eq!(
        problem(|config| config.contexts.get_mut("c").unwrap().namespace = "No_Label".to_owned()),
        "context \"c\": namespace \"No_Label\" is not a DNS label"
    );
    assert_eq!(
        problem(|config| drop(config.contexts.insert(String::new(), context("k", "u")))),
        "context \"\": an empty name is not allowed"
    );
    assert!(Kubeconfig::default().validate().unwrap_err().is_empty_config());
    assert!(Kubeconfig::default().confirm_usable("c").unwrap_err().is_empty_config());

    let config = config(server("https://k"), AuthInfo::default());
    assert!(config.confirm_usable("c").is_ok());
    assert!(config.confirm_usable("x").unwrap_err().is_context_not_found());
    let mut none = config.clone();
    none.current_context.clear();
    let error = none.confirm_usable("").unwrap_err();
    assert!(matches!(&error, KubeconfigError::Invalid(problems) if problems[..] == [Problem::NoContext]));
    assert!(error.is_context_not_found());
}

#[test]
fn all_problems_are_reported_at_once() {
    let both = AuthInfo { username: "u".to_owned(), ..token("t") };
    let config = config(KubeCluster { proxy_url: "x".to_owned(), ..KubeCluster::default() }, both);
    let error = config.validate().unwrap_err().to_string();
    for part in
        ["invalid configuration: [", "more than one authentication", "no server found", "invalid proxy-url"]
    {
        assert!(error.contains(part), "{error}");
    }
}
