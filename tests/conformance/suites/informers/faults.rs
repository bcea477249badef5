//! Faults between the informer and the server.

#![allow(clippy::similar_names, reason = "a stage and the state of what is on it")]

use std::sync::Arc;
use std::time::Duration;

use super::history::History;
use super::scene::Scene;
use anyhow::{Context, Result, ensure};
use client_rs_apiserver::{Effect, Fault};
use client_rs_cache::reflector::{BackoffOptions, ExponentialBackoff, RetryBackoff};
use client_rs_cache::{InformerOptions, Random, SharedInformer};
use client_rs_client::RestClient;
use client_rs_tests::{Faults, Proxy, Stage, eventually};

pub(super) async fn cut(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    let proxy = Proxy::start(stage.config()).await?;
    for number in 0..50 {
        scene.create(&format!("object-{number}"), "0").await?;
    }
    let source = scene.source(&RestClient::from_config(&proxy.config(stage.config())?)?);
    let informer = SharedInformer::new(source);
    let history = History::default();
    informer.add_handler(history.clone())?;
    let running = informer.spawn();
    ensure!(informer.synced().await, "it stopped");
    for round in 0..4 {
        for number in 0..10 {
            scene.update(&format!("object-{number}"), &round.to_string()).await?;
        }
        scene.delete(&format!("object-{}", 20 + round)).await?;
        proxy.cut();
        scene.create(&format!("late-{round}"), "0").await?;
        scene.equal(&informer).await?;
    }
    history.ends_with(&scene.versions().await?).await?;
    let state = informer.state();
    ensure!(state.reflectors.iter().any(|reflector| reflector.reconnects > 0), "{state:?}");
    ensure!(
        state.reflectors.iter().all(|reflector| reflector.relists == 0),
        "a cut watch resumes at its version: {state:?}"
    );
    running.shutdown().await?;
    Ok(())
}

fn status(code: u16, reason: &str, retry_after_seconds: Option<u32>) -> Effect {
    Effect::Status { code, reason: reason.into(), message: "injected".into(), retry_after_seconds }
}

pub(super) async fn injected(stage: &Stage) -> Result<()> {
    let (scene, faults) = (Scene::new(stage).await?, Faults::of(stage));
    for number in 0..50 {
        scene.create(&format!("object-{number}"), "0").await?;
    }
    // A client of its own, with a timeout.
    let config = stage.config().clone().with_timeout(Duration::from_secs(5));
    let source = scene.source(&faults.client(&config)?);
    let backoff = || -> Box<dyn RetryBackoff> {
        let options = BackoffOptions::default().with_max(Duration::from_secs(2));
        Box::new(ExponentialBackoff::new(options, Random::default()))
    };
    let options = InformerOptions::default().with_backoff(Arc::new(backoff));
    let informer = SharedInformer::with_options(source, options);
    let history = History::default();
    informer.add_handler(history.clone())?;
    let running = informer.spawn();
    ensure!(informer.synced().await, "it stopped");
    let effects = [
        status(410, "Expired", None),
        status(429, "TooManyRequests", Some(1)),
        status(500, "InternalError", None),
        Effect::Truncate(300),
        Effect::Truncate(20_000),
        Effect::Freeze,
    ];
    for (round, effect) in effects.into_iter().enumerate() {
        for number in 0..5 {
            scene.update(&format!("object-{number}"), &round.to_string()).await?;
        }
        let fault = Fault::new(effect.clone()).method("GET").path_contains("configmaps").times(1);
        faults.inject(fault);
        if round % 2 == 0 {
            faults.forget();
        }
        faults.clear_requests();
        faults.drop_watches();
        scene.delete(&format!("object-{}", 10 + round)).await?;
        scene.create(&format!("late-{round}"), "0").await?;
        // The informer meets it with its next list or watch, before any other list here.
        eventually("the fault is met", || async {
            let requests = faults.requests();
            let met = requests.iter().any(|seen| seen.method == "GET" && seen.uri.contains("configmaps?"));
            ensure!(met, "{requests:?}");
            Ok(())
        })
        .await?;
        scene.equal(&informer).await.with_context(|| format!("{effect:?}"))?;
    }
    history.ends_with(&scene.versions().await?).await?;
    running.shutdown().await?;
    Ok(())
}
