//! Fills a cache and reads it: `cargo run --example informer_and_lister -- [MASTER] [KUBECONFIG]`.
//!
//! Starts the informers of a factory, waits until they have the first list, and lists the pods without a request.

use std::sync::Arc;
use std::time::Duration;

use client_rs::api::core::v1::Pod;
use client_rs::cache::{FactoryOptions, HandlerFns, HasSynced, wait_for_cache_sync};
use client_rs::controller::setup_signal_handler;
use client_rs::informers::SharedInformerFactory;
use client_rs::kubernetes::{Clientset, informers::BuiltInInformers};
use client_rs::machinery::{Object, labels::Selector};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stop = setup_signal_handler()?;
    // In a pod both may be empty: then the configuration is that of the service account.
    let mut arguments = std::env::args().skip(1);
    let (master, kubeconfig) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let config = Config::from_flags(&master, &kubeconfig)?;
    let clientset = Clientset::from_config(&config)?;

    let options = FactoryOptions::default().with_resync_period(Duration::from_secs(30));
    let factory = SharedInformerFactory::with_options(clientset.rest().clone(), options);
    let pod_informer = factory.core().v1().pods();
    let informer = pod_informer.informer();
    informer.add_handler(
        HandlerFns::new()
            .on_add(|pod: &Arc<Pod>, _| println!("added {}", pod.key()))
            .on_update(|_, pod| println!("updated {}", pod.key()))
            .on_delete(|pod| println!("deleted {}", pod.key())),
    )?;

    factory.start();
    wait_for_cache_sync(&stop, [&informer as &dyn HasSynced]).await?;

    let pods = pod_informer.lister().list(&Selector::everything());
    println!("{} pods are cached", pods.len());
    factory.shutdown().await;
    Ok(())
}
