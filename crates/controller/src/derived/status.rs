//! [`StatusSink`]: the entries of a collection as the status of objects.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use client_rs_cache::{Indexer, SharedInformer};
use client_rs_client::api::{AllNamespaces, Api, HasNamespaces};
use client_rs_collections::{Graph, LiveSet};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Json, Namespaced, ObjectKey, Resource, Str, json, verbs};

use super::{CollectionController, at_once};
use crate::options::WRITE_TIMEOUT;
use crate::owned::{fingerprint, status_at, written_status};
use crate::{Action, Context, ControllerOptions, Reconciler, Result, RunnableController};

/// Keeps the status of objects as a collection has it, with server-side apply of the status subresource.
///
/// The key of an entry is the key of the object, the value the content of its `status`: the fields that this sink owns. Fields of
/// others stay, except in a map or list that has one owner as a whole (`x-kubernetes-map-type` or `-list-type` is `atomic`). A field that an
/// entry no longer has is removed.
///
/// - No request is sent if this process has applied the same entry to the object, and the cache still shows the values that the
///   server returned. After a restart one request per object is sent.
/// - An object that does not exist is not an error: its status is written when it appears. A status whose entry is gone stays
///   as it is; nothing is pruned.
/// - Errors are retried through the queue, with the backoff and rate limit of [`ControllerOptions::queue`].
/// - The name of the sink is its field manager.
///
/// Memory: two fingerprints for each written object.
///
/// ```
/// # use client_rs_client::RestClient;
/// # use client_rs_informers::SharedInformerFactory;
/// use client_rs_api::core::v1::Service;
/// use client_rs_client::Api;
/// use client_rs_collections::Graph;
/// use client_rs_controller::{RunnableController, StatusSink};
/// use client_rs_machinery::json;
///
/// # fn sink(rest: &RestClient, factory: &SharedInformerFactory) -> Result<RunnableController, Box<dyn std::error::Error>> {
/// let graph = Graph::new();
/// let services = graph.informer("services", &factory.informer_for::<Service>())?;
/// let status = graph.map("status", &services, |_, service, _| {
///     json!({"loadBalancer": {"ingress": [{"hostname": format!("{}.example.com", service.metadata.name)}]}})
/// });
/// let api = Api::<Service, _>::all(rest);
/// Ok(StatusSink::new("addresses", &graph, &status, api, factory.informer_for()).build())
/// # }
/// ```
#[must_use = "nothing is written until it is built and runs"]
pub struct StatusSink<K: Resource> {
    name: Arc<str>,
    graph: Graph,
    set: LiveSet<ObjectKey, Json>,
    api: Api<K, AllNamespaces>,
    informer: SharedInformer<K>,
    options: ControllerOptions,
}

impl<K> StatusSink<K>
where
    K: Resource + Payload + verbs::Status,
    K::Scope: HasNamespaces,
{
    /// A sink that writes the entries of a collection through `api`, and compares them with the cache of `informer`.
    pub fn new(
        name: impl Into<Arc<str>>,
        graph: &Graph,
        set: &LiveSet<ObjectKey, Json>,
        api: Api<K, AllNamespaces>,
        informer: SharedInformer<K>,
    ) -> Self {
        let (graph, set, options) = (graph.clone(), set.clone(), ControllerOptions::default());
        Self { name: name.into(), graph, set, api, informer, options }
    }

    /// The options of its controller. With [`settle_window`](ControllerOptions::settle_window), many changes lead to one write.
    pub fn options(mut self, options: ControllerOptions) -> Self {
        self.options = options;
        self
    }

    /// Returns the controller to run, alone or in a [`Manager`](crate::Manager).
    pub fn build(self) -> RunnableController {
        let controller =
            CollectionController::with_options(self.name.clone(), &self.graph, &self.set, self.options)
                .watches(&self.informer, |object| [object.key()]);
        controller.reconcile(Writing {
            name: self.name,
            graph: self.graph,
            set: self.set,
            cache: self.informer.indexer().clone(),
            api: self.api,
            written: Mutex::default(),
        })
    }
}

/// The reconcile function of a sink.
struct Writing<K: Resource> {
    name: Arc<str>,
    graph: Graph,
    set: LiveSet<ObjectKey, Json>,
    api: Api<K, AllNamespaces>,
    cache: Indexer<K>,
    written: Mutex<HashMap<ObjectKey, Written>>,
}

/// A status that was written.
struct Written {
    uid: Str,
    /// The fingerprint of the document.
    asked: u64,
    /// The fingerprint of the values in the server's response.
    values: u64,
}

impl<K> Reconciler for Writing<K>
where
    K: Resource + Payload + verbs::Status,
    K::Scope: HasNamespaces,
{
    async fn reconcile(&self, key: ObjectKey, context: Context) -> Result {
        let now = at_once(|| (self.graph.get(&self.set, &key), self.cache.get(&key))).await;
        let (Some(desired), Some(current)) = now else {
            self.written().remove(&key);
            return Ok(Action::done());
        };
        let document = json!({"metadata": {"name": key.name.as_str()}, "status": (*desired).clone()});
        let asked = fingerprint(&document);
        let is_same = |written: &Written| written.uid == current.uid() && written.asked == asked;
        let known = self.written().get(&key).filter(|written| is_same(written)).map(|written| written.values);
        if known.is_some_and(|values| values == status_at(&*current, &document)) {
            return Ok(Action::done());
        }
        let api: Api<K, Namespaced> = Api::namespaced(&context.gated(self.api.rest()), key.namespace.clone());
        match api.apply_status(document.clone(), &*self.name).force().timeout(WRITE_TIMEOUT).await {
            Ok(written) => {
                let values = written_status(&written, &document, &self.name);
                self.written().insert(key, Written { uid: written.uid().into(), asked, values });
            }
            // Its deletion is on its way.
            Err(error) if error.is_not_found() => return Ok(Action::done()),
            Err(error) => return Err(error.into()),
        }
        Ok(Action::done())
    }
}

impl<K: Resource> Writing<K> {
    fn written(&self) -> std::sync::MutexGuard<'_, HashMap<ObjectKey, Written>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Resource> fmt::Debug for StatusSink<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusSink").field("name", &self.name).finish_non_exhaustive()
    }
}
