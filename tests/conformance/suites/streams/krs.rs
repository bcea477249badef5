//! `krs` as a process, compared with kubectl: the same command lines for the same pods.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::apps::v1::Deployment;
use client_rs_api::core::v1::{Pod, Service};
use client_rs_client::Api;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_tests::{KubeletOptions, Proxy, Stage};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, ChildStdout, Command};

use super::kubectl::kubectl;
use super::ports::{Echo, there_and_back};
use super::scene::{POD, Scene, on_kubelet};

/// Set for a process that is to be `krs`: it is this very program.
const ROLE: &str = "CLIENT_RS_TESTS_KRS";

/// Whether this process should act as `krs`.
pub fn asked() -> bool {
    std::env::var_os(ROLE).is_some()
}

/// `krs` with these words.
pub(super) fn krs(stage: &Stage, scene: &Scene, words: &[&str]) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env(ROLE, "1").env_remove("KUBECONFIG").arg("--kubeconfig").arg(stage.kubeconfig()?);
    command.arg("--cache-dir").arg(stage.folder()?.join("cache")).args(["-n", &scene.namespace]);
    command.args(words).kill_on_drop(true).stdin(Stdio::null());
    Ok(command)
}

/// Sends a signal to a process of ours.
pub(super) fn signal(child: &Child, signal: Signal) -> Result<()> {
    let pid = child.id().and_then(|pid| Pid::from_raw(pid.cast_signed())).context("it has ended")?;
    Ok(kill_process(pid, signal)?)
}

/// The result of a command.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

async fn end(mut command: Command, input: &[u8]) -> Result<Ended> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().context("stdin")?;
    // A process that does not read its input reports that itself.
    let _ = stdin.write_all(input).await;
    drop(stdin);
    let output = child.wait_with_output().await?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) })
}

/// How much of two ends must be the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Same {
    /// Code, output and complaints.
    All,
    /// Code and output: each complains in its own words.
    Output,
}

/// Runs both with each line of words, and names all that differ.
async fn compare(stage: &Stage, scene: &Scene, rows: &[(Same, &[&str], &str)]) -> Result<()> {
    let mut different = Vec::new();
    for (same, words, input) in rows {
        let (one, other) = tokio::try_join!(
            end(kubectl(stage, scene, words)?, input.as_bytes()),
            end(krs(stage, scene, words)?, input.as_bytes())
        )?;
        let complaints = *same == Same::Output || one.err == other.err;
        if (one.code, &one.out) != (other.code, &other.out) || !complaints {
            different.push(format!("{}\n  kubectl: {one:?}\n  krs:     {other:?}", words.join(" ")));
        }
    }
    ensure!(different.is_empty(), "they differ:\n{}", different.join("\n"));
    Ok(())
}

fn object<K: Payload>(json: &serde_json::Value) -> Result<K> {
    Ok(K::decode(Format::Json, json.to_string().as_bytes(), &mut Decoding::new())?)
}

/// A pod `front` of a service and a deployment of that name, one with an annotation, and one that has ended.
async fn furnish(scene: &Scene, ports: &[serde_json::Value]) -> Result<()> {
    let (client, kubelet, namespace) = (&scene.client, &scene.kubelet, scene.namespace.as_str());
    kubelet.labelled_pod(client, namespace, "front", &["app", "side"], &[("app", "front")]).await?;
    let metadata = json!({
        "name": "marked", "namespace": namespace,
        "annotations": {"kubectl.kubernetes.io/default-container": "side"},
    });
    let containers = ["app", "side"].map(|name| json!({"name": name, "image": "none"}));
    kubelet.pod_of(client, &metadata, &containers).await?;
    kubelet.pod(client, namespace, "done", &["app"]).await?;
    finish(&scene.pods, "done").await?;
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "front", "namespace": namespace},
        "spec": {"selector": {"app": "front"}, "ports": ports},
    });
    Api::<Service>::namespaced(client, namespace).create(object::<Service>(&service)?).await?;
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "front", "namespace": namespace},
        "spec": {
            "replicas": 0, "selector": {"matchLabels": {"app": "front"}},
            "template": {
                "metadata": {"labels": {"app": "front"}},
                "spec": {"containers": [{"name": "app", "image": "none"}]},
            },
        },
    });
    Api::<Deployment>::namespaced(client, namespace).create(object::<Deployment>(&deployment)?).await?;
    Ok(())
}

