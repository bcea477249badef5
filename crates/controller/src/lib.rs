//! Controllers: informers and a work queue around a reconcile function.
//!
//! ```text
//! informers ──events──▶ predicates ──keys──▶ WorkQueue ──▶ workers ──▶ reconcile(key)
//!     ▲                                                                    │
//!     └────────────────────────── the API server ◀─────────────────────────┘
//! ```
//!
//! A [`Controller`] is put together from shared informers: the primary one, those of what its objects own, and any
//! others with a function from their objects to keys. A [`Manager`] runs controllers, informers and leader election
//! together, from start to stop.
//!
//! ```
//! use client_rs_cache::{ListWatch, SharedInformer, InformerOptions};
//! use client_rs_controller::{Action, Context, Controller, ControllerOptions, Result};
//! use client_rs_machinery::{ObjectKey, meta::v1::PartialObjectMetadata};
//! use tokio_util::sync::CancellationToken;
//!
//! async fn run(source: impl ListWatch<PartialObjectMetadata>, stop: CancellationToken) -> std::result::Result<(), Box<dyn std::error::Error>> {
//!     let informer = SharedInformer::new(source, InformerOptions::default());
//!     let store = informer.indexer().clone();
//!     let controller = Controller::new("labels", informer.clone(), ControllerOptions::default())
//!         .reconcile(move |key: ObjectKey, _: Context| {
//!             let object = store.get(&key);
//!             async move {
//!                 // Level triggered: look at what is there now, not at what happened.
//!                 println!("{key} {}", if object.is_some() { "is there" } else { "is gone" });
//!                 Ok(Action::done())
//!             }
//!         });
//!     let informing = informer.spawn();
//!     controller.run(stop).await?;
//!     informing.shutdown().await?;
//!     Ok(())
//! }
//! ```
//!
//! For those who come from controller-runtime: `builder.For().Owns().Watches()` are [`Controller::new`],
//! [`owns`](Controller::owns) and [`watches`](Controller::watches); `Result{RequeueAfter}` is [`Action`];
//! `reconcile.TerminalError` is [`ReconcileError::terminal`]; `EnableWarmup` is how every controller under a
//! [`Manager`] begins: its caches fill and its queue waits while another replica leads.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod action;
mod conditions;
mod context;
mod controller;
mod enqueue;
mod error;
mod finalizer;
mod manager;
mod metrics;
mod options;
mod owned;
mod predicate;
mod prometheus;
mod reconciler;
mod sharded;
mod state;
#[cfg(test)]
mod tests;
mod worker;

pub use action::Action;
pub use client_rs_cache::{CancellationToken, Notification};
pub use conditions::{ConditionStatus, Conditions, condition};
pub use context::Context;
pub use controller::{Controller, ControllerError, RunnableController};
pub use error::{ReconcileError, Result};
pub use finalizer::{Finalizing, finalizer};
pub use manager::{
    AccessReview, AnyController, Election, EndpointTls, LateInformer, Manager, ManagerError, ManagerOptions,
    Term, Work, setup_signal_handler,
};
#[cfg(feature = "clap")]
pub use manager::{ElectionArgsError, ManagerArgs};
#[cfg(feature = "metrics")]
pub use metrics::FacadeReconcileMetrics;
pub use metrics::{ReconcileMetrics, ReconcileOutcome};
pub use options::ControllerOptions;
pub use owned::{Applied, OwnError, Owned, adopt, release};
pub use predicate::{
    AndPredicate, NotPredicate, OrPredicate, Predicate, annotations_changed, finalizers_changed,
    generation_changed, labels_changed, resource_version_changed,
};
pub use prometheus::Prometheus;
pub use reconciler::Reconciler;
pub use state::{ControllerState, Counts, InFlight};
