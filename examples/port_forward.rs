//! Listens at a local port that leads to a service's, whichever pod stands behind it.
//!
//! ```sh
//! cargo run --example port_forward -- NAMESPACE SERVICE 8080:80
//! ```

use client_rs_api::core::v1::Pod;
use client_rs_client::streams::{ForwardTarget, Forwarder, ForwarderOptions};
use client_rs_client::{Api, RestClient};
use client_rs_transport::Config;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [namespace, service, port] = arguments.as_slice() else {
        return Err("usage: port_forward NAMESPACE SERVICE [LOCAL:]REMOTE".into());
    };
    let client = RestClient::from_config(&Config::infer()?)?;
    let pods = Api::<Pod>::namespaced(&client, namespace.as_str());
    let target = ForwardTarget::Service(service.clone());
    let mut forwarder =
        Forwarder::start(&pods, target, &[port.parse()?], ForwarderOptions::default()).await?;
    for forwarded in forwarder.ports() {
        println!("{:?} -> {}", forwarded.local, forwarded.remote);
    }
    // One for all rounds: between two that are made anew a signal is lost.
    let mut interrupted = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            error = forwarder.next_error() => match error {
                Some(error) => eprintln!("{error}"),
                None => return Ok(()),
            },
            _ = &mut interrupted => return Ok(()),
        }
    }
}
