//! Faults around a cluster: each ends with a clear error or a correct result, never with a hang, and never with
//! another's process ended.

use std::ffi::OsString;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_testkit::{
    Binaries, Cluster, Error, Folders, KUBECONFIG_VARIABLE, Options, ProcessIdentity, Progress,
};

use crate::life::{Held, Scenario};
use crate::stage::{Outcome, Stage, eventually};

/// A scenario that builds may have to compile all, where Go's own cache is cold.
const BUILD: Duration = Duration::from_mins(40);
const SOON: Duration = Duration::from_mins(1);

pub(crate) static SCENARIOS: &[Scenario] = &[
    ("a taken port is named, and its holder left alone", taken_port),
    ("a port that another process took first is detected, and others are tried", quicker_neighbour),
    ("an unknown feature gate is reported with kube-apiserver's message", unknown_gate),
    ("a name that can't name files is refused", bad_name),
    (
        "CLIENT_RS_KUBECONFIG that does not parse, is missing or names an unreachable server is reported",
        broken_kubeconfig,
    ),
    ("CLIENT_RS_KUBECONFIG of a running cluster is used, and the cluster keeps running", existing_cluster),
    ("two up of one name at once give one cluster", two_at_once),
    ("a cluster that lost a program is reported and replaced", lost_program),
    ("down does not end a process that reuses a process number", inherited_number),
    ("an up that is killed leaves nothing", killed_up),
    ("a half-built cache is built again, once for two processes", half_built_cache),
    ("a build that is killed leaves nothing", killed_build),
    ("without Go one line names the program to install", no_go),
    ("with a Go too old one line says what to install", old_go),
    ("with the module proxy out of reach one line says so", no_proxy),
];

fn taken_port(stage: &Stage) -> Result<()> {
    let holder = TcpListener::bind("127.0.0.1:0")?;
    let port = holder.local_addr()?.port().to_string();
    let outcome = stage.cluster(&["up", "--port", &port])?;
    outcome.fails_with(&format!("port {port} of 127.0.0.1 is taken"))?;
    stage.is_clean()?;
    ensure!(std::net::TcpStream::connect(holder.local_addr()?).is_ok(), "its holder is gone");
    Ok(())
}

fn quicker_neighbour(stage: &Stage) -> Result<()> {
    let holder = TcpListener::bind("127.0.0.1:0")?;
    // Whatever free port is picked, kube-apiserver is sent to one that was taken meanwhile.
    let options = Options::default()
        .with_apiserver_args(vec![format!("--secure-port={}", holder.local_addr()?.port())])
        .with_folders(stage.folders())
        .with_progress(Progress::silent());
    let error = Cluster::start(options).err().context("it started")?;
    ensure!(matches!(error, Error::PortTaken { .. }), "{error}");
    stage.is_clean()
}

fn unknown_gate(stage: &Stage) -> Result<()> {
    let outcome = stage.cluster(&["up", "--feature-gates", "NoSuchGate=true"])?;
    outcome.fails_with("kube-apiserver ended")?;
    outcome.fails_with("NoSuchGate")?;
    stage.is_clean()?;
    let senseless = stage.cluster(&["up", "--feature-gates", "NoSuchGate"])?;
    ensure!(senseless.code() == Some(2), "exit {:?} instead of 2", senseless.code());
    Ok(())
}

fn bad_name(stage: &Stage) -> Result<()> {
    for command in ["up", "down", "kubeconfig", "logs"] {
        stage.cluster(&[command, "--name", "../etc"])?.fails_with("can't name a cluster")?;
    }
    stage.is_clean()
}

fn broken_kubeconfig(stage: &Stage) -> Result<()> {
    let file = stage.file("kubeconfig");
    let nowhere = "current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\n\
                   clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n";
    for (content, words) in [
        (Some("clusters: ["), "does not parse"),
        (Some("current-context: a\n"), "there is no context `a`"),
        (Some(nowhere), "its server does not answer"),
        (None, "can't be read"),
    ] {
        match content {
            Some(content) => std::fs::write(&file, content)?,
            None => std::fs::remove_file(&file)?,
        }
        let mut command = stage.xtask(&["cluster", "hold"]);
        command.env(KUBECONFIG_VARIABLE, &file);
        let outcome = stage.start(command)?.finish(SOON)?;
        outcome.fails_with(words)?;
        outcome.fails_with(&file.display().to_string())?;
    }
    stage.is_clean()
}

