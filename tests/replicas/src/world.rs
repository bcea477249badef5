//! Replicas, the servers, a user, and time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use client_rs_api::core::v1::{ConfigMap, ServiceAccount};
use client_rs_apiserver::{Server, ServerOptions, Storage, StorageOptions};
use client_rs_client::{Api, RestClient};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_sim::history::{Fact, History, Phase};
use client_rs_simulation::harness::{Network, Process};
use client_rs_simulation::os;
use client_rs_transport::http::Transport;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::op::{Op, Setup};
use crate::replica::{NAMESPACE, Recorder, SHARDS, Site, VALUE};

/// The number of config maps.
pub const KEYS: u8 = 6;
/// The number of servers over the storage.
const SERVERS: usize = 2;
/// The time that each process runs before the next one does.
const QUANTUM: Duration = Duration::from_millis(10);
/// The time in which everything is as it should be, after the last fault.
const PATIENCE: Duration = Duration::from_secs(200);
/// The time in which nothing may be written then.
const QUIET: Duration = Duration::from_secs(40);

/// An object that is not as it should be: the key, the wanted value, and the value.
type Wrong = (u8, Option<u8>, Option<u8>);

/// A replica in its process.
struct Node {
    site: Site,
    process: Process,
    paused: bool,
    stop: CancellationToken,
    task: JoinHandle<Result<()>>,
    held: Arc<Mutex<usize>>,
    identity: String,
    /// When it has ended in order.
    ended: Option<Duration>,
}

/// The state of a simulation.
pub struct World {
    now: Duration,
    server: Process,
    servers: Vec<Server>,
    transports: Arc<[Transport]>,
    user: RestClient,
    nodes: Vec<Node>,
    recorder: Recorder,
    elected: bool,
    seed: u64,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("now", &self.now).finish_non_exhaustive()
    }
}

impl World {
    /// Starts the servers and the replicas.
    pub fn new(setup: Setup) -> Result<Self> {
        let now = Duration::ZERO;
        let mut server = Process::new(now)?;
        let servers = server.block_on(now, async {
            let storage = Storage::new(StorageOptions::default())?;
            let mut servers = Vec::new();
            for _ in 0..SERVERS {
                let options = ServerOptions::default().with_listen(None).with_storage((&storage).into());
                servers.push(Server::start_with(options).await?);
            }
            anyhow::Ok(servers)
        })?;
        let clients = servers.iter().map(Server::rest_client).collect::<Result<Vec<_>, _>>()?;
        let transports: Arc<[Transport]> = clients.iter().map(|client| client.transport().clone()).collect();
        let user = clients[0].clone();
        let recorder = Recorder::default();
        let (nodes, Setup { elected, seed, .. }) = (Vec::new(), setup);
        let mut world = Self { now, server, servers, transports, user, nodes, recorder, elected, seed };
        for node in 1..=setup.replicas.clamp(1, 4) {
            let node = world.start(node, format!("replica-{node}"))?;
            world.nodes.push(node);
        }
        Ok(world)
    }

    fn start(&mut self, node: u8, identity: String) -> Result<Node> {
        self.seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(node.into());
        let site = Site {
            node,
            elected: self.elected,
            network: Network::new(self.seed),
            servers: Arc::clone(&self.transports),
            recorder: self.recorder.clone(),
        };
        let process = Process::new(self.now)?;
        let (stop, held) = (CancellationToken::new(), Arc::default());
        let run = site.clone().run(identity.clone(), stop.clone(), Arc::clone(&held));
        let task = process.runtime().spawn(run);
        self.recorder.record(node, Phase::Info, Fact::Began);
        Ok(Node { site, process, paused: false, stop, task, held, identity, ended: None })
    }

    /// Returns the history.
    pub fn into_history(self) -> History {
        self.recorder.take()
    }

    fn node(&mut self, node: u8) -> &mut Node {
        let place = usize::from(node) % self.nodes.len();
        &mut self.nodes[place]
    }

