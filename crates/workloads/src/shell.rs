//! The part that all controllers share: it reads the object of a key, asks a [`Core`] for a plan, and follows it.
//!
//! Cores see their objects with types; the shell and its informers do not, so that there is one copy of them in the program
//! and not one per kind.

use std::sync::Arc;

use client_rs_api::core::v1::{Node, Pod};
use client_rs_cache::{Lister, Notification, SharedInformer};
use client_rs_client::{DynamicApi, DynamicClient, Error};
use client_rs_controller::{
    Action, Context, Controller, ControllerOptions, Reconciler, Result, RunnableController,
};
use client_rs_events::EventRecorder;
use client_rs_informers::{DynamicSharedInformerFactory, SharedInformerFactory};
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::labels::{self, Selector};
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::Message;
use client_rs_machinery::{Object, ObjectKey, Time, Unstructured};

use crate::clock::Clock;
use crate::kind::Kind;
use crate::plan::{Note, Plan, Step};

/// A decision, from what the caches have.
pub(crate) trait Core: Send + Sync + 'static {
    /// Plans the next steps for the object of a key; `None` is an object that is gone. It must not block.
    fn plan(&self, key: &ObjectKey, object: Option<&Unstructured>, now: Time) -> Result<Plan>;

    /// Plans the steps that follow from a failed step. After them the key is retried.
    fn failed(&self, _: &Unstructured, _: &Failure, _: Time) -> Result<Plan> {
        Ok(Plan::default())
    }
}

/// A step that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The kind of the object that could not be written.
    pub(crate) of: &'static Kind,
    /// The name of an object that could not be created; empty for other steps.
    pub(crate) create: String,
    /// Whether an object of this name exists.
    pub(crate) exists: bool,
    /// Whether the write is a deletion.
    pub(crate) delete: bool,
    pub(crate) message: String,
}

/// The informers and clients of all controllers.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    pub(crate) factory: SharedInformerFactory,
    pub(crate) dynamic: DynamicSharedInformerFactory,
    pub(crate) client: DynamicClient,
    pub(crate) clock: Clock,
}

impl Cluster {
    pub(crate) fn pods(&self) -> Lister<Pod> {
        self.factory.core().v1().pods().lister()
    }

    pub(crate) fn nodes(&self) -> Lister<Node> {
        self.factory.core().v1().nodes().lister()
    }

    pub(crate) fn informer(&self, of: &Kind) -> SharedInformer<Unstructured> {
        self.dynamic.for_resource(of.resource()).informer()
    }

    pub(crate) fn lister(&self, of: &Kind) -> Lister<Unstructured> {
        self.dynamic.for_resource(of.resource()).lister()
    }
}

/// A function from a changed object to keys, boxed so that there is one copy of its user.
type Map<K> = Box<dyn Fn(&Arc<K>) -> Vec<ObjectKey> + Send + Sync>;

/// A controller that is being built.
pub(crate) struct Building {
    cluster: Cluster,
    kind: &'static Kind,
    controller: Controller<Unstructured>,
    primary: Lister<Unstructured>,
}

impl Building {
    /// A controller of a namespaced kind.
    pub(crate) fn new(
        cluster: &Cluster,
        name: &'static str,
        kind: &'static Kind,
        options: ControllerOptions,
    ) -> Self {
        let primary = cluster.lister(kind);
        let controller = Controller::with_options(name, cluster.informer(kind), options);
        Self { cluster: cluster.clone(), kind, controller, primary }
    }

    /// Also runs for the owner of a changed pod.
    pub(crate) fn owns_pods(mut self) -> Self {
        let pods = self.cluster.factory.core().v1().pods().informer();
        let all = |_: &Notification<Pod>| true;
        self.controller = self.controller.owns_as(self.kind.group_kind(), true, &pods, all);
        self
    }

    /// Also runs for the owner of a changed object of another kind.
    pub(crate) fn owns(mut self, of: &Kind) -> Self {
        let informer = self.cluster.informer(of);
        let all = |_: &Notification<Unstructured>| true;
        self.controller = self.controller.owns_as(self.kind.group_kind(), true, &informer, all);
        self
    }

    /// Names a cache that is read and leads to no runs.
    pub(crate) fn reads(mut self, of: &Kind) -> Self {
        self.controller = self.controller.reads(&self.cluster.informer(of));
        self
    }

