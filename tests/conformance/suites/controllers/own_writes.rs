//! Runs see the process's own writes although watch events arrive late.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use client_rs_api::core::v1::{ConfigMap, Secret};
use client_rs_cache::{Lagging, SharedInformer};
use client_rs_client::Api;
use client_rs_controller::{Action, Context, Controller, ControllerState, RunnableController};
use client_rs_informers::RestListWatch;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{Object, ObjectKey, json};
use client_rs_tests::{Stage, eventually};
use tokio_util::sync::CancellationToken;

const LAG: Duration = Duration::from_secs(2);

/// A controller creates a child with a generated name when its cache shows none, and counts in the object. Its caches are two
/// seconds behind, and its key is enqueued all the time.
pub(super) async fn nothing_twice(stage: &Stage) -> Result<()> {
    let (rest, namespace) = (stage.client()?, stage.namespace().await?);
    let (maps, secrets) =
        (Api::<ConfigMap>::namespaced(&rest, &namespace), Api::<Secret>::namespaced(&rest, &namespace));
    maps.apply(json!({"metadata": {"name": "app"}}), "user").await?;
    let map_source = RestListWatch::<ConfigMap>::new(rest.clone()).namespace(namespace.clone());
    let secret_source = RestListWatch::<Secret>::new(rest.clone()).namespace(namespace.clone());
    let map_informer = SharedInformer::new(Lagging::new(map_source, LAG));
    let secret_informer = SharedInformer::new(Lagging::new(secret_source, LAG));
    let running = (map_informer.spawn(), secret_informer.spawn());
    let runs = Arc::new(AtomicUsize::new(0));
    let controller = Controller::new("own-writes", map_informer.clone()).owns(&secret_informer).reconcile({
        let (map_store, secret_store) = (map_informer.indexer().clone(), secret_informer.indexer().clone());
        let (maps, secrets, runs) = (maps.clone(), secrets.clone(), Arc::clone(&runs));
        move |key: ObjectKey, _: Context| {
            let (map, children) = (map_store.get(&key), secret_store.list());
            let (maps, secrets, runs) = (maps.clone(), secrets.clone(), Arc::clone(&runs));
            async move {
                let Some(map) = map.filter(|map| map.name() == "app") else { return Ok(Action::done()) };
                runs.fetch_add(1, Ordering::Relaxed);
                let is_child =
                    |secret: &Arc<Secret>| secret.controller().is_some_and(|owner| owner.uid == map.uid());
                if !children.iter().any(is_child) {
                    let mut secret = Secret::EMPTY;
                    secret.metadata.generate_name = "child-".into();
                    secret.metadata.owner_references = [controller_reference(&*map)?].into();
                    secrets.create(secret).await?;
                }
                // An update of the object itself: with an old version it would be a conflict.
                let count: u32 = map.data.get("count").map_or(0, |count| count.parse().unwrap_or(0));
                if count < 3 {
                    let mut map = (*map).clone();
                    map.data.insert("count", (count + 1).to_string().into());
                    maps.update(map).await?;
                }
                Ok(Action::done())
            }
        }
    });
    let stop = CancellationToken::new();
    let (ended, checked) = tokio::join!(controller.run(stop.clone()), async {
        let checked =
            disturbed(&maps, &secrets, &controller, &ObjectKey::new(namespace.as_str(), "app")).await;
        stop.cancel();
        checked
    });
    ended?;
    let end = checked?;
    ensure!(runs.load(Ordering::Relaxed) >= 2, "the controller ran {} times", runs.load(Ordering::Relaxed));
    ensure!(end.counts.errors == 0, "a run failed: {end:?}");
    ensure!(end.stale_waits.total > 0 && end.stale_waits.timeouts == 0, "{:?}", end.stale_waits);
    running.0.shutdown().await?;
    running.1.shutdown().await?;
    Ok(())
}

/// Enqueues the key again and again until the controller has done its work, and then looks for second children.
async fn disturbed(
    maps: &Api<ConfigMap>,
    secrets: &Api<Secret>,
    controller: &RunnableController,
    key: &ObjectKey,
) -> Result<ControllerState> {
    eventually("the count is 3 and the child is in the cache", || async {
        controller.queue().add(key.clone());
        let count = maps.get("app").await?.data.get("count").map(ToString::to_string);
        let state = controller.state();
        ensure!(count.as_deref() == Some("3") && state.stale_waits.waiting.is_empty(), "{count:?} {state:?}");
        Ok(())
    })
    .await?;
    let children = secrets.list().await?.items.len();
    ensure!(children == 1, "{children} children were created");
    Ok(controller.state())
}
