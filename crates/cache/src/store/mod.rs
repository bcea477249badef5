//! The store: objects by key and by index, read by anyone, written by one.
//!
//! How it is built, from the bottom:
//! - a vector in leaves whose clones share leaves (`cow_vec`);
//! - on it a table of numbered slots, found by hash, that keeps no keys: its items have them (`table`, `shard`);
//! - an index is the same table over its values, each with the set of slots that have it (`postings`, `slot_set`);
//! - together they are the content of a store, which clones in microseconds whatever its size (`content`).
//! - the objects themselves are kept decoded, or packed into few bytes (`objects`, `packed`).
//!
//! A snapshot is a clone. While none is alive, writes are in place. A list is applied to a clone of the content, which
//! then takes its place: readers see all of it or nothing, what did not change is shared, and nobody waits meanwhile.

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

pub use change::Change;
pub use footprint::Footprint;
pub use index::{Index, IndexError, IndexFunction, IndexValue, NAMESPACE_INDEX};
pub use indexer::{AtLeastError, Indexer, IndexerOptions};
pub use layout::Layout;
pub use snapshot::Snapshot;
pub use stored::{Found, Stored};
pub use writer::Writer;
