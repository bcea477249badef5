//! Transport and REST client.

use anyhow::{Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{DecodeOptions, Request};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::WatchEvent;
use client_rs_tests::{Scenario, Stage, scenario};

pub(crate) const SCENARIOS: &[Scenario] =
    &[scenario!("an object is created, read, watched, listed and deleted", life_of_an_object)];

async fn life_of_an_object(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let all = || Request::get().of::<ConfigMap>().namespace(&namespace);
    let before = client.send_list::<ConfigMap>(all()).await?;
    let watched =
        all().param("watch", "true").param("resourceVersion", before.metadata.resource_version.as_str());
    let mut watch = client.watch::<ConfigMap>(watched, DecodeOptions::default()).await?;

    let metadata = ObjectMeta { name: "one".into(), ..ObjectMeta::EMPTY };
    let one = ConfigMap { metadata, ..ConfigMap::EMPTY };
    let create = Request::post().of::<ConfigMap>().namespace(&namespace).object(one);
    let (created, new) = client.send_object::<ConfigMap>(create).await?;
    ensure!(new && !created.metadata.uid.is_empty(), "{created:?}");
    let read: ConfigMap = client.send(all().name("one")).await?;
    ensure!(read == created, "{read:?} instead of {created:?}");
    let listed = client.send_list::<ConfigMap>(all()).await?;
    ensure!(listed.items.contains(&created), "{listed:?}");
    client.send_raw(Request::delete().of::<ConfigMap>().namespace(&namespace).name("one")).await?;
    let gone = client.send::<ConfigMap>(all().name("one")).await.map(drop);
    ensure!(gone.as_ref().is_err_and(client_rs_client::Error::is_not_found), "{gone:?}");

    let mut seen = Vec::new();
    while seen.len() < 2 {
        match watch.next().await {
            Some(Ok(WatchEvent::Added(object))) if object.metadata.name == "one" => seen.push("added"),
            Some(Ok(WatchEvent::Deleted(object))) if object.metadata.name == "one" => seen.push("deleted"),
            // The real server's controllers write here too.
            Some(Ok(_)) => {}
            other => anyhow::bail!("{other:?}, end: {:?}", watch.end()),
        }
    }
    ensure!(seen == ["added", "deleted"], "{seen:?}");
    Ok(())
}
