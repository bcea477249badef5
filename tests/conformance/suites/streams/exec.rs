//! Processes in containers.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_client::streams::TerminalSize;
use client_rs_tests::{KubeletOptions, Stage, eventually};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use super::scene::{POD, Scene, hash, noise, on_kubelet};

const MANY: usize = 100 * 1024 * 1024;

pub(super) async fn output(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let command = ["sh", "-c", "echo out; echo wrong >&2; pwd; exit 3"];
        let process = scene.pods.exec(POD, command).container("side").await?;
        ensure!(process.protocol() == "v5.channel.k8s.io", "{process:?}");
        let output = process.output().await?;
        let stdout = String::from_utf8(output.stdout)?;
        ensure!(stdout.starts_with("out\n") && stdout.trim_end().ends_with("/web/side"), "{stdout:?}");
        ensure!(output.stderr == b"wrong\n", "{:?}", output.stderr);
        ensure!(output.status.code() == 3, "{:?}", output.status);
        Ok(())
    })
    .await
}

pub(super) async fn codes(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        for (script, code) in [("exit 0", 0), ("exit 1", 1), ("kill -9 $$", 137)] {
            let mut process = scene.pods.exec(POD, ["sh", "-c", script]).container("app").await?;
            let status = process.wait().await?;
            ensure!(status.code() == code && status.is_success() == (code == 0), "{script}: {status:?}");
            ensure!(process.wait().await? == status, "it can be asked again");
        }
        Ok(())
    })
    .await
}

pub(super) async fn half_close(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let mut process = scene.pods.exec(POD, ["sort"]).container("app").stdin().await?;
        let mut stdin = process.stdin.take().context("stdin")?;
        let mut stdout = process.stdout.take().context("stdout")?;
        stdin.write_all(b"b\nc\na\n").await?;
        stdin.shutdown().await?;
        let mut sorted = String::new();
        stdout.read_to_string(&mut sorted).await?;
        ensure!(sorted == "a\nb\nc\n", "{sorted:?}");
        ensure!(process.wait().await?.is_success());
        // Without its input a process that reads none ends by itself; dropping the input is its end too.
        let output = scene.pods.exec(POD, ["cat"]).container("app").stdin().await?.output().await?;
        ensure!(output.stdout.is_empty() && output.status.is_success());
        Ok(())
    })
    .await
}

pub(super) async fn megabytes(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), both_ways).await
}

pub(super) async fn megabytes_websocket(stage: &Stage) -> Result<()> {
    on_kubelet(
        stage,
        KubeletOptions { websocket: true, ..KubeletOptions::default() },
        async |scene: &Scene| {
            both_ways(scene).await?;
            let asked = scene.kubelet.asked();
            ensure!(asked.iter().all(|line| line.ends_with(" websocket")), "{asked:?}");
            Ok(())
        },
    )
    .await
}

async fn both_ways(scene: &Scene) -> Result<()> {
    let bytes = noise(MANY, 1);
    let expected = hash(&bytes);
    // In: what the process makes of it is short.
    let mut process = scene.pods.exec(POD, ["sha256sum"]).container("app").stdin().await?;
    let mut stdin = process.stdin.take().context("stdin")?;
    stdin.write_all(&bytes).await?;
    stdin.shutdown().await?;
    let output = process.output().await?;
    ensure!(output.stdout.starts_with(expected.as_bytes()), "{:?}", String::from_utf8_lossy(&output.stdout));
    // Out.
    let folder = scene.kubelet.container(&scene.namespace, POD, "app")?;
    tokio::fs::write(folder.join("many"), &bytes).await?;
    let mut process = scene.pods.exec(POD, ["cat", "many"]).container("app").await?;
    let mut stdout = process.stdout.take().context("stdout")?;
    let mut got = Vec::with_capacity(MANY);
    stdout.read_to_end(&mut got).await?;
    ensure!(got.len() == MANY && hash(&got) == expected, "{} bytes came", got.len());
    ensure!(process.wait().await?.is_success());
    Ok(())
}

