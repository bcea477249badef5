//! Scenarios on a control plane with every API, which sends GOAWAY and compacts early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::{ConfigMap, Namespace, Secret};
use client_rs_client::{Error, Pager, Request, RestClient, WatchEnd};
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{Format, WatchEvent};
use client_rs_tests::{Backend, Cluster, Proxy, Stage, eventually};
use futures_util::StreamExt as _;

use super::common::{config_map, create, create_many, create_request, maps, names, speaking, watched};

pub(super) async fn go_away(stage: &Stage) -> Result<()> {
    const REQUESTS: usize = 600;
    let cluster = Cluster::harsh(stage.backend()).await?;
    let stage = Stage::new(Arc::clone(&cluster));
    let namespace = stage.namespace().await?;
    let proxy = Proxy::start(cluster.config()).await?;
    let client = RestClient::from_config(&proxy.config(cluster.config())?)?;
    let version = client.send_list::<ConfigMap>(maps(&namespace)).await?.metadata.resource_version;
    let following = {
        let (client, namespace) = (client.clone(), namespace.clone());
        tokio::spawn(async move { follow(&client, &namespace, version.as_str().to_owned(), REQUESTS).await })
    };
    let mut requests = futures_util::stream::iter(0..REQUESTS)
        .map(|number| {
            let (client, namespace) = (&client, &namespace);
            async move {
                let mut map = config_map("");
                // A create that was made twice would be two objects.
                map.metadata.generate_name = format!("load-{number}-").into();
                let created: ConfigMap = client.send(create_request(namespace, "").object(map)).await?;
                let read: ConfigMap = client.send(maps(namespace).name(&created.metadata.name)).await?;
                Ok::<_, Error>(created == read)
            }
        })
        .buffer_unordered(20);
    while let Some(same) = requests.next().await {
        ensure!(same?, "an object was read back changed");
    }
    drop(requests);
    let list = client.send_list::<ConfigMap>(maps(&namespace)).await?;
    let made = names(&list.items).len();
    ensure!(made == REQUESTS, "{made} objects of {REQUESTS} creates");
    let (seen, watches) = following.await??;
    ensure!(seen == REQUESTS, "the watch saw {seen} of {REQUESTS}");
    // At 2 % of 1,200 requests it is certain, for all that it is chance.
    ensure!(proxy.connections() > 1, "no GOAWAY came: {watches} watches on one connection");
    stage.strike().await;
    Ok(())
}

/// Follows a namespace through as many watches as needed until this many objects were seen.
async fn follow(
    client: &RestClient,
    namespace: &str,
    mut version: String,
    count: usize,
) -> Result<(usize, usize)> {
    let (mut seen, mut watches) = (std::collections::BTreeSet::new(), 0);
    while seen.len() < count {
        let mut watch = client.watch::<ConfigMap>(watched(namespace, &version)).await?;
        watches += 1;
        while seen.len() < count {
            match watch.next().await {
                Some(Ok(WatchEvent::Added(map) | WatchEvent::Modified(map))) => {
                    version = map.metadata.resource_version.to_string();
                    for name in names([&map]) {
                        ensure!(seen.insert(name), "{} twice", map.metadata.name);
                    }
                }
                Some(other) => bail!("{other:?}"),
                None => break,
            }
        }
    }
    Ok((seen.len(), watches))
}

pub(super) async fn compacted(stage: &Stage) -> Result<()> {
    let own = forgetful(stage).await?;
    let stage = own.as_ref().unwrap_or(stage);
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    create_many(&client, &namespace, 30).await?;
    let page = |options: ListOptions| {
        let request = maps(&namespace).options(&options);
        let client = client.clone();
        async move { client.send_list::<ConfigMap>(request).await }
    };
    let first = page(ListOptions { limit: 10, ..ListOptions::EMPTY }).await?;
    let token = first.metadata.continue_.clone();
    ensure!(!token.is_empty() && first.items.len() == 10, "{} items, token {token:?}", first.items.len());
    create(&client, &namespace, "later").await?;
    let old = ListOptions { limit: 10, continue_: token, ..ListOptions::EMPTY };
    let error = expire(stage, || page(old.clone())).await?;
    ensure!(error.api().is_some_and(|api| api.code() == 410), "{error}");
    // A pager that meets it in the middle starts again, and returns the whole list.
    let pager = Pager::default().with_page_size(10);
    let second = AtomicBool::new(false);
    let (list, in_pages) = pager
        .list(ListOptions::EMPTY, |options| {
            let outdated = !options.continue_.is_empty() && !second.swap(true, Ordering::SeqCst);
            page(if outdated { ListOptions { continue_: old.continue_.clone(), ..options } } else { options })
        })
        .await?;
    ensure!(in_pages && names(&list.items).len() == 31, "{} items", names(&list.items).len());
    // An exact version that is gone.
    let exact = ListOptions {
        resource_version: first.metadata.resource_version.clone(),
        resource_version_match: "Exact".into(),
        ..ListOptions::EMPTY
    };
    let error = page(exact).await.err().context("an exact version that was compacted")?;
    ensure!(error.is_resource_expired(), "{error}");
    if let Some(own) = &own {
        own.strike().await;
    }
    Ok(())
}

