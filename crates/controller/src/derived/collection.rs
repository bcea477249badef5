//! [`CollectionController`]: a controller over a derived collection.

use std::fmt;
use std::sync::{Arc, OnceLock};

use client_rs_cache::SharedInformer;
use client_rs_collections::{Graph, LiveHandler, LiveSet};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Object, ObjectKey};
use client_rs_workqueue::WorkQueue;

use crate::controller::Parts;
use crate::enqueue::Keys;
use crate::{ControllerOptions, Notification, Reconciler, RunnableController};

/// The builder of a controller over a derived collection: each change of an entry leads to a run of its key.
///
/// Use it if the things to do are derived from several objects. A [`Controller`](crate::Controller) maps events of every object to
/// keys; here the graph knows which entries a change concerns, and status changes that the collection does not show lead to no run.
/// To write objects or status, an [`ApplySink`](crate::ApplySink) or a [`StatusSink`](crate::StatusSink) needs no reconcile function.
///
/// - **Reads**: the reconcile function reads the graph ([`Graph::get`], [`Graph::snapshot`]), which is never older than the change
///   that led to the run.
/// - **Start**: it works when every input of the graph has its first content. The graph must run
///   ([`Manager::graph`](crate::Manager::graph), or [`Graph::spawn`]).
/// - **Own writes**: a run waits for the caches that are named by [`watches`](Self::watches) and [`reads`](Self::reads), as in any
///   controller; the graph follows its informers within one more epoch, which is not waited for.
/// - **Recordings** have the state of the graph at the beginning of a run: read it before the first await.
/// - Everything else is as in [`Controller`](crate::Controller): one run per key at a time, retries with backoff, metrics, state.
///
/// ```
/// use client_rs_collections::Graph;
/// use client_rs_controller::{Action, CancellationToken, CollectionController, Context};
/// use client_rs_machinery::ObjectKey;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let graph = Graph::new();
/// let services = graph.input::<ObjectKey, u16>("services");
/// let routes = graph.map("routes", &services, |_, port, _| format!("10.0.0.1:{port}"));
/// graph.update(|batch| batch.insert(&services, ObjectKey::new("shop", "web"), 80));
///
/// let stop = CancellationToken::new();
/// let (stopping, read) = (stop.clone(), (graph.clone(), routes.clone()));
/// let controller = CollectionController::new("routes", &graph, &routes).reconcile(move |key: ObjectKey, _: Context| {
///     let route = read.0.get(&read.1, &key);
///     assert_eq!(route.as_deref().map(String::as_str), Some("10.0.0.1:80"));
///     stopping.cancel();
///     async { Ok(Action::done()) }
/// });
/// controller.run(stop).await?;
/// assert_eq!(controller.state().counts.success, 1);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is reconciled without `reconcile`"]
pub struct CollectionController<V> {
    parts: Parts,
    graph: Graph,
    set: LiveSet<ObjectKey, V>,
}

impl<V: Send + Sync + 'static> CollectionController<V> {
    /// A controller of the entries of a collection. The name appears in logs, metrics and states; choose a unique one.
    pub fn new(name: impl Into<Arc<str>>, graph: &Graph, set: &LiveSet<ObjectKey, V>) -> Self {
        Self::with_options(name, graph, set, ControllerOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(
        name: impl Into<Arc<str>>,
        graph: &Graph,
        set: &LiveSet<ObjectKey, V>,
        options: ControllerOptions,
    ) -> Self {
        let (graph, set) = (graph.clone(), set.clone());
        let (keys_of, entries) = (graph.clone(), set.clone());
        let keys = move || keys_of.snapshot().iter(&entries).map(|(key, _)| key.clone()).collect();
        Self { parts: Parts::new(name.into(), options, Arc::new(keys)), graph, set }
    }

    /// Also watches objects. A change of one enqueues the keys that `map` returns for its old and for its new state; see
    /// [`Controller::watches`](crate::Controller::watches).
    pub fn watches<W, F, I>(self, informer: &SharedInformer<W>, map: F) -> Self
    where
        W: Object + Payload,
        F: Fn(&Arc<W>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = ObjectKey>,
    {
        let always = Box::new(|_: &Notification<W>| true);
        Self { parts: self.parts.listen(informer, always, Keys::mapped(map)), ..self }
    }

    /// Names a cache that the reconcile function reads; see [`Controller::reads`](crate::Controller::reads).
    pub fn reads<W: Object>(self, informer: &SharedInformer<W>) -> Self {
        let never = Box::new(|_: &Notification<W>| false);
        Self { parts: self.parts.listen(informer, never, Keys::None), ..self }
    }

    /// The controller's queue, as [`Controller::queue`](crate::Controller::queue).
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.parts.queue
    }

    /// Sets the function that does the work, and returns the finished controller. See [`Reconciler`] for its contract.
    pub fn reconcile(mut self, reconciler: impl Reconciler) -> RunnableController {
        let (graph, set, queue) = (self.graph.clone(), self.set, self.parts.queue.clone());
        let handler = OnceLock::<LiveHandler>::new();
        let sources = &mut self.parts.sources;
        // The task that follows the collection needs the runtime of the controller.
        sources.start.push(Box::new(move || {
            handler.get_or_init(|| graph.enqueue(&set, &queue, |change| [change.key.clone()]));
        }));
        #[cfg(feature = "recording")]
        {
            self.parts.derived.graph = Some(self.graph.clone());
            if crate::recording::is_connected() {
                // Before its informers bring something: afterwards nobody knows what the graph has of them.
                self.graph.expect_notes();
            }
        }
        let (sources, graph) = (&mut self.parts.sources, self.graph.clone());
        sources.causes.push(Box::new(move || {
            let late = !graph.has_synced();
            late.then(|| "inputs of its graph have no content; check that the graph is running".to_owned())
        }));
        sources.waits_for.push(Box::new(self.graph));
        self.parts.reconcile(reconciler)
    }
}

impl<V> fmt::Debug for CollectionController<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollectionController").field("name", &self.parts.name).finish_non_exhaustive()
    }
}
