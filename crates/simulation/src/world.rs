//! The simulated world: servers, processes, a user, and time.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use client_rs_apiserver::{Server, ServerOptions, Storage, StorageOptions};
use client_rs_client::{RestClient, RestClientOptions};
use client_rs_transport::Config;
use client_rs_transport::http::{InProcess, Target, Transport};
use fastrand::Rng;
use http::{Method, Uri};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::network::{Network, call, service};
use crate::os;
use crate::path::ObjectPath;
use crate::plan::Op;
use crate::process::Process;
use crate::record::{Event, Recorder, What};
use crate::simulation::{Property, Replica, Simulation};
use crate::state::{Objects, differences};
use crate::tap::{Arms, TOUCHED, Tap};

/// The number of servers over the storage. A process does not notice how many there are: an old watch cache is a fault of its network.
const SERVERS: usize = 1;
/// The time that each process runs before the next one does, while something happens.
const QUANTUM: Duration = Duration::from_millis(10);
/// The longest such time, while nothing happens.
const LONG_QUANTUM: Duration = Duration::from_millis(640);
/// The time between two turns of the server's own controllers, such as the garbage collector. Requests do not wait for it.
const SERVER_QUANTUM: Duration = Duration::from_millis(500);
/// The number of writes after which storms are looked for again.
const WRITES: u64 = 50;
/// The time in which nothing may be written in the end.
const QUIET: Duration = Duration::from_mins(1);
/// The time after which a process that has ended starts again.
const RESTART: Duration = Duration::from_secs(1);
/// The time that replicas run before histories begin that do not start them.
const WARM_UP: Duration = Duration::from_secs(3);
/// The time for which the watches of an old watch cache deliver nothing.
const BEHIND: Duration = Duration::from_secs(8);

const JSON: &str = "application/json";
const USER: &str = "user";

/// The servers with the definitions and the first objects: the beginning of each history.
#[derive(Debug)]
pub(crate) struct Base {
    server: Process,
    servers: Vec<Server>,
    transports: Arc<[Transport]>,
    now: Duration,
    /// The revision at which histories begin.
    floor: u64,
}

impl Base {
    pub(crate) fn new(simulation: &Simulation) -> io::Result<Self> {
        let now = Duration::ZERO;
        let mut server = Process::new(now)?;
        let servers = server.block_on(now, async {
            let storage = Storage::new(StorageOptions::default())?;
            let mut servers = Vec::new();
            for _ in 0..SERVERS {
                let options = ServerOptions::default()
                    .with_listen(None)
                    .with_storage((&storage).into())
                    .with_request_log(0);
                servers.push(Server::start_with(options).await?);
            }
            io::Result::Ok(servers)
        })?;
        let clients: Result<Vec<RestClient>, _> = servers.iter().map(Server::rest_client).collect();
        let clients = clients.map_err(io::Error::other)?;
        let transports: Arc<[Transport]> = clients.iter().map(|client| client.transport().clone()).collect();
        let mut base = Self { server, servers, transports, now, floor: 0 };
        base.prepare(simulation)?;
        base.floor = base.revision();
        Ok(base)
    }

    fn prepare(&mut self, simulation: &Simulation) -> io::Result<()> {
        for definition in &simulation.definitions {
            let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            let (status, body) = self.call(Method::POST, path, JSON, definition.to_string())?;
            if status != 201 {
                return Err(io::Error::other(format!("the server refused a definition: {status} {body}")));
            }
        }
        let subjects = simulation.subjects.iter().map(|subject| &subject.path);
        let objects = simulation.objects.iter().map(|(path, _)| path);
        let kinds: BTreeSet<String> =
            subjects.clone().chain(objects.clone()).map(ObjectPath::everywhere).collect();
        for kind in kinds {
            let mut tries = 0;
            while self.call(Method::GET, &kind, JSON, String::new())?.0 != 200 {
                tries += 1;
                if tries > 100 {
                    return Err(io::Error::other(format!("{kind} is not served: install its definition")));
                }
                self.advance(Duration::from_millis(100));
            }
        }
        let namespaces: BTreeSet<&str> =
            subjects.chain(objects).map(|path| path.namespace.as_str()).collect();
        for namespace in namespaces.into_iter().filter(|namespace| !namespace.is_empty()) {
            let body = json!({"metadata": {"name": namespace}}).to_string();
            self.call(Method::POST, "/api/v1/namespaces", JSON, body)?;
        }
        for (path, object) in &simulation.objects {
            let (status, body) = self.call(Method::POST, &path.collection(), JSON, object.to_string())?;
            if status != 201 {
                return Err(io::Error::other(format!("the server refused {path}: {status} {body}")));
            }
        }
        self.advance(Duration::from_secs(1));
        Ok(())
    }

