//! The common parts of the operators.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_api::core::v1::ConfigMap;
use client_rs_cache::Lister;
use client_rs_client::{Api, Error, RestClient};
use client_rs_controller::{
    Action, Context, Controller, ControllerOptions, LostLeadership, Manager, ManagerOptions, ReconcileError,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_leaderelection::{LeaderElector, LeaseLock, LeaseLockOptions};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{Object as _, ObjectKey};
use client_rs_simulation::{Objects, Replica, Simulation, Step};

use crate::app::{App, AppSpec, AppStatus};

/// The finalizer of operators that have one.
pub const FINALIZER: &str = "example.com/app";
/// The label of children, with the name of the app.
pub const LABEL: &str = "app";

/// The result of a run.
pub type Done = Result<Action, ReconcileError>;
/// A reconcile function.
pub type Reconcile = fn(Kit, ObjectKey) -> Pin<Box<dyn Future<Output = Done> + Send>>;

/// A bug of a published class, with its repaired twin.
#[derive(Clone, Copy)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// The class of the bug.
    pub class: &'static str,
    /// The operator: [`Kit::bug`] chooses the twin.
    pub reconcile: Reconcile,
    /// Changes of the setup.
    pub setup: Setup,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How an operator is set up.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Setup {
    /// The number of replicas.
    pub replicas: u8,
    /// Whether there is an election; the buggy one has none.
    pub needs_election: bool,
    /// Whether there is an election, and the buggy one uses the gate of its first term in later terms.
    pub keeps_gate: bool,
    /// Whether a changed child reconciles its app: always, or only in the twin.
    pub bug_watches_children: bool,
    /// Whether a run waits until the caches show the writes of the last one.
    pub reads_own_writes: bool,
    /// Whether every app has to have a child with its value in the end.
    pub expects_child: bool,
    /// Whether a ready app always has to have a child.
    pub expects_child_always: bool,
}

impl Setup {
    /// One replica, children are watched.
    pub const PLAIN: Self = Self {
        replicas: 1,
        needs_election: false,
        keeps_gate: false,
        bug_watches_children: true,
        reads_own_writes: true,
        expects_child: false,
        expects_child_always: false,
    };
}

/// Everything that a reconcile function uses.
#[derive(Clone, Debug)]
pub struct Kit {
    /// The client.
    pub rest: RestClient,
    /// The name of the process.
    pub identity: String,
    /// The apps in the cache.
    pub apps: Lister<App>,
    /// The config maps in the cache.
    pub maps: Lister<ConfigMap>,
    /// The memory of the process.
    memory: Arc<Mutex<BTreeMap<String, String>>>,
    /// Whether to have the bug.
    pub bug: bool,
}

impl Kit {
    /// The app in the cache, unless it is being deleted.
    pub fn app(&self, key: &ObjectKey) -> Option<Arc<App>> {
        self.apps.get(key).ok().filter(|app| !app.is_being_deleted())
    }

    /// The config map with this name, in the cache.
    pub fn cached(&self, name: &str) -> Option<Arc<ConfigMap>> {
        self.maps.get(&ObjectKey::new("default", name)).ok()
    }

    /// The cached children of an app.
    pub fn children(&self, app: &str) -> Vec<Arc<ConfigMap>> {
        let maps = self.maps.list(&Selector::everything());
        maps.into_iter()
            .filter(|map| map.metadata.labels.get(LABEL).is_some_and(|name| name == app))
            .collect()
    }

    /// The children of an app on the server.
    pub async fn live_children(&self, app: &str) -> Result<Vec<ConfigMap>, Error> {
        let maps = self.maps_api().list().await?.items;
        let is_child = |map: &ConfigMap| map.metadata.labels.get(LABEL).is_some_and(|name| name == app);
        Ok(maps.into_iter().filter(is_child).collect())
    }

    /// The handle of config maps.
    pub fn maps_api(&self) -> Api<ConfigMap> {
        Api::namespaced(&self.rest, "default")
    }

    /// The handle of apps.
    pub fn apps_api(&self) -> Api<App> {
        Api::namespaced(&self.rest, "default")
    }

    /// The memory of the process.
    pub fn memory(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a child with the value of its app, which owns it.
    pub fn child(app: &App, name: &str) -> Result<ConfigMap, ReconcileError> {
        let mut map = Self::stray(app, name);
        map.metadata.owner_references = [controller_reference(app)?].into_iter().collect();
        Ok(map)
    }

    /// Makes a child that nobody owns.
    pub fn stray(app: &App, name: &str) -> ConfigMap {
        let mut map =
            ConfigMap { metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }, ..ConfigMap::EMPTY };
        map.metadata.namespace = "default".into();
        map.metadata.labels.insert(LABEL, app.name().into());
        map.data.insert("value", app.spec.value.as_str().into());
        map
    }

    /// Creates a child, or changes its value.
    pub async fn ensure(&self, wanted: ConfigMap) -> Result<(), Error> {
        match self.cached(&wanted.metadata.name) {
            None => self.maps_api().create(wanted).await.map(drop),
            Some(map) if map.data == wanted.data => Ok(()),
            Some(map) => {
                let next = ConfigMap { data: wanted.data, ..ConfigMap::clone(&map) };
                self.maps_api().update(next).await.map(drop)
            }
        }
    }

    /// Creates a child that nobody owns, or changes its value. The garbage collector does not remove such a child, so an app in an old
    /// cache is not enough: the server has to know it, too.
    pub async fn ensure_stray(&self, app: &App, name: &str) -> Result<(), Error> {
        if self.cached(name).is_none() && !self.is_live(app).await? {
            return Ok(());
        }
        self.ensure(Self::stray(app, name)).await
    }

    /// Whether the server has this app, and nobody has deleted it.
    pub async fn is_live(&self, app: &App) -> Result<bool, Error> {
        match self.apps_api().get(app.name()).await {
            Ok(live) => Ok(live.metadata.uid == app.metadata.uid && !live.is_being_deleted()),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Deletes a config map: the one in the cache, if there is one. One that does not exist is no error.
    pub async fn remove(&self, name: &str) -> Result<(), Error> {
        let mut deletion = self.maps_api().delete(name);
        if let Some(child) = self.cached(name) {
            deletion = deletion.if_uid(child.metadata.uid.clone());
        }
        match deletion.await {
            Err(error) if !error.is_not_found() => Err(error),
            _ => Ok(()),
        }
    }

    /// Writes the status if it changes.
    pub async fn report(&self, app: &App, phase: &str) -> Result<(), Error> {
        let status = AppStatus {
            observed_generation: app.metadata.generation,
            value: app.spec.value.clone(),
            phase: phase.to_owned(),
        };
        if app.status.as_ref() == Some(&status) {
            return Ok(());
        }
        self.apps_api().update_status(App { status: Some(status), ..app.clone() }).await.map(drop)
    }

    /// Adds or removes the finalizer.
    pub async fn guard(&self, app: &App, guarded: bool) -> Result<(), Error> {
        let mut next = app.clone();
        let others = app.metadata.finalizers.iter().filter(|name| **name != FINALIZER).cloned();
        next.metadata.finalizers = others.chain(guarded.then(|| FINALIZER.into())).collect();
        self.apps_api().update(next).await.map(drop)
    }

    /// Whether the app has the finalizer.
    pub fn is_guarded(app: &App) -> bool {
        app.metadata.finalizers.iter().any(|name| *name == FINALIZER)
    }
}

fn app(name: &str, value: &str, target: &str) -> App {
    App::new(name, AppSpec { value: value.to_owned(), target: target.to_owned() })
}

/// Returns the simulation of a case.
pub fn simulation(case: &Case, bug: bool) -> Simulation {
    let Case { reconcile, setup, .. } = *case;
    let mut simulation =
        Simulation::new(move |replica| async move { build(&replica, reconcile, setup, bug) })
            .install([App::crd()])
            .replicas(setup.replicas)
            .workload([app("a", "1", "x"), app("a", "2", "y"), app("b", "1", "z")]);
    if setup.expects_child {
        simulation = simulation.eventually("every app has a child with its value", children_are_right);
    }
    if setup.expects_child_always {
        // Nobody else deletes children: no operator could prevent that.
        let wait = Step::Wait(Duration::from_secs(3));
        let steps = [Step::Put(0, 0), Step::Put(1, 0), wait, Step::Put(0, 1), wait, Step::Put(0, 0), wait];
        simulation = simulation.steps(steps).always("a ready app has a child", ready_apps_have_children);
    }
    simulation
}

fn children_are_right(objects: &Objects) -> Result<(), String> {
    let maps = objects.of::<ConfigMap>();
    for app in objects.of::<App>() {
        let right = maps.iter().any(|map| {
            map.metadata.labels.get(LABEL).is_some_and(|name| name == app.name())
                && map.data.get("value").is_some_and(|value| *value == app.spec.value)
        });
        if !right {
            return Err(format!("no child of {} has the value {}", app.name(), app.spec.value));
        }
    }
    Ok(())
}

fn ready_apps_have_children(objects: &Objects) -> Result<(), String> {
    let maps = objects.of::<ConfigMap>();
    for app in objects.of::<App>().iter().filter(|app| !app.is_being_deleted()) {
        let ready = app.status.as_ref().is_some_and(|status| status.phase == "Ready");
        if ready
            && !maps.iter().any(|map| map.metadata.labels.get(LABEL).is_some_and(|name| name == app.name()))
        {
            return Err(format!("{} is ready, and has no child", app.name()));
        }
    }
    Ok(())
}

fn build(replica: &Replica, reconcile: Reconcile, setup: Setup, bug: bool) -> Result<Manager, String> {
    let factory = SharedInformerFactory::new(replica.client.clone());
    let (apps, maps) = (factory.of::<App>(), factory.of::<ConfigMap>());
    let elector = if setup.keeps_gate || (setup.needs_election && !bug) {
        let lock = LeaseLockOptions::new(("default", "operator"), replica.identity.clone());
        let lock = LeaseLock::new(&replica.client, lock);
        Some(LeaderElector::new(lock).map_err(|error| error.to_string())?)
    } else {
        None
    };
    let kept = elector.as_ref().filter(|_| setup.keeps_gate && bug);
    let kit = Kit {
        rest: kept.map_or_else(|| replica.client.clone(), |elector| elector.gated(&replica.client)),
        identity: replica.identity.clone(),
        apps: apps.lister(),
        maps: maps.lister(),
        memory: Arc::default(),
        bug,
    };
    let options = ControllerOptions::default().with_read_own_writes(setup.reads_own_writes);
    let mut controller = Controller::with_options("apps", apps.informer(), options);
    if setup.bug_watches_children || !bug {
        controller = controller.watches(&maps.informer(), |map| {
            let app = map.metadata.labels.get(LABEL).cloned();
            app.map(|app| ObjectKey::new("default", app))
        });
    } else {
        // Its cache is used all the same.
        controller = controller.reads(&maps.informer());
    }
    let keeps_gate = kept.is_some();
    let controller = controller.reconcile(move |key: ObjectKey, context: Context| {
        let mut kit = kit.clone();
        if !keeps_gate {
            kit.rest = context.gated(&kit.rest);
        }
        reconcile(kit, key)
    });
    let options = ManagerOptions::default().with_lost_leadership(LostLeadership::CampaignAgain);
    let manager = Manager::with_options(&factory, options);
    Ok(match elector {
        Some(elector) => manager.controller(controller).election(elector),
        None => manager.controller(controller),
    })
}