/// A pod's work is done.
async fn finish(pods: &Api<Pod>, name: &str) -> Result<()> {
    let done = client_rs_machinery::json!({"status": {"phase": "Succeeded"}});
    pods.patch_status(name, &Patch::Merge(done)).await?;
    Ok(())
}

pub(super) async fn as_kubectl(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        furnish(scene, &[json!({"port": 80})]).await?;
        for (pod, container) in [(POD, "app"), ("front", "app"), ("front", "side"), ("done", "app")] {
            for number in 0..3 {
                let line = format!("{pod}/{container} {number}");
                scene.kubelet.log(&scene.namespace, pod, container, &line);
            }
        }
        scene.kubelet.end_log(&scene.namespace, "done", "app");
        let file = stage.folder()?.join("pod.yaml");
        let text = format!(
            "{{apiVersion: v1, kind: Pod, metadata: {{name: {POD}}}, spec: {{containers: [{{name: app}}]}}}}"
        );
        std::fs::write(&file, text)?;
        let from_file = ["exec", "-f", file.to_str().context("a path")?, "-c", "app", "--", "pwd"];
        compare(stage, scene, &[(Same::All, &from_file, "")]).await?;
        compare(stage, scene, EXECS).await?;
        compare(stage, scene, ATTACHES).await?;
        compare(stage, scene, LOGS).await
    })
    .await
}

const EXECS: &[(Same, &[&str], &str)] = &[
    (Same::All, &["exec", POD, "-c", "app", "--", "echo", "hello"], ""),
    (Same::All, &["exec", POD, "--", "sh", "-c", "echo out; echo err >&2; exit 5"], ""),
    (Same::All, &["exec", "-q", POD, "--", "echo", "quiet"], ""),
    (Same::All, &["exec", "-i", POD, "-c", "app", "--", "cat"], "something to read\n"),
    (Same::All, &["exec", "-it", POD, "-c", "app", "--", "cat"], "from no terminal\n"),
    (Same::All, &["exec", "-itq", POD, "-c", "app", "--", "cat"], "from no terminal\n"),
    (Same::All, &["exec", "-t", POD, "-c", "app", "--", "cat"], "unread\n"),
    (Same::All, &["exec", "--stdin=true", "--tty=false", POD, "-c", "app", "--", "wc", "-c"], "12345"),
    (Same::All, &["exec", POD, "-c", "side", "--", "sh", "-c", "kill -9 $$"], ""),
    (Same::All, &["exec", POD, "-c", "side", "--", "false"], ""),
    (Same::All, &["exec", "pod/front", "-c", "app", "--", "pwd"], ""),
    (Same::All, &["exec", "svc/front", "--", "pwd"], ""),
    (Same::All, &["exec", "deploy/front", "-c", "side", "--", "pwd"], ""),
    (Same::All, &["exec", "marked", "--", "pwd"], ""),
    (Same::All, &["exec", "missing", "--", "ls"], ""),
    (Same::All, &["exec", "nonsense/x", "--", "ls"], ""),
    (Same::All, &["exec", POD, "-c", "none", "--", "ls"], ""),
    (Same::All, &["exec", "done", "--", "ls"], ""),
    (Same::All, &["exec", POD], ""),
    (Same::All, &["exec", "--", "ls"], ""),
    (Same::Output, &["exec", POD, "ls"], ""),
    (Same::Output, &["exec", POD, "-c", "app", "--", "/no/such/command"], ""),
];

const ATTACHES: &[(Same, &[&str], &str)] = &[
    (Same::All, &["attach", "-i", POD, "-c", "app"], "to the first process\n"),
    (Same::All, &["attach", "-iq", POD, "-c", "app"], "in silence\n"),
    (Same::All, &["attach", "-i", "deploy/front", "-c", "side"], "of a deployment\n"),
    (Same::All, &["attach", "-i", "deploy", "front", "-c", "side"], "in two words\n"),
    (Same::All, &["attach", "-it", POD, "-c", "app"], "without a terminal\n"),
    (Same::All, &["attach", "missing"], ""),
    (Same::All, &["attach", POD, "-c", "none"], ""),
    (Same::All, &["attach", "done"], ""),
    (Same::All, &["attach"], ""),
    (Same::All, &["attach", "a", "b", "c"], ""),
];

