//! The description of a simulation: the program, its world, the workload, the properties.

use std::collections::BTreeSet;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::RestClient;
use client_rs_controller::Manager;
use client_rs_machinery::Resource;
use client_rs_machinery::wire::{Format, Message as _, Payload};
use client_rs_transport::Config;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::path::ObjectPath;
use crate::plan::{Op, Shape};
use crate::state::Objects;

/// A property that every controller should have, and that needs no code. All of them are checked unless
/// [`Simulation::without`] turns them off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Property {
    /// After the last change and the last fault the controller comes to rest: it writes nothing for a minute.
    ComesToRest,
    /// In the end the objects are those that the same changes lead to without faults. Identities, versions, times, generated names
    /// and values that differ between two runs without faults are not compared.
    SameFinalState,
    /// No object is written more than 40 times within ten seconds.
    NoWriteStorm,
    /// When the user has deleted the objects of the workload, they are removed, and so is everything that the controller has created.
    NothingLeaked,
    /// Two replicas do not write the same object in turn, within five seconds.
    OneWriter,
    /// An update without a version does not replace a version that the process never saw, and a deletion by name does not
    /// delete another object than the one that the process knew by this name.
    NoStaleWrite,
    /// In the end, `observedGeneration` of the status and of each condition is the generation of the object.
    ObservedGeneration,
}

impl Property {
    const ALL: [Self; 7] = [
        Self::ComesToRest,
        Self::SameFinalState,
        Self::NoWriteStorm,
        Self::NothingLeaked,
        Self::OneWriter,
        Self::NoStaleWrite,
        Self::ObservedGeneration,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ComesToRest => "comes to rest",
            Self::SameFinalState => "same final state as without faults",
            Self::NoWriteStorm => "no write storm",
            Self::NothingLeaked => "nothing leaked after deletion",
            Self::OneWriter => "one writer",
            Self::NoStaleWrite => "no stale write",
            Self::ObservedGeneration => "observed generation",
        }
    }
}

/// How many histories a simulation makes, and which ones: see [`Simulation::mode`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// For each test run: each fault at each write, at most 450 of these histories, then 100 random ones of one to four faults. It
    /// takes seconds.
    #[default]
    Quick,
    /// For nightly runs: each fault at each write, then 5,000 random histories of four to nine faults. It takes minutes.
    Long,
    /// Each fault at each write, and nothing that is random: the number of histories depends on the number of writes only.
    Targeted,
}

impl Mode {
    /// The number of random histories.
    pub(crate) fn seeds(self) -> u64 {
        match self {
            Self::Quick => 100,
            Self::Long => 5_000,
            Self::Targeted => 0,
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "quick" => Ok(Self::Quick),
            "long" => Ok(Self::Long),
            "targeted" => Ok(Self::Targeted),
            other => Err(format!("there is no mode {other}: quick, long or targeted")),
        }
    }
}

/// A process of the simulated program: what it needs to reach the servers, and to know when to end.
#[derive(Clone)]
#[non_exhaustive]
pub struct Replica {
    /// Its number, from 1.
    pub number: u8,
    /// A name that no other process has: for the identity of a leader election. A restarted process has another one.
    pub identity: String,
    /// The configuration of its clients. Everything that is made from it uses the simulated network.
    pub config: Config,
    /// A client made from it.
    pub client: RestClient,
    /// Cancelled when the process has to end in order.
    pub stop: CancellationToken,
}

impl fmt::Debug for Replica {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replica").field("identity", &self.identity).finish_non_exhaustive()
    }
}

/// A step of a workload that is written down: see [`Simulation::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The user creates the object with this number, in the order of [`Simulation::workload`], or changes it to one of its states.
    Put(u8, u8),
    /// The user deletes the object with this number.
    Delete(u8),
    /// Somebody deletes the object with this number, in the order of their names, of those that the controller has made.
    DeleteMade(u8),
    /// The simulation runs for this time.
    Wait(Duration),
}

pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
pub(crate) type Program = Arc<dyn Fn(Replica) -> BoxFuture<Result<(), String>> + Send + Sync>;
type Check = Arc<dyn Fn(&Objects) -> Result<(), String> + Send + Sync>;

/// An object of the workload, with its states.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) path: ObjectPath,
    pub(crate) states: Vec<Value>,
}

