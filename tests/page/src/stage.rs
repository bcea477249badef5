//! Managers whose pages are looked at.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::{InformerFactory, MemoryListWatch, SharedInformer};
use client_rs_client::{Api, RestClient};
use client_rs_controller::{
    Action, CancellationToken, Context, Controller, ControllerOptions, Manager, ManagerOptions,
    ReconcileError, Recorder, generation_changed,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::{ObjectKey, json};
use tokio::runtime::Handle;

/// A manager that runs. Dropping it ends it.
pub(crate) struct Stage {
    pub(crate) url: String,
    stop: CancellationToken,
    _server: Option<Server>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A free port of this machine.
fn free() -> Result<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

fn options() -> ControllerOptions {
    ControllerOptions::default().with_recorder(Recorder::with_limit(4 << 20))
}

fn run(runtime: &Handle, manager: Manager, stop: &CancellationToken) {
    let running = manager.run(stop.clone());
    runtime.spawn(async move {
        if let Err(error) = running.await {
            eprintln!("a manager has ended: {error}");
        }
    });
}

/// A manager without controllers.
pub(crate) fn empty(runtime: &Handle) -> Result<Stage> {
    let (address, stop) = (free()?, CancellationToken::new());
    let options = ManagerOptions::default().with_debug_listen(address);
    run(runtime, Manager::with_options(InformerFactory::new(), options), &stop);
    Ok(Stage { url: format!("http://{address}"), stop, _server: None })
}

/// A manager with a run in progress for each of many keys.
pub(crate) fn crowded(runtime: &Handle, keys: usize) -> Result<Stage> {
    let (address, stop) = (free()?, CancellationToken::new());
    let source = MemoryListWatch::new();
    for number in 0..keys {
        let mut thing = PartialObjectMetadata::EMPTY;
        thing.metadata.namespace = "shop".into();
        thing.metadata.name = format!("order-{number:05}").into();
        source.put(thing);
    }
    let informer = SharedInformer::new(source);
    let controller = Controller::with_options("orders", informer.clone(), options().with_workers(keys))
        .reconcile(|_: ObjectKey, _: Context| std::future::pending());
    let factory = InformerFactory::new();
    let running = stop.clone();
    runtime.spawn(async move { informer.run(running).await });
    let options =
        ManagerOptions::default().with_debug_listen(address).with_stop_timeout(Duration::from_millis(1));
    run(runtime, Manager::with_options(factory, options).controller(controller), &stop);
    Ok(Stage { url: format!("http://{address}"), stop, _server: None })
}

/// A manager with controllers that work, fail, loop and hang, and users who change objects all the time.
pub(crate) async fn busy() -> Result<Stage> {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    let rest = server.rest_client()?;
    let (address, stop) = (free()?, CancellationToken::new());
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    for name in ["cart", "checkout", "search", "database", "counter", "images"] {
        maps.apply(json!({"metadata": {"name": name, "labels": {"app": name}}}), "user").await?;
    }
    let factory = SharedInformerFactory::new(rest.clone());
    let informer = factory.informer_for::<ConfigMap>();
    let settings = Controller::with_options("settings", informer.clone(), options().with_workers(4))
        .when(|event: &client_rs_controller::Notification<ConfigMap>| {
            !matches!(event.key().name.as_str(), "counter" | "images" | "database")
        })
        .reconcile(|_: ObjectKey, _: Context| async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Ok(Action::done())
        });
    let backups = Controller::with_options("backups", informer.clone(), options())
        .when(generation_changed())
        .reconcile(|key: ObjectKey, _: Context| async move {
            if key.name == "database" {
                return Err(ReconcileError::message("bucket \"nightly\" does not exist"));
            }
            Ok(Action::done())
        });
    let runs = Arc::new(AtomicUsize::new(0));
    let writer = maps.clone();
    let counter = Controller::with_options("counter", informer.clone(), options())
        .when(|event: &client_rs_controller::Notification<ConfigMap>| event.key().name == "counter")
        .reconcile(move |key: ObjectKey, _: Context| {
            let (writer, run) = (writer.clone(), runs.fetch_add(1, Ordering::Relaxed).to_string());
            async move {
                tokio::time::sleep(Duration::from_millis(200)).await;
                writer
                    .apply(json!({"metadata": {"name": key.name, "annotations": {"run": run}}}), "counter")
                    .await?;
                Ok(Action::done())
            }
        });
    let images = Controller::with_options("images", informer, options())
        .when(|event: &client_rs_controller::Notification<ConfigMap>| event.key().name == "images")
        .reconcile(|_: ObjectKey, _: Context| std::future::pending());
    let options =
        ManagerOptions::default().with_debug_listen(address).with_stop_timeout(Duration::from_millis(1));
    let manager = Manager::with_options(&factory, options)
        .controller(settings)
        .controller(backups)
        .controller(counter)
        .controller(images);
    run(&Handle::current(), manager, &stop);
    tokio::spawn(change(rest, stop.clone()));
    Ok(Stage { url: format!("http://{address}"), stop, _server: Some(server) })
}

/// Changes objects until the end.
async fn change(rest: RestClient, stop: CancellationToken) {
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    for number in 0_u64.. {
        if stop.is_cancelled() {
            return;
        }
        let name = ["cart", "checkout", "search"][usize::try_from(number % 3).unwrap_or_default()];
        let change = json!({"metadata": {"name": name, "annotations": {"visits": number.to_string()}}});
        if let Err(error) = maps.apply(change, "user").await {
            eprintln!("a user can't change {name}: {error}");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
