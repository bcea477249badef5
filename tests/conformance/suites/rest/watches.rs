//! Watches: formats, bookmarks, initial events, versions that are gone.

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{Request, RestClient, Watch, WatchEnd, watch_list_options};
use client_rs_machinery::features::FeatureGates;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{Format, WatchEvent};
use client_rs_tests::Stage;

use super::common::{create, create_many, maps, names, speaking, watched};

pub(super) async fn formats(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    let version = admin.send_list::<ConfigMap>(maps(&namespace)).await?.metadata.resource_version;
    let mut watches = Vec::new();
    for format in [Format::Json, Format::Protobuf] {
        let client = RestClient::from_config(&speaking(stage.config(), format))?;
        watches.push(client.watch::<ConfigMap>(watched(&namespace, &version)).await?);
    }
    for number in 0..10 {
        let mut map = create(&admin, &namespace, &format!("map-{number}")).await?;
        map.data.insert("big", "x".repeat(10_000).into());
        let one = |request: Request| request.of::<ConfigMap>().namespace(&namespace).name(&map.metadata.name);
        admin.send::<ConfigMap>(one(Request::put()).object(map.clone())).await?;
        admin.send_raw(one(Request::delete())).await?;
    }
    let mut seen = Vec::new();
    for watch in &mut watches {
        let mut events = Vec::new();
        while events.len() < 30 {
            match watch.next().await.context("the watch has ended")?? {
                WatchEvent::Added(map) if !names([&map]).is_empty() => events.push(("added", map)),
                WatchEvent::Modified(map) if !names([&map]).is_empty() => events.push(("modified", map)),
                WatchEvent::Deleted(map) => events.push(("deleted", map)),
                WatchEvent::Added(_) | WatchEvent::Modified(_) => {}
                other => bail!("{other:?}"),
            }
        }
        seen.push(events);
    }
    ensure!(seen[0] == seen[1], "they differ");
    let kinds: Vec<_> = seen[0].iter().take(3).map(|(kind, _)| *kind).collect();
    ensure!(kinds == ["added", "modified", "deleted"], "{kinds:?}");
    Ok(())
}

pub(super) async fn bookmarks(stage: &Stage) -> Result<()> {
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let version = client.send_list::<ConfigMap>(maps(&namespace)).await?.metadata.resource_version;
    for asked in [true, false] {
        // The last bookmark comes two seconds before the server's end of the watch.
        let request = watched(&namespace, &version)
            .param("allowWatchBookmarks", asked.to_string())
            .param("timeoutSeconds", "5");
        let mut watch = client.watch::<ConfigMap>(request).await?;
        let mut bookmarks = Vec::new();
        while let Some(event) = watch.next().await {
            match event? {
                WatchEvent::Bookmark { resource_version, .. } => bookmarks.push(resource_version),
                WatchEvent::Added(_) | WatchEvent::Modified(_) => {}
                other => bail!("{other:?}"),
            }
        }
        ensure!(matches!(watch.end(), Some(WatchEnd::Closed)), "{:?}", watch.end());
        ensure!(bookmarks.is_empty() != asked, "asked for: {asked}, {} came", bookmarks.len());
        for bookmark in bookmarks {
            let at: u64 = bookmark.parse().context("a bookmark's version")?;
            ensure!(at >= version.parse::<u64>()?, "{at} is before {version}");
        }
    }
    Ok(())
}

pub(super) async fn initial_events(stage: &Stage) -> Result<()> {
    let (admin, namespace) = (stage.client()?, stage.namespace().await?);
    create_many(&admin, &namespace, 50).await?;
    let options = watch_list_options(&FeatureGates::with_env(|_| None), &ListOptions::EMPTY);
    let options = options.context("no watch list")?;
    for format in [Format::Json, Format::Protobuf] {
        let client = RestClient::from_config(&speaking(stage.config(), format))?;
        let mut watch = client.watch::<ConfigMap>(maps(&namespace).options(&options)).await?;
        let mut initial = Vec::new();
        let at = loop {
            match watch.next().await.context("the watch has ended")?? {
                WatchEvent::Added(map) => initial.extend(names([&map])),
                WatchEvent::Bookmark { resource_version, initial_events_end: true } => {
                    break resource_version;
                }
                WatchEvent::Bookmark { .. } => {}
                other => bail!("{other:?}"),
            }
        };
        let list = names(&admin.send_list::<ConfigMap>(maps(&namespace)).await?.items);
        initial.sort();
        ensure!(initial == list, "{format:?}: {} initial events, {} listed", initial.len(), list.len());
        ensure!(!at.is_empty(), "no version");
        let name = format!("later-{}", format.media_type().len());
        create(&admin, &namespace, &name).await?;
        until(&mut watch, &name).await?;
    }
    Ok(())
}

async fn until(watch: &mut Watch<ConfigMap>, name: &str) -> Result<()> {
    loop {
        match watch.next().await.context("the watch has ended")?? {
            WatchEvent::Added(map) if map.metadata.name == name => return Ok(()),
            WatchEvent::Added(_) | WatchEvent::Modified(_) | WatchEvent::Bookmark { .. } => {}
            other => bail!("{other:?}"),
        }
    }
}
