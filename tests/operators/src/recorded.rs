//! Recordings of the example operator on an embedded server, with a user who changes things and a network with faults.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use client_rs_api::apps::v1::Deployment;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::{Api, RestClient};
use client_rs_controller::recording::{Recording, RecordingOptions, RecordingSummary};
use client_rs_examples::operator::{Site, SiteSpec, operator};
use client_rs_machinery::Object as _;
use client_rs_machinery::json;
use client_rs_machinery::patch::Patch;
use client_rs_simulation::Replay;
use client_rs_simulation::harness::{Network, service};
use client_rs_transport::Config;
use client_rs_transport::http::{InProcess, Target, Transport};
use fastrand::Rng;
use tokio_util::sync::CancellationToken;

const NAMESPACE: &str = "default";
/// The time between two looks of the played cluster.
const LOOK: Duration = Duration::from_millis(20);
/// Longer than everything takes.
const LIMIT: Duration = Duration::from_mins(10);

/// The contents of a recording.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "arguments of a test")]
pub struct Story {
    /// The number of sites.
    pub sites: usize,
    /// The number of changes of the user after they were created.
    pub changes: usize,
    /// The seed of the changes and of the faults.
    pub seed: u64,
}

/// A replay of a recording of the example operator.
pub fn replay(file: &Path) -> Replay {
    Replay::new(file, |replica| async move {
        operator(&replica.config, NAMESPACE).await.map_err(|error| error.to_string())
    })
}

/// Records the example operator until everything is as the user wants it.
///
/// # Errors
///
/// If the server or the operator fails.
pub async fn record(file: &Path, story: Story) -> Result<RecordingSummary> {
    let server = Server::start_with(ServerOptions::default().with_listen(None).with_request_log(0)).await?;
    let user = server.rest_client()?;
    let network = Network::new(story.seed);
    let servers: Arc<[Transport]> = [user.transport().clone()].into();
    let uri = format!("http://recorded-{}", story.seed).parse::<http::Uri>()?;
    let target = Target { host: uri.to_string(), port: 80, tls: false, server_name: None };
    let way = InProcess::register(&uri, Transport::from_service(target, service(&network, &servers)));
    let recording = Recording::start(&Config::new(uri), file, RecordingOptions::default())?;
    let manager =
        operator(recording.config(), NAMESPACE).await.map_err(|error| anyhow::anyhow!("{error}"))?;
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));
    let playing = tokio::spawn(play(user.clone(), stop.clone()));
    let played = tokio::time::timeout(LIMIT, change(&user, &network, story)).await;
    let rested = tokio::time::timeout(LIMIT, rest(&user)).await;
    stop.cancel();
    running.await??;
    playing.await?;
    drop(way);
    played.context("the changes took too long")??;
    rested.context("the operator does not come to rest")??;
    Ok(recording.finish()?)
}

/// The changes of the user, and the faults.
async fn change(user: &RestClient, network: &Network, story: Story) -> Result<()> {
    let mut random = Rng::with_seed(story.seed);
    let sites = Api::<Site>::namespaced(user, NAMESPACE);
    let deployments = Api::<Deployment>::namespaced(user, NAMESPACE);
    let name = |number: usize| format!("site-{number}");
    let site = |number: usize, random: &mut Rng| {
        let spec = SiteSpec { image: format!("site:{}", random.u8(..5)), replicas: random.i32(0..4) };
        Site::new(name(number), spec)
    };
    for number in 0..story.sites {
        sites.create(site(number, &mut random)).await?;
        tokio::time::sleep(Duration::from_millis(random.u64(..10))).await;
    }
    for step in 0..story.changes {
        let number = random.usize(..story.sites);
        let patch = match random.u8(..10) {
            0 => {
                // It may be gone, or not be there yet.
                let _ = deployments.delete(&name(number)).await;
                None
            }
            1 => {
                let _ = sites.delete(&name(number)).await;
                None
            }
            2 => {
                let _ = sites.create(site(number, &mut random)).await;
                None
            }
            3 => Some(json!({"metadata": {"labels": {"step": step.to_string()}}})),
            4..7 => Some(json!({"spec": {"image": format!("site:{}", random.u8(..5))}})),
            _ => Some(json!({"spec": {"replicas": random.u8(..4)}})),
        };
        if let Some(patch) = patch {
            let _ = sites.patch(&name(number), &Patch::Merge(patch)).await;
        }
        match random.u8(..40) {
            0 => network.cut(),
            1 => network.state().cuts_inside = true,
            2 => network.state().storm = Some(500),
            3 => network.state().storm = Some(429),
            4 => network.state().lag = Duration::from_millis(60),
            5 => network.state().refuses = true,
            6..12 => network.heal(),
            _ => {}
        }
        tokio::time::sleep(Duration::from_millis(random.u64(..30))).await;
    }
    network.heal();
    Ok(())
}

/// Makes all deployments ready after a while, as the controllers of a cluster would.
async fn play(rest: RestClient, stop: CancellationToken) {
    let deployments = Api::<Deployment>::namespaced(&rest, NAMESPACE);
    while stop.run_until_cancelled(tokio::time::sleep(LOOK)).await.is_some() {
        let Ok(list) = deployments.list().await else { continue };
        for deployment in list.items {
            let wanted = deployment.spec.replicas.unwrap_or(1);
            if deployment.status.ready_replicas != wanted {
                let status = json!({"status": {"replicas": wanted, "readyReplicas": wanted}});
                // It may be gone.
                let _ = deployments.patch_status(&deployment.metadata.name, &Patch::Merge(status)).await;
            }
        }
    }
}

/// Waits until each site has a status that fits.
async fn rest(user: &RestClient) -> Result<()> {
    let sites = Api::<Site>::namespaced(user, NAMESPACE);
    loop {
        let list = sites.list().await?.items;
        if list.is_empty() {
            bail!("there are no sites");
        }
        let fits = |site: &Site| {
            let ready = site.status.as_ref().map(|status| status.ready_replicas);
            !site.is_being_deleted() && ready == Some(site.spec.replicas)
        };
        if list.iter().all(fits) {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
}