    fn advance(&mut self, time: Duration) {
        self.now += time;
        self.server.run(self.now);
    }

    fn revision(&self) -> u64 {
        self.servers.first().map_or(0, |server| server.controls().revision())
    }

    /// Sends a request of the user, without faults.
    fn call(
        &mut self,
        method: Method,
        path: &str,
        content: &'static str,
        body: String,
    ) -> io::Result<(u16, Value)> {
        let server = self.transports[0].clone();
        let (status, bytes) =
            self.server.block_on(self.now, call(&server, method, path, content, body.into_bytes()))?;
        Ok((status, serde_json::from_slice(&bytes).unwrap_or_default()))
    }
}

/// A replica in its process.
struct Node {
    /// Counts its processes, from 1.
    life: u32,
    who: String,
    network: Network,
    process: Process,
    paused: bool,
    stop: CancellationToken,
    task: JoinHandle<Result<(), String>>,
    /// When it has ended.
    ended: Option<Duration>,
    /// Its clients come from here.
    _server: InProcess,
}

/// Servers with replicas that run: they have their caches and a leader, and nobody has changed anything yet. Many histories begin here,
/// because the start costs as much as a few changes.
pub(crate) struct Warm {
    pub(crate) base: Base,
    /// `None` in the copy of the process that runs a history.
    pub(crate) started: Option<Started>,
}

/// The replicas that run.
pub(crate) struct Started {
    nodes: Vec<Node>,
    recorder: Recorder,
    arms: Arms,
}

impl Warm {
    /// Starts the replicas. `None` if they write or end before anybody has changed anything: then each history starts them, because faults
    /// at these writes matter.
    pub(crate) fn new(simulation: &Simulation) -> io::Result<Option<Self>> {
        let mut base = Base::new(simulation)?;
        let ignored = BTreeSet::new();
        let mut world = World::new(simulation, &mut base, 0, &ignored, None, None)?;
        world.run(WARM_UP)?;
        let ended = world.nodes.iter().any(|node| node.task.is_finished());
        if ended || world.broken.is_some() || world.recorder.writes() > 0 {
            return Ok(None);
        }
        let World { nodes, recorder, arms, .. } = world;
        Ok(Some(Self { base, started: Some(Started { nodes, recorder, arms }) }))
    }
}

/// A broken property.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Violation {
    pub(crate) property: String,
    pub(crate) text: String,
}

/// The end of a history.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Outcome {
    pub(crate) violation: Option<Violation>,
    pub(crate) events: Vec<Event>,
    /// The state before the user deleted everything.
    pub(crate) state: Objects,
    /// The number of writes of processes until then.
    pub(crate) writes: u64,
    /// The number of writes after that.
    pub(crate) cleanup_writes: u64,
    /// A number for the bytes of its events.
    pub(crate) digest: u64,
}

/// The state of a simulation.
pub(crate) struct World<'a> {
    simulation: &'a Simulation,
    base: &'a mut Base,
    now: Duration,
    nodes: Vec<Node>,
    recorder: Recorder,
    arms: Arms,
    seed: u64,
    /// The state of each object that the user wants.
    desired: Vec<Option<u8>>,
    /// How many changes the watch cache of the next killed process is behind.
    behind: Option<u8>,
    quantum: Duration,
    /// The number of requests and events so far.
    activity: (u64, usize),
    /// The number of changes at which the properties that always hold were checked.
    checked: Option<u64>,
    /// The number of writes at which the properties of writes were checked.
    checked_writes: u64,
    /// When the server's own controllers run again.
    server_due: Duration,
    /// The first broken property. Nothing runs any more then.
    broken: Option<Violation>,
    /// Fields that differ between two runs without faults.
    ignored: &'a BTreeSet<String>,
    /// The final state without faults.
    reference: Option<&'a BTreeMap<String, Value>>,
    /// The state and the number of writes when the user deleted everything.
    end: Option<(Objects, u64)>,
}

