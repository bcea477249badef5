//! [`ClusterClient`]: the one client of a reconcile function.

mod options;
mod owned;
mod reads;
mod writes;

use std::fmt;
use std::sync::{Arc, OnceLock};

use client_rs_cache::SharedInformer;
use client_rs_client::api::ByName;
use client_rs_client::{Error, RestClient};
use client_rs_events::{EventBroadcaster, EventRecorder, EventType, Reference, RestEventSink};
use client_rs_informers::SharedInformerFactory;
use client_rs_leaderelection::{
    LeaderElectionOptions, LeaderElector, LeaseLock, LeaseLockOptions, OptionsError, unique_identity,
};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{ObjectKey, Resource, Str, verbs};
use client_rs_transport::Config;
use tokio_util::sync::CancellationToken;

use crate::{Context, Controller, ControllerOptions, Manager, ManagerOptions, Prometheus};
pub use options::{ClusterOptions, Uncached};
pub use owned::OwnedObjects;

/// A kind whose objects can be read one by one, listed and watched, so that a cache can have them. Every such kind implements it.
pub trait CachedKind: Resource<Scope: ByName> + Payload + verbs::Get + verbs::List + verbs::Watch {}

impl<K> CachedKind for K where K: Resource<Scope: ByName> + Payload + verbs::Get + verbs::List + verbs::Watch {}

/// One object for everything that a reconcile function does with a cluster: it reads from caches, writes to the server, applies owned
/// objects, records events and counts into one set of metrics. Controllers and their manager are made from it, too.
///
/// Use it in operators. It is built from parts that can be used without it: [`SharedInformerFactory`], [`Api`](client_rs_client::Api),
/// [`Owned`](crate::Owned), [`finalizer()`](crate::finalizer()), [`EventRecorder`], [`Prometheus`].
///
/// ```
/// use client_rs_api::core::v1::{ConfigMap, Secret};
/// use client_rs_controller::{Action, ClusterClient, Context, Reconciler, Result};
/// use client_rs_events::EventType;
/// use client_rs_machinery::{ObjectKey, json};
/// # use client_rs_controller::CancellationToken;
///
/// /// Gives each config map with data a secret.
/// struct Keys {
///     client: ClusterClient,
/// }
///
/// impl Reconciler for Keys {
///     async fn reconcile(&self, key: ObjectKey, context: Context) -> Result<Action> {
///         let client = self.client.of_run(&context); // Refuses writes after this term of leadership.
///         let Some(map) = client.get::<ConfigMap>(&key).await? else { return Ok(Action::done()) };
///         let mut owned = client.owned(&*map)?;
///         if !map.data.is_empty() {
///             let secret = json!({"metadata": {"name": key.name.as_str()}, "stringData": {"key": "abc"}});
///             owned.apply::<Secret>(secret).await?;
///         }
///         if owned.prune::<Secret>().await? > 0 {
///             client.event(&*map, EventType::Normal, "Removed", "no data, no secret");
///         }
///         Ok(Action::done())
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
/// # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
/// # let server = client_rs_apiserver::Server::start_with(options).await?;
/// # let stop = CancellationToken::new();
/// let client = ClusterClient::from_rest("keys", server.rest_client()?); // Or from_config("keys", &Config::infer()?).
/// let controller = client
///     .controller::<ConfigMap>("keys")
///     .owns(&client.informer::<Secret>())
///     .reconcile(Keys { client: client.clone() });
/// let manager = client.manager().controller(controller);
/// # stop.cancel();
/// manager.run(stop).await?; // Or run_until_signal().
/// # Ok(())
/// # }
/// ```
///
/// - **Reads** come from the caches of [`factory`](Self::factory), and are as old as these. No informer is started by a read unless
///   [`ClusterOptions::uncached`] says so. In a run of a controller, the caches of that controller show the writes of this process; name
///   further kinds that the function reads with [`Controller::reads`].
/// - **Writes** go to the server, with the name of the client as their field manager. They return the requests of
///   [`Api`](client_rs_client::Api): options follow as methods, `.await` sends them.
/// - **Events** never block. The first one starts their delivery; the [`manager`](Self::manager) ends it.
/// - A cheap handle: clones share caches, connections, events and metrics. It is `Send` and `Sync`.
/// - **Cancellation**: dropping the last clone, and the last handle of its factory, stops the informers.
#[derive(Clone)]
pub struct ClusterClient {
    shared: Arc<Shared>,
    /// The client for writes.
    rest: RestClient,
}

