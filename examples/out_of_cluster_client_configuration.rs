//! Counts the pods of a kubeconfig's cluster: `cargo run --example out_of_cluster_client_configuration -- [KUBECONFIG]`.
//!
//! Without a path, the kubeconfig is that of `KUBECONFIG`, or the one at home.

use client_rs::client::AllNamespaces;
use client_rs::kubernetes::Clientset;
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = match std::env::args().nth(1) {
        Some(path) => Config::from_flags("", &path)?,
        None => Config::infer()?,
    };
    let core = Clientset::new(&config)?.core_v1();
    let pods = core.pods(AllNamespaces).list().await?;
    println!("There are {} pods in the cluster", pods.items.len());

    match core.pods("default").get("example-xxxxx").await {
        Ok(pod) => println!("Found pod example-xxxxx in default, on node {:?}", pod.spec.node_name),
        Err(error) if error.is_not_found() => println!("Pod example-xxxxx not found in default"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