impl<'a> World<'a> {
    pub(crate) fn new(
        simulation: &'a Simulation,
        base: &'a mut Base,
        seed: u64,
        ignored: &'a BTreeSet<String>,
        reference: Option<&'a BTreeMap<String, Value>>,
        started: Option<Started>,
    ) -> io::Result<Self> {
        let mut world = Self {
            simulation,
            now: base.now,
            base,
            nodes: Vec::new(),
            recorder: Recorder::default(),
            arms: Arms::default(),
            seed,
            desired: vec![None; simulation.subjects.len()],
            behind: None,
            quantum: QUANTUM,
            activity: (0, 0),
            checked: None,
            checked_writes: 0,
            server_due: Duration::ZERO,
            broken: None,
            ignored,
            reference,
            end: None,
        };
        if let Some(Started { nodes, recorder, arms }) = started {
            for node in &nodes {
                world.seed = os::mix(world.seed.wrapping_add(1));
                node.network.state().random = Rng::with_seed(world.seed);
            }
            (world.nodes, world.recorder, world.arms) = (nodes, recorder, arms);
            return Ok(world);
        }
        for subject in &simulation.subjects {
            world.recorder.note_collection(subject.path.everywhere());
        }
        for (path, _) in &simulation.objects {
            world.recorder.note_collection(path.everywhere());
        }
        world.recorder.set_time(world.now);
        for number in 1..=simulation.replicas {
            let node = world.start(number, 1, None)?;
            world.nodes.push(node);
        }
        Ok(world)
    }

    fn start(&mut self, number: u8, life: u32, behind: Option<u8>) -> io::Result<Node> {
        self.seed = os::mix(self.seed.wrapping_add(u64::from(number) + 1));
        let who = format!("replica-{number}.{life}");
        let tap = Tap::new(who.clone(), self.recorder.clone(), Arc::clone(&self.arms));
        let network = Network::new(self.seed).with_tap(tap);
        if let Some(back) = behind {
            let version = self.base.revision().saturating_sub(back.into()).max(self.base.floor);
            network.state().behind = Some((version, BEHIND));
            let fault = format!(
                "{who} starts with an API server whose watch cache is at version {version} for {} s",
                BEHIND.as_secs()
            );
            self.recorder.record("simulator", What::Fault { fault });
        }
        let host = format!("replica-{number}-{life}.simulation");
        let target = Target { host: host.clone(), port: 80, tls: false, server_name: None };
        let transport = Transport::from_service(target, service(&network, &self.base.transports));
        let uri = format!("http://{host}").parse::<Uri>().map_err(io::Error::other)?;
        let server = InProcess::register(&uri, transport.clone());
        let config = Config::new(uri.clone()).with_content_type(JSON);
        let options = RestClientOptions::from_config(&config);
        let client = RestClient::with_options(&uri, transport, options).map_err(io::Error::other)?;
        let process = Process::new(self.now)?;
        let stop = CancellationToken::new();
        let replica = Replica { number, identity: who.clone(), config, client, stop: stop.clone() };
        let running = (self.simulation.program)(replica);
        let task = process.runtime().spawn(running);
        self.recorder.record(&who, What::Started);
        Ok(Node { life, who, network, process, paused: false, stop, task, ended: None, _server: server })
    }

    fn place(&self, node: u8) -> usize {
        usize::from(node) % self.nodes.len()
    }

    /// Replaces a process by a new one.
    fn restart(&mut self, place: usize, behind: Option<u8>) -> io::Result<()> {
        let number = u8::try_from(place + 1).unwrap_or(u8::MAX);
        let next = self.start(number, self.nodes[place].life + 1, behind)?;
        // With all of its tasks.
        drop(std::mem::replace(&mut self.nodes[place], next));
        Ok(())
    }

