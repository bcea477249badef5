//! A controller as it is run for years: arguments, leader election, health, metrics, a state dump, a drained stop.
//! `cargo run --example manager -- --health-listen 127.0.0.1:8081 --metrics-listen 127.0.0.1:8080 --debug-listen
//! 127.0.0.1:8082 --leader-elect --concurrency 4`, then `curl 127.0.0.1:8081/readyz?verbose`, `127.0.0.1:8080/metrics`,
//! `127.0.0.1:8082/debug/state`. It ends by Ctrl-C or SIGTERM.

use clap::Parser;
use client_rs::api::core::v1::Pod;
use client_rs::controller::ManagerArgs;
use client_rs::prelude::*;
use client_rs::transport::args::KubeArgs;

const NAME: &str = "client-rs-example-manager";

/// Says of each pod what it is.
#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    kube: KubeArgs,
    #[command(flatten)]
    manager: ManagerArgs,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Cli { kube, manager: args } = Cli::parse();
    let config = args.rate_limited(kube.config()?);

    // Requests, informers, queue, controller and election count into the metrics of one client.
    let options = ClusterOptions::default().with_factory(args.factory_options());
    let client = ClusterClient::from_config_with(NAME, &config, options)?;
    let reader = client.clone();
    let controller = client.controller_with::<Pod>("pods", args.controller_options()).reconcile(
        move |key: ObjectKey, _: Context| {
            let client = reader.clone();
            async move {
                match client.get::<Pod>(&key).await? {
                    Some(pod) => println!("{key} is {}", pod.status.phase),
                    None => println!("{key} is gone"),
                }
                Ok(Action::done())
            }
        },
    );

    let mut manager = client
        .manager_with(args.manager_options(client.rest()))
        .controller(controller)
        .ready_check("example", || Ok(()));
    let election = args.election_options().with_metrics(client.metrics().election());
    if let Some(elector) = args.elector_with(&config, NAME, election)? {
        manager = manager.election(elector);
    }
    manager.run_until_signal().await?;
    println!("stopped in order");
    Ok(())
}
