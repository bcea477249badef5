//! Stores and queues of items of any type, with keys of any type.
//!
//! The [`Indexer`](crate::Indexer) and the queues of an informer hold Kubernetes objects, whose key is their namespace and
//! name. The types here hold any items: connections by address, jobs by number, objects by UID or by cluster and name.
//!
//! | client-go | here |
//! |---|---|
//! | `KeyFunc` | [`KeyFunc`] |
//! | `ThreadSafeStore` | [`ThreadSafeStore`] |
//! | `NewStore(keyFunc)`, `NewIndexer(keyFunc, indexers)` | [`KeyedStore`] |
//! | `NewTTLStore(keyFunc, ttl)` | [`ExpirationStore::keyed`](crate::ExpirationStore::keyed) |
//! | `NewFIFO(keyFunc)` | [`KeyedFifo`] |
//! | `NewDeltaFIFO(keyFunc)` | [`KeyedDeltaFifo`] |
//! | `NewHeap(keyFunc, less)` | [`Heap`](crate::Heap) |

mod delta_fifo;
mod fifo;
mod keyed_store;
mod shell;
mod thread_safe_store;

use std::sync::Arc;

pub use delta_fifo::{KeyedBatch, KeyedDelta, KeyedDeltaFifo, KeyedDeltaFifoOptions};
pub use fifo::{KeyedFifo, KeyedFifoOptions};
pub use keyed_store::KeyedStore;
pub use thread_safe_store::{StoreChange, ThreadSafeStore};

/// Returns the key of an item. It must return the same key for the same item, and must not panic.
///
/// ```
/// use std::sync::Arc;
/// use client_rs_cache::keyed::{KeyFunc, KeyedStore};
///
/// struct Session {
///     user: &'static str,
///     number: u32,
/// }
///
/// let key: KeyFunc<(&'static str, u32), Session> = Arc::new(|session| (session.user, session.number));
/// let store = KeyedStore::from_key_func(key);
/// store.add(Session { user: "ann", number: 7 });
/// assert!(store.get(&("ann", 7)).is_some());
/// ```
pub type KeyFunc<I, T> = Arc<dyn Fn(&T) -> I + Send + Sync>;
