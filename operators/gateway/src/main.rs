//! Runs the operator, in a cluster or outside of one with a kubeconfig.

use clap::Parser;
use client_rs::client::manifest;
use client_rs::controller::Prometheus;
use client_rs::prelude::crds;
use client_rs::transport::args::KubeArgs;
use gateway_operator::OperatorArgs;

/// Operator of the kinds Gateway and Route
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Print the definitions of the kinds as YAML, and exit
    #[arg(long)]
    print_crds: bool,
    #[command(flatten)]
    operator: OperatorArgs,
    #[command(flatten)]
    kube: KubeArgs,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    if cli.print_crds {
        let documents = gateway_operator::crds().map(|definition| crds::document(&definition));
        print!("{}", documents.map(|document| manifest::to_yaml(&document)).join("---\n"));
        return Ok(());
    }
    let manager = gateway_operator::manager(cli.kube.config()?, &cli.operator, &Prometheus::new())?;
    Ok(manager.run_until_signal().await?)
}
