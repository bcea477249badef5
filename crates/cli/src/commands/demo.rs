//! `krs demo`: the control loop, seen from inside.

use std::io::{BufRead, Write};
use std::time::Duration;

use anyhow::{Result, bail};
use client_rs_client::RestClient;

use crate::output::printable_line;
use crate::{GlobalArgs, Streams};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Run on the cluster of the kubeconfig, after confirmation, in a temporary namespace. The cluster's own controllers do
    /// the work, and nodes are not modified
    #[arg(long)]
    on_cluster: bool,
    /// Do not ask for confirmation
    #[arg(long, requires = "on_cluster")]
    yes: bool,
    /// Time that a pod takes to start on the embedded server, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = Self::default().start_delay)]
    start_delay: u64,
}

impl Default for Args {
    fn default() -> Self {
        let start_delay = u64::try_from(client_rs_demo::START_DELAY.as_millis()).unwrap_or(u64::MAX);
        Self { on_cluster: false, yes: false, start_delay }
    }
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let colours = streams.colours();
    let out = streams.out.raw();
    if !args.on_cluster {
        return client_rs_demo::embedded(Duration::from_millis(args.start_delay), out, colours).await;
    }
    let config = global.config()?;
    let namespace = format!("krs-demo-{:05}", std::process::id() % 100_000);
    if !args.yes {
        let server = config.server_url();
        let question =
            format!("Create the namespace {namespace} at {server}, and remove it at the end? [y/N] ");
        write!(out, "{}", printable_line(&question))?;
        out.flush()?;
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            bail!("not confirmed: answer yes, or pass --yes");
        }
    }
    client_rs_demo::on_cluster(RestClient::from_config(&config)?, namespace, out, colours).await
}
