//! Lists the pods of a namespace, then follows their changes: `cargo run --example watch_pods -- NAMESPACE`.
//!
//! Servers end watches from time to time. This program ends with its watch, or when interrupted. An informer would watch
//! again, and keep the objects in a cache.

use std::time::Duration;

use client_rs::api::core::v1::Pod;
use client_rs::client::{ListItem, Request, RestClient};
use client_rs::controller::setup_signal_handler;
use client_rs::machinery::Object;
use client_rs::machinery::meta::v1::ListOptions;
use client_rs::machinery::wire::WatchEvent;
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // First: from now on an interrupt is handled, at every point of the program.
    let stop = setup_signal_handler()?;
    stop.run_until_cancelled(follow()).await.unwrap_or(Ok(()))
}

async fn follow() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::infer()?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| config.default_namespace.clone());
    let client = RestClient::from_config(&config)?;
    let pods = || Request::get().of::<Pod>().namespace(&namespace);

    // Items are handled as they arrive: a long list takes no more memory than a short one.
    let mut list = client.list_stream::<Pod>(pods()).await?;
    while let Some(item) = list.try_next().await? {
        match item {
            ListItem::Object(pod) => println!("listed   {} at {}", pod.key(), pod.resource_version()),
            ListItem::Bad(bad) => eprintln!("skipped: {bad}"),
        }
    }
    let resource_version = list.summary().map(|summary| summary.resource_version.clone()).unwrap_or_default();
    println!("watching from version {resource_version}");

    let options =
        ListOptions { watch: true, allow_watch_bookmarks: true, resource_version, ..ListOptions::EMPTY };
    let request = pods().options(&options).watch_timeout(Duration::from_mins(5));
    let mut watch = client.watch::<Pod>(request).await?;
    while let Some(event) = watch.next().await {
        match event {
            Ok(WatchEvent::Added(pod)) => println!("added    {}", pod.key()),
            Ok(WatchEvent::Modified(pod)) => println!("modified {}", pod.key()),
            Ok(WatchEvent::Deleted(pod)) => println!("deleted  {}", pod.key()),
            Ok(WatchEvent::Bookmark { resource_version, .. }) => {
                println!("bookmark {resource_version}");
            }
            Ok(WatchEvent::Error(error)) => eprintln!("the server ended the watch: {error}"),
            Err(bad) => eprintln!("skipped: {bad}"),
        }
    }
    println!("ended: {:?}", watch.end());
    Ok(())
}
