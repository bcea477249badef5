//! A controller under ten thousand keys whose runs fail at random.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_cache::FactoryOptions;
use client_rs_client::Api;
use client_rs_controller::{Action, Context, Controller, ControllerOptions, Manager, ReconcileError};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Object, ObjectKey, Str, json};
use client_rs_tests::{Stage, eventually};
use client_rs_workqueue as workqueue;
use futures_util::{StreamExt as _, TryStreamExt as _};
use tokio_util::sync::CancellationToken;

const KEYS: u32 = 10_000;
/// How many requests of the scenario's own are on their way at once.
const AT_ONCE: usize = 32;

#[derive(Default)]
struct Book {
    /// Keys that are worked right now.
    busy: HashSet<ObjectKey>,
    /// The version that the last run without a failure saw; `None` for an object that was gone.
    seen: HashMap<ObjectKey, Option<Str>>,
    /// Keys that were worked twice at once.
    twice: Vec<ObjectKey>,
    failures: u32,
    panics: u32,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Book>>);

impl Shared {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A key is let go however its run ends.
struct Busy(Shared, ObjectKey);

impl Busy {
    fn begin(shared: &Shared, key: &ObjectKey) -> Self {
        let mut book = shared.book();
        if !book.busy.insert(key.clone()) {
            book.twice.push(key.clone());
        }
        drop(book);
        Self(shared.clone(), key.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.book().busy.remove(&self.1);
    }
}

#[allow(clippy::too_many_lines, reason = "one play, from its beginning to its end")]
pub(super) async fn converges(stage: &Stage) -> Result<()> {
    let (rest, namespace) = (stage.client()?, stage.namespace().await?);
    let maps = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    let seed = fastrand::u64(..);
    println!("seed {seed:#x}");
    let options = FactoryOptions::default().with_namespaces([namespace.as_str()]);
    let factory = SharedInformerFactory::with_options(rest, options);
    let informer = factory.of::<ConfigMap>();
    let (lister, shared) = (informer.lister(), Shared::default());
    let random = Arc::new(Mutex::new(fastrand::Rng::with_seed(seed)));
    let options = ControllerOptions::default().with_workers(16).with_queue(
        ControllerOptions::default()
            .queue
            // Without client-go's ten retries a second for all keys together: there are thousands.
            .with_limiter(Arc::new(workqueue::ExponentialFailure::new(
                Duration::from_millis(5),
                Duration::from_secs(5),
            ))),
    );
    let book = shared.clone();
    let controller = Controller::with_options("crowd", informer.informer(), options).reconcile(
        move |key: ObjectKey, _: Context| {
            let (lister, book, random) = (lister.clone(), book.clone(), Arc::clone(&random));
            async move {
                let _busy = Busy::begin(&book, &key);
                let chance = random.lock().unwrap_or_else(PoisonError::into_inner).u32(..100);
                let found = lister.get(&key).ok();
                // Others run meanwhile.
                tokio::task::yield_now().await;
                match chance {
                    0..5 => {
                        book.book().panics += 1;
                        // A panic that prints nothing on the terminal.
                        std::panic::resume_unwind(Box::new("on purpose"));
                    }
                    5..25 => {
                        book.book().failures += 1;
                        Err(ReconcileError::message("on purpose"))
                    }
                    _ => {
                        let version = found.map(|map| map.metadata.resource_version.clone());
                        book.book().seen.insert(key, version);
                        Ok(if chance < 30 {
                            Action::requeue_after(Duration::from_millis(5))
                        } else {
                            Action::done()
                        })
                    }
                }
            }
        },
    );
    let stop = CancellationToken::new();
    let manager = Manager::new(&factory).controller(controller);
    let running = tokio::spawn(manager.run(stop.clone()));

    let each =
        |numbers: std::ops::Range<u32>| futures_util::stream::iter(numbers.map(|n| format!("key-{n}")));
    let (api, made) = (&maps, each(0..KEYS));
    made.map(Ok)
        .try_for_each_concurrent(AT_ONCE, |name| async move {
            let metadata = ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
            api.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await.map(drop)
        })
        .await?;
    // A tenth changes, another tenth is deleted, while the first runs are still failing.
    let change = Patch::Merge(json!({"data": {"changed": "yes"}}));
    let change = &change;
    each(0..KEYS / 10)
        .map(Ok)
        .try_for_each_concurrent(AT_ONCE, |name| async move { api.patch(&name, change).await.map(drop) })
        .await?;
    each(KEYS / 10..KEYS / 5)
        .map(Ok)
        .try_for_each_concurrent(AT_ONCE, |name| async move { api.delete(&name).await.map(drop) })
        .await?;

    let mut expected: HashMap<ObjectKey, Option<Str>> = maps
        .list()
        .await?
        .items
        .into_iter()
        .map(|map| (map.key(), Some(map.metadata.resource_version.clone())))
        .collect();
    for number in KEYS / 10..KEYS / 5 {
        expected.insert(ObjectKey::new(namespace.as_str(), format!("key-{number}")), None);
    }
    eventually("every key worked as it is now", || async {
        let book = shared.book();
        let behind = expected.iter().filter(|(key, version)| book.seen.get(key) != Some(version));
        let mut behind = behind.peekable();
        let first = behind.peek().map(|(key, version)| (key.to_string(), (*version).clone()));
        let count = behind.count();
        ensure!(count == 0, "{count} are behind, such as {first:?}");
        Ok(())
    })
    .await
    .with_context(|| format!("seed {seed:#x}"))?;
    stop.cancel();
    running.await??;
    let book = shared.book();
    ensure!(book.twice.is_empty(), "worked twice at once: {:?}", book.twice);
    ensure!(book.busy.is_empty(), "never let go: {:?}", book.busy);
    ensure!(book.panics > 100 && book.failures > 500, "{} panics, {} failures", book.panics, book.failures);
    Ok(())
}
