//! Kubernetes events: telling people what a controller did, and why.
//!
//! Two APIs carry events, and client-go has a package for each. Both are here:
//!
//! | | [`record`] (this crate's root) | [`events_v1`] |
//! |---|---|---|
//! | client-go | `tools/record` | `tools/events` |
//! | API | `core/v1` | `events.k8s.io/v1` |
//! | says | object, type, reason, message | regarding, related, type, reason, action, note |
//! | many equal events | a count that is patched; similar ones are combined; a limit for spam | a series that is patched at its second event, every 30 minutes, and when it ends |
//!
//! [`EventBroadcasterAdapter`](events_v1::EventBroadcasterAdapter) takes the newer one where the server has it.
//!
//! Recording never waits for anything and never fails: events are for people, and a controller does not depend on
//! them. Shutting down delivers what can be delivered in a bounded time.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod broadcaster;
mod clock;
mod drops;
mod event_type;
pub mod events_v1;
mod failure;
mod host;
mod lru;
mod name;
pub mod record;
mod reference;
mod watchers;

pub use broadcaster::{Broadcaster, BroadcasterOptions, FullChannel, Stopped, Watcher};
pub use clock::Clock;
pub use event_type::EventType;
pub use host::hostname;
pub use name::event_name;
pub use record::{
    CorrelatorOptions, EventBroadcaster, EventBroadcasterOptions, EventCorrelator, EventRecorder, EventSink,
    EventWatcher, RestEventSink,
};
pub use reference::{Reference, ReferenceError};
