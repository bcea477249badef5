//! The far end of the streams: a kubelet and a pod on it, and the file to send; with an embedded server if requested.
//!
//! Prints one line of JSON when it is ready, and ends when its standard input closes.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use client_rs_api::core::v1::{Namespace, Pod};
use client_rs_apiserver::{Access, Server, ServerOptions, StorageOptions};
use client_rs_client::{Api, RestClient};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_tests_kubelet::{Kubelet, KubeletOptions};
use client_rs_transport::Config;
use serde_json::json;
use tokio::io::AsyncReadExt;

#[derive(Parser)]
struct Args {
    /// The server to register with; an embedded one by default
    #[arg(long)]
    kubeconfig: Option<PathBuf>,
    /// Where an embedded server's kubeconfig is written
    #[arg(long)]
    write_kubeconfig: PathBuf,
    /// The size of the file
    #[arg(long)]
    megabytes: usize,
    /// Let the node serve WebSocket, so that the server translates nothing
    #[arg(long)]
    websocket: bool,
}

const NAMESPACE: &str = "bench-streams";
const POD: &str = "web";

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    let (kubeconfig, server) = match &args.kubeconfig {
        Some(path) => (path.clone(), None),
        None => {
            let options = ServerOptions::default()
                .with_tls(true)
                .with_access(Access::Rbac)
                .with_storage(StorageOptions::default().with_populate(true).into())
                .with_dial_loopback(true);
            let server = Server::start_with(options).await?;
            std::fs::write(&args.write_kubeconfig, server.kubeconfig().context("it listens nowhere")?)?;
            (args.write_kubeconfig.clone(), Some(server))
        }
    };
    let config = Config::from_flags("", kubeconfig.to_str().context("an odd path")?)?;
    let client = RestClient::from_config(&config)?;
    let metadata = ObjectMeta { name: NAMESPACE.into(), ..ObjectMeta::EMPTY };
    Api::<Namespace>::cluster(&client).create(Namespace { metadata, ..Namespace::EMPTY }).await?;
    let options = KubeletOptions { websocket: args.websocket, ..KubeletOptions::default() };
    let kubelet = Kubelet::start(&client, options).await?;
    pod(&client, &kubelet).await?;
    let source = kubelet.container(NAMESPACE, POD, "app")?.join("source");
    std::fs::write(&source, noise(args.megabytes << 20))?;
    println!("{}", json!({ "kubeconfig": kubeconfig, "namespace": NAMESPACE, "pod": POD, "source": source }));
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    drop(server);
    Ok(())
}

/// Refused for a moment, until the namespace has its account.
async fn pod(client: &RestClient, kubelet: &Kubelet) -> Result<Pod> {
    let mut attempts = 0;
    loop {
        match kubelet.pod(client, NAMESPACE, POD, &["app"]).await {
            Err(error) if attempts == 100 => return Err(error),
            Err(_) => attempts += 1,
            pod => return pod,
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// Bytes that do not compress.
fn noise(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    fastrand::Rng::with_seed(1).fill(&mut bytes);
    bytes
}
