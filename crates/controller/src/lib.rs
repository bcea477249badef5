//! Controllers: informers and a work queue around a reconcile function.
//!
//! ```text
//! informers ──events──▶ predicates ──keys──▶ WorkQueue ──▶ workers ──▶ reconcile(key)
//!     ▲                                                                    │
//!     └────────────────────────── the API server ◀─────────────────────────┘
//! ```
//!
//! A controller keeps the cluster in line with objects. You write one function, `reconcile(key)`: it reads the object from a
//! cache, compares the desired state with the current state, and writes the difference. This crate calls the function
//! whenever something may have changed, never twice at once for the same key, and again with backoff after an error.
//!
//! Build a [`Controller`] from shared informers: the primary one, one for each kind of object that the primary objects own,
//! and any other with a function that maps its objects to keys. Then run it, alone or in a [`Manager`].
//!
//! ```
//! use client_rs_api::core::v1::ConfigMap;
//! use client_rs_client::Api;
//! use client_rs_controller::{Action, CancellationToken, Context, Controller, Manager};
//! use client_rs_informers::SharedInformerFactory;
//! use client_rs_machinery::{ObjectKey, json};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
//! # let server = client_rs_apiserver::Server::start_with(options).await?;
//! # let rest = server.rest_client()?;
//! // Writes a greeting into the config map "hello", and stops when the cache shows it.
//! let api = Api::<ConfigMap>::namespaced(&rest, "default");
//! api.apply(json!({"metadata": {"name": "hello"}}), "user").await?;
//! let factory = SharedInformerFactory::new(rest.clone());
//! let maps = factory.of::<ConfigMap>();
//! let stop = CancellationToken::new();
//! let (lister, stopping, writer) = (maps.lister(), stop.clone(), api.clone());
//! let controller = Controller::new("greeter", maps.informer()).reconcile(move |key: ObjectKey, _: Context| {
//!     let (lister, stopping, writer) = (lister.clone(), stopping.clone(), writer.clone());
//!     async move {
//!         // Level triggered: look at the current state, not at the event that led here.
//!         let Ok(map) = lister.get(&key) else { return Ok(Action::done()) };
//!         if key.name != "hello" {
//!             return Ok(Action::done());
//!         }
//!         if map.data.contains_key("greeting") {
//!             stopping.cancel();
//!         } else {
//!             let document = json!({"metadata": {"name": "hello"}, "data": {"greeting": "hi"}});
//!             writer.apply(document, "greeter").await?;
//!         }
//!         Ok(Action::done())
//!     }
//! });
//! Manager::new(&factory).controller(controller).run(stop).await?;
//! assert_eq!(api.get("hello").await?.data.get("greeting").map(|text| text.as_str()), Some("hi"));
//! # Ok(())
//! # }
//! ```
//!
//! # Where to find what you need
//!
//! | you want to | see |
//! |---|---|
//! | read, write, own, record and count with one object | `ClusterClient`, with the feature `cluster` |
//! | decide when a key is reconciled again | [`Action`], [`ReconcileError`] |
//! | ignore events that do not matter | [`Predicate`], [`generation_changed`], [`Controller::when`] |
//! | react to objects of another kind | [`Controller::owns`], [`Controller::watches`] |
//! | react to something outside of the cluster | [`Controller::channel`], [`Controller::source`], [`Controller::queue`] |
//! | watch another kind while it runs | [`RunnableController::watch`] |
//! | reconcile keys of your own type | [`KeyedController`] |
//! | work on several clusters | `Clusters`, with the feature `cluster` |
//! | create and remove child objects | [`Owned`] |
//! | write derived objects without a reconcile function | `ApplySink`, `StatusSink`, with the feature `collections` |
//! | reconcile the entries of a derived collection | `CollectionController`, with the feature `collections` |
//! | clean up before an object goes | [`finalizer()`], [`Finalizers`] |
//! | set finalizers and owners by hand | [`add_finalizer`], [`set_controller`] |
//! | write status conditions | [`Conditions`], [`condition`] |
//! | run several controllers, with leader election and probes | [`Manager`], [`ManagerOptions`] |
//! | continue after a lost leadership, or give it up | [`LostLeadership`], [`ManagerHandle::step_down`] |
//! | read options from the command line | `ManagerArgs`, with the feature `clap` |
//! | export metrics | [`Prometheus`], or [`ReconcileMetrics`] for a registry of your own |
//!
//! # Guarantees
//!
//! - One run per key at a time; different keys run in parallel, up to [`ControllerOptions::workers`].
//! - A key that changes during its run is reconciled again afterwards. Events are deduplicated by key, so a reconcile
//!   must not depend on how many events there were.
//! - A run may be cancelled at any `.await`: by a timeout, at the end of a shutdown, or when leadership is lost. Make
//!   `reconcile` idempotent.
//! - A run sees the writes of this process: it starts when the caches of its controller show them. See
//!   [`Controller`](Controller#own-writes).
//! - Not promised: that the cache has the writes of others. Writes that carry a `resourceVersion` fail with a conflict when it
//!   has not, and the key is retried.
//!
//! # Coming from controller-runtime
//!
//! `builder.For().Owns().Watches()` are [`Controller::new`], [`owns`](Controller::owns) and
//! [`watches`](Controller::watches). `Result{RequeueAfter}` is [`Action`]. `reconcile.TerminalError` is
//! [`ReconcileError::terminal`]. Every controller under a [`Manager`] behaves as with `EnableWarmup`: while another replica
//! leads, its caches fill and its keys wait in the queue.
//!
//! | controller-runtime | here |
//! |---|---|
//! | `client.Client` that reads from a cache | `ClusterClient` (feature `cluster`); a read starts no informer unless its option says so |
//! | `client.NewDryRunClient`, `WithFieldOwner`, `WithFieldValidation` | `RestClient::with_dry_run`, `with_field_manager`, `with_field_validation` |
//! | `cache.Options.ByObject`, `RemoveInformer` | `KindOptions`, `InformerFactory::remove` of `client-rs-cache` |
//! | `source.Channel`, `source.Func`, `Controller.Watch` while it runs | [`Controller::channel`], [`Controller::source`], [`RunnableController::watch`] |
//! | `TypedController[request]` | [`KeyedController`] |
//! | `controllerutil.SetControllerReference`, `AddFinalizer`, … | [`set_controller`], [`add_finalizer`], … |
//! | `finalizer.Finalizers` | [`Finalizers`] |
//! | `LeaderElectionRunnable` | [`Manager::leader_runnable`]; [`Manager::runnable`] runs in every replica |
//! | `AddMetricsServerExtraHandler` | [`Manager::metrics_handler`] |
//! | `cluster.Cluster`, multicluster-runtime | `Clusters` (feature `cluster`) |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod action;
#[cfg(feature = "cluster")]
mod cluster_client;
#[cfg(feature = "cluster")]
mod clusters;
mod conditions;
mod context;
mod controller;
pub mod debug_page;
#[cfg(feature = "collections")]
mod derived;
mod detect;
mod ended_runs;
mod enqueue;
mod error;
mod finalizer;
mod finalizers;
mod hashed;
mod keyed;
mod manager;
mod metadata;
mod metrics;
mod options;
mod own_writes;
mod owned;
mod predicate;
mod prometheus;
mod read_error;
mod reconciler;
mod recorder;
#[cfg(feature = "recording")]
pub mod recording;
mod run_token;
mod settle;
mod sharded;
#[cfg(feature = "cluster")]
mod sharded_informers;
mod slots;
mod source_look;
mod span;
mod state;
mod status_pages;
mod task;
#[cfg(test)]
mod tests;
mod why;
mod worker;

