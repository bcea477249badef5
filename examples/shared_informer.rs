//! Tells of every pod that comes, changes or goes: `cargo run --example shared_informer -- [NAMESPACE]`.
//!
//! The example of every introduction to informers: one list and one watch fill a cache, handlers are told of each change,
//! and every 30 seconds of everything again. It ends when interrupted.

use std::sync::Arc;
use std::time::Duration;

use client_rs::api::core::v1::Pod;
use client_rs::cache::{FactoryOptions, HandlerFns, HandlerOptions};
use client_rs::client::RestClient;
use client_rs::controller::setup_signal_handler;
use client_rs::informers::SharedInformerFactory;
use client_rs::kubernetes::informers::BuiltInInformers;
use client_rs::machinery::{Object, labels::Selector};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // First of all: from here on an interrupt is heard, whatever the program is at.
    let stop = setup_signal_handler()?;
    let rest = RestClient::from_config(&Config::infer()?)?;
    let factory = SharedInformerFactory::new(
        rest,
        FactoryOptions {
            resync_period: Duration::from_secs(30),
            namespaces: std::env::args().skip(1).map(Into::into).collect(),
            ..FactoryOptions::default()
        },
    );
    let pods = factory.core().v1().pods();
    let handler = HandlerFns::new()
        .on_add(|pod: &Arc<Pod>, _| println!("New Pod Added to Store: {}", pod.key()))
        .on_update(|old, new| {
            println!(
                "Pod Updated: {} from {} to {}",
                new.key(),
                old.resource_version(),
                new.resource_version()
            );
        })
        .on_delete(|pod| println!("Pod Deleted: {}", pod.key()));
    pods.informer().add_handler(handler, HandlerOptions::default())?;
    factory.start();
    if stop.run_until_cancelled(factory.wait_for_cache_sync()).await.is_none() {
        return Ok(());
    }
    println!("Cache synced: {} pods", pods.lister().list(&Selector::everything()).len());

    stop.cancelled().await;
    factory.shutdown().await;
    Ok(())
}
