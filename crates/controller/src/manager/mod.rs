//! Controllers, informers and leader election, from start to stop.

#[cfg(feature = "clap")]
mod args;
mod endpoints;
mod lease_election;
mod runnable;
mod signal;

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_cache::{InformerFactory, InformerFailed, InformerState};
use client_rs_machinery::ErrorChain;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{ControllerError, ControllerState};
#[cfg(feature = "clap")]
pub use args::{ElectionArgsError, ManagerArgs};
use endpoints::Endpoints;
pub use endpoints::{AccessReview, EndpointTls};
#[cfg(test)]
pub(crate) use endpoints::{Answers, Endpoint};
pub(crate) use runnable::BoxFuture;
use runnable::Runnable;
pub use runnable::{AnyController, Election, Term, Work};
pub use signal::setup_signal_handler;

client_rs_machinery::options! {
    /// How a [`Manager`] runs.
    #[derive(Clone)]
    pub struct ManagerOptions {
        /// Where `/healthz`, `/livez` and `/readyz` are served, to everybody and without TLS: a kubelet asks so. Port 0 is a free
        /// one, here and below. Default: nowhere.
        pub health_listen: Option<SocketAddr> => with_health_listen,
        /// Where `/metrics` is served, with [`tls`](Self::tls) and [`access`](Self::access). Default: nowhere.
        pub metrics_listen: Option<SocketAddr> => with_metrics_listen,
        /// Where `/debug/state` is served, with [`tls`](Self::tls) and [`access`](Self::access): the keys that controllers work
        /// on, their last errors, the state of informers. Without `access` it must be a loopback address. Default: nowhere.
        ///
        /// Each of the three has connections of its own: 64, of which the oldest is closed for one more. None lasts longer than
        /// 30 seconds.
        pub debug_listen: Option<SocketAddr> => with_debug_listen,
        /// The certificate of metrics and debug. Its files are read again while it is used. Default: none, and they are served
        /// without TLS.
        pub tls: Option<EndpointTls> => with_tls,
        /// Who may read metrics and debug. It needs `tls`, except at loopback addresses: the token would be seen by others.
        /// Default: none, and everybody may who reaches them.
        pub access: Option<AccessReview> => with_access,
        /// The text of `/metrics`, in Prometheus' format: what an exporter of the `metrics` crate renders. Default: none, and
        /// the path is not found.
        pub metrics: Option<Arc<dyn Fn() -> String + Send + Sync>> => with_metrics,
        /// How long a start waits for the informers to have their first list. Default: 2 minutes.
        pub sync_timeout: Duration => with_sync_timeout,
        /// How long a stop waits for each of its steps before it goes on without. Default: 30 seconds.
        pub stop_timeout: Duration => with_stop_timeout,
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
        }
    }
}

/// Runs controllers, informers and leader election together.
///
/// - **Start**: the endpoints, then the informers until they have their first list, then what every replica runs, then
///   leader election, and when it is won the controllers. Until then the controllers are warm: their caches are full and
///   their queues wait.
/// - **Stop**: the controllers until their last run has ended
///   ([`drain_timeout`](crate::ControllerOptions::drain_timeout)), then the lease is released, then the rest, the informers
///   and the endpoints last. Each step of the rest has [`stop_timeout`](ManagerOptions::stop_timeout).
/// - **A lost leadership** drops all runs of the controllers at once, without draining: another replica leads now, or soon.
///   The lease is not released while one of them is alive. The rest then stops as above, and the manager ends with
///   [`ManagerError::LeadershipLost`]: a process that led and no longer does should end, since something of it may still
///   think that it leads.
/// - **Errors** of any part stop all of it, in the same order, and are returned. An informer that ends on its own, since it
///   panicked, is one.
///
/// Dropping a run stops it at its next `await`, and reaches neither tasks that it has spawned nor a process that is paused.
/// So give controllers a client that refuses writes outside of the term, by the clock, whichever task makes them:
///
/// ```
/// # fn example(rest: client_rs_client::RestClient, elector: client_rs_leaderelection::LeaderElector) {
/// let writes = elector.gated(&rest);
/// // Reads and informers may use either; reconcilers get `writes`, and `Manager::election` gets `elector`.
/// # drop(writes);
/// # }
/// ```
///
/// A write that is on the wire when the term ends can't be recalled: where that matters, its receiver compares a
/// [`FencingToken`](client_rs_leaderelection::FencingToken). What is assumed of clocks is said at
/// [`LeadershipScope`](client_rs_leaderelection::LeadershipScope).
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
///         // What every replica does until the end; here it is what ends the example.
///         stopping.cancel();
///         stop.cancelled().await;
///         Ok::<(), std::io::Error>(())
///     });
/// manager.run(stop).await
/// # }
/// ```
#[must_use = "nothing runs until `run` or `run_until_signal`"]
pub struct Manager {
    options: ManagerOptions,
    factory: InformerFactory,
    election: Option<Arc<dyn Election>>,
    /// What only the leader runs.
    controllers: Vec<Arc<dyn AnyController>>,
    /// What every replica runs.
    everywhere: Vec<Arc<dyn AnyController>>,
    /// Behind a lock so that others can look at the manager while it runs; it is never contended.
    runnables: Mutex<Vec<Runnable>>,
    status: Arc<Status>,
    /// What was set or named a second time, first.
    duplicate: Mutex<Option<String>>,
}

