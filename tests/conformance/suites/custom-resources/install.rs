//! Definitions that come, change and stay.

use std::time::Duration;

use anyhow::{Result, ensure};
use client_rs::custom::crds::{self, InstallError, InstallOptions, Installed};
use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::Api;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_tests::Stage;

use super::gadget::{self, Gadget};

pub(super) async fn life(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    ensure!(crds::apply(&rest, [Gadget::crd()]).await? == [Installed::Created], "not created");
    // It is served by now.
    Api::<Gadget>::namespaced(&rest, namespace.as_str()).create(gadget::gadget("a")).await?;
    ensure!(crds::apply(&rest, [Gadget::crd()]).await? == [Installed::Unchanged], "changed by itself");

    let mut more = Gadget::crd();
    more.spec.names.short_names.push("gg".into());
    ensure!(crds::apply(&rest, [more]).await? == [Installed::Upgraded], "not upgraded");

    let mut less = Gadget::crd();
    let schema =
        less.spec.versions.make_mut()[0].schema.as_mut().and_then(|schema| schema.open_apiv3_schema.as_mut());
    let spec = schema.and_then(|schema| schema.properties.get_mut("spec"));
    let gone = spec.and_then(|spec| spec.properties.remove("code"));
    ensure!(gone.is_some(), "the schema has no such field");
    let refused = crds::apply(&rest, [less.clone()]).await;
    let Err(InstallError::Loss { losses, .. }) = &refused else { anyhow::bail!("{refused:?}") };
    ensure!(losses[0].to_string() == "v1: spec.code would be dropped", "{losses:?}");
    let told = InstallOptions::default().with_accept_loss(true);
    ensure!(crds::apply_with(&rest, [less], &told).await? == [Installed::Upgraded], "not upgraded");

    let twice = crds::apply(&rest, [Gadget::crd(), Gadget::crd()]).await;
    ensure!(matches!(twice, Err(InstallError::Twice(_))), "{twice:?}");
    gadget::remove(&rest, &Gadget::crd()).await
}

pub(super) async fn names_taken(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    gadget::install(&rest).await?;
    let mut other = Gadget::crd();
    other.metadata = ObjectMeta { name: "gizmos.derive.conformance.example.com".into(), ..ObjectMeta::EMPTY };
    other.spec.names.plural = "gizmos".into();
    other.spec.names.singular = "gizmo".into();
    let options = InstallOptions::default().with_timeout(Duration::from_secs(30));
    let refused = crds::apply_with(&rest, [other.clone()], &options).await;
    let Err(InstallError::NotServed { error, .. }) = &refused else { anyhow::bail!("{refused:?}") };
    ensure!(error.to_string().contains("names are taken"), "{error}");
    Api::<CustomResourceDefinition>::cluster(&rest).delete(&other.metadata.name).await?;
    gadget::remove(&rest, &Gadget::crd()).await
}