/// A deterministic simulation of a program: its replicas run in one thread, on a simulated clock, against embedded API servers, while
/// faults happen to them.
///
/// The page of the crate explains it with an example. Set it up with the methods below, and call [`check`](Self::check) in a
/// test.
///
/// # What a program may do
///
/// It reaches the API through [`Replica::config`] or [`Replica::client`] only, and waits with tokio's timers. It has one
/// thread and no I/O driver: opening a socket panics, so leave webhooks and metric servers out. Threads, blocking tasks and
/// statics that outlive a process make a history depend on more than its seed; `check` runs one seed in two processes and
/// reports the first difference. A process is killed by dropping its tasks where they are, without an orderly end.
#[derive(Clone)]
#[must_use = "call `check` to run it"]
pub struct Simulation {
    pub(crate) program: Program,
    pub(crate) definitions: Vec<Value>,
    pub(crate) objects: Vec<(ObjectPath, Value)>,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) script: Option<Vec<Op>>,
    pub(crate) replicas: u8,
    pub(crate) mode: Mode,
    pub(crate) seeds: Option<u64>,
    pub(crate) first_seed: u64,
    pub(crate) targeted: bool,
    pub(crate) workers: Option<usize>,
    /// Why it can't run.
    pub(crate) problem: Option<String>,
    pub(crate) properties: BTreeSet<Property>,
    pub(crate) always: Vec<(String, Check)>,
    pub(crate) eventually: Vec<(String, Check)>,
    pub(crate) ignored: BTreeSet<String>,
    pub(crate) patience: Duration,
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("replicas", &self.replicas)
            .field("mode", &self.mode)
            .field("seeds", &self.seeds)
            .finish_non_exhaustive()
    }
}

impl Simulation {
    /// Simulates a manager. The function builds it; it is called for each start of a process, and everything that it makes is
    /// lost when the process is killed.
    pub fn new<F, T, E>(build: F) -> Self
    where
        F: Fn(Replica) -> T + Send + Sync + 'static,
        T: Future<Output = Result<Manager, E>> + Send + 'static,
        E: fmt::Display,
    {
        let build = Arc::new(build);
        Self::program(move |replica| {
            let (stop, building) = (replica.stop.clone(), build(replica));
            async move {
                let manager = building.await.map_err(|error| error.to_string())?;
                manager.run(stop).await.map_err(|error| error.to_string())
            }
        })
    }

    /// Simulates any program: a future that runs until [`Replica::stop`] is cancelled.
    pub fn program<F, T, E>(run: F) -> Self
    where
        F: Fn(Replica) -> T + Send + Sync + 'static,
        T: Future<Output = Result<(), E>> + Send + 'static,
        E: fmt::Display,
    {
        let run = Arc::new(run);
        Self {
            program: Arc::new(move |replica| {
                let running = run(replica);
                Box::pin(async move { running.await.map_err(|error| error.to_string()) })
            }),
            definitions: Vec::new(),
            objects: Vec::new(),
            subjects: Vec::new(),
            script: None,
            replicas: 1,
            mode: Mode::Quick,
            seeds: None,
            first_seed: 0,
            targeted: true,
            workers: None,
            problem: None,
            properties: Property::ALL.into(),
            always: Vec::new(),
            eventually: Vec::new(),
            ignored: BTreeSet::new(),
            patience: Duration::from_mins(5),
        }
    }

    /// Installs definitions of custom resources before anything else.
    pub fn install(mut self, definitions: impl IntoIterator<Item = CustomResourceDefinition>) -> Self {
        let json =
            definitions.into_iter().map(|one| serde_json::from_slice(&one.to_json()).unwrap_or_default());
        self.definitions.extend(json);
        self
    }

    /// Creates objects before the program starts. Their namespaces are created too.
    pub fn objects<K: Resource + Payload>(mut self, objects: impl IntoIterator<Item = K>) -> Self {
        self.objects.extend(objects.into_iter().map(|object| described(&object)));
        self
    }

    /// The objects that the user creates, changes and deletes. Several objects with the same name are states of one object: the
    /// user changes it from one to another.
    pub fn workload<K: Resource + Payload>(mut self, objects: impl IntoIterator<Item = K>) -> Self {
        for object in objects {
            let (path, state) = described(&object);
            match self.subjects.iter_mut().find(|subject| subject.path == path) {
                Some(subject) => subject.states.push(state),
                None => self.subjects.push(Subject { path, states: vec![state] }),
            }
        }
        self
    }

