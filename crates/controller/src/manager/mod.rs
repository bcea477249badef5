//! [`Manager`]: controllers, informers, endpoints and leader election, from start to stop.

#[cfg(feature = "clap")]
mod args;
mod endpoints;
mod handle;
mod handover;
mod leading;
mod lease_election;
mod runnable;
mod seen;
mod signal;

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_cache::{InformerFactory, InformerFailed, InformerState};
#[cfg(feature = "collections")]
use client_rs_collections::Graph;
use client_rs_machinery::{ErrorChain, ObjectKey, collections::VecMap};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::task::spawn_in;
use crate::{ControllerError, ControllerState, Why};
#[cfg(feature = "clap")]
pub use args::{ElectionArgsError, ManagerArgs};
#[cfg(test)]
pub(crate) use endpoints::Answers;
use endpoints::Endpoints;
pub use endpoints::{AccessReview, EndpointTls};
pub(crate) use endpoints::{Endpoint, Handler};
pub use handle::ManagerHandle;
use handle::Standing;
pub use leading::LostLeadership;
pub(crate) use runnable::BoxFuture;
pub use runnable::{AnyController, Election, Term, Work};
use runnable::{LeaderRunnable, Runnable};
pub use signal::setup_signal_handler;

client_rs_machinery::options! {
    /// The options of a [`Manager`]: endpoints, their protection, timeouts.
    ///
    /// By default a manager listens nowhere. Three listeners can be turned on:
    ///
    /// | option | paths | protection |
    /// |---|---|---|
    /// | [`health_listen`](Self::health_listen) | `/healthz`, `/livez`, `/readyz` | none: a kubelet sends no token |
    /// | [`metrics_listen`](Self::metrics_listen) | `/metrics` | [`tls`](Self::tls), [`access`](Self::access) |
    /// | [`debug_listen`](Self::debug_listen) | `/debug` (a page), `/debug/state`, `/debug/why` | the same; required unless at a loopback address |
    ///
    /// Each listener has its own connections, at most 64. One more closes the oldest one. No connection lasts longer than 30
    /// seconds.
    ///
    /// ```
    /// use std::net::SocketAddr;
    ///
    /// use client_rs_cache::InformerFactory;
    /// use client_rs_controller::{CancellationToken, Manager, ManagerError, ManagerOptions};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// // The state names objects and quotes errors, so it is not served to everybody.
    /// let options = ManagerOptions::default().with_debug_listen(SocketAddr::from(([0, 0, 0, 0], 0)));
    /// let manager = Manager::with_options(InformerFactory::new(), options);
    /// let error = manager.run(CancellationToken::new()).await.unwrap_err();
    /// assert!(matches!(error, ManagerError::Exposed { .. }));
    /// # }
    /// ```
    #[derive(Clone)]
    pub struct ManagerOptions {
        /// The address for `/healthz`, `/livez` and `/readyz`, without TLS and for every client, because kubelets probe so.
        /// Port 0 is any free port, here and below. Default: none.
        pub health_listen: Option<SocketAddr> => with_health_listen,
        /// The address for `/metrics`, with [`tls`](Self::tls) and [`access`](Self::access). Default: none.
        pub metrics_listen: Option<SocketAddr> => with_metrics_listen,
        /// The address for `/debug/state` and `/debug/why?controller=NAME&key=NAMESPACE/NAME` (as text, or as JSON with
        /// `output=json`), with [`tls`](Self::tls) and [`access`](Self::access). It shows the keys in
        /// progress, the last errors and the state of the informers. Without `access` it must be a loopback address.
        /// Default: none.
        pub debug_listen: Option<SocketAddr> => with_debug_listen,
        /// The certificate of the metrics and debug listeners. Its files are read again when they change. Default: none, so
        /// both are served without TLS.
        pub tls: Option<EndpointTls> => with_tls,
        /// Authentication and authorization of the metrics and debug listeners. It requires `tls`, except at loopback
        /// addresses: tokens must not be sent as clear text. Default: none, so every client that reaches them may read.
        pub access: Option<AccessReview> => with_access,
        /// A function that renders `/metrics` in Prometheus' text format, such as
        /// [`Prometheus::renderer`](crate::Prometheus::renderer) or an exporter of the `metrics` crate. Default: none, so the
        /// path is not found.
        pub metrics: Option<Arc<dyn Fn() -> String + Send + Sync>> => with_metrics,
        /// How long a start waits for the informers to have their first list. Default: 2 minutes.
        pub sync_timeout: Duration => with_sync_timeout,
        /// How long a stop waits for each of its steps before it continues with the next one. Default: 30 seconds.
        pub stop_timeout: Duration => with_stop_timeout,
        /// The consequence of a lost leadership. Default: the manager ends.
        pub lost_leadership: LostLeadership => with_lost_leadership,
        /// How long a new leader waits for its caches to reach the versions that the last leader had seen, before its
        /// controllers start. Then they start with older caches, and a warning is logged. Zero does not wait. Default: 30
        /// seconds. See [`Manager`](Manager#what-a-new-leader-has-seen) for what is promised.
        pub catch_up_timeout: Duration => with_catch_up_timeout,
    }
}