const LOGS: &[(Same, &[&str], &str)] = &[
    (Same::All, &["logs", POD, "-c", "app"], ""),
    (Same::All, &["logs", POD, "app"], ""),
    (Same::All, &["logs", POD], ""),
    (Same::All, &["logs", POD, "-c", "app", "--tail=2"], ""),
    (Same::All, &["logs", POD, "-c", "app", "--timestamps"], ""),
    (Same::All, &["logs", POD, "-c", "app", "--limit-bytes=9"], ""),
    (Same::All, &["logs", POD, "-c", "app", "--since-time=2020-01-01T00:00:00Z"], ""),
    (Same::All, &["logs", POD, "-c", "app", "--prefix"], ""),
    (Same::All, &["logs", "-l", "app=front", "--prefix", "-c", "side"], ""),
    (Same::All, &["logs", "-l", "app=front", "--tail=1", "-c", "side"], ""),
    (Same::All, &["logs", "-l", "app=none"], ""),
    (Same::All, &["logs", "svc/front"], ""),
    (Same::All, &["logs", "deploy/front", "-c", "side", "--all-pods"], ""),
    (Same::All, &["logs", "-f", "done", "-c", "app"], ""),
    (Same::All, &["logs", "-f", "done", "--timestamps", "--prefix", "--tail=2"], ""),
    (Same::All, &["logs", "-f", "done", "--limit-bytes=15"], ""),
    (Same::All, &["logs", "-f", POD, "--all-containers", "--max-log-requests=1"], ""),
    (Same::All, &["logs", POD, "-c", "none"], ""),
    (Same::All, &["logs", POD, "app", "-c", "side"], ""),
    (Same::All, &["logs", POD, "--all-containers", "-c", "app"], ""),
    (Same::All, &["logs", POD, "-c", "app", "--tail=-2"], ""),
    (Same::Output, &["logs", "missing"], ""),
    (Same::Output, &["logs", POD, "-l", "a=b"], ""),
    (Same::Output, &["logs"], ""),
];

pub(super) async fn copies(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let folder = stage.folder()?;
        let tree = folder.join("tree");
        std::fs::create_dir_all(tree.join("deep/empty"))?;
        std::fs::write(tree.join("a"), "one")?;
        std::fs::write(tree.join("deep/b"), vec![7; 300_000])?;
        let tree = tree.to_str().context("a path")?;
        let container = scene.kubelet.container(&scene.namespace, POD, "app")?;
        let mut seen = Vec::new();
        for name in ["kubectl", "krs"] {
            let run = async |words: &[&str]| {
                let words = [&["cp", "-c", "app"], words].concat();
                let command =
                    if name == "krs" { krs(stage, scene, &words)? } else { kubectl(stage, scene, &words)? };
                let ended = end(command, b"").await?;
                ensure!(ended.code == Some(0) && ended.out.is_empty(), "{name} {words:?}: {ended:?}");
                Ok(())
            };
            let there = format!("{POD}:there-{name}");
            let back = folder.join(format!("back-{name}"));
            let back = back.to_str().context("a path")?;
            // Once under that name, once into the folder that exists by now.
            run(&[tree, &there]).await?;
            run(&[tree, &format!("{there}/")]).await?;
            run(&["--no-preserve", &format!("{tree}/a"), &format!("{there}/single")]).await?;
            // Once as that name, once added to the folder that is here by now.
            run(&[&there, back]).await?;
            run(&[&format!("{}/{there}/tree", scene.namespace), back]).await?;
            run(&["--retries=2", &format!("{there}/deep/b"), &format!("{back}/new/file")]).await?;
            let there = listing(&container.join(format!("there-{name}")))?;
            let back = listing(Path::new(back))?;
            ensure!(there.iter().any(|line| line == "single one"), "{there:?}");
            ensure!(there.iter().any(|line| line.starts_with("tree/deep/b ")), "{there:?}");
            seen.push((there, back));
        }
        ensure!(seen[0] == seen[1], "they differ:\n  kubectl: {:?}\n  krs:     {:?}", seen[0], seen[1]);
        compare(
            stage,
            scene,
            &[
                (Same::All, &["cp", "here"], ""),
                (Same::All, &["cp", "here", "there"], ""),
                (Same::All, &["cp", "web:a", "web:b"], ""),
                (Same::All, &["cp", ":a", "b"], ""),
                (Same::All, &["cp", "a/b/c:d", "b"], ""),
                (Same::All, &["cp", "web:", "b"], ""),
                (Same::All, &["cp", "no-such-file", "web:b"], ""),
                (Same::All, &["cp", "missing:a", "b"], ""),
                (Same::All, &["cp", "web:a", "b", "-c", "none"], ""),
            ],
        )
        .await?;
        // tar's own message and exit code. kubectl may have ended before it receives them, with success.
        let ended = end(krs(stage, scene, &["cp", "-c", "app", "web:no-such-file", "b"])?, b"").await?;
        ensure!(ended.code == Some(2) && ended.out.is_empty(), "{ended:?}");
        ensure!(ended.err.contains("no-such-file"), "{ended:?}");
        ensure!(ended.err.ends_with("command terminated with exit code 2\n"), "{ended:?}");
        copy_with_retry(stage, scene, &container.join("large")).await
    })
    .await
}

