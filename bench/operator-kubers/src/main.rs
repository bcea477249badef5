//! kube-rs's side of `cargo xtask bench controller`: an operator of Apps with two children each. Its controller has default
//! settings except for the concurrency. It reads children from reflectors, whose streams also trigger its runs, so that
//! each kind is watched once. The reflectors have tasks of their own: the controller does not read its streams while as
//! many runs as it may have wait for a store. It ends when its standard input closes, and prints its counts.

mod app;

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use bench_tally::{Kind, Tally};
use clap::Parser;
use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use kube::api::PostParams;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::controller::{Action, Config as ControllerConfig, Controller};
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, Config, Resource, ResourceExt};
use serde::de::DeserializeOwned;
use tokio::io::AsyncReadExt as _;

use crate::app::{App, config_map, service, service_matches, status};

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
    workers: u16,
}

struct Operator {
    client: Client,
    maps: Store<ConfigMap>,
    services: Store<Service>,
    tally: Arc<Tally>,
}

type Error = Box<dyn std::error::Error + Send + Sync>;
/// The controller wants an error type that is an error itself.
#[derive(Debug)]
struct Failed(Error);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for Failed {}

/// The delay after an error: kube-rs leaves it to the program. An event of the App or of a child comes before that.
const RETRY: Duration = Duration::from_secs(1);

async fn reconcile(app: Arc<App>, operator: Arc<Operator>) -> Result<Action, Failed> {
    let outcome = operator.run(&app).await;
    operator.tally.ended(&app.name_any(), outcome.is_err());
    outcome.map(|()| Action::await_change()).map_err(Failed)
}

impl Operator {
    async fn run(&self, app: &App) -> Result<(), Error> {
        let (name, namespace) = (app.name_any(), app.namespace().unwrap_or_default());
        let map = self.maps.get(&ObjectRef::new(&name).within(&namespace));
        let existing = self.services.get(&ObjectRef::new(&name).within(&namespace));
        let versions = [
            app.metadata.resource_version.as_deref(),
            map.as_ref().and_then(|map| map.metadata.resource_version.as_deref()),
            existing.as_ref().and_then(|service| service.metadata.resource_version.as_deref()),
        ];
        self.tally.began(&name, versions);

        let params = PostParams::default();
        let maps: Api<ConfigMap> = Api::namespaced(self.client.clone(), &namespace);
        let desired = config_map(app)?;
        let written = match map {
            None => Some(maps.create(&params, &desired).await?),
            Some(map) if map.data != desired.data => {
                let changed = ConfigMap { data: desired.data, ..(*map).clone() };
                Some(maps.replace(&name, &params, &changed).await?)
            }
            Some(_) => None,
        };
        if let Some(written) = written {
            self.tally.wrote(&name, Kind::ConfigMap, &written.resource_version().unwrap_or_default());
        }

        let services: Api<Service> = Api::namespaced(self.client.clone(), &namespace);
        let desired = service(app)?;
        let written = match existing {
            None => Some(services.create(&params, &desired).await?),
            Some(existing) if !service_matches(&existing, &desired) => {
                let mut changed = (*existing).clone();
                let spec = changed.spec.get_or_insert_default();
                let desired = desired.spec.unwrap_or_default();
                (spec.selector, spec.ports) = (desired.selector, desired.ports);
                Some(services.replace(&name, &params, &changed).await?)
            }
            Some(_) => None,
        };
        if let Some(written) = written {
            self.tally.wrote(&name, Kind::Service, &written.resource_version().unwrap_or_default());
        }

        let desired = Some(status(app));
        if app.status != desired {
            let apps: Api<App> = Api::namespaced(self.client.clone(), &namespace);
            let changed = App { status: desired, ..app.clone() };
            let written = apps.replace_status(&name, &params, &changed).await?;
            self.tally.wrote(&name, Kind::App, &written.resource_version().unwrap_or_default());
        }
        Ok(())
    }
}

/// A cache of a kind, and the objects that change.
fn reflected<K>(api: Api<K>) -> (Store<K>, UnboundedReceiver<Result<K, watcher::Error>>)
where
    K: Resource<DynamicType = ()> + Clone + DeserializeOwned + Debug + Send + Sync + 'static,
{
    let (store, writer) = reflector::store();
    let changes =
        watcher(api, watcher::Config::default()).default_backoff().reflect(writer).touched_objects();
    let (sender, receiver) = unbounded();
    tokio::spawn(async move {
        let mut changes = changes.boxed();
        while let Some(change) = changes.next().await {
            if sender.unbounded_send(change).is_err() {
                return;
            }
        }
    });
    (store, receiver)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args = Args::parse();
    // kube-rs's default. It must be set here, because other members of this workspace have another one built in.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        bail!("there is a provider of cryptography already");
    }
    let kubeconfig = Kubeconfig::read_from(&args.kubeconfig)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;
    let (maps, watched_maps) = reflected(Api::<ConfigMap>::all(client.clone()));
    let (services, watched_services) = reflected(Api::<Service>::all(client.clone()));
    maps.wait_until_ready().await?;
    services.wait_until_ready().await?;
    let tally = Arc::new(Tally::new(args.objects));
    let operator = Operator { client: client.clone(), maps, services, tally: Arc::clone(&tally) };
    Controller::new(Api::<App>::all(client), watcher::Config::default())
        .owns_stream(watched_maps)
        .owns_stream(watched_services)
        .with_config(ControllerConfig::default().concurrency(args.workers))
        .graceful_shutdown_on(async {
            // An error is an end too.
            let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
        })
        .run(reconcile, |_, _, _| Action::requeue(RETRY), Arc::new(operator))
        .for_each(|_| std::future::ready(()))
        .await;
    tally.print();
    // The thread that reads standard input may still be waiting.
    std::process::exit(0)
}
