//! Ours: what `kubectl exec -i` and `kubectl port-forward` do, and no more.

use std::io::{ErrorKind, Read as _, Write as _};
use std::process::ExitCode;

use anyhow::{Context, Result};
use client_rs_api::core::v1::Pod;
use client_rs_client::streams::{ForwardTarget, ForwardedPort, Forwarder};
use client_rs_client::{Api, RestClient};
use client_rs_transport::Config;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

#[derive(clap::Args)]
struct Place {
    #[arg(long)]
    kubeconfig: String,
    #[arg(long)]
    namespace: String,
}

impl Place {
    fn pods(&self) -> Result<Api<Pod>> {
        let client = RestClient::from_config(&Config::from_flags("", &self.kubeconfig)?)?;
        Ok(Api::namespaced(&client, self.namespace.as_str()))
    }
}

#[derive(clap::Args)]
pub(crate) struct Exec {
    #[command(flatten)]
    place: Place,
    /// Pass this process's input; as with kubectl, and always on
    #[arg(short)]
    interactive: bool,
    pod: String,
    #[arg(last = true)]
    command: Vec<String>,
}

#[derive(clap::Args)]
pub(crate) struct PortForward {
    #[command(flatten)]
    place: Place,
    pod: String,
    port: ForwardedPort,
}

#[tokio::main]
pub(crate) async fn exec(args: Exec) -> Result<ExitCode> {
    let pods = args.place.pods()?;
    let mut request = pods.exec(&args.pod, args.command);
    if args.interactive {
        request = request.stdin();
    }
    let mut process = request.await?;
    if let Some(stdin) = process.stdin.take() {
        tokio::spawn(feed(stdin));
    }
    let stdout = process.stdout.take().context("no output")?;
    // A task of the runtime: `main` runs on a thread of its own, which each frame would have to wake.
    tokio::spawn(print(stdout)).await??;
    let code = process.wait().await?.code();
    // A read of standard input cannot be cancelled: do not wait for it.
    std::process::exit(code.into());
}

/// The size of a read or write.
const CHUNK: usize = 64 * 1024;
/// How many chunks wait between a thread that blocks and a task. tokio's own standard streams have one, so that each side
/// waits for the other.
const AHEAD: usize = 4;

/// Standard input to a process.
async fn feed(mut to: impl AsyncWrite + Unpin) {
    let (sender, mut receiver) = mpsc::channel::<Vec<u8>>(AHEAD);
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        loop {
            let mut chunk = vec![0; CHUNK];
            match stdin.read(&mut chunk) {
                Ok(length @ 1..) => chunk.truncate(length),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                _ => return,
            }
            if sender.blocking_send(chunk).is_err() {
                return;
            }
        }
    });
    while let Some(chunk) = receiver.recv().await {
        // The connection is closed: the process has ended, and its status is reported elsewhere.
        if to.write_all(&chunk).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}

/// A process's output to standard output.
async fn print(mut from: impl AsyncRead + Unpin) -> Result<()> {
    let (sender, mut receiver) = mpsc::channel::<Vec<u8>>(AHEAD);
    let writing = tokio::task::spawn_blocking(move || {
        let mut stdout = std::io::stdout().lock();
        while let Some(chunk) = receiver.blocking_recv() {
            stdout.write_all(&chunk)?;
        }
        stdout.flush()
    });
    loop {
        let mut chunk = Vec::with_capacity(CHUNK);
        if from.read_buf(&mut chunk).await? == 0 || sender.send(chunk).await.is_err() {
            drop(sender);
            return Ok(writing.await??);
        }
    }
}

#[tokio::main]
pub(crate) async fn port_forward(args: PortForward) -> Result<ExitCode> {
    let pods = args.place.pods()?;
    let target = ForwardTarget::Pod(args.pod);
    let mut forwarder = Forwarder::start(&pods, target, &[args.port]).await?;
    for port in forwarder.ports() {
        for local in &port.local {
            println!("Forwarding from {local} -> {}", port.remote);
        }
    }
    while let Some(error) = forwarder.next_error().await {
        eprintln!("{error}");
    }
    Ok(ExitCode::SUCCESS)
}