pub use action::Action;
pub use client_rs_cache::{CancellationToken, Notification};
#[cfg(feature = "cluster")]
pub use cluster_client::{CachedKind, ClusterClient, ClusterOptions, ElectorError, OwnedObjects, Uncached};
#[cfg(feature = "cluster")]
pub use clusters::{ClusterExists, ClusterKey, ClusterState, Clusters};
pub use conditions::{ConditionStatus, Conditions, condition};
pub use context::Context;
pub use controller::{Controller, ControllerError, RunnableController};
#[cfg(feature = "collections")]
pub use derived::{ApplySink, CollectionController, DerivedObject, StatusSink};
pub use detect::Finding;
pub use error::{ReconcileError, Result};
pub use finalizer::{Finalizing, finalizer};
pub use finalizers::Finalizers;
pub use keyed::{AddedWatch, KeyShards, KeyedController, KeyedOptions, KeyedRun, KeyedWhy, ReconcileKey};
pub use manager::{
    AccessReview, AnyController, Election, EndpointTls, LateInformer, LostLeadership, Manager, ManagerError,
    ManagerHandle, ManagerOptions, Term, Work, setup_signal_handler,
};
#[cfg(feature = "clap")]
pub use manager::{ElectionArgsError, ManagerArgs};
pub use metadata::{
    add_finalizer, has_finalizer, has_owner, remove_finalizer, set_controller, set_owner, unset_owner,
};
#[cfg(feature = "metrics")]
pub use metrics::FacadeReconcileMetrics;
pub use metrics::{ReconcileMetrics, ReconcileOutcome};
pub use options::ControllerOptions;
pub use owned::{Applied, OwnError, Owned, adopt, release};
pub use predicate::{
    AndPredicate, NamedPredicate, NotPredicate, OrPredicate, Predicate, annotations_changed,
    finalizers_changed, generation_changed, labels_changed, resource_version_changed,
};
pub use prometheus::{
    CounterFamily, CounterMetric, GaugeFamily, GaugeMetric, HistogramFamily, HistogramMetric, MetricError,
    Prometheus,
};
pub use read_error::ReadError;
pub use reconciler::Reconciler;
pub use recorder::Recorder;
#[cfg(feature = "cluster")]
pub use sharded_informers::{NotCovered, ShardedInformers};
pub use state::{BusyKey, ControllerState, Counts, InFlight, StaleWait, StaleWaits};
pub use status_pages::{StatusPages, thread_times};
pub use why::{Why, WhyCause, WhyEvent, WhyMemory, WhyNow, WhyRequest, WhyRun, WhyWriter};