/// Why a manager has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManagerError {
    /// An endpoint can't listen at its address: another process has the port, or this one may not use it.
    #[error(
        "can't listen at {address} for {endpoint}: {error}; choose another address with --{endpoint}-listen \
         (ManagerOptions::{endpoint}_listen), or end what listens there"
    )]
    Listen {
        /// `health`, `metrics` or `debug`.
        endpoint: &'static str,
        /// The address.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// The certificate of the endpoints can't be used.
    #[error("the endpoints have no certificate: {0}")]
    Certificate(client_rs_transport::serving::ServingCertificateError),
    /// An endpoint would tell strangers what they must not know.
    #[error("won't listen at {address}: {why}")]
    Exposed {
        /// The address.
        address: SocketAddr,
        /// What is wrong, and what to do.
        why: &'static str,
    },
    /// Something was set twice that there is one of, or two things have one name.
    #[error("{what} was set twice")]
    Duplicate {
        /// What.
        what: String,
    },
    /// Signals can't be listened for.
    #[error("can't listen for signals: {0}")]
    Signal(std::io::Error),
    /// Informers did not have their first list in time.
    #[error("informers without their first list after {after:?}: {}", joined(informers))]
    NotSynced {
        /// How long it waited.
        after: Duration,
        /// Which informers, and why.
        informers: Vec<LateInformer>,
    },
    /// An informer has stopped although the manager runs: it panicked, or somebody stopped it. Its cache is no longer
    /// updated.
    #[error(transparent)]
    Informer(#[from] InformerFailed),
    /// A controller could not run.
    #[error(transparent)]
    Controller(#[from] ControllerError),
    /// Something that was added to the manager has failed.
    #[error("{name} failed: {}", ErrorChain(&**error))]
    Runnable {
        /// What.
        name: String,
        /// Why.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another replica leads now, or may.
    #[error("the leadership is lost")]
    LeadershipLost,
}

// Not a source: the text has it.
impl From<client_rs_transport::serving::ServingCertificateError> for ManagerError {
    fn from(error: client_rs_transport::serving::ServingCertificateError) -> Self {
        Self::Certificate(error)
    }
}

/// An informer that did not have its first list in time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LateInformer {
    /// What it is called.
    pub name: String,
    /// Why its last list or watch failed; `None` if none has failed, because the server has not answered yet.
    pub cause: Option<String>,
}

impl fmt::Display for LateInformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = self.cause.as_deref().unwrap_or("the server has not answered its list yet");
        write!(f, "{}: {cause}", self.name)
    }
}

