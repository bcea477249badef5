//! Replicas, the servers, a user, and time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use client_rs_api::core::v1::{ConfigMap, ServiceAccount};
use client_rs_apiserver::{Access, Server, ServerOptions, Storage, StorageOptions, User};
use client_rs_client::{Api, RestClient};
use client_rs_controller::{ControllerError, ManagerError};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_sim::history::{Fact, History, Phase};
use client_rs_simulation::harness::{Network, Process};
use client_rs_simulation::os;
use client_rs_transport::http::{Body, Transport};
use http::{HeaderValue, Method, Request, header};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::op::{KEYS, Op, Setup};
use crate::replica::{GROUP, NAMESPACE, Recorder, SHARDS, Site, VALUE, WIDGET};
use crate::vault::Vault;

/// The number of servers over the storage.
const SERVERS: usize = 2;
/// The time that each process runs before the next one does, while something happens.
const QUANTUM: Duration = Duration::from_millis(10);
/// The longest such time, while nothing happens.
const LONG_QUANTUM: Duration = Duration::from_millis(320);
/// The time for which the watches of an old watch cache deliver nothing.
const BEHIND: Duration = Duration::from_secs(8);
/// The time in which everything is as it should be, after the last fault.
const PATIENCE: Duration = Duration::from_mins(5);
/// The time in which all caches have caught up, and shards no longer move: a dead connection is found after 45 s, and a reflector
/// waits for up to a minute before it tries again.
const CAUGHT_UP: Duration = Duration::from_secs(130);
/// The time in which nothing may be written then.
const QUIET: Duration = Duration::from_secs(40);

