//! Kubernetes events: reports of what a controller did, and why, as `kubectl describe` shows them.
//!
//! Events are for people. Use them for milestones and problems of an object: "created the volume", "the image can't be
//! pulled". Do not use them for state that programs need: write a status condition. Do not use them as a log: the server
//! deletes events after an hour by default, and similar events are combined.
//!
//! ```
//! use client_rs_api::core::v1::Pod;
//! use client_rs_events::{EventBroadcaster, EventType, eventf};
//! use client_rs_machinery::meta::v1::ObjectMeta;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), client_rs_events::Stopped> {
//! let broadcaster = EventBroadcaster::new();
//! // A program also calls `start_recording_to_sink(RestEventSink::new(client))`.
//! let (sender, mut seen) = tokio::sync::mpsc::unbounded_channel();
//! broadcaster.start_event_watcher(move |event| drop(sender.send(event)))?;
//!
//! let recorder = broadcaster.recorder("my-controller", "");
//! let pod = Pod { metadata: ObjectMeta { name: "web".into(), ..ObjectMeta::EMPTY }, ..Pod::EMPTY };
//! eventf!(recorder, &pod, EventType::Warning, "BackOff", "failed {} times", 3);
//! broadcaster.shutdown().await;
//! let event = seen.recv().await.expect("the event was delivered before the shutdown");
//! assert_eq!((event.reason.as_str(), event.message.as_str()), ("BackOff", "failed 3 times"));
//! # Ok(())
//! # }
//! ```
//!
//! | part | purpose |
//! |---|---|
//! | [`EventRecorder`] | records events; a controller keeps one |
//! | [`EventBroadcaster`] | distributes events to sinks, the log and watchers; a program has one |
//! | [`EventSink`], [`RestEventSink`] | write events to the server |
//! | [`EventCorrelator`] | combines, counts and limits similar events before they reach a sink |
//! | [`EventRecorder::channel`] | a recorder for tests |
//! | [`search`] | lists the events of an object |
//!
//! # Guarantees
//!
//! Recording never blocks and never fails: a controller must not depend on events. Queues are bounded; if one is full, events
//! are dropped, counted and logged. A shutdown delivers the queued events in a bounded time. Delivery is not promised.
//!
//! # Two APIs
//!
//! Two APIs have events, and client-go has a package for each. Both are here. The older one is the default choice: all
//! servers and tools show it.
//!
//! | | [`record`] (this crate's root) | [`events_v1`] |
//! |---|---|---|
//! | client-go | `tools/record` | `tools/events` |
//! | API | `core/v1` | `events.k8s.io/v1` |
//! | fields | object, type, reason, message | regarding, related, type, reason, action, note |
//! | many equal events | a count that is patched; similar ones are combined; a limit for spam | a series that is patched at its second event, every 30 minutes, and when it ends |
//!
//! [`EventBroadcasterAdapter`](events_v1::EventBroadcasterAdapter) uses the newer API if the server has it.

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
mod search;
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
pub use search::search;
