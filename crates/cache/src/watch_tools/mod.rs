//! Waits for something in particular: client-go's `tools/watch`.
//!
//! [`until`] watches from a version on until conditions hold. [`until_with_sync`] also looks at the current
//! state first. Both end with the first match; for a cache that stays, use a
//! [`SharedInformer`](crate::SharedInformer). [`RetryWatcher`] is the watch below them: it reopens itself.

mod retry;
mod until;

pub use retry::{InvalidVersion, RetryWatcher};
pub use until::{Condition, Precondition, UntilError, until, until_with_sync, until_without_retry};

use std::sync::Arc;

use client_rs_machinery::ApiError;
use client_rs_machinery::wire::WatchEvent;

/// An event of these watches.
pub type Event<K> = WatchEvent<Arc<K>, ApiError>;
