//! [`ApplySink`]: the entries of a collection as objects on the server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::ObjectReference;
use client_rs_cache::{Indexer, SharedInformer};
use client_rs_client::api::{AllNamespaces, Api, HasNamespaces, Propagation};
use client_rs_collections::{Graph, LiveSet};
use client_rs_events::{EventRecorder, EventType};
use client_rs_machinery::meta::v1::OwnerReference;
use client_rs_machinery::references::{ReferenceError, controller_reference};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{ApiError, Json, Namespaced, Object, ObjectKey, Resource, Str, verbs};

use super::decide::{DERIVED_BY, Pruning, Step, decide, mark, may_concern, may_prune};
use super::{CollectionController, at_once};
use crate::options::WRITE_TIMEOUT;
use crate::owned::{Deletion, OwnedWriter};
use crate::{
    Action, Applied, Context, ControllerOptions, OwnError, ReconcileError, Reconciler, Result,
    RunnableController,
};

/// How long a sink waits before it looks again whether the graph is complete.
const AGAIN: Duration = Duration::from_secs(5);

/// A derived object: the fields to apply, and the object that owns it.
///
/// ```
/// use client_rs_controller::DerivedObject;
/// use client_rs_machinery::{Unstructured, json};
///
/// let mut service = Unstructured::new("v1", "Service", "web");
/// service.set_namespace("shop");
/// service.set_uid("3f1c");
/// let config = DerivedObject::new(&service, json!({"data": {"port": "80"}}))?;
/// assert_eq!(config.document()["data"]["port"].as_str(), Some("80"));
/// # Ok::<(), client_rs_machinery::references::ReferenceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DerivedObject {
    owner: OwnerReference,
    owner_namespace: Str,
    /// Whether the owner is being deleted, and how.
    deletion: Deletion,
    document: Json,
}

impl DerivedObject {
    /// An object that `owner` owns, so that the garbage collector deletes it with the owner. The owner must be in the same namespace,
    /// or cluster-scoped. The name and the namespace of the document are those of the entry's key, and may be left out.
    ///
    /// # Errors
    ///
    /// [`ReferenceError`] if the owner has no UID or kind: it was not read from a server.
    pub fn new(owner: &dyn Object, document: Json) -> std::result::Result<Self, ReferenceError> {
        let owner_namespace = owner.namespace().into();
        let deletion = Deletion::of(owner);
        Ok(Self { owner: controller_reference(owner)?, owner_namespace, deletion, document })
    }

    /// The fields to apply.
    pub fn document(&self) -> &Json {
        &self.document
    }

    pub(super) fn owner_uid(&self) -> &Str {
        &self.owner.uid
    }

    pub(super) fn deletion(&self) -> Deletion {
        self.deletion
    }

    pub(super) fn owner_namespace(&self) -> &Str {
        &self.owner_namespace
    }

    fn owner(&self) -> ObjectReference {
        of_owner(&self.owner, self.owner_namespace.clone())
    }
}

fn of_owner(owner: &OwnerReference, namespace: Str) -> ObjectReference {
    ObjectReference {
        api_version: owner.api_version.clone(),
        kind: owner.kind.clone(),
        name: owner.name.clone(),
        uid: owner.uid.clone(),
        namespace,
        ..ObjectReference::EMPTY
    }
}

