//! Events of `events.k8s.io/v1`: what client-go has in `tools/events`.
//!
//! An event that comes again is not counted on the server each time: at its second occurrence the server learns that
//! it is a series, then every 30 minutes how long that is, and a last time when nothing was heard of it for 6 minutes.

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
