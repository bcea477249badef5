//! The embedded server, measured: how soon it answers, and what its watchers receive.
//!
//! One part a process, so that the memory of the server is its own; each prints one line of JSON.

mod load;

use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::{Request, RestClient};
use client_rs_transport::Config;
use serde_json::json;
use tokio::io::AsyncReadExt;

#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// From nothing to the first answered request
    Start {
        /// With certificates made at start
        #[arg(long)]
        tls: bool,
    },
    /// Start a server that prints its address and ends when its standard input closes
    Serve {
        /// With certificates made at start; the kubeconfig is printed too
        #[arg(long)]
        tls: bool,
        /// Create this many namespaces: n-0, n-1, …
        #[arg(long, default_value_t = 0)]
        namespaces: usize,
        /// Create this many Secrets in each of them
        #[arg(long, default_value_t = 0)]
        secrets: usize,
    },
    /// Create objects while watchers follow
    Load {
        #[arg(long)]
        url: String,
        #[arg(long)]
        objects: usize,
        #[arg(long)]
        watchers: usize,
    },
}

#[tokio::main]
async fn main() -> Result<()> {
    let outcome = match Args::parse().part {
        Part::Start { tls } => start(tls).await?,
        Part::Serve { tls, namespaces, secrets } => return serve(tls, namespaces, secrets).await,
        Part::Load { url, objects, watchers } => load::run(client(&url)?, objects, watchers).await?,
    };
    println!("{outcome}");
    Ok(())
}

async fn start(tls: bool) -> Result<serde_json::Value> {
    if tls {
        // The client's library gathers randomness once a process, for longer than a server takes to start. It is not the
        // server's: that uses another.
        let mut once = [0; 32];
        aws_lc_rs::rand::fill(&mut once).context("no randomness")?;
    }
    let begun = Instant::now();
    let server = Server::start_with(ServerOptions::default().with_tls(tls)).await?;
    let started = begun.elapsed();
    let client = if tls {
        let kubeconfig = server.kubeconfig().context("it listens nowhere")?;
        RestClient::from_config(&Config::from_kubeconfig(kubeconfig.as_bytes())?)?
    } else {
        client(&server.url().context("it listens nowhere")?)?
    };
    client.send_raw(Request::get().abs_path(["/api/v1/namespaces"])).await?;
    let answered = begun.elapsed();
    Ok(json!({ "started_ms": started.as_secs_f64() * 1e3, "answered_ms": answered.as_secs_f64() * 1e3 }))
}

async fn serve(tls: bool, namespaces: usize, secrets: usize) -> Result<()> {
    let server = Server::start_with(ServerOptions::default().with_tls(tls)).await?;
    let kubeconfig = server.kubeconfig().context("it listens nowhere")?;
    let rest = RestClient::from_config(&Config::from_kubeconfig(kubeconfig.as_bytes())?.with_qps(-1.0))?;
    for namespace in 0..namespaces {
        load::fill(&rest, &format!("n-{namespace}"), secrets).await?;
    }
    println!("{}", json!({ "url": server.url(), "kubeconfig": kubeconfig }));
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    server.shutdown().await;
    Ok(())
}

fn client(url: &str) -> Result<RestClient> {
    let config = Config::new(url.parse()?).with_qps(-1.0);
    Ok(RestClient::from_config(&config)?)
}
