//! The programs of envtest as processes, under their names.
#![allow(clippy::unwrap_used, reason = "tests may")]
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{Api, RestClient};
use client_rs_transport::Config;
use rustix::process::{Pid, Signal, kill_process};

/// A running program, and the URL that it printed.
struct Program {
    child: Child,
    url: String,
}

impl Program {
    fn start(program: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program).args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(url.starts_with("http"), "{line}");
        Self { child, url }
    }

    /// SIGTERM, as envtest ends its programs.
    fn end(mut self) {
        let id = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(id, Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
    }

    fn client(&self) -> RestClient {
        let mut config = Config::new(self.url.parse().unwrap());
        config.tls.insecure_skip_verify = true;
        config.auth.token = Some("t0ken".into());
        RestClient::from_config(&config).unwrap()
    }
}

/// The folder of `krs envtest`, in a cache of its own.
fn assets(cache: &Path) -> PathBuf {
    let run = |word: &str| -> Output {
        let mut krs = Command::new(env!("CARGO_BIN_EXE_krs"));
        krs.args(["envtest", word]).env("XDG_CACHE_HOME", cache).output().unwrap()
    };
    let folder = String::from_utf8(run("path").stdout).unwrap().trim().to_owned();
    let line = String::from_utf8(run("env").stdout).unwrap();
    assert_eq!(line, format!("export KUBEBUILDER_ASSETS='{folder}'\n"));
    PathBuf::from(folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_server_is_prepared_saved_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let program = assets(folder.path()).join("kube-apiserver");
    let tokens = folder.path().join("tokens.csv");
    std::fs::write(&tokens, "t0ken,jane,1,system:masters\n").unwrap();
    let snapshot = folder.path().join("state");
    let (tokens, snapshot) = (tokens.to_str().unwrap(), snapshot.to_str().unwrap());
    let common = [
        "--authorization-mode=RBAC",
        "--secure-port=0",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--disable-admission-plugins=ServiceAccount",
        "--etcd-servers=http://127.0.0.1:2379",
        "--token-auth-file",
        tokens,
    ];

    let server = Program::start(&program, &[&common[..], &["--snapshot", snapshot]].concat());
    let mut map = ConfigMap::EMPTY;
    map.metadata.name = "kept".into();
    let created = Api::<ConfigMap, _>::within(&server.client(), "default").create(map).await.unwrap();
    server.end();

    let server = Program::start(&program, &[&common[..], &["--restore", snapshot]].concat());
    let found = Api::<ConfigMap, _>::within(&server.client(), "default").get("kept").await.unwrap();
    assert_eq!(found, created);
    server.end();
}

#[test]
fn etcd_answers_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let program = assets(folder.path()).join("etcd");
    let etcd =
        Program::start(&program, &["--listen-client-urls=http://127.0.0.1:0", "--data-dir=/nonexistent"]);
    let mut stream = TcpStream::connect(etcd.url.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
    etcd.end();
}

#[test]
fn unknown_and_unsupported_flags_are_errors_and_help_lists_flags() {
    let folder = tempfile::tempdir().unwrap();
    let assets = assets(folder.path());
    let run = |program: &str, flag: &str| Command::new(assets.join(program)).arg(flag).output().unwrap();
    let refused = run("kube-apiserver", "--audit-policy-file=x");
    assert_eq!(refused.status.code(), Some(1));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(text, "error: --audit-policy-file is not supported: there is no audit log\n");
    assert_eq!(run("etcd", "--no-such-flag").status.code(), Some(1));
    // envtest looks for flags in the help.
    let help = |program: &str| String::from_utf8(run(program, "--help").stdout).unwrap();
    assert!(help("etcd").lines().any(|line| line.trim().starts_with("--unsafe-no-fsync")));
    assert!(!help("kube-apiserver").contains("--insecure-port"));
    let kubectl = run("kubectl", "--help");
    assert!(
        kubectl.status.success() && String::from_utf8(kubectl.stdout).unwrap().contains("Usage: kubectl")
    );
}