    /// Names the cache of pods, which is read and leads to no runs.
    pub(crate) fn reads_pods(mut self) -> Self {
        self.controller = self.controller.reads(&self.cluster.factory.core().v1().pods().informer());
        self
    }

    /// Also runs for the keys that `map` returns for a changed pod.
    pub(crate) fn watches_pods(
        mut self,
        map: impl Fn(&Arc<Pod>) -> Vec<ObjectKey> + Send + Sync + 'static,
    ) -> Self {
        let map: Map<Pod> = Box::new(map);
        let pods = self.cluster.factory.core().v1().pods().informer();
        self.controller = self.controller.watches(&pods, map);
        self
    }

    /// Also runs for every object when a node changes in a way that `matters`.
    pub(crate) fn watches_nodes(mut self, matters: fn(&Node, &Node) -> bool) -> Self {
        let (nodes, primary) = (self.cluster.factory.core().v1().nodes().informer(), self.primary.clone());
        let matters = move |notification: &Notification<Node>| match notification {
            Notification::Updated { old, new } => matters(old, new),
            _ => true,
        };
        self.controller = self.controller.watches_when(&nodes, matters, move |_: &Arc<Node>| {
            primary.list(&Selector::everything()).iter().map(|object| object.key()).collect::<Vec<_>>()
        });
        self
    }

    /// Also runs for the keys that `map` returns for a changed object of another kind.
    pub(crate) fn watches(
        mut self,
        of: &Kind,
        map: impl Fn(&Arc<Unstructured>) -> Vec<ObjectKey> + Send + Sync + 'static,
    ) -> Self {
        let map: Map<Unstructured> = Box::new(map);
        self.controller = self.controller.watches(&self.cluster.informer(of), map);
        self
    }

    /// Also runs for the objects whose selector a pod without a controller matches: they may adopt it.
    pub(crate) fn adopts_pods(self, selector: fn(&Unstructured) -> Option<Selector>) -> Self {
        let primary = self.primary.clone();
        self.watches_pods(move |pod| {
            if pod.controller().is_some() { Vec::new() } else { selecting(&primary, &**pod, selector) }
        })
    }

    /// Also runs for the objects whose selector an object without a controller matches: they may adopt it.
    pub(crate) fn adopts(self, of: &Kind, selector: fn(&Unstructured) -> Option<Selector>) -> Self {
        let primary = self.primary.clone();
        self.watches(of, move |object| {
            if object.controller().is_some() { Vec::new() } else { selecting(&primary, &**object, selector) }
        })
    }

    pub(crate) fn core(self, core: impl Core, recorder: EventRecorder) -> RunnableController {
        self.controller.reconcile(Shell {
            kind: self.kind,
            primary: self.primary,
            client: self.cluster.client,
            clock: self.cluster.clock,
            recorder,
            core: Box::new(core),
        })
    }
}

/// The keys of the objects in the namespace of `object` whose selector matches its labels.
pub(crate) fn selecting(
    primary: &Lister<Unstructured>,
    object: &dyn Object,
    selector: fn(&Unstructured) -> Option<Selector>,
) -> Vec<ObjectKey> {
    let all = primary.namespace(object.namespace()).list(&Selector::everything()).unwrap_or_default();
    let labels = labels::from_fn(|key| object.label(key));
    let selects = |one: &&Arc<Unstructured>| selector(one).is_some_and(|selector| selector.matches(&labels));
    all.iter().filter(selects).map(|one| one.key()).collect()
}

/// The `LabelSelector` at `spec.selector`; `None` if it is absent or malformed.
pub(crate) fn spec_selector(object: &Unstructured) -> Option<Selector> {
    let text = object.nested(&["spec", "selector"]).ok()??.to_string();
    Selector::try_from(&LabelSelector::from_json(text.as_bytes()).ok()?).ok()
}

/// A step that failed.
type Failed = Box<(Error, Failure)>;

/// The one reconciler.
struct Shell {
    kind: &'static Kind,
    primary: Lister<Unstructured>,
    client: DynamicClient,
    clock: Clock,
    recorder: EventRecorder,
    core: Box<dyn Core>,
}

