//! Our side of `cargo xtask bench controller`: an operator of Apps with two children each, with default options except for
//! the number of workers. It ends when its standard input closes, and prints its counts.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use bench_controller::{App, config_map, service, service_matches, status};
use bench_tally::{Kind, Tally};
use clap::Parser;
use client_rs::api::core::v1::{ConfigMap, Service};
use client_rs::controller::Recorder;
use client_rs::prelude::*;
use tokio::io::AsyncReadExt as _;

#[derive(Parser)]
struct Args {
    /// How the server is reached
    #[arg(long)]
    kubeconfig: PathBuf,
    /// How many Apps there are
    #[arg(long)]
    objects: usize,
    /// How many Apps are reconciled in parallel
    #[arg(long)]
    workers: usize,
    /// Record nothing for `why`
    #[arg(long)]
    without_recorder: bool,
}

struct Operator {
    rest: RestClient,
    apps: Lister<App>,
    maps: Lister<ConfigMap>,
    services: Lister<Service>,
    tally: Arc<Tally>,
}

impl Reconciler for Operator {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> Result<Action, ReconcileError> {
        let outcome = self.run(&key).await;
        self.tally.ended(&key.name, outcome.is_err());
        outcome.map(|()| Action::done())
    }
}

impl Operator {
    async fn run(&self, key: &ObjectKey) -> Result<(), ReconcileError> {
        let Ok(app) = self.apps.get(key) else {
            return Ok(());
        };
        let (map, existing) = (self.maps.get(key).ok(), self.services.get(key).ok());
        let versions = [
            Some(&app.metadata.resource_version),
            map.as_ref().map(|map| &map.metadata.resource_version),
            existing.as_ref().map(|service| &service.metadata.resource_version),
        ];
        self.tally.began(&key.name, versions.map(|version| version.map(Str::as_str)));

        let maps = Api::<ConfigMap>::namespaced(&self.rest, key.namespace.clone());
        let desired = config_map(&app)?;
        let written = match map {
            None => Some(maps.create(desired).await?),
            Some(map) if map.data != desired.data => {
                Some(maps.update(ConfigMap { data: desired.data, ..(*map).clone() }).await?)
            }
            Some(_) => None,
        };
        if let Some(written) = written {
            self.tally.wrote(&key.name, Kind::ConfigMap, &written.metadata.resource_version);
        }

        let services = Api::<Service>::namespaced(&self.rest, key.namespace.clone());
        let desired = service(&app)?;
        let written = match existing {
            None => Some(services.create(desired).await?),
            Some(existing) if !service_matches(&existing, &desired) => {
                let mut changed = (*existing).clone();
                changed.spec.selector = desired.spec.selector.clone();
                changed.spec.ports = desired.spec.ports.clone();
                Some(services.update(changed).await?)
            }
            Some(_) => None,
        };
        if let Some(written) = written {
            self.tally.wrote(&key.name, Kind::Service, &written.metadata.resource_version);
        }

        let desired = Some(status(&app));
        if app.status != desired {
            let apps = Api::<App>::namespaced(&self.rest, key.namespace.clone());
            let written = apps.update_status(App { status: desired, ..(*app).clone() }).await?;
            self.tally.wrote(&key.name, Kind::App, &written.metadata.resource_version);
        }
        Ok(())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args = Args::parse();
    let kubeconfig = args.kubeconfig.to_str().context("the path of the kubeconfig is not UTF-8")?;
    let rest = RestClient::from_config(&Config::from_flags("", kubeconfig)?)?;
    let factory = SharedInformerFactory::new(rest.clone());
    let (apps, maps) = (factory.of::<App>(), factory.core().v1().config_maps());
    let services = factory.core().v1().services();
    let tally = Arc::new(Tally::new(args.objects));
    let operator = Operator {
        rest,
        apps: apps.lister(),
        maps: maps.lister(),
        services: services.lister(),
        tally: Arc::clone(&tally),
    };
    let mut options = ControllerOptions::default().with_workers(args.workers);
    if args.without_recorder {
        options = options.with_recorder(Recorder::off());
    }
    let controller = Controller::with_options("apps", apps.informer(), options)
        .owns(&maps.informer())
        .owns(&services.informer())
        .reconcile(operator);
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    tokio::spawn(async move {
        // An error is an end too.
        let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
        stopping.cancel();
    });
    Manager::new(&factory).controller(controller).run(stop).await?;
    tally.print();
    // The thread that reads standard input may still be waiting.
    std::process::exit(0)
}