    /// Performs a step. Returns false if it is not possible now.
    pub fn apply(&mut self, op: Op) -> Result<bool> {
        self.recorder.set_time(self.now);
        match op {
            Op::Run(millis) => self.run(Duration::from_millis(millis.into()))?,
            Op::Put(key, value) => self.put(key % KEYS, value),
            Op::Delete(key) => return Ok(self.delete(key % KEYS, false)),
            Op::DeleteChild(key) => return Ok(self.delete(key % KEYS, true)),
            Op::Kill(node) => self.restart(node)?,
            Op::Stop(node) => {
                let node = self.node(node);
                if node.paused || node.stop.is_cancelled() {
                    return Ok(false);
                }
                node.stop.cancel();
            }
            Op::Pause(node) => return Ok(!std::mem::replace(&mut self.node(node).paused, true)),
            Op::Resume(node) => {
                let now = self.now;
                let node = self.node(node);
                if !std::mem::replace(&mut node.paused, false) {
                    return Ok(false);
                }
                node.process.wake(now);
            }
            Op::Refuse(node) => self.node(node).site.network.state().refuses = true,
            Op::LoseRequests(node) => self.node(node).site.network.state().loses_requests = true,
            Op::LoseResponses(node) => self.node(node).site.network.state().loses_responses = true,
            Op::LoseNext(node) => self.node(node).site.network.state().loses_next = true,
            Op::Storm(node, kind) => {
                let status = [429, 500, 503, 403][usize::from(kind) % 4];
                self.node(node).site.network.state().storm = Some(status);
            }
            Op::Heal(node) => self.node(node).site.network.heal(),
            Op::Cut(node) => self.node(node).site.network.cut(),
            Op::Hang(node) => self.node(node).site.network.hang(),
            Op::Lag(node, tenths) => {
                self.node(node).site.network.state().lag =
                    Duration::from_millis(u64::from(tenths % 40) * 100);
            }
            Op::Route(node, server) => self.node(node).site.network.state().route = server.into(),
            Op::Compact => self.servers[0].controls().compact(),
        }
        Ok(true)
    }

    /// Kills a process, and starts another one.
    fn restart(&mut self, node: u8) -> Result<()> {
        let place = usize::from(node) % self.nodes.len();
        let identity = format!("{}x", self.nodes[place].identity);
        let next = self.start(self.nodes[place].site.node, identity)?;
        // With all of its tasks.
        drop(std::mem::replace(&mut self.nodes[place], next));
        Ok(())
    }

    /// Lets all processes run, in turn.
    fn run(&mut self, time: Duration) -> Result<()> {
        let end = self.now + time;
        while self.now < end {
            self.now += QUANTUM;
            self.recorder.set_time(self.now);
            self.server.run(self.now);
            for place in 0..self.nodes.len() {
                let now = self.now;
                let node = &mut self.nodes[place];
                if node.paused {
                    continue;
                }
                node.process.run(now);
                self.look_after(place)?;
            }
        }
        Ok(())
    }

    /// A process whose main task has ended is followed by another one, when its other tasks had time to end.
    fn look_after(&mut self, place: usize) -> Result<()> {
        let node = &mut self.nodes[place];
        if !node.task.is_finished() {
            return Ok(());
        }
        let ended = *node.ended.get_or_insert(self.now);
        if self.now < ended + Duration::from_secs(1) {
            return Ok(());
        }
        let tasks = node.process.runtime().metrics().num_alive_tasks();
        let number = node.site.node;
        if tasks > 0 {
            let tasks = u32::try_from(tasks).unwrap_or(u32::MAX);
            self.recorder.record(number, Phase::Fail, Fact::Leak { tasks });
        }
        if !node.stop.is_cancelled() {
            self.recorder.record(number, Phase::Fail, Fact::Ended);
        }
        self.restart(u8::try_from(place).unwrap_or_default())
    }

    fn put(&mut self, key: u8, value: u8) {
        let maps = Api::<ConfigMap>::namespaced(&self.user, NAMESPACE);
        let name = format!("key-{key}");
        let done = self.server.block_on(self.now, async move {
            let mut metadata = ObjectMeta { name: name.as_str().into(), ..ObjectMeta::EMPTY };
            metadata.namespace = NAMESPACE.into();
            let mut map = ConfigMap { metadata, ..ConfigMap::EMPTY };
            map.data.insert("value", value.to_string().into());
            match maps.get(&name).await {
                Ok(mut current) => {
                    current.data = map.data;
                    maps.update(current).await
                }
                Err(_) => maps.create(map).await,
            }
        });
        let phase = if done.is_ok() { Phase::Ok } else { Phase::Fail };
        self.recorder.record(0, phase, Fact::Put { key, value });
    }

