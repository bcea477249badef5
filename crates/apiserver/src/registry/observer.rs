//! Who follows the writes of the registry: the controllers, in the layer above.

use std::fmt;
use std::sync::Arc;

use super::{Registry, Stored};
use crate::store::{Change, TableId};

/// Follows every write of a registry.
///
/// - **Order**: [`changed`](Self::changed) is called in the order of the revisions.
/// - **Blocking**: `changed` is called while the store is locked. It may only take note, and must not call the registry.
///   The others are called without a lock, by the thread that wrote, before the request is answered; they may read and
///   write.
/// - **Not promised**: two calls of [`after_change`](Self::after_change) may come in another order than their revisions.
pub(crate) trait Observer: fmt::Debug + Send + Sync {
    /// Takes note of a change. `now` is the server's time, in seconds since 1970.
    fn changed(&self, table: TableId, change: &Change<Arc<Stored>>, now: i64);

    /// Called after a change, when watches have been notified.
    fn after_change(&self, registry: &Registry, table: TableId, change: &Change<Arc<Stored>>);

    /// Called after a request has written a definition of a custom resource.
    fn after_definition(&self, registry: &Registry);

    /// Called after a namespace was created.
    fn namespace_created(&self, registry: &Registry, name: &str);
}
