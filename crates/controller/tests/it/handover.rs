//! Two managers on the embedded server, with a Lease.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::coordination::v1::Lease;
use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::{Api, RestClient};
use client_rs_controller::{
    Action, Context, Controller, LostLeadership, Manager, ManagerHandle, ManagerOptions,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_leaderelection::{LeaderElector, LeaseLock, LeaseLockOptions};
use client_rs_machinery::{ObjectKey, json};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// Runs: the replica, and the number of runs that the object had counted before.
type Runs = Arc<Mutex<Vec<(&'static str, u64)>>>;

/// A replica whose controller counts its runs in the config map "counter", every second.
fn replica(name: &'static str, rest: &RestClient, runs: &Runs, stop: &CancellationToken) -> ManagerHandle {
    let lock = LeaseLock::new(rest, LeaseLockOptions::new(("default", "counter"), name));
    let elector = LeaderElector::new(lock).unwrap();
    let factory = SharedInformerFactory::new(rest.clone());
    let maps = factory.of::<ConfigMap>();
    let (lister, rest, runs) = (maps.lister(), rest.clone(), Arc::clone(runs));
    let controller =
        Controller::new("counter", maps.informer()).reconcile(move |key: ObjectKey, cx: Context| {
            let (map, runs, api) = (lister.get(&key), Arc::clone(&runs), cx.gated(&rest));
            async move {
                let Some(map) = map.ok().filter(|map| map.metadata.name == "counter") else {
                    return Ok(Action::done());
                };
                let count: u64 = map.data.get("count").map_or(0, |count| count.parse().unwrap());
                runs.lock().unwrap().push((name, count));
                let version = map.metadata.resource_version.clone();
                let next = json!({
                    "metadata": {"name": "counter", "resourceVersion": version},
                    "data": {"count": (count + 1).to_string()},
                });
                sleep(Duration::from_secs(1)).await;
                Api::<ConfigMap>::namespaced(&api, "default").apply(next, "counter").await?;
                Ok(Action::done())
            }
        });
    let options = ManagerOptions::default().with_lost_leadership(LostLeadership::CampaignAgain);
    let manager = Manager::with_options(&factory, options).controller(controller).election(elector);
    let handle = manager.handle();
    tokio::spawn(manager.run(stop.clone()));
    handle
}

#[tokio::test(start_paused = true)]
async fn leaders_that_take_turns_never_repeat_or_skip_a_step() {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    maps.apply(json!({"metadata": {"name": "counter"}}), "user").await.unwrap();
    let (runs, stop) = (Runs::default(), CancellationToken::new());
    let a = replica("a", &rest, &runs, &stop);
    let b = replica("b", &rest, &runs, &stop);
    for _ in 0..4 {
        sleep(Duration::from_secs(30)).await;
        let (from, to) = if a.is_leading() { (&a, &b) } else { (&b, &a) };
        let began = Instant::now();
        assert!(from.step_down().await);
        while !to.is_leading() {
            sleep(Duration::from_millis(100)).await;
        }
        sleep(Duration::from_millis(100)).await;
        let name = if to.is_leading() && a.is_leading() { "a" } else { "b" };
        let last = runs.lock().unwrap().last().map(|(replica, _)| *replica);
        assert_eq!(last, Some(name), "the caches were as new: there is nothing to wait for");
        assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    }
    stop.cancel();
    sleep(Duration::from_secs(5)).await;
    let lease = Api::<Lease>::namespaced(&rest, "default").get("counter").await.unwrap();
    let note = lease.metadata.annotations.get("client-rs.io/handover").unwrap();
    let map = maps.get("counter").await.unwrap();
    assert_eq!(note.as_str(), format!("{{\"configmaps.v1\":\"{}\"}}", map.metadata.resource_version));
    // Each run has seen the write of the run before, also that of another replica: no write met a conflict.
    let runs = runs.lock().unwrap();
    assert!(runs.iter().map(|(_, count)| *count).eq(0..runs.len() as u64), "{runs:?}");
    assert_eq!(map.data.get("count").unwrap().as_str(), runs.len().to_string());
    assert!(
        runs.len() > 100
            && runs.iter().any(|(name, _)| *name == "a")
            && runs.iter().any(|(name, _)| *name == "b")
    );
}
