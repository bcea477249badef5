//! A kind that kube has derived, with the typed client of this repository.

use anyhow::{Result, ensure};
use clap::Parser as _;
use client_rs::cache::SharedInformer;
use client_rs::client::{Api, RestClient};
use client_rs::informers::RestListWatch;
use client_rs::machinery::{Object as _, json};
use client_rs::transport::Config;
use kube::Client;

use crate::NAMESPACE;
use crate::custom::{Parcel, ParcelStatus, parcel};

client_rs::kube_kind!(
    Parcel,
    group = "strangers.example.com",
    version = "v1",
    kind = "Parcel",
    plural = "parcels",
    namespaced,
    status
);

/// Creates, reads, patches, watches and deletes objects of the kind. Both libraries see the same.
pub(crate) async fn typed(client: &Client) -> Result<()> {
    let kubeconfig = std::fs::read(crate::Args::parse().kubeconfig)?;
    let rest = RestClient::from_config(&Config::from_kubeconfig(&kubeconfig)?)?;
    let parcels = Api::<Parcel>::namespaced(&rest, NAMESPACE);
    let made = parcels.create(parcel("ours")).await?;
    ensure!(made.spec.to == "there" && made.name() == "ours" && !made.uid().is_empty(), "{made:?}");
    let theirs = crate::api::<Parcel>(client).get("ours").await?;
    ensure!(theirs.metadata.uid.as_deref() == Some(made.uid()), "{theirs:?}");

    let informer = SharedInformer::new(RestListWatch::<Parcel>::new(rest.clone()).namespace(NAMESPACE));
    let running = informer.spawn();
    ensure!(informer.synced().await, "the informer has ended");
    ensure!(informer.indexer().get(&made.key()).is_some_and(|found| found.spec.count == 1), "not cached");

    let change = json!({"metadata": {"name": "ours"}, "spec": {"to": "there", "count": 2}});
    let changed = parcels.apply(change, "ours").await;
    ensure!(changed.is_err_and(|error| error.is_conflict()), "a field of another manager was taken");
    let mut changed = made.clone();
    changed.status = Some(ParcelStatus { delivered: true });
    let changed = parcels.update_status(changed).await?;
    ensure!(changed.status.as_ref().is_some_and(|status| status.delivered), "{changed:?}");
    let refused = parcels.create(crate::custom::many("many")).await;
    ensure!(refused.is_err_and(|error| error.to_string().contains("spec.count")), "count 10 was accepted");
    let listed = parcels.list().await?;
    ensure!(listed.items.iter().any(|parcel| parcel.name() == "ours"), "not listed");
    parcels.delete("ours").await?;
    ensure!(parcels.get("ours").await.is_err_and(|error| error.is_not_found()), "it still exists");
    running.shutdown().await?;
    Ok(())
}
