//! A run: the control plane, the clients, the faults, and the verdict.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use client_rs_api::core::v1::{ConfigMap, ServiceAccount};
use client_rs_client::{Api, RestClient, RestClientOptions};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_sim::check::{PLANE, REPLICAS, Violation, all};
use client_rs_sim::content::{KEYS, State, names};
use client_rs_sim::history::{Entry, Fact, History, Phase};
use client_rs_sim::replay::{Replayed, replay};
use client_rs_sim::server::Revision;
use client_rs_sim_replicas::replica::{NAMESPACE, Recorder, Site, VALUE};
use client_rs_simulation::harness::Network;
use client_rs_testkit::{Ensemble, Options, Part};
use client_rs_transport::Config;
use client_rs_transport::http::Transport;
use fastrand::Rng;
use http::{HeaderValue, Method, Request, header};
use tokio::runtime::{Builder, Handle};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::balancer::Balancer;
use crate::etcd::{Etcd, Observer, Uids};
use crate::nemesis::{Fault, Sizes, choose};
use crate::tap::Log;
use crate::watched::Watched;

/// The time in which everything is as it should be, after the last fault.
const PATIENCE: Duration = Duration::from_mins(5);
/// The number of objects of the replicas.
const MAPS: u8 = 6;

/// The settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The sizes of the control plane.
    pub sizes: Sizes,
    /// The seed of the faults and of the changes.
    pub seed: u64,
    /// How long there are faults.
    pub lasts: Duration,
    /// Whether the storage is set back once.
    pub restore: bool,
    /// Whether the informer has a selector.
    pub selected: bool,
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The history of the informer.
    pub history: History,
    /// The history of the replicas.
    pub replicas: History,
    /// Broken rules, and answers that the model does not give.
    pub findings: Vec<String>,
    /// Answers that the model gives, too.
    pub replayed: Replayed,
    /// The faults, by name.
    pub faults: BTreeMap<String, u64>,
    /// Revisions of the watched objects.
    pub revisions: usize,
    /// Comparisons of the store with the storage.
    pub commits: u64,
    /// Writes of the replicas.
    pub writes: usize,
    /// Remarks that are not findings.
    pub remarks: Vec<String>,
}

/// A replica in a thread of its own.
struct Running {
    kill: CancellationToken,
    thread: JoinHandle<()>,
}

struct Stage {
    ensemble: Ensemble,
    settings: Settings,
    etcd: Etcd,
    uids: Uids,
    log: Log,
    /// The ways of the members of etcd to each other.
    peers: Vec<Balancer>,
    informer_way: Balancer,
    user_way: Balancer,
    replica_ways: Vec<Balancer>,
    replicas: Vec<Option<Running>>,
    recorder: Recorder,
    user: RestClient,
    watched: Watched,
    observer: Option<Observer>,
    epochs: Vec<Vec<Revision>>,
    backup: Option<u32>,
    faults: BTreeMap<String, u64>,
    lives: u32,
}

/// Runs it.
pub async fn run(settings: Settings) -> Result<Outcome> {
    let mut stage = Stage::set(settings).await?;
    stage.prepare().await?;
    let informer = stage.watched.spawn();
    let sampling = tokio::spawn(stage.watched.clone().sample());
    let clock = tokio::spawn(tick(stage.recorder.clone()));
    let user = tokio::spawn(work(stage.watched.clone(), stage.user.clone(), settings.seed));
    stage.torment().await?;
    stage.heal()?;
    user.abort();
    let outcome = stage.finish().await;
    sampling.abort();
    clock.abort();
    let _ = informer.shutdown().await;
    outcome
}

