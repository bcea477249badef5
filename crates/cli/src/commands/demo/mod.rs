//! `krs demo`: the control loop, seen from inside.

mod cast;
mod claims;
mod latency;
mod screen;
mod story;

use std::io::BufRead;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_apiserver::Server;
use client_rs_client::RestClient;
use client_rs_workloads::{Workloads, WorkloadsOptions};

use crate::{GlobalArgs, Streams};
use cast::Cast;
use claims::Claims;
use latency::Latencies;
use screen::Screen;

#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Run on the cluster of the kubeconfig, after confirmation, in a temporary namespace. The cluster's own controllers do
    /// the work, and nodes are not modified
    #[arg(long)]
    on_cluster: bool,
    /// Do not ask for confirmation
    #[arg(long, requires = "on_cluster")]
    yes: bool,
    /// Time that a pod takes to start on the embedded server, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 150)]
    start_delay: u64,
}

/// The environment that the demo runs in.
struct Stage {
    rest: RestClient,
    namespace: String,
    /// Ours, where the server has none of its own.
    workloads: Option<Workloads>,
    latencies: std::sync::Arc<Latencies>,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let colours = streams.colours();
    let mut screen = Screen::new(streams.out.raw(), colours);
    if args.on_cluster {
        on_cluster(global, args, &mut screen).await
    } else {
        embedded(args, &mut screen).await
    }
}

async fn embedded(args: &Args, screen: &mut Screen<'_>) -> Result<()> {
    let server = Server::start().await.context("can't start the embedded server")?;
    screen.say("server", &format!("an embedded API server at {}", server.url().unwrap_or_default()))?;
    // Over HTTP, as any client.
    let rest = over_http(&server)?;
    let latencies = std::sync::Arc::new(Latencies::default());
    let metrics = std::sync::Arc::clone(&latencies);
    let options = WorkloadsOptions::default()
        .with_controllers("deployment,replicaset,node".parse()?)
        .with_start_delay(Duration::from_millis(args.start_delay))
        .with_queue_metrics(metrics);
    let workloads = Workloads::start(rest.clone(), options).await.context("can't start the controllers")?;
    screen.say(
        "server",
        "three nodes; controllers of deployments, replica sets and pods, made of informers and work queues",
    )?;
    let stage = Stage { rest, namespace: "default".to_owned(), workloads: Some(workloads), latencies };
    let told = play(&stage, screen).await;
    if let Some(workloads) = stage.workloads {
        workloads.shutdown().await.context("failed to stop the controllers")?;
    }
    server.shutdown().await;
    told
}

async fn on_cluster(global: &GlobalArgs, args: &Args, screen: &mut Screen<'_>) -> Result<()> {
    let config = global.config()?;
    let namespace = format!("krs-demo-{:05}", std::process::id() % 100_000);
    if !args.yes {
        screen.ask(&format!(
            "Create the namespace {namespace} at {}, and remove it at the end? [y/N] ",
            config.server_url()
        ))?;
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            bail!("not confirmed: answer yes, or pass --yes");
        }
    }
    let rest = RestClient::from_config(&config)?;
    let latencies = std::sync::Arc::default();
    let stage = Stage { rest, namespace, workloads: None, latencies };
    story::create_namespace(&stage).await?;
    let told = play(&stage, screen).await;
    story::remove_namespace(&stage).await?;
    screen.say("you", &format!("the namespace {} is being removed", stage.namespace))?;
    told
}

async fn play(stage: &Stage, screen: &mut Screen<'_>) -> Result<()> {
    let cast = Cast::start(stage).await?;
    let mut claims = Claims::default();
    let told = story::tell(stage, &cast, screen, &mut claims).await;
    let summary = cast.end(stage, &mut claims).await;
    screen.summary(&summary, &claims)?;
    told?;
    if claims.all_hold() { Ok(()) } else { bail!("not every claim held") }
}

fn over_http(server: &Server) -> Result<RestClient> {
    let kubeconfig = server.kubeconfig().context("the server does not listen")?;
    let mut config = client_rs_transport::Config::from_kubeconfig(kubeconfig.as_bytes())?;
    // The server is ours, and nobody else's requests have to wait.
    config.qps = -1.0;
    Ok(RestClient::from_config(&config)?)
}
