//! Lists: whole, streamed, in pages.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{DecodeOptions, ListItem, Pager, RestClient};
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::pool::Pool;
use client_rs_machinery::wire::Format;
use client_rs_tests::Stage;

use super::common::{create_many, maps, names, speaking};

pub(super) async fn equal(stage: &Stage) -> Result<()> {
    const COUNT: usize = 330;
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    create_many(&admin, &namespace, COUNT).await?;
    let expected = admin.send_list::<ConfigMap>(maps(&namespace)).await?;
    ensure!(names(&expected.items).len() == COUNT, "{} items", names(&expected.items).len());
    for format in [Format::Json, Format::Protobuf] {
        for disable_compression in [false, true] {
            let mut config = speaking(stage.config(), format);
            config.disable_compression = disable_compression;
            let client = RestClient::from_config(&config)?;
            let list = client.send_list::<ConfigMap>(maps(&namespace)).await?;
            ensure!(list.items == expected.items, "list, {format:?}");
            // Others write meanwhile.
            let (at, before) = (&list.metadata.resource_version, &expected.metadata.resource_version);
            ensure!(at.parse::<u64>()? >= before.parse::<u64>()?, "{at} is before {before}");
            ensure!(
                streamed(&client, &namespace, DecodeOptions::default()).await? == expected.items,
                "stream, {format:?}"
            );
            let pooled = DecodeOptions { pool: Some(Arc::new(Pool::new())), ..DecodeOptions::default() };
            ensure!(streamed(&client, &namespace, pooled).await? == expected.items, "pooled, {format:?}");
            let stripped = DecodeOptions { strip_managed_fields: true, ..DecodeOptions::default() };
            let mut bare = expected.items.clone();
            for map in &mut bare {
                map.metadata.managed_fields.clear();
            }
            ensure!(streamed(&client, &namespace, stripped).await? == bare, "stripped, {format:?}");
            let page = |options: ListOptions| {
                let (client, request) = (client.clone(), maps(&namespace).options(&options));
                async move { client.send_list::<ConfigMap>(request).await }
            };
            for page_size in [100, 331, 1000] {
                let pager = Pager { page_size, ..Pager::default() };
                let (list, in_pages) = pager.list(ListOptions::EMPTY, page).await?;
                ensure!(list.items == expected.items, "pages of {page_size}, {format:?}");
                ensure!(
                    in_pages == (expected.items.len() > usize::try_from(page_size)?),
                    "{page_size}: {in_pages}"
                );
                let mut each = Vec::new();
                let taken = pager.each_item(ListOptions::EMPTY, page, async |map| {
                    each.push(map);
                    Ok(())
                });
                taken.await?;
                ensure!(each == expected.items, "each of pages of {page_size}, {format:?}");
            }
        }
    }
    Ok(())
}

async fn streamed(client: &RestClient, namespace: &str, options: DecodeOptions) -> Result<Vec<ConfigMap>> {
    let mut stream = client.list_stream::<ConfigMap>(maps(namespace), options).await?;
    let mut items = Vec::new();
    while let Some(item) = stream.try_next().await? {
        match item {
            ListItem::Object(map) => items.push(map),
            ListItem::Bad(bad) => anyhow::bail!("{bad:?}"),
        }
    }
    let summary = stream.summary().context("no summary at the end")?;
    ensure!(summary.kind == "ConfigMapList" && !summary.resource_version.is_empty(), "{summary:?}");
    Ok(items)
}

pub(super) async fn selected(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    for (name, app) in [("a", "web"), ("b", "web"), ("c", "db")] {
        let mut map = super::common::config_map(name);
        map.metadata.labels.insert("app", app.into());
        let create = client_rs_client::Request::post().of::<ConfigMap>().namespace(&namespace).object(map);
        client.send::<ConfigMap>(create).await?;
    }
    let by = |name: &str, value: &str| maps(&namespace).param(name, value);
    for (request, expected) in [
        (by("labelSelector", "app=web"), vec!["a", "b"]),
        (by("labelSelector", "app in (db,cache)"), vec!["c"]),
        (by("labelSelector", "app,app!=web"), vec!["c"]),
        (by("fieldSelector", "metadata.name=b"), vec!["b"]),
        (by("labelSelector", "app=web").param("fieldSelector", "metadata.name!=a"), vec!["b"]),
    ] {
        let found = names(&client.send_list::<ConfigMap>(request.clone()).await?.items);
        ensure!(found == expected, "{request:?}: {found:?}");
    }
    let page = client.send_list::<ConfigMap>(by("labelSelector", "app").param("limit", "2")).await?;
    ensure!(page.items.len() == 2 && !page.metadata.continue_.is_empty(), "{page:?}");
    let whole = client.send_list::<ConfigMap>(maps(&namespace).param("limit", "2")).await?;
    // The real server counts what is left only where no selector hides some.
    ensure!(whole.metadata.remaining_item_count.is_some_and(|left| left >= 1), "{:?}", whole.metadata);
    Ok(())
}
