//! Runs the operator, in a cluster or outside of one with a kubeconfig.

use clap::Parser;
use client_rs::client::manifest;
use client_rs::controller::Prometheus;
use client_rs::prelude::crds;
use client_rs::transport::args::KubeArgs;
use client_rs::webhook::WebhookServer;
use database_operator::OperatorArgs;

/// Operator of the kind Database
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Print the definition of the kind as YAML, and exit
    #[arg(long)]
    print_crd: bool,
    #[command(flatten)]
    operator: OperatorArgs,
    #[command(flatten)]
    kube: KubeArgs,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    if cli.print_crd {
        print!("{}", manifest::to_yaml(&crds::document(&database_operator::crd()?)));
        return Ok(());
    }
    let webhooks = match cli.operator.webhook_options() {
        Some(options) => Some(WebhookServer::bind(options).await?),
        None => None,
    };
    let manager =
        database_operator::manager(cli.kube.config()?, &cli.operator, &Prometheus::new(), webhooks)?;
    Ok(manager.run_until_signal().await?)
}