fn existing_cluster(stage: &Stage) -> Result<()> {
    stage.cluster(&["up", "--name", "there"])?.success()?;
    let record = stage.record("there")?;
    let mut command = stage.xtask(&["cluster", "hold"]);
    command.env(KUBECONFIG_VARIABLE, &record.kubeconfig);
    // Its standard input is closed from the start: it holds the cluster for no time at all.
    let outcome = stage.start(command)?.finish(SOON)?.success()?;
    let held: Held = serde_json::from_str(&outcome.stdout)?;
    ensure!(
        held.server == record.server && held.processes.is_empty() && held.folder.is_none(),
        "{}",
        outcome.stdout
    );
    ensure!(stage.record("there")?.is_running(), "it was ended");
    down(stage, "there")
}

fn two_at_once(stage: &Stage) -> Result<()> {
    let start = || stage.start(stage.xtask(&["cluster", "up", "--name", "twins"]));
    let (first, second) = (start()?, start()?);
    let first = first.finish(Duration::from_mins(4))?.success()?;
    let second = second.finish(Duration::from_mins(4))?.success()?;
    ensure!(first.last_line()? == second.last_line()?, "two kubeconfigs");
    let both = format!("{}{}", first.stdout, second.stdout);
    ensure!(both.matches(": up in ").count() == 1 && both.matches(": already up").count() == 1, "{both}");
    ensure!(stage.record("twins")?.is_running(), "it does not run");
    down(stage, "twins")
}

fn lost_program(stage: &Stage) -> Result<()> {
    stage.cluster(&["up", "--name", "hurt"])?.success()?;
    let before = stage.record("hurt")?;
    let (_, apiserver) =
        before.processes.iter().find(|(name, _)| name == "kube-apiserver").context("no kube-apiserver")?;
    ensure!(apiserver.end(Duration::from_secs(20))?, "kube-apiserver did not end");
    let status = stage.cluster(&["status"])?;
    ensure!(status.code() == Some(1), "status found nothing wrong");
    ensure!(status.stdout.contains("hurt: broken (kube-apiserver ended)"), "{}", status.stdout);
    stage.cluster(&["kubeconfig", "--name", "hurt"])?.fails_with("cluster hurt is broken")?;
    stage.cluster(&["up", "--name", "hurt"])?.success()?;
    let after = stage.record("hurt")?;
    ensure!(after.is_running() && after.folder != before.folder && !before.folder.exists(), "not replaced");
    for (name, process) in &before.processes {
        ensure!(!process.is_alive(), "the old {name} lives");
    }
    down(stage, "hurt")
}

fn inherited_number(stage: &Stage) -> Result<()> {
    stage.cluster(&["up", "--name", "heirs"])?.success()?;
    let mut bystander = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let heir = ProcessIdentity::of(bystander.id())?.context("cat ended")?;
    let file = stage.record_file("heirs");
    let mut record: serde_json::Value = serde_json::from_slice(&std::fs::read(&file)?)?;
    let processes = record["processes"].as_array_mut().context("no processes on record")?;
    processes.push(serde_json::json!(["kubelet", {"pid": heir.pid(), "started": "an earlier moment"}]));
    std::fs::write(&file, record.to_string())?;
    let outcome = down(stage, "heirs");
    let alive = heir.is_alive();
    drop(bystander.stdin.take());
    let status = bystander.wait()?;
    ensure!(alive && status.success(), "it was ended: {status}");
    outcome
}

fn killed_up(stage: &Stage) -> Result<()> {
    let mut up = stage.start(stage.xtask(&["cluster", "up", "--name", "cut-short"]))?;
    let data = stage.folders().data;
    eventually(SOON, || {
        let mut folders = std::fs::read_dir(&data)?.flatten();
        ensure!(
            folders.any(|folder| folder.path().join("kube-apiserver.log").exists()),
            "kube-apiserver not started"
        );
        Ok(())
    })?;
    ensure!(up.is_running()?, "it was too quick");
    up.kill()?;
    eventually(Duration::from_secs(30), || {
        ensure!(!data.exists(), "{} is left", data.display());
        Ok(())
    })?;
    // The lock file stays, because its killed holder could not remove it. The next command does.
    stage.cluster(&["up", "--name", "cut-short"])?.success()?;
    down(stage, "cut-short")
}