struct Shared {
    name: Str,
    factory: SharedInformerFactory,
    metrics: Prometheus,
    options: ClusterOptions,
    config: Option<Config>,
    events: OnceLock<Events>,
}

/// The recorder, and the broadcaster behind it unless it is the user's.
struct Events {
    recorder: EventRecorder,
    broadcaster: Option<EventBroadcaster>,
}

/// The reason why there is no elector.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ElectorError {
    /// The client of the lock can't be made.
    #[error(transparent)]
    Client(#[from] Error),
    /// The options of the election contradict each other.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

impl ClusterClient {
    /// A client of the cluster of a config. The name is that of the program: the field manager of its writes and the source of its
    /// events.
    pub fn from_config(name: impl Into<Str>, config: &Config) -> Result<Self, Error> {
        Self::from_config_with(name, config, ClusterOptions::default())
    }

    /// As [`from_config`](Self::from_config), with options.
    pub fn from_config_with(
        name: impl Into<Str>,
        config: &Config,
        mut options: ClusterOptions,
    ) -> Result<Self, Error> {
        let metrics = options.metrics.take().unwrap_or_default();
        let rest = metrics.rest_client(config)?;
        Ok(Self::make(name.into(), &rest, Some(config.clone()), metrics, options))
    }

    /// A client over one that exists. Its requests are counted only if it was made with
    /// [`Prometheus::rest_client`](crate::Prometheus::rest_client).
    pub fn from_rest(name: impl Into<Str>, rest: impl Into<RestClient>) -> Self {
        Self::from_rest_with(name, rest, ClusterOptions::default())
    }

    /// As [`from_rest`](Self::from_rest), with options.
    pub fn from_rest_with(
        name: impl Into<Str>,
        rest: impl Into<RestClient>,
        mut options: ClusterOptions,
    ) -> Self {
        let metrics = options.metrics.take().unwrap_or_default();
        Self::make(name.into(), &rest.into(), None, metrics, options)
    }

    fn make(
        name: Str,
        rest: &RestClient,
        config: Option<Config>,
        metrics: Prometheus,
        options: ClusterOptions,
    ) -> Self {
        let mut factory = options.factory.clone();
        factory.metrics.get_or_insert_with(|| match &options.cluster {
            Some(cluster) => metrics.informers_of(cluster.clone()),
            None => metrics.informers(),
        });
        let factory = SharedInformerFactory::with_options(rest.clone(), factory);
        let rest = rest.with_field_manager(name.clone());
        let shared = Shared { name, factory, metrics, options, config, events: OnceLock::new() };
        Self { shared: Arc::new(shared), rest }
    }

    /// The same client for one run of a reconcile function: it refuses writes as soon as the term is over in which the run began; see
    /// [`Context::gated`].
    #[must_use]
    pub fn of_run(&self, context: &Context) -> Self {
        self.map_rest(|rest| context.gated(rest))
    }

    /// The same client with another client for its writes: one with dry runs, a gate, or another field manager.
    ///
    /// ```
    /// # use client_rs_controller::ClusterClient;
    /// fn rehearsing(client: &ClusterClient) -> ClusterClient {
    ///     client.map_rest(|rest| rest.with_dry_run())
    /// }
    /// ```
    #[must_use]
    pub fn map_rest(&self, change: impl FnOnce(&RestClient) -> RestClient) -> Self {
        Self { shared: Arc::clone(&self.shared), rest: change(&self.rest) }
    }

    /// Whether it has the same caches.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The name of the program.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The client for writes, for requests that have no method here.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// The caches.
    pub fn factory(&self) -> &SharedInformerFactory {
        &self.shared.factory
    }

    /// The metrics of requests, informers, controllers and elections. Register your own there.
    pub fn metrics(&self) -> &Prometheus {
        &self.shared.metrics
    }

    /// Returns the informer of a kind. The first request makes it; the manager starts it.
    pub fn informer<K>(&self) -> SharedInformer<K>
    where
        K: Resource + Payload + verbs::List + verbs::Watch,
    {
        self.shared.factory.informer_for()
    }

    /// A controller of a kind, with metrics. The name appears in logs, metrics and states; choose a unique one.
    pub fn controller<K>(&self, name: impl Into<Arc<str>>) -> Controller<K>
    where
        K: Resource + Payload + verbs::List + verbs::Watch,
    {
        self.controller_with(name, ControllerOptions::default())
    }

    /// As [`controller`](Self::controller), with options. Metrics that are set there stay.
    pub fn controller_with<K>(&self, name: impl Into<Arc<str>>, options: ControllerOptions) -> Controller<K>
    where
        K: Resource + Payload + verbs::List + verbs::Watch,
    {
        let name = name.into();
        let options = options.or_prometheus(&self.shared.metrics, &name);
        Controller::with_options(name, self.informer(), options)
    }

    /// A manager that runs the informers, serves the metrics, and delivers the last events before it ends.
    pub fn manager(&self) -> Manager {
        self.manager_with(ManagerOptions::default())
    }

    /// As [`manager`](Self::manager), with options. Metrics that are set there stay.
    pub fn manager_with(&self, options: ManagerOptions) -> Manager {
        let options =
            if options.metrics.is_some() { options } else { options.with_prometheus(&self.shared.metrics) };
        let own = self.clone();
        Manager::with_options(&self.shared.factory, options).runnable(
            "events",
            move |stop: CancellationToken| async move {
                stop.cancelled().await;
                own.shutdown_events().await;
                Ok::<(), std::convert::Infallible>(())
            },
        )
    }

    /// An elector on a Lease, for [`Manager::election`], with metrics and a unique identity.
    ///
    /// # Errors
    ///
    /// If the client was made from a config and that is invalid.
    pub fn elector(&self, lease: impl Into<ObjectKey>) -> Result<LeaderElector, ElectorError> {
        let metrics = self.shared.metrics.election();
        self.elector_with(lease, LeaderElectionOptions::default().with_metrics(metrics))
    }

    /// As [`elector`](Self::elector), with options. It has the metrics of the options: add
    /// `.with_metrics(client.metrics().election())`.
    ///
    /// # Errors
    ///
    /// [`ElectorError`].
    pub fn elector_with(
        &self,
        lease: impl Into<ObjectKey>,
        mut options: LeaderElectionOptions,
    ) -> Result<LeaderElector, ElectorError> {
        let lock = LeaseLockOptions::new(lease, unique_identity());
        if options.name.is_empty() {
            options.name = self.shared.name.to_string();
        }
        let lock = match &self.shared.config {
            Some(config) => LeaseLock::from_config(config, options.renew_deadline, lock)?,
            None => LeaseLock::new(&self.rest, lock),
        };
        Ok(LeaderElector::with_options(lock, options)?)
    }

    /// Records an event of an object; see [`EventRecorder::event`].
    ///
    /// # Panics
    ///
    /// The first call outside of a tokio runtime, unless [`ClusterOptions::recorder`] is set.
    pub fn event(
        &self,
        object: impl Into<Reference>,
        event_type: EventType,
        reason: &str,
        message: impl fmt::Display,
    ) {
        self.recorder().event(object, event_type, reason, message);
    }

    /// The recorder of events.
    ///
    /// # Panics
    ///
    /// As [`event`](Self::event).
    pub fn recorder(&self) -> &EventRecorder {
        let events = self.shared.events.get_or_init(|| {
            if let Some(recorder) = self.shared.options.recorder.clone() {
                return Events { recorder, broadcaster: None };
            }
            let broadcaster = EventBroadcaster::new();
            // Without a gate: the last events of a term may be delivered after it.
            let sink = RestEventSink::new(self.shared.factory.rest().clone());
            if broadcaster.start_recording_to_sink(sink).is_err() {
                tracing::warn!("events are not delivered: the broadcaster has ended");
            }
            Events { recorder: broadcaster.recorder(&self.shared.name, ""), broadcaster: Some(broadcaster) }
        });
        &events.recorder
    }

    /// Delivers the events that wait, and ends their delivery. The [`manager`](Self::manager) calls it.
    pub async fn shutdown_events(&self) {
        let events = self.shared.events.get();
        if let Some(broadcaster) = events.and_then(|events| events.broadcaster.as_ref()) {
            broadcaster.shutdown().await;
        }
    }
}

impl fmt::Debug for ClusterClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterClient")
            .field("name", &self.shared.name)
            .field("factory", self.shared.factory.informers())
            .finish_non_exhaustive()
    }
}
