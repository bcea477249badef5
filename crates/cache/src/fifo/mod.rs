//! The queue between a reflector and the store: what was told, in order, until it is applied.

mod queue;

pub use queue::{Batch, PopError, Queue};