    fn kill(&mut self, place: usize, behind: Option<u8>) -> io::Result<()> {
        self.recorder.record(&self.nodes[place].who.clone(), What::Killed);
        self.restart(place, behind)
    }

    /// Performs a step.
    pub(crate) fn apply(&mut self, op: Op) -> io::Result<()> {
        if self.broken.is_some() {
            return Ok(());
        }
        self.recorder.set_time(self.now);
        self.quantum = QUANTUM;
        if let Some(fault) = self.text(op) {
            self.recorder.record("simulator", What::Fault { fault });
        }
        match op {
            Op::Run(millis) => self.run(Duration::from_millis(millis.into()))?,
            Op::Put(object, state) => self.put(object, state)?,
            Op::Delete(object) => self.delete(object)?,
            Op::DeleteMade(number) => self.delete_made(number)?,
            Op::TouchMade(number) => self.touch_made(number)?,
            Op::At(write, act) => {
                let write = self.recorder.writes() + u64::from(write);
                self.arms.lock().unwrap_or_else(PoisonError::into_inner).insert(write, act);
            }
            Op::Kill(node) => self.kill(self.place(node), None)?,
            Op::Behind(u8::MAX, back) => self.behind = Some(back),
            Op::Behind(node, back) => self.kill(self.place(node), Some(back))?,
            Op::Stop(node) => self.nodes[self.place(node)].stop.cancel(),
            Op::Pause(node) => {
                let place = self.place(node);
                self.nodes[place].paused = true;
            }
            Op::Resume(node) => {
                let (place, now) = (self.place(node), self.now);
                let node = &mut self.nodes[place];
                if std::mem::replace(&mut node.paused, false) {
                    node.process.wake(now);
                }
            }
            Op::Refuse(node) => self.network(node).state().refuses = true,
            Op::LoseRequests(node) => self.network(node).state().loses_requests = true,
            Op::LoseResponses(node) => self.network(node).state().loses_responses = true,
            Op::Storm(node, kind) => self.network(node).state().storm = Some(storm(kind)),
            Op::Heal(node) => self.network(node).heal(),
            Op::Cut(node) => self.network(node).cut(),
            Op::Hang(node) => self.network(node).hang(),
            Op::Lag(node, tenths) => {
                self.network(node).state().lag = Duration::from_millis(u64::from(tenths) * 100);
            }
            Op::Compact => {
                if let Some(server) = self.base.servers.first() {
                    server.controls().compact();
                }
            }
            Op::DeleteAll => self.end_work()?,
        }
        Ok(())
    }

    fn network(&self, node: u8) -> &Network {
        &self.nodes[self.place(node)].network
    }

    /// The text of a fault that happens at once.
    fn text(&self, op: Op) -> Option<String> {
        let who = |node: u8| self.nodes[self.place(node)].who.clone();
        Some(match op {
            Op::Stop(node) => format!("{} has to end in order", who(node)),
            Op::Pause(node) => format!("{} is paused", who(node)),
            Op::Resume(node) => format!("{} continues", who(node)),
            Op::Refuse(node) => format!("connections of {} are refused", who(node)),
            Op::LoseRequests(node) => format!("requests of {} do not arrive", who(node)),
            Op::LoseResponses(node) => format!("responses to {} do not arrive", who(node)),
            Op::Storm(node, kind) => format!("requests of {} get {}", who(node), storm(kind)),
            Op::Heal(node) => format!("the network of {} works again", who(node)),
            Op::Cut(node) => format!("the watches of {} are cut", who(node)),
            Op::Hang(node) => format!("the watches of {} are silent", who(node)),
            Op::Lag(node, tenths) => {
                format!("each watch event reaches {} {} ms late", who(node), u32::from(tenths) * 100)
            }
            Op::Compact => "the servers drop their history".to_owned(),
            _ => return None,
        })
    }