/// A copy whose connection is cut starts again, if retries are requested.
async fn copy_with_retry(stage: &Stage, scene: &Scene, source: &Path) -> Result<()> {
    let proxy = Proxy::start(stage.config()).await?;
    let server = proxy.config(stage.config())?.server.to_string();
    let file = std::fs::File::create(source)?;
    // More than comes through before the cut; it takes no room.
    file.set_len(8 << 30)?;
    let target = stage.folder()?.join("cut");
    std::fs::create_dir(&target)?;
    let to = target.to_str().context("a path")?;
    let words = ["--server", &server, "cp", "-c", "app", "--retries=1", "web:large", to];
    let copying = end(krs(stage, scene, &words)?, b"");
    let cutting = async {
        client_rs_tests::eventually("something has been copied", || async {
            for entry in std::fs::read_dir(&target)? {
                let staged = entry?.path().join("root");
                if std::fs::metadata(&staged).is_ok_and(|metadata| metadata.len() > 0) {
                    return Ok(());
                }
            }
            bail!("nothing is there")
        })
        .await?;
        // The content for the second try.
        file.set_len(0)?;
        std::fs::write(source, "small")?;
        proxy.cut();
        Ok(())
    };
    let (ended, ()) = tokio::try_join!(copying, cutting)?;
    ensure!(ended.code == Some(0) && ended.err.contains("is retried (1/1)"), "{ended:?}");
    ensure!(listing(&target)? == ["large small"], "{:?}", listing(&target)?);
    Ok(())
}

/// Lists every file and folder below with its content, in order; an empty folder has only its name.
fn listing(folder: &Path) -> Result<Vec<String>> {
    fn add(folder: &Path, name: &str, lines: &mut Vec<String>) -> Result<()> {
        for entry in std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
            let entry = entry?;
            let name = format!("{name}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                lines.push(format!("{name}/"));
                add(&entry.path(), &format!("{name}/"), lines)?;
            } else {
                let bytes = std::fs::read(entry.path())?;
                let text = if bytes.len() < 100 {
                    String::from_utf8_lossy(&bytes).into_owned()
                } else {
                    super::scene::hash(&bytes)
                };
                lines.push(format!("{name} {text}"));
            }
        }
        Ok(())
    }
    let mut lines = Vec::new();
    add(folder, "", &mut lines)?;
    lines.sort();
    Ok(lines)
}

/// A command that is running, line by line.
struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(mut command: Command) -> Result<Self> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let lines = BufReader::new(child.stdout.take().context("stdout")?).lines();
        Ok(Self { child, lines })
    }

    async fn line(&mut self) -> Result<String> {
        if let Some(line) = self.lines.next_line().await? {
            return Ok(line);
        }
        let mut said = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut said).await?;
        }
        bail!("it has ended with {}: {said}", self.child.wait().await?)
    }

    /// Interrupts it, and returns its exit code.
    async fn interrupt(mut self) -> Result<Option<i32>> {
        signal(&self.child, Signal::INT)?;
        Ok(self.child.wait().await?.code())
    }

    /// Returns `count` local ports at 127.0.0.1, with the ports that they lead to.
    async fn ports(&mut self, count: usize) -> Result<Vec<(u16, u16)>> {
        let mut ports = Vec::new();
        while ports.len() < count {
            let line = self.line().await?;
            let Some(rest) = line.strip_prefix("Forwarding from 127.0.0.1:") else {
                ensure!(line.starts_with("Forwarding from [::1]:"), "{line:?}");
                continue;
            };
            let (local, remote) = rest.split_once(" -> ").with_context(|| line.clone())?;
            ports.push((local.parse()?, remote.parse()?));
        }
        Ok(ports)
    }
}

