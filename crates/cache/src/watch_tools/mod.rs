//! Watching for something in particular: client-go's `tools/watch`.

mod retry;
mod until;

pub use retry::{InvalidVersion, RetryWatcher};
pub use until::{Condition, Precondition, UntilError, until, until_with_sync, until_without_retry};

use std::sync::Arc;

use client_rs_machinery::ApiError;
use client_rs_machinery::wire::WatchEvent;

/// An event of these watches.
pub type Event<K> = WatchEvent<Arc<K>, ApiError>;