impl Default for ManagerOptions {
    fn default() -> Self {
        Self {
            health_listen: None,
            metrics_listen: None,
            debug_listen: None,
            tls: None,
            access: None,
            metrics: None,
            sync_timeout: Duration::from_mins(2),
            stop_timeout: Duration::from_secs(30),
            lost_leadership: LostLeadership::Exit,
            catch_up_timeout: Duration::from_secs(30),
        }
    }
}

/// Runs controllers, informers, endpoints and leader election together: the `main` of an operator.
///
/// Use it for a program with controllers. A program without them can start an informer factory itself. Several managers in
/// one process, such as one per cluster, are fine.
///
/// - **Start**: a line in the log (level `info`) with the controllers, the namespaces and whether there is an election. Then the
///   endpoints, then the informers until they have their first list, then the controllers and
///   runnables of every replica, then leader election. When this replica leads, the other controllers start. Until then they
///   are warm: their caches are full and their keys wait in the queue.
/// - **Stop**: first the controllers until their last run has ended
///   ([`drain_timeout`](crate::ControllerOptions::drain_timeout)), then the lease is released, then everything else, with
///   the informers and the endpoints last. Each of these steps has a timeout,
///   [`stop_timeout`](ManagerOptions::stop_timeout).
/// - **Lost leadership** drops all runs of the controllers at once, without draining, because another replica leads now or
///   soon. The lease is not released while one of the runs is alive. Then the rest stops as above, and the manager returns
///   [`ManagerError::LeadershipLost`]. End the process then: some task of it may still assume that it leads. With
///   [`LostLeadership::CampaignAgain`] the rest continues instead, and the manager campaigns again.
/// - **Step down**: [`ManagerHandle::step_down`] drains the controllers, releases the lease and campaigns again later.
/// - **Errors** of any part stop all parts, in the same order, and are returned. An informer that panics is such an error.
///
/// ```
/// use std::net::SocketAddr;
///
/// use client_rs_cache::{FactoryOptions, InformerFactory};
/// use client_rs_controller::{Manager, ManagerError, ManagerOptions};
/// use tokio_util::sync::CancellationToken;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ManagerError> {
/// let options = ManagerOptions::default().with_health_listen(SocketAddr::from(([127, 0, 0, 1], 0)));
/// let stop = CancellationToken::new();
/// let stopping = stop.clone();
/// let manager = Manager::with_options(InformerFactory::new(), options)
///     .health_check("disk", || Ok(()))
///     .runnable("webhooks", move |stop: CancellationToken| async move {
///         // Every replica runs this until the end. Here it also ends the example.
///         stopping.cancel();
///         stop.cancelled().await;
///         Ok::<(), std::io::Error>(())
///     });
/// manager.run(stop).await
/// # }
/// ```
///
/// # Writes after a lost leadership
///
/// A run that is dropped stops at its next `.await`. Tasks that it has spawned continue, and so does a process that was
/// paused. So let each run write with a client that compares the clock before each write, and refuses writes outside of the term
/// in which the run began:
///
/// ```
/// # fn example(rest: client_rs_client::RestClient, context: client_rs_controller::Context) {
/// let writes = context.gated(&rest);
/// // Reads and informers may use either client.
/// # drop(writes);
/// # }
/// ```
///
/// A write that is already on the wire when the term ends can't be recalled. If that matters, let the receiver compare a
/// [`FencingToken`](client_rs_leaderelection::FencingToken). See
/// [`LeadershipScope`](client_rs_leaderelection::LeadershipScope) for the assumptions about clocks.
///
/// # What a new leader has seen
///
/// A standby's watch may lag. So a leader leaves a note in the Lease: for each informer, the version of the newest list or
/// change in its cache (annotation `client-rs.io/handover`). A new leader starts its controllers when its own caches have
/// reached these versions.
///
/// - **Promised**: no run of a new leader sees a cache that is older than that of the last leader was when it last renewed its
///   Lease, or when it released it. A leader that stops or steps down releases its Lease after its last run. So then the new
///   leader has seen all that any run of the last one had read from a cache.
/// - **Not promised**: a leader that crashes or is cut off may have seen changes since its last renewal (at most 10 seconds
///   before its term ends, with default options). Its last writes may be missing in the new leader's caches: as always, writes
///   with a `resourceVersion` fail with a conflict then. A Lease that is deleted has no note any more.
/// - **Exceptions**, each with a warning in the log: a cache that does not get there within
///   [`catch_up_timeout`](ManagerOptions::catch_up_timeout); a server whose version is lower than the noted one, because it was
///   restored from a backup; and informers for which the note, of 4 KiB at most, has no space.
/// - Informers that the last leader did not have are not waited for. Informers are the same if they have the same name, and
///   the same namespace if they are limited to namespaces.
#[must_use = "nothing runs until `run` or `run_until_signal`"]
pub struct Manager {
    options: ManagerOptions,
    factory: InformerFactory,
    election: Option<Arc<dyn Election>>,
    /// Controllers that only the leader runs.
    controllers: Vec<Arc<dyn AnyController>>,
    /// Controllers that every replica runs.
    everywhere: Vec<Arc<dyn AnyController>>,
    /// Behind a lock so that the manager is `Sync`. Never contended.
    runnables: Mutex<Vec<Runnable>>,
    /// Tasks that only the leader runs.
    leader_runnables: Vec<LeaderRunnable>,
    status: Arc<Status>,
    /// The first setting or name that was used twice.
    duplicate: Mutex<Option<String>>,
}

