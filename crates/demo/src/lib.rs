//! The control loop, seen from inside: a deployment, its pods, informers, work queues and reconcilers.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cast;
mod claims;
mod latency;
mod screen;
mod story;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_apiserver::Server;
use client_rs_client::RestClient;
use client_rs_workloads::{Workloads, WorkloadsOptions};

use cast::Cast;
use claims::Claims;
use latency::Latencies;
use screen::Screen;

/// How long a pod takes to start on the embedded server, unless another time is given.
pub const START_DELAY: Duration = Duration::from_millis(150);

/// The environment that the demo runs in.
struct Stage {
    rest: RestClient,
    namespace: String,
    /// Ours, where the server has none of its own.
    workloads: Option<Workloads>,
    latencies: Arc<Latencies>,
}

/// Runs the demo on an embedded server, with our own controllers and three simulated nodes.
///
/// Writes lines to `out`, with the colours of terminals on request.
///
/// # Errors
///
/// If a request or a write to `out` fails, or if the pods do not reach the state that the demo claims.
pub async fn embedded(start_delay: Duration, out: &mut (dyn Write + Send), colours: bool) -> Result<()> {
    let screen = &mut Screen::new(out, colours);
    let server = Server::start().await.context("can't start the embedded server")?;
    screen.say("server", &format!("an embedded API server at {}", server.url().unwrap_or_default()))?;
    // Over HTTP, as any client.
    let rest = over_http(&server)?;
    let latencies = Arc::new(Latencies::default());
    let metrics = Arc::clone(&latencies);
    let options = WorkloadsOptions::default()
        .with_controllers("deployment,replicaset,node".parse()?)
        .with_start_delay(start_delay)
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

/// Runs the demo on a cluster, in a namespace that it creates and removes. The controllers of the cluster do the work, and
/// nodes are not modified.
///
/// # Errors
///
/// As [`embedded`].
pub async fn on_cluster(
    rest: RestClient,
    namespace: String,
    out: &mut (dyn Write + Send),
    colours: bool,
) -> Result<()> {
    let screen = &mut Screen::new(out, colours);
    let stage = Stage { rest, namespace, workloads: None, latencies: Arc::default() };
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
