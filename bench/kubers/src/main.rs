//! kube-rs's side of `cargo xtask bench informer` and `bench large`: a reflector of all objects of a kind, with the default
//! configuration of its watcher, as its documentation has it.
//!
//! It has one consumer, the stream that the reflector passes on; how it is measured and what it prints: see
//! `bench-meter`.

use std::fmt;
use std::sync::Arc;

use anyhow::{Result, bail};
use bench_meter::{Asked, Counting, Handlers, Meter};
use clap::Parser;
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::apps::v1::ReplicaSet;
use k8s_openapi::api::core::v1::{Pod, Secret};
use k8s_openapi::api::networking::v1::Ingress;
use k8s_openapi::api::rbac::v1::RoleBinding;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::reflector::{self, Store};
use kube::runtime::watcher::Event;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, Config, Resource, ResourceExt};
use serde::de::DeserializeOwned;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Parser)]
struct Args {
    #[command(flatten)]
    asked: Asked,
}

/// A kind that can be cached.
trait Kind: Resource<DynamicType = ()> + Clone + fmt::Debug + DeserializeOwned + Send + Sync + 'static {}

impl<K: Resource<DynamicType = ()> + Clone + fmt::Debug + DeserializeOwned + Send + Sync + 'static> Kind
    for K
{
}

fn main() -> Result<()> {
    let Args { asked } = Args::parse();
    match asked.resource.as_str() {
        "ingresses" => run::<Ingress>(&asked),
        "pods" => run::<Pod>(&asked),
        "replicasets" => run::<ReplicaSet>(&asked),
        "rolebindings" => run::<RoleBinding>(&asked),
        "secrets" => run::<Secret>(&asked),
        other => bail!("unknown resource {other:?}"),
    }
}

fn run<K: Kind>(asked: &Asked) -> Result<()> {
    let meter = Meter::start(asked);
    let handlers = Handlers::new(asked);
    // kube-rs's default. It must be set here, because other members of this workspace have another one built in.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        bail!("there is a provider of cryptography already");
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let store = runtime.block_on(synced::<K>(asked, &handlers))?;
    meter.measure(store.len(), &handlers);
    runtime.shutdown_background();
    Ok(())
}

async fn synced<K: Kind>(asked: &Asked, handlers: &Arc<Handlers>) -> Result<Store<K>> {
    let kubeconfig = Kubeconfig::read_from(&asked.kubeconfig)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let api: Api<K> = Api::all(Client::try_from(config)?);
    let (store, writer) = reflector::store();
    let events = watcher(api, watcher::Config::default()).default_backoff().reflect(writer);
    let handlers = handlers.clone();
    tokio::spawn(async move {
        let mut events = events.boxed();
        loop {
            match events.try_next().await {
                Ok(Some(Event::Apply(object))) => {
                    handlers.changed(0, &object.resource_version().unwrap_or_default());
                }
                Ok(Some(Event::Delete(_))) => handlers.ended(0),
                Ok(Some(Event::Init | Event::InitApply(_) | Event::InitDone)) => (),
                Ok(None) => return,
                // The watcher retries by itself.
                Err(error) => eprintln!("{error}"),
            }
        }
    });
    store.wait_until_ready().await?;
    Ok(store)
}
