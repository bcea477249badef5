//! How many connections it takes.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::{RestClient, RestClientOptions, Watch};
use client_rs_machinery::wire::WatchEvent;
use client_rs_tests::{Backend, Proxy, Stage};
use client_rs_transport::http::{HttpOptions, Transport, TransportOptions};

use super::common::{create, maps, names, watched};

pub(super) async fn ninety_watches(stage: &Stage) -> Result<()> {
    let connections = watches(stage, 90).await?;
    ensure!(connections == 1, "{connections} connections");
    Ok(())
}

pub(super) async fn many_watches(stage: &Stage) -> Result<()> {
    let connections = watches(stage, 300).await?;
    // kube-apiserver allows 100 streams a connection, the embedded server 1,000.
    let fewest = match stage.backend() {
        Backend::Real => 4,
        Backend::Embedded => 1,
    };
    ensure!(connections <= fewest, "{connections} connections where {fewest} are enough");
    Ok(())
}

/// Opens watches, sends requests meanwhile, and waits until every watch has seen a change. Returns the number of TCP
/// connections.
async fn watches(stage: &Stage, count: usize) -> Result<usize> {
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(stage.config()).await?;
    let client = RestClient::from_config(&proxy.config(stage.config())?)?;
    let list = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    let mut open = tokio::task::JoinSet::new();
    for _ in 0..count {
        let (client, request) = (client.clone(), watched(&namespace, &list.metadata.resource_version));
        open.spawn(async move { client.watch::<ConfigMap>(request).await });
    }
    let mut watches = Vec::new();
    while let Some(watch) = open.join_next().await {
        watches.push(watch??);
        // A plain request is not held up by the watches.
        if watches.len().is_multiple_of(30) {
            let limit = Duration::from_secs(20);
            let answered = tokio::time::timeout(limit, client.send_list::<ConfigMap>(maps(&namespace))).await;
            answered.with_context(|| format!("starved behind {} watches", watches.len()))??;
        }
    }
    create(&client, &namespace, "seen").await?;
    let mut all = tokio::task::JoinSet::new();
    for watch in watches {
        all.spawn(async move { seen(watch).await });
    }
    while let Some(seen) = all.join_next().await {
        seen??;
    }
    Ok(proxy.connections())
}

async fn seen(mut watch: Watch<ConfigMap>) -> Result<()> {
    loop {
        match watch.next().await {
            Some(Ok(WatchEvent::Added(map))) if map.metadata.name == "seen" => return Ok(()),
            Some(Ok(WatchEvent::Added(_) | WatchEvent::Modified(_))) => {}
            other => anyhow::bail!("{other:?}, end: {:?}", watch.end()),
        }
    }
}

pub(super) async fn sharing(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(stage.config()).await?;
    let config = proxy.config(stage.config())?;
    let (one, two) = (RestClient::from_config(&config)?, RestClient::from_config(&config)?);
    for client in [&one, &two, &one.clone()] {
        client.send_list::<ConfigMap>(maps(&namespace)).await?;
    }
    ensure!(proxy.connections() == 1, "{} connections for equal configs", proxy.connections());
    let own = Transport::from_config_with(&config, TransportOptions::default())?;
    let own = RestClient::with_options(&config.server, own, RestClientOptions::from_config(&config))?;
    own.send_list::<ConfigMap>(maps(&namespace)).await?;
    ensure!(proxy.connections() == 2, "{} connections with one of its own", proxy.connections());
    drop((one, two, own));
    client_rs_tests::eventually("the connections are closed with the last client", || async {
        ensure!(proxy.open() == 0, "{} are open", proxy.open());
        Ok(())
    })
    .await
}

pub(super) async fn http1(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let config = stage.config();
    let options = TransportOptions::default().with_http(HttpOptions::default().with_http2(false));
    let transport = Transport::from_config_with(config, options)?;
    let client = RestClient::with_options(&config.server, transport, RestClientOptions::from_config(config))?;
    let before = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    let request = watched(&namespace, &before.metadata.resource_version);
    let watch = client.watch::<ConfigMap>(request).await?;
    create(&client, &namespace, "seen").await?;
    seen(watch).await?;
    let after = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    ensure!(names(&after.items) == ["seen"], "{:?}", names(&after.items));
    Ok(())
}
