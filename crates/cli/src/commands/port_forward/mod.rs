//! `krs port-forward`

mod ports;

use std::net::IpAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_api::core::v1::{Pod, Service};
use client_rs_client::Api;
use client_rs_client::streams::{ForwardTarget, ForwardedPort, Forwarder, ForwarderEvent, ForwarderOptions};

use self::ports::Forward;
use crate::arguments::patience;
use crate::pods::{self, For};
use crate::session::Session;
use crate::terminal::EndSignal;
use crate::{GlobalArgs, Streams};

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "krs port-forward TYPE/NAME [OPTIONS] [LOCAL_PORT:]REMOTE_PORT [...[LOCAL_PORT_N:]REMOTE_PORT_N]"
)]
pub(crate) struct Args {
    /// The pod: POD, or TYPE/NAME of a workload or service
    #[arg(value_name = "TYPE/NAME")]
    target: Option<String>,
    /// Ports: 5000, 8888:5000, or :5000 for a free local port; a remote port can be a port name
    #[arg(value_name = "PORTS")]
    ports: Vec<String>,
    /// Addresses to listen on; localhost is loopback over IPv4 and IPv6, and one of them must be free
    #[arg(long, value_name = "ADDRESSES", value_delimiter = ',', default_value = "localhost")]
    address: Vec<String>,
    /// How long to wait until a pod is running
    #[arg(long, value_parser = patience, value_name = "TIME", default_value = "1m")]
    pod_running_timeout: Duration,
}

/// Forwards until it is interrupted. A pod that goes is followed by the next one, and a connection that fails ends alone.
pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let (Some(target), [_, ..]) = (&args.target, args.ports.as_slice()) else {
        bail!("TYPE/NAME and list of ports are required for port-forward");
    };
    let options = options(&args.address)?;
    let mut signal = EndSignal::interrupt()?;
    let session = Session::open(global)?;
    let object = pods::object(&session, target).await?;
    let found = pods::of(&session, &object, For::Work, args.pod_running_timeout, "attach to").await?;
    let Some(pod) = found.first() else { bail!("no pod was found") };
    let service = pods::is(&object, "", "Service").then(|| object.to_message::<Service>());
    let service = service.transpose().context("the server's response is not a service")?;
    let forwards = ports::read(&args.ports, pod, service.as_ref())?;
    if pod.status.phase != "Running" {
        bail!("unable to forward port because pod is not running. Current status={}", pod.status.phase);
    }
    let target = match &service {
        Some(service) => ForwardTarget::Service(service.metadata.name.to_string()),
        None if pods::is(&object, "", "Pod") => ForwardTarget::Pod(pod.metadata.name.to_string()),
        None => ForwardTarget::Selector(pods::selector_of(&object, "attach to")?.to_string()),
    };
    let asked: Vec<ForwardedPort> = forwards.iter().map(|forward| forward.asked).collect();
    let api = Api::<Pod>::namespaced(session.client.rest(), pod.metadata.namespace.clone());
    let mut forwarder = Forwarder::start_with(&api, target, &asked, options).await?;
    for (Forward { container, .. }, forwarded) in forwards.iter().zip(forwarder.ports()) {
        for local in &forwarded.local {
            writeln!(streams.out, "Forwarding from {local} -> {container}")?;
        }
    }
    streams.out.flush()?;
    loop {
        tokio::select! {
            event = forwarder.next_event() => match event {
                Some(ForwarderEvent::Accepted(local)) => {
                    writeln!(streams.out, "Handling connection for {}", local.port())?;
                    streams.out.flush()?;
                }
                Some(ForwarderEvent::Failed(error)) => writeln!(streams.err, "error: {error}")?,
                Some(_) => {}
                None => bail!("lost connection to pod"),
            },
            () = signal.heard() => return Ok(()),
        }
    }
}

/// Where to listen.
fn options(addresses: &[String]) -> Result<ForwarderOptions> {
    let mut options = ForwarderOptions::default();
    for address in addresses {
        match address.parse::<IpAddr>() {
            Ok(address) if options.addresses.contains(&address) => {}
            Ok(address) => options.addresses.push(address),
            Err(_) if address == "localhost" => options.localhost = true,
            Err(_) => bail!("{address} is not a valid IP"),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_numbers_or_localhost() {
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            options(&words).map(|options| (options.addresses, options.localhost))
        };
        assert_eq!(of(&["localhost"]).unwrap(), (Vec::new(), true));
        let (addresses, localhost) = of(&["127.0.0.2", "::1", "127.0.0.2", "localhost"]).unwrap();
        assert_eq!((addresses.len(), localhost), (2, true));
        assert_eq!(of(&["example.com"]).unwrap_err().to_string(), "example.com is not a valid IP");
    }
}
