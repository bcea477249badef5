//! 3.9: plugins, run by a test or for real.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use serde_json::{Value, json};

use super::{
    ExecAuthenticator, ExecCluster, ExecConfig, ExecEnv, ExecError, InteractiveMode, PluginPolicy,
    process::{Invocation, Run, RunError, Running},
    protocol::{self, Version},
};
use crate::{
    Config, Material,
    auth::{
        AuthError, AuthProviderConfig, BasicAuth, CredentialMetrics, Credentials, CredentialsOptions,
        ExecCall, NoCredentialMetrics, single_flight::Clock,
    },
    test_certificates::self_signed,
};

const V1: &str = "client.authentication.k8s.io/v1";
const V1BETA1: &str = "client.authentication.k8s.io/v1beta1";

fn plugin() -> ExecConfig {
    ExecConfig {
        // Any existing program: tests don't run it.
        command: "sh".to_owned(),
        api_version: V1.to_owned(),
        interactive_mode: InteractiveMode::Never,
        ..ExecConfig::default()
    }
}

/// A shell that runs this.
fn shell(script: &str) -> ExecConfig {
    ExecConfig { args: vec!["-c".to_owned(), script.to_owned()], ..plugin() }
}

fn cluster() -> ExecCluster {
    ExecCluster {
        server: "https://k".to_owned(),
        certificate_authority_data: Bytes::from_static(b"CA"),
        config: Some(json!({"audience": "x"})),
        ..ExecCluster::default()
    }
}

fn credential(status: &Value) -> String {
    json!({"apiVersion": V1, "kind": "ExecCredential", "status": status}).to_string()
}

/// Returns the outputs in turn, repeats the last one, and records the invocations.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<VecDeque<Result<String, RunError>>>>,
    asked: Arc<Mutex<Vec<Invocation>>>,
}

impl Script {
    fn new(answers: impl IntoIterator<Item = Value>) -> Self {
        let answers = answers.into_iter().map(|status| Ok(credential(&status))).collect();
        Self { answers: Arc::new(Mutex::new(answers)), asked: Arc::default() }
    }