/// Keeps objects on the server as a collection has them: a controller without a reconcile function.
///
/// The key of an entry is the key of its object, the value a [`DerivedObject`]. The sink
///
/// - **applies** each entry with server-side apply, as [`Owned`](crate::Owned) does: no request is sent if the object in the cache already
///   has the values, changes that others make in these fields are reverted, and fields that others add stay;
/// - **prunes** objects that it has written and that are no longer derived. It deletes only what carries its own annotation
///   (`client-rs.io/derived-by`, with the name of the sink and the key of the object) and only if [`Graph::complete`] returns a
///   snapshot without the entry: never before every input has its first content, never while an object of an input can't be decoded, and never
///   while a function has panicked. Until then it looks again every five seconds;
/// - **leaves** objects to the garbage collector while their owner is being deleted, as [`Owned::apply`](crate::Owned::apply) does, and keeps
///   those that were orphaned with it;
/// - **does not touch** an object that another object controls and that this sink has not written. That is an error that is not
///   retried; a change of the object or of the entry brings the key again;
/// - **retries** other errors through its queue, with the backoff and rate limit of [`ControllerOptions::queue`];
/// - **reports** in events of the owner, if it has a [recorder](Self::events): `Applied`, `Pruned`, `ApplyFailed`, `NotControlled`.
///
/// The name of the sink is its field manager, and part of the annotation. Another name is another sink: it does not prune the objects of the
/// old one.
///
/// Not promised: that an object is never deleted while its entry is on its way. If an input changes back in the moment of the
/// delete, the object is deleted and created again.
///
/// ```
/// # use client_rs_apiserver::{Server, ServerOptions};
/// use client_rs_api::core::v1::{ConfigMap, Service};
/// use client_rs_client::Api;
/// use client_rs_collections::Graph;
/// use client_rs_controller::{ApplySink, CancellationToken, DerivedObject, Manager};
/// use client_rs_informers::SharedInformerFactory;
/// use client_rs_machinery::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
/// # let rest = server.rest_client()?;
/// # let service = json!({"metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}});
/// # Api::<Service>::namespaced(&rest, "default").apply(service, "user").await?;
/// let factory = SharedInformerFactory::new(rest.clone());
/// let graph = Graph::new();
/// let services = graph.informer("services", &factory.informer_for::<Service>())?;
/// let configs = graph.filter_map("configs", &services, |_, service, _| {
///     let port = service.spec.ports.first()?.port;
///     DerivedObject::new(&**service, json!({"data": {"port": port.to_string()}})).ok()
/// });
/// let sink = ApplySink::new("configs", &graph, &configs, Api::<ConfigMap, _>::all(&rest), factory.informer_for());
///
/// let stop = CancellationToken::new();
/// let manager = Manager::new(&factory).graph("gateway", &graph).controller(sink.build());
/// # let (stopping, seen) = (stop.clone(), factory.of::<ConfigMap>().lister());
/// # let key = client_rs_machinery::ObjectKey::new("default", "web");
/// # let manager = manager.runnable("end", move |_| async move {
/// #     while seen.get(&key).is_err() {
/// #         tokio::task::yield_now().await;
/// #     }
/// #     stopping.cancel();
/// #     Ok::<(), std::convert::Infallible>(())
/// # });
/// manager.run(stop).await?;
/// let written = Api::<ConfigMap>::namespaced(&rest, "default").get("web").await?;
/// assert_eq!(written.data.get("port").map(|port| port.as_str()), Some("80"));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until it is built and runs"]
pub struct ApplySink<K: Resource> {
    name: Arc<str>,
    graph: Graph,
    set: LiveSet<ObjectKey, DerivedObject>,
    api: Api<K, AllNamespaces>,
    informer: SharedInformer<K>,
    options: ControllerOptions,
    events: Option<EventRecorder>,
    force: bool,
}

impl<K> ApplySink<K>
where
    K: Resource + Payload + verbs::Patch + verbs::Delete,
    K::Scope: HasNamespaces,
{
    /// A sink that writes the entries of a collection through `api`, and compares them with the cache of `informer`. The informer must cover
    /// the namespaces of the entries, and must not transform objects.
    pub fn new(
        name: impl Into<Arc<str>>,
        graph: &Graph,
        set: &LiveSet<ObjectKey, DerivedObject>,
        api: Api<K, AllNamespaces>,
        informer: SharedInformer<K>,
    ) -> Self {
        Self {
            name: name.into(),
            graph: graph.clone(),
            set: set.clone(),
            api,
            informer,
            options: ControllerOptions::default(),
            events: None,
            force: true,
        }
    }

    /// The options of its controller: workers, timeouts, the queue with its backoff and rate limit, metrics.
    pub fn options(mut self, options: ControllerOptions) -> Self {
        self.options = options;
        self
    }

    /// Records events of the owners. Their messages have no values of objects.
    pub fn events(mut self, recorder: EventRecorder) -> Self {
        self.events = Some(recorder);
        self
    }

    /// Leaves fields that other field managers own to them: an apply that would take one over is a conflict, which is reported and
    /// retried. By default the sink decides about the fields of its documents.
    pub fn without_force(mut self) -> Self {
        self.force = false;
        self
    }

    /// Returns the controller to run, alone or in a [`Manager`](crate::Manager).
    pub fn build(self) -> RunnableController {
        let sink = self.name.clone();
        let controller =
            CollectionController::with_options(self.name.clone(), &self.graph, &self.set, self.options)
                .watches(&self.informer, move |object| may_concern(&sink, &**object).then(|| object.key()));
        controller.reconcile(Applying {
            name: self.name,
            graph: self.graph,
            set: self.set,
            cache: self.informer.indexer().clone(),
            api: self.api,
            events: self.events,
            force: self.force,
        })
    }
}

/// The reconcile function of a sink.
struct Applying<K: Resource> {
    name: Arc<str>,
    graph: Graph,
    set: LiveSet<ObjectKey, DerivedObject>,
    api: Api<K, AllNamespaces>,
    cache: Indexer<K>,
    events: Option<EventRecorder>,
    force: bool,
}

impl<K> Reconciler for Applying<K>
where
    K: Resource + Payload + verbs::Patch + verbs::Delete,
    K::Scope: HasNamespaces,
{
    async fn reconcile(&self, key: ObjectKey, context: Context) -> Result {
        let (desired, current) = at_once(|| (self.graph.get(&self.set, &key), self.cache.get(&key))).await;
        match decide(&self.name, &key, desired.as_deref(), current.as_deref()) {
            Step::Nothing => Ok(Action::done()),
            Step::Apply => match desired {
                Some(desired) => self.apply(&key, &context, &desired, current.as_deref()).await,
                None => Ok(Action::done()),
            },
            Step::Prune(uid) => match current {
                Some(current) => self.prune(&key, &context, &current, uid).await,
                None => Ok(Action::done()),
            },
            Step::Refuse(error) => {
                if let Some(desired) = desired {
                    self.event(desired.owner(), EventType::Warning, "NotControlled", &key, &error);
                }
                Err(ReconcileError::terminal(error))
            }
        }
    }
}

