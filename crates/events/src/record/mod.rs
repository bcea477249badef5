//! Events of `core/v1`: client-go's `tools/record`.
//!
//! ```text
//! EventRecorder ──▶ EventBroadcaster ──▶ correlator ──▶ EventSink (the server)
//!                          ├──▶ log
//!                          └──▶ watchers
//! ```

mod broadcaster;
mod correlator;
mod deliver;
mod recorder;
mod sink;

pub use crate::watchers::EventWatcher;
pub use broadcaster::{EventBroadcaster, EventBroadcasterOptions};
pub use correlator::{
    Correlated, CorrelatorOptions, EventCorrelator, KeyFn, MessageFn, SpamKeyFn, aggregate_key_by_reason,
    aggregate_message_by_reason, spam_key,
};
pub use recorder::EventRecorder;
pub use sink::{EventSink, RestEventSink};
