//! Scales a deployment without knowing anything else of it: `cargo run --example scale -- DEPLOYMENT REPLICAS [NAMESPACE]`.
//!
//! The same works for replica sets, stateful sets and replication controllers, and does not compile for other kinds.

use client_rs::client::{Backoff, retry_on_conflict};
use client_rs::kubernetes::Clientset;
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(replicas)) = (arguments.next(), arguments.next()) else {
        return Err("which deployment, and to how many replicas?".into());
    };
    let replicas: i32 = replicas.parse()?;
    let config = Config::infer()?;
    let namespace = arguments.next().unwrap_or_else(|| config.default_namespace.clone());
    let scale = Clientset::new(&config)?.apps_v1().deployments(namespace).scale(&name);

    let before = scale.get().await?;
    println!("{name}: {} wanted, {} there", before.spec.replicas, before.status.replicas);
    let after = retry_on_conflict(Backoff::DEFAULT_RETRY, async || {
        let mut current = scale.get().await?;
        current.spec.replicas = replicas;
        scale.update(current).await
    });
    println!("{name}: {} wanted now", after.await?.spec.replicas);
    Ok(())
}
