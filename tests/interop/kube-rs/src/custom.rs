//! A kind of its own.

use anyhow::{Context, Result, ensure};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::wait::{await_condition, conditions};
use kube::{Api, Client, CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{api, refused};

/// Something that is reconciled.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "strangers.example.com", version = "v1", kind = "Parcel", namespaced, shortname = "pcl")]
#[kube(status = "ParcelStatus")]
pub(crate) struct ParcelSpec {
    /// The destination.
    pub(crate) to: String,
    /// How many.
    #[schemars(range(min = 1, max = 9))]
    pub(crate) count: u32,
}

/// The state of the parcel.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub(crate) struct ParcelStatus {
    pub(crate) delivered: bool,
}

pub(crate) fn parcel(name: &str) -> Parcel {
    Parcel::new(name, ParcelSpec { to: "there".to_owned(), count: 1 })
}

/// A parcel that the schema refuses.
pub(crate) fn many(name: &str) -> Parcel {
    Parcel::new(name, ParcelSpec { to: String::new(), count: 10 })
}

pub(crate) async fn definition(client: &Client) -> Result<()> {
    let definitions = Api::<CustomResourceDefinition>::all(client.clone());
    let apply = PatchParams::apply("strangers").force();
    definitions.patch(Parcel::crd_name(), &apply, &Patch::Apply(Parcel::crd())).await?;
    let established = conditions::is_crd_established();
    await_condition(definitions, Parcel::crd_name(), established).await?.context("it is gone")?;
    let parcels = api::<Parcel>(client);
    // After `Established`, it may take a moment until every path serves it.
    while parcels.list(&kube::api::ListParams::default()).await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let made = parcels.create(&PostParams::default(), &parcel("first")).await?;
    ensure!(made.metadata.generation == Some(1) && made.spec.count == 1, "{made:?}");
    let status = refused(parcels.create(&PostParams::default(), &many("many")).await)?;
    ensure!(status.is_invalid() && status.message.contains("spec.count"), "{status:?}");
    Ok(())
}

pub(crate) async fn status(client: &Client) -> Result<()> {
    let parcels = api::<Parcel>(client);
    let patch = Patch::Merge(json!({"status": {"delivered": true}, "spec": {"count": 5}}));
    let told = parcels.patch_status("first", &PatchParams::default(), &patch).await?;
    ensure!(told.status.is_some_and(|status| status.delivered) && told.spec.count == 1, "{:?}", told.spec);
    ensure!(told.metadata.generation == Some(1), "generation {:?}", told.metadata.generation);
    let patch = Patch::Merge(json!({"status": {"delivered": false}, "spec": {"count": 5}}));
    let changed = parcels.patch("first", &PatchParams::default(), &patch).await?;
    ensure!(changed.status.is_some_and(|status| status.delivered), "a write of the spec changed the status");
    ensure!(changed.metadata.generation == Some(2), "generation {:?}", changed.metadata.generation);
    Ok(())
}

pub(crate) async fn remove(client: &Client) -> Result<()> {
    let definitions = Api::<CustomResourceDefinition>::all(client.clone());
    definitions.delete(Parcel::crd_name(), &DeleteParams::default()).await?;
    Ok(())
}