fn half_built_cache(stage: &Stage) -> Result<()> {
    let cache = stage.file("cache");
    let whole = Binaries::location(&Folders::of_user())?;
    let key = whole.file_name().context("no name")?;
    let half = cache.join("client-rs/controlplane").join(key);
    std::fs::create_dir_all(half.join("bin"))?;
    std::fs::write(half.join("bin/kube-apiserver"), "half a program")?;
    std::fs::set_permissions(half.join("bin/kube-apiserver"), std::fs::Permissions::from_mode(0o755))?;
    std::fs::copy(whole.join("complete.json"), half.join("complete.json"))?;
    let start = |name: &str| {
        let mut command = stage.xtask(&["cluster", "up", "--name", name]);
        command.env("XDG_CACHE_HOME", &cache).env("GOCACHE", go_cache()?);
        stage.start(command)
    };
    let (first, second) = (start("one")?, start("two")?);
    let first = first.finish(BUILD)?.success()?;
    let second = second.finish(BUILD)?.success()?;
    let both = format!("{}{}", first.stderr, second.stderr);
    ensure!(both.matches("building Kubernetes").count() == 1, "built twice: {both}");
    ensure!(both.contains("waiting for another build"), "the other printed nothing: {both}");
    let left: Vec<_> = std::fs::read_dir(cache.join("client-rs/controlplane"))?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("partial"))
        .collect();
    ensure!(left.is_empty(), "left behind: {left:?}");
    stage.cluster(&["down", "--name", "one"])?.success()?;
    down(stage, "two")
}

fn killed_build(stage: &Stage) -> Result<()> {
    let cache = stage.file("cache");
    let mut command = stage.xtask(&["cluster", "up", "--name", "cut-short"]);
    command.env("XDG_CACHE_HOME", &cache).env("GOCACHE", go_cache()?);
    let mut up = stage.start(command)?;
    let drafts = || -> Result<usize> {
        let entries = std::fs::read_dir(cache.join("client-rs/controlplane"))?.flatten();
        Ok(entries.filter(|entry| entry.file_name().to_string_lossy().contains("partial")).count())
    };
    eventually(SOON, || {
        ensure!(drafts()? == 1 && !stage.processes()?.is_empty(), "no build yet");
        Ok(())
    })?;
    ensure!(up.is_running()?, "it was too quick");
    up.kill()?;
    eventually(Duration::from_secs(30), || {
        ensure!(drafts()? == 0, "half a build is left");
        let processes = stage.processes()?;
        ensure!(processes.is_empty(), "still running: {processes:?}");
        Ok(())
    })?;
    down(stage, "cut-short")
}

fn no_go(stage: &Stage) -> Result<()> {
    let empty = stage.file("no-go");
    std::fs::create_dir_all(&empty)?;
    let outcome = with_path(stage, "no-go-cache", empty.into_os_string(), &[])?;
    outcome.fails_with("Go is not on the PATH: install Go 1.")?;
    stage.is_clean()
}

fn old_go(stage: &Stage) -> Result<()> {
    let folder = stage.file("old-go");
    std::fs::create_dir_all(&folder)?;
    let go = folder.join("go");
    std::fs::write(&go, "#!/bin/sh\necho 'go version go1.19.13 linux/amd64'\n")?;
    std::fs::set_permissions(&go, std::fs::Permissions::from_mode(0o755))?;
    let outcome = with_path(stage, "old-go-cache", folder.into_os_string(), &[])?;
    outcome.fails_with("go1.19.13 linux/amd64 is too old: install Go 1.")?;
    stage.is_clean()
}

fn no_proxy(stage: &Stage) -> Result<()> {
    let modules = stage.file("no-proxy-modules");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let settings: [(&str, &Path); 2] =
        [("GOPROXY", Path::new("http://127.0.0.1:1")), ("GOMODCACHE", &modules)];
    let outcome = with_path(stage, "no-proxy-cache", path, &settings)?;
    outcome.fails_with("the Go module proxy is out of reach (GOPROXY=http://127.0.0.1:1)")?;
    stage.is_clean()
}

/// `cluster up` with an empty cache and another PATH.
fn with_path(stage: &Stage, cache: &str, path: OsString, settings: &[(&str, &Path)]) -> Result<Outcome> {
    let mut command = stage.xtask(&["cluster", "up"]);
    command.env("XDG_CACHE_HOME", stage.file(cache)).env("PATH", path);
    command.envs(settings.iter().copied());
    stage.start(command)?.finish(Duration::from_mins(2))
}

/// The folder of Go's build cache: found through `XDG_CACHE_HOME` unless it is set explicitly.
fn go_cache() -> Result<PathBuf> {
    let output = Command::new("go").args(["env", "GOCACHE"]).output().context("can't run go")?;
    Ok(String::from_utf8(output.stdout)?.trim_end().into())
}

/// Takes the last cluster down: nothing is left on the stage.
fn down(stage: &Stage, name: &str) -> Result<()> {
    stage.cluster(&["down", "--name", name])?.success()?;
    stage.is_clean()
}
