//! Random changes and faults, then quiet.

use anyhow::{Result, ensure};
use client_rs_apiserver::{Effect, Fault};
use client_rs_cache::{Delivery, HandlerOptions, InformerOptions, SharedInformer};
use client_rs_client::RestClient;
use client_rs_tests::{Proxy, Stage};

use super::history::History;
use super::scene::Scene;

const OBJECTS: usize = 12;
const STEPS: usize = 250;

pub(super) async fn random(stage: &Stage) -> Result<()> {
    let seed = fastrand::u64(..);
    play(stage, seed).await.map_err(|error| error.context(format!("seed {seed}")))
}

async fn play(stage: &Stage, seed: u64) -> Result<()> {
    let mut random = fastrand::Rng::with_seed(seed);
    let scene = Scene::new(stage).await?;
    let (proxy, controls) = (Proxy::start(stage.config()).await?, stage.embedded().ok());
    let source = scene.source(&RestClient::from_config(&proxy.config(stage.config())?)?);
    let options = InformerOptions { watch_list: random.bool(), page_size: 5, ..InformerOptions::default() };
    let informer = SharedInformer::new(source, options);
    let mut histories = Vec::new();
    for delivery in [Delivery::EveryEvent, Delivery::Coalesced { limit: 2 }, Delivery::coalesced()] {
        let history = History::default();
        informer.add_handler(history.clone(), HandlerOptions { delivery, ..HandlerOptions::default() })?;
        histories.push(history);
    }
    let running = informer.spawn();
    let mut there = [false; OBJECTS];
    for step in 0..STEPS {
        let at = random.usize(..OBJECTS);
        let name = format!("object-{at}");
        match (there[at], random.u8(..4)) {
            (false, _) => {
                scene.create(&name, &step.to_string()).await?;
                there[at] = true;
            }
            (true, 0) => {
                scene.delete(&name).await?;
                there[at] = false;
            }
            (true, _) => drop(scene.update(&name, &step.to_string()).await?),
        }
        match (random.u8(..60), &controls) {
            (0, _) => proxy.cut(),
            (1, Some(controls)) => controls.drop_watches(),
            (2, Some(controls)) => {
                controls.compact();
                controls.drop_watches();
            }
            (3, Some(controls)) => {
                let truncated = Fault::new(Effect::Truncate(random.usize(..4000)));
                controls.inject(truncated.method("GET").path_contains("configmaps").times(1));
                controls.drop_watches();
            }
            (4, _) => {
                // One that comes in the middle.
                let history = History::default();
                informer.add_handler(history.clone(), HandlerOptions::default())?;
                histories.push(history);
            }
            _ => {}
        }
    }
    if let Some(controls) = &controls {
        controls.clear_faults();
    }
    ensure!(informer.synced().await, "it stopped");
    scene.equal(&informer).await?;
    let versions = scene.versions().await?;
    for history in &histories {
        history.ends_with(&versions).await?;
    }
    running.shutdown().await?;
    Ok(())
}
