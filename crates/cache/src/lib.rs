//! Informers: a local copy of a collection of objects that follows the server, and handlers that are notified
//! of its changes.
//!
//! A controller that asks the API server for every look at an object is slow and loads the server. An
//! *informer* lists a collection once and then watches it. It keeps the objects in an indexed store, and
//! notifies handlers of each change. Reads then take no request at all. The price is that a read may be a
//! little old: the cache is *eventually consistent*.
//!
//! ```text
//! list/watch ──▶ Reflector ──deltas──▶ Queue ──▶ Indexer ──▶ handlers
//!                                                   │
//!                                                   ▼
//!                                                 Lister
//! ```
//!
//! - A [`ListWatch`] is the source: a client of a server, or [`MemoryListWatch`] in tests.
//!   This crate does no I/O of its own.
//! - A [`reflector::Reflector`] lists and watches. It resumes a broken watch where it ended, and relists when
//!   the server no longer has that version.
//! - A [`Queue`] keeps the deltas in order until they are applied.
//! - An [`Indexer`] stores the objects by key and by index. A [`Lister`] reads it like a client.
//! - Handlers ([`EventHandler`], [`HandlerFns`], [`Subscription`]) are notified of each change, each at its own
//!   pace.
//!
//! # Start here
//!
//! [`SharedInformer`] puts these parts together:
//!
//! ```
//! use std::sync::Arc;
//!
//! use client_rs_cache::{HandlerFns, MemoryListWatch, SharedInformer};
//! use client_rs_machinery::{GroupResource, Object, labels::Selector, meta::v1::PartialObjectMetadata};
//! # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
//! #     let mut pod = PartialObjectMetadata::default();
//! #     pod.metadata.namespace = "kube-system".into();
//! #     pod.metadata.name = name.into();
//! #     pod.metadata.resource_version = version.to_string().into();
//! #     pod
//! # }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let source: MemoryListWatch<_> = [pod("dns", 1), pod("proxy", 2)].into_iter().collect();
//! let informer = SharedInformer::new(source);
//! let handler = HandlerFns::new()
//!     .on_add(|pod: &Arc<PartialObjectMetadata>, _is_initial| println!("added {}", pod.name()))
//!     .on_update(|_old, new| println!("updated {}", new.name()))
//!     .on_delete(|pod| println!("deleted {}", pod.key()));
//! informer.add_handler(handler)?;
//!
//! let running = informer.spawn();
//! informer.synced().await;
//! let pods = informer.lister(GroupResource::new("", "pods"));
//! assert_eq!(pods.namespace("kube-system").list(&Selector::everything())?.len(), 2);
//! running.shutdown().await?;
//! # Ok(())
//! # }
//! ```
//!
//! A handler should not do the work of a controller: it puts the key of the object into a work queue, and a
//! worker reads the current state from the [`Lister`].
//!
//! # Where to go next
//!
//! - Several resources in one program: [`InformerFactory`], and over a client the factories of
//!   `client-rs-informers`.
//! - Lookups by more than the key: [`Index`]. A consistent view of the whole store: [`Snapshot`].
//! - Less memory: [`Transform`] drops fields, [`Layout`] packs objects, metadata-only types leave the rest on
//!   the server.
//! - One's own writes: [`Lister::at_least`] waits for them, [`MutationCache`] overlays them.
//! - Waiting for one condition without a cache: [`watch_tools`].
//! - Items that are not Kubernetes objects, keys that are not a namespace and a name: [`keyed`].
//! - How an informer is doing: [`SharedInformer::state`] and [`InformerMetrics`].
//!
//! # For users of client-go
//!
//! `SharedIndexInformer` is [`SharedInformer`], `Indexer`, `Reflector`, `DeltaFIFO` and `Lister` have the same
//! names, `RealFIFO` is [`InOrderFifo`], and `ResourceEventHandlerFuncs` is [`HandlerFns`]. Cached objects are
//! `Arc<K>` and cannot be changed through it, so the cache mutation detector has no counterpart: the compiler
//! does its work.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cache_sync;
mod collection;
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
mod join;
pub mod keyed;
mod kind_options;
mod lagging;
mod list_watch;
mod lister;
mod memory_list_watch;
mod metrics;
#[cfg(test)]
mod model_tests;
mod mutation_cache;
mod pools;
mod processor;
mod random;
mod read_scope;
pub mod reflector;
mod shared_informer;
#[cfg(feature = "sim")]
#[doc(hidden)]
pub mod sim;
mod single_informer;
mod state;
#[cfg_attr(
    not(feature = "packed"),
    allow(
        dead_code,
        unreachable_code,
        unused_variables,
        reason = "without the feature there are no values of the packed layout"
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
pub use collection::Collection;
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
pub use kind_options::{KindOptions, Kinds};
pub use lagging::Lagging;
pub use list_watch::{
    BoxFuture, Cached, FetchContext, Incoming, ItemSink, ListWatch, ListWatchFns, Page, Tweaked, Undecodable,
    WatchStream, list_watch,
};
pub use lister::{Lister, NamespaceLister};
pub use memory_list_watch::MemoryListWatch;
pub use metrics::{ActivityOf, InformerActivity, InformerMetrics};
pub use mutation_cache::{MutationCache, MutationCacheOptions};
pub use pools::Pools;
pub use processor::{
    AsyncEventHandler, Delivery, EventHandler, Execution, Filtered, HandlerFns, HandlerOptions, Notification,
    Registration, Subscription,
};
pub use random::Random;
pub use read_scope::{ReadObserver, observe_reads};
pub use shared_informer::{InformerError, RunningInformer, ServerVersion, SharedInformer};
pub use single_informer::{SingleInformer, SingleInformerHandle, process_loop};
pub use state::{HandlerState, InformerState, ReflectorState};
pub use store::{
    Awaited, Change, Footprint, Found, Index, Indexer, IndexerOptions, Layout, Snapshot, Stored, Writer,
};
pub use tokio_util::sync::CancellationToken;
pub use transform::{Transform, TransformError};
pub use undelta_store::UndeltaStore;
