//! Candidates over a lock in memory, in paused time.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_client::WriteGate;
use client_rs_leaderelection::{
    FailedToRenew, Fence, FencingToken, HealthAdaptor, LeaderCallbacks, LeaderElectionOptions,
    LeaderElectionRecord, LeaderElector, LeaderMetrics, LockError, LockType, LockTypeError, Loss,
    OptionsError, Release, ResourceLock,
};
use futures_core::future::BoxFuture;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// The object.
#[derive(Default)]
struct Store {
    record: Option<(u64, LeaderElectionRecord)>,
    log: Vec<String>,
}

/// One candidate's connection to it.
struct Lock {
    store: Arc<Mutex<Store>>,
    identity: String,
    version: Mutex<u64>,
    /// Requests hang.
    cut: Arc<AtomicBool>,
    takes: Duration,
}

impl Lock {
    async fn way(&self) {
        sleep(self.takes).await;
        if self.cut.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
    }

    fn write(&self, what: &str, record: LeaderElectionRecord) -> u64 {
        let mut store = self.store.lock().unwrap();
        store.log.push(format!("{what} {} by {}", record.holder_identity, self.identity));
        let version = store.record.as_ref().map_or(1, |(version, _)| version + 1);
        store.record = Some((version, record));
        version
    }
}

impl ResourceLock for Lock {
    fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>> {
        Box::pin(async {
            self.way().await;
            let (version, record) = self.store.lock().unwrap().record.clone().ok_or(LockError::NotFound)?;
            *self.version.lock().unwrap() = version;
            Ok(record)
        })
    }

    fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
        Box::pin(async {
            self.way().await;
            if self.store.lock().unwrap().record.is_some() {
                return Err(LockError::Conflict);
            }
            *self.version.lock().unwrap() = self.write("create", record);
            Ok(())
        })
    }

    fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
        Box::pin(async {
            self.way().await;
            let current = self.store.lock().unwrap().record.as_ref().map(|(version, _)| *version);
            if current != Some(*self.version.lock().unwrap()) {
                return Err(LockError::Conflict);
            }
            *self.version.lock().unwrap() = self.write("update", record);
            Ok(())
        })
    }

    fn record_event(&self, what: &str) {
        self.store.lock().unwrap().log.push(format!("{} {what}", self.identity));
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    fn describe(&self) -> String {
        "memory".into()
    }
}

#[derive(Clone, Default)]
struct World {
    store: Arc<Mutex<Store>>,
}

impl World {
    fn candidate(&self, identity: &str) -> (LeaderElector, Arc<AtomicBool>) {
        self.candidate_with(identity, LeaderElectionOptions::default(), Duration::ZERO)
    }

    fn candidate_with(
        &self,
        identity: &str,
        options: LeaderElectionOptions,
        takes: Duration,
    ) -> (LeaderElector, Arc<AtomicBool>) {
        let cut = Arc::new(AtomicBool::new(false));
        let lock = Lock {
            store: Arc::clone(&self.store),
            identity: identity.into(),
            version: Mutex::new(0),
            cut: Arc::clone(&cut),
            takes,
        };
        (LeaderElector::with_options(lock, options).unwrap(), cut)
    }

    fn record(&self) -> LeaderElectionRecord {
        self.store.lock().unwrap().record.clone().unwrap().1
    }

    fn log(&self) -> Vec<String> {
        self.store.lock().unwrap().log.clone()
    }
}

#[tokio::test(start_paused = true)]
async fn one_leads_and_hands_over_when_it_is_done() {
    let world = World::default();
    let (a, _) = world.candidate("a");
    let (b, _) = world.candidate("b");
    let first = a.acquire().await;
    assert_eq!((first.fencing_token().holder.as_str(), a.is_leader(), b.is_leader()), ("a", true, false));
    let waiting = tokio::spawn({
        let b = b.clone();
        async move { b.acquire().await }
    });
    sleep(Duration::from_mins(5)).await;
    assert!(!waiting.is_finished());
    assert!(first.is_leading());
    assert_eq!(b.leader().unwrap(), "a");
    let (done, token) = (Instant::now(), first.fencing_token().clone());
    assert_eq!(first.release().await, Release::Released);
    let second = waiting.await.unwrap();
    // Free at once; the other candidate sees it at its next attempt.
    assert!(done.elapsed() <= Duration::from_millis(4400), "{:?}", done.elapsed());
    let next = FencingToken { transitions: token.transitions + 1, holder: "b".into() };
    assert_eq!(*second.fencing_token(), next);
    assert!(second.check().is_ok());
    drop(second);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(world.record().holder_identity, "");
}

