//! The kube-rs side of `cargo xtask strangers`: one line of JSON a check on stdout.

mod controllers;
mod custom;
mod discovery;
mod leases;
mod objects;
mod ours;
mod subresources;
mod watches;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use futures::future::BoxFuture;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, ServiceAccount};
use kube::api::{DeleteParams, ObjectMeta, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Api, Client, Config};
use serde_json::json;

const NAMESPACE: &str = "strangers-kube-rs";
/// The longest that anything may take that is to happen.
const PATIENCE: Duration = Duration::from_mins(1);

/// A name, and what must hold. Later ones build on what earlier ones made.
type Check = (&'static str, for<'a> fn(&'a Client) -> BoxFuture<'a, Result<()>>);

/// A check: its name and the `async fn(&Client) -> Result<()>` that tries it.
macro_rules! check {
    ($name:expr, $run:path) => {
        ($name, |client| ::std::boxed::Box::pin($run(client)))
    };
}

const CHECKS: &[Check] = &[
    check!("version", discovery::version),
    check!("discovery", discovery::classic),
    check!("discovery, aggregated", discovery::aggregated),
    check!("discovery of one kind", discovery::pinned),
    check!("api create, get, replace, delete", objects::life),
    check!("api conflict", objects::conflict),
    check!("api error reasons", objects::reasons),
    check!("api list in pages", objects::pages),
    check!("api list by selectors", objects::selectors),
    check!("api patches", objects::patches),
    check!("api server-side apply", objects::apply),
    check!("api entry", objects::entry),
    check!("api metadata", objects::metadata),
    check!("api dry run", objects::dry_run),
    check!("api dynamic object", objects::dynamic),
    check!("api delete collection", objects::delete_collection),
    check!("api watch", watches::raw),
    check!("subresource status", subresources::status),
    check!("subresource scale", subresources::scale),
    check!("subresource eviction", subresources::eviction),
    check!("subresource ephemeral containers", subresources::ephemeral),
    check!("subresource token", subresources::token),
    check!("node cordon and deployment restart", subresources::shortcuts),
    check!("watcher follows", watches::follows),
    check!("watcher with streaming lists", watches::streams),
    check!("watcher of metadata", watches::metadata),
    check!("reflector", watches::reflects),
    check!("await condition", watches::waits),
    check!("custom resource definition", custom::definition),
    check!("custom resource with status", custom::status),
    check!("derived kind with client-rs", ours::typed),
    check!("controller with finalizer", controllers::finalizers),
    check!("controller with owned objects", controllers::owners),
    check!("event recorder", controllers::events),
    check!("lease is taken, renewed and handed over", leases::hand_over),
];

#[derive(Parser)]
struct Args {
    /// How the server is reached
    #[arg(long)]
    kubeconfig: PathBuf,
}

#[tokio::main]
async fn main() -> Result<()> {
    let kubeconfig = Kubeconfig::read_from(Args::parse().kubeconfig)?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;
    let namespaces = Api::<Namespace>::all(client.clone());
    let namespace = Namespace { metadata: named(NAMESPACE), ..Namespace::default() };
    namespaces.create(&PostParams::default(), &namespace).await?;
    for (name, run) in CHECKS {
        let outcome = tokio::time::timeout(PATIENCE, run(&client)).await;
        let outcome = outcome.unwrap_or_else(|_| Err(anyhow::anyhow!("not over within {PATIENCE:?}")));
        match outcome {
            Ok(()) => println!("{}", json!({"check": name})),
            Err(error) => println!("{}", json!({"check": name, "error": format!("{error:#}")})),
        }
    }
    custom::remove(&client).await?;
    namespaces.delete(NAMESPACE, &DeleteParams::default()).await?;
    Ok(())
}

fn api<K>(client: &Client) -> Api<K>
where
    K: kube::Resource<DynamicType = (), Scope = k8s_openapi::NamespaceResourceScope>,
{
    Api::namespaced(client.clone(), NAMESPACE)
}

fn named(name: &str) -> ObjectMeta {
    ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() }
}

fn labelled(name: &str, labels: &[(&str, &str)]) -> ObjectMeta {
    let labels = labels.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    ObjectMeta { labels: Some(labels), ..named(name) }
}

fn config_map(name: &str, value: &str) -> ConfigMap {
    let data = BTreeMap::from([("key".to_owned(), value.to_owned())]);
    ConfigMap { metadata: named(name), data: Some(data), ..ConfigMap::default() }
}

/// The status that a request was refused with.
fn refused<T>(outcome: kube::Result<T>) -> Result<kube::core::Status> {
    match outcome {
        Err(kube::Error::Api(status)) => Ok(*status),
        Err(other) => bail!("not the server's word: {other}"),
        Ok(_) => bail!("it was allowed"),
    }
}

/// Waits for a namespace's own account, without which pods are refused. Some servers have none and take pods.
async fn account(client: &Client) -> Result<()> {
    let accounts = api::<ServiceAccount>(client);
    let account = ServiceAccount { metadata: named("default"), ..ServiceAccount::default() };
    match accounts.create(&PostParams::default(), &account).await {
        Ok(_) => Ok(()),
        Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
        Err(other) => Err(other).context("the default account"),
    }
}
