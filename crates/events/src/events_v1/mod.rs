//! Events of `events.k8s.io/v1`: client-go's `tools/events`.
//!
//! Repeated events are not written each time. The second occurrence makes the event a series. The server gets its count every
//! 30 minutes, and a last time when the event has not occurred for 6 minutes.

mod adapter;
mod broadcaster;
mod deliver;
mod recorder;
mod selector;
mod series;
mod sink;

pub use adapter::{AdaptedRecorder, EventBroadcasterAdapter};
pub use broadcaster::{EventBroadcaster, EventBroadcasterOptions, StartError};
pub use recorder::EventRecorder;
pub use selector::{UnknownVersion, field_selector};
pub use series::SeriesCache;
pub use sink::{EventSink, RestEventSink};
