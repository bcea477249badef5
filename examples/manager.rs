//! A controller as it is run for years: arguments, leader election, health, metrics, a state dump, a drained stop.
//! `cargo run --example manager -- --health-listen 127.0.0.1:8081 --metrics-listen 127.0.0.1:8080 --debug-listen
//! 127.0.0.1:8082 --leader-elect --concurrency 4`, then `curl 127.0.0.1:8081/readyz?verbose`, `127.0.0.1:8080/metrics`,
//! `127.0.0.1:8082/debug/state`. It ends by Ctrl-C or SIGTERM.

use clap::Parser;
use client_rs::controller::{ManagerArgs, Prometheus};
use client_rs::prelude::*;
use client_rs::transport::args::KubeArgs;

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
    let metrics = Prometheus::new();

    // Requests, informers, queue, controller and election count into one.
    let rest = metrics.rest_client(&config)?;
    let options = args.factory_options().with_metrics(metrics.informers());
    let factory = SharedInformerFactory::with_options(rest.clone(), options);
    let pods = factory.core().v1().pods();
    let lister = pods.lister();
    let options = args.controller_options().with_prometheus(&metrics, "pods");
    let controller = Controller::with_options("pods", pods.informer(), options).reconcile(
        move |key: ObjectKey, _: Context| {
            let pod = lister.get(&key);
            async move {
                match pod {
                    Ok(pod) => println!("{key} is {}", pod.status.phase),
                    Err(_) => println!("{key} is gone"),
                }
                Ok(Action::done())
            }
        },
    );

    let mut manager = Manager::with_options(&factory, args.manager_options(&rest).with_prometheus(&metrics))
        .controller(controller)
        .ready_check("example", || Ok(()));
    let election = args.election_options().with_metrics(metrics.election());
    if let Some(elector) = args.elector_with(&config, "client-rs-example-manager", election)? {
        manager = manager.election(elector);
    }
    manager.run_until_signal().await?;
    println!("stopped in order");
    Ok(())
}
