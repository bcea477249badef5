//! kubectl's own commands, which prove the kubelet right.

use std::net::Ipv4Addr;
use std::process::{Output, Stdio};

use anyhow::{Context, Result, ensure};
use client_rs_tests::{KubeletOptions, Stage};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

use super::scene::{POD, Scene, noise, on_kubelet};

pub(super) fn kubectl(stage: &Stage, scene: &Scene, arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(stage.kubectl()?);
    command.env_remove("KUBECONFIG").arg("--kubeconfig").arg(stage.kubeconfig()?);
    command.args(["-n", &scene.namespace]).args(arguments).kill_on_drop(true).stdin(Stdio::null());
    Ok(command)
}

async fn run(stage: &Stage, scene: &Scene, arguments: &[&str], input: &[u8]) -> Result<Output> {
    let mut command = kubectl(stage, scene, arguments)?;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().context("stdin")?;
    stdin.write_all(input).await?;
    drop(stdin);
    Ok(child.wait_with_output().await?)
}

pub(super) async fn works(stage: &Stage) -> Result<()> {
    for websocket in [false, true] {
        let options = KubeletOptions { websocket, ..KubeletOptions::default() };
        on_kubelet(stage, options, async |scene: &Scene| play(stage, scene).await).await?;
    }
    Ok(())
}

async fn play(stage: &Stage, scene: &Scene) -> Result<()> {
    let exec = ["exec", "-i", POD, "-c", "app", "--"];
    let out =
        run(stage, scene, &[&exec[..], &["sh", "-c", "cat; echo wrong >&2; exit 5"]].concat(), b"hello")
            .await?;
    ensure!(out.stdout == b"hello" && out.status.code() == Some(5), "{out:?}");
    ensure!(String::from_utf8_lossy(&out.stderr).contains("wrong"), "{out:?}");
    // Files there and back.
    let (folder, bytes) = (stage.folder()?, noise(2_000_000, 6));
    let (here, back) = (folder.join("here"), folder.join("back"));
    tokio::fs::write(&here, &bytes).await?;
    let there = format!("{POD}:there");
    for pair in [[here.to_str(), Some(&there)], [Some(&there), back.to_str()]] {
        let [from, to] = [pair[0].context("a path")?, pair[1].context("a path")?];
        let out = run(stage, scene, &["cp", "-c", "app", from, to], b"").await?;
        ensure!(out.status.success(), "{out:?}");
    }
    ensure!(tokio::fs::read(&back).await? == bytes, "the file came back otherwise");
    // Logs.
    scene.kubelet.log(&scene.namespace, POD, "app", "one line");
    scene.kubelet.end_log(&scene.namespace, POD, "app");
    let out = run(stage, scene, &["logs", "-f", POD, "-c", "app"], b"").await?;
    ensure!(out.stdout == b"one line\n", "{out:?}");
    let out = run(stage, scene, &["attach", "-i", POD, "-c", "app"], b"to the first process\n").await?;
    ensure!(String::from_utf8_lossy(&out.stdout).contains("to the first process"), "{out:?}");
    // A port.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let mut forwarding = kubectl(stage, scene, &["port-forward", POD, &format!(":{port}")])?;
    let mut child = forwarding.stdout(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(child.stdout.take().context("stdout")?).lines();
    let line = lines.next_line().await?.context("kubectl printed nothing")?;
    let local: u16 = line
        .split_once("127.0.0.1:")
        .and_then(|(_, rest)| rest.split(' ').next())
        .and_then(|port| port.parse().ok())
        .with_context(|| format!("no port in {line:?}"))?;
    let mut near = TcpStream::connect((Ipv4Addr::LOCALHOST, local)).await?;
    let (mut far, _) = listener.accept().await?;
    near.write_all(b"ping").await?;
    let mut got = [0; 4];
    far.read_exact(&mut got).await?;
    far.write_all(b"pong").await?;
    drop(far);
    let mut answer = String::new();
    near.read_to_string(&mut answer).await?;
    ensure!((&got, answer.as_str()) == (b"ping", "pong"), "{answer:?}");
    child.kill().await?;
    Ok(())
}
