//! Informers: what lies between an API server's list and watch and a controller's handlers.
//!
//! ```text
//! list/watch ──▶ Reflector ──deltas──▶ Queue ──▶ Indexer ──▶ handlers
//!                                                   │
//!                                                   ▼
//!                                                 Lister
//! ```
//!
//! This crate does no I/O: it takes a list and a watch. Objects in caches are `Arc<K>` and can't be changed through
//! them, so the mutation detector of client-go has no counterpart here: the compiler is it.

mod delta;
mod expiration_store;
pub mod fifo;
mod heap;
mod lister;
mod mutation_cache;
pub mod store;
mod sync;
#[cfg(test)]
mod testing;
mod transform;
mod undelta_store;

pub use delta::{Bookmark, Coverage, Deleted, Delta, DeltaKind, Replacement, Tombstone};
pub use expiration_store::{ExpirationPolicy, ExpirationStore, ExpirationStoreOptions};
pub use fifo::{
    Batch, DeltaFifo, DeltaFifoOptions, Fifo, FifoOptions, InOrderFifo, InOrderFifoOptions, KnownObjects,
    PopError, Queue,
};
pub use heap::{Heap, HeapClosed};
pub use lister::{Lister, NamespaceLister};
pub use mutation_cache::{MutationCache, MutationCacheOptions};
pub use store::{Change, Index, Indexer, IndexerOptions, Snapshot, Writer};
pub use transform::{Transform, TransformError};
pub use undelta_store::UndeltaStore;