#[tokio::test(start_paused = true)]
async fn a_partitioned_leader_ends_before_another_begins() {
    let world = World::default();
    let (a, cut) = world.candidate("a");
    let (b, _) = world.candidate("b");
    let first = a.acquire().await;
    sleep(Duration::from_secs(7)).await;
    let waiting = tokio::spawn(async move { b.acquire().await });
    cut.store(true, Ordering::Relaxed);
    let begin = Instant::now();
    let scope = first.scope().clone();
    let work = first.run(std::future::pending::<()>()).await;
    assert_eq!(work, Err(Loss::Deadline));
    let lasted = begin.elapsed();
    // It had last renewed at 6 s, a second before.
    assert_eq!(lasted, Duration::from_secs(9));
    assert!(!scope.is_leading() && scope.check().is_err() && scope.token().is_cancelled());
    assert!(!waiting.is_finished());
    let second = waiting.await.unwrap();
    assert!(begin.elapsed() >= Duration::from_secs(14), "{:?}", begin.elapsed());
    let mut fence = Fence::default();
    fence.admit(first.fencing_token()).unwrap();
    fence.admit(second.fencing_token()).unwrap();
    assert!(fence.admit(first.fencing_token()).is_err());
    // The lock can't be reached: the release times out.
    let begin = Instant::now();
    assert_eq!(first.release().await, Release::Failed);
    assert!(begin.elapsed() <= Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn t7_09_cancel_in_flight_still_releases() {
    let world = World::default();
    let (a, _) = world.candidate_with("a", LeaderElectionOptions::default(), Duration::from_secs(1));
    let leadership = a.acquire().await;
    // Into the middle of a renewal.
    sleep(Duration::from_millis(2500)).await;
    assert_eq!(leadership.release().await, Release::Released);
    assert_eq!(world.record().holder_identity, "");

    // A campaign that is dropped while its first claim is on its way.
    let world = World::default();
    let (a, _) = world.candidate_with("a", LeaderElectionOptions::default(), Duration::from_secs(1));
    assert!(timeout(Duration::from_millis(1500), a.acquire()).await.is_err());
    sleep(Duration::from_secs(10)).await;
    assert!(world.store.lock().unwrap().record.is_none());
    // The next one begins when that is over.
    drop(a.acquire().await);
}

#[tokio::test(start_paused = true)]
async fn callbacks_are_called_and_the_end_in_every_case() {
    let world = World::default();
    let (a, _) = world.candidate("a");
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = |what: &'static str| {
        let told = Arc::clone(&told);
        move || told.lock().unwrap().push(what.to_owned())
    };
    let cancel = CancellationToken::new();
    let (started, stopped, leaders) = (tell("started"), tell("stopped"), Arc::clone(&told));
    let ended = tell("work ended");
    let callbacks = LeaderCallbacks::new(
        move |scope| async move {
            started();
            scope.cancelled().await;
            // The work may take a while to end: leadership continues.
            sleep(Duration::from_secs(5)).await;
            assert!(scope.is_leading());
            ended();
        },
        stopped,
    )
    .on_new_leader(move |leader| leaders.lock().unwrap().push(format!("leader {leader}")));
    let run = tokio::spawn({
        let (a, cancel) = (a.clone(), cancel.clone());
        async move { a.run(callbacks, cancel).await }
    });
    sleep(Duration::from_mins(1)).await;
    cancel.cancel();
    assert_eq!(run.await.unwrap(), Some(Loss::Released));
    let mut heard = told.lock().unwrap().clone();
    heard.retain(|what| !what.starts_with("leader"));
    assert_eq!(heard, ["started", "work ended", "stopped"]);
    assert!(told.lock().unwrap().contains(&"leader a".to_owned()));
    let log = world.log();
    assert_eq!(log[0..2], ["create a by a", "a became leader"]);
    assert_eq!(log[log.len() - 2..], ["a stopped leading", "update  by a"]);

    // Never led.
    let (b, _) = world.candidate("b");
    let leader = a.acquire().await;
    let (stopped, cancel) = (tell("b stopped"), CancellationToken::new());
    let soon = cancel.clone();
    tokio::spawn(async move {
        sleep(Duration::from_secs(20)).await;
        soon.cancel();
    });
    assert_eq!(b.run(LeaderCallbacks::new(|_| async { unreachable!() }, stopped), cancel).await, None);
    assert_eq!(told.lock().unwrap().last().unwrap(), "b stopped");
    drop(leader);
}

#[tokio::test(start_paused = true)]
async fn work_is_dropped_when_leadership_is_lost() {
    let world = World::default();
    let (a, cut) = world.candidate("a");
    let dropped = Arc::new(());
    let held = Arc::clone(&dropped);
    let callbacks = LeaderCallbacks::new(
        |_| async move {
            std::future::pending::<()>().await;
            drop(held);
        },
        || {},
    );
    let run = tokio::spawn(async move { a.run(callbacks, CancellationToken::new()).await });
    sleep(Duration::from_secs(5)).await;
    cut.store(true, Ordering::Relaxed);
    assert_eq!(run.await.unwrap(), Some(Loss::Deadline));
    assert_eq!(Arc::strong_count(&dropped), 1);
}

#[tokio::test(start_paused = true)]
async fn leaders_can_be_followed() {
    let world = World::default();
    let (a, _) = world.candidate("a");
    let (b, _) = world.candidate("b");
    let mut leaders = b.leaders();
    let leadership = a.acquire().await;
    let waiting = tokio::spawn({
        let b = b.clone();
        async move { b.acquire().await }
    });
    assert_eq!(leaders.changed().await.unwrap(), "a");
    leadership.release().await;
    assert_eq!(leaders.changed().await.unwrap(), "b");
    drop(waiting.await.unwrap());
    assert_eq!(leaders.changed().await.unwrap(), "");
    drop(b);
    assert_eq!(leaders.changed().await, None);
}

#[derive(Debug, Default)]
struct Counts(Mutex<Vec<String>>);

impl LeaderMetrics for Counts {
    fn leader_on(&self, name: &str) {
        self.0.lock().unwrap().push(format!("{name} on"));
    }

    fn leader_off(&self, name: &str) {
        self.0.lock().unwrap().push(format!("{name} off"));
    }

    fn slow_path(&self, name: &str) {
        self.0.lock().unwrap().push(format!("{name} slow"));
    }
}

#[tokio::test(start_paused = true)]
async fn metrics_are_called() {
    let world = World::default();
    let counts = Arc::new(Counts::default());
    let options = LeaderElectionOptions::default()
        .with_name("web")
        .with_metrics(Arc::clone(&counts) as Arc<dyn LeaderMetrics>);
    let (a, _) = world.candidate_with("a", options, Duration::ZERO);
    let leadership = a.acquire().await;
    // Another client has labelled the object: the next renewal reads first.
    world.store.lock().unwrap().record.as_mut().unwrap().0 += 1;
    sleep(Duration::from_secs(5)).await;
    assert!(leadership.is_leading());
    leadership.release().await;
    assert_eq!(*counts.0.lock().unwrap(), ["web off", "web on", "web slow", "web off"]);
}

#[tokio::test(start_paused = true)]
async fn t7_12_health_is_asked_while_renewing() {
    let world = World::default();
    let (a, _) = world.candidate_with("a", LeaderElectionOptions::default(), Duration::from_millis(100));
    let health = Arc::new(HealthAdaptor::new(Duration::ZERO));
    health.set_elector(a.clone());
    let leadership = a.acquire().await;
    let asking = std::thread::spawn({
        let health = Arc::clone(&health);
        move || (0..10_000).filter(|_| health.check().is_ok()).count()
    });
    sleep(Duration::from_mins(1)).await;
    assert_eq!(asking.join().unwrap(), 10_000);
    drop(leadership);
}

#[tokio::test(start_paused = true)]
async fn t7_13_health_fails_beyond_lease_and_tolerance() {
    assert_eq!(HealthAdaptor::NAME, "leaderElection");
    let world = World::default();
    let health = HealthAdaptor::new(Duration::from_secs(5));
    assert_eq!(health.check(), Ok(()), "none is set");
    let options = LeaderElectionOptions::default().with_name("web").with_release_on_cancel(false);
    let (a, cut) = world.candidate_with("a", options, Duration::ZERO);
    health.set_elector(a.clone());
    assert_eq!(health.check(), Ok(()), "not leading");
    let leadership = a.acquire().await;
    assert_eq!(health.check(), Ok(()), "fresh");
    cut.store(true, Ordering::Relaxed);
    sleep(Duration::from_secs(19)).await;
    assert_eq!(health.check(), Ok(()), "expired within tolerance");
    sleep(Duration::from_secs(2)).await;
    assert_eq!(health.check(), Err(FailedToRenew("web".into())));
    drop(leadership);
}

#[tokio::test(start_paused = true)]
async fn t7_10_a_candidate_must_be_somebody() {
    let world = World::default();
    let lock = Lock {
        store: world.store,
        identity: String::new(),
        version: Mutex::new(0),
        cut: Arc::default(),
        takes: Duration::ZERO,
    };
    let refused = LeaderElector::new(lock).err();
    assert_eq!(refused, Some(OptionsError::Identity));
}

#[test]
fn removed_lock_types_are_refused_with_a_hint() {
    assert_eq!("leases".parse(), Ok(LockType::Leases));
    for removed in ["endpoints", "configmaps", "endpointsleases", "configmapsleases"] {
        let error = removed.parse::<LockType>().unwrap_err();
        assert_eq!(error.to_string(), format!("{removed} lock is removed, migrate to leases"));
    }
    assert_eq!("x".parse::<LockType>(), Err(LockTypeError::Unknown("x".into())));
}

/// Seeds are random; a failure prints its own.
#[tokio::test(start_paused = true)]
async fn there_are_never_two_leaders_with_any_partitions_and_any_number_of_candidates() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let world = World::default();
        let leading: Arc<Mutex<Vec<client_rs_leaderelection::LeadershipScope>>> = Arc::default();
        let mut cuts = Vec::new();
        for index in 0..4 {
            let takes = Duration::from_millis(random.u64(0..800));
            let (candidate, cut) =
                world.candidate_with(&format!("c{index}"), LeaderElectionOptions::default(), takes);
            cuts.push(cut);
            let leading = Arc::clone(&leading);
            let seed = random.u64(..);
            tokio::spawn(async move {
                let mut random = fastrand::Rng::with_seed(seed);
                loop {
                    let leadership = candidate.acquire().await;
                    leading.lock().unwrap().push(leadership.scope().clone());
                    let for_a_while = sleep(Duration::from_secs(random.u64(1..60)));
                    let _ = leadership.run(for_a_while).await;
                    leadership.release().await;
                }
            });
        }
        let mut terms = 0;
        for _ in 0..3000 {
            sleep(Duration::from_millis(200)).await;
            if random.u8(..20) == 0 {
                let cut = &cuts[random.usize(..cuts.len())];
                cut.store(random.bool(), Ordering::Relaxed);
            }
            let mut leading = leading.lock().unwrap();
            let now: Vec<_> = leading.iter().filter(|scope| scope.is_leading()).collect();
            assert!(now.len() <= 1, "seed {seed}: {now:?}");
            terms += leading.len();
            leading.retain(client_rs_leaderelection::LeadershipScope::is_leading);
            terms -= leading.len();
        }
        assert!(terms > 3, "seed {seed}: {terms} terms");
    }
}

