//! Our side of `cargo xtask bench informer`: a shared informer of all pods. It has default options, except for the
//! layout if the arguments name another.
//!
//! `bench-meter` documents the measurement and the output.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use bench_meter::{Asked, Counting, Handlers, Meter};
use clap::Parser;
use client_rs_api::core::v1::Pod;
use client_rs_cache::store::Layout;
use client_rs_cache::{EventHandler, InformerOptions, Notification, SharedInformer};
use client_rs_client::RestClient;
use client_rs_informers::RestListWatch;
use client_rs_transport::Config;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Parser)]
struct Args {
    #[command(flatten)]
    asked: Asked,
    /// Keep objects packed; the sync lasts until the last one is
    #[arg(long)]
    packed: bool,
}

/// How often it is looked at whether all are packed.
const LOOK: Duration = Duration::from_millis(5);

/// One of the handlers.
struct Handler {
    all: Arc<Handlers>,
    number: usize,
}

impl EventHandler<Pod> for Handler {
    fn handle(&self, notification: &Notification<Pod>) {
        match notification {
            Notification::Added { .. } => (),
            Notification::Updated { new, .. } => {
                self.all.changed(self.number, &new.metadata.resource_version);
            }
            Notification::Deleted(_) => self.all.ended(self.number),
        }
    }
}

fn main() -> Result<()> {
    let Args { asked, packed } = Args::parse();
    let meter = Meter::start(&asked);
    let handlers = Handlers::new(&asked);
    let runtime = tokio::runtime::Runtime::new()?;
    let kubeconfig = asked.kubeconfig.to_str().context("the path of the kubeconfig is not UTF-8")?;
    let (informer, running) = runtime.block_on(async {
        let rest = RestClient::from_config(&Config::from_flags("", kubeconfig)?)?;
        let layout = if packed { Layout::packed() } else { Layout::default() };
        let options = InformerOptions::default().with_layout(layout);
        let informer = SharedInformer::<Pod>::with_options(RestListWatch::new(rest), options);
        let mut registrations = Vec::new();
        for number in 0..asked.handlers {
            let handler = Handler { all: handlers.clone(), number };
            registrations.push(informer.add_handler(handler)?);
        }
        let running = informer.spawn();
        for registration in &registrations {
            ensure!(registration.synced().await, "it ended before it had synced");
        }
        anyhow::Ok((informer, running))
    })?;
    let unsettled = || {
        let footprint = informer.indexer().footprint();
        footprint.packing || footprint.unpacked > 0
    };
    while packed && unsettled() {
        std::thread::sleep(LOOK);
    }
    meter.measure(informer.indexer().len(), &handlers);
    // A blocked handler never returns, so nothing waits for it.
    drop(running);
    runtime.shutdown_background();
    Ok(())
}
