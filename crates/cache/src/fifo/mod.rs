//! The queue between a reflector and the store: the reports of the server, in order, until they are applied.
//!
//! [`InOrderFifo`] is the one to use: it keeps every delta in the order of arrival and hands them out in
//! batches. [`DeltaFifo`] groups them by key, and [`Fifo`] keeps only the newest state of each key. All hand
//! out [deltas](crate::Delta), and all are used through [`Queue`].

mod by_key;
mod in_order;
mod initial_list;
mod known;
mod latest;
mod queue;
mod queue_core;
mod shell;
#[cfg(test)]
mod testing;

pub use by_key::{DeltaFifo, DeltaFifoOptions};
pub use in_order::{InOrderFifo, InOrderFifoOptions};
pub use known::KnownObjects;
pub use latest::{Fifo, FifoOptions};
pub use queue::{Batch, PopError, Queue};
