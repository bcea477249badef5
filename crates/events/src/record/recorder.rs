//! The recorder of events.

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
/// Recording never waits and never fails. An event is put into the broadcaster's queue. It is dropped with a log line if the
/// queue is full, if the broadcaster was shut down, or if the object has no kind or version. It may be called from any thread.
/// Delivery to the server is not promised; the order of the events of a recorder is.
///
/// Cheap to clone. As long as a recorder lives, its broadcaster runs.
///
/// Arguments: `reason` is short and in `UpperCamelCase`, for programs. `message` is for people, and may be anything that
/// implements `Display`, such as `format_args!(…)`; [`eventf!`](crate::eventf) formats it.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_events::{EventBroadcaster, EventBroadcasterOptions, EventType, eventf};
/// use client_rs_machinery::meta::v1::ObjectMeta;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_events::Stopped> {
/// let broadcaster = EventBroadcaster::new();
/// let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
/// broadcaster.start_event_watcher(move |event| drop(sender.send(event.message.clone())))?;
///
/// let recorder = broadcaster.recorder("my-controller", "node-1");
/// let pod = Pod { metadata: ObjectMeta { name: "web".into(), ..ObjectMeta::EMPTY }, ..Pod::EMPTY };
/// recorder.event(&pod, EventType::Normal, "Pulled", "pulled the image");
/// eventf!(recorder, &pod, EventType::Warning, "BackOff", "tried {} times", 3);
/// broadcaster.shutdown().await;
/// assert_eq!(events.recv().await.as_deref(), Some("pulled the image"));
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

    /// A recorder for tests, which sends its events to a channel without correlation: client-go's `FakeRecorder`. If the
    /// channel is full, events are dropped.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_events::{EventRecorder, EventType};
    ///
    /// fn reconcile(pod: &Pod, events: &EventRecorder) {
    ///     events.event(pod, EventType::Warning, "Unhealthy", "the probe failed");
    /// }
    ///
    /// let (recorder, mut events) = EventRecorder::channel("my-controller", 10);
    /// reconcile(&Pod::EMPTY, &recorder);
    /// assert_eq!(events.try_recv().map(|event| event.reason.to_string()).as_deref(), Ok("Unhealthy"));
    /// ```
    pub fn channel(component: &str, capacity: usize) -> (Self, mpsc::Receiver<Arc<Event>>) {
        let (sender, receiver) = mpsc::channel(capacity.max(1));
        let source = EventSource { component: component.into(), ..EventSource::EMPTY };
        (Self { source, target: Target::Channel(sender) }, receiver)
    }

    /// Records an event of an object, with the current time.
    pub fn event(
        &self,
        object: impl Into<Reference>,
        event_type: EventType,
        reason: &str,
        message: impl Display,
    ) {
        self.record(object.into(), Map::EMPTY, None, event_type, reason, &message);
    }

    /// Records an event of an object that happened at another time.
    ///
    /// ```
    /// use client_rs_api::core::v1::Node;
    /// use client_rs_events::{EventRecorder, EventType};
    /// use client_rs_machinery::Time;
    ///
    /// let (recorder, mut events) = EventRecorder::channel("monitor", 10);
    /// let yesterday = Time::new(1_700_000_000, 0).unwrap();
    /// recorder.past_event(&Node::EMPTY, yesterday, EventType::Warning, "Rebooted", "found in the log");
    /// assert_eq!(events.try_recv().map(|event| event.first_timestamp), Ok(Some(yesterday)));
    /// ```
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

    /// Records an event of an object with annotations, with the current time.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_events::{EventRecorder, EventType};
    ///
    /// let (recorder, mut events) = EventRecorder::channel("monitor", 10);
    /// let annotations = [("example.com/trace", "7f3a")].into();
    /// recorder.annotated_event(&Pod::EMPTY, annotations, EventType::Normal, "Started", "");
    /// let event = events.try_recv().unwrap();
    /// assert_eq!(event.metadata.annotations.get("example.com/trace").map(|id| id.as_str()), Some("7f3a"));
    /// ```
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
                tracing::error!(%error, %event_type, reason, "can't record an event");
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
                // The broadcaster counts and logs drops.
                Ok(_) => {}
                Err(error) => tracing::error!(%error, reason, "can't record an event"),
            },
            Target::Channel(sender) => {
                if sender.try_send(Arc::new(event)).is_err() {
                    tracing::error!(reason, "dropped an event: the channel is full or closed");
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)] // An event has this many fields.
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

/// Records an event with a formatted message: client-go's `Eventf`.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_events::{EventRecorder, EventType, eventf};
///
/// let (recorder, mut events) = EventRecorder::channel("my-controller", 10);
/// let seconds = 1.5;
/// eventf!(recorder, &Pod::EMPTY, EventType::Normal, "Pulled", "took {seconds} s");
/// assert_eq!(events.try_recv().map(|event| event.message.to_string()).as_deref(), Ok("took 1.5 s"));
/// ```
#[macro_export]
macro_rules! eventf {
    ($recorder:expr, $object:expr, $type:expr, $reason:expr, $($format:tt)+) => {
        $recorder.event($object, $type, $reason, ::std::format_args!($($format)+))
    };
}