#[tokio::test(start_paused = true)]
async fn the_lock_of_a_lost_term_is_released_only_with_its_guard() {
    let world = World::default();
    let (a, cut) = world.candidate("a");
    let leadership = a.acquire().await;
    cut.store(true, Ordering::Relaxed);
    assert_eq!(leadership.lost().await, Loss::Deadline);
    cut.store(false, Ordering::Relaxed);
    // Its work takes a while to end.
    sleep(Duration::from_secs(3)).await;
    assert_eq!(world.record().holder_identity, "a");
    assert_eq!(leadership.release().await, Release::Released);
    assert_eq!(world.record().holder_identity, "");

    // Another candidate has taken it in the meantime: it is not changed.
    let leadership = a.acquire().await;
    cut.store(true, Ordering::Relaxed);
    leadership.lost().await;
    let (b, _) = world.candidate("b");
    let second = b.acquire().await;
    cut.store(false, Ordering::Relaxed);
    assert_eq!(leadership.release().await, Release::NotHeld);
    assert_eq!(world.record().holder_identity, "b");
    drop(second);
}

#[tokio::test(start_paused = true)]
async fn a_candidate_can_campaign_again_before_the_guard_of_a_lost_term_is_dropped() {
    let world = World::default();
    let (a, cut) = world.candidate("a");
    let first = a.acquire().await;
    cut.store(true, Ordering::Relaxed);
    first.lost().await;
    cut.store(false, Ordering::Relaxed);
    let second = timeout(Duration::from_secs(20), a.acquire()).await.expect("it waits for the old guard");
    assert!(second.is_leading() && !first.is_leading());
    assert!(second.fencing_token().transitions > first.fencing_token().transitions);
    assert_eq!(first.release().await, Release::NotHeld);
    assert!(second.is_leading());
}

