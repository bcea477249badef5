//! A controller made by hand of its parts: `cargo run --example workqueue_controller -- [NAMESPACE]`.
//!
//! client-go's `examples/workqueue`: an informer with one handler fills a store and a work queue; workers take keys, look the pods up in
//! the store, and retry a failed key at most five times. `Controller` does all of this, see `controller.rs`.

use std::sync::Arc;

use client_rs::api::core::v1::Pod;
use client_rs::cache::reflector::ReflectorOptions;
use client_rs::cache::{
    HasSynced, InOrderFifo, InOrderFifoOptions, Indexer, Notification, SingleInformer, wait_for_cache_sync,
};
use client_rs::client::RestClient;
use client_rs::controller::setup_signal_handler;
use client_rs::informers::RestListWatch;
use client_rs::machinery::{Object, ObjectKey, meta::v1::ObjectMeta};
use client_rs::transport::Config;
use client_rs::workqueue::WorkQueue;

const RETRIES: u32 = 5;

struct Controller {
    indexer: Indexer<Pod>,
    queue: WorkQueue<ObjectKey>,
}

impl Controller {
    async fn run_worker(&self) {
        // No other worker gets this key before the item is dropped, also if it changes meanwhile.
        while let Some(item) = self.queue.get().await {
            let result = self.sync(item.key());
            self.handle_error(result, item.key());
        }
    }

    /// The business logic. It gets keys, not events: it reads the current state.
    fn sync(&self, key: &ObjectKey) -> Result<(), String> {
        match self.indexer.get(key) {
            None => println!("Pod {key} does not exist anymore"),
            Some(pod) if pod.name().ends_with("broken") => return Err(format!("pod {key} can't be synced")),
            // It may be another pod than before: deleted, and created again with the same name.
            Some(pod) => println!("Sync/Add/Update for Pod {}", pod.name()),
        }
        Ok(())
    }

    fn handle_error(&self, result: Result<(), String>, key: &ObjectKey) {
        match result {
            // The next failure of this key starts with a short delay again.
            Ok(()) => self.queue.forget(key),
            Err(error) if self.queue.num_requeues(key) < RETRIES => {
                println!("Error syncing pod {key}: {error}");
                self.queue.add_rate_limited(key.clone());
            }
            Err(error) => {
                self.queue.forget(key);
                println!("Dropping pod {key} out of the queue: {error}");
            }
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stop = setup_signal_handler()?;
    let rest = RestClient::from_config(&Config::infer()?)?;
    let namespace = std::env::args().nth(1).unwrap_or_else(|| "default".to_owned());
    let pods = RestListWatch::<Pod>::new(rest).namespace(&*namespace);

    let queue = WorkQueue::new();
    let handler = {
        let queue = queue.clone();
        move |change: &Notification<Pod>| queue.add(change.key())
    };
    let (mut writer, indexer) = Indexer::new();
    // Warms the cache: if the pod is gone when the informer lists, its key is queued for the clean-up.
    let metadata = ObjectMeta { name: "mypod".into(), namespace: namespace.into(), ..ObjectMeta::EMPTY };
    writer.add(Pod { metadata, ..Pod::EMPTY })?;
    let fifo = Arc::new(InOrderFifo::new(InOrderFifoOptions::default()));
    let informer = SingleInformer::new(Arc::new(pods), fifo, writer, handler, ReflectorOptions::default());

    let handle = informer.handle();
    let running = tokio::spawn(informer.run(stop.clone()));
    wait_for_cache_sync(&stop, [&handle as &dyn HasSynced]).await?;
    let controller = Arc::new(Controller { indexer, queue: queue.clone() });
    let worker = tokio::spawn(async move { controller.run_worker().await });

    stop.cancelled().await;
    queue.shutdown();
    worker.await?;
    running.await?;
    println!("Stopped the pod controller");
    Ok(())
}