impl Reconciler for Shell {
    async fn reconcile(&self, key: ObjectKey, _: Context) -> Result {
        let object = match self.primary.get(&key) {
            Ok(object) => Some(object),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(error.into()),
        };
        let object = object.as_deref();
        let plan = self.core.plan(&key, object, self.clock.now())?;
        let adopts = plan.steps.iter().any(|step| matches!(step, Step::Adopt { .. }));
        if let (true, Some(object)) = (adopts, object)
            && !self.stays(object).await?
        {
            return Ok(Action::done());
        }
        for step in plan.steps {
            let Err(failed) = self.take(object, step).await else { continue };
            let (error, failure) = *failed;
            // A version that is no longer the newest is no fault: the next run sees the new one.
            if let (Some(object), false) = (object, error.is_conflict()) {
                for step in self.core.failed(object, &failure, self.clock.now())?.steps {
                    self.take(Some(object), step).await.map_err(|failed| failed.0)?;
                }
            }
            return Err(error.into());
        }
        Ok(plan.again.map_or_else(Action::done, Action::requeue_after))
    }
}

impl Shell {
    fn place(&self, of: &Kind, namespace: &str) -> DynamicApi {
        let api = self.client.resource(of.resource());
        if namespace.is_empty() { api } else { api.namespace(namespace) }
    }

    /// Asks the server whether an object is there and not being deleted. The cache may not know it yet.
    async fn stays(&self, object: &Unstructured) -> std::result::Result<bool, Error> {
        match self.place(self.kind, object.namespace()).get(object.name()).await {
            Ok(found) => Ok(found.uid() == object.uid() && !found.is_being_deleted()),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn take(&self, primary: Option<&Unstructured>, step: Step) -> std::result::Result<(), Failed> {
        let place = |of: &Kind, namespace: &str| self.place(of, namespace);
        match step {
            Step::Create { of, object, note } => {
                let name = if object.name().is_empty() { object.generate_name() } else { object.name() };
                let name = name.to_owned();
                match place(of, object.namespace()).create(object).await {
                    Ok(made) => self.tell(primary, note.as_ref(), made.name()),
                    Err(error) => {
                        let message = error.to_string();
                        // Nothing can be created in a namespace that ends, and its owner ends too.
                        let ends = message.contains("because it is being terminated");
                        if note.is_some() && !ends && !error.is_already_exists() {
                            let note = Note::warning("FailedCreate", format!("Error creating: {message}"));
                            self.tell(primary, Some(&note), "");
                        }
                        let exists = error.is_already_exists();
                        return Err(Box::new((
                            error,
                            Failure { of, create: name, exists, delete: false, message },
                        )));
                    }
                }
            }
            Step::Update { of, object, status: true } => {
                written(of, place(of, object.namespace()).update_status(object).await)?;
            }
            Step::Update { of, object, status: false } | Step::Adopt { of, object } => {
                written(of, place(of, object.namespace()).update(object).await)?;
            }
            Step::Delete { of, key, uid, dependents, note } => {
                let api = place(of, &key.namespace);
                match api.delete(&key.name).if_uid(uid).propagation(dependents).await {
                    Ok(_) => self.tell(primary, note.as_ref(), &key.name),
                    // It is gone, or another object has its name.
                    Err(error) if error.is_not_found() || error.is_conflict() => {}
                    Err(error) => {
                        if note.is_some() {
                            let note = Note::warning("FailedDelete", format!("Error deleting: {error}"));
                            self.tell(primary, Some(&note), "");
                        }
                        return Err(failure(of, error, true));
                    }
                }
            }
            Step::Tell(note) => self.tell(primary, Some(&note), ""),
        }
        Ok(())
    }

    fn tell(&self, primary: Option<&Unstructured>, note: Option<&Note>, name: &str) {
        let (Some(primary), Some(note)) = (primary, note) else { return };
        self.recorder.event(primary, note.event_type, note.reason, note.message.replace("{name}", name));
    }
}

/// The result of an update. An object that is gone needs none.
fn written(
    of: &'static Kind,
    result: std::result::Result<Unstructured, Error>,
) -> std::result::Result<(), Failed> {
    match result {
        Err(error) if !error.is_not_found() => Err(failure(of, error, false)),
        _ => Ok(()),
    }
}

fn failure(of: &'static Kind, error: Error, delete: bool) -> Failed {
    let message = error.to_string();
    Box::new((error, Failure { of, create: String::new(), exists: false, delete, message }))
}
