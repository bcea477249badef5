//! The recorder of events.

use std::fmt::Display;
use std::sync::Arc;

use client_rs_api::events::v1::Event;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Map, MicroTime, Str};
use tokio::sync::mpsc;

use super::broadcaster::Inner;
use crate::name::event_name;
use crate::{Clock, EventType, Reference};

/// Records events of one controller.
///
/// Recording never waits and never fails. An event is put into the broadcaster's queue. It is dropped with a log line if the
/// queue is full, if the broadcaster was shut down, or if the regarding object has no kind or version. (A related object
/// without them is left out.) Delivery to the server is not promised.
///
/// Cheap to clone. As long as a recorder lives, its broadcaster runs.
///
/// ```
/// use client_rs_api::core::v1::{Node, Pod};
/// use client_rs_events::events_v1::EventBroadcaster;
/// use client_rs_events::{EventType, Reference};
/// # use client_rs_machinery::meta::v1::ObjectMeta;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_events::Stopped> {
/// # let node = Node { metadata: ObjectMeta { name: "node-1".into(), ..ObjectMeta::EMPTY }, ..Node::EMPTY };
/// let broadcaster = EventBroadcaster::new();
/// let (sender, mut seen) = tokio::sync::mpsc::unbounded_channel();
/// broadcaster.start_event_watcher(move |event| drop(sender.send(event)))?;
/// let recorder = broadcaster.recorder("scheduler");
/// // The event is about the pod; the node is the related object.
/// let related = Some(Reference::from(&node));
/// recorder.event(&Pod::EMPTY, related, EventType::Warning, "NodeFull", "Binding", "no room left");
/// broadcaster.shutdown().await;
/// let event = seen.recv().await.expect("the event was delivered before the shutdown");
/// assert_eq!(event.related.as_ref().map(|node| node.name.as_str()), Some("node-1"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EventRecorder {
    controller: Str,
    instance: Str,
    target: Target,
}

#[derive(Clone, Debug)]
enum Target {
    Broadcaster(Arc<Inner>),
    Channel(mpsc::Sender<Arc<Event>>),
}

impl EventRecorder {
    pub(super) fn new(controller: &str, instance: &str, inner: Arc<Inner>) -> Self {
        Self { controller: controller.into(), instance: instance.into(), target: Target::Broadcaster(inner) }
    }

    /// A recorder for tests, which sends its events to a channel, without series: client-go's `FakeRecorder`. If the channel is full,
    /// events are dropped.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_events::EventType;
    /// use client_rs_events::events_v1::EventRecorder;
    ///
    /// let (recorder, mut events) = EventRecorder::channel("scheduler", 10);
    /// recorder.event(&Pod::EMPTY, None, EventType::Warning, "NodeFull", "Binding", "no room left");
    /// assert_eq!(events.try_recv().map(|event| event.action.to_string()).as_deref(), Ok("Binding"));
    /// ```
    pub fn channel(controller: &str, capacity: usize) -> (Self, mpsc::Receiver<Arc<Event>>) {
        let (sender, receiver) = mpsc::channel(capacity.max(1));
        let (controller, instance) = (controller.into(), Str::EMPTY);
        (Self { controller, instance, target: Target::Channel(sender) }, receiver)
    }

    /// Records an event of an object, with the current time.
    ///
    /// `related` is an optional second object. `reason` is why and `action` is what was done or failed, both in
    /// `UpperCamelCase`. `note` is for people, and may be anything that implements `Display`, such as `format_args!(…)`.
    pub fn event(
        &self,
        regarding: impl Into<Reference>,
        related: Option<Reference>,
        event_type: EventType,
        reason: &str,
        action: &str,
        note: impl Display,
    ) {
        self.annotated_event(regarding, related, Map::EMPTY, event_type, reason, action, note);
    }

    /// Like [`event`](Self::event), with annotations on the event.
    #[allow(clippy::too_many_arguments)] // An event has this many fields.
    pub fn annotated_event(
        &self,
        regarding: impl Into<Reference>,
        related: Option<Reference>,
        annotations: Map<Str>,
        event_type: EventType,
        reason: &str,
        action: &str,
        note: impl Display,
    ) {
        let regarding = match regarding.into().checked() {
            Ok(regarding) => regarding,
            Err(error) => {
                tracing::error!(%error, %event_type, reason, "can't record an event");
                return;
            }
        };
        let now = match &self.target {
            Target::Broadcaster(inner) => inner.clock.now(),
            Target::Channel(_) => Clock::default().now(),
        };
        let namespace =
            if regarding.namespace.is_empty() { Str::from("default") } else { regarding.namespace.clone() };
        let event = Event {
            metadata: ObjectMeta {
                name: event_name(&regarding.name, now),
                namespace,
                annotations,
                ..ObjectMeta::EMPTY
            },
            event_time: Some(MicroTime::from(now)),
            reporting_controller: self.controller.clone(),
            reporting_instance: self.instance.clone(),
            action: action.into(),
            reason: reason.into(),
            regarding: regarding.into(),
            related: related.and_then(|related| related.checked().ok()).map(Into::into),
            note: note.to_string().into(),
            type_: event_type.as_str().into(),
            ..Event::EMPTY
        };
        match &self.target {
            Target::Broadcaster(inner) => match inner.watchers.broadcaster.action_or_drop(Arc::new(event)) {
                // The broadcaster counts and logs drops.
                Ok(_) => {}
                Err(error) => tracing::error!(%error, reason, "can't record an event"),
            },
            Target::Channel(sender) => {
                let _ = sender.try_send(Arc::new(event));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::Pod;

    use super::*;

    #[test]
    fn a_recorder_for_tests_has_events_with_their_annotations() {
        let (recorder, mut events) = EventRecorder::channel("scheduler", 1);
        let annotations = [("trace", Str::from("7"))].into_iter().collect();
        recorder.annotated_event(
            &Pod::EMPTY,
            None,
            annotations,
            EventType::Normal,
            "Bound",
            "Binding",
            "done",
        );
        // The channel is full: dropped.
        recorder.event(&Pod::EMPTY, None, EventType::Normal, "Bound", "Binding", "again");
        let event = events.try_recv().unwrap();
        assert_eq!((&*event.reason, &*event.action, &*event.note), ("Bound", "Binding", "done"));
        assert_eq!(event.metadata.annotations.get("trace").map(|value| &**value), Some("7"));
        assert!(events.try_recv().is_err());
    }
}