/// The reason why a manager has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManagerError {
    /// An endpoint can't listen at its address: another process has the port, or this process may not use it.
    #[error(
        "can't listen at {address} for {endpoint}: {error}; choose another address with --{endpoint}-listen \
         (ManagerOptions::{endpoint}_listen), or stop the process that listens there"
    )]
    Listen {
        /// `health`, `metrics` or `debug`.
        endpoint: &'static str,
        /// The address.
        address: SocketAddr,
        /// The cause.
        error: std::io::Error,
    },
    /// The certificate of the endpoints can't be used.
    #[error("can't use the certificate of the endpoints: {0}")]
    Certificate(client_rs_transport::serving::ServingCertificateError),
    /// An endpoint would expose private data: it has no authentication, or it would receive tokens as clear text.
    #[error("won't listen at {address}: {why}")]
    Exposed {
        /// The address.
        address: SocketAddr,
        /// The risk, and how to avoid it.
        why: &'static str,
    },
    /// A setting that may be set once was set twice, or a name was used twice.
    #[error("{what} was set twice")]
    Duplicate {
        /// The setting or the name.
        what: String,
    },
    /// The handlers of signals can't be installed.
    #[error("can't listen for signals: {0}")]
    Signal(std::io::Error),
    /// Informers did not have their first list in time.
    #[error("informers without their first list after {after:?}: {}", joined(informers))]
    NotSynced {
        /// How long the manager waited.
        after: Duration,
        /// The informers that are late, with the causes.
        informers: Vec<LateInformer>,
    },
    /// An informer has stopped while the manager runs: it panicked, or the program stopped it. Its cache is no longer
    /// updated.
    #[error(transparent)]
    Informer(#[from] InformerFailed),
    /// A controller could not run.
    #[error(transparent)]
    Controller(#[from] ControllerError),
    /// A [runnable](Manager::runnable) has failed.
    #[error("{name} failed: {}", ErrorChain(&**error))]
    Runnable {
        /// Its name.
        name: String,
        /// The cause.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another replica leads now, or may lead.
    #[error("leadership was lost; another replica may lead now")]
    LeadershipLost,
}

// Not `#[from]`: the message already has the text of the error, so it must not be a source too.
impl From<client_rs_transport::serving::ServingCertificateError> for ManagerError {
    fn from(error: client_rs_transport::serving::ServingCertificateError) -> Self {
        Self::Certificate(error)
    }
}

/// An informer that did not have its first list in time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LateInformer {
    /// The name of the informer.
    pub name: String,
    /// The error of its last list or watch; `None` if none has failed because the server has not responded yet.
    pub cause: Option<String>,
}

impl fmt::Display for LateInformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = self.cause.as_deref().unwrap_or("the server has not responded to its list yet");
        write!(f, "{}: {cause}", self.name)
    }
}