#[tokio::test(start_paused = true)]
async fn a_write_gate_is_open_in_its_own_term_only() {
    let world = World::default();
    let (a, cut) = world.candidate("a");
    let early = a.write_gate();
    assert!(early.permit().unwrap_err().to_string().contains("does not lead yet"));
    let first = a.acquire().await;
    assert!(early.permit().unwrap() <= Duration::from_secs(10) && first.scope().permit().is_ok());
    let in_term = a.write_gate();
    assert!(in_term.permit().is_ok());
    cut.store(true, Ordering::Relaxed);
    // It compares the clock: no task has to run first.
    tokio::time::advance(Duration::from_secs(10)).await;
    for gate in [&early as &dyn WriteGate, &in_term, first.scope()] {
        assert!(gate.permit().unwrap_err().to_string().contains("is over"));
    }
    cut.store(false, Ordering::Relaxed);
    first.release().await;
    let next = a.write_gate();
    let second = a.acquire().await;
    assert!(next.permit().is_ok() && second.scope().permit().is_ok());
    // Clients of the first term stay refused.
    assert!(early.permit().is_err() && in_term.permit().is_err());
}

/// Metrics that always panic.
#[derive(Debug)]
struct Panics;

impl LeaderMetrics for Panics {
    fn leader_on(&self, _: &str) {
        panic!("on purpose");
    }

