//! Who says what happened.

use std::fmt::Display;
use std::sync::Arc;

use client_rs_api::core::v1::{Event, EventSource, ObjectReference};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Map, Str, Time};
use tokio::sync::mpsc;

use super::broadcaster::Inner;
use crate::clock::Clock;
use crate::name::event_name;
use crate::{EventType, Reference};

/// Records events of one source.
///
/// Recording never waits and never fails: an event is put into the broadcaster's queue, or dropped with a log line if
/// that is full, if the broadcaster has been shut down, or if the object does not say what it is. It may be called
/// from any thread. That an event reaches the server is not promised; its order among the recorder's others is.
///
/// Cheap to clone. As long as a recorder lives, its broadcaster goes on.
///
/// For the arguments: `reason` is short, unique and in `UpperCamelCase`, for programs; `message` is for people, and may
/// be anything that displays, such as `format_args!(…)`. [`eventf!`](crate::eventf) does the latter.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_events::{EventBroadcaster, EventBroadcasterOptions, EventType, eventf};
/// use client_rs_machinery::meta::v1::ObjectMeta;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_events::Stopped> {
/// let broadcaster = EventBroadcaster::new();
/// let (heard, mut events) = tokio::sync::mpsc::unbounded_channel();
/// broadcaster.start_event_watcher(move |event| drop(heard.send(event.message.clone())))?;
///
/// let recorder = broadcaster.recorder("my-controller", "node-1");
/// let pod = Pod { metadata: ObjectMeta { name: "web".into(), ..ObjectMeta::EMPTY }, ..Pod::EMPTY };
/// recorder.event(&pod, EventType::Normal, "Pulled", "the image is there");
/// eventf!(recorder, &pod, EventType::Warning, "BackOff", "tried {} times", 3);
/// broadcaster.shutdown().await;
/// assert_eq!(events.recv().await.as_deref(), Some("the image is there"));
/// assert_eq!(events.recv().await.as_deref(), Some("tried 3 times"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EventRecorder {
    source: EventSource,
    target: Target,
}

#[derive(Clone, Debug)]
enum Target {
    Broadcaster(Arc<Inner>),
    Channel(mpsc::Sender<Arc<Event>>),
}

impl EventRecorder {
    pub(super) fn new(source: EventSource, inner: Arc<Inner>) -> Self {
        Self { source, target: Target::Broadcaster(inner) }
    }

    /// A recorder whose events come out of a channel, uncorrelated, for tests: client-go's `FakeRecorder`. What does
    /// not fit into the channel is dropped.
    pub fn channel(component: &str, capacity: usize) -> (Self, mpsc::Receiver<Arc<Event>>) {
        let (sender, receiver) = mpsc::channel(capacity.max(1));
        let source = EventSource { component: component.into(), ..EventSource::EMPTY };
        (Self { source, target: Target::Channel(sender) }, receiver)
    }

    /// Something happened to an object, now.
    pub fn event(
        &self,
        object: impl Into<Reference>,
        event_type: EventType,
        reason: &str,
        message: impl Display,
    ) {
        self.record(object.into(), Map::EMPTY, None, event_type, reason, &message);
    }

    /// Something happened to an object at another time than now.
    pub fn past_event(
        &self,
        object: impl Into<Reference>,
        at: Time,
        event_type: EventType,
        reason: &str,
        message: impl Display,
    ) {
        self.record(object.into(), Map::EMPTY, Some(at), event_type, reason, &message);
    }

    /// Something happened to an object, now; the event carries annotations.
    pub fn annotated_event(
        &self,
        object: impl Into<Reference>,
        annotations: Map<Str>,
        event_type: EventType,
        reason: &str,
        message: impl Display,
    ) {
        self.record(object.into(), annotations, None, event_type, reason, &message);
    }

    fn record(
        &self,
        object: Reference,
        annotations: Map<Str>,
        at: Option<Time>,
        event_type: EventType,
        reason: &str,
        message: &dyn Display,
    ) {
        let object = match object.checked() {
            Ok(object) => object,
            Err(error) => {
                tracing::error!(%error, %event_type, reason, "an event is not recorded");
                return;
            }
        };
        let now = match &self.target {
            Target::Broadcaster(inner) => inner.clock.now(),
            Target::Channel(_) => Clock::default().now(),
        };
        let event = self.make(object, annotations, now, at.unwrap_or(now), event_type, reason, message);
        match &self.target {
            Target::Broadcaster(inner) => match inner.watchers.broadcaster.action_or_drop(Arc::new(event)) {
                // What is dropped is counted and logged there.
                Ok(_) => {}
                Err(error) => tracing::error!(%error, reason, "an event is not recorded"),
            },
            Target::Channel(sender) => {
                if sender.try_send(Arc::new(event)).is_err() {
                    tracing::error!(reason, "an event is dropped: the channel is full or closed");
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)] // An event has as many parts.
    fn make(
        &self,
        object: ObjectReference,
        annotations: Map<Str>,
        now: Time,
        at: Time,
        event_type: EventType,
        reason: &str,
        message: &dyn Display,
    ) -> Event {
        let namespace =
            if object.namespace.is_empty() { Str::from("default") } else { object.namespace.clone() };
        Event {
            metadata: ObjectMeta {
                name: event_name(&object.name, now),
                namespace,
                annotations,
                ..ObjectMeta::EMPTY
            },
            involved_object: object.into(),
            reason: reason.into(),
            message: message.to_string().into(),
            first_timestamp: Some(at),
            last_timestamp: Some(at),
            count: 1,
            type_: event_type.as_str().into(),
            reporting_component: self.source.component.clone(),
            reporting_instance: self.source.host.clone(),
            source: self.source.clone(),
            ..Event::EMPTY
        }
    }
}

/// Records an event with a formatted message: `eventf!(recorder, &pod, EventType::Normal, "Pulled", "took {took:?}")`.
#[macro_export]
macro_rules! eventf {
    ($recorder:expr, $object:expr, $type:expr, $reason:expr, $($format:tt)+) => {
        $recorder.event($object, $type, $reason, ::std::format_args!($($format)+))
    };
}
