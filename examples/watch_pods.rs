//! Lists the pods of a namespace, then follows their changes: `cargo run --example watch_pods -- NAMESPACE`.
//!
//! A watch ends now and then, as servers end them: this one ends with it, or when interrupted. What begins it anew, and
//! keeps what it has seen, is an informer.

use std::time::Duration;

use client_rs_api::core::v1::Pod;
use client_rs_client::{DecodeOptions, ListItem, Request, RestClient};
use client_rs_machinery::Object;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::WatchEvent;
use client_rs_transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config::infer()?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| config.default_namespace.clone());
    let client = RestClient::from_config(&config)?;
    let pods = || Request::get().of::<Pod>().namespace(&namespace);

    // Items come as they arrive: a long list costs no more memory than a short one.
    let mut list = client.list_stream::<Pod>(pods(), DecodeOptions::default()).await?;
    while let Some(item) = list.next().await? {
        match item {
            ListItem::Object(pod) => println!("listed   {} at {}", pod.key(), pod.resource_version()),
            ListItem::Bad(bad) => eprintln!("passed over: {bad}"),
        }
    }
    let resource_version = list.summary().map(|summary| summary.resource_version.clone()).unwrap_or_default();
    println!("watching from version {resource_version}");

    let options =
        ListOptions { watch: true, allow_watch_bookmarks: true, resource_version, ..ListOptions::EMPTY };
    let request = pods().options(&options).watch_timeout(Duration::from_mins(5));
    let mut watch = client.watch::<Pod>(request, DecodeOptions::default()).await?;
    // One for all rounds: between two that are made anew a signal is lost.
    let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        let event = tokio::select! {
            event = watch.next() => event,
            _ = &mut interrupted => break,
        };
        match event {
            Some(Ok(WatchEvent::Added(pod))) => println!("added    {}", pod.key()),
            Some(Ok(WatchEvent::Modified(pod))) => println!("modified {}", pod.key()),
            Some(Ok(WatchEvent::Deleted(pod))) => println!("deleted  {}", pod.key()),
            Some(Ok(WatchEvent::Bookmark { resource_version, .. })) => {
                println!("bookmark {resource_version}");
            }
            Some(Ok(WatchEvent::Error(error))) => eprintln!("the server ends the watch: {error}"),
            Some(Err(bad)) => eprintln!("passed over: {bad}"),
            None => break,
        }
    }
    println!("ended: {:?}", watch.end());
    Ok(())
}