    /// Lets all processes run, in turn.
    fn run(&mut self, time: Duration) -> io::Result<()> {
        let end = self.now + time;
        while self.now < end && self.broken.is_none() {
            self.now = (self.now + self.quantum).min(end);
            self.base.now = self.now;
            self.recorder.set_time(self.now);
            if self.now >= self.server_due {
                self.base.server.run(self.now);
                self.server_due = self.now + SERVER_QUANTUM;
            }
            for place in 0..self.nodes.len() {
                if !self.nodes[place].paused {
                    self.nodes[place].process.run(self.now);
                    self.look_after(place)?;
                }
            }
            let requests: u64 = self.nodes.iter().map(|node| node.network.state().requests).sum();
            // Leases are renewed all the time: they do not make the turns shorter.
            let activity = (requests, self.recorder.count());
            self.quantum =
                if activity == self.activity { (self.quantum * 2).min(LONG_QUANTUM) } else { QUANTUM };
            self.activity = activity;
            if !self.simulation.always.is_empty() {
                let changes = self.changes();
                if self.checked != Some(changes) {
                    self.checked = Some(changes);
                    self.check_always()?;
                }
            }
            let writes = self.recorder.writes();
            if writes >= self.checked_writes + WRITES {
                self.checked_writes = writes;
                self.check_writes();
            }
        }
        Ok(())
    }

    /// A process that is to be killed is killed. One that has ended is followed by another one.
    fn look_after(&mut self, place: usize) -> io::Result<()> {
        if self.nodes[place].network.state().dead {
            let behind = self.behind.take();
            return self.kill(place, behind);
        }
        let node = &mut self.nodes[place];
        if !node.task.is_finished() {
            return Ok(());
        }
        if node.ended.is_none() {
            node.ended = Some(self.now);
            let (now, task) = (self.now, &mut node.task);
            let error = match node.process.block_on(now, task) {
                Ok(ended) => ended.err(),
                Err(error) => Some(error.to_string()),
            };
            let who = node.who.clone();
            self.recorder.record(&who, What::Ended { error });
        }
        if self.nodes[place].ended.is_some_and(|ended| self.now >= ended + RESTART) {
            self.restart(place, None)?;
        }
        Ok(())
    }

    fn changed(&self, object: &ObjectPath, change: &str, after: &Value) {
        let version = after.get("metadata").and_then(|meta| meta.get("resourceVersion")?.as_str());
        let (object, change) = (object.to_string(), change.to_owned());
        let version = version.unwrap_or_default().to_owned();
        self.recorder.record(USER, What::Changed { object, change, version });
    }

    fn put(&mut self, object: u8, state: u8) -> io::Result<()> {
        let place = usize::from(object);
        let Some(subject) = self.simulation.subjects.get(place) else { return Ok(()) };
        let state = usize::from(state) % subject.states.len();
        self.desired[place] = Some(u8::try_from(state).unwrap_or_default());
        let wanted = &subject.states[state];
        let (status, mut current) =
            self.base.call(Method::GET, &subject.path.object(), JSON, String::new())?;
        if status == 200 && current["metadata"].get("deletionTimestamp").is_some() {
            // It is created again when it is gone.
            return Ok(());
        }
        if status != 200 {
            let path = subject.path.collection();
            let (status, created) = self.base.call(Method::POST, &path, JSON, wanted.to_string())?;
            if status != 201 {
                let text = format!("the server refuses {} of the workload: {created}", subject.path);
                return Err(io::Error::other(text));
            }
            self.changed(&subject.path, &format!("creates (state {state})"), &created);
            return Ok(());
        }
        if let (Value::Object(current), Value::Object(wanted)) = (&mut current, wanted) {
            current.retain(|field, _| ["apiVersion", "kind", "metadata", "status"].contains(&field.as_str()));
            for (field, value) in wanted {
                if field != "metadata" && field != "status" {
                    current.insert(field.clone(), value.clone());
                }
            }
            for field in ["labels", "annotations"] {
                if let Some(value) = wanted.get("metadata").and_then(|meta| meta.get(field)) {
                    current["metadata"][field] = value.clone();
                }
            }
        }
        let (status, after) =
            self.base.call(Method::PUT, &subject.path.object(), JSON, current.to_string())?;
        if status != 200 {
            return Err(io::Error::other(format!("the server refuses a state of {}: {after}", subject.path)));
        }
        self.changed(&subject.path, &format!("changes (to state {state})"), &after);
        Ok(())
    }