pub(super) async fn forwards(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let echo = Echo::start().await?;
        let dead = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?.local_addr()?.port();
        let port =
            |name: &str, port: u16, target: u16| json!({"name": name, "port": port, "targetPort": target});
        furnish(scene, &[port("web", 80, echo.port), port("dead", 81, dead)]).await?;
        let words = ["port-forward", "svc/front", ":80", ":dead"];
        let mut theirs = Running::start(kubectl(stage, scene, &words)?)?;
        let their_ports = theirs.ports(2).await?;
        ensure!(theirs.interrupt().await? == Some(0), "kubectl ends otherwise");

        let mut running = Running::start(krs(stage, scene, &words)?)?;
        let ports = running.ports(2).await?;
        let remotes = |ports: &[(u16, u16)]| ports.iter().map(|(_, remote)| *remote).collect::<Vec<_>>();
        ensure!(remotes(&ports) == [echo.port, dead], "{ports:?}");
        ensure!(remotes(&ports) == remotes(&their_ports), "{ports:?} {their_ports:?}");
        let [(alive, _), (lost, _)] = ports[..] else { bail!("{ports:?}") };
        let connect = async |port| TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, port)).await;
        for number in 0..10 {
            there_and_back(connect(alive).await?, 50_000, number).await?;
        }
        // One that leads nowhere ends, and nothing else does. It may be broken off before this side has seen that it was
        // there: connecting, as reading, fails then.
        let read = match connect(lost).await {
            Ok(mut nowhere) => nowhere.read(&mut [0]).await,
            Err(error) => Err(error),
        };
        ensure!(!matches!(read, Ok(1..)), "something came from nowhere");
        there_and_back(connect(alive).await?, 50_000, 11).await?;
        // Nor does the loss of the connection to the pod end it.
        scene.kubelet.cut_forwards();
        client_rs_tests::eventually("it is forwarded again", || async {
            there_and_back(connect(alive).await?, 50_000, 12).await
        })
        .await?;
        // Each was reported.
        let mut told = 0;
        while told < 12 {
            let line = running.line().await?;
            told += usize::from(line == format!("Handling connection for {alive}"));
        }
        ensure!(running.interrupt().await? == Some(0), "it ends otherwise than it should");
        compare(
            stage,
            scene,
            &[
                (Same::All, &["port-forward", "missing", "80"], ""),
                (Same::All, &["port-forward", "svc/front", "82"], ""),
                (Same::All, &["port-forward", "svc/front", "none"], ""),
                (Same::All, &["port-forward", "web", "none"], ""),
                (Same::Output, &["port-forward", "web", "80:"], ""),
                (Same::All, &["port-forward", "done", "80"], ""),
                (Same::All, &["port-forward", "web", "80", "--address", "nowhere"], ""),
                (Same::Output, &["port-forward", "web"], ""),
            ],
        )
        .await
    })
    .await
}

pub(super) async fn follows(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let (kubelet, namespace) = (&scene.kubelet, scene.namespace.as_str());
        let words = ["logs", "-f", POD, "--all-containers", "--prefix", "--tail=1", "--max-log-requests=2"];
        for container in ["app", "side"] {
            kubelet.log(namespace, POD, container, "skipped");
            kubelet.log(namespace, POD, container, "0");
        }
        let mut running = Running::start(krs(stage, scene, &words)?)?;
        for number in 0..4 {
            let mut lines = vec![running.line().await?, running.line().await?];
            lines.sort();
            let expected = ["app", "side"].map(|name| format!("[pod/{POD}/{name}] {number}"));
            ensure!(lines == expected, "{lines:?}");
            kubelet.cut_logs(namespace, POD, "app");
            for container in ["app", "side"] {
                kubelet.log(namespace, POD, container, &(number + 1).to_string());
            }
        }
        ensure!(running.interrupt().await? == Some(1), "it ends otherwise than kubectl");
        // With its container it ends by itself, and well.
        let mut running = Running::start(krs(stage, scene, &["logs", "-f", POD, "-c", "side", "--tail=1"])?)?;
        ensure!(running.line().await? == "4");
        finish(&scene.pods, POD).await?;
        kubelet.end_log(namespace, POD, "side");
        ensure!(running.child.wait().await?.code() == Some(0), "it ends otherwise than it should");
        Ok(())
    })
    .await
}