/// The user changes the watched objects, and those of the replicas.
async fn work(watched: Watched, user: RestClient, seed: u64) {
    let mut random = Rng::with_seed(seed ^ 0xabcd);
    loop {
        tokio::time::sleep(Duration::from_millis(random.u64(50..500))).await;
        watched.change(&user, &mut random).await;
        if random.u8(..4) == 0 {
            let key = random.u8(..MAPS);
            // Without an answer nobody knows, and the next change will tell.
            let change = async {
                if random.u8(..4) == 0 {
                    let accounts = Api::<ServiceAccount>::namespaced(&user, NAMESPACE);
                    accounts.delete(&format!("key-{key}")).await.map(drop)
                } else {
                    put(&user, key, random.u8(..20)).await
                }
            };
            let _ = tokio::time::timeout(Duration::from_secs(10), change).await;
        }
    }
}

async fn put(user: &RestClient, key: u8, value: u8) -> Result<(), client_rs_client::Error> {
    let maps = Api::<ConfigMap>::namespaced(user, NAMESPACE);
    let name = format!("key-{key}");
    if let Ok(mut current) = maps.get(&name).await {
        current.data.insert("value", value.to_string().into());
        return maps.update(current).await.map(drop);
    }
    let metadata =
        ObjectMeta { name: name.as_str().into(), namespace: NAMESPACE.into(), ..ObjectMeta::EMPTY };
    let mut map = ConfigMap { metadata, ..ConfigMap::EMPTY };
    map.data.insert("value", value.to_string().into());
    maps.create(map).await.map(drop)
}

