//! The store: objects by key and by index, with many readers and one writer.
//!
//! Most programs get a store from an informer ([`SharedInformer::indexer`](crate::SharedInformer::indexer)) and
//! only read it. To fill one yourself:
//!
//!
//! ```
//! # use client_rs_machinery::meta::v1::PartialObjectMetadata;
//! # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
//! #     let mut pod = PartialObjectMetadata::default();
//! #     pod.metadata.namespace = "default".into();
//! #     pod.metadata.name = name.into();
//! #     pod.metadata.resource_version = version.to_string().into();
//! #     pod
//! # }
//! use client_rs_cache::store::Indexer;
//!
//! let (mut writer, indexer) = Indexer::new();
//! writer.add(pod("web", 1))?;
//! assert_eq!(indexer.list().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it is built
//!
//! From the bottom:
//! - a vector in leaves, whose clones share leaves (`cow_vec`);
//! - on it a table of numbered slots, found by hash, that stores no keys: its items have them (`table`,
//!   `shard`);
//! - an index is the same table over its values, each with the set of slots that have it (`postings`,
//!   `slot_set`);
//! - together they are the content of a store, which clones in microseconds at any size (`content`);
//! - the objects themselves are stored decoded, or packed into few bytes (`objects`, `packed`).
//!
//! A snapshot is a clone. While no snapshot is alive, writes happen in place. A list is applied to a clone of
//! the content, which then replaces the old content: readers see all of the list or none of it, unchanged parts
//! are shared, and no reader waits.

mod awaited;
mod change;
mod content;
mod cow_vec;
mod footprint;
mod index;
mod indexer;
mod layout;
mod objects;
mod packed;
mod packing;
mod postings;
mod shard;
mod shared;
mod slot_set;
mod snapshot;
mod stored;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod versions;
mod waiters;
mod writer;

pub use awaited::Awaited;
pub use change::Change;
pub use footprint::Footprint;
pub use index::{Index, IndexError, IndexFunction, IndexValue, NAMESPACE_INDEX};
pub use indexer::{AtLeastError, Indexer, IndexerOptions};
pub use layout::Layout;
pub use snapshot::Snapshot;
pub use stored::{Found, Stored};
pub use writer::Writer;
