//! Asks an API server whatever path one likes: `cargo run --example raw_request -- /api/v1/namespaces?limit=2`.
//!
//! The cluster is that of the kubeconfig (`KUBECONFIG`, or the one at home), else the one that the program runs in.

use client_rs::client::{Request, RestClient};
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "/version".to_owned());
    let client = RestClient::from_config(&Config::infer()?)?;
    let answer = client.send_raw(Request::get().request_uri(&path)).await?;
    println!("{} {} ({} bytes)", answer.status, answer.content_type(), answer.body.len());
    println!("{}", String::from_utf8_lossy(&answer.body));
    Ok(())
}
