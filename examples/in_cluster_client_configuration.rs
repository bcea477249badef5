//! Counts the pods of the cluster that it runs in: `cargo run --example in_cluster_client_configuration`, in a pod.
//!
//! The server is that of the pod's environment, the credentials are the service account's: it needs the right to list pods.

use std::time::Duration;

use client_rs::client::AllNamespaces;
use client_rs::kubernetes::Clientset;
use client_rs::transport::in_cluster::InCluster;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = InCluster::from_env().config()?;
    let core = Clientset::new(&config)?.core_v1();
    loop {
        let pods = core.pods(AllNamespaces).list().await?;
        println!("There are {} pods in the cluster", pods.items.len());

        match core.pods("default").get("example-xxxxx").await {
            Ok(pod) => println!("Found pod example-xxxxx in default, on node {:?}", pod.spec.node_name),
            Err(error) if error.is_not_found() => println!("Pod example-xxxxx not found in default"),
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
}