/// A stage on the server that forgets soon, where the usual one does not do so on demand.
async fn forgetful(stage: &Stage) -> Result<Option<Stage>> {
    Ok(match stage.backend() {
        Backend::Embedded => None,
        Backend::Real => Some(Stage::new(Cluster::harsh(Backend::Real).await?)),
    })
}

pub(super) async fn expired_watch(stage: &Stage) -> Result<()> {
    let own = forgetful(stage).await?;
    let stage = own.as_ref().unwrap_or(stage);
    let (client, namespace) = (stage.client()?, stage.namespace().await?);
    let secrets = || Request::get().of::<Secret>().namespace(&namespace);
    let old = client.send_list::<Secret>(secrets()).await?.metadata.resource_version;
    for number in 0..5 {
        create(&client, &namespace, &format!("write-{number}")).await?;
    }
    if let Ok(controls) = stage.embedded() {
        controls.compact();
    }
    let watched =
        secrets().param("watch", "true").param("resourceVersion", old.as_str()).param("timeoutSeconds", "1");
    for format in [Format::Json, Format::Protobuf] {
        let client = RestClient::from_config(&speaking(stage.config(), format))?;
        let error = eventually("the server forgets", || async {
            match client.watch::<Secret>(watched.clone()).await {
                // At the start: the answer itself.
                Err(error) => Ok(error.api().context("not the server's word")?.clone()),
                // As an event, which is the last one.
                Ok(mut watch) => {
                    let Some(event) = watch.next().await else { bail!("it still knows") };
                    let Ok(WatchEvent::Error(error)) = event else { bail!("{event:?}") };
                    ensure!(watch.next().await.is_none(), "more events after the error");
                    ensure!(matches!(watch.end(), Some(WatchEnd::Error)), "{:?}", watch.end());
                    Ok(error)
                }
            }
        });
        let error = error.await?;
        ensure!(error.code() == 410 && (error.is_resource_expired() || error.is_gone()), "{error}");
    }
    // A version of the future is waited for or refused, and is no reason to hang.
    let far = maps(&namespace)
        .param("watch", "true")
        .param("resourceVersion", "999999999999")
        .param("timeoutSeconds", "1");
    let watching = async {
        // A refusal is as good as an end.
        let Ok(mut watch) = client.watch::<ConfigMap>(far).await else {
            return Ok(());
        };
        while let Some(event) = watch.next().await {
            ensure!(!matches!(event, Ok(WatchEvent::Added(_))), "an event of the past: {event:?}");
        }
        Ok(())
    };
    tokio::time::timeout(Duration::from_secs(30), watching)
        .await
        .context("a watch from the future hangs")??;
    if let Some(own) = &own {
        own.strike().await;
    }
    Ok(())
}

/// Waits until the server has compacted the version, and returns its error.
async fn expire<F>(stage: &Stage, mut page: impl FnMut() -> F) -> Result<Error>
where
    F: Future<Output = Result<client_rs_client::Listed<ConfigMap>, Error>>,
{
    if let Ok(controls) = stage.embedded() {
        controls.compact();
    }
    let client = stage.client()?;
    eventually("the server forgets", || {
        let asked = page();
        let client = client.clone();
        async move {
            // It forgets what is behind a write.
            let nothing = Request::get().of::<Namespace>().name("default");
            client.send::<Namespace>(nothing).await?;
            tokio::time::sleep(Duration::from_millis(200)).await;
            match asked.await {
                Err(error) if error.is_resource_expired() => Ok(error),
                Err(error) => Err(error.into()),
                Ok(_) => bail!("it still knows"),
            }
        }
    })
    .await
}
