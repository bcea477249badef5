//! One Ctrl-C is enough, whatever `krs` is at.
#![allow(clippy::unwrap_used, reason = "tests may")]
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
use rustix::process::{Pid, Signal, kill_process};

/// The timeout of everything that must happen, generous for a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// A background job of a shell ignores SIGINT, and programs that it starts inherit that. A signal that is caught is theirs to
/// ignore or not again.
fn children_hear_interrupts() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    if ignored & (1 << (Signal::INT.as_raw() - 1)) != 0 {
        drop(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()).unwrap());
    }
}

fn krs(folder: &Path, words: &[&str]) -> Child {
    children_hear_interrupts();
    let mut command = Command::new(env!("CARGO_BIN_EXE_krs"));
    command.arg("--kubeconfig").arg(folder.join("config")).arg("--cache-dir").arg(folder.join("cache"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Sends the signal, once, and waits for the end.
fn interrupt(mut child: Child) -> ExitStatus {
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(id, Signal::INT).unwrap();
    let (tell, ended) = mpsc::channel();
    std::thread::spawn(move || tell.send(child.wait().unwrap()));
    ended.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        // The process was started here, and ends in no other way.
        let _ = kill_process(id, Signal::KILL);
        panic!("one interrupt was not enough")
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn one_interrupt_ends_what_watches() {
    let server = Server::start_with(
        ServerOptions::default().with_storage(StorageOptions::default().with_populate(true).into()),
    )
    .await
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config"), server.kubeconfig().unwrap()).unwrap();
    for words in [&["get", "namespaces", "--watch"][..], &["watch", "namespaces"]] {
        let mut child = krs(folder.path(), words);
        let mut out = BufReader::new(child.stdout.take().unwrap());
        // It has begun; from here on it ends in order.
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(line.contains("NAME"), "{words:?}: {line}");
        let status = tokio::task::spawn_blocking(move || interrupt(child)).await.unwrap();
        assert!(status.success(), "{words:?}: {status}");
    }
    server.shutdown().await;
}

#[test]
fn one_interrupt_is_enough_while_a_server_does_not_answer() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _context = runtime.enter();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = format!(
        "{{apiVersion: v1, kind: Config, current-context: c, contexts: [{{name: c, context: {{cluster: c, user: ''}}}}], \
         clusters: [{{name: c, cluster: {{server: 'http://{}'}}}}]}}",
        listener.local_addr().unwrap()
    );
    std::fs::write(folder.path().join("config"), kubeconfig).unwrap();
    for words in [
        &["get", "pods", "--watch"][..],
        &["watch", "pods"],
        &["get", "pods"],
        &["port-forward", "web", "0:80"],
    ] {
        let child = krs(folder.path(), words);
        let _connection = listener.accept().unwrap();
        let status = interrupt(child);
        // It ends by itself, or the system ends it if it has no handler yet.
        assert!(
            status.code().is_some() || status.signal() == Some(Signal::INT.as_raw()),
            "{words:?}: {status}"
        );
    }
}

/// Reports of requests go to standard error; the output is the same.
#[tokio::test(flavor = "multi_thread")]
async fn requests_are_reported_by_verbosity() {
    let server = Server::start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config"), server.kubeconfig().unwrap()).unwrap();
    let run = |words: &'static [&'static str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_krs"));
        command.arg("--kubeconfig").arg(folder.path().join("config"));
        command.arg("--cache-dir").arg(folder.path().join("cache")).args(words).stdin(Stdio::null());
        async move {
            let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
            assert!(output.status.success(), "{output:?}");
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
        }
    };
    let (quiet, nothing) = run(&["get", "namespaces", "-o", "name"]).await;
    assert!(quiet.contains("namespace/default") && nothing.is_empty(), "{quiet} {nothing}");
    let (out, reports) = run(&["-v=6", "get", "namespaces", "-o", "name"]).await;
    assert_eq!(out, quiet);
    let line = reports.lines().find(|line| line.contains("/api/v1/namespaces")).unwrap();
    assert!(
        line.starts_with("GET http") && line.contains(" 200 OK in ") && line.ends_with("milliseconds"),
        "{line}"
    );
    let (_, reports) = run(&["get", "namespaces", "default", "--v=9"]).await;
    for text in ["curl -v -XGET", "Request Headers:", "Response Status: 200 OK", "Response Body: {"] {
        assert!(reports.contains(text), "{text}: {reports}");
    }
    server.shutdown().await;
}