    fn delete(&mut self, key: u8, child: bool) -> bool {
        let user = self.user.clone();
        let name = format!("key-{key}");
        let deleted = self.server.block_on(self.now, async move {
            if child {
                Api::<ServiceAccount>::namespaced(&user, NAMESPACE).delete(&name).await.is_ok()
            } else {
                Api::<ConfigMap>::namespaced(&user, NAMESPACE).delete(&name).await.is_ok()
            }
        });
        if deleted {
            self.recorder.record(0, Phase::Ok, Fact::Removed { key, child });
        }
        deleted
    }

    /// Returns the objects that are not as they should be.
    fn wrong(&mut self) -> Result<Vec<Wrong>> {
        let user = self.user.clone();
        let (maps, accounts) = self.server.block_on(self.now, async move {
            let maps = Api::<ConfigMap>::namespaced(&user, NAMESPACE).list().await?.items;
            let accounts = Api::<ServiceAccount>::namespaced(&user, NAMESPACE).list().await?.items;
            anyhow::Ok((maps, accounts))
        })?;
        let mut wrong = Vec::new();
        for key in 0..KEYS {
            let name = format!("key-{key}");
            let map = maps.iter().find(|map| map.metadata.name == name);
            let account = accounts.iter().find(|account| account.metadata.name == name);
            let wanted = map.and_then(|map| map.data.get("value")?.parse().ok());
            let found = account.and_then(|account| account.metadata.annotations.get(VALUE)?.parse().ok());
            if wanted != found {
                wrong.push((key, wanted, found));
            }
        }
        Ok(wrong)
    }

    /// Ends all faults, and waits until everything is as it should be.
    pub fn settle(&mut self) -> Result<()> {
        self.recorder.set_time(self.now);
        self.recorder.record(0, Phase::Info, Fact::Heal);
        for node in 0..u8::try_from(self.nodes.len()).unwrap_or(u8::MAX) {
            self.apply(Op::Resume(node))?;
            self.apply(Op::Heal(node))?;
        }
        let end = self.now + PATIENCE;
        let even = |world: &Self| {
            let held: Vec<usize> = world.nodes.iter().map(held).collect();
            world.elected || held.iter().sum::<usize>() == SHARDS as usize
        };
        while self.now < end && (!even(self) || !self.wrong()?.is_empty()) {
            self.run(Duration::from_secs(1))?;
        }
        for (key, wanted, found) in self.wrong()? {
            self.recorder.record(0, Phase::Fail, Fact::Unsettled { key, wanted, found });
        }
        // Shards may still move for a while.
        self.run(QUIET)?;
        let before = self.recorder.writes();
        self.run(QUIET)?;
        let writes = u32::try_from(self.recorder.writes() - before).unwrap_or(u32::MAX);
        if writes > 0 {
            self.recorder.record(0, Phase::Fail, Fact::Busy { writes });
        }
        for node in self.nodes.iter().filter(|_| !self.elected) {
            let held = u8::try_from(held(node)).unwrap_or(u8::MAX);
            let fact = Fact::Share { held, count: u8::try_from(SHARDS).unwrap_or(u8::MAX), takes_part: true };
            self.recorder.record(node.site.node, Phase::Info, fact);
        }
        let version = u32::try_from(self.servers[0].controls().revision()).unwrap_or(u32::MAX);
        self.recorder.record(
            0,
            Phase::Info,
            Fact::Quiet { settled: true, unsure: false, version, views: [0; 4] },
        );
        Ok(())
    }
}

fn held(node: &Node) -> usize {
    *node.held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for World {
    fn drop(&mut self) {
        // Replicas first: their requests hold parts of the servers.
        self.nodes.clear();
        os::set_time(self.now);
        let servers = std::mem::take(&mut self.servers);
        self.server.block_on(self.now, async move { drop(servers) });
    }
}