fn joined(informers: &[LateInformer]) -> String {
    let texts: Vec<String> = informers.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

type Check = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

/// What the endpoints show.
pub(crate) struct Status {
    pub(crate) factory: InformerFactory,
    pub(crate) controllers: Mutex<Vec<Arc<dyn AnyController>>>,
    pub(crate) health: Mutex<BTreeMap<String, Check>>,
    pub(crate) ready: Mutex<BTreeMap<String, Check>>,
    pub(crate) synced: AtomicBool,
    pub(crate) leading: AtomicBool,
}

impl Manager {
    /// A manager of a factory's informers.
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
            synced: AtomicBool::new(false),
            leading: AtomicBool::new(false),
        });
        Self {
            options,
            factory,
            election: None,
            controllers: vec![],
            everywhere: vec![],
            runnables: Mutex::default(),
            status,
            duplicate: Mutex::default(),
        }
    }

    /// With a controller that runs while this replica leads; without leader election, always. A second controller of the
    /// same name is an error when the manager [runs](Self::run).
    pub fn controller(mut self, controller: impl AnyController) -> Self {
        let controller: Arc<dyn AnyController> = Arc::new(controller);
        self.know(&controller);
        self.controllers.push(controller);
        self
    }

    /// With a controller that every replica runs, leader or not.
    pub fn controller_without_election(mut self, controller: impl AnyController) -> Self {
        let controller: Arc<dyn AnyController> = Arc::new(controller);
        self.know(&controller);
        self.everywhere.push(controller);
        self
    }

    /// With something else that every replica runs until the token is cancelled, such as a webhook server. Its end before
    /// that, with an error, stops the manager.
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

    /// With leader election. A second one is an error when the manager [runs](Self::run).
    pub fn election(mut self, election: impl Election) -> Self {
        let election: Arc<dyn Election> = Arc::new(election);
        let checked = Arc::clone(&election);
        if self.election.replace(election).is_some() {
            self.set_twice("the election of a manager");
        }
        self.health_check("leaderElection", move || checked.healthy())
    }

    /// With a check that `/healthz` asks. A second one of the same name is an error when the manager [runs](Self::run).
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

    /// With a check that `/readyz` asks, besides its own: that the informers have their first list and still run. A second
    /// one of the same name is an error when the manager [runs](Self::run).
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

    /// The informers.
    pub fn factory(&self) -> &InformerFactory {
        &self.factory
    }

    /// Runs until SIGINT (Ctrl-C) or, where there are such signals, SIGTERM: [`setup_signal_handler`] from the first poll on. A
    /// second signal ends the process with code 1, and so does one that comes after this has returned.
    ///
    /// Several managers in one process share one token of [`setup_signal_handler`] and [`run`](Self::run) instead.
    pub async fn run_until_signal(self) -> Result<(), ManagerError> {
        let stop = setup_signal_handler().map_err(ManagerError::Signal)?;
        // Once this has ended, or was dropped, nobody stops in order, and a signal ends the process.
        let _ended = stop.clone().drop_guard();
        self.run(stop).await
    }

    /// Runs until the token is cancelled, or something fails.
    pub async fn run(mut self, stop: CancellationToken) -> Result<(), ManagerError> {
        if let Some(what) = lock(&self.duplicate).take() {
            return Err(ManagerError::Duplicate { what });
        }
        let endpoints = Endpoints::start(&self.options, Arc::clone(&self.status)).await?;
        // What every replica runs ends after the leader's work, and so has a token of its own.
        let end = CancellationToken::new();
        let mut others = JoinSet::new();
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
            tracing::warn!(after = ?patience, "what every replica runs did not stop in time");
            None
        });
        others.shutdown().await;
        if tokio::time::timeout(patience, self.factory.shutdown()).await.is_err() {
            tracing::warn!(after = ?patience, "the informers did not stop in time");
        }
        drop(endpoints);
        led.and(failed.map_or(Ok(()), Err))
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
            others.spawn(async move { Ok(controller.run_any(Term::until(&end)).await?) });
        }
        let runnables = std::mem::take(&mut *lock(&self.runnables));
        for Runnable { name, run } in runnables {
            let running = run(end.clone());
            others
                .spawn(async move { running.await.map_err(|error| ManagerError::Runnable { name, error }) });
        }
        // The end of any of them before its time, with an error, is the end of all.
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

    /// Runs the controllers, under leader election if there is one.
    async fn lead(&self, stop: CancellationToken) -> Result<(), ManagerError> {
        let controllers = self.controllers.clone();
        let Some(election) = &self.election else {
            self.status.leading.store(true, Ordering::Relaxed);
            return run_all(controllers, &Term::until(&stop)).await;
        };
        let failed: Arc<Mutex<Option<ManagerError>>> = Arc::default();
        let (status, error, outer) = (Arc::clone(&self.status), Arc::clone(&failed), stop.clone());
        let work = Box::new(move |term: Term| -> BoxFuture<'static, ()> {
            Box::pin(async move {
                status.leading.store(true, Ordering::Relaxed);
                tracing::info!("leading");
                if let Err(failure) = run_all(controllers, &term).await {
                    *lock(&error) = Some(failure);
                    // Ends the election: there is nothing left to lead.
                    outer.cancel();
                }
                status.leading.store(false, Ordering::Relaxed);
            })
        });
        let stopped = stop.clone();
        election.lead(stop, work).await;
        if let Some(error) = lock(&failed).take() {
            return Err(error);
        }
        if stopped.is_cancelled() { Ok(()) } else { Err(ManagerError::LeadershipLost) }
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> Arc<Status> {
        Arc::clone(&self.status)
    }

    /// From now on `/readyz` fails.
    fn informer_failed(&self, failed: InformerFailed) -> ManagerError {
        let why = failed.to_string();
        tracing::error!(error = why, "the manager ends");
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
}

/// Runs controllers until the term ends or one of them fails; then all of them have ended.
async fn run_all(controllers: Vec<Arc<dyn AnyController>>, term: &Term) -> Result<(), ManagerError> {
    let part = term.part();
    let mut running = JoinSet::new();
    for controller in controllers {
        let part = part.clone();
        running.spawn(async move { Ok(controller.run_any(part).await?) });
    }
    if running.is_empty() {
        part.stopping().cancelled().await;
    }
    let mut failed = Ok(());
    while let Some(ended) = running.join_next().await {
        if let Err(error) = failure(ended) {
            part.stopping().cancel();
            failed = failed.and(Err(error));
        }
    }
    failed
}

/// A panic is an error too.
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
            .finish()
    }
}
