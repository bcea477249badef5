//! Our side of `cargo xtask bench informer` and `bench large`: a shared informer of all objects of a kind, or one of each
//! of many namespaces. It has default options, except for the layout if the arguments name another.
//!
//! `bench-meter` documents the measurement and the output.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use bench_meter::{Asked, Counting, Handlers, Meter};
use clap::Parser;
use client_rs_api::apps::v1::ReplicaSet;
use client_rs_api::core::v1::{Pod, Secret};
use client_rs_api::networking::v1::Ingress;
use client_rs_api::rbac::v1::RoleBinding;
use client_rs_cache::store::Layout;
use client_rs_cache::{EventHandler, InformerOptions, Notification, SharedInformer};
use client_rs_client::{DecodeOptions, Request, RestClient};
use client_rs_informers::RestListWatch;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{Payload, WatchEvent};
use client_rs_machinery::{Object, Resource, verbs};
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
    /// Only receive and decode the objects, with the requests and the decoder of an informer, and keep them in a list
    #[arg(long, conflicts_with = "packed")]
    bare: bool,
    /// Make this many informers instead, each of one of the namespaces n-0, n-1, …
    #[arg(long)]
    namespaces: Option<usize>,
}

/// How often it is looked at whether all are packed.
const LOOK: Duration = Duration::from_millis(5);

/// One of the handlers.
struct Handler {
    all: Arc<Handlers>,
    number: usize,
}

impl<K: Object> EventHandler<K> for Handler {
    fn handle(&self, notification: &Notification<K>) {
        match notification {
            Notification::Added { .. } => (),
            Notification::Updated { new, .. } => self.all.changed(self.number, new.resource_version()),
            Notification::Deleted(_) => self.all.ended(self.number),
        }
    }
}

/// A kind that can be cached.
trait Kind: Object + Resource + Payload + verbs::List + verbs::Watch {}

impl<K: Object + Resource + Payload + verbs::List + verbs::Watch> Kind for K {}

fn main() -> Result<()> {
    let args = Args::parse();
    match args.asked.resource.as_str() {
        "ingresses" => run::<Ingress>(&args),
        "pods" => run::<Pod>(&args),
        "replicasets" => run::<ReplicaSet>(&args),
        "rolebindings" => run::<RoleBinding>(&args),
        "secrets" => run::<Secret>(&args),
        other => bail!("unknown resource {other:?}"),
    }
}

fn run<K: Kind>(args: &Args) -> Result<()> {
    match args.namespaces {
        None if args.bare => bare::<K>(args),
        None => one::<K>(args),
        Some(namespaces) => many::<K>(args, namespaces),
    }
}

fn connect(args: &Args) -> Result<RestClient> {
    let kubeconfig = args.asked.kubeconfig.to_str().context("the path of the kubeconfig is not UTF-8")?;
    Ok(RestClient::from_config(&Config::from_flags("", kubeconfig)?.with_qps(-1.0))?)
}

/// One informer of all objects.
fn one<K: Kind>(args: &Args) -> Result<()> {
    let Args { asked, packed, .. } = args;
    let meter = Meter::start(asked);
    let handlers = Handlers::new(asked);
    let runtime = tokio::runtime::Runtime::new()?;
    let (informer, running) = runtime.block_on(async {
        let rest = connect(args)?;
        let layout = if *packed { Layout::packed() } else { Layout::default() };
        let options = InformerOptions::default().with_layout(layout);
        let informer = SharedInformer::<K>::with_options(RestListWatch::new(rest), options);
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
    while *packed && unsettled() {
        std::thread::sleep(LOOK);
    }
    meter.measure(informer.indexer().len(), &handlers);
    // A blocked handler never returns, so nothing waits for it.
    drop(running);
    runtime.shutdown_background();
    Ok(())
}

/// The least that an informer does: the objects arrive and are decoded.
fn bare<K: Kind>(args: &Args) -> Result<()> {
    let meter = Meter::start(&args.asked);
    let handlers = Handlers::new(&args.asked);
    let runtime = tokio::runtime::Runtime::new()?;
    let rest = connect(args)?;
    // A task of the runtime, as an informer is.
    let objects = runtime.spawn(async move {
        let options = ListOptions {
            watch: true,
            allow_watch_bookmarks: true,
            send_initial_events: Some(true),
            resource_version_match: "NotOlderThan".into(),
            ..ListOptions::EMPTY
        };
        let request = Request::get().of::<K>().options(&options);
        let decode = DecodeOptions::default().with_strip_managed_fields(true).with_pool(Arc::default());
        let mut watch = rest.watch_with::<K>(request, decode).await?;
        let mut objects = Vec::new();
        loop {
            match watch.next().await.context("the watch has ended")?? {
                WatchEvent::Added(object) => objects.push(Arc::new(object)),
                WatchEvent::Bookmark { initial_events_end: true, .. } => return anyhow::Ok(objects),
                _ => bail!("an unexpected event"),
            }
        }
    });
    let objects = runtime.block_on(objects)??;
    meter.measure(objects.len(), &handlers);
    runtime.shutdown_background();
    Ok(())
}

/// An informer of each namespace, each with a handler: the cost until all are synced, and then while nothing happens.
fn many<K: Kind>(args: &Args, namespaces: usize) -> Result<()> {
    let meter = Meter::start(&args.asked);
    let handlers = Handlers::new(&args.asked);
    let runtime = tokio::runtime::Runtime::new()?;
    let running = runtime.block_on(async {
        let rest = connect(args)?;
        let (mut running, mut registrations) = (Vec::new(), Vec::new());
        for number in 0..namespaces {
            let from = RestListWatch::new(rest.clone()).namespace(format!("n-{number}"));
            let informer = SharedInformer::<K>::with_options(from, InformerOptions::default());
            registrations.push(informer.add_handler(Handler { all: handlers.clone(), number: 0 })?);
            running.push((informer.spawn(), informer));
        }
        for registration in &registrations {
            ensure!(registration.synced().await, "it ended before it had synced");
        }
        anyhow::Ok(running)
    })?;
    meter.measure_idle(running.iter().map(|(_, informer)| informer.indexer().len()).sum());
    drop(running);
    runtime.shutdown_background();
    Ok(())
}