async fn tick(recorder: Recorder) {
    let start = Instant::now();
    loop {
        recorder.set_time(start.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn config(kubeconfig: &Path) -> Result<Config> {
    Ok(Config::from_kubeconfig(&std::fs::read(kubeconfig)?)?)
}

impl Stage {
    async fn set(settings: Settings) -> Result<Self> {
        let Sizes { etcds, apiservers, replicas } = settings.sizes;
        let handle = Handle::current();
        let (ensemble, peers) = tokio::task::spawn_blocking(move || -> Result<_> {
            let mut peers = Vec::new();
            let options = Options::default().with_start_timeout(Duration::from_mins(10));
            let ensemble = Ensemble::start(etcds, apiservers, options, |listens: SocketAddr| {
                // Without a proxy, a member is reached at its own address.
                match handle.block_on(Balancer::start(vec![listens])) {
                    Ok(way) => {
                        let address = way.address();
                        peers.push(way);
                        address
                    }
                    Err(_) => listens,
                }
            })?;
            Ok((ensemble, peers))
        })
        .await??;
        let servers = ensemble.apiservers();
        let (informer_way, user_way) =
            (Balancer::start(servers.clone()).await?, Balancer::start(servers.clone()).await?);
        let mut replica_ways = Vec::new();
        for _ in 0..replicas {
            replica_ways.push(Balancer::start(servers.clone()).await?);
        }
        let uids = Uids::default();
        let log = Log::new(&uids);
        let user = RestClient::from_config(&config(&ensemble.kubeconfig(user_way.address())?)?)?;
        let own = config(&ensemble.kubeconfig(informer_way.address())?)?;
        let tapped = log.tap(Transport::from_config(&own)?);
        let rest = RestClient::with_options(&own.server, tapped, RestClientOptions::from_config(&own))?;
        let watched = Watched::new(rest, &log, settings.selected)?;
        let etcd = Etcd::new(ensemble.etcds());
        Ok(Self {
            ensemble,
            settings,
            etcd,
            uids,
            log,
            peers,
            informer_way,
            user_way,
            replica_ways,
            replicas: Vec::new(),
            recorder: Recorder::default(),
            user,
            watched,
            observer: None,
            epochs: Vec::new(),
            backup: None,
            faults: BTreeMap::new(),
            lives: 0,
        })
    }

    async fn prepare(&mut self) -> Result<()> {
        for namespace in ["a", "b", NAMESPACE] {
            let body = serde_json::json!({"metadata": {"name": namespace}}).to_string();
            let mut request = Request::new(body.into());
            *request.method_mut() = Method::POST;
            *request.uri_mut() = format!("{}api/v1/namespaces", self.user_url()).parse()?;
            let json = HeaderValue::from_static("application/json");
            request.headers_mut().insert(header::CONTENT_TYPE, json);
            let response = self.user.transport().clone().oneshot(request).await?;
            anyhow::ensure!(response.status() == 201, "namespace {namespace}: {}", response.status());
        }
        debug_assert!((0..KEYS).all(|key| ["a", "b"].contains(&names(key).0)));
        let (revision, objects) = self.read_etcd().await?;
        self.observer = Some(Observer::start(&self.etcd, &self.uids, revision, objects));
        for place in 0..self.settings.sizes.replicas {
            let replica = self.replica(place)?;
            self.replicas.push(Some(replica));
        }
        Ok(())
    }

    fn user_url(&self) -> String {
        format!("https://{}/", self.user_way.address())
    }

    async fn read_etcd(&self) -> Result<(u32, BTreeMap<u8, State>)> {
        let (etcd, uids) = (self.etcd.clone(), self.uids.clone());
        tokio::task::spawn_blocking(move || etcd.read(&uids)).await?
    }

    /// Starts a replica. Cancelling its token drops its runtime, with all of its tasks.
    fn replica(&mut self, place: usize) -> Result<Running> {
        self.lives += 1;
        let node = u8::try_from(place + 1)?;
        let identity = format!("replica-{node}-{}", self.lives);
        let config = config(&self.ensemble.kubeconfig(self.replica_ways[place].address())?)?;
        let (recorder, kill) = (self.recorder.clone(), CancellationToken::new());
        recorder.record(node, Phase::Info, Fact::Began);
        let (killed, elected) = (kill.clone(), self.settings.seed.is_multiple_of(2));
        let seed = self.settings.seed + u64::from(self.lives);
        let thread = std::thread::spawn(move || {
            let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
            let run = async {
                let transport = Transport::from_config(&config)?;
                let site = Site {
                    node,
                    elected,
                    network: Network::new(seed),
                    servers: Arc::from([transport]),
                    credentials: None,
                    widgets: false,
                    cancel: Arc::default(),
                    cancel_write: Arc::default(),
                    recorder: recorder.clone(),
                };
                site.run(identity, CancellationToken::new(), Arc::<Mutex<usize>>::default()).await
            };
            let ended = runtime.block_on(async {
                tokio::select! {
                    () = killed.cancelled() => false,
                    _ = run => true,
                }
            });
            if ended {
                recorder.record(node, Phase::Fail, Fact::Ended);
            }
            runtime.shutdown_background();
        });
        Ok(Running { kill, thread })
    }

    fn kill_replica(&mut self, place: usize) {
        let Some(Running { kill, thread }) = self.replicas[place].take() else { return };
        kill.cancel();
        let _ = thread.join();
    }

    /// One fault after the other, until the time is over.
    async fn torment(&mut self) -> Result<()> {
        let (began, settings) = (Instant::now(), self.settings);
        let mut random = Rng::with_seed(settings.seed);
        let (mut saved, mut restored) = (!settings.restore, !settings.restore);
        while began.elapsed() < settings.lasts {
            let (mut fault, lasts) = choose(&mut random, settings.sizes);
            if !saved && began.elapsed() > settings.lasts / 3 {
                (fault, saved) = (Fault::BackUp, true);
            } else if saved && !restored && began.elapsed() > settings.lasts * 2 / 3 {
                (fault, restored) = (Fault::Restore, true);
            }
            let text = format!("{fault:?}");
            eprintln!("{:4} s: {text} for {:.1} s", began.elapsed().as_secs(), lasts.as_secs_f64());
            *self.faults.entry(text.split('(').next().unwrap_or_default().to_owned()).or_default() += 1;
            self.perform(fault, lasts).await.with_context(|| text)?;
            if let Some(observer) = &self.observer {
                self.log.note(observer.seen());
            }
            tokio::time::sleep(Duration::from_millis(random.u64(500..4_000))).await;
        }
        Ok(())
    }

    async fn perform(&mut self, fault: Fault, lasts: Duration) -> Result<()> {
        let wait = tokio::time::sleep(lasts);
        match fault {
            Fault::KillEtcd(number) => {
                self.ensemble.kill(Part::Etcd(number))?;
                wait.await;
                self.ensemble.run(Part::Etcd(number))?;
            }
            Fault::KillApiserver(number) => {
                self.ensemble.kill(Part::Apiserver(number))?;
                wait.await;
                self.ensemble.run(Part::Apiserver(number))?;
            }
            Fault::PauseEtcd(number) => self.pause(Part::Etcd(number), lasts).await?,
            Fault::PauseApiserver(number) => self.pause(Part::Apiserver(number), lasts).await?,
            Fault::IsolateEtcd(number) => {
                if let Some(way) = self.peers.get(number) {
                    way.change(|weather| weather.holds_requests = true);
                    wait.await;
                    way.heal();
                    way.change(|weather| weather.cuts += 1);
                }
            }
            Fault::Compact => {
                if let Some(observer) = &self.observer {
                    let (etcd, revision) = (self.etcd.clone(), observer.seen());
                    self.log.note_compaction(revision);
                    // It may have been dropped up to there already, and etcd may have no leader.
                    let _ = tokio::task::spawn_blocking(move || etcd.compact(revision)).await?;
                }
            }
            Fault::Cut => self.informer_way.change(|weather| weather.cuts += 1),
            Fault::CutUser => self.user_way.change(|weather| weather.cuts += 1),
            Fault::HoldRequests => {
                self.informer_way.change(|weather| weather.holds_requests = true);
                wait.await;
                self.informer_way.heal();
            }
            Fault::HoldResponses => {
                self.informer_way.change(|weather| weather.holds_responses = true);
                wait.await;
                self.informer_way.heal();
            }
            Fault::Refuse => {
                self.informer_way
                    .change(|weather| (weather.refuses, weather.cuts) = (true, weather.cuts + 1));
                wait.await;
                self.informer_way.heal();
            }
            Fault::KillReplica(place) => {
                self.kill_replica(place);
                wait.await;
                self.replicas[place] = Some(self.replica(place)?);
            }
            Fault::PartitionReplica(place) => {
                self.replica_ways[place].change(|weather| weather.holds_responses = true);
                // Longer than a term.
                wait.await;
                tokio::time::sleep(Duration::from_secs(12)).await;
                self.replica_ways[place].heal();
            }
            Fault::BackUp => self.back_up().await?,
            Fault::Restore => self.restore().await?,
        }
        Ok(())
    }

    async fn pause(&mut self, part: Part, lasts: Duration) -> Result<()> {
        self.ensemble.pause(part)?;
        tokio::time::sleep(lasts).await;
        Ok(self.ensemble.resume(part)?)
    }

    fn parts(&self) -> Vec<Part> {
        let apiservers = (0..self.settings.sizes.apiservers).map(Part::Apiserver);
        apiservers.chain((0..self.settings.sizes.etcds).map(Part::Etcd)).collect()
    }

    fn kill_all(&mut self) -> Result<()> {
        for part in self.parts() {
            self.ensemble.kill(part)?;
        }
        Ok(())
    }

    /// Starts etcd. Returns its newest revision, and the objects.
    async fn run_etcd(&mut self) -> Result<(u32, BTreeMap<u8, State>)> {
        for number in 0..self.settings.sizes.etcds {
            self.ensemble.run(Part::Etcd(number))?;
        }
        let mut last = anyhow!("etcd has no leader");
        for _ in 0..60 {
            match self.read_etcd().await {
                Ok(read) => return Ok(read),
                Err(error) => last = error,
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        Err(last)
    }

    fn run_apiservers(&mut self) -> Result<()> {
        (0..self.settings.sizes.apiservers)
            .try_for_each(|number| Ok(self.ensemble.run(Part::Apiserver(number))?))
    }

    async fn back_up(&mut self) -> Result<()> {
        self.kill_all()?;
        self.ensemble.back_up()?;
        // Nobody writes before the API servers run.
        let (revision, _) = self.run_etcd().await?;
        self.backup = Some(revision);
        self.run_apiservers()
    }

    async fn restore(&mut self) -> Result<()> {
        // Terms of leadership that are set back are given again. Replicas can't know that, so none is there.
        for place in 0..self.replicas.len() {
            self.kill_replica(place);
        }
        self.kill_all()?;
        self.run_etcd().await?;
        self.wait_for_observer().await?;
        self.end_epoch()?;
        for number in 0..self.settings.sizes.etcds {
            self.ensemble.kill(Part::Etcd(number))?;
        }
        self.ensemble.restore()?;
        let (revision, objects) = self.run_etcd().await?;
        anyhow::ensure!(Some(revision) == self.backup, "etcd is at {revision}, not at {:?}", self.backup);
        self.watched.doubt();
        self.log.note_restore(revision);
        self.observer = Some(Observer::start(&self.etcd, &self.uids, revision, objects));
        self.run_apiservers()
    }

    /// Waits until the observer has all events: none is left after a while without one.
    async fn wait_for_observer(&self) -> Result<()> {
        let observer = self.observer.as_ref().context("nobody observes")?;
        let mut last = observer.seen();
        loop {
            // Each member is asked at least once meanwhile.
            tokio::time::sleep(Duration::from_secs(12)).await;
            if std::mem::replace(&mut last, observer.seen()) == observer.seen() {
                return Ok(());
            }
        }
    }

    fn end_epoch(&mut self) -> Result<()> {
        if let Some(observer) = self.observer.take() {
            self.epochs.push(observer.end()?);
        }
        Ok(())
    }

    /// Ends all faults.
    fn heal(&mut self) -> Result<()> {
        for way in self.peers.iter().chain(&self.replica_ways).chain([&self.informer_way, &self.user_way]) {
            way.heal();
        }
        for part in self.parts() {
            self.ensemble.run(part)?;
            self.ensemble.resume(part)?;
        }
        for number in 0..self.settings.sizes.apiservers {
            tokio::task::block_in_place(|| self.ensemble.wait_for(number))?;
        }
        for place in 0..self.replicas.len() {
            if self.replicas[place].is_none() {
                self.replicas[place] = Some(self.replica(place)?);
            }
        }
        self.log.record(0, Phase::Info, Fact::Heal);
        self.recorder.record(0, Phase::Info, Fact::Heal);
        Ok(())
    }

    /// Waits until everything is as it should be, and checks the histories.
    async fn finish(mut self) -> Result<Outcome> {
        let mut random = Rng::with_seed(self.settings.seed ^ 0x1234);
        let (mut findings, mut remarks) = (Vec::new(), Vec::new());
        let mark = self.watched.mark(&self.user, &mut random).await?;
        // With a selector, a version that no event has comes with a bookmark, about once per minute.
        let caught_up = self.watched.reaches(mark, PATIENCE).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        self.converge().await?;
        let (_, objects) = self.read_etcd().await?;
        self.wait_for_observer().await?;
        let reached = self.watched.commit();
        self.end_epoch()?;
        self.check_observer(&objects)?;
        let unsure = self.epochs.len() > 1;
        let quiet = Fact::Quiet { settled: caught_up.is_ok(), unsure, version: reached, views: [0; 4] };
        self.log.record(0, Phase::Info, quiet);
        for place in 0..self.replicas.len() {
            self.kill_replica(place);
        }
        let (recorded, observed) = self.log.take();
        let history = weave(recorded, &self.epochs, self.settings.selected);
        let mut note =
            |outcome: Result<(), Violation>| findings.extend(outcome.err().map(|found| found.to_string()));
        for checker in PLANE {
            note(all(&[checker], &history));
        }
        let writes = self.recorder.writes();
        let replicas = self.recorder.take();
        for checker in REPLICAS {
            note(all(&[checker], &replicas));
        }
        let replayed = replay(&self.epochs, &observed, self.settings.selected).unwrap_or_else(|drift| {
            findings.push(drift.to_string());
            Replayed::default()
        });
        if unsure {
            let stored = self.watched.objects();
            let expected: Vec<(u8, State)> = objects
                .into_iter()
                .filter(|(_, state)| {
                    !self.settings.selected || state.content & client_rs_sim::content::SELECTED != 0
                })
                .collect();
            if stored != expected {
                remarks.push(format!(
                    "after the restore, the cache has {stored:?} and etcd {expected:?}: versions were used again"
                ));
            }
        }
        Ok(Outcome {
            history,
            replicas,
            findings,
            replayed,
            faults: self.faults.clone(),
            revisions: self.epochs.iter().map(Vec::len).sum(),
            commits: self.watched.commits(),
            writes,
            remarks,
        })
    }

    /// The observer has seen everything if its last states are those of etcd.
    fn check_observer(&self, objects: &BTreeMap<u8, State>) -> Result<()> {
        let mut last: BTreeMap<u8, State> = BTreeMap::new();
        for (epoch, revisions) in self.epochs.iter().enumerate() {
            if epoch > 0 {
                // The states at the restore are not in the log of this epoch.
                last = objects.clone();
            }
            for revision in revisions {
                if revision.deleted {
                    last.remove(&revision.key);
                } else {
                    last.insert(revision.key, revision.state);
                }
            }
        }
        anyhow::ensure!(last == *objects, "the observer has {last:?}, etcd {objects:?}");
        Ok(())
    }

    /// Waits until the replicas have done their work, and nobody writes any more.
    async fn converge(&mut self) -> Result<()> {
        let began = Instant::now();
        let wrong = loop {
            let wrong = self.wrong().await?;
            if wrong.is_empty() || began.elapsed() > PATIENCE {
                break wrong;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        };
        for (key, wanted, found) in wrong {
            self.recorder.record(0, Phase::Fail, Fact::Unsettled { key, wanted, found });
        }
        tokio::time::sleep(Duration::from_secs(20)).await;
        let before = self.recorder.writes();
        tokio::time::sleep(Duration::from_secs(10)).await;
        let writes = u32::try_from(self.recorder.writes() - before).unwrap_or(u32::MAX);
        if writes > 0 {
            self.recorder.record(0, Phase::Fail, Fact::Busy { writes });
        }
        Ok(())
    }

    async fn wrong(&self) -> Result<Vec<(u8, Option<u8>, Option<u8>)>> {
        if self.replicas.is_empty() {
            return Ok(Vec::new());
        }
        let maps = Api::<ConfigMap>::namespaced(&self.user, NAMESPACE).list().await?.items;
        let accounts = Api::<ServiceAccount>::namespaced(&self.user, NAMESPACE).list().await?.items;
        let mut wrong = Vec::new();
        for key in 0..MAPS {
            let name = format!("key-{key}");
            let wanted = maps.iter().find(|map| map.metadata.name == name);
            let wanted = wanted.and_then(|map| map.data.get("value")?.parse().ok());
            let found = accounts.iter().find(|account| account.metadata.name == name);
            let found = found.and_then(|account| account.metadata.annotations.get(VALUE)?.parse().ok());
            if wanted != found {
                wrong.push((key, wanted, found));
            }
        }
        Ok(wrong)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for place in 0..self.replicas.len() {
            self.kill_replica(place);
        }
    }
}

/// Puts the revisions of each epoch before the facts of the clients in it: etcd has them before anybody sees them.
fn weave(recorded: History, epochs: &[Vec<Revision>], selected: bool) -> History {
    let mut history = History { states: recorded.states, selected, ..History::default() };
    let mut epochs = epochs.iter();
    let mut begin = |entries: &mut Vec<Entry>, t: u64| {
        for revision in epochs.next().into_iter().flatten() {
            let Revision { key, state, deleted, .. } = *revision;
            entries.push(Entry { t, node: 0, phase: Phase::Ok, op: Fact::Write { key, state, deleted } });
        }
    };
    begin(&mut history.entries, 0);
    for entry in recorded.entries {
        let restored = matches!(entry.op, Fact::Restore { .. });
        history.entries.push(entry);
        if restored {
            begin(&mut history.entries, entry.t);
        }
    }
    history
}