    /// The user creates objects again that were still being deleted.
    fn insist(&mut self) -> io::Result<()> {
        for place in 0..self.desired.len() {
            let Some(state) = self.desired[place] else { continue };
            let path = self.simulation.subjects[place].path.object();
            if self.base.call(Method::GET, &path, JSON, String::new())?.0 == 404 {
                self.put(u8::try_from(place).unwrap_or_default(), state)?;
            }
        }
        Ok(())
    }

    fn delete(&mut self, object: u8) -> io::Result<()> {
        let place = usize::from(object);
        let Some(subject) = self.simulation.subjects.get(place) else { return Ok(()) };
        self.desired[place] = None;
        let path = deletion(&subject.path);
        let (status, _) = self.base.call(Method::DELETE, &path, JSON, String::new())?;
        if status < 300 {
            self.changed(&subject.path, "deletes", &Value::Null);
        }
        Ok(())
    }

    /// The objects that processes have made and that exist, in the order of their paths.
    fn made(&mut self) -> io::Result<Vec<ObjectPath>> {
        let state = self.snapshot()?;
        let made = self.recorder.made();
        let existing = made.into_iter().filter(|path| state.get(&path.object()).is_some());
        Ok(existing.collect())
    }

    fn choose_made(&mut self, number: u8) -> io::Result<Option<ObjectPath>> {
        let mut made = self.made()?;
        let count = made.len().max(1);
        Ok((!made.is_empty()).then(|| made.swap_remove(usize::from(number) % count)))
    }

    fn delete_made(&mut self, number: u8) -> io::Result<()> {
        let Some(path) = self.choose_made(number)? else { return Ok(()) };
        self.base.call(Method::DELETE, &deletion(&path), JSON, String::new())?;
        self.changed(&path, "deletes", &Value::Null);
        Ok(())
    }

    fn touch_made(&mut self, number: u8) -> io::Result<()> {
        let Some(path) = self.choose_made(number)? else { return Ok(()) };
        let body = json!({"metadata": {"annotations": {TOUCHED: self.now.as_millis().to_string()}}});
        let content = "application/merge-patch+json";
        let (_, after) = self.base.call(Method::PATCH, &path.object(), content, body.to_string())?;
        self.changed(&path, "annotates", &after);
        Ok(())
    }

    /// The number of changes of objects so far, without leases and events: those are written all the time, and no property looks at
    /// them unless the workload has some.
    fn changes(&self) -> u64 {
        if self.simulation.subjects.iter().any(|subject| subject.path.is_bookkeeping()) {
            return self.base.revision();
        }
        self.recorder.changes(self.base.floor, self.base.revision())
    }

    /// Returns the objects of all kinds that matter.
    fn snapshot(&mut self) -> io::Result<Objects> {
        let mut state = Objects::default();
        for collection in self.recorder.collections() {
            let (status, list) = self.base.call(Method::GET, &collection, JSON, String::new())?;
            let Some(kind) = ObjectPath::parse(&collection).filter(|_| status == 200) else { continue };
            let Value::Object(mut list) = list else { continue };
            let Some(Value::Array(items)) = list.remove("items") else { continue };
            for item in items {
                let text = |field: &str| item["metadata"][field].as_str().unwrap_or_default().to_owned();
                let path = kind.with_name(&text("namespace"), &text("name")).object();
                state.insert(path, item);
            }
        }
        Ok(state)
    }

    fn check_always(&mut self) -> io::Result<()> {
        let state = self.snapshot()?;
        for (name, check) in &self.simulation.always {
            if let Err(text) = check(&state) {
                self.broken.get_or_insert_with(|| {
                    self.recorder
                        .record("simulator", What::Broken { property: name.clone(), text: text.clone() });
                    Violation { property: name.clone(), text }
                });
            }
        }
        Ok(())
    }

