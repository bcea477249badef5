//! Forwards a local port to the port of a service, through one of its pods.
//!
//! ```sh
//! cargo run --example port_forward -- NAMESPACE SERVICE 8080:80
//! ```

use client_rs::api::core::v1::Pod;
use client_rs::client::streams::{ForwardTarget, Forwarder};
use client_rs::client::{Api, RestClient};
use client_rs::controller::setup_signal_handler;
use client_rs::transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // First: from now on an interrupt is handled, at every point of the program.
    let stop = setup_signal_handler()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [namespace, service, port] = arguments.as_slice() else {
        return Err("usage: port_forward NAMESPACE SERVICE [LOCAL:]REMOTE".into());
    };
    let client = RestClient::from_config(&Config::infer()?)?;
    let pods = Api::<Pod>::namespaced(&client, namespace.as_str());
    let target = ForwardTarget::Service(service.clone());
    let ports = [port.parse()?];
    let start = Forwarder::start(&pods, target, &ports);
    let Some(started) = stop.run_until_cancelled(start).await else { return Ok(()) };
    let mut forwarder = started?;
    for forwarded in forwarder.ports() {
        println!("{:?} -> {}", forwarded.local, forwarded.remote);
    }
    while let Some(Some(error)) = stop.run_until_cancelled(forwarder.next_error()).await {
        eprintln!("{error}");
    }
    Ok(())
}