pub(super) async fn fifty(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let mut all = tokio::task::JoinSet::new();
        for number in 0..50_u64 {
            let pods = scene.pods.clone();
            all.spawn(async move {
                let bytes = noise(200_000, number);
                let mut process = pods.exec(POD, ["cat"]).container("app").stdin().await?;
                let (mut stdin, mut stdout) =
                    (process.stdin.take().context("stdin")?, process.stdout.take().context("stdout")?);
                let copy = bytes.clone();
                let writing = tokio::spawn(async move {
                    stdin.write_all(&copy).await?;
                    stdin.shutdown().await
                });
                let mut got = Vec::new();
                stdout.read_to_end(&mut got).await?;
                writing.await??;
                ensure!(got == bytes, "process {number}: {} bytes came back", got.len());
                ensure!(process.wait().await?.is_success());
                Ok(())
            });
        }
        while let Some(done) = all.join_next().await {
            done??;
        }
        Ok(())
    })
    .await
}

pub(super) async fn resize(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let request = scene.pods.exec(POD, ["terminal-sizes"]).container("app").stdin().tty();
        let mut process = request.await?;
        ensure!(process.stderr.is_none(), "a terminal has one output");
        let mut terminal = process.terminal.take().context("terminal")?;
        let mut lines = BufReader::new(process.stdout.take().context("stdout")?).lines();
        for (width, height) in [(80, 24), (132, 50), (1, 1)] {
            terminal.resize(TerminalSize { width, height }).await?;
            let line = lines.next_line().await?.context("no line")?;
            ensure!(line.trim() == format!("{width}x{height}"), "{line:?}");
        }
        ensure!(process.wait().await?.is_success());
        Ok(())
    })
    .await
}

pub(super) async fn attach(stage: &Stage) -> Result<()> {
    on_kubelet(stage, KubeletOptions::default(), async |scene: &Scene| {
        let mut process = scene.pods.attach(POD).container("app").stdin().await?;
        let mut lines = BufReader::new(process.stdout.take().context("stdout")?).lines();
        ensure!(lines.next_line().await?.as_deref() == Some("attached"));
        let mut stdin = process.stdin.take().context("stdin")?;
        stdin.write_all(b"hello\n").await?;
        ensure!(lines.next_line().await?.as_deref() == Some("hello"));
        stdin.shutdown().await?;
        ensure!(lines.next_line().await?.is_none());
        ensure!(process.wait().await?.is_success());
        Ok(())
    })
    .await
}

pub(super) async fn spdy(stage: &Stage) -> Result<()> {
    let options = KubeletOptions { takes_websocket: false, ..KubeletOptions::default() };
    on_kubelet(stage, options, async |scene: &Scene| {
        let mut process = scene
            .pods
            .exec(POD, ["sh", "-c", "cat; echo wrong >&2; exit 7"])
            .container("app")
            .stdin()
            .await?;
        ensure!(process.protocol() == "SPDY/3.1", "{process:?}");
        let mut stdin = process.stdin.take().context("stdin")?;
        let bytes = noise(3_000_000, 9);
        let copy = bytes.clone();
        let writing = tokio::spawn(async move {
            stdin.write_all(&copy).await?;
            stdin.shutdown().await
        });
        let output = process.output().await?;
        writing.await??;
        ensure!(output.stdout == bytes, "{} bytes came back", output.stdout.len());
        ensure!(output.stderr == b"wrong\n" && output.status.code() == 7, "{:?}", output.status);
        Ok(())
    })
    .await
}

pub(super) async fn dropped(stage: &Stage) -> Result<()> {
    drops(stage, KubeletOptions { websocket: true, ..KubeletOptions::default() }).await
}

pub(super) async fn dropped_translated(stage: &Stage) -> Result<()> {
    drops(stage, KubeletOptions::default()).await
}

/// Drops a process without further output, and waits until it is gone.
async fn drops(stage: &Stage, options: KubeletOptions) -> Result<()> {
    on_kubelet(stage, options, async |scene: &Scene| {
        let script = "echo $$; exec sleep 1000";
        let mut process = scene.pods.exec(POD, ["sh", "-c", script]).container("app").await?;
        let mut lines = BufReader::new(process.stdout.take().context("stdout")?).lines();
        let pid = lines.next_line().await?.context("no process")?;
        let there = || std::path::Path::new("/proc").join(&pid).exists();
        ensure!(there(), "process {pid} runs");
        let waited = tokio::time::timeout(Duration::from_millis(50), process.wait()).await;
        ensure!(waited.is_err(), "the process still runs");
        drop((process, lines));
        eventually("the process is gone", || async {
            ensure!(!there(), "process {pid} is there");
            Ok(())
        })
        .await
    })
    .await
}