    fn runs(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// The value of `KUBERNETES_EXEC_INFO` at the last run.
    fn info(&self) -> Value {
        let asked = self.asked.lock().unwrap();
        let (name, info) = asked.last().unwrap().env.last().unwrap();
        assert_eq!(name, "KUBERNETES_EXEC_INFO");
        serde_json::from_str(info.to_str().unwrap()).unwrap()
    }
}

impl Run for Script {
    fn run(&self, invocation: Invocation) -> Running {
        self.asked.lock().unwrap().push(invocation);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Box::pin(async move {
            tokio::task::yield_now().await;
            answer.unwrap().map(String::into_bytes)
        })
    }
}

fn authenticator(config: ExecConfig, script: &Script) -> Result<ExecAuthenticator, ExecError> {
    let metrics = Arc::new(NoCredentialMetrics);
    ExecAuthenticator::new(config, cluster(), || false, Box::new(script.clone()), metrics, Clock::paused())
}

async fn token(authenticator: &ExecAuthenticator) -> String {
    let (credential, _) = authenticator.get().await.unwrap();
    credential.authorization.as_ref().unwrap().to_str().unwrap().to_owned()
}

/// The config of a client that uses the plugin.
fn client(exec: ExecConfig) -> Config {
    let mut config = Config::new("https://k".parse().unwrap());
    config.auth.exec = Some(exec);
    config
}

fn credentials(config: &Config) -> Credentials {
    Credentials::new(config, &CredentialsOptions::default()).unwrap()
}

async fn header(credentials: &Credentials) -> Result<String, AuthError> {
    let mut headers = HeaderMap::new();
    credentials.apply(&mut headers).await?;
    Ok(headers.get(AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default())
}

fn output_error(output: &str) -> String {
    protocol::answer(Version::V1, output.as_bytes()).unwrap_err()
}

#[tokio::test]
async fn t3_9_01_any_change_in_command_args_env_version_cluster_info_gives_another_authenticator() {
    let shared = |config: &ExecConfig, cluster: ExecCluster| {
        ExecAuthenticator::shared(config, cluster, Arc::new(NoCredentialMetrics)).unwrap()
    };
    let base = ExecConfig { args: vec!["t3-9-01".to_owned()], ..plugin() };
    let first = shared(&base, cluster());
    assert!(Arc::ptr_eq(&first, &shared(&base.clone(), cluster())), "equal settings, one authenticator");
    let env = ExecEnv { name: "N".to_owned(), value: "V".to_owned(), ..ExecEnv::default() };
    for other in [
        ExecConfig { command: "/bin/sh".to_owned(), ..base.clone() },
        ExecConfig { args: vec!["t3-9-01".to_owned(), "x".to_owned()], ..base.clone() },
        ExecConfig { env: vec![env.clone()], ..base.clone() },
        ExecConfig { env: vec![ExecEnv { value: "W".to_owned(), ..env }], ..base.clone() },
        ExecConfig { api_version: V1BETA1.to_owned(), ..base.clone() },
        ExecConfig { provide_cluster_info: true, ..base.clone() },
        ExecConfig { install_hint: "hint".to_owned(), ..base.clone() },
        ExecConfig { policy: PluginPolicy::DenyAll, ..base.clone() },
    ] {
        assert!(!Arc::ptr_eq(&first, &shared(&other, cluster())), "{other:?}");
    }
    for other in [
        ExecCluster { server: "https://l".to_owned(), ..cluster() },
        ExecCluster { tls_server_name: "s".to_owned(), ..cluster() },
        ExecCluster { insecure_skip_tls_verify: true, ..cluster() },
        ExecCluster { certificate_authority_data: "CB".into(), ..cluster() },
        ExecCluster { proxy_url: "http://p".to_owned(), ..cluster() },
        ExecCluster { disable_compression: true, ..cluster() },
        ExecCluster { config: None, ..cluster() },
    ] {
        assert!(!Arc::ptr_eq(&first, &shared(&base, other)));
    }
}

#[test]
fn t3_9_02_tls_credentials_bad_tls_cert_without_key() {
    let (certificate, key) = self_signed("one");
    let good = json!({"clientCertificateData": certificate, "clientKeyData": key});
    let answer = protocol::answer(Version::V1, credential(&good).as_bytes()).unwrap();
    let identity = answer.identity.unwrap();
    assert_eq!((identity.chain().len(), answer.token.is_none(), answer.expiry), (1, true, None));
    assert!(identity.validity().unwrap().not_after > SystemTime::now());

    let bad = |status: Value| output_error(&credential(&status));
    assert!(
        bad(json!({"clientCertificateData": "hunter2", "clientKeyData": key}))
            .contains("no CERTIFICATE block")
    );
    assert!(
        bad(json!({"clientCertificateData": certificate, "clientKeyData": "hunter2"})).contains("client key")
    );
    for half in [
        json!({"clientCertificateData": certificate}),
        json!({"clientKeyData": key}),
        json!({"token": "t", "clientKeyData": key}),
    ] {
        assert_eq!(bad(half), "returned only certificate or key, not both");
    }
}

#[tokio::test]
async fn t3_9_03_token_returned_is_used_as_bearer() {
    let config = client(shell(&format!("echo '{}'", credential(&json!({"token": "t3-9-03"})))));
    assert_eq!(header(&credentials(&config)).await.unwrap(), "Bearer t3-9-03");

    // Arguments and environment reach the plugin, and YAML output is accepted too.
    let script = "printf 'apiVersion: %s\\nkind: ExecCredential\\nstatus: {token: \"%s-%s\"}' \"$V\" \"$X\" \
                  \"$(printf %s \"$KUBERNETES_EXEC_INFO\" | tr -dc '{' | wc -c | tr -d ' ')\"";
    let env = [("V", V1), ("X", "x")];
    let env = env.map(|(name, value)| ExecEnv {
        name: name.to_owned(),
        value: value.to_owned(),
        ..ExecEnv::default()
    });
    let config = client(ExecConfig { env: env.to_vec(), ..shell(script) });
    assert_eq!(header(&credentials(&config)).await.unwrap(), "Bearer x-2");
}

#[tokio::test]
async fn t3_9_04_each_interactive_mode_terminal_stdin() {
    let ask = async |mode: InteractiveMode, terminal: bool, taken: Option<&str>| {
        let script = Script::new([json!({"token": "t"})]);
        let config =
            ExecConfig { interactive_mode: mode, stdin_unavailable: taken.map(str::to_owned), ..plugin() };
        let terminal: fn() -> bool = if terminal { || true } else { || false };
        let metrics = Arc::new(NoCredentialMetrics);
        let authenticator = ExecAuthenticator::new(
            config,
            cluster(),
            terminal,
            Box::new(script.clone()),
            metrics,
            Clock::paused(),
        )
        .unwrap();
        let error = authenticator.get().await.err().map(|error| error.to_string());
        if let Some(error) = error {
            return Err(error);
        }
        let stdin = script.asked.lock().unwrap()[0].stdin;
        assert_eq!(script.info()["spec"]["interactive"], stdin);
        Ok(stdin)
    };
    for (terminal, taken) in [(false, None), (false, Some("")), (true, None), (true, Some("busy"))] {
        assert_eq!(ask(InteractiveMode::Never, terminal, taken).await, Ok(false));
        let available = terminal && taken.is_none();
        assert_eq!(ask(InteractiveMode::IfAvailable, terminal, taken).await, Ok(available));
    }
    let always = async |terminal, taken| ask(InteractiveMode::Always, terminal, taken).await;
    assert_eq!(always(true, None).await, Ok(true));
    for (terminal, taken, reason) in [
        (false, None, "standard input is not a terminal"),
        (false, Some("busy"), "standard input is not a terminal"),
        (true, Some(""), "standard input is unavailable"),
        (true, Some("used by my-program"), "standard input is unavailable: used by my-program"),
    ] {
        let error = always(terminal, taken).await.unwrap_err();
        assert!(error.ends_with(&format!("cannot support interactive mode: {reason}")), "{error}");
    }
    assert!(ask(InteractiveMode::from("Sometimes"), true, None).await.unwrap_err().contains("Sometimes"));
}

#[tokio::test(start_paused = true)]
async fn t3_9_05_expired_credential_triggers_a_new_run_before_the_next_request() {
    let script = Script::new([
        json!({"token": "one", "expirationTimestamp": "1970-01-01T00:10:00Z"}),
        json!({"token": "two", "expirationTimestamp": null}),
    ]);
    let authenticator = authenticator(plugin(), &script).unwrap();
    assert_eq!(token(&authenticator).await, "Bearer one");
    tokio::time::advance(Duration::from_mins(10)).await;
    assert_eq!(token(&authenticator).await, "Bearer one", "no leeway");
    assert_eq!(script.runs(), 1);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(token(&authenticator).await, "Bearer two");
    tokio::time::advance(Duration::from_secs(1 << 30)).await;
    assert_eq!(token(&authenticator).await, "Bearer two", "without an expiry it stays");
    assert_eq!(script.runs(), 2);
}

#[test]
fn t3_9_06_output_without_or_with_other_api_version_is_an_error() {
    let with = |version: Value| {
        output_error(
            &json!({"apiVersion": version, "kind": "ExecCredential", "status": {"token": "hunter2"}})
                .to_string(),
        )
    };
    assert_eq!(with(json!(null)), "its output has no apiVersion");
    assert_eq!(
        with(json!(V1BETA1)),
        format!("is configured to use API version {V1}, returned version {V1BETA1}")
    );
    assert!(with(json!(7)).contains("apiVersion"));
    assert!(
        output_error(&json!({"apiVersion": V1, "kind": "Pod", "status": {}}).to_string()).contains("kind")
    );
    let script = Script::new([json!({"token": "t"})]);
    for version in ["client.authentication.k8s.io/v1alpha1", "v1", ""] {
        let config = ExecConfig { api_version: version.to_owned(), ..plugin() };
        assert!(matches!(authenticator(config, &script).unwrap_err(), ExecError::ApiVersion(_)), "{version}");
    }
}

#[test]
fn t3_9_07_output_without_status_is_an_error() {
    assert_eq!(output_error(&credential(&Value::Null)), "didn't return a status field");
    assert!(output_error(&credential(&json!("hunter2"))).contains("not an object"));
}

#[test]
fn t3_9_08_status_without_token_and_cert_is_an_error() {
    for status in [json!({}), json!({"token": ""}), json!({"token": null, "clientKeyData": ""})] {
        assert_eq!(output_error(&credential(&status)), "didn't return a token or cert/key pair");
    }
    let status = json!({"token": "t", "expirationTimestamp": "soon"});
    assert!(output_error(&credential(&status)).contains("RFC 3339"));
}

#[tokio::test]
async fn t3_9_09_missing_binary_error_includes_install_hint() {
    for command in ["no-such-plugin-t3-9-09", "/no/such/plugin"] {
        let config = ExecConfig {
            command: command.to_owned(),
            install_hint: "brew install it".to_owned(),
            ..plugin()
        };
        let error = header(&credentials(&client(config))).await.unwrap_err().to_string();
        assert!(error.contains(&format!("executable {command} not found")), "{error}");
        assert!(error.ends_with("\n\nbrew install it"), "{error}");
    }
}

#[tokio::test]
async fn t3_9_10_non_zero_exit_reported_with_code() {
    let config = client(shell("echo hunter2; exit 3"));
    let error = header(&credentials(&config)).await.unwrap_err();
    assert!(matches!(&error, AuthError::Exec(ExecError::Exit { code: 3, .. })), "{error}");
    let text = error.to_string();
    assert!(text.contains("exit code 3") && !text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn t3_9_11_spec_cluster_present_only_with_provide_cluster_info() {
    for (provide, version) in [(true, V1), (false, V1), (true, V1BETA1), (false, V1BETA1)] {
        let output =
            json!({"apiVersion": version, "kind": "ExecCredential", "status": {"token": "t"}}).to_string();
        let script = Script { answers: Arc::new(Mutex::new([Ok(output)].into())), asked: Arc::default() };
        let config =
            ExecConfig { provide_cluster_info: provide, api_version: version.to_owned(), ..plugin() };
        authenticator(config, &script).unwrap().get().await.unwrap();
        let mut expected =
            json!({"kind": "ExecCredential", "apiVersion": version, "spec": {"interactive": false}});
        if provide {
            let cluster = json!({"server": "https://k", "certificate-authority-data": "Q0E=", "config": {"audience": "x"}});
            expected["spec"]["cluster"] = cluster;
        }
        assert_eq!(script.info(), expected);
    }
}

#[test]
fn the_cluster_is_described_as_the_client_sees_it() {
    let directory = tempfile::tempdir().unwrap();
    let ca = directory.path().join("ca.crt");
    std::fs::write(&ca, "CA").unwrap();
    let mut config = client(ExecConfig { cluster_extension: Some(json!(1)), ..plugin() });
    config.server = "https://k:6443".parse().unwrap();
    config.tls.ca = Some(Material::File(ca.clone()));
    config.tls.server_name = Some("name".to_owned());
    config.proxy = Some("http://me:pw@p".parse().unwrap());
    config.disable_compression = true;
    let cluster = ExecCluster::of(&config).unwrap();
    assert_eq!((&*cluster.server, &*cluster.tls_server_name), ("https://k:6443", "name"));
    assert_eq!(
        (&cluster.certificate_authority_data[..], &*cluster.proxy_url),
        (&b"CA"[..], "http://me:pw@p")
    );
    assert_eq!((cluster.disable_compression, cluster.config), (true, Some(json!(1))));
    config.tls.ca = Some(Material::File(directory.path().join("missing")));
    let error = ExecCluster::of(&config).unwrap_err().to_string();
    assert!(error.contains("missing"), "{error}");
}

#[tokio::test]
async fn t3_9_12_v1_config_without_interactive_mode_is_an_error() {
    let script = Script::new([json!({"token": "t"})]);
    let config = ExecConfig { interactive_mode: InteractiveMode::Unset, ..plugin() };
    let error = authenticator(config.clone(), &script).unwrap().get().await.unwrap_err().to_string();
    assert!(error.contains("interactiveMode is not set"), "{error}");
    assert_eq!(script.runs(), 0);

    let output =
        json!({"apiVersion": V1BETA1, "kind": "ExecCredential", "status": {"token": "t"}}).to_string();
    let script = Script { answers: Arc::new(Mutex::new([Ok(output)].into())), asked: Arc::default() };
    let config = ExecConfig { api_version: V1BETA1.to_owned(), ..config };
    assert_eq!(token(&authenticator(config, &script).unwrap()).await, "Bearer t", "v1beta1 has a default");
}

#[tokio::test]
async fn a_policy_forbids_the_run() {
    let script = Script::new([json!({"token": "t"})]);
    let config = ExecConfig { policy: PluginPolicy::DenyAll, ..plugin() };
    let error = authenticator(config, &script).unwrap().get().await.unwrap_err();
    assert!(matches!(error, AuthError::Exec(ExecError::Denied { .. })));
    let config = ExecConfig { policy: PluginPolicy::Allowlist(vec!["sh".to_owned()]), ..plugin() };
    assert_eq!(token(&authenticator(config, &script).unwrap()).await, "Bearer t");
    let config = ExecConfig { policy: PluginPolicy::Allowlist(vec![String::new()]), ..plugin() };
    assert!(matches!(authenticator(config, &script).unwrap_err(), ExecError::InvalidPolicy(_)));
    assert_eq!(script.runs(), 1);
}

/// A file that could be run.
#[cfg(unix)]
fn executable(path: &std::path::Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "").unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[tokio::test]
async fn the_program_that_runs_is_the_one_on_the_allowlist() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let [good, evil] = ["usr/bin/plugin", "evil/usr/bin/plugin"].map(|path| executable(&root.join(path)));
    let deep = root.join("evil/a/b");
    std::fs::create_dir_all(&deep).unwrap();
    std::os::unix::fs::symlink(&deep, root.join("x")).unwrap();
    std::os::unix::fs::symlink(root.join("usr"), root.join("link")).unwrap();
    let run = async |command: &str| {
        let script = Script::new([json!({"token": "t"})]);
        let policy = PluginPolicy::Allowlist(vec![good.clone(), "plugin".to_owned()]);
        let config = ExecConfig { command: command.to_owned(), policy, ..plugin() };
        let outcome = authenticator(config, &script).unwrap().get().await;
        let ran = script.asked.lock().unwrap().first().map(|invocation| invocation.program.clone());
        assert_eq!(ran.is_some(), outcome.is_ok(), "{command}");
        ran
    };
    assert_eq!(run(&good).await.unwrap().to_str(), Some(&*good));
    // As text, this is the allowed path. The system finds another file there.
    let odd = root.join("x/../../usr/bin/plugin");
    assert_eq!(odd.canonicalize().unwrap().to_str(), Some(&*evil));
    assert_eq!(run(odd.to_str().unwrap()).await, None);
    assert_eq!(run(&evil).await, None);
    // Through a link to the allowed directory, it is the allowed file, and it runs under its real path.
    let linked = run(root.join("link/bin/plugin").to_str().unwrap()).await;
    assert_eq!(linked.unwrap().to_str(), Some(&*good));
    // A path relative to the current directory is never allowed, regardless of the file it resolves to.
    let here = std::env::current_dir().unwrap();
    let up = "../".repeat(here.components().count());
    let relative = format!("{up}{}", evil.trim_start_matches('/'));
    assert!(here.join(&relative).is_file());
    assert_eq!(run(&relative).await, None);
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_of_many_names_is_allowed_by_each_name_alone() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let real = executable(&root.join("busybox"));
    let [cat, sh] = ["cat", "sh"].map(|name| root.join(name));
    for link in [&cat, &sh] {
        std::os::unix::fs::symlink(&real, link).unwrap();
    }
    for (command, allowed) in [(&cat, true), (&sh, false)] {
        let script = Script::new([json!({"token": "t"})]);
        let policy = PluginPolicy::Allowlist(vec![cat.to_str().unwrap().to_owned()]);
        let config = ExecConfig { command: command.to_str().unwrap().to_owned(), policy, ..plugin() };
        assert_eq!(authenticator(config, &script).unwrap().get().await.is_ok(), allowed, "{command:?}");
        let asked = script.asked.lock().unwrap();
        assert_eq!(asked.first().map(|invocation| &invocation.program), allowed.then_some(command));
    }
}

#[tokio::test]
async fn t3_9_14_a_401_causes_refresh_next_request_uses_the_new_token_concurrent_401s_refresh_once() {
    let script = Script::new([json!({"token": "one"}), json!({"token": "two"})]);
    let authenticator = Arc::new(authenticator(plugin(), &script).unwrap());
    let (_, serial) = authenticator.get().await.unwrap();
    let refusals: Vec<_> = (0..20)
        .map(|_| {
            let authenticator = authenticator.clone();
            tokio::spawn(async move { authenticator.refused(serial).await.unwrap().1 })
        })
        .collect();
    for refusal in refusals {
        assert_ne!(refusal.await.unwrap(), serial);
    }
    assert_eq!(script.runs(), 2);
    assert_eq!(token(&authenticator).await, "Bearer two");
}

#[tokio::test]
async fn a_retry_is_worth_it_only_with_another_credential() {
    let directory = tempfile::tempdir().unwrap();
    let count = directory.path().join("count");
    // One line per run. The second run prints the same token, the third another one.
    let script = format!(
        "echo >> '{0}'; n=$(wc -l < '{0}'); [ $n -lt 3 ] && t=one || t=three; \
         printf '{{\"apiVersion\":\"{V1}\",\"kind\":\"ExecCredential\",\"status\":{{\"token\":\"%s\"}}}}' $t",
        count.display()
    );
    let credentials = credentials(&client(shell(&script)));
    let mut headers = HeaderMap::new();
    let stamp = credentials.apply(&mut headers).await.unwrap();
    assert!(!credentials.refused(&stamp).await, "the plugin returned the refused token");
    headers.clear();
    let stamp = credentials.apply(&mut headers).await.unwrap();
    assert!(credentials.refused(&stamp).await);
    assert!(credentials.refused(&stamp).await, "replaced since: no third run, but a retry");
    assert_eq!(std::fs::read_to_string(count).unwrap().lines().count(), 3);
    assert_eq!(header(&credentials).await.unwrap(), "Bearer three");
}

#[tokio::test]
async fn t3_9_15_request_or_config_level_auth_means_the_plugin_is_never_run() {
    let broken = || client(shell("exit 1"));
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer mine"));
    let stamp = credentials(&broken()).apply(&mut headers).await.unwrap();
    assert_eq!(headers[AUTHORIZATION], "Bearer mine");
    assert!(!credentials(&broken()).refused(&stamp).await);

    let mut config = broken();
    config.auth.token = Some("static".into());
    assert_eq!(header(&credentials(&config)).await.unwrap(), "Bearer static");
    let mut config = broken();
    config.auth.basic = Some(BasicAuth { username: "me".to_owned(), password: "pw".into() });
    assert_eq!(header(&credentials(&config)).await.unwrap(), "Basic bWU6cHc=");
    let (certificate, key) = self_signed("one");
    let mut config = broken();
    config.tls.client_certificate = Some(Material::Data(certificate.into()));
    config.tls.client_key = Some(Material::Data(key.into()));
    let own = credentials(&config);
    assert_eq!(header(&own).await.unwrap(), "");
    assert!(own.client_certificates().current().await.unwrap().is_some());

    let mut config = broken();
    config.auth.provider =
        Some(AuthProviderConfig { name: "oidc".to_owned(), ..AuthProviderConfig::default() });
    let error = Credentials::new(&config, &CredentialsOptions::default()).unwrap_err();
    assert!(matches!(error, AuthError::Conflict(_)));
}

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl CredentialMetrics for Heard {
    fn exec_call(&self, call: ExecCall, code: i32) {
        self.0.lock().unwrap().push(format!("call {} {code}", call.as_str()));
    }

    fn exec_policy(&self, allowed: bool) {
        self.0.lock().unwrap().push(format!("allowed {allowed}"));
    }

    fn exec_certificate_expiry(&self, expiry: Option<SystemTime>) {
        self.0.lock().unwrap().push(format!("expiry {}", expiry.is_some()));
    }

    fn exec_certificate_rotated(&self, _: Duration) {
        self.0.lock().unwrap().push("rotated".to_owned());
    }
}

#[tokio::test]
async fn t3_9_16_new_cert_from_plugin_closes_old_connections_and_is_used_for_the_next_handshake() {
    let [one, two] = ["one", "two"].map(|name| {
        let (certificate, key) = self_signed(name);
        json!({"clientCertificateData": certificate, "clientKeyData": key})
    });
    let script = Script::new([one.clone(), one, two.clone(), two]);
    let heard = Arc::new(Heard::default());
    let authenticator = ExecAuthenticator::new(
        plugin(),
        cluster(),
        || false,
        Box::new(script.clone()),
        heard.clone(),
        Clock::paused(),
    )
    .unwrap();
    let rotations = authenticator.rotations();
    let (first, serial) = authenticator.get().await.unwrap();
    assert_eq!(*rotations.borrow(), 0, "the first replaces nothing");
    let (same, serial) = authenticator.refused(serial).await.unwrap();
    assert!(Arc::ptr_eq(first.identity.as_ref().unwrap(), same.identity.as_ref().unwrap()));
    assert_eq!(*rotations.borrow(), 0, "an equal one replaces nothing");
    let (second, _) = authenticator.refused(serial).await.unwrap();
    assert_ne!(first.identity, second.identity);
    assert_eq!(*rotations.borrow(), 1);
    let run = ["allowed true", "call no_error 0"];
    let expected =
        [&run[..], &["expiry true"], &run, &["expiry true"], &run, &["rotated", "expiry true"]].concat();
    assert_eq!(*heard.0.lock().unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn t3_9_17_parallel_update_transport_config_calls_are_race_free() {
    let config = client(shell(&format!("echo '{}'", credential(&json!({"token": "t3-9-17"})))));
    let tasks: Vec<_> = (0..32)
        .map(|_| {
            let config = config.clone();
            tokio::spawn(async move {
                let credentials = credentials(&config);
                (header(&credentials).await.unwrap(), credentials)
            })
        })
        .collect();
    let mut all = Vec::new();
    for task in tasks {
        let (header, credentials) = task.await.unwrap();
        assert_eq!(header, "Bearer t3-9-17");
        all.push(credentials);
    }
    assert!(all.windows(2).all(|pair| pair[0].same_source(&pair[1])));
}

#[tokio::test]
async fn t3_9_19_two_configs_with_the_same_exec_settings_share_one_transport() {
    let directory = tempfile::tempdir().unwrap();
    let count = directory.path().join("count");
    let script = format!("echo >> '{}'; echo '{}'", count.display(), credential(&json!({"token": "t"})));
    let config = client(shell(&script));
    let other = Config { default_namespace: "other".to_owned(), qps: 50.0, ..config.clone() };
    let [one, two] = [&config, &other].map(credentials);
    assert!(one.same_source(&two));
    header(&one).await.unwrap();
    header(&two).await.unwrap();
    assert_eq!(
        std::fs::read_to_string(count).unwrap().lines().count(),
        1,
        "and the plugin runs once for both"
    );
    assert!(!one.same_source(&credentials(&client(shell("exit 1")))));
}

// With paused time, the clock jumps to the timeout as soon as there is nothing to do but wait for the program.
#[tokio::test(start_paused = true)]
async fn a_plugin_that_hangs_is_stopped_in_time() {
    let config = ExecConfig {
        command: "sleep".to_owned(),
        args: vec!["600".to_owned()],
        timeout: Some(Duration::from_secs(30)),
        ..plugin()
    };
    let error = header(&credentials(&client(config))).await.unwrap_err();
    assert!(
        matches!(&error, AuthError::Exec(ExecError::TimedOut { after, .. }) if after.as_secs() == 30),
        "{error}"
    );
}

#[tokio::test]
async fn a_plugin_that_prints_garbage_is_an_error_that_shows_none_of_it() {
    for script in [
        "echo hunter2",
        "echo '{\"token\": hunter2'",
        "echo '[\"hunter2\"]'",
        "printf 'hunter2: [' ",
        "printf '\\377\\376hunter2'",
        "true",
        "head -c 2000000 /dev/zero",
    ] {
        let error = header(&credentials(&client(shell(script)))).await.unwrap_err();
        assert!(matches!(&error, AuthError::Exec(ExecError::Output { .. })), "{script}: {error}");
        let text = format!("{error} {error:?}");
        assert!(!text.contains("hunter2") && text.contains("sh"), "{text}");
    }
}