const NAMESPACES: &str = "/api/v1/namespaces";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const BINDINGS: &str = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const OPERATOR: &str = "operator";

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
    vault: Vault,
    elected: bool,
    seed: u64,
    quantum: Duration,
    /// The number of requests and changes so far.
    activity: u64,
    /// The revision up to which the servers have no history.
    compacted: u64,
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
                let options = ServerOptions::default()
                    .with_listen(None)
                    .with_storage((&storage).into())
                    .with_access(Access::Rbac)
                    .with_request_log(0);
                servers.push(Server::start_with(options).await?);
            }
            anyhow::Ok(servers)
        })?;
        let user = servers[0].rest_client()?;
        let vault = Vault::default();
        let replicas = User::service_account("default", OPERATOR);
        let clients = servers
            .iter()
            .map(|server| server.rest_client_as(replicas.clone()))
            .collect::<Result<Vec<_>, _>>()?;
        let transports: Arc<[Transport]> =
            clients.iter().map(|client| vault.guard(client.transport().clone())).collect();
        let recorder = Recorder::default();
        let (nodes, Setup { elected, seed, .. }) = (Vec::new(), setup);
        let (quantum, activity, compacted) = (QUANTUM, 0, 0);
        let mut world = Self {
            now,
            server,
            servers,
            transports,
            user,
            nodes,
            recorder,
            vault,
            elected,
            seed,
            quantum,
            activity,
            compacted,
        };
        world.prepare()?;
        for node in 1..=setup.replicas.clamp(1, 4) {
            let node = world.start(node, format!("replica-{node}"))?;
            world.nodes.push(node);
        }
        Ok(world)
    }

    /// Creates what the replicas need.
    fn prepare(&mut self) -> Result<()> {
        let rules = json!([{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]);
        let role = json!({"metadata": {"name": OPERATOR}, "rules": rules});
        let status = self.call(Method::POST, ROLES, Some(&role))?.0;
        anyhow::ensure!(status == 201, "the role was refused: {status}");
        self.permit()?;
        self.create_namespace()?;
        self.add_definition()?;
        self.wait_for_kinds()
    }

    /// Sends a request of the user, without faults.
    fn call(&mut self, method: Method, path: &str, body: Option<&Value>) -> Result<(u16, Value)> {
        let mut request =
            Request::new(Body::from(body.map_or_else(Vec::new, |body| body.to_string().into_bytes())));
        *request.method_mut() = method;
        *request.uri_mut() = path.parse()?;
        let json = HeaderValue::from_static("application/json");
        request.headers_mut().insert(header::ACCEPT, json.clone());
        request.headers_mut().insert(header::CONTENT_TYPE, json);
        let server = self.user.transport().clone();
        self.server.block_on(self.now, async move {
            let response = server.oneshot(request).await.map_err(|error| anyhow::anyhow!("{error}"))?;
            let status = response.status().as_u16();
            let bytes = response.into_body().collect().await?.to_bytes();
            Ok((status, serde_json::from_slice(&bytes).unwrap_or_default()))
        })
    }

    /// Creates something of the user's. Returns false if it exists.
    fn create(&mut self, path: &str, object: &Value) -> Result<bool> {
        Ok(self.call(Method::POST, path, Some(object))?.0 == 201)
    }

    /// Deletes something. Returns false if it does not exist.
    fn remove(&mut self, path: &str) -> Result<bool> {
        Ok(self.call(Method::DELETE, path, None)?.0 < 300)
    }

    fn create_namespace(&mut self) -> Result<bool> {
        self.create(NAMESPACES, &json!({"metadata": {"name": NAMESPACE}}))
    }

    fn add_definition(&mut self) -> Result<bool> {
        let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let version =
            json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}});
        let names = json!({"plural": "widgets", "singular": "widget", "kind": "Widget"});
        let spec = json!({"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]});
        self.create(DEFINITIONS, &json!({"metadata": {"name": format!("widgets.{GROUP}")}, "spec": spec}))
    }

    fn permit(&mut self) -> Result<bool> {
        let role = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": OPERATOR});
        let subject = json!({"kind": "ServiceAccount", "namespace": "default", "name": OPERATOR});
        let binding = json!({"metadata": {"name": OPERATOR}, "roleRef": role, "subjects": [subject]});
        self.create(BINDINGS, &binding)
    }

    /// Waits until the namespace and the custom objects exist.
    fn wait_for_kinds(&mut self) -> Result<()> {
        for _ in 0..600 {
            let namespace = self.call(Method::GET, &format!("{NAMESPACES}/{NAMESPACE}"), None)?;
            let widgets = self.call(Method::GET, &widgets(""), None)?.0;
            if namespace.1["status"]["phase"] == "Active" && widgets == 200 {
                return Ok(());
            }
            self.create_namespace()?;
            self.add_definition()?;
            self.run(Duration::from_millis(100))?;
        }
        anyhow::bail!("the namespace or the definition can't be created")
    }

    fn start(&mut self, node: u8, identity: String) -> Result<Node> {
        self.seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(node.into());
        let site = Site {
            node,
            elected: self.elected,
            network: Network::new(self.seed),
            servers: Arc::clone(&self.transports),
            credentials: Some(self.vault.credentials()?),
            widgets: true,
            cancel: Arc::default(),
            cancel_write: Arc::default(),
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
        self.quantum = QUANTUM;
        match op {
            Op::Run(millis) => self.run(Duration::from_millis(millis.into()))?,
            Op::Put(key, value) => self.put(key % KEYS, value),
            Op::Delete(key) => return Ok(self.delete(key % KEYS, false)),
            Op::DeleteChild(key) => return Ok(self.delete(key % KEYS, true)),
            Op::PutWidget(key, value) => return self.put_widget(key % KEYS, value),
            Op::DeleteWidget(key) => return self.remove(&widgets(&format!("/key-{}", key % KEYS))),
            Op::DeleteNamespace => return self.remove(&format!("{NAMESPACES}/{NAMESPACE}")),
            Op::CreateNamespace => return self.create_namespace(),
            Op::RemoveDefinition => return self.remove(&format!("{DEFINITIONS}/widgets.{GROUP}")),
            Op::AddDefinition => return self.add_definition(),
            Op::Forbid => return self.remove(&format!("{BINDINGS}/{OPERATOR}")),
            Op::Permit => return self.permit(),
            Op::Rotate => self.vault.rotate(false),
            Op::Expire => self.vault.rotate(true),
            Op::HideTokens => self.vault.hide(true),
            Op::ShowTokens => self.vault.hide(false),
            Op::Kill(node) => self.restart(node)?,
            Op::Behind(node, back) => {
                self.restart(node)?;
                let version = self.revision().saturating_sub(back.into()).max(self.compacted);
                self.node(node).site.network.state().behind = Some((version, BEHIND));
            }
            Op::Jump(node, seconds) => self.node(node).process.set_skew(seconds.into()),
            Op::Cancel(node, polls) => {
                *self.node(node).site.cancel.lock().unwrap_or_else(PoisonError::into_inner) = Some(polls);
            }
            Op::CancelWrite(node, polls) => {
                *self.node(node).site.cancel_write.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(polls);
            }
            Op::Unresolve(node) => self.node(node).site.network.state().unresolved = true,
            Op::CutInside(node) => self.node(node).site.network.state().cuts_inside = true,
            Op::HangNext(node) => self.node(node).site.network.state().hangs_next = true,
            Op::Slow(node, tenths) => {
                self.node(node).site.network.state().latency = Duration::from_millis(u64::from(tenths) * 100);
            }
            Op::DropWatches(server) => {
                self.servers[usize::from(server) % SERVERS].controls().drop_watches();
            }
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
                let status = [429, 500, 503, 403, 404, 409, 504, 400][usize::from(kind) % 8];
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
            Op::Compact => {
                self.servers[0].controls().compact();
                self.compacted = self.revision();
            }
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

    fn revision(&self) -> u64 {
        self.servers[0].controls().revision()
    }

    /// Lets all processes run, in turn.
    fn run(&mut self, time: Duration) -> Result<()> {
        let end = self.now + time;
        while self.now < end {
            self.now = (self.now + self.quantum).min(end);
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
            let requests: u64 = self.nodes.iter().map(|node| node.site.network.state().requests).sum();
            let activity = requests + self.revision();
            let quiet = std::mem::replace(&mut self.activity, activity) == activity;
            self.quantum = if quiet { (self.quantum * 2).min(LONG_QUANTUM) } else { QUANTUM };
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
            let (now, task) = (self.now, &mut node.task);
            let ended = node.process.block_on(now, task);
            // A manager gives up when its caches have no first list for two minutes, and the kubelet starts it again.
            if !ended.as_ref().is_ok_and(|ended| ended.as_ref().is_err_and(not_synced)) {
                // The rule names the process, and `--replay` prints this, too.
                eprintln!("process {number} has ended at {now:?}: {ended:?}");
                self.recorder.record(number, Phase::Fail, Fact::Ended);
            }
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

    fn put_widget(&mut self, key: u8, value: u8) -> Result<bool> {
        let name = format!("key-{key}");
        let object = json!({
            "apiVersion": format!("{GROUP}/v1"), "kind": "Widget",
            "metadata": {"name": name, "annotations": {VALUE: value.to_string()}},
        });
        if self.create(&widgets(""), &object)? {
            return Ok(true);
        }
        let path = widgets(&format!("/{name}"));
        let (status, mut current) = self.call(Method::GET, &path, None)?;
        current["metadata"]["annotations"] = object["metadata"]["annotations"].clone();
        Ok(status == 200 && self.call(Method::PUT, &path, Some(&current))?.0 == 200)
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
        let custom = self.call(Method::GET, &widgets(""), None)?.1;
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
            let widget = custom["items"]
                .as_array()
                .and_then(|items| items.iter().find(|item| item["metadata"]["name"] == name.as_str()));
            let value = |widget: &Value| widget["metadata"]["annotations"][VALUE].as_str()?.parse().ok();
            let wanted = map.and(widget).and_then(value);
            let found = account.and_then(|account| account.metadata.annotations.get(WIDGET)?.parse().ok());
            if wanted != found {
                wrong.push((KEYS + key, wanted, found));
            }
        }
        Ok(wrong)
    }

    fn record_wrong(&mut self) -> Result<()> {
        for (key, wanted, found) in self.wrong()? {
            self.recorder.record(0, Phase::Fail, Fact::Unsettled { key, wanted, found });
        }
        Ok(())
    }

    /// Ends all faults, and waits until everything is as it should be.
    pub fn settle(&mut self) -> Result<()> {
        self.recorder.set_time(self.now);
        self.recorder.record(0, Phase::Info, Fact::Heal);
        for node in 0..u8::try_from(self.nodes.len()).unwrap_or(u8::MAX) {
            self.apply(Op::Resume(node))?;
            self.apply(Op::Heal(node))?;
        }
        self.permit()?;
        self.vault.hide(false);
        self.wait_for_kinds()?;
        let end = self.now + PATIENCE;
        let even = |world: &Self| {
            let held: Vec<usize> = world.nodes.iter().map(held).collect();
            world.elected || held.iter().sum::<usize>() == SHARDS as usize
        };
        while self.now < end && (!even(self) || !self.wrong()?.is_empty()) {
            self.run(Duration::from_secs(1))?;
        }
        self.record_wrong()?;
        self.run(CAUGHT_UP)?;
        let before = self.recorder.writes();
        self.run(QUIET)?;
        // A replica whose cache was old may have changed it again.
        self.record_wrong()?;
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

/// Returns whether a manager has ended because its caches had no first list in time.
fn not_synced(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<ManagerError>(),
        Some(ManagerError::NotSynced { .. } | ManagerError::Controller(ControllerError::NotSynced { .. }))
    )
}

/// The path of the custom objects, or of one of them.
fn widgets(object: &str) -> String {
    format!("/apis/{GROUP}/v1/namespaces/{NAMESPACE}/widgets{object}")
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
