//! The interface to the controllers in the layer above, which follow the writes of the registry.

use std::fmt;
use std::sync::Arc;

use super::{Registry, Served, Stored};
use crate::store::{Change, TableId};

/// Follows every write of a registry.
///
/// - **Order**: [`changed`](Self::changed) is called in the order of the revisions.
/// - **Blocking**: `changed` is called while the store is locked. It may only record the change, and must not call
///   the registry. The others are called without a lock, by the thread that wrote, before the response; they may
///   read and write.
/// - **Not promised**: two calls of [`after_change`](Self::after_change) may come in another order than their
///   revisions.
pub(crate) trait Observer: fmt::Debug + Send + Sync {
    /// Records a change. `now` is the server's time, in seconds since 1970.
    fn changed(&self, table: TableId, change: &Change<Arc<Stored>>, now: i64);

    /// Called after a change, when watches have been notified.
    fn after_change(&self, registry: &Registry, table: TableId, change: &Change<Arc<Stored>>);

    /// Called after a request has written an object of a kind that has a
    /// [follow-up](crate::kinds::KindRules::follow_up). `stored` is the written or deleted object.
    fn after_write(&self, registry: &Registry, served: &Served, stored: &Stored, wrote: Wrote);
}

/// The operation of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrote {
    Created,
    Updated,
    Deleted,
    /// Added by a test, to stay unchanged.
    Fixture,
}
