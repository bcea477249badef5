//! Managers that lead more than once: a lost leadership without an exit, stepping down, and what a new leader has seen.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_cache::{InformerFactory, SharedInformer};
use client_rs_client::RestClient;
use client_rs_leaderelection::{LeaderElector, LeaseLock, LeaseLockOptions};
use client_rs_machinery::{Object, ObjectKey};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::elections::{Alive, Frozen, Replica, Shared};
use super::source::{Source, Thing, thing};
use crate::manager::{BoxFuture, Status};
use crate::{
    Action, AnyController, Context, Controller, ControllerError, ControllerOptions, ControllerState,
    Election, LostLeadership, Manager, ManagerError, ManagerHandle, ManagerOptions, ReconcileError, Term,
    Work,
};

type Log = Arc<Mutex<Vec<String>>>;

fn say(log: &Log, what: impl Into<String>) {
    log.lock().unwrap().push(what.into());
}

fn again() -> ManagerOptions {
    ManagerOptions::default().with_lost_leadership(LostLeadership::CampaignAgain)
}

/// An election that loses each term after ten seconds.
struct LosesAfterTen(Log);

impl Election for LosesAfterTen {
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if stop.run_until_cancelled(sleep(Duration::from_secs(5))).await.is_none() {
                return;
            }
            say(&self.0, "elected");
            let term = Term::until(&stop);
            let mut work = work(term.clone());
            tokio::select! {
                () = &mut work => {}
                () = sleep(Duration::from_secs(10)) => {
                    say(&self.0, "lost");
                    term.lose();
                    work.await;
                }
            }
        })
    }

    fn healthy(&self) -> Result<(), String> {
        Err("the record still names this replica".to_owned())
    }

    fn pause(&self) -> Duration {
        Duration::from_secs(3)
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_loss_everything_but_the_runs_continues_and_no_key_is_lost() {
    let log = Log::default();
    let source = Source::new();
    for name in ["done", "stuck"] {
        source.put(thing(name));
    }
    let factory = InformerFactory::new();
    let own = source.informer();
    let informer = factory.informer_for(move |_| own.clone());
    let runs = Arc::clone(&log);
    let options = ControllerOptions::default().with_workers(3);
    let controller =
        Controller::with_options("c", informer, options).reconcile(move |key: ObjectKey, _: Context| {
            let runs = Arc::clone(&runs);
            async move {
                say(&runs, format!("{} begins", key.name));
                if key.name == "stuck" {
                    std::future::pending::<()>().await;
                }
                Ok(Action::done())
            }
        });
    let ended = Arc::clone(&log);
    let manager = Manager::with_options(factory, again())
        .controller(controller)
        .runnable("webhooks", move |stop: CancellationToken| async move {
            stop.cancelled().await;
            say(&ended, "runnable ends");
            Ok::<(), std::io::Error>(())
        })
        .election(LosesAfterTen(Arc::clone(&log)));
    let (status, handle, stop) = (manager.status(), manager.handle(), CancellationToken::new());
    let running = tokio::spawn(manager.run(stop.clone()));
    let phase = |status: &Status| status.controllers()[0].phase;
    let healthy = |status: &Status| status.health.lock().unwrap()["leaderElection"]();
    sleep(Duration::from_secs(10)).await;
    assert!(handle.is_leading() && phase(&status) == "running" && healthy(&status).is_err());
    let events = std::mem::take(&mut *log.lock().unwrap());
    assert_eq!(events, ["elected", "done begins", "stuck begins"]);
    // Lost at 15 s; elected again at 21 s.
    sleep(Duration::from_secs(8)).await;
    assert_eq!(std::mem::take(&mut *log.lock().unwrap()), ["lost"]);
    assert!(!handle.is_leading() && phase(&status) == "waiting" && healthy(&status).is_ok());
    assert_eq!(status.controllers()[0].in_flight, []);
    assert!(!handle.step_down().await, "it does not lead");
    // Informers and queue continue.
    source.put(thing("new"));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(status.factory.state()[0].objects, 3);
    sleep(Duration::from_secs(3)).await;
    // The dropped key, the new key, and after them all keys that others may have worked on.
    let mut events = std::mem::take(&mut *log.lock().unwrap());
    assert_eq!(events.remove(0), "elected");
    events.sort();
    assert_eq!(events, ["done begins", "new begins", "stuck begins"]);
    assert!(handle.is_leading() && phase(&status) == "running");
    stop.cancel();
    sleep(Duration::from_secs(5)).await;
    // Lost again while it drained: with a stop that is not an error.
    running.await.unwrap().unwrap();
    assert_eq!(*log.lock().unwrap(), ["lost", "runnable ends"]);
    assert_eq!(phase(&status), "waiting");
}

/// Fails in its second term.
struct FailsLater(AtomicUsize);

impl AnyController for FailsLater {
    fn name_any(&self) -> &'static str {
        "fails later"
    }

    fn run_any(&self, term: Term) -> BoxFuture<'_, Result<(), ControllerError>> {
        assert_eq!(term.is_later(), self.0.fetch_add(1, Ordering::Relaxed) > 0);
        Box::pin(async move {
            if term.is_later() {
                let (controller, what) = (self.name_any().to_owned(), "a setting");
                return Err(ControllerError::Duplicate { controller, what });
            }
            term.stopping().cancelled().await;
            Ok(())
        })
    }

    fn state_any(&self) -> ControllerState {
        unreachable!("nobody reads it")
    }
}

