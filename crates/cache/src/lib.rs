//! Informers: what lies between an API server's list and watch and a controller's handlers.
//!
//! ```text
//! list/watch ──▶ Reflector ──deltas──▶ Queue ──▶ Indexer ──▶ handlers
//!                                                   │
//!                                                   ▼
//!                                                 Lister
//! ```
//!
//! The usual way in is a [`SharedInformer`], or an [`InformerFactory`] of them:
//!
//! ```
//! use std::time::Duration;
//!
//! use client_rs_cache::{HandlerFns, InformerOptions, ListWatch, SharedInformer};
//! use client_rs_machinery::{GroupResource, Object, labels::Selector, meta::v1::PartialObjectMetadata};
//!
//! async fn print_pods(
//!     pods: impl ListWatch<PartialObjectMetadata>,
//! ) -> Result<(), Box<dyn std::error::Error>> {
//!     let options = InformerOptions::default().with_resync_period(Duration::from_secs(30));
//!     let informer = SharedInformer::with_options(pods, options);
//!     let handler = HandlerFns::new()
//!         .on_add(|pod: &std::sync::Arc<PartialObjectMetadata>, _| println!("New Pod Added to Store: {}", pod.name()))
//!         .on_update(|_, pod| println!("Pod Updated: {}", pod.name()))
//!         .on_delete(|pod| println!("Pod Deleted: {}", pod.key()));
//!     informer.add_handler(handler)?;
//!     let running = informer.spawn();
//!     informer.synced().await;
//!     let lister = informer.lister(GroupResource::new("", "pods"));
//!     println!("{} pods in kube-system", lister.namespace("kube-system").list(&Selector::everything())?.len());
//!     tokio::time::sleep(Duration::from_secs(600)).await;
//!     running.shutdown().await?;
//!     Ok(())
//! }
//! ```
//!
//! This crate does no I/O: it takes a list and a watch. Objects in caches are `Arc<K>` and can't be changed through
//! them, so the mutation detector of client-go has no counterpart here: the compiler is it.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cache_sync;
mod delta;
mod expiration_store;
mod factory;
#[cfg(test)]
mod fake_server;
mod fetch_error;
pub mod fifo;
#[cfg(test)]
mod fixtures;
mod heap;
mod informer_options;
mod list_watch;
mod lister;
mod metrics;
#[cfg(test)]
mod model_tests;
mod mutation_cache;
mod processor;
mod random;
pub mod reflector;
mod shared_informer;
mod single_informer;
mod state;
#[cfg_attr(
    not(feature = "packed"),
    allow(
        dead_code,
        unreachable_code,
        unused_variables,
        reason = "of the packed layout, of which there are no values"
    )
)]
pub mod store;
mod sync;
#[cfg(test)]
mod testing;
mod transform;
mod undelta_store;
pub mod watch_tools;

pub use cache_sync::{HasSynced, NotSynced, wait_for_cache_sync};
pub use delta::{Bookmark, Coverage, Deleted, Delta, DeltaKind, Replacement, Tombstone};
pub use expiration_store::{ExpirationPolicy, ExpirationStore, ExpirationStoreOptions};
pub use factory::{
    AnyInformer, FactoryOptions, InformerFactory, InformerFailed, Layouts, MetricsFor, Transforms, Tweak,
};
pub use fetch_error::FetchError;
pub use fifo::{
    Batch, DeltaFifo, DeltaFifoOptions, Fifo, FifoOptions, InOrderFifo, InOrderFifoOptions, KnownObjects,
    PopError, Queue,
};
pub use heap::{Heap, HeapClosed};
pub use informer_options::InformerOptions;
pub use list_watch::{
    BoxFuture, Cached, FetchContext, Incoming, ItemSink, ListWatch, ListWatchFns, Page, Tweaked, Undecodable,
    WatchStream, list_watch,
};
pub use lister::{Lister, NamespaceLister};
pub use metrics::InformerMetrics;
pub use mutation_cache::{MutationCache, MutationCacheOptions};
pub use processor::{
    AsyncEventHandler, Delivery, EventHandler, Execution, Filtered, HandlerFns, HandlerOptions, Notification,
    Registration, Subscription,
};
pub use random::Random;
pub use shared_informer::{InformerError, RunningInformer, SharedInformer};
pub use single_informer::{SingleInformer, SingleInformerHandle, process_loop};
pub use state::{HandlerState, InformerState, ReflectorState};
pub use store::{Change, Footprint, Found, Index, Indexer, IndexerOptions, Layout, Snapshot, Stored, Writer};
pub use tokio_util::sync::CancellationToken;
pub use transform::{Transform, TransformError};
pub use undelta_store::UndeltaStore;