    fn leader_off(&self, _: &str) {
        panic!("on purpose");
    }
}

#[tokio::test(start_paused = true)]
async fn metrics_that_panic_do_not_affect_leadership() {
    let options = LeaderElectionOptions::default().with_metrics(Arc::new(Panics));
    let world = World::default();
    let (a, _) = world.candidate_with("a", options, Duration::ZERO);
    let leadership = timeout(Duration::from_secs(10), a.acquire()).await.expect("it never leads");
    sleep(Duration::from_mins(1)).await;
    assert!(leadership.is_leading());
    assert_eq!(leadership.release().await, Release::Released);
}

/// A lock whose first read panics.
struct Broken(Lock, AtomicBool);

impl ResourceLock for Broken {
    fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>> {
        assert!(self.1.swap(true, Ordering::Relaxed), "on purpose");
        self.0.get()
    }

    fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
        self.0.create(record)
    }

    fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
        self.0.update(record)
    }

    fn record_event(&self, what: &str) {
        self.0.record_event(what);
    }

    fn identity(&self) -> &str {
        self.0.identity()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }
}

#[tokio::test(start_paused = true)]
async fn a_campaign_that_panics_is_followed_by_another() {
    let world = World::default();
    let lock = Lock {
        store: Arc::clone(&world.store),
        identity: "a".into(),
        version: Mutex::new(0),
        cut: Arc::default(),
        takes: Duration::ZERO,
    };
    let elector = LeaderElector::new(Broken(lock, AtomicBool::new(false)));
    let elector = elector.unwrap();
    let leadership = timeout(Duration::from_secs(10), elector.acquire()).await.expect("it never leads again");
    assert!(leadership.is_leading());
}