    fn check_writes(&mut self) {
        let checked = self.recorder.look(|events| crate::properties::check(self.simulation, events));
        if let Err(found) = checked {
            self.broken.get_or_insert(found);
        }
    }

    fn heal(&mut self) -> io::Result<()> {
        self.arms.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.behind = None;
        for place in 0..self.nodes.len() {
            let now = self.now;
            let node = &mut self.nodes[place];
            node.network.heal();
            if std::mem::replace(&mut node.paused, false) {
                node.process.wake(now);
            }
        }
        self.quantum = QUANTUM;
        self.recorder.record("simulator", What::Healed);
        self.run(Duration::from_secs(1))
    }

    /// Ends all faults, waits until nothing is written any more, and checks the properties of the end. Then the user deletes every
    /// object of the workload.
    fn end_work(&mut self) -> io::Result<()> {
        if self.end.is_some() {
            return Ok(());
        }
        self.heal()?;
        if let Err(found) = self.settle()? {
            self.broken.get_or_insert(found);
        }
        let state = self.snapshot()?;
        if self.reference.is_none()
            && let Some(failed) = self.failed()
        {
            self.broken = Some(failed);
        }
        if self.broken.is_none() {
            self.broken = self.check_end(&state);
        }
        self.check_writes();
        self.end = Some((state, self.recorder.writes()));
        if self.broken.is_none() && self.simulation.has(Property::NothingLeaked) {
            self.recorder.set_time(self.now);
            self.recorder.record(USER, What::Deleting);
            self.quantum = QUANTUM;
            for place in 0..self.simulation.subjects.len() {
                self.delete(u8::try_from(place).unwrap_or(u8::MAX))?;
            }
        }
        Ok(())
    }

    /// Ends the history: all faults end, everything is deleted, and the properties that were not checked yet are.
    pub(crate) fn finish(mut self) -> io::Result<Outcome> {
        if self.end.is_some() && self.broken.is_none() {
            // There were faults after the deletion.
            self.heal()?;
        }
        self.end_work()?;
        if self.broken.is_none() && self.simulation.has(Property::NothingLeaked) {
            let leaked = self.wait_for_cleanup()?;
            self.broken = self.broken.take().or(leaked);
            self.check_writes();
        }
        let violation = self.broken.take();
        let (state, writes) = self.end.take().unwrap_or_default();
        let cleanup_writes = self.recorder.writes() - writes;
        let events = self.recorder.take();
        // The copy of the process in which it ran ends, too: nobody waits for thousands of tasks and objects to be dropped.
        std::mem::forget(self);
        Ok(Outcome { violation, events, state, writes, cleanup_writes, digest: 0 })
    }

    /// Returns the first process that has ended with an error. Without faults, none should.
    fn failed(&self) -> Option<Violation> {
        self.recorder.look(|events| {
            events.iter().find_map(|event| match &event.what {
                What::Ended { error: Some(error) } => Some(Violation {
                    property: "the program runs if there are no faults".to_owned(),
                    text: format!("{} ended with an error: {error}", event.who),
                }),
                _ => None,
            })
        })
    }

    /// Waits until the state is the expected one and nothing was written for a minute.
    fn settle(&mut self) -> io::Result<Result<(), Violation>> {
        let end = self.now + self.simulation.patience;
        let mut seen = None;
        let mut wrong: Option<Violation> = None;
        loop {
            self.run(Duration::from_secs(2))?;
            if let Some(broken) = &self.broken {
                return Ok(Err(broken.clone()));
            }
            if seen != Some(self.changes()) {
                self.insist()?;
                seen = Some(self.changes());
                wrong = self.compare()?;
            }
            let quiet = self.now.saturating_sub(self.recorder.last_write()) >= QUIET;
            if wrong.is_none() && quiet {
                self.recorder.record("simulator", What::Quiet);
                return Ok(Ok(()));
            }
            if self.now >= end {
                break;
            }
        }
        if !self.simulation.has(Property::ComesToRest) && wrong.is_none() {
            return Ok(Ok(()));
        }
        // A wrong state matters more than that it does not rest.
        Ok(Err(wrong.unwrap_or_else(|| {
            let since = u64::try_from(self.now.saturating_sub(QUIET).as_millis()).unwrap_or_default();
            let late: BTreeSet<String> = self.recorder.look(|events| {
                let sent = events.iter().filter(|event| event.at >= since);
                sent.filter_map(|event| match &event.what {
                    What::Sent { method, object, .. } => Some(format!("{method} {object}")),
                    _ => None,
                })
                .collect()
            });
            let late: Vec<String> = late.into_iter().collect();
            let text = format!(
                "{} s after the last change and the last fault it still writes: {}",
                self.simulation.patience.as_secs(),
                late.join(", ")
            );
            Violation { property: Property::ComesToRest.name().to_owned(), text }
        })))
    }