fn joined(informers: &[LateInformer]) -> String {
    let texts: Vec<String> = informers.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

type Check = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

#[cfg(feature = "cluster")]
type ClusterStates = Arc<dyn Fn() -> std::collections::BTreeMap<String, crate::ClusterState> + Send + Sync>;

/// The state that the endpoints show.
pub(crate) struct Status {
    pub(crate) factory: InformerFactory,
    pub(crate) controllers: Mutex<Vec<Arc<dyn AnyController>>>,
    pub(crate) health: Mutex<VecMap<String, Check>>,
    pub(crate) ready: Mutex<VecMap<String, Check>>,
    /// The states of further clusters. A function, so that only programs that have such clusters contain their code.
    #[cfg(feature = "cluster")]
    pub(crate) clusters: std::sync::OnceLock<ClusterStates>,
    /// Paths of the user, by listener.
    pub(crate) handlers: Mutex<VecMap<(Endpoint, String), Handler>>,
    pub(crate) synced: AtomicBool,
    pub(crate) leading: AtomicBool,
    /// Graphs of derived collections, by name.
    #[cfg(feature = "collections")]
    pub(crate) graphs: Mutex<VecMap<String, Graph>>,
    standing: Standing,
}

impl Manager {
    /// A manager that runs the informers of a factory.
    pub fn new(factory: impl Into<InformerFactory>) -> Self {
        Self::with_options(factory, ManagerOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(factory: impl Into<InformerFactory>, options: ManagerOptions) -> Self {
        let factory = factory.into();
        let status = Arc::new(Status {
            factory: factory.clone(),
            controllers: Mutex::default(),
            health: Mutex::default(),
            ready: Mutex::default(),
            handlers: Mutex::default(),
            #[cfg(feature = "cluster")]
            clusters: std::sync::OnceLock::new(),
            synced: AtomicBool::new(false),
            leading: AtomicBool::new(false),
            #[cfg(feature = "collections")]
            graphs: Mutex::default(),
            standing: Standing::default(),
        });
        Self {
            options,
            factory,
            election: None,
            controllers: vec![],
            everywhere: vec![],
            runnables: Mutex::default(),
            leader_runnables: vec![],
            status,
            duplicate: Mutex::default(),
        }
    }

    /// Adds a controller that runs while this replica leads; without leader election, always.
    ///
    /// Two controllers of the same name are an error when the manager [runs](Self::run):
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # use client_rs_controller::RunnableController;
    /// # use client_rs_informers::SharedInformerFactory;
    /// use client_rs_controller::{Action, CancellationToken, Context, Controller, Manager};
    /// use client_rs_machinery::ObjectKey;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    /// # let factory = SharedInformerFactory::new(server.rest_client()?);
    /// let maps = || {
    ///     Controller::new("maps", factory.informer_for::<ConfigMap>())
    ///         .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) })
    /// };
    /// let manager = Manager::new(&factory).controller(maps()).controller(maps());
    /// let error = manager.run(CancellationToken::new()).await.unwrap_err();
    /// assert_eq!(error.to_string(), r#"the controller "maps" was set twice"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn controller(mut self, controller: impl AnyController) -> Self {
        let controller: Arc<dyn AnyController> = Arc::new(controller);
        self.know(&controller);
        self.controllers.push(controller);
        self
    }

    /// Adds a controller that every replica runs, whether or not it leads: one that only reads, or one that is
    /// [sharded](crate::Controller::sharded).
    pub fn controller_without_election(mut self, controller: impl AnyController) -> Self {
        let controller: Arc<dyn AnyController> = Arc::new(controller);
        self.know(&controller);
        self.everywhere.push(controller);
        self
    }

    /// Runs a graph of derived collections, in every replica, from the start of the informers until the end. `/debug/state` shows its
    /// collections under this name.
    ///
    /// The informers of the graph must be those of the manager's factory, or run on their own. See
    /// [`ApplySink`](crate::ApplySink) for an example.
    #[cfg(feature = "collections")]
    pub fn graph(self, name: impl Into<String>, graph: &Graph) -> Self {
        let name = name.into();
        if lock(&self.status.graphs).insert(name.clone(), graph.clone()).is_some() {
            self.set_twice(&format!("the graph {name:?}"));
        }
        self
    }

    /// Runs the informers of several clusters, in every replica: those that have joined, and those that join later. They stop before the
    /// manager's own informers. Adds the ready check `clusters`; `/debug/state` shows them. A second call is an error when the manager
    /// [runs](Self::run).
    ///
    /// A cluster that is down does not stop the manager.
    #[cfg(feature = "cluster")]
    pub fn clusters(self, clusters: &crate::Clusters) -> Self {
        let shown = clusters.clone();
        if self.status.clusters.set(Arc::new(move || shown.state())).is_err() {
            self.set_twice("the clusters of a manager");
            return self;
        }
        let (checked, running) = (clusters.clone(), clusters.clone());
        self.ready_check("clusters", move || checked.ready()).runnable(
            "clusters",
            move |stop: CancellationToken| async move {
                running.run(stop).await;
                Ok::<(), std::convert::Infallible>(())
            },
        )
    }

    /// Adds a task that every replica runs until the token is cancelled, such as a webhook server. If it returns an error
    /// before that, the manager stops and returns the error. If it returns `Ok`, the manager continues.
    ///
    /// ```
    /// use client_rs_cache::InformerFactory;
    /// use client_rs_controller::{CancellationToken, Manager};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let manager = Manager::new(InformerFactory::new())
    ///     .runnable("webhooks", |_: CancellationToken| async { Err("the port is in use") });
    /// let error = manager.run(CancellationToken::new()).await.unwrap_err();
    /// assert_eq!(error.to_string(), "webhooks failed: the port is in use");
    /// # }
    /// ```
    pub fn runnable<F, Fut, E>(self, name: impl Into<String>, run: F) -> Self
    where
        F: FnOnce(CancellationToken) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let name = name.into();
        let run = Box::new(move |stop| -> BoxFuture<'static, _> {
            let running = run(stop);
            Box::pin(async move { running.await.map_err(Into::into) })
        });
        lock(&self.runnables).push(Runnable { name, run });
        self
    }

    /// Adds a task that only the leader runs; without leader election, always. For tasks of every replica see
    /// [`runnable`](Self::runnable).
    ///
    /// - It is called once per term, after the caches are full. Its future ends when [`Term::stopping`] is cancelled; after
    ///   [`stop_timeout`](ManagerOptions::stop_timeout) it is dropped. When leadership is lost it is dropped at once.
    /// - If it returns `Ok` earlier, this replica continues to lead. If it returns an error, the manager stops and returns the error.
    ///
    /// ```
    /// use client_rs_cache::InformerFactory;
    /// use client_rs_controller::{CancellationToken, Manager, Term};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let stop = CancellationToken::new();
    /// let stopping = stop.clone();
    /// let manager = Manager::new(InformerFactory::new()).leader_runnable("report", move |term: Term| {
    ///     stopping.cancel(); // Ends this example.
    ///     async move {
    ///         term.stopping().cancelled().await;
    ///         Ok::<(), std::io::Error>(())
    ///     }
    /// });
    /// manager.run(stop).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn leader_runnable<F, Fut, E>(mut self, name: impl Into<String>, run: F) -> Self
    where
        F: Fn(Term) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let run = Arc::new(move |term| -> BoxFuture<'static, _> {
            let running = run(term);
            Box::pin(async move { running.await.map_err(Into::into) })
        });
        self.leader_runnables.push(LeaderRunnable { name: name.into(), run });
        self
    }

    /// Turns on leader election, usually with a [`LeaderElector`](client_rs_leaderelection::LeaderElector). It also adds
    /// the health check `leaderElection`. A second election is an error when the manager [runs](Self::run).
    pub fn election(mut self, election: impl Election) -> Self {
        let election: Arc<dyn Election> = Arc::new(election);
        let checked = Arc::clone(&election);
        if self.election.replace(election).is_some() {
            self.set_twice("the election of a manager");
        }
        let (again, status) = (self.options.lost_leadership == LostLeadership::CampaignAgain, self.status());
        self.health_check("leaderElection", move || {
            // A term that is lost without an error of its work: the record may still name this replica.
            if again && !status.leading.load(Ordering::Relaxed) { Ok(()) } else { checked.healthy() }
        })
    }

    /// A handle to observe and to give up leadership while the manager runs.
    pub fn handle(&self) -> ManagerHandle {
        ManagerHandle::new(self.status())
    }

    /// Adds a check to `/healthz` and `/livez`. It runs once per request and must not block. Two checks of the same name are
    /// an error when the manager [runs](Self::run).
    ///
    /// A kubelet restarts the pod when its liveness probe fails, so let only failures fail that a restart fixes. For
    /// everything else use [`ready_check`](Self::ready_check).
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use std::sync::atomic::{AtomicBool, Ordering};
    /// # use client_rs_cache::InformerFactory;
    /// # use client_rs_controller::Manager;
    /// let stuck = Arc::new(AtomicBool::new(false));
    /// let manager = Manager::new(InformerFactory::new()).health_check("worker", move || {
    ///     if stuck.load(Ordering::Relaxed) { Err("no progress for a minute".to_owned()) } else { Ok(()) }
    /// });
    /// # drop(manager);
    /// ```
    pub fn health_check(
        self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        let name = name.into();
        if lock(&self.status.health).insert(name.clone(), Arc::new(check)).is_some() {
            self.set_twice(&format!("the health check {name:?}"));
        }
        self
    }

    /// Adds a check to `/readyz`. It runs once per request and must not block. `/readyz` always checks that the informers
    /// have their first list and still run. Two checks of the same name are an error when the manager [runs](Self::run).
    pub fn ready_check(
        self,
        name: impl Into<String>,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        let name = name.into();
        if lock(&self.status.ready).insert(name.clone(), Arc::new(check)).is_some() {
            self.set_twice(&format!("the ready check {name:?}"));
        }
        self
    }

    /// Serves a path of yours on the metrics listener, with its protection ([`tls`](ManagerOptions::tls),
    /// [`access`](ManagerOptions::access)). controller-runtime's `AddMetricsServerExtraHandler`.
    ///
    /// - The path is exact, such as `/build-info`. A path that the listener has, or that was added before, is an error when the manager
    ///   [runs](Self::run).
    /// - The handler gets the head of each request; a body is not read. It must not block. A request that takes longer than the
    ///   connection may last (30 seconds) is cut off.
    ///
    /// ```
    /// # use client_rs_cache::InformerFactory;
    /// # use client_rs_controller::Manager;
    /// let manager = Manager::new(InformerFactory::new())
    ///     .metrics_handler("/build-info", |_| async { http::Response::new("version 1.2\n") });
    /// # drop(manager);
    /// ```
    pub fn metrics_handler<F, Fut, B>(self, path: impl Into<String>, handler: F) -> Self
    where
        F: Fn(http::Request<()>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = http::Response<B>> + Send + 'static,
        B: Into<bytes::Bytes>,
    {
        self.handler(Endpoint::Metrics, &path.into(), Handler::new(handler))
    }

    /// Serves a path of yours on the debug listener, as [`metrics_handler`](Self::metrics_handler) does on that of the metrics: a
    /// profile, or a dump of your own state.
    pub fn debug_handler<F, Fut, B>(self, path: impl Into<String>, handler: F) -> Self
    where
        F: Fn(http::Request<()>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = http::Response<B>> + Send + 'static,
        B: Into<bytes::Bytes>,
    {
        self.handler(Endpoint::Debug, &path.into(), Handler::new(handler))
    }

    fn handler(self, endpoint: Endpoint, path: &str, handler: Handler) -> Self {
        let path = path.trim_end_matches('/').to_owned();
        let taken = endpoint.paths().contains(&path.as_str());
        let added = lock(&self.status.handlers).insert((endpoint, path.clone()), handler).is_some();
        if taken || added {
            self.set_twice(&format!("the path {path:?} of the {} listener", endpoint.name()));
        }
        self
    }

    /// The informers that this manager runs.
    pub fn factory(&self) -> &InformerFactory {
        &self.factory
    }

    /// Runs until SIGINT (Ctrl-C) or, on Unix, SIGTERM. It calls [`setup_signal_handler`] at its first poll. A second signal
    /// ends the process with code 1, and so does a signal that arrives after this has returned.
    ///
    /// If one process runs several managers, share one token of [`setup_signal_handler`] and call [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and [`ManagerError::Signal`].
    pub async fn run_until_signal(self) -> Result<(), ManagerError> {
        let stop = setup_signal_handler().map_err(ManagerError::Signal)?;
        // Once this has ended, or was dropped, no graceful shutdown is left: a signal ends the process.
        let _ended = stop.clone().drop_guard();
        self.run(stop).await
    }

    /// Runs until the token is cancelled, or until something fails. Returns when everything has stopped.
    ///
    /// Cancellation: dropping the future drops the runs of the controllers without draining them. Prefer to cancel `stop`.
    ///
    /// # Errors
    ///
    /// The first [`ManagerError`]. Errors of reconcile functions are retried and do not end the manager.
    pub async fn run(self, stop: CancellationToken) -> Result<(), ManagerError> {
        self.run_boxed(stop).await
    }

    /// Boxed, so that this crate compiles it, and not each program.
    fn run_boxed(self, stop: CancellationToken) -> BoxFuture<'static, Result<(), ManagerError>> {
        Box::pin(self.run_until(stop))
    }

    async fn run_until(mut self, stop: CancellationToken) -> Result<(), ManagerError> {
        if let Some(what) = lock(&self.duplicate).take() {
            return Err(ManagerError::Duplicate { what });
        }
        self.log_start();
        let endpoints = Endpoints::start(&self.options, Arc::clone(&self.status)).await?;
        // The parts that every replica runs end after the leader's work, so they have a token of their own.
        let end = CancellationToken::new();
        let mut others = JoinSet::new();
        #[cfg(feature = "collections")]
        let graphs: Vec<_> = lock(&self.status.graphs).values().map(Graph::spawn).collect();
        let led = self.start_and_lead(&stop, &end, &mut others).await;
        end.cancel();
        let patience = self.options.stop_timeout;
        let rest = async {
            let mut failed = None;
            while let Some(ended) = others.join_next().await {
                failed = failed.or(failure(ended).err());
            }
            failed
        };
        let failed = tokio::time::timeout(patience, rest).await.unwrap_or_else(|_| {
            tracing::warn!(after = ?patience, "runnables and controllers of every replica did not stop in time");
            None
        });
        others.shutdown().await;
        #[cfg(feature = "collections")]
        drop(graphs);
        if tokio::time::timeout(patience, self.factory.shutdown()).await.is_err() {
            tracing::warn!(after = ?patience, "informers did not stop in time");
        }
        drop(endpoints);
        led.and(failed.map_or(Ok(()), Err))
    }

    /// Logs what runs. The listeners log their addresses, the elector logs its lease.
    fn log_start(&self) {
        let names: Vec<String> = lock(&self.status.controllers)
            .iter()
            .map(|controller| controller.name_any().to_owned())
            .collect();
        let namespaces: Vec<&str> = self.factory.options().namespaces.iter().map(|name| &**name).collect();
        let namespaces = if namespaces.is_empty() { "all".to_owned() } else { namespaces.join(", ") };
        tracing::info!(
            controllers = names.join(", "),
            namespaces,
            leader_election = self.election.is_some(),
            "starting"
        );
    }

    async fn start_and_lead(
        &mut self,
        stop: &CancellationToken,
        end: &CancellationToken,
        others: &mut JoinSet<Result<(), ManagerError>>,
    ) -> Result<(), ManagerError> {
        self.factory.start();
        let Some(synced) = stop.run_until_cancelled(self.synced()).await else { return Ok(()) };
        synced?;
        for controller in self.everywhere.drain(..) {
            let end = end.clone();
            spawn_in(others, async move { Ok(controller.run_any(Term::until(&end)).await?) });
        }
        let runnables = std::mem::take(&mut *lock(&self.runnables));
        for Runnable { name, run } in runnables {
            let running = run(end.clone());
            let running =
                async move { running.await.map_err(|error| ManagerError::Runnable { name, error }) };
            spawn_in(others, running);
        }
        // If one of them ends early with an error, all of them end.
        let leading = stop.child_token();
        let led = self.lead(leading.clone());
        let failed = self.factory.failed();
        tokio::pin!(led, failed);
        loop {
            tokio::select! {
                led = &mut led => return led,
                failed = &mut failed => {
                    let failed = self.informer_failed(failed);
                    leading.cancel();
                    let _ = led.await;
                    return Err(failed);
                },
                Some(ended) = others.join_next() => if let Err(error) = failure(ended) {
                    leading.cancel();
                    let _ = led.await;
                    return Err(error);
                },
            }
        }
    }

    async fn synced(&self) -> Result<(), ManagerError> {
        let after = self.options.sync_timeout;
        let late = |is_late: &dyn Fn(&InformerState) -> bool| {
            let states = self.factory.state().into_iter().filter(is_late);
            let informers = states.map(|informer| LateInformer {
                cause: informer.last_error().map(str::to_owned),
                name: informer.name,
            });
            ManagerError::NotSynced { after, informers: informers.collect() }
        };
        let Ok(informers) = tokio::time::timeout(after, self.factory.wait_for_cache_sync()).await else {
            return Err(late(&|informer| !informer.synced));
        };
        if let Some(failed) = self.factory.failure() {
            return Err(self.informer_failed(failed));
        }
        let names: Vec<String> =
            informers.into_iter().filter(|(_, synced)| !synced).map(|(name, _)| name).collect();
        if !names.is_empty() {
            return Err(late(&|informer| names.contains(&informer.name)));
        }
        self.status.synced.store(true, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn status(&self) -> Arc<Status> {
        Arc::clone(&self.status)
    }

    fn leader_work(&self) -> LeaderWork {
        LeaderWork {
            controllers: self.controllers.clone(),
            runnables: self.leader_runnables.clone(),
            patience: self.options.stop_timeout,
        }
    }

    /// Makes `/readyz` fail from now on.
    fn informer_failed(&self, failed: InformerFailed) -> ManagerError {
        let why = failed.to_string();
        tracing::error!(error = why, "stopping the manager");
        lock(&self.status.ready).insert("informersRunning".to_owned(), Arc::new(move || Err(why.clone())));
        failed.into()
    }

    fn know(&self, controller: &Arc<dyn AnyController>) {
        let mut known = lock(&self.status.controllers);
        let name = controller.name_any();
        if known.iter().any(|other| other.name_any() == name) {
            self.set_twice(&format!("the controller {name:?}"));
        }
        known.push(Arc::clone(controller));
    }

    fn set_twice(&self, what: &str) {
        lock(&self.duplicate).get_or_insert_with(|| what.to_owned());
    }
}

impl Status {
    pub(crate) fn controllers(&self) -> Vec<ControllerState> {
        lock(&self.controllers).iter().map(|controller| controller.state_any()).collect()
    }

    /// Explains a key of a controller; `None` if there is no such controller, or if it can't explain.
    pub(crate) fn why(&self, controller: &str, key: &ObjectKey) -> Option<Why> {
        let found = lock(&self.controllers).iter().find(|known| known.name_any() == controller).cloned();
        found?.why_any(key, self.leading.load(Ordering::Relaxed))
    }
}

/// The work of a leader.
#[derive(Clone)]
struct LeaderWork {
    controllers: Vec<Arc<dyn AnyController>>,
    runnables: Vec<LeaderRunnable>,
    patience: Duration,
}

impl LeaderWork {
    /// Runs until the term ends or a part fails. Returns when all parts have ended.
    async fn run(self, term: &Term) -> Result<(), ManagerError> {
        let part = term.part();
        let mut running = JoinSet::new();
        let waits = self.controllers.is_empty();
        for controller in self.controllers {
            let part = part.clone();
            spawn_in(&mut running, async move { Ok(controller.run_any(part).await?) });
        }
        for runnable in self.runnables {
            spawn_in(&mut running, runnable.run_in(part.clone(), self.patience));
        }
        let mut failed = Ok(());
        while let Some(ended) = running.join_next().await {
            if let Err(error) = failure(ended) {
                part.stopping().cancel();
                failed = failed.and(Err(error));
            }
        }
        // Without controllers, a leader that has nothing left to do still leads.
        if failed.is_ok() && waits {
            part.stopping().cancelled().await;
        }
        failed
    }
}

/// Converts the end of a task into the manager's error. A panic is an error too.
fn failure(ended: Result<Result<(), ManagerError>, tokio::task::JoinError>) -> Result<(), ManagerError> {
    match ended {
        Ok(ended) => ended,
        Err(error) if error.is_cancelled() => Ok(()),
        Err(error) => {
            Err(ManagerError::Runnable { name: "a task of the manager".to_owned(), error: Box::new(error) })
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manager").field("options", &self.options).finish_non_exhaustive()
    }
}

impl fmt::Debug for ManagerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManagerOptions")
            .field("health_listen", &self.health_listen)
            .field("metrics_listen", &self.metrics_listen)
            .field("debug_listen", &self.debug_listen)
            .field("tls", &self.tls)
            .field("access", &self.access)
            .field("metrics", &self.metrics.is_some())
            .field("sync_timeout", &self.sync_timeout)
            .field("stop_timeout", &self.stop_timeout)
            .field("lost_leadership", &self.lost_leadership)
            .field("catch_up_timeout", &self.catch_up_timeout)
            .finish()
    }
}
