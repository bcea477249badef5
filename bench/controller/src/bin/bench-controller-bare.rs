//! The fewest requests that bring the Apps of `cargo xtask bench controller` into their desired state: no informer, no
//! queue, no comparison. With `--watch` it also reads the events that an operator must read, and drops them. Each line of
//! standard input is a step; one line is printed when it is done.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use bench_controller::{App, config_map, service, status};
use clap::Parser;
use client_rs::api::core::v1::{ConfigMap, Service};
use client_rs::client::DecodeOptions;
use client_rs::machinery::wire::Payload;
use client_rs::machinery::{Namespaced, verbs};
use client_rs::prelude::*;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

#[derive(Parser)]
struct Args {
    /// How the server is reached
    #[arg(long)]
    kubeconfig: PathBuf,
    /// How many Apps there are
    #[arg(long)]
    objects: usize,
    /// How many Apps are written in parallel
    #[arg(long)]
    workers: usize,
    /// How many Apps are begun per second
    #[arg(long)]
    rate: u32,
    /// Also watch Apps, ConfigMaps and Services, and drop each decoded event
    #[arg(long)]
    watch: bool,
}

#[derive(Clone, Copy)]
enum Step {
    Create,
    Update,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args = Args::parse();
    let kubeconfig = args.kubeconfig.to_str().context("the path of the kubeconfig is not UTF-8")?;
    let rest = RestClient::from_config(&Config::from_flags("", kubeconfig)?)?;
    if args.watch {
        tokio::try_join!(watch::<App>(&rest), watch::<ConfigMap>(&rest), watch::<Service>(&rest))?;
    }
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let step = match line.as_str() {
            "create" => Step::Create,
            "update" => Step::Update,
            other => bail!("unknown step {other:?}"),
        };
        all(&rest, &args, step).await?;
        println!(r#"{{"ready":{}}}"#, args.objects);
    }
    Ok(())
}

/// Reads the events of a kind on a task of its own, decoded as for an informer. A benchmark is shorter than a watch.
async fn watch<K: Resource<Scope = Namespaced> + Payload + verbs::Watch>(rest: &RestClient) -> Result<()> {
    let decode = DecodeOptions::default().with_strip_managed_fields(true);
    let mut events = Api::<K, AllNamespaces>::all(rest).watch().decode(decode).await?;
    tokio::spawn(async move { while events.next().await.is_some() {} });
    Ok(())
}

async fn all(rest: &RestClient, args: &Args, step: Step) -> Result<()> {
    let apps = Api::<App, AllNamespaces>::all(rest).list().await?.items;
    let permits = Arc::new(Semaphore::new(args.workers));
    let mut pace = tokio::time::interval(Duration::from_secs(1) / args.rate);
    let mut writing = JoinSet::new();
    for app in apps {
        pace.tick().await;
        let permit = Arc::clone(&permits).acquire_owned().await?;
        let rest = rest.clone();
        writing.spawn(async move {
            let outcome = one(&rest, app, step).await;
            drop(permit);
            outcome
        });
        while let Some(outcome) = writing.try_join_next() {
            outcome??;
        }
    }
    while let Some(outcome) = writing.join_next().await {
        outcome??;
    }
    Ok(())
}

async fn one(rest: &RestClient, mut app: App, step: Step) -> Result<()> {
    let namespace = app.metadata.namespace.clone();
    let maps = Api::<ConfigMap>::namespaced(rest, namespace.clone());
    match step {
        Step::Create => {
            maps.create(config_map(&app)?).await?;
            Api::<Service>::namespaced(rest, namespace.clone()).create(service(&app)?).await?;
        }
        Step::Update => drop(maps.update(config_map(&app)?).await?),
    }
    app.status = Some(status(&app));
    Api::<App>::namespaced(rest, namespace).update_status(app).await?;
    Ok(())
}