    /// Compares the state with the expected one.
    fn compare(&mut self) -> io::Result<Option<Violation>> {
        let state = self.snapshot()?;
        for (name, check) in &self.simulation.eventually {
            if let Err(text) = check(&state) {
                return Ok(Some(Violation { property: name.clone(), text }));
            }
        }
        let Some(expected) = self.reference.filter(|_| self.simulation.has(Property::SameFinalState)) else {
            return Ok(None);
        };
        let found = differences(expected, &state.normal(self.ignored));
        Ok((!found.is_empty()).then(|| Violation {
            property: Property::SameFinalState.name().to_owned(),
            text: format!(
                "{} s after the last change and the last fault, compared with the run without faults: {}",
                self.simulation.patience.as_secs(),
                found.join("; ")
            ),
        }))
    }

    /// Checks the generations that objects of the workload have observed.
    fn check_end(&self, state: &Objects) -> Option<Violation> {
        if !self.simulation.has(Property::ObservedGeneration) {
            return None;
        }
        for subject in &self.simulation.subjects {
            let Some(object) = state.get(&subject.path.object()) else { continue };
            let generation = &object["metadata"]["generation"];
            let status = &object["status"];
            let conditions = status["conditions"].as_array().into_iter().flatten();
            let conditions = conditions.map(|condition| {
                let name = condition["type"].as_str().unwrap_or_default().to_owned();
                (format!("condition {name}"), &condition["observedGeneration"])
            });
            let all = std::iter::once(("status".to_owned(), &status["observedGeneration"])).chain(conditions);
            for (part, observed) in all {
                if !observed.is_null() && observed != generation {
                    let text = format!(
                        "{}: observedGeneration of the {part} is {observed}, the generation is {generation}",
                        subject.path
                    );
                    return Some(Violation {
                        property: Property::ObservedGeneration.name().to_owned(),
                        text,
                    });
                }
            }
        }
        None
    }

    /// Waits until nothing is left that processes have made.
    fn wait_for_cleanup(&mut self) -> io::Result<Option<Violation>> {
        let end = self.now + self.simulation.patience;
        let mut seen = None;
        let mut left = Vec::new();
        while self.now < end && self.broken.is_none() {
            self.run(Duration::from_secs(1))?;
            let changes = self.changes();
            if seen == Some(changes) {
                continue;
            }
            seen = Some(changes);
            let state = self.snapshot()?;
            let subjects = self.simulation.subjects.iter().map(|subject| subject.path.clone());
            let candidates: BTreeSet<ObjectPath> = subjects.chain(self.recorder.made()).collect();
            left = candidates.into_iter().filter(|path| state.get(&path.object()).is_some()).collect();
            if left.is_empty() {
                return Ok(None);
            }
        }
        if self.broken.is_some() {
            return Ok(None);
        }
        let left: Vec<String> = left.iter().map(ToString::to_string).collect();
        let text = format!(
            "{} s after the user has deleted every object of the workload, these still exist: {}",
            self.simulation.patience.as_secs(),
            left.join(", ")
        );
        Ok(Some(Violation { property: Property::NothingLeaked.name().to_owned(), text }))
    }
}

/// The path of a deletion, as kubectl sends it: the pods of a job would stay otherwise.
fn deletion(object: &ObjectPath) -> String {
    format!("{}?propagationPolicy=Background", object.object())
}

fn storm(kind: u8) -> u16 {
    [429, 500, 503, 403][usize::from(kind) % 4]
}
