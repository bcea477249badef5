//! Prints every addition, update and deletion of a pod: `cargo run --example shared_informer -- [NAMESPACE]`.
//!
//! The usual first example of informers: one list and one watch fill a cache, handlers are notified of each change, and a
//! resync every 30 seconds notifies them of all objects again. It ends when interrupted.

use std::sync::Arc;
use std::time::Duration;

use client_rs::api::core::v1::Pod;
use client_rs::cache::{FactoryOptions, HandlerFns};
use client_rs::client::RestClient;
use client_rs::controller::setup_signal_handler;
use client_rs::informers::SharedInformerFactory;
use client_rs::kubernetes::informers::BuiltInInformers;
use client_rs::machinery::{Object, labels::Selector};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // First: from now on an interrupt is handled, at every point of the program.
    let stop = setup_signal_handler()?;
    let rest = RestClient::from_config(&Config::infer()?)?;
    let factory = SharedInformerFactory::with_options(
        rest,
        FactoryOptions::default()
            .with_resync_period(Duration::from_secs(30))
            .with_namespaces(std::env::args().skip(1)),
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
    pods.informer().add_handler(handler)?;
    factory.start();
    if stop.run_until_cancelled(factory.wait_for_cache_sync()).await.is_none() {
        return Ok(());
    }
    println!("Cache synced: {} pods", pods.lister().list(&Selector::everything()).len());

    stop.cancelled().await;
    factory.shutdown().await;
    Ok(())
}
