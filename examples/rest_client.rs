//! The client under all others: `cargo run --example rest_client -- KUBECONFIG [NAMESPACE]`.
//!
//! A `RestClient` sends requests that are built from verb, resource, namespace and name, and decodes the response.

use client_rs::api::core::v1::Pod;
use client_rs::client::{Request, RestClient};
use client_rs::machinery::Object;
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let config = Config::from_flags("", &arguments.next().unwrap_or_default())?;
    let client = RestClient::from_config(&config)?;

    let namespace = arguments.next().unwrap_or_else(|| "default".to_owned());
    let request = Request::get().of::<Pod>().namespace(&namespace).param("limit", "500");
    let pods = client.send_list::<Pod>(request).await?;
    for pod in &pods.items {
        println!("{} is {}", pod.key(), pod.status.phase);
    }
    println!("{} pods in {namespace}", pods.items.len());
    Ok(())
}
