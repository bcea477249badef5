//! [`KeyState`]: the state of one key in a queue.

use tokio::time::Instant;

/// The state of one key in a queue; see [`WorkQueue::inspect`](crate::WorkQueue::inspect).
///
/// A key may be in several states at once: in progress, wanted again, and waiting for a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyState {
    /// The number of keys that are before it, if it can be handed out now. An estimate if levels age, or if tenants take
    /// turns.
    pub ahead: Option<usize>,
    /// Whether a worker has it.
    pub processing: bool,
    /// Whether it was added again while a worker has it, so that it is queued when the worker is done.
    pub again: bool,
    /// The time at which it is queued, if it waits for one. At most a day from now, even if it is later.
    pub due: Option<Instant>,
    /// Whether it waits because a failure was counted for it.
    pub backoff: bool,
}