impl<K> Applying<K>
where
    K: Resource + Payload + verbs::Patch + verbs::Delete,
    K::Scope: HasNamespaces,
{
    async fn apply(
        &self,
        key: &ObjectKey,
        context: &Context,
        desired: &DerivedObject,
        current: Option<&K>,
    ) -> Result {
        let no_object = |_| ReconcileError::terminal(OwnError::NoObject);
        let mut document = desired.document.clone();
        let fields = [("name", &key.name), ("namespace", &key.namespace)];
        for (field, value) in fields {
            match document["metadata"][field].as_str().unwrap_or_default() {
                "" => drop(document.set(&["metadata", field], value.as_str()).map_err(no_object)?),
                given if given == value.as_str() => {}
                given => {
                    let error = OwnError::Key { field, document: given.into(), key: key.clone() };
                    self.event(desired.owner(), EventType::Warning, "ApplyFailed", key, &error);
                    return Err(ReconcileError::terminal(error));
                }
            }
        }
        document.set(&["metadata", "annotations", DERIVED_BY], mark(&self.name, key)).map_err(no_object)?;
        let writer = OwnedWriter {
            reference: Json::from_serde(&desired.owner).unwrap_or_default(),
            manager: (&*self.name).into(),
            timeout: WRITE_TIMEOUT,
            force: self.force,
        };
        match writer.apply(&self.namespace(key, context), document, current).await {
            Ok(Applied::Unchanged | Applied::OwnerDeleted) => Ok(Action::done()),
            Ok(Applied::Written(_)) => {
                self.event(desired.owner(), EventType::Normal, "Applied", key, &"it is as derived");
                Ok(Action::done())
            }
            Err(error) => {
                self.event(desired.owner(), EventType::Warning, "ApplyFailed", key, &reason(&error));
                Err(error.into())
            }
        }
    }

    async fn prune(&self, key: &ObjectKey, context: &Context, current: &K, uid: Str) -> Result {
        let absent = at_once(|| self.graph.complete().map(|now| now.get(&self.set, key).is_none())).await;
        match may_prune(absent) {
            Pruning::No => return Ok(Action::done()),
            Pruning::Wait(incomplete) => {
                tracing::warn!(
                    sink = &*self.name, %key, %incomplete,
                    "an object that is not derived is kept, because derived objects may be missing"
                );
                return Ok(Action::requeue_after(AGAIN));
            }
            Pruning::Now => {}
        }
        // At the version of the cache: if the mark was removed in the meantime, the object is no longer the sink's.
        let request = self.namespace(key, context).delete(&key.name).if_uid(uid);
        let request = request.if_resource_version(current.resource_version()).timeout(WRITE_TIMEOUT);
        match request.propagation(Propagation::Background).await {
            Ok(_) => {}
            Err(error) if error.is_not_found() => return Ok(Action::done()),
            // Another object with the same name, or a newer version, which may be one that can't be decoded: then there is no event.
            Err(error) if error.is_conflict() => return Ok(Action::requeue_after(AGAIN)),
            Err(error) => return Err(error.into()),
        }
        if let Some(owner) = current.controller() {
            let owner = OwnerReference {
                api_version: owner.api_version.into(),
                kind: owner.kind.into(),
                name: owner.name.into(),
                uid: owner.uid.into(),
                ..OwnerReference::EMPTY
            };
            let owner = of_owner(&owner, key.namespace.clone());
            self.event(owner, EventType::Normal, "Pruned", key, &"it is no longer derived");
        }
        Ok(Action::done())
    }

    /// The handle for the writes of a run, which are refused as soon as its term is over.
    fn namespace(&self, key: &ObjectKey, context: &Context) -> Api<K, Namespaced> {
        Api::namespaced(&context.gated(self.api.rest()), key.namespace.clone())
    }

    fn event(
        &self,
        owner: ObjectReference,
        event_type: EventType,
        reason: &str,
        key: &ObjectKey,
        message: &dyn fmt::Display,
    ) {
        if let Some(events) = &self.events {
            let kind = K::INFO.kind;
            events.event(owner, event_type, reason, format_args!("{kind} {key}: {message}"));
        }
    }
}

/// The kind of an error, without the server's message: it may quote the object.
fn reason(error: &OwnError) -> String {
    match ApiError::find(error) {
        Some(refused) => format!("the server has refused it: {}", refused.reason()),
        None => "the server could not be reached".to_owned(),
    }
}

impl<K: Resource> fmt::Debug for ApplySink<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApplySink").field("name", &self.name).finish_non_exhaustive()
    }
}
