//! The smallest informer: `cargo run --example pod_informer -- KUBECONFIG`.
//!
//! Prints every addition, update and deletion of a pod. A resync every minute reports each pod as updated. It ends when interrupted.

use std::sync::Arc;
use std::time::Duration;

use client_rs::api::core::v1::Pod;
use client_rs::cache::{FactoryOptions, HandlerFns};
use client_rs::controller::setup_signal_handler;
use client_rs::informers::SharedInformerFactory;
use client_rs::kubernetes::{Clientset, informers::BuiltInInformers};
use client_rs::machinery::Object;
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stop = setup_signal_handler()?;
    let config = Config::from_flags("", &std::env::args().nth(1).unwrap_or_default())?;
    let clientset = Clientset::from_config(&config)?;

    let options = FactoryOptions::default().with_resync_period(Duration::from_mins(1));
    let shared_informers = SharedInformerFactory::with_options(clientset.rest().clone(), options);
    let informer = shared_informers.core().v1().pods().informer();

    informer.add_handler(
        HandlerFns::new()
            .on_add(|pod: &Arc<Pod>, _| println!("New Pod Added to Store: {}", pod.name()))
            .on_update(|old, new| println!("{} Pod Updated to {}", old.name(), new.name()))
            .on_delete(|pod| println!("Pod Deleted from Store: {}", pod.key().name)),
    )?;

    informer.run(stop).await?;
    Ok(())
}