#[tokio::test(start_paused = true)]
async fn a_controller_that_fails_ends_a_manager_that_would_campaign_again() {
    let log = Log::default();
    let manager = Manager::with_options(InformerFactory::new(), again())
        .controller(FailsLater(AtomicUsize::new(0)))
        .election(LosesAfterTen(Arc::clone(&log)));
    let ended = manager.run(CancellationToken::new()).await;
    assert!(matches!(ended, Err(ManagerError::Controller(ControllerError::Duplicate { .. }))), "{ended:?}");
    assert_eq!(*log.lock().unwrap(), ["elected", "lost", "elected"]);
}

/// One replica: a manager with a Lease, an informer whose watch may lag, and a controller.
struct Standby {
    handle: ManagerHandle,
    stop: CancellationToken,
    lags: watch::Sender<bool>,
    running: JoinHandle<Result<(), ManagerError>>,
}

/// Reconciles a key. The last argument is the version of the cache.
type Reconcile = Arc<dyn Fn(&'static str, ObjectKey, Context, RestClient, u64) -> Outcome + Send + Sync>;
type Outcome = BoxFuture<'static, crate::Result>;

fn start(replica: &Replica, source: &Source, options: ManagerOptions, reconcile: &Reconcile) -> Standby {
    let (rest, name) = (replica.client(), replica.name);
    let lock = LeaseLock::new(&rest, LeaseLockOptions::new(("shop", "web"), name));
    let elector = LeaderElector::new(lock).unwrap();
    let (factory, lags) = (InformerFactory::new(), watch::Sender::new(false));
    let informer: SharedInformer<Thing> =
        factory.informer_for(|_| SharedInformer::new(source.lagging_list_watch(lags.clone())));
    let (store, reconcile, alive) =
        (informer.indexer().clone(), Arc::clone(reconcile), Arc::clone(&replica.alive));
    let controller = Controller::new("c", informer).reconcile(move |key: ObjectKey, cx: Context| {
        let alive = Alive::new(&alive);
        let version = store.resource_version().parse().unwrap();
        let run = reconcile(name, key, cx, rest.clone(), version);
        async move {
            let outcome = run.await;
            drop(alive);
            outcome
        }
    });
    let manager = Manager::with_options(factory, options).controller(controller).election(elector);
    let (handle, stop) = (manager.handle(), CancellationToken::new());
    let running = tokio::spawn(manager.run(stop.clone()));
    Standby { handle, stop, lags, running }
}

const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/shop/leases/web";

/// The versions that the last leader has noted.
fn noted(server: &Shared) -> BTreeMap<String, String> {
    let server = server.lock().unwrap();
    let note = &server.leases[LEASE]["metadata"]["annotations"]["client-rs.io/handover"];
    serde_json::from_str(note.as_str().unwrap_or("{}")).unwrap()
}

fn noted_version(server: &Shared) -> u64 {
    noted(server).get("PartialObjectMetadata").map_or(0, |version| version.parse().unwrap())
}

/// Runs: the replica, the key, and the version of the cache.
type Runs = Arc<Mutex<Vec<(&'static str, String, u64)>>>;

/// A reconcile that notes each run: the replica, the key and the version of the cache.
fn recording() -> (Reconcile, Runs) {
    let runs = Runs::default();
    let log = Arc::clone(&runs);
    let reconcile: Reconcile = Arc::new(move |replica, key, _, _, version| {
        log.lock().unwrap().push((replica, key.name.to_string(), version));
        Box::pin(std::future::ready(Ok(Action::done())))
    });
    (reconcile, runs)
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_steps_down_hands_over_at_once_and_may_lead_again() {
    let (server, source) = (Shared::default(), Source::new());
    source.put(thing("x"));
    let replicas = ["a", "b"].map(|name| Replica::new(name, &server));
    let (reconcile, runs) = recording();
    // Stepping down needs no option.
    let [a, b] = [&replicas[0], &replicas[1]]
        .map(|replica| start(replica, &source, ManagerOptions::default(), &reconcile));
    sleep(Duration::from_secs(5)).await;
    let (first, second) = if a.handle.is_leading() { (&a, &b) } else { (&b, &a) };
    assert!(first.handle.is_leading() && !second.handle.is_leading());
    for (from, to) in [(first, second), (second, first), (first, second)] {
        runs.lock().unwrap().clear();
        let began = Instant::now();
        assert!(!to.handle.step_down().await);
        assert!(from.handle.step_down().await);
        assert!(!from.handle.is_leading());
        while !to.handle.is_leading() {
            sleep(Duration::from_millis(100)).await;
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        sleep(Duration::from_secs(1)).await;
        assert_eq!(runs.lock().unwrap().len(), 1, "the new leader looks at all objects");
        // It campaigns again, and leaves the leader alone.
        sleep(Duration::from_mins(1)).await;
        assert!(to.handle.is_leading() && !from.handle.is_leading());
    }
    for standby in [a, b] {
        standby.stop.cancel();
        standby.running.await.unwrap().unwrap();
        assert!(!standby.handle.step_down().await, "it has ended");
    }
}

/// The first replica leads and releases, after it has seen a change that the watch of the second has not delivered. Returns
/// the version of the change.
async fn hand_over(
    server: &Shared,
    source: &Source,
    second: &Source,
    options: ManagerOptions,
) -> (Standby, Runs, u64) {
    source.put(thing("x"));
    let replicas = ["a", "b"].map(|name| Replica::new(name, server));
    let (reconcile, runs) = recording();
    let a = start(&replicas[0], source, options.clone(), &reconcile);
    sleep(Duration::from_secs(5)).await;
    let b = start(&replicas[1], second, options, &reconcile);
    sleep(Duration::from_secs(5)).await;
    b.lags.send_replace(true);
    source.put(thing("x"));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(runs.lock().unwrap().last(), Some(&("a", "x".to_owned(), source.revision())));
    runs.lock().unwrap().clear();
    a.stop.cancel();
    a.running.await.unwrap().unwrap();
    assert_eq!(noted_version(server), source.revision());
    while !b.handle.is_leading() {
        sleep(Duration::from_millis(100)).await;
    }
    (b, runs, source.revision())
}

#[tokio::test(start_paused = true)]
async fn a_new_leader_waits_until_its_caches_have_what_the_last_one_had_seen() {
    let (server, source) = (Shared::default(), Source::new());
    let (b, runs, version) = hand_over(&server, &source, &source, ManagerOptions::default()).await;
    sleep(Duration::from_secs(20)).await;
    assert_eq!(*runs.lock().unwrap(), []);
    // It renews while it waits, and its note is still that of the last leader: for the next one, if it ends now.
    assert_eq!(noted_version(&server), version);
    b.lags.send_replace(false);
    sleep(Duration::from_millis(10)).await;
    assert_eq!(*runs.lock().unwrap(), [("b", "x".to_owned(), version)]);
    source.put(thing("x"));
    sleep(Duration::from_secs(5)).await;
    assert_eq!(noted_version(&server), version + 1);
    b.stop.cancel();
    b.running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_new_leader_does_not_wait_for_longer_than_its_timeout() {
    for (limit, option) in [
        (30, ManagerOptions::default()),
        (0, ManagerOptions::default().with_catch_up_timeout(Duration::ZERO)),
    ] {
        let (server, source) = (Shared::default(), Source::new());
        let began = Instant::now();
        let (b, runs, version) = hand_over(&server, &source, &source, option).await;
        let led = Instant::now();
        while runs.lock().unwrap().is_empty() && began.elapsed() < Duration::from_mins(2) {
            sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(*runs.lock().unwrap(), [("b", "x".to_owned(), version - 1)]);
        assert_eq!(led.elapsed().as_secs(), limit);
        // From now on the next leader waits for what this one has seen.
        sleep(Duration::from_secs(3)).await;
        assert_eq!(noted_version(&server), version - 1);
        b.stop.cancel();
        b.running.await.unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_with_the_stop() {
    let (server, source) = (Shared::default(), Source::new());
    let (b, runs, version) = hand_over(&server, &source, &source, again()).await;
    assert!(b.handle.step_down().await);
    assert!(!b.handle.is_leading());
    assert_eq!(noted_version(&server), version, "the next leader has to wait as well");
    // Alone: it leads again after a pause, and waits again.
    sleep(Duration::from_secs(20)).await;
    assert!(b.handle.is_leading());
    b.stop.cancel();
    b.running.await.unwrap().unwrap();
    assert_eq!(*runs.lock().unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn versions_of_a_server_before_it_was_restored_are_not_waited_for() {
    let (server, source, restored) = (Shared::default(), Source::new(), Source::new());
    (0..50).for_each(|_| source.put(thing("y")));
    restored.put(thing("x"));
    let (b, runs, _) = hand_over(&server, &source, &restored, ManagerOptions::default()).await;
    sleep(Duration::from_millis(900)).await;
    assert_eq!(*runs.lock().unwrap(), []);
    sleep(Duration::from_millis(200)).await;
    assert_eq!(*runs.lock().unwrap(), [("b", "x".to_owned(), 1)]);
    sleep(Duration::from_secs(3)).await;
    assert_eq!(noted_version(&server), 1, "the old versions are forgotten");
    b.stop.cancel();
    b.running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_run_of_an_earlier_term_cannot_write_in_a_later_one() {
    let (server, source) = (Shared::default(), Source::new());
    source.put(thing("x"));
    let replica = Replica::new("a", &server);
    let clients: Arc<Mutex<Vec<(RestClient, String)>>> = Arc::default();
    let kept = Arc::clone(&clients);
    let reconcile: Reconcile = Arc::new(move |_, _, cx, rest, _| {
        let token = cx.fencing_token().unwrap().to_string();
        kept.lock().unwrap().push((cx.gated(&rest), token));
        Box::pin(std::future::pending())
    });
    let a = start(&replica, &source, again(), &reconcile);
    sleep(Duration::from_secs(5)).await;
    // Cut off from its Lease for longer than a term. Then it leads again.
    replica.frozen.send_replace(Frozen::Leases);
    sleep(Duration::from_secs(30)).await;
    assert!(!a.handle.is_leading() && replica.alive.load(Ordering::SeqCst) == 0);
    replica.frozen.send_replace(Frozen::Nothing);
    sleep(Duration::from_secs(40)).await;
    assert!(a.handle.is_leading());
    let clients = clients.lock().unwrap().clone();
    let [(first, first_token), (second, second_token)] = clients.try_into().unwrap();
    assert_ne!(first_token, second_token);
    let write = || client_rs_client::Request::put().abs_path(["sink"]).object(thing("a"));
    assert!(first.send_raw(write()).await.unwrap_err().to_string().contains("is over"));
    second.send_raw(write()).await.unwrap();
    a.stop.cancel();
    drop(a.running);
}

/// Three replicas, for some minutes of random events: lagging watches, cut connections, requests to step down, failing
/// runs.
async fn history(seed: u64) -> usize {
    let mut random = Random(seed + 1);
    let (server, source) = (Shared::default(), Source::new());
    let keys = ["k0", "k1", "k2", "k3"];
    for name in keys {
        source.put(thing(name));
    }
    let replicas = ["a", "b", "c"].map(|name| Replica::new(name, &server));
    let alive: Vec<_> = replicas.iter().map(|replica| (replica.name, Arc::clone(&replica.alive))).collect();
    let done: Arc<Mutex<BTreeMap<ObjectKey, u64>>> = Arc::default();
    let (finished, count) = (Arc::clone(&done), Arc::new(AtomicU64::new(seed)));
    let (leases, things) = (Arc::clone(&server), source.clone());
    // The leader of the last run, and the version that its predecessor had noted when it began.
    let required: Arc<Mutex<(&str, u64)>> = Arc::new(Mutex::new(("", 0)));
    // A panic in a run is caught.
    let violations = Log::default();
    let noticed = Arc::clone(&violations);
    let reconcile: Reconcile = Arc::new(move |replica, key, cx, _, version| {
        let others = alive.iter().filter(|(name, _)| *name != replica);
        let others: usize = others.map(|(_, alive)| alive.load(Ordering::SeqCst)).sum();
        if others > 0 {
            say(&noticed, format!("{replica} begins a run while another replica runs"));
        }
        let holder = leases.lock().unwrap().leases[LEASE]["spec"]["holderIdentity"].clone();
        if holder != replica || cx.fencing_token().is_none_or(|token| token.holder != replica) {
            say(&noticed, format!("{replica} runs, and {holder} holds the lease"));
        }
        {
            let mut required = required.lock().unwrap();
            if required.0 != replica {
                *required = (replica, noted_version(&leases));
            }
            if version < required.1 {
                say(&noticed, format!("{replica} runs at {version}, which is older than {}", required.1));
            }
        }
        let number = Random(count.fetch_add(1, Ordering::Relaxed)).below(1_000);
        let (finished, newest) = (Arc::clone(&finished), things.version_of(&key).unwrap());
        Box::pin(async move {
            sleep(Duration::from_millis(number * 3)).await;
            if number.is_multiple_of(3) {
                return Err(ReconcileError::message("on purpose"));
            }
            // The cache may be older than this version: then another run follows.
            finished.lock().unwrap().insert(key, newest.min(version));
            Ok(Action::done())
        })
    });
    // No wait ends early.
    let options = again().with_catch_up_timeout(Duration::from_hours(1));
    let standbys: Vec<_> =
        replicas.iter().map(|replica| start(replica, &source, options.clone(), &reconcile)).collect();
    let mut leaders = Vec::new();
    for _ in 0..60 {
        sleep(Duration::from_millis(random.below(6_000))).await;
        let at = usize::try_from(random.below(3)).unwrap();
        match random.below(8) {
            0 => drop(replicas[at].frozen.send_replace(Frozen::Leases)),
            1 => drop(replicas[at].frozen.send_replace(Frozen::Everything)),
            2 | 3 => drop(replicas[at].frozen.send_replace(Frozen::Nothing)),
            4 => drop(standbys[at].lags.send_replace(true)),
            5 => drop(standbys[at].lags.send_replace(false)),
            6 => {
                let handle = standbys[at].handle.clone();
                tokio::spawn(async move { handle.step_down().await });
            }
            _ => source.put(thing(keys[usize::try_from(random.below(4)).unwrap()])),
        }
        let leading = standbys.iter().position(|standby| standby.handle.is_leading());
        if leading.is_some() && leaders.last() != Some(&leading) {
            leaders.push(leading);
        }
    }
    for (replica, standby) in replicas.iter().zip(&standbys) {
        replica.frozen.send_replace(Frozen::Nothing);
        standby.lags.send_replace(false);
    }
    sleep(Duration::from_mins(5)).await;
    assert_eq!(*violations.lock().unwrap(), Vec::<String>::new(), "seed {seed}");
    for name in keys {
        let key = thing(name).key();
        assert_eq!(
            done.lock().unwrap().get(&key).copied(),
            source.version_of(&key),
            "seed {seed}: {name} was lost"
        );
    }
    for standby in standbys {
        standby.stop.cancel();
        standby.running.await.unwrap().unwrap();
    }
    leaders.len()
}

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

#[tokio::test(start_paused = true)]
async fn in_random_histories_no_two_replicas_run_at_once_and_no_key_is_lost() {
    let mut terms = 0;
    for seed in 0..30 {
        terms += history(seed).await;
    }
    // The histories are worth something.
    assert!(terms > 100, "{terms} terms");
}