    /// Installs a definition, and lets the user create, change and delete this many objects of its kind, which are made from its
    /// schema.
    ///
    /// Each object has up to twelve states, which differ in their fields. All are valid: types, enums, bounds, lengths, formats,
    /// patterns and CEL rules hold, and so do the rules of changes (`oldSelf`) from each state to each other one. Bounds and defaults
    /// are drawn more often than other values. Integers without bounds are from 0 to 100. The seed of a history chooses the states; a
    /// failure is shrunk to the simplest ones that show it, and prints them.
    ///
    /// The same definition always gives the same objects. If no valid object is found within 2,000 tries, the simulation fails, and
    /// reports the rule that was broken last.
    pub fn generated(mut self, definition: &CustomResourceDefinition, objects: u8) -> Self {
        let json: Value = serde_json::from_slice(&definition.to_json()).unwrap_or_default();
        match crate::generate::subjects(&json, objects) {
            Ok(subjects) => self.subjects.extend(subjects),
            Err(problem) => self.problem = Some(problem),
        }
        if !self.definitions.contains(&json) {
            self.definitions.push(json);
        }
        self
    }

    /// The changes of the user, in this order, instead of random ones. Faults still come at random.
    pub fn steps(mut self, steps: impl IntoIterator<Item = Step>) -> Self {
        let op = |step| match step {
            Step::Put(object, state) => Op::Put(object, state),
            Step::Delete(object) => Op::Delete(object),
            Step::DeleteMade(object) => Op::DeleteMade(object),
            Step::Wait(time) => Op::Run(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)),
        };
        self.script = Some(steps.into_iter().map(op).collect());
        self
    }

    /// The number of replicas, from 1 to 4. Default: 1. With more than one, the program needs an election or shards.
    pub fn replicas(mut self, replicas: u8) -> Self {
        self.replicas = replicas.clamp(1, 4);
        self
    }

    /// The number and the kind of histories. Default: [`Mode::Quick`]. The variable `CLIENT_RS_SIMULATION_MODE` overrides it: `quick`,
    /// `long` or `targeted`.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// The number of histories that are made at the same time, each in a process of its own. Default: one for each core, at most
    /// eight.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers.max(1));
        self
    }

    /// The number of random histories. Default: that of the mode. The variable `CLIENT_RS_SIMULATION_SEEDS` overrides it.
    pub fn seeds(mut self, seeds: u64) -> Self {
        self.seeds = Some(seeds);
        self
    }

    /// The seed of the first random history, so that a long campaign can be made in parts. Default: 0.
    pub fn first_seed(mut self, seed: u64) -> Self {
        self.first_seed = seed;
        self
    }

    /// Whether to try each fault at each write of one workload, before the random histories: a crash before it and after it, a
    /// lost request, a lost response, an error, an outage, a conflict, and a restart with an old watch cache. Default: true.
    pub fn targeted(mut self, targeted: bool) -> Self {
        self.targeted = targeted;
        self
    }

    /// The simulated time in which the program has to come to rest after the last fault. Default: five minutes.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Turns a ready-made property off. Say why in a comment.
    pub fn without(mut self, property: Property) -> Self {
        self.properties.remove(&property);
        self
    }

    /// Leaves a field out when the final states are compared, such as `status.lastSeen`, or `status.peers[].seen` in each item
    /// of a list.
    pub fn ignore(mut self, field: impl Into<String>) -> Self {
        self.ignored.insert(field.into());
        self
    }

    /// Adds a property that holds at all times. The check is called whenever an object has changed.
    pub fn always(
        mut self,
        name: impl Into<String>,
        check: impl Fn(&Objects) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.always.push((name.into(), Arc::new(check)));
        self
    }

    /// Adds a property that holds in the end: after the last change, when all faults are over, and from then on.
    pub fn eventually(
        mut self,
        name: impl Into<String>,
        check: impl Fn(&Objects) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.eventually.push((name.into(), Arc::new(check)));
        self
    }

    pub(crate) fn shape(&self) -> Shape {
        let states = |subject: &Subject| u8::try_from(subject.states.len()).unwrap_or(u8::MAX);
        Shape {
            replicas: self.replicas,
            states: self.subjects.iter().map(states).collect(),
            script: self.script.clone(),
        }
    }

    pub(crate) fn has(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }
}

fn described<K: Resource + Payload>(object: &K) -> (ObjectPath, Value) {
    let info = K::INFO;
    let api = match info.group {
        "" => format!("/api/{}", info.version),
        group => format!("/apis/{group}/{}", info.version),
    };
    let namespace = match (info.namespaced, object.namespace()) {
        (false, _) => "",
        (true, "") => "default",
        (true, namespace) => namespace,
    };
    let path = ObjectPath {
        api,
        plural: info.plural.to_owned(),
        namespace: namespace.to_owned(),
        name: object.name().to_owned(),
        subresource: String::new(),
    };
    let json = serde_json::from_slice(&object.encode(Format::Json)).unwrap_or_default();
    (path, json)
}
