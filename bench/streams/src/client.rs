//! Ours: what `kubectl exec -i` and `kubectl port-forward` do, and no more.

use std::process::ExitCode;

use anyhow::{Context, Result};
use client_rs_api::core::v1::Pod;
use client_rs_client::streams::{ForwardTarget, ForwardedPort, Forwarder, ForwarderOptions};
use client_rs_client::{Api, RestClient};
use client_rs_transport::Config;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

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
    /// Give it this process's input; as with kubectl, and always so
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
    if let Some(mut stdin) = process.stdin.take() {
        tokio::spawn(async move {
            // Broken off: the process has ended, and how is told below.
            let _ = pass(tokio::io::stdin(), &mut stdin).await;
        });
    }
    let stdout = process.stdout.take().context("no output")?;
    // A task of the runtime: `main` runs on a thread of its own, which each frame would have to wake.
    tokio::spawn(async move { pass(stdout, &mut tokio::io::stdout()).await }).await??;
    let code = process.wait().await?.code();
    // A read of standard input can't be taken back: nobody waits for it.
    std::process::exit(code.into());
}

/// Copies to the end, and tells of it.
async fn pass(from: impl AsyncRead + Unpin, to: &mut (impl AsyncWrite + Unpin)) -> std::io::Result<()> {
    let mut from = BufReader::with_capacity(64 * 1024, from);
    tokio::io::copy_buf(&mut from, to).await?;
    to.shutdown().await
}

#[tokio::main]
pub(crate) async fn port_forward(args: PortForward) -> Result<ExitCode> {
    let pods = args.place.pods()?;
    let target = ForwardTarget::Pod(args.pod);
    let mut forwarder = Forwarder::start(&pods, target, &[args.port], ForwarderOptions::default()).await?;
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
